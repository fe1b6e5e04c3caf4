"""HiGHS: linear and 0/1 programs whose variables are 0 to 1 and whose rows are equations.

This is the only importer of highspy, which is an extra.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from satsweeper.solvers.protocol import SolverFailedError

_HALF: Final = 0.5


class ProgramOutcome(NamedTuple):
    """The result of a run; its numbers mean something only with status ``optimal``.

    ``duals`` are of the rows, for minimisation. 0/1 programs have none.
    """

    status: Literal["optimal", "infeasible", "limit"]
    values: Sequence[float] = ()
    duals: Sequence[float] = ()


class LinearProgram:
    """Minimise a cost over 0 <= x <= 1 under equations of sums; changed and run again at will.

    Args:
        columns: how many variables, numbered from 0.
        rows: equations: these columns add up to this number.
        integer: whether every variable is 0 or 1.
        slack: give each equation two more columns, which make up what is missing and take away
            what is too much, each at cost 1: column ``columns + 2 * row`` and the next.

    Raises:
        ImportError: highspy is not installed, or OR-Tools is loaded in this process.
    """

    def __init__(
        self,
        columns: int,
        rows: Iterable[tuple[Sequence[int], int]],
        *,
        integer: bool = False,
        slack: bool = False,
    ) -> None:
        import highspy

        api: Any = highspy
        self._highs = _silent_highs()()
        self._status = api.HighsModelStatus
        for option, value in [("output_flag", False), ("threads", 1), ("parallel", "off")]:
            self._highs.setOptionValue(option, value)
        for _ in range(columns):
            self._highs.addVar(0.0, 1.0)
        self._integer = integer
        if integer:
            for column in range(columns):
                self._highs.changeColIntegrality(column, api.HighsVarType.kInteger)
        for places, number in rows:
            where, weights = [*places], [1.0] * len(places)
            if slack:
                for weight in (1.0, -1.0):
                    where.append(self._highs.getNumCol())
                    weights.append(weight)
                    self._highs.addVar(0.0, api.kHighsInf)
                    self._highs.changeColCost(where[-1], 1.0)
            self._highs.addRow(float(number), float(number), len(where), where, weights)

    def cost(self, column: int, cost: float) -> None:
        """Set the cost of a column; at first all are 0."""
        self._highs.changeColCost(column, cost)

    def bounds(self, column: int, lower: float, upper: float) -> None:
        """Set the bounds of a column."""
        self._highs.changeColBounds(column, lower, upper)

    def run(self, seconds: float | None = None) -> ProgramOutcome:
        """Solve the program as it stands, within ``seconds``.

        Raises:
            SolverFailedError: HiGHS says neither that it is solved, nor infeasible, nor the limit.
        """
        highs = self._highs
        limit = float("inf") if seconds is None else seconds
        # The clock of an instance runs on from one linear program to the next, and counts; a 0/1
        # program has a clock of its own.
        highs.setOptionValue("time_limit", limit if self._integer else limit + highs.getRunTime())
        highs.run()
        status = highs.getModelStatus()
        if status in (self._status.kInfeasible, self._status.kUnboundedOrInfeasible):
            # Nothing here is unbounded: every cost is of a variable with bounds.
            return ProgramOutcome("infeasible")
        if status in (self._status.kTimeLimit, self._status.kInterrupt):
            return ProgramOutcome("limit")
        if status != self._status.kOptimal:
            raise SolverFailedError(f"HiGHS: {highs.modelStatusToString(status)}")
        found = highs.getSolution()
        return ProgramOutcome("optimal", list(found.col_value), list(found.row_dual))


@cache
def _silent_highs() -> Any:
    """``highspy.Highs`` without callbacks, which nothing here uses.

    highspy 1.16 prints two lines on descriptor 1 when it enables them: in the constructor, before
    any option can forbid it.
    """
    from highspy import Highs

    class SilentHighs(Highs):
        def enableCallbacks(self) -> None:  # noqa: N802
            pass

    return SilentHighs


def mines_of(values: Sequence[float], columns: int) -> frozenset[int]:
    """Return the variables, from 1, of the first columns that are 1 when rounded; to be checked."""
    return frozenset(v for v, value in enumerate(values[:columns], 1) if value > _HALF)
