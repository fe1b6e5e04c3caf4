"""HiGHS: linear and 0/1 programs with variables from 0 to 1, and sums with bounds as rows.

This is the only importer of highspy, which is installed by an extra.
"""

from collections.abc import Container, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from satsweeper.solvers.protocol import SolverFailedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HALF: Final = 0.5
_FEASIBLE: Final = 2
"""The code of HiGHS for a solution that meets all rows."""


class ProgramOutcome(NamedTuple):
    """The result of a run; ``values`` and ``duals`` are valid only with status ``optimal``.

    ``values``: a value for each column. ``duals``: a dual for each row, for minimisation; a 0/1
    program has no duals.
    """

    status: Literal["optimal", "infeasible", "limit"]
    values: Sequence[float] = ()
    duals: Sequence[float] = ()


class LinearProgram:
    """Minimise a cost over 0 <= x <= 1 under equations of sums; it may be changed and run again.

    Args:
        columns: the number of variables, which are numbered from 0.
        rows: for each equation its columns, and the number to which they add up.
        integer: whether every variable is 0 or 1.
        slack: whether each equation gets two more columns of cost 1, of which the first is added to
            the sum and the second subtracted: ``columns + 2 * row`` and the next column.

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
        """Set the cost of ``column``; all costs are 0 at first, but for slack columns."""
        self._highs.changeColCost(column, cost)

    def bounds(self, column: int, lower: float, upper: float) -> None:
        """Set the bounds of a column."""
        self._highs.changeColBounds(column, lower, upper)

    def run(self, seconds: float | None = None) -> ProgramOutcome:
        """Solve the program as it stands, within ``seconds``.

        Raises:
            SolverFailedError: the status of HiGHS is neither optimal, infeasible nor a limit.
        """
        highs = self._highs
        limit = float("inf") if seconds is None else seconds
        # HiGHS compares the limit with the run time of the instance, which accumulates over linear
        # programs; for a 0/1 program it compares the limit with the time of this run.
        highs.setOptionValue("time_limit", limit if self._integer else limit + highs.getRunTime())
        highs.run()
        status = highs.getModelStatus()
        if status in (self._status.kInfeasible, self._status.kUnboundedOrInfeasible):
            # No program here is unbounded: columns with a cost are bounded or have a positive cost.
            return ProgramOutcome("infeasible")
        if status in (self._status.kTimeLimit, self._status.kInterrupt):
            return ProgramOutcome("limit")
        if status != self._status.kOptimal:
            raise SolverFailedError(f"HiGHS: {highs.modelStatusToString(status)}")
        found = highs.getSolution()
        return ProgramOutcome("optimal", list(found.col_value), list(found.row_dual))


def returns_rays() -> bool:
    """Whether HiGHS is as new as the extra asks for: older ones return no rays and no bases.

    Raises ImportError as `RowProgram` does.
    """
    import highspy

    return hasattr(highspy.Highs, "getDualRay")


class RowProgram:
    """Minimise a cost over 0 <= x <= 1 under sums with bounds; columns may be fixed and set free.

    Args:
        costs: of each column, numbered from 0.
        starts: where the terms of each row start, and one more: where those of the last row end.
        places: the column of each term.
        factors: the factor of each term.
        bounds: the lower and the upper bound of each row, or infinity.
        seed: of the random numbers of HiGHS.

    Raises:
        ImportError: highspy is not installed, or OR-Tools is loaded in this process.
    """

    def __init__(
        self,
        costs: Sequence[float],
        starts: "Sequence[int] | NDArray[Any]",
        places: "Sequence[int] | NDArray[Any]",
        factors: Sequence[float],
        bounds: tuple[Sequence[float], Sequence[float]],
        seed: int = 0,
    ) -> None:
        import highspy
        import numpy as np

        api: Any = highspy
        self._highs = _silent_highs()()
        self._status = api.HighsModelStatus
        options = {"output_flag": False, "threads": 1, "parallel": "off", "random_seed": seed}
        for option, value in options.items():
            self._highs.setOptionValue(option, value)
        program = api.HighsLp()
        columns, program.num_row_ = len(costs), len(bounds[0])
        program.num_col_ = columns
        program.col_cost_ = np.array(costs, float)
        program.col_lower_, program.col_upper_ = np.zeros(columns), np.ones(columns)
        program.row_lower_, program.row_upper_ = (np.array(each, float) for each in bounds)
        program.a_matrix_.format_ = api.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.array(starts, np.int32)
        program.a_matrix_.index_ = np.array(places, np.int32)
        program.a_matrix_.value_ = np.array(factors, float)
        self._highs.passModel(program)

    def fix(self, columns: "NDArray[Any]", lower: "NDArray[Any]", upper: "NDArray[Any]") -> None:
        """Set the bounds of ``columns``."""
        where = columns.astype("int32")
        self._highs.changeColsBounds(len(where), where, lower.astype(float), upper.astype(float))

    def run(self, seconds: float | None = None) -> ProgramOutcome:
        """Solve the program as it stands, within ``seconds``.

        If it is infeasible, ``duals`` are a ray that proves it, or empty. Any other end than an
        optimum or infeasibility is a limit.
        """
        highs = self._highs
        limit = float("inf") if seconds is None else seconds + highs.getRunTime()
        highs.setOptionValue("time_limit", limit)
        highs.run()
        status = highs.getModelStatus()
        if status == self._status.kOptimal:
            found = highs.getSolution()
            return ProgramOutcome("optimal", found.col_value, found.row_dual)
        if status in (self._status.kInfeasible, self._status.kUnboundedOrInfeasible):
            _, known, ray = highs.getDualRay()
            return ProgramOutcome("infeasible", (), ray if known else ())
        return ProgramOutcome("limit")

    def whole(self, columns: int, seconds: float | None, thorough: bool) -> "Sequence[float]":
        """Search for good values of the program in zeros and ones; empty if none are found.

        The search ends at the root of a tree. The program itself stays as it is.

        Args:
            columns: the first so many columns are to be whole.
            seconds: the limit.
            thorough: whether the root is tried again once some columns are fixed there, which takes
                several times as long and seldom finds more.
        """
        import numpy as np

        highs, places = self._highs, np.arange(columns, dtype=np.int32)
        highs.changeColsIntegrality(columns, places, np.ones(columns, np.uint8))
        highs.setOptionValue("mip_max_nodes", 1)
        highs.setOptionValue("mip_allow_restart", thorough)
        highs.setOptionValue("mip_heuristic_run_root_reduced_cost", thorough)
        highs.setOptionValue("time_limit", float("inf") if seconds is None else seconds)
        highs.run()
        found = highs.getInfo().primal_solution_status == _FEASIBLE
        values: Sequence[float] = [*highs.getSolution().col_value] if found else ()
        highs.changeColsIntegrality(columns, places, np.zeros(columns, np.uint8))
        return values

    def tableau(self, columns: Container[int]) -> "list[NDArray[Any]]":
        """Return for each of ``columns`` that is basic the multipliers of the rows that give it."""
        _, basic = self._highs.getBasicVariables()
        places = [place for place, column in enumerate(basic) if column in columns]
        return [self._highs.getBasisInverseRow(place)[1] for place in places]

    @property
    def iterations(self) -> int:
        """The iterations of the last run, of the simplex method."""
        return max(int(self._highs.getInfo().simplex_iteration_count), 0)


@cache
def _silent_highs() -> Any:
    """Return a subclass of ``highspy.Highs`` that does not enable callbacks.

    The constructor of highspy 1.16 prints two lines on descriptor 1 when it enables callbacks,
    before any option can turn output off.
    """
    from highspy import Highs

    class SilentHighs(Highs):
        def enableCallbacks(self) -> None:  # noqa: N802
            pass

    return SilentHighs


def mines_of(values: Sequence[float], columns: int) -> frozenset[int]:
    """Return the variables, from 1, whose column is 1 when rounded; the caller has to check them.

    ``columns``: the number of columns that are variables; later columns are slack.
    """
    return frozenset(v for v, value in enumerate(values[:columns], 1) if value > _HALF)
