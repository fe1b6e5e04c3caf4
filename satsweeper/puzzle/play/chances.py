"""The chance of a mine in each covered cell, by an enumeration of all layouts up to a limit."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Final, NamedTuple

from satsweeper.board.errors import LimitError
from satsweeper.puzzle.board_constraints import TOTAL, board_constraints
from satsweeper.puzzle.constraints.sums import Sum
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.play.live import LiveBoard
from satsweeper.puzzle.puzzle import Puzzle

LIMIT: Final = 20_000
"""The most layouts of the cells that rules and clues count."""


class MineChances(NamedTuple):
    """The number of layouts, and for each covered cell, by number, the share with a mine there."""

    layouts: int
    mine: dict[int, Fraction]


def chances(puzzle: Puzzle, flags: str = "trust", limit: int = LIMIT) -> MineChances:
    """Return the exact chances of a board with a total, all its layouts equally likely.

    Cells that only the total counts are not enumerated: with k of them and m mines left for them,
    comb(k, m) layouts go on from each layout of the other cells.

    Args:
        puzzle: the board.
        flags: whether flags are trusted to be mines, or ignored.
        limit: the most layouts of the other cells.

    Raises:
        LimitError: there are more layouts.
        RuleError: the board has no total, or no layout.
    """
    if puzzle.mines is None:
        raise RuleError("the chances of a mine need the total")
    constraints = [each for each in board_constraints(puzzle, flags) if each.parts != (TOTAL,)]
    counted = {variable for each in constraints for variable in each.scope}
    every = [v for cell in puzzle.board.variables for v in cell]
    rest = [v for v in every if v not in counted and v not in puzzle.known]
    others = [v for v in every if v not in {*rest}]
    open_variables = [v for v in others if v not in puzzle.known]
    reach = range(puzzle.mines - len(rest), puzzle.mines + 1)
    layouts = found = in_rest = 0
    held = dict.fromkeys(open_variables, 0)
    with LiveBoard(puzzle, [*constraints, Sum.of(TOTAL, others, reach)]) as live:
        while (layout := live.layout()) is not None:
            found += 1
            if found > limit:
                what = "layouts of the cells that rules and clues count"
                raise LimitError(f"odds: more than {limit} {what}")
            inside = [v for v in open_variables if v in layout]
            left = puzzle.mines - len(layout.difference(rest))
            ways = comb(len(rest), left)
            layouts += ways
            for variable in inside:
                held[variable] += ways
            # Of k cells with m mines each has one in a share of m / k.
            in_rest += ways * left
            live.add_clause([-v if v in layout else v for v in open_variables])
    if not layouts:
        raise RuleError("the board has no layout")
    interior = Fraction(in_rest, layouts * len(rest)) if rest else Fraction(0)
    shares = {v: Fraction(count, layouts) for v, count in held.items()}
    return MineChances(
        layouts,
        {cell: shares.get(cell + 1, interior) for cell in puzzle.hidden(flags)},
    )
