"""Bounds on cells, and clashes, that the linear relaxation of a position proves exactly."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification, Conflict, Status
from satsweeper.answers.options import Options
from satsweeper.board.planes import indices
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import run_apart
from satsweeper.linear.equations import Equation, meets
from satsweeper.linear.highs import LinearProgram, ProgramOutcome, mines_of
from satsweeper.linear.relaxation import bound, rounded
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.parts import conflict_of, parts_of


def proved_bound(sums: PositionSums, column: int, cost: int, outcome: ProgramOutcome) -> Fraction:
    """Return a lower bound of ``cost`` times a column that the duals of a run prove exactly.

    With cost 0, a bound above 0 proves that there is no layout.
    """
    return bound(sums.columns, {column: cost} if cost else {}, rounded(outcome.duals))


class ProvingRelaxation:
    """The linear relaxation of a position, kept between queries, with exactly checked bounds."""

    def __init__(self, sums: PositionSums) -> None:
        self._sums = sums
        self._program = LinearProgram(len(sums.cells), sums.columns)

    def extreme(self, column: int, sign: int, seconds: float | None) -> tuple[ProgramOutcome, bool]:
        """Minimise ``sign`` times a column: the outcome, and whether a verdict is proved.

        With sign 1 the verdict is a mine: the column's lowest value is above 0. With sign -1 it is
        safe: the highest value is below 1.
        """
        self._program.cost(column, float(sign))
        outcome = self._program.run(seconds)
        self._program.cost(column, 0.0)
        if outcome.status != "optimal":
            return outcome, False
        return outcome, proved_bound(self._sums, column, sign, outcome) > min(sign, 0)

    def no_layout(self, seconds: float | None) -> tuple[ProgramOutcome, bool]:
        """Minimise the violation of the equations; return the outcome, and whether it is positive.

        True if the duals prove a positive lower bound of the violation exactly: no layout exists.
        """
        sums = self._sums
        outcome = LinearProgram(len(sums.cells), sums.columns, slack=True).run(seconds)
        proved = outcome.status == "optimal" and proved_bound(sums, 0, 0, outcome) > 0
        return outcome, proved


def with_proofs(answer: Classification, sums: PositionSums, deadline: Deadline) -> Classification:
    """Return a 0/1 program's answer, with a note on verdicts that have no exact proof."""
    relaxation = ProvingRelaxation(sums)
    if answer.status is Status.INCONSISTENT:
        return with_note(answer, "HiGHS", 0 if relaxation.no_layout(deadline.left())[1] else 1)
    verdict = answer.verdict
    doubtful = 0
    for mine in (True, False):
        for group in sums.interchangeable:
            if verdict[sums.cells[group[0] - 1]] != ("mine" if mine else "safe"):
                continue
            # Cells under the same clues have the same bounds, so one proof serves the whole group.
            if not relaxation.extreme(group[0] - 1, 1 if mine else -1, deadline.left())[1]:
                doubtful += len(group)
    return with_note(answer, "HiGHS", doubtful)


def with_note(answer: Classification, solver: str, doubtful: int) -> Classification:
    """Return ``answer`` with a note on the verdicts that depend on the doubles of ``solver``.

    Args:
        answer: the answer of a solver that computes in doubles.
        solver: the name of the solver.
        doubtful: the number of certain cells without an exact proof; for an inconsistent board, 0
            if it is proved exactly that no layout exists.
    """
    if not doubtful:
        return answer
    if answer.status is Status.INCONSISTENT:
        note = f"that no layout exists is {solver}'s word, which computes in doubles"
    else:
        certain = counted((answer.safe_board | answer.mine_board).bit_count(), "certain cell")
        note = (
            f"{doubtful} of {certain} rest on {solver}'s word, which computes in doubles; the"
            " others are proved exactly"
        )
    return answer.replaced(notes=(*answer.notes, note))


# Conflicts found by the linear relaxation of a position, every step proved exactly.
#
# Searches by resolution fail on boards made to be hard for resolution, such as mutilated
# chessboards. Here every clue, every flag and the total is an equation. HiGHS minimises the
# violation of the equations, and its rounded duals name equations that no values from 0 to 1
# satisfy, which is checked in integers (`satsweeper.linear.relaxation`). Then each equation is left
# out in turn: it is not needed if the others are still refuted, and needed if HiGHS finds mines
# that satisfy the others, which is checked as well.

_MOST_WORK: Final = 500_000
"""The limit on runs times variables and equations when a conflict is made irreducible: seconds."""


def find_lp_conflict(position: Position, options: Options) -> Conflict | None:
    """Return clues, flags and perhaps the total that clash, irreducible as far as time allows.

    None if the relaxation does not refute the position, which may then have a layout or not.
    highspy must be installed.
    """
    found: Conflict | None = run_apart("ortools", _conflict, position, options)
    return found


def _conflict(position: Position, options: Options) -> Conflict | None:
    deadline = Deadline.after(options.timeout)
    view = position.view(options.flags)
    # The total is left out first and flags last, so that a conflict without the total is preferred.
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
    """The equations as a linear program; an equation is left out by slack columns of cost 0."""

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
        """Whether the last run found mines that satisfy the equations ``chosen`` exactly."""
        mines = {v - 1 for v in mines_of(self._last.values, self._variables)}
        return meets([self._rows[k] for k in chosen], mines)
