"""Exact chances to win where few layouts are left. It works without numpy, on small boards."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Final

from satsweeper.board.codes import COVERED, FLAG
from satsweeper.board.facts import Flags
from satsweeper.count.odds import Odds
from satsweeper.play.choice import Choice
from satsweeper.play.kernel.chances import find_chances
from satsweeper.play.kernel.exact import TOO_MANY, Exact, list_few, worths_of_places
from satsweeper.play.kernel.grid import (
    DONE,
    KNOWN_MINE,
    UNKNOWN,
    Bytes,
    ints,
    octets,
)
from satsweeper.play.kernel.tree import room_for_layouts, room_for_tree
from satsweeper.play.scratch import Scratch, lend_scratch
from satsweeper.position import Position

LAYOUTS: Final = 600
"""The most layouts of a position that `few_layouts_choices` looks at unless it is told."""
EFFORT: Final = 2 * 10**6
"""The most entries of the table of layouts that are read: some seconds of plain Python."""
_NODES, _KEYS = 1 << 12, 1 << 17
"""Room for the tree: small enough for lists."""


def exact_choices(
    scratch: Scratch,
    codes: Bytes,
    found: Odds,
    exact: Exact,
    effort: int,
    *,
    promised: bool = False,
) -> list[Choice] | None:
    """Return every covered cell that may be free with its exact chance to win, best first.

    None if there are too many layouts for ``exact``, or the tree is too large.

    Args:
        scratch: its ``moves`` are as ``find_chances`` left them for this position.
        codes: the code of what is known of each cell.
        found: the odds of the position, whose total is known.
        exact: room for layouts and the tree.
        effort: the most entries of the table of layouts that the tree may read.
        promised: whether the first click is free by convention, whichever cell it is.
    """
    mines = found.position.mines
    assert mines is not None
    many = list_few(scratch.grid, codes, mines, scratch.moves.work, exact)
    if many == TOO_MANY:
        return None
    places = sum(code == UNKNOWN for code in codes.tolist())
    worths = ints(places)
    if not worths_of_places(exact.layouts.shows, exact.tree, places, many, effort, worths):
        return None
    choices = []
    for place in range(places):
        cell = divmod(int(exact.layouts.place_cell[place]), scratch.columns)
        safe = 1 - found.mine[cell]
        if safe:
            # A promised game is on one of the layouts in which the cell is free.
            among = safe * many if promised else many
            worth = Fraction(int(worths[place])) / among
            choices.append(Choice(cell, Fraction(1) if promised else safe, worth))
    return sorted(choices, key=lambda choice: (-(choice.win or 0), -choice.safe, choice.cell))


@contextmanager
def counted_codes(
    position: Position, found: Odds, flags: Flags
) -> Iterator[tuple[Scratch, Bytes] | None]:
    """Lend scratch with the counts of a position, and the codes of its cells; None if too wide.

    Args:
        position: a position with a total.
        found: its odds. Cells that are mines for certain are known mines; cells that are safe for
            certain stay unknown, as it is not known what they show.
        flags: whether flags are trusted to be mines, or ignored.
    """
    known = {FLAG & 255: KNOWN_MINE if flags == "trust" else UNKNOWN, COVERED & 255: UNKNOWN}
    mines = position.mines
    assert mines is not None
    with lend_scratch(position.rows, position.columns) as scratch:
        codes = octets(scratch.cells)
        # Each row of the padded codes ends with one code of padding.
        for row in range(position.rows):
            for column in range(position.columns):
                code = position.padded[row * (position.columns + 1) + column]
                codes[row * position.columns + column] = known.get(code, code)
        for (row, column), chance in found.mine.items():
            if chance == 1:
                codes[row * position.columns + column] = KNOWN_MINE
        done = find_chances(scratch.grid, codes, mines, scratch.moves.work, scratch.chances)
        yield (scratch, codes) if done == DONE else None


def few_layouts_choices(
    position: Position,
    found: Odds,
    flags: Flags,
    layouts: int = LAYOUTS,
    effort: int = EFFORT,
) -> list[Choice] | None:
    """Return the choices of a position with a total, best first, with their chances to win.

    None if the position has more than ``layouts`` layouts, or its tree is too large.

    Args:
        position: a position with a total. Cells that are certain to be safe are choices too.
        found: its odds.
        flags: whether flags are trusted to be mines, or ignored.
        layouts: the most layouts that are looked at.
        effort: the most entries of the table of layouts that are read.
    """
    if found.solutions > layouts:
        return None
    with counted_codes(position, found, flags) as counted:
        if counted is None:
            return None
        scratch, codes = counted
        exact = Exact(
            room_for_layouts(scratch.cells, layouts + 1),
            room_for_tree(scratch.cells, layouts + 1, _NODES, _KEYS),
            octets(scratch.cells),
        )
        return exact_choices(scratch, codes, found, exact, effort)
