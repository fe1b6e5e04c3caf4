"""Boards of any shape in characters: legible without colour, marks in brackets, at any width."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from satsweeper import Puzzle, as_html, as_svg, as_text, classify, explain
from satsweeper.puzzle.answers import symbol
from satsweeper.puzzle.clue import Region
from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.show.puzzles import draw_puzzle, heading, puzzle_text, show_puzzle

TERMINAL = {"force_terminal": True, "color_system": "standard", "legacy_windows": False}


def drawn(text: str, marks: set[int] | None = None, **options: int) -> str:
    puzzle = Puzzle.parse(text)
    symbols = [symbol(puzzle, cell) for cell in range(len(puzzle.geometry))]
    return draw_puzzle(puzzle, symbols, marks or set(), **options).plain


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def test_odd_rows_of_hexagons_lie_half_a_cell_to_the_right():
    assert lines(drawn("geometry: hexagonal\n1??\n???\n??0", {0, 7})) == [
        "    0 1 2",
        "0  [1]? ?",
        "1    ? ? ?",
        "2   ?[?]0",
    ]


def test_cells_of_hexagons_have_an_odd_width_so_that_half_a_cell_can_be_drawn():
    text = "rules: W\ngeometry: hexagonal\n? 11 ?\n? ? ?"
    below, above = lines(drawn(text))[2:0:-1]
    assert above == "0     ?  11   ?"
    assert below == "1       ?   ?   ?"


def test_many_narrow_columns_are_numbered_downwards():
    assert lines(drawn("geometry: hexagonal\n" + "?" * 12))[:2] == [
        "                        1",
        "    0 1 2 3 4 5 6 7 8 9 0 1",
    ]


def test_triangles_stand_between_their_sides():
    assert lines(drawn("geometry: triangular\n1 ? ? ?\n? ? ? ?", {2, 3})) == [
        "    0 1 2 3",
        "0  /1\\?[?|?]",
        "1  \\?/?\\?/?\\",
    ]


def test_clues_of_several_characters_widen_all_cells():
    assert lines(drawn("rules: W\nmines: 2\n11 ? ?\n? ? ?", {0, 1})) == [
        "     0  1  2",
        "0  [11| ?] ?",
        "1    ?  ?  ?",
    ]


def test_cubes_are_one_layer_below_the_other():
    puzzle = Puzzle(cubes(2, 1, 2))
    assert lines(draw_puzzle(puzzle, "?S1M", {2}).plain) == [
        "layer 0",
        "    0 1",
        "0   ? S",
        "layer 1",
        "    0 1",
        "0  [1]M",
    ]


def test_a_graph_is_a_line_for_each_cell():
    puzzle = Puzzle(graph({"a": ["b"], "b": ["a"], "c": []}))
    assert lines(draw_puzzle(puzzle, ["1", "M", "?"], {1}).plain) == [
        "a: 1",
        "[b]: a mine",
        "c: unknown",
    ]


def test_cells_of_a_graph_that_are_named_by_rows_and_columns_lie_there():
    flower = {(9, 11): [], (10, 10): [], (10, 12): [], (11, 9): [], (11, 11): [], (11, 13): []}
    puzzle = Puzzle(graph(flower))
    assert lines(draw_puzzle(puzzle, ["M", "?", "HB4", "?", "12", "S"], {2, 4, 5}).plain) == [
        "         1",
        "       9 0 1 2 3",
        " 9         M",
        "10       ?[HB4]",
        "11     ?[ 12|  S]",
    ]
    # A board that is too wide, or whose cells lie far apart, is a list.
    assert draw_puzzle(puzzle, "M?1?2S", width=8).plain.startswith("(9, 11): a mine")
    far = Puzzle(graph({(0, 0): [], (900, 900): []}))
    assert draw_puzzle(far, "??").plain == "(0, 0): unknown\n(900, 900): unknown"


def test_a_heading_says_rules_geometry_total_and_regions():
    puzzle = Puzzle.parse("rules: C W\ngeometry: torus\nmines: 1\n???\n???\n???")
    assert heading(puzzle) == ["rules C (connected), W (wall); torus 3x3; 1 mine"]
    regions = [Region(f"row {n}", (0, 1), 1, "together") for n in range(14)]
    named = Puzzle(graph({0: [], 1: []}), regions=tuple(regions))
    told = heading(named)
    assert told[0] == "rule V (vanilla); graph 2 cells; total unknown"
    assert told[1] == "row 0: 1 mine in 2 cells, together"
    assert (told[-1], len(told)) == ("and 2 regions more", 14)


@pytest.mark.parametrize("geometry", ["square", "hexagonal", "triangular"])
@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_wide_board_comes_in_stretches_that_fit_and_have_every_cell(geometry, width):
    text = f"rules: W\ngeometry: {geometry}\n" + "\n".join([" ".join(["?"] * 29 + ["11"])] * 3)
    shown = drawn(text, width=width)
    assert max(map(len, shown.splitlines())) <= width
    assert shown.count("?") == 87
    assert shown.count("11") == 3 + (" 11" in shown.splitlines()[0] or 1)
    whole = drawn(text)
    assert len(whole.splitlines()) == 4


def test_colours_only_repeat_what_characters_say():
    puzzle = Puzzle.parse("rules: U\nF ? ?\n? ? ?\n? ? 2")
    for value in (classify(puzzle), explain(puzzle, (0, 1)), explain(puzzle, (2, 0))):
        texts = []
        for options in ({}, TERMINAL):
            out = io.StringIO()
            show_puzzle(value, Console(file=out, width=80, **options))
            texts.append(re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()))
        assert re.sub(r"[0-9.]+ s\n", "", texts[0]) == re.sub(r"[0-9.]+ s\n", "", texts[1])
        assert all(len(line) <= 80 for line in texts[1].splitlines())


def test_values_show_themselves_as_text_and_as_drawings():
    puzzle = Puzzle.parse("rules: H\nmines: 1\n1 ? ?")
    assert str(puzzle) == "rules: H\nmines: 1\n1??"
    assert lines(puzzle_text(puzzle)) == [
        "rule H (horizontal); square 3x1; 1 mine",
        "    0 1 2",
        "0   1 ? ?",
        "? unknown   anything else a clue",
    ]
    result, reason = classify(puzzle), explain(puzzle, (0, 1))
    assert lines(puzzle_text(result))[:5] == [
        "rule H (horizontal); square 3x1; 1 mine",
        "    0 1 2",
        "0   1 M S",
        "S safe   M mine   anything else a clue",
        "1 safe, 1 mine, 0 unknown",
    ]
    assert lines(puzzle_text(reason)) == [
        "rule H (horizontal); square 3x1; 1 mine",
        "    0 1 2",
        "0  [1|M]?",
        "[ ] the cell, and what forces it",
        "(0, 1) is a mine in every layout with the 1 at (0, 0).",
        "1 clue; the total was not needed.",
    ]
    for value in (puzzle, result, reason):
        assert as_text(value) == puzzle_text(value)
        drawing = as_svg(value)
        assert drawing is not None
        assert drawing.startswith("<svg")
    named = as_svg(Puzzle(graph({"<b>": []})))
    assert named is not None
    assert "<b>" not in named
    assert as_html(puzzle).startswith("<pre>rule H")
    assert "&lt;b&gt;: unknown" in as_html(Puzzle(graph({"<b>": []})))


def test_a_conflict_and_a_limit_are_said_below_the_board():
    clash = puzzle_text(classify(Puzzle.parse("rules: Q\n1 0\n? ?")))
    assert "[1|0]" in clash or "[0]" in clash
    assert "No layout exists with" in clash
    late = puzzle_text(classify(Puzzle.parse("rules: Q\n1 ?\n? ?"), timeout=0.0))
    assert "A limit was reached before every cell was settled." in late
