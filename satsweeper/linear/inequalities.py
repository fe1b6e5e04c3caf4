"""Sums with lower bounds, and bounds on the cost of solutions by sums of rows, in integers.

For *any* multipliers y >= 0 of rows A x >= b, any cost c and any factor d >= 0,

    d c x  >=  y b + (d c - y A) x  >=  y b + the sum of the negative entries of d c - y A,

as 0 <= x <= 1. So multipliers may come from the doubles of a linear program, from a guess or from a
stranger: what is computed here is a bound in any case. With c = 0, a bound above 0 is a refutation.
In a pseudo-Boolean proof it is one step: the sum of the rows times their multipliers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pbcnf.constraints.normal_form import linear_form
from pbcnf.constraints.problem import Problem
from pbcnf.formats.rows import rows
from pbcnf.literals import Var


class AtLeastRow(NamedTuple):
    """``sum of factor * variable >= least`` over variables that are 0 or 1."""

    terms: Mapping[Var, int]
    least: int
    paired: bool = False
    """Whether the row before is the lower bound of the sum that this row bounds from above."""

    @property
    def clausal(self) -> bool:
        """Whether the row is a clause, in which one true literal is enough, or always holds."""
        degree = self.least - sum(factor for factor in self.terms.values() if factor < 0)
        return all(abs(factor) >= degree for factor in self.terms.values()) and bool(self.terms)


Multipliers = Mapping[int, int]
"""Index of a row, from 0, -> its factor in a sum of rows, above 0."""


def inequalities(problem: Problem) -> list[AtLeastRow]:
    """Return a row for each bound of each constraint of ``problem``, the lower bound first.

    The row of index i is constraint i + 1 as proof checkers count the OPB that is written of the
    problem. Slack variables of parities follow the variables of the problem.
    """
    return list(_rows(problem))


def _rows(problem: Problem) -> Iterator[AtLeastRow]:
    for row in rows(linear_form(problem)):
        if row.lower is not None:
            yield AtLeastRow(row.terms, row.lower)
        if row.upper is not None:
            negated = {var: -factor for var, factor in row.terms.items()}
            yield AtLeastRow(negated, -row.upper, row.lower is not None)


def proved_least(
    rows: Sequence[AtLeastRow],
    multipliers: Multipliers,
    cost: Mapping[Var, int] | None = None,
    factor: int = 1,
) -> int:
    """Return a number that ``factor`` times the cost of every solution reaches.

    Args:
        rows: the rows, which every solution meets.
        multipliers: of rows; any are valid.
        cost: the cost of each variable, 0 if not named; None: no cost, so that a result above 0
            proves that there is no solution.
        factor: 0 or more.

    Raises ValueError for a multiplier below 0 or of no row.

    >>> rows = [AtLeastRow({1: 1, 2: 1}, 1), AtLeastRow({2: 1, 3: 1}, 1)]
    >>> proved_least(rows, {0: 1}, {1: 1, 2: 2})
    1
    """
    left = {} if cost is None else {var: factor * each for var, each in cost.items()}
    total = 0
    for index, multiplier in multipliers.items():
        if multiplier < 0 or not 0 <= index < len(rows):
            raise ValueError(f"row {index} times {multiplier} is no part of a sum of rows")
        terms, least, _ = rows[index]
        total += multiplier * least
        for var, each in terms.items():
            left[var] = left.get(var, 0) - multiplier * each
    return total + sum(each for each in left.values() if each < 0)


def refutes(rows: Sequence[AtLeastRow], multipliers: Multipliers) -> bool:
    """Whether the sum of ``rows`` times ``multipliers`` has no solution in zeros and ones."""
    return proved_least(rows, multipliers) > 0


_EFFORT: Final = 2_000_000
"""The limit on terms looked at by `summed_refutation`: below a second."""


def summed_refutation(rows: Sequence[AtLeastRow], effort: int = _EFFORT) -> dict[int, int] | None:
    """Return multipliers that refute the rows of a connected part, without a linear program.

    The sum of all rows of a part is tried first, which shows that pigeons need as many holes as
    there are. Then rows are left out of the sum or added once more, if that raises what
    the sum proves. None: nothing was found within ``effort``, a number of terms.
    """
    for part in _parts(rows):
        left = effort
        sum_ = _Sum(rows, part)
        while not sum_.refutes and left > 0:
            raised = False
            for index in part:
                left -= len(rows[index].terms)
                raised |= sum_.improve(index)
            if not raised:
                break
        if sum_.refutes:
            return {index: factor for index, factor in sum_.multipliers.items() if factor}
        effort = left
        if effort <= 0:
            break
    return None


class _Sum:
    """A sum of rows, whose multipliers are changed by 1."""

    def __init__(self, rows: Sequence[AtLeastRow], part: Iterable[int]) -> None:
        self._rows = rows
        self.multipliers = dict.fromkeys(part, 1)
        self._total: dict[Var, int] = {}
        """The factor of each variable in the sum."""
        least = 0
        for index in self.multipliers:
            least += rows[index].least
            for var, factor in rows[index].terms.items():
                self._total[var] = self._total.get(var, 0) + factor
        self._surplus = least - sum(factor for factor in self._total.values() if factor > 0)
        """The lower bound of the sum less the largest value of its terms."""

    @property
    def refutes(self) -> bool:
        """Whether the variables cannot give what the sum demands."""
        return self._surplus > 0

    def improve(self, index: int) -> bool:
        """Add row ``index`` once more if that raises the surplus, once less if it does not fall.

        So rows that nothing depends on leave, and the search ends: it makes no step twice.
        """
        terms, least, _ = self._rows[index]
        total = self._total
        for step in (-1, 1):
            if step < 0 and not self.multipliers[index]:
                continue
            more = step * least
            for var, factor in terms.items():
                before = total[var]
                after = before + step * factor
                more -= (after if after > 0 else 0) - (before if before > 0 else 0)
            if more > 0 or (more == 0 and step < 0):
                self.multipliers[index] += step
                self._surplus += more
                for var, factor in terms.items():
                    total[var] += step * factor
                return True
        return False


def _parts(rows: Sequence[AtLeastRow]) -> list[list[int]]:
    """Return the indices of the rows of each part that shares no variable with another part."""
    above: dict[Var, Var] = {}

    def root(var: Var) -> Var:
        while (up := above.setdefault(var, var)) != var:
            above[var] = var = above[up]
        return var

    for terms, *_ in rows:
        first = None
        for var in terms:
            first = root(var) if first is None else first
            above[root(var)] = first
    parts: dict[Var, list[int]] = {}
    for index, (terms, *_) in enumerate(rows):
        # A row without variables is a part of its own, number 0.
        parts.setdefault(root(next(iter(terms))) if terms else 0, []).append(index)
    return list(parts.values())
