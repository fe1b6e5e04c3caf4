"""Conflicts found by the linear relaxation of a position, every step proved exactly.

Searches by resolution fail on boards made to be hard for them, such as mutilated chessboards. Here
every clue, every flag and the total is an equation; HiGHS minimises what they miss by, and its
rounded duals name equations that no values from 0 to 1 meet, which is checked in integers
(`satsweeper.linear.relaxation`). Then each equation is left out in turn: it
is not needed if the others still clash, and needed if HiGHS finds mines that meet them, which is
checked as well.
"""

from collections.abc import Sequence
from typing import Final

from satsweeper.answers.classification import Conflict
from satsweeper.answers.options import Options
from satsweeper.board.planes import indices
from satsweeper.engines.parts.import_conflicts import run_apart
from satsweeper.linear.equations import Equation, meets
from satsweeper.linear.highs import LinearProgram, ProgramOutcome, mines_of
from satsweeper.linear.relaxation import bound, rounded
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.parts import conflict_of, parts_of

_MOST_WORK: Final = 500_000
"""Runs times variables and equations that making a conflict irreducible may take: some seconds."""


def find_lp_conflict(position: Position, options: Options) -> Conflict | None:
    """Return clues, flags and perhaps the total that clash, irreducible as far as time allows.

    None: that the position has no layout is beyond the relaxation, or it has one. highspy must be
    installed.
    """
    return run_apart("ortools", _conflict, position, options)


def _conflict(position: Position, options: Options) -> Conflict | None:
    deadline = Deadline.after(options.timeout)
    view = position.view(options.flags)
    # The total goes first and flags go last, so that what is left is near and plain.
    parts = parts_of(view)
    hidden = indices(view.covered | view.trusted, view.geometry.size)
    column = {cell: number for number, cell in enumerate(hidden)}
    rows = [([column[cell] for cell in cells], number) for _, _, (cells, number) in parts]
    kept: set[int] | None = None
    if parts:
        search = _ClashSearch(rows, len(hidden))
        kept = search.clash(set(range(len(parts))), deadline.left())
    if kept is None:
        return None
    irreducible = True
    runs = _MOST_WORK // (len(hidden) + len(parts) + 1)
    for k in range(len(parts)):
        if k not in kept:
            continue
        runs -= 1
        if runs < 0 or deadline.passed():
            irreducible = False
            break
        fewer = search.clash(kept - {k}, deadline.left())
        if fewer is not None:
            kept = fewer
        elif not search.met(kept - {k}):
            irreducible = False
    return conflict_of(view, [parts[k] for k in kept], irreducible)


class _ClashSearch:
    """The equations as a linear program in which any may be left out, by missing it at no cost."""

    def __init__(self, rows: Sequence[Equation], variables: int) -> None:
        self._variables = variables
        self._rows = rows
        self._program = LinearProgram(variables, rows, slack=True)
        self._in = set(range(len(rows)))
        self._last = ProgramOutcome("limit")

    def clash(self, chosen: set[int], seconds: float | None) -> set[int] | None:
        """Return some of the equations ``chosen`` that no values from 0 to 1 meet, or None."""
        for k in self._in ^ chosen:
            cost = 1.0 if k in chosen else 0.0
            self._program.cost(self._variables + 2 * k, cost)
            self._program.cost(self._variables + 2 * k + 1, cost)
        self._in = set(chosen)
        self._last = self._program.run(seconds)
        if self._last.status != "optimal":
            return None
        weights = {k: w for k, w in rounded(self._last.duals).items() if k in chosen}
        return set(weights) if bound(self._rows, {}, weights) > 0 else None

    def met(self, chosen: set[int]) -> bool:
        """Whether the last run found mines that meet these equations, exactly."""
        mines = {v - 1 for v in mines_of(self._last.values, self._variables)}
        return meets([self._rows[k] for k in chosen], mines)
