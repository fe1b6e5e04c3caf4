"""Odds in a terminal: legible without colour, and never a certainty that is none."""

import io
import re
from collections import Counter
from fractions import Fraction
from random import Random

from rich.console import Console

from satsweeper import Position, odds
from satsweeper.show.answers import MAPPED, percent, show_odds


def shown(position: Position, width: int = 200, density: Fraction | None = None) -> str:
    out = io.StringIO()
    show_odds(odds(position, density=density), Console(file=out, width=width, force_terminal=True))
    return re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())


def test_a_heat_map_tells_clues_from_chances_without_colour():
    lines = shown(Position.parse("01?\n13?\n??F\n")).splitlines()
    assert [line.rstrip() for line in lines[:4]] == [
        "    0  1  2",
        "0   0  1 50",
        "1   1  3 50",
        "2  50 50  F",
    ]
    assert "07 chance of a mine in percent" in lines[4]


def test_only_what_is_certain_is_called_so():
    assert percent(Fraction(1, 10**9)) == "01"
    assert percent(1 - Fraction(1, 10**9)) == "99"
    assert [percent(Fraction(0)), percent(Fraction(1))] == ["S", "M"]


def test_safe_cells_or_else_the_safest_guesses_are_listed():
    assert "Safe: (2, 2)." in shown(Position.parse("01?\n12?\n???\n"))
    guesses = shown(Position.parse("?1?\n", mines=1))
    assert "Safest guesses: (0, 0), (0, 2); a mine with 1/2 = 50.0000%." in guesses
    assert "2 layouts, all equally likely." in guesses


def test_no_guess_is_called_safest_where_every_covered_cell_is_a_mine():
    text = shown(Position.parse("??\n", mines=2))
    assert "Every covered cell is a mine." in text
    assert "guess" not in text


def test_the_interior_has_a_line():
    text = shown(Position.parse("?1???\n", mines=2))
    assert "Interior, 2 cells that no clue touches: a mine with 1/2" in text
    assert "weighted by a density of 1/5" in shown(Position.parse("?1???\n"), 80, Fraction(1, 5))


def test_a_wide_board_is_printed_in_stretches():
    text = shown(Position.parse("?" * 60 + "\n", mines=9), width=40)
    assert all(len(line) <= 40 for line in text.splitlines())
    assert text.splitlines()[0].split()[0] == "0"
    assert len(re.findall(r"\b15\b", text)) >= 60


def test_a_number_too_long_to_read_is_shortened():
    assert "1.606... x 10^60 layouts" in shown(Position.parse("?" * 200 + "\n"))


def laid(opened: float, *, total: bool = False) -> Position:
    """A board of more cells than a map has; a share of those without a mine is ``opened``."""
    rows, columns = MAPPED // 100 + 1, 100
    draw = Random(1)
    mines = {(r, c) for r in range(rows) for c in range(columns) if draw.random() < 0.15}

    def shown_as(row: int, column: int) -> str:
        if (row, column) in mines or draw.random() >= opened:
            return "?"
        near = ((row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1))
        return str(sum(cell in mines for cell in near))

    lines = ["".join(shown_as(row, column) for column in range(columns)) for row in range(rows)]
    return Position.parse("\n".join(lines) + "\n", mines=len(mines) if total else None)


def test_of_a_board_that_nobody_reads_the_cells_at_each_chance_are_counted():
    position = laid(opened=0.75)
    counts = Counter(odds(position).mine.values())
    assert 2 < len(counts) <= 12
    lines = shown(position).splitlines()
    assert lines[0] == (
        f"100x101: {sum(counts.values())} covered cells with {len(counts)} chances;"
        " --all draws the map and lists every cell."
    )
    certain = {Fraction(0): "safe", Fraction(1): "a mine"}
    for line, chance in zip(lines[1 : 1 + len(counts)], sorted(counts), strict=True):
        number, _, words = line.strip().partition("  ")
        assert int(number) == counts[chance]
        assert words.startswith(certain.get(chance, f"a mine with {chance} = "))
    assert lines[1 + len(counts)].startswith("Safe: ")


def test_many_chances_are_counted_by_tenths():
    position = laid(opened=0.02, total=True)
    chances = list(odds(position).mine.values())
    assert len(set(chances)) > 12
    lines = shown(position, 300).splitlines()
    tenths = Counter(
        ("safe" if chance == 0 else "a mine" if chance == 1 else "")
        or f"a mine with {int(10 * chance)}0 to {int(10 * chance) + 1}0%".replace(" 00 ", " 0 ")
        for chance in chances
    )
    table = [line.strip().partition("  ") for line in lines[1 : 1 + len(tenths)]]
    assert {words: int(number) for number, _, words in table} == tenths
    between = [float(chance) for chance in chances if chance not in (0, 1)]
    ends = f"{min(between):.4%} and at most {max(between):.4%}"
    assert lines[1 + len(tenths)] == f"A cell that is not certain is a mine with at least {ends}."


def test_a_map_is_drawn_of_the_largest_board_that_is_read_and_of_any_if_all_is_asked():
    read = Position.parse("\n".join(["?" * 100] * (MAPPED // 100)) + "\n")
    assert "07 chance of a mine in percent" in shown(read)
    more = laid(opened=0.9)
    assert "07 chance of a mine in percent" not in shown(more)
    out = io.StringIO()
    show_odds(odds(more), Console(file=out, width=400), every=True)
    assert "07 chance of a mine in percent" in out.getvalue()
    listed = [line for line in out.getvalue().splitlines() if line.startswith("(")]
    assert len(listed) == len(more.covered_cells())
