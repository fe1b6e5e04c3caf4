"""The odds of a board of any shape under any rules: how likely every covered cell is a mine."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, overload

from satsweeper.answers.classification import Verdict
from satsweeper.board.facts import Flags
from satsweeper.count.budget import MAX_WIDTH, CountingBudget
from satsweeper.count.counts import LayoutCounts, combine
from satsweeper.count.odds import NoLayoutError, Odds, chance_json, digits, weights_of
from satsweeper.count.odds import odds as odds_of_position
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.odds.components import (
    Component,
    Counted,
    Parts,
    count_component,
    parts_of,
)
from satsweeper.puzzle.puzzle import Puzzle

_PROVING: Final = 10.0
"""The most seconds for proving which cells are certain; fewer proofs leave more to count."""


@dataclass(frozen=True, eq=False, repr=False)
class PuzzleOdds:
    """The chance of a mine in every covered cell, as exact fractions.

    ``density``: the chance of a mine in each cell before any clue, None if all layouts are equally
    likely. ``solutions``: the number of layouts. ``interior``: the chance of each of the
    ``interior_cells`` covered cells that no clue and no rule touches, None without such cells.
    """

    puzzle: Puzzle
    flags: str
    density: Fraction | None
    solutions: int
    interior: Fraction | None
    interior_cells: int
    by_cell: dict[int, Fraction]
    """The chance of a mine in each covered cell, by number in ascending order; for a cell that can
    hold several mines the chance of one at least."""

    def __repr__(self) -> str:
        """A single line: the board and the number of layouts."""
        layouts = digits(self.solutions)
        if len(layouts) > 9:
            layouts = f"{layouts[0]}.{layouts[1:3]}e{len(layouts) - 1}"
        return f"PuzzleOdds({self.puzzle!r}, {layouts} layout{'s' * (self.solutions != 1)})"

    @cached_property
    def mine(self) -> dict[Hashable, Fraction]:
        """The chance of a mine by name of the cell, in the order of the board."""
        cells = self.puzzle.geometry.cells
        return {cells[number]: chance for number, chance in self.by_cell.items()}

    def safest(self) -> list[Hashable]:
        """Return the covered cells with the least chance of a mine, in the order of the board."""
        least = min(self.by_cell.values(), default=None)
        return [cell for cell, chance in self.mine.items() if chance == least]

    def distinct(self) -> list[Fraction]:
        """Return the distinct chances, ascending."""
        return sorted({*self.by_cell.values()})

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``odds --json`` prints."""
        return {
            "schema": "satsweeper/odds/1",
            "rows": self.puzzle.rows,
            "columns": self.puzzle.columns,
            "mines": self.puzzle.mines,
            "rules": list(self.puzzle.rules),
            "geometry": self.puzzle.geometry.name,
            "exact": True,
            "density": None if self.density is None else str(self.density),
            "solutions": digits(self.solutions),
            "cells": [
                {"cell": list(cell) if isinstance(cell, tuple) else cell, **chance_json(chance)}
                for cell, chance in self.mine.items()
            ],
            "interior": {**chance_json(self.interior), "cells": self.interior_cells},
        }


def odds_of_puzzle(
    puzzle: Puzzle,
    *,
    flags: str = "trust",
    density: Fraction | None = None,
    timeout: float | None = None,
) -> PuzzleOdds:
    """Return the exact chance of a mine in every covered cell.

    With the total known, all layouts with that many mines are equally likely; with the total
    unknown, all layouts are. Layouts differ in the number of mines of a cell.

    Args:
        puzzle: the board, with its total if that is known.
        flags: "trust": flagged cells are mines; "ignore": they are covered.
        density: the chance with which each covered cell is a mine, independently of the others
            before any clue; None: all layouts are equally likely. ``solutions`` counts layouts in
            both cases.
        timeout: seconds, after which OddsLimitError is raised.

    Raises:
        NoLayoutError: the board contradicts itself.
        OddsLimitError: counting would take too long or too much memory, or the time is over.
        RuleError: the board lacks what a rule needs.
        ValueError: a density that is not between 0 and 1, or together with a known total, or with
            cells that can hold more than one mine.

    >>> puzzle = Puzzle.parse("rules: C\\nmines: 3\\n1 ? ?\\n? ? ?\\n? ? 1\\n")
    >>> found = odds_of_puzzle(puzzle)
    >>> found.solutions, found.mine[0, 1], found.mine[1, 1]
    (3, Fraction(1, 3), Fraction(1, 3))
    """
    weights = weights_of(puzzle.mines, density)
    if density is not None and any(most > 1 for most in puzzle.capacity.values()):
        raise ValueError("a density is for cells that can hold one mine at most")
    budget = CountingBudget(Deadline.after(timeout))
    board = puzzle.board
    parts = parts_of(puzzle, flags)
    counted = _counted(puzzle, parts, budget, thorough=False)
    if counted is None:
        # What is the same in all layouts is cheap to prove, and leaves far less to count.
        parts = _without_proved(puzzle, flags, parts, budget)
        counted = _counted(puzzle, parts, budget, thorough=True)
    assert counted is not None
    inside = parts.interior
    counts = [each.counts for each in counted]
    if weights is None:
        assert puzzle.mines is not None
        left = puzzle.mines - sum(parts.known.values())
        combined = combine(counts, left, len(inside), budget)
        if not combined.whole:
            raise NoLayoutError("the board has no layout with this total")
        solutions, whole, rests = combined.solutions, combined.whole, combined.rest
        interior = Fraction(combined.interior, whole * len(inside)) if inside else None
        chances = {
            variable: chance
            for each, rest in zip(counted, rests, strict=True)
            for variable, chance in _chances(each, rest, whole)
        }
    else:
        # Without a known total, components and interior cells are independent of one another.
        solutions = 1 << len(inside)
        interior = (Fraction(1, 2) if density is None else density) if inside else None
        chances = {}
        for each in counted:
            solutions *= sum(each.counts.layouts)
            factors = _factors(each.counts, weights, len(each.order))
            whole = sum([a * b for a, b in zip(each.counts.layouts, factors, strict=True)])
            chances |= dict(_chances(each, factors, whole))
    chances |= {variable: Fraction(value) for variable, value in parts.known.items()}
    if interior is not None:
        chances |= dict.fromkeys(inside, interior)
    by_cell = {cell: chances[board.mine(cell)] for cell in puzzle.hidden(flags)}
    return PuzzleOdds(puzzle, flags, density, solutions, interior, len(inside), by_cell)


def _counted(
    puzzle: Puzzle, parts: Parts, budget: CountingBudget, thorough: bool
) -> list[Counted] | None:
    """Return the counts of all components; None if a component needs more and not ``thorough``."""
    found = []
    for component in parts.components:
        name = puzzle.geometry.cells[_cell(puzzle, parts, component.variables[0])]
        about = budget.of(f"the region of {len(component.variables)} cells at {name}")
        about.check()
        counted = count_component(puzzle.board, component, parts, about, thorough)
        if counted is None:
            return None
        found.append(counted)
    return found


def _without_proved(puzzle: Puzzle, flags: str, parts: Parts, budget: CountingBudget) -> Parts:
    """Return the parts of a board without the cells that a solver proves to be certain.

    The interior stays as it is: a cell that only satisfied clauses name is a component of its own.
    Raises NoLayoutError for a board without a layout.
    """
    from satsweeper.puzzle.session import PuzzleSession

    left = budget.deadline.left()
    with PuzzleSession(puzzle, flags=flags) as session:
        found = session.classify(_PROVING if left is None else min(left, _PROVING))
    if found.conflict is not None:
        raise NoLayoutError("the board has no layout")
    interior = {*parts.interior}
    proved = {
        puzzle.board.mine(cell): verdict is Verdict.MINE
        for cell, verdict in found.by_cell.items()
        if verdict is not Verdict.UNKNOWN and puzzle.board.mine(cell) not in interior
    }
    new = parts_of(puzzle, flags, proved)
    alone = [Component((each,), ()) for each in new.interior if each not in interior]
    return Parts(new.known, [*new.components, *alone], parts.interior, new.further)


def _cell(puzzle: Puzzle, parts: Parts, variable: int) -> int:
    variable = parts.further.get(variable, variable)
    return next(cell for cell, held in enumerate(puzzle.board.variables) if variable in held)


def _factors(counts: LayoutCounts, weights: tuple[int, int], size: int) -> list[int]:
    """Return the weight of a layout by its number of mines above the least; ``size``: all cells."""
    mine, safe = weights
    return [
        mine**number * safe ** (size - number)
        for number in range(counts.least, counts.least + len(counts.layouts))
    ]


def _chances(counted: Counted, factors: Sequence[int], whole: int) -> list[tuple[int, Fraction]]:
    """Return the variables of a component with their chances.

    ``factors``: the weight of each number of mines above the least; ``whole``: the weight of all.
    """
    return [
        (variable, Fraction(sum([a * b for a, b in zip(mined, factors, strict=True)]), whole))
        for variable, mined in zip(counted.order, counted.counts.mined, strict=True)
    ]


@overload
def odds(
    board: Position,
    *,
    flags: Flags = "trust",
    density: Fraction | None = None,
    timeout: float | None = None,
    max_width: int = MAX_WIDTH,
) -> Odds: ...


@overload
def odds(
    board: Puzzle,
    *,
    flags: Flags = "trust",
    density: Fraction | None = None,
    timeout: float | None = None,
) -> PuzzleOdds: ...


def odds(
    board: Position | Puzzle,
    *,
    flags: Flags = "trust",
    density: Fraction | None = None,
    timeout: float | None = None,
    max_width: int = MAX_WIDTH,
) -> Odds | PuzzleOdds:
    """Return the exact chance of a mine in every covered cell of a position or a puzzle.

    Arguments and errors as of `satsweeper.count.odds.odds` and `odds_of_puzzle`; ``max_width`` is
    for positions alone.

    >>> from satsweeper import Position, odds
    >>> odds(Position.parse("1??\\n12?\\n01?")).solutions
    2
    """
    if isinstance(board, Position):
        return odds_of_position(
            board, flags=flags, density=density, timeout=timeout, max_width=max_width
        )
    return odds_of_puzzle(board, flags=flags, density=density, timeout=timeout)
