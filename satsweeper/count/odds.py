"""``odds``: how likely every covered cell is a mine, exactly."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress
from math import gcd
from typing import Any

from pbcnf.shown import Drawn
from satsweeper.board.codes import Cell
from satsweeper.board.facts import Flags
from satsweeper.board.planes import OPEN
from satsweeper.count.board import NoLayoutError as NoLayoutError
from satsweeper.count.board import count_board
from satsweeper.count.budget import MAX_WIDTH, CountingBudget
from satsweeper.count.counts import Weights
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline


@dataclass(frozen=True, init=False, repr=False)
class Odds(Drawn):
    """The chance of a mine in every covered cell, as exact fractions.

    ``density``: the chance of a mine in each cell before any clue, None if all layouts are equally
    likely. ``solutions``: the number of layouts. ``interior``: the chance of each of the
    ``interior_cells`` covered cells that no clue touches, None if there are no such cells.
    """

    position: Position
    flags: str
    density: Fraction | None
    solutions: int
    interior: Fraction | None
    interior_cells: int
    mine: dict[Cell, Fraction]
    """The chance of a mine by cell, ``mine[row, column]``, row by row."""

    def __init__(
        self,
        position: Position,
        flags: str,
        density: Fraction | None,
        solutions: int,
        interior: Fraction | None,
        interior_cells: int,
        mine: dict[Cell, Fraction],
    ) -> None:
        # Much faster than to set every field of a frozen value by itself.
        self.__dict__.update(
            position=position,
            flags=flags,
            density=density,
            solutions=solutions,
            interior=interior,
            interior_cells=interior_cells,
            mine=mine,
        )

    def __repr__(self) -> str:
        """A single line: the position, the number of layouts, and the range of the chances."""
        layouts = digits(self.solutions)
        if len(layouts) > _SHOWN:
            layouts = f"{layouts[0]}.{layouts[1:3]}e{len(layouts) - 1}"
        layouts += " layout" if self.solutions == 1 else " layouts"
        chances = self.mine.values()
        found = f"chances {float(min(chances)):.3g} to {float(max(chances)):.3g}" if chances else ""
        return f"Odds({self.position!r}, {layouts}{found and ', '}{found})"

    @cached_property
    def by_index(self) -> dict[int, Fraction]:
        """The chance of a mine in each covered cell, by board index in ascending order."""
        index = self.position.geometry.index
        return {index(cell): chance for cell, chance in self.mine.items()}

    def safest(self) -> list[Cell]:
        """Return the covered cells with the least chance of a mine, row by row."""
        distinct = self.distinct()
        least = min(distinct, default=None)
        # Cells share fraction objects (`distinct`), so that identity replaces slow comparisons.
        same = {id(chance) for chance in distinct if chance == least}
        return [cell for cell, chance in self.mine.items() if id(chance) in same]

    def distinct(self) -> list[Fraction]:
        """Return the distinct fraction objects: cells of a box, and interior cells, share one."""
        return list({id(chance): chance for chance in self.mine.values()}.values())

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``odds --json`` prints."""
        # A fraction may have thousands of digits, so each is converted to text once.
        written = {id(chance): chance_json(chance) for chance in self.distinct()}
        return {
            "schema": "satsweeper/odds/1",
            "rows": self.position.rows,
            "columns": self.position.columns,
            "mines": self.position.mines,
            "density": None if self.density is None else str(self.density),
            "solutions": digits(self.solutions),
            "cells": [
                {"cell": list(cell), **written[id(chance)]} for cell, chance in self.mine.items()
            ],
            "interior": {**chance_json(self.interior), "cells": self.interior_cells},
        }


def odds(
    position: Position,
    *,
    flags: Flags = "trust",
    density: Fraction | None = None,
    timeout: float | None = None,
    max_width: int = MAX_WIDTH,
) -> Odds:
    """Return the exact chance of a mine in every covered cell.

    With the total known, all layouts with that many mines are equally likely; with the total
    unknown, all layouts are.

    Args:
        position: the board, with its total if that is known.
        flags: whether flags are trusted to be mines, or ignored.
        density: the chance with which each covered cell is a mine, independently of the others
            before any clue; None: all layouts are equally likely. With a density the total must be
            unknown. ``solutions`` counts layouts in both cases.
        timeout: seconds, after which OddsLimitError is raised.
        max_width: the largest number of clues open at once; wider regions raise OddsLimitError
            before any counting.

    Raises:
        NoLayoutError: the position contradicts itself.
        OddsLimitError: counting would take too long or too much memory, or the time is over.
        ValueError: a density that is not between 0 and 1, or together with a known total.

    >>> from satsweeper import Position, odds
    >>> found = odds(Position.parse("1??\\n12?\\n01?"))
    >>> found.solutions, found.mine[0, 1], found.mine[1, 2]
    (2, Fraction(1, 1), Fraction(1, 2))
    """
    weights = weights_of(position.mines, density)
    bound = _FREE
    if timeout is not None or max_width != MAX_WIDTH:
        bound = CountingBudget(Deadline.after(timeout), max_width)
    covered, safe, mines, boxes, counted, inside = count_board(position, flags, weights, bound)
    named = position.geometry.named()
    interior = _chance(*counted.interior) if inside else None
    # Cells of boxes, and cells that the rules decided, take the place of interior cells.
    mine = _each_covered(position, flags, covered, _SURE if interior is None else interior)
    for cell in compress(named, safe):
        mine[cell] = _NONE
    for cell in compress(named, mines):
        mine[cell] = _SURE
    for own, (mined, whole) in zip(boxes, counted.regions, strict=True):
        for box, ways in zip(own, mined, strict=True):
            chance = _NONE if not ways else _SURE if ways == whole else _chance(ways, whole)
            for index in box:
                mine[named[index]] = chance
    return Odds(position, flags, density, counted.solutions, interior, inside, mine)


_FREE = CountingBudget()


def _each_covered(
    position: Position, flags: Flags, covered: bytes, chance: Fraction
) -> dict[Cell, Fraction]:
    """Return ``chance`` for each covered cell, row by row."""
    geometry = position.geometry
    if 4 * covered.count(1) < 3 * len(covered):
        return dict.fromkeys(compress(geometry.named(), covered), chance)
    # The keys of a dictionary are copied with their hashes: most of the cells are not added one by
    # one.
    mine = dict.fromkeys(geometry.every(), chance)
    for cell in compress(geometry.named(), position.padded.translate(OPEN[flags])):
        del mine[cell]
    return mine


def _chance(ways: int, whole: int) -> Fraction:
    """Return ``ways / whole``, both natural numbers; much faster than the public constructor."""
    shared = gcd(ways, whole)
    chance: Any = object.__new__(Fraction)
    chance._numerator = ways // shared
    chance._denominator = whole // shared
    found: Fraction = chance
    return found


_NONE, _SURE = Fraction(0), Fraction(1)


def weights_of(mines: int | None, density: Fraction | None) -> Weights:
    """Return the weights for a total ``mines``, None if unknown, and a ``density`` or None.

    Raises ValueError for a density that is not between 0 and 1, or together with a known total.
    """
    if density is None:
        return None if mines is not None else (1, 1)
    if mines is not None:
        raise ValueError("a density excludes a known total: make the total unknown")
    if not 0 < density < 1:
        raise ValueError(f"a density is above 0 and below 1, not {density}")
    density = Fraction(density)
    return density.numerator, density.denominator - density.numerator


def chance_json(chance: Fraction | None) -> dict[str, Any]:
    """Return ``chance`` as an exact fraction in text and as a number; None: both are None."""
    if chance is None:
        return {"mine": None, "value": None}
    return {"mine": fraction(chance), "value": float(chance)}


_SHOWN = 9
"""The number of digits up to which ``repr`` writes out the number of layouts."""
_AT_ONCE = 4_000
"""The number of digits up to which `str` converts; Python refuses more than 4300."""


def digits(number: int) -> str:
    """Return a natural number of any size in decimal digits.

    >>> digits(10**10000) == "1" + "0" * 10000
    True
    """
    size = number.bit_length() * 3 // 10
    if size < _AT_ONCE:
        return str(number)
    half = size // 2
    high, low = divmod(number, 10**half)
    return digits(high) + digits(low).zfill(half)


def fraction(chance: Fraction) -> str:
    """Return ``chance``, of any size, in the form of ``str(Fraction)``."""
    text = digits(chance.numerator)
    return text if chance.denominator == 1 else f"{text}/{digits(chance.denominator)}"
