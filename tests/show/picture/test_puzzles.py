"""Pictures of boards of any shape under any rules, read by the names of their elements alone."""

import io
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations

import networkx
import pytest

from satsweeper.answers.classification import Verdict
from satsweeper.puzzle.board_constraints import holds
from satsweeper.puzzle.clue import Clue, Region
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import GRIDS, grid
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.show import as_svg, as_text
from satsweeper.show.palette import THEMES
from satsweeper.show.picture.arrangement import arranged
from satsweeper.show.picture.forms import Form
from satsweeper.show.picture.marks import marks
from satsweeper.show.picture.puzzles import (
    DYEING,
    classification_scene,
    draw_puzzle,
    explanation_scene,
)
from satsweeper.show.picture.scene import Film, Ring, Scene, Sheet, Tile, TileKind
from satsweeper.show.picture.strokes import GLYPHS
from satsweeper.show.picture.write import film_svg, picture
from tests.show.drawings import cells, texts

HEXAGONS = "rules: C\ngeometry: hexagonal\nmines: 3\n1 ? ?\n? ? ?\n? 2 ?\n"
TRIANGLES = "rules: C\ngeometry: triangular\nmines: 2\n1 ? ? ? ?\n? ? ? ? ?\n? 1 ? ? ?\n"
WALL = "rules: W\nmines: 5\n. . . 2\n. 13 . 3\n. . . .\n. . 11 .\n"
PAIRS = "rules: 2X\nmines: 5\n. . . 12\n01 . . .\n. 12 . 11\n. . . .\n"


def svg(scene: Scene, cell: int = 40) -> str:
    return film_svg(Film((scene,), (0,)), THEMES["light"], cell, "a <title>")


def said(scene: Scene, cell: int = 40) -> dict[tuple[float, float], str]:
    return cells(svg(scene, cell), cell)


def by_number(puzzle: Puzzle, scene: Scene) -> list[str]:
    """The text in each cell; the places of cells are taken from their arrangement."""
    found, plan = said(scene), arranged(puzzle.geometry)
    first = min(found), min(plan.places)
    left, top = first[0][0] - 40 * first[1][0], first[0][1] - 40 * first[1][1]
    return [
        next(
            text for (a, b), text in found.items()
            if abs(a - left - 40 * x) < 0.1 and abs(b - top - 40 * y) < 0.1
        )
        for x, y in plan.places
    ]  # fmt: skip


@pytest.mark.parametrize("geometry", GRIDS)
def test_the_text_of_each_cell_of_the_file_is_in_the_picture_once(geometry):
    text = f"geometry: {geometry}\n1 ? 3 F\n? 2 ? ?\n0 ? 1 4\n"
    expected = ["1, clue", "covered", "3, clue", "F, flag", "covered", "2, clue", "covered",
                "covered", "0, clue", "covered", "1, clue", "4, clue"]  # fmt: skip
    puzzle = Puzzle.parse(text)
    scene = draw_puzzle(puzzle)
    assert Counter(said(scene).values()) == Counter(expected)
    assert by_number(puzzle, scene) == expected


@pytest.mark.parametrize("text", [HEXAGONS, TRIANGLES])
def test_a_picture_says_what_trying_all_layouts_says(text):
    puzzle = Puzzle.parse(text)
    covered = [cell + 1 for cell in puzzle.hidden()]
    layouts = [
        mines
        for mines in combinations(covered, puzzle.mines or 0)
        if holds(puzzle, frozenset(mines))
    ]
    assert len(layouts) > 1
    expected = []
    for cell in range(len(puzzle.geometry)):
        mined = sum(cell + 1 in mines for mines in layouts)
        certain = {0: "S, safe", len(layouts): "M, mine"}.get(mined, "?, unknown")
        clue = puzzle.clues.get(cell)
        expected.append(f"{clue.value}, clue" if clue else certain)
    with PuzzleSession(puzzle) as session:
        assert by_number(puzzle, classification_scene(session.classify())) == expected


def test_each_run_of_a_clue_and_each_of_two_numbers_is_drawn_by_itself():
    found = Counter(said(draw_puzzle(Puzzle.parse(WALL))).values())
    assert {"1 3, clue": 1, "1 1, clue": 1, "2, clue": 1, "3, clue": 1}.items() <= found.items()
    found = Counter(said(draw_puzzle(Puzzle.parse(PAIRS))).values())
    # (0, 3), (1, 0) and (2, 1) have an odd sum of coordinates; (2, 3) has one, too.
    assert found["1 2, clue, dyed"] == 2
    assert (found["0 1, clue, dyed"], found["1 1, clue, dyed"]) == (1, 1)
    assert found["covered, dyed"] == 4
    one, many = (marks(Tile(TileKind.OPENED, glyph), THEMES["light"]) for glyph in ("1", "1 1 1 1"))
    assert len(many) - 1 == 4 * (len(one) - 1)
    lines = [x for mark in many[1:] for point in mark.line for x in point]
    assert 0.1 < min(lines) < max(lines) < 0.9


def test_under_own_letters_each_clue_has_those_of_its_rule():
    puzzle = Puzzle.parse("rules: #\nmines: 5\nW13 . . L2\nM1 . . .\n. N2 . 2X12\n. . 2X'1 2P10")
    assert {text for text in by_number(puzzle, draw_puzzle(puzzle)) if "clue" in text} == {
        "W 1 3, clue", "L 2, clue, dyed", "M 1, clue, dyed", "N 2, clue, dyed",
        "2X 1 2, clue, dyed", "2X' 1, clue, dyed", "2P √10, clue",
    }  # fmt: skip


@pytest.mark.parametrize("letters", [*LAYOUTS, *CLUES])
def test_the_rules_that_show_dyed_cells_are_those_that_ask_which_cells_are_dyed(letters):
    square = grid("square", 3, 3)
    kind = clue_kind((letters,) if letters in CLUES else ())
    rules = (letters,) if letters in LAYOUTS else ()
    text = {"M": "3", "E": "3", "2P": "2", "2E": "B"}.get(
        letters, "12" if letters in ("W", "2X") else "1"
    )
    clues = {} if rules else {4: Clue(kind, kind.parse(text))}
    one, other = (
        Puzzle(square, rules, clues, dyed=frozenset(dyed)) for dyed in ({0, 5, 7}, {1, 2, 3, 8})
    )
    layouts = [
        frozenset(mines)
        for number in range(2, 7)
        for mines in combinations([1, 2, 3, 4, 6, 7, 8, 9], number)
    ]
    asked = any(holds(one, mines) != holds(other, mines) for mines in layouts)
    assert asked == (letters in DYEING)


def test_a_chance_is_drawn_in_percent_and_of_a_dyed_cell_in_a_frame():
    puzzle = Puzzle.parse("rules: M\n1 ? ?\n? ? ?\n")
    odds = {1: Fraction(1, 4), 2: Fraction(0), 3: Fraction(1), 4: Fraction(1, 3)}
    chance = "chance of a mine in percent"
    assert by_number(puzzle, draw_puzzle(puzzle, odds=odds)) == [
        "1, clue", f"25, {chance}, dyed", "S, safe", "M, mine, dyed", f"33, {chance}",
        "covered, dyed",
    ]  # fmt: skip
    framed = marks(Tile(TileKind.CHANCE, "25", dyed=True), THEMES["dark"])
    assert framed[0].colour == THEMES["dark"].dyed_covered
    assert framed[1].colour == marks(Tile(TileKind.CHANCE, "25"), THEMES["dark"])[0].colour


def test_reasons_and_what_clashes_are_marked_and_said():
    puzzle = Puzzle.parse(TRIANGLES)
    with PuzzleSession(puzzle) as session:
        result, reason = session.classify(), session.explain((1, 1))
    scene = explanation_scene(reason, result.by_cell)
    found = by_number(puzzle, scene)
    assert reason.reason is not None
    marked = {cell for cell, text in enumerate(found) if text == "1, clue, a reason"}
    assert marked == {puzzle.geometry.numbers[cell] for cell in reason.reason.clues}
    assert found[6] == "S, safe, the cell in question"
    assert reason.sentence in scene.caption
    clashing = Puzzle.parse("rules: Q\nmines: 0\n0 ?\n? ?\n")
    with PuzzleSession(clashing) as session:
        scene = classification_scene(session.classify())
    assert scene.caption[-1].startswith("No layout exists with rule Q")
    assert by_number(clashing, scene)[1:] == ["covered"] * 3


def test_of_an_unknown_cell_two_layouts_are_drawn_beside_each_other():
    puzzle = Puzzle.parse("geometry: hexagonal\nmines: 1\n1 ? ?\n? ? ?\n")
    with PuzzleSession(puzzle) as session:
        explanation = session.explain((0, 1))
    scene = explanation_scene(explanation)
    assert [heading for heading, _ in scene.boards] == ["(0, 1) is a mine", "(0, 1) is safe"]
    found = Counter(said(scene).values())
    assert found["M, mine, the cell in question"] == found["S, safe, the cell in question"] == 1
    # The one mine is elsewhere in the second layout.
    assert (found["M, mine"], found["S, safe"]) == (1, 7)
    assert {"(0, 1) is a mine", "(0, 1) is safe"} <= {*texts(svg(scene))}


def test_marked_cells_have_the_ring_that_is_asked_for():
    puzzle = Puzzle.parse(WALL)
    assert by_number(puzzle, draw_puzzle(puzzle, marked=[3]))[3] == "2, clue, a reason"
    drawn = draw_puzzle(puzzle, {0: Verdict.SAFE}, marked={0: Ring.ASKED, 5: Ring.CLASH})
    found = by_number(puzzle, drawn)
    assert (found[0], found[5]) == ("S, safe, the cell in question", "1 3, clue, clashes")


def test_the_caption_has_geometry_size_total_and_rules():
    assert draw_puzzle(Puzzle.parse(HEXAGONS)).caption == (
        "hexagonal 3x3, mines: 3.",
        "C (connected): the mines are one set, connected by touching.",
    )
    torus = draw_puzzle(Puzzle.parse("geometry: torus\n1???\n????\n????\n"))
    assert torus.caption == ("torus 4x3, mines: unknown, goes on at the opposite edge.",)
    assert (
        draw_puzzle(Puzzle(cubes(2, 3, 4))).caption[0] == "cubes 2 layers of 4x3, mines: unknown."
    )
    every = [row.summary for row in (*LAYOUTS.values(), *CLUES.values())]
    assert {sign for text in every for sign in text} - {" "} <= GLYPHS.keys()
    assert {sign for letters in (*LAYOUTS, *CLUES) for sign in letters} <= GLYPHS.keys()


def test_straight_regions_have_their_total_at_an_end_and_others_a_letter_in_their_cells():
    square = grid("square", 3, 3)
    puzzle = Puzzle(
        square,
        regions=(Region("column 1", (1, 4, 7), 2, "together"), Region("column 2", (2, 5, 8), 1),
                 Region("blue", (0, 1, 3), 1, "apart")),
        shown=frozenset([4]), opened=frozenset([8]), weights={2: 3}, capacity={6: 2},
    )  # fmt: skip
    scene = draw_puzzle(puzzle)
    assert by_number(puzzle, scene) == [
        "covered, a", "covered, a", "covered, x3", "covered, a", "*, a mine that is shown",
        "covered", "covered, 0-2", "covered", "clue",
    ]  # fmt: skip
    document = svg(scene)
    assert {"{2}", "1"} <= {*texts(document)}
    # A stroke leads from the last cell of each column to its total.
    assert document.count('stroke-width="1.5"') == 2
    assert "a (blue): 1 mine in 3 cells, not all one beside the other." in scene.caption


def test_nodes_of_a_graph_have_their_names_and_edges():
    network = networkx.Graph([("here", "there"), ("there", "far"), ("far", "here")])
    puzzle = Puzzle.from_graph(network, clues={"here": 1}, mines=1, flags=["far"])
    document = svg(draw_puzzle(puzzle))
    assert {"here", "there", "far"} <= {*texts(document)}
    assert sorted(cells(document, 40).values()) == ["1, clue", "F, flag", "covered"]
    assert document.count('stroke-width="1.5"') == 3


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("ring", Ring)
def test_every_kind_of_cell_differs_from_every_other_in_every_form(form, ring):
    drawn = [
        tuple(marks(Tile(kind, glyph, ring, form, dyed), THEMES["light"]))
        for kind, glyph in (
            (TileKind.OPENED, "1"), (TileKind.OPENED, "1 2 3"), (TileKind.SAFE, "S"),
            (TileKind.MINE, "M"), (TileKind.UNKNOWN, "?"), (TileKind.COVERED, ""),
            (TileKind.FLAG, "F"), (TileKind.SHOWN, "*"), (TileKind.CHANCE, "50"),
        )
        for dyed in (False, True)
    ]  # fmt: skip
    assert len({*drawn}) == len(drawn)


Image = pytest.importorskip("PIL.Image")


@pytest.mark.parametrize("form", Form)
def test_pixels_of_a_cell_are_those_of_its_form(form):
    """Inside the outline the ground of a covered cell, in the corners of the square the page."""
    geometry = {
        Form.SQUARE: grid("square", 2, 2), Form.POINTED: grid("hexagonal", 2, 2),
        Form.UP: grid("triangular", 1, 1), Form.DOWN: grid("triangular", 1, 2),
        Form.DISC: Puzzle.from_graph(networkx.empty_graph(3)).geometry,
    }.get(form)  # fmt: skip
    if geometry is None:
        return
    scene = draw_puzzle(Puzzle(geometry))
    data = picture(Film((scene,), (0,)), "png", THEMES["light"], 40, "")
    image = Image.open(io.BytesIO(data)).convert("RGB")
    tile = next(t for t in Sheet.of((scene,), 40).tiles(scene) if t.tile.form is form)
    x, y = round(tile.x), round(tile.y)
    covered = tuple(bytes.fromhex(THEMES["light"].covered[1:]))
    for across, down in ((19, 19), (14, 22), (24, 16)):
        assert image.getpixel((x + across, y + down)) == covered
    corner = {Form.POINTED: (1, -6), Form.UP: (0, -10), Form.DISC: (1, 1)}.get(form)
    if corner is not None:
        assert image.getpixel((x + corner[0], y + corner[1])) == (255, 255, 255)


CHILD = """
import networkx
from satsweeper import as_svg
from satsweeper.puzzle.puzzle import Puzzle
graph = networkx.Graph([(a, b) for a, b in ["ab", "bc", "cd", "de", "ea", "ac"]])
print(as_svg(Puzzle.from_graph(graph, clues={"a": 2}, flags="cd", dyed="be", rules=["M"])))
"""


def test_equal_boards_give_equal_bytes_whatever_the_hash_seed():
    drawings = {
        subprocess.run(
            [sys.executable, "-c", CHILD], capture_output=True, check=True, text=True,
            env={"PYTHONPATH": ":".join(filter(None, sys.path)), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(drawings) == 1
    assert "<svg" in drawings.pop()


def test_values_of_notebooks_are_drawn_and_written():
    puzzle = Puzzle.parse(HEXAGONS)
    with PuzzleSession(puzzle) as session:
        result, reason = session.classify(), session.explain((2, 2))
    for value in (puzzle, result, reason, draw_puzzle(puzzle)):
        drawing = as_svg(value)
        assert drawing is not None
        assert "light-dark(" in drawing
        assert re.search("hexagonal 3x3[;,] (mines: 3|3 mines)", as_text(value))
    assert as_svg(Puzzle(grid("hexagonal", 80, 80))) is None
