"""The linear relaxation of rows under a cost, by HiGHS: suggestions, and what they prove.

Doubles only suggest: every bound and every refutation is computed anew in integers from duals that
are rounded to fractions. Numpy's integers are used where no sum can exceed 62 bits, else Python's.
"""

from collections.abc import Mapping, Sequence
from math import log2
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbcnf.literals import Lit, Var
from satsweeper.linear.inequalities import AtLeastRow, Multipliers
from satsweeper.linear.relaxation import DENOMINATOR, available

if TYPE_CHECKING:
    from satsweeper.linear.highs import ProgramOutcome

_MOST_TERMS: Final = 5_000_000
"""The limit on terms of a program."""
_SAFE: Final = 1 << 62
_FINEST: Final = 20
"""The largest number of times that the denominator of fractions is doubled."""
_TINY: Final = 1e-9
_NOISE: Final = (0.0, 1e-9, 1e-6, 1e-4)
"""Entries of a ray below this share of the largest one are taken to be 0, in one try after the
other."""


class RelaxationProof(NamedTuple):
    """A sum of rows, and what it proves while some literals are fixed.

    ``factor`` times the cost is at least ``least``, or, with ``factor`` 0, there is no solution as
    ``least`` is above 0. Without some fixed literals less is proved: by ``worth`` of each of them.
    """

    multipliers: Multipliers
    factor: int
    least: int
    worth: Mapping[Lit, int]
    reduced: Any = ()
    """For each column, d c - y A, by which ``factor`` times the cost rises if the variable is 1; 0
    where it is fixed."""

    def reaches(self, cost: int | None) -> bool:
        """Whether no solution has a cost below ``cost``; None: whether there is no solution."""
        if not self.factor:
            return self.least > 0
        return cost is not None and self.least > self.factor * (cost - 1)

    def needed(self, cost: int | None) -> list[Lit]:
        """Return fixed literals that are enough for what `reaches` says of ``cost``."""
        spare = self.least - 1
        if self.factor:
            assert cost is not None
            spare -= self.factor * (cost - 1)
        kept = []
        for lit, worth in sorted(self.worth.items(), key=lambda each: each[1]):
            if worth <= spare:
                spare -= worth
            else:
                kept.append(lit)
        return kept

    def forced(self, cost: int) -> list[Lit]:
        """Return literals that every solution of a cost below ``cost`` has, with what is fixed."""
        spare = self.factor * (cost - 1) - self.least
        if not self.factor or spare < 0:
            return []
        return [
            *(-column - 1 for column in (self.reduced > spare).nonzero()[0].tolist()),
            *(column + 1 for column in (self.reduced < -spare).nonzero()[0].tolist()),
        ]


class RowRelaxation:
    """The relaxation of ``rows`` under a cost, whose variables may be fixed.

    Args:
        rows: the rows.
        cost: the cost of each variable, 0 if not named.
        variables: the number of variables that may be fixed; others, of slack, are columns as well.
    """

    def __init__(self, rows: Sequence[AtLeastRow], cost: Mapping[Var, int], variables: int) -> None:
        import numpy as np

        from satsweeper.linear.highs import RowProgram

        columns = max((max(row.terms, default=0) for row in rows), default=0)
        self.columns: Final = max(columns, variables, max(cost, default=0))
        """The number of columns; variable v is column v - 1."""
        starts, places, factors = [0], list[int](), list[int]()
        infinity = float("inf")
        bounds: tuple[list[float], list[float]] = ([], [])
        self._lower: list[int] = []
        """For each row of the program the index of its lower bound in ``rows``, or -1."""
        self._upper: list[int] = []
        least: list[int] = []
        most: list[int] = []
        for index, row in enumerate(rows):
            if row.paired:
                self._upper[-1] = index
                most[-1] = -row.least
                bounds[1][-1] = float(-row.least)
                continue
            places += row.terms
            factors += row.terms.values()
            starts.append(len(places))
            self._lower.append(index)
            self._upper.append(-1)
            least.append(row.least)
            most.append(0)
            bounds[0].append(float(row.least))
            bounds[1].append(infinity)
        costs = [0] * self.columns
        for var, each in cost.items():
            costs[var - 1] = each
        self.terms: Final = len(places)
        self._largest: Final = max(
            *(1, sum(map(abs, costs)), *map(abs, least), *map(abs, most)),
            *(sum(map(abs, row.terms.values())) for row in rows),
        )
        """No sum of rows exceeds this times the sum of their multipliers, in all its terms."""
        where = np.array(places, np.int64) - 1
        self.program: Final = RowProgram(costs, starts, where, factors, bounds)
        kind: Any = np.int64 if self._largest < 1 << 40 else object
        self._costs: Any = np.array(costs, kind)
        self._least: Any = np.array(least, kind)
        self._most: Any = np.array(most, kind)
        order = np.argsort(where, kind="stable")
        self._factors: Any = np.array(factors, kind)[order]
        self._row_of: Any = np.repeat(np.arange(len(least)), np.diff(starts))[order]
        named, self._first = np.unique(where[order], return_index=True)
        self._named: Any = named
        self._values: Any = np.full(self.columns, -1, np.int8)
        """For each column 1 or 0 where it is fixed, else -1."""

    def fix(self, lits: Sequence[Lit]) -> None:
        """Fix ``lits``, and set all other variables free."""
        import numpy as np

        values = np.full(self.columns, -1, np.int8)
        given = np.array([lit for lit in lits if abs(lit) <= self.columns], np.int64)
        values[np.abs(given) - 1] = given > 0
        changed = np.flatnonzero(values != self._values)
        self._values = values
        if len(changed):
            now = values[changed]
            self.program.fix(changed, np.maximum(now, 0), np.abs(now))

    def run(self, seconds: float | None) -> "ProgramOutcome":
        """Solve the relaxation as it is fixed, within ``seconds``."""
        return self.program.run(seconds)

    def proved(self, outcome: "ProgramOutcome") -> RelaxationProof | None:
        """Return the bound or refutation that duals or a ray prove; None without duals."""
        import numpy as np

        if outcome.status == "limit" or not len(outcome.duals):
            return None
        duals = np.array(outcome.duals, float)
        if not np.isfinite(duals).all():
            return None
        if outcome.status == "optimal":
            return self._proof(duals, True)
        # In a ray what ought to be 0 often is not, and would be multiplied by large factors.
        sizes = np.abs(duals)
        duals = duals / max(float(sizes.max()), _TINY)
        for least in _NOISE:
            proof = self._proof(np.where(sizes < least * sizes.max(), 0.0, duals), False)
            if proof.least > 0:
                break
        return proof

    def _proof(self, duals: Any, bounds: bool) -> RelaxationProof:
        """Return the inequality that ``duals`` prove on the cost, or the contradiction."""
        import numpy as np

        # The finest fractions with which no sum can exceed the range of numpy's integers.
        total = (float(np.abs(duals).sum()) + 1) * DENOMINATOR * self._largest
        shift = min(max(int(log2(_SAFE / total)) - 1, 0), _FINEST)
        safe = self._costs.dtype != object and total * 2.0**shift < _SAFE / 2
        scale = DENOMINATOR << (shift if safe else _FINEST)
        factor = scale if bounds else 0
        numerators = np.rint(duals * scale)
        y: Any
        if safe:
            y = numerators.astype(np.int64)
        else:
            y = np.array([int(each) for each in numerators.tolist()], object)
        # A row without the bound that its dual would need is left out.
        upper = np.array(self._upper)
        y[(y < 0) & (upper < 0)] = 0
        # The entries of d c - y A by column, and y b.
        left = factor * (self._costs if safe else self._costs.astype(object))
        if len(self._factors):
            parts = self._factors * y[self._row_of]
            left[self._named] -= np.add.reduceat(parts, self._first)
        found = int((y[y > 0] * self._least[y > 0]).sum()) + int(
            (y[y < 0] * self._most[y < 0]).sum()
        )
        # A free column gives its negative entry, a fixed one its entry times its value.
        free = np.minimum(left, 0)
        given = np.where(self._values < 0, free, left * np.maximum(self._values, 0))
        found += int(given.sum())
        worth = given - free
        lits: dict[Lit, int] = {}
        for column in np.flatnonzero(worth > 0).tolist():
            lits[column + 1 if self._values[column] else -column - 1] = int(worth[column])
        multipliers = {
            (self._lower if y[row] > 0 else self._upper)[row]: abs(int(y[row]))
            for row in np.flatnonzero(y != 0).tolist()
        }
        # A fixed column has no choice left, whatever the cost of the other value.
        reduced = np.where(self._values < 0, left, 0)
        return RelaxationProof(multipliers, factor, found, lits, reduced)


def relaxed(
    rows: Sequence[AtLeastRow], cost: Mapping[Var, int], variables: int
) -> RowRelaxation | None:
    """Return the relaxation of ``rows``; None without HiGHS 1.10, or if terms are too many."""
    terms = sum(len(row.terms) for row in rows)
    if not available() or not 0 < terms <= _MOST_TERMS:
        return None
    from satsweeper.linear.highs import returns_rays

    return RowRelaxation(rows, cost, variables) if returns_rays() else None
