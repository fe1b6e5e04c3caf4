"""Cutting planes: rows that solutions in zeros and ones meet, and an optimum of doubles does not.

For integer multipliers u of rows and any D > 0, the sum of u (A x - s) = u b over slack s = A x - b
is an equation of integers at least 0, once each variable near 1 is replaced by 1 minus it. With
r = (u b) mod D, dividing it by D and rounding gives (mixed-integer rounding, here of integers)

    the sum of G(a) x  <=  (D - r) floor(u b / D),
    G(a) = (D - r) floor(a / D) + max(0, a mod D - r), which is superadditive.

Any u and D are valid, so they may come from doubles: all that follows is computed in integers.
Tableau rows of the optimum give Gomory's cuts, single rows divided by their own factors lifted
covers among others. Slack is replaced again, by A x - b.

References: Gomory, Outline of an algorithm for integer solutions to linear programs, Bulletin of
the AMS 64 (1958); Marchand, Wolsey, Aggregation and mixed integer rounding to solve MIPs,
Operations Research 49 (2001).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from pbcnf.literals import Var
from satsweeper.linear.inequalities import AtLeastRow
from satsweeper.linear.row_relaxation import RowRelaxation, relaxed

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TOLERANCE: Final = 1e-6
_DENOMINATORS: Final = 1000
"""The largest denominator of multipliers that come from doubles."""
_NEAR: Final = 1e-5
"""The distance from integers at which doubles times a denominator count as integers."""
_ZERO: Final = 1e-9
_FINE: Final = 1 << 24
"""The denominator of multipliers that have no smaller one."""
_FACTORS: Final = 6
"""The number of factors by which a single row is divided."""
_LARGEST: Final = 10_000
"""The largest factor of a cut; a cut with larger ones is scaled down, and its factors rounded."""
_SAFE: Final = 1 << 61
_LEAST: Final = 0.01
"""The least distance of a cut from the optimum that it cuts off."""
_ENTRIES: Final = 400_000
"""The limit on rows times columns, beyond which there are no cuts."""
_ROUNDS: Final = 20
_AT_ONCE: Final = 20
"""The largest number of cuts of a round."""
_TABLEAU: Final = 40
"""The largest number of fractional variables of which cuts are made in a round."""
_STALE: Final = 3
"""Rounds in which the bound must rise by ``_RISE`` of what all rounds have gained."""
_RISE: Final = 0.02
_PARALLEL: Final = 0.95
"""The largest cosine of the angle between two cuts of a round."""


def tightened(
    relaxation: RowRelaxation,
    rows: Sequence[AtLeastRow],
    cost: Mapping[Var, int],
    variables: int,
    seconds: float | None,
) -> Iterator[RowRelaxation]:
    """Yield relaxations with more and more cuts, as long as their optimum rises.

    Args:
        relaxation: that of ``rows``, with no variable fixed.
        rows: the rows of the problem.
        cost: the cost of each variable, 0 if not named.
        variables: the number of variables that may be fixed.
        seconds: the limit of each run, None for none.
    """
    import numpy as np

    kept = [*rows]
    bounds: list[float] = []
    costs = np.zeros(relaxation.columns)
    for var, each in cost.items():
        costs[var - 1] = each
    for _ in range(_ROUNDS):
        if len(kept) * relaxation.columns > _ENTRIES:
            return
        outcome = relaxation.run(seconds)
        if outcome.status != "optimal":
            return
        values = np.array(outcome.values)
        bounds.append(float(costs @ values))
        gained = bounds[-1] - bounds[0]
        if len(bounds) > _STALE and bounds[-1] - bounds[-1 - _STALE] <= _RISE * gained:
            return
        fractional = np.flatnonzero(np.minimum(values, 1 - values) > _TOLERANCE)
        if not len(fractional):
            return
        nearest = np.argsort(np.abs(values[fractional] - 0.5), kind="stable")[:_TABLEAU]
        tableau = relaxation.program.tableau({*fractional[nearest].tolist()})
        found = CutGenerator(kept, relaxation.columns).cuts(values, tableau, _AT_ONCE)
        # Cuts that the optimum meets with room to spare have done their work.
        tight = [row for row in kept[len(rows) :] if _slack(row, values) < _TOLERANCE]
        following = None if not found else relaxed([*rows, *tight, *found], cost, variables)
        if following is None:
            return
        relaxation, kept = following, [*rows, *tight, *found]
        yield relaxation


def _slack(row: AtLeastRow, values: "NDArray[Any]") -> float:
    return float(sum(each * values[var - 1] for var, each in row.terms.items())) - row.least


class CutGenerator:
    """Cuts of the rows of a problem over few columns, as arrays.

    Args:
        rows: the rows; those in pairs count as one with two bounds.
        columns: the number of columns; variable v is column v - 1.
    """

    def __init__(self, rows: Sequence[AtLeastRow], columns: int) -> None:
        import numpy as np

        least, most, bounded = list[int](), list[int](), list[bool]()
        places, named, factors = list[int](), list[int](), list[int]()
        for terms, bound, paired in rows:
            if paired:
                most[-1], bounded[-1] = -bound, True
                continue
            places += [len(least)] * len(terms)
            named += terms
            factors += terms.values()
            least.append(bound)
            most.append(0)
            bounded.append(False)
        self._matrix: Final = np.zeros((len(least), columns), np.int64)
        self._matrix[places, np.array(named, np.int64) - 1] = factors
        self._least: Final = np.array(least, np.int64)
        self._most: Final = np.array(most, np.int64)
        self._bounded: Final = np.array(bounded, bool)
        """Whether a row has an upper bound."""
        self._weighted: Final = np.flatnonzero(np.abs(self._matrix).max(1, initial=0) > 1).tolist()
        """The rows with a factor that is not 1 or -1."""
        self._sizes: Final = np.abs(self._matrix).sum(1) + np.abs(self._least) + np.abs(self._most)

    def cuts(
        self, values: "NDArray[Any]", tableau: Sequence["NDArray[Any]"], most: int
    ) -> list[AtLeastRow]:
        """Return at most ``most`` rows that ``values`` break, the deepest first.

        Args:
            values: of the columns, an optimum of the relaxation of the rows.
            tableau: multipliers of the rows, each of a fractional variable.
            most: 1 or more.
        """
        import numpy as np

        multipliers, denominators = self._single_rows(values)
        for doubles in tableau:
            found = _fractions(doubles)
            if found is not None:
                multipliers.append(found[0])
                denominators.append(found[1])
        if not multipliers:
            return []
        u, d = np.array(multipliers, np.int64), np.array(denominators, np.int64)
        # Numpy's integers hold every sum: what is rounded grows by less than 3 D before slack,
        # whose weights are below u + 3 D, is replaced.
        sizes = self._sizes.astype(float)
        held = np.abs(u).astype(float) @ sizes + 3.0 * d * (sizes.sum() + 1) < _SAFE
        return _chosen(*self._rounded(u[held], d[held], values), values, most)

    def _single_rows(self, values: "NDArray[Any]") -> tuple[list[Any], list[int]]:
        """Return multipliers that take rows alone, with the factors of fractional variables."""
        import numpy as np

        fractional = np.minimum(values, 1 - values) > _TOLERANCE
        multipliers, denominators = [], []
        for row in self._weighted:
            factors = np.abs(self._matrix[row])
            # Without np.unique, which imports masked arrays.
            among = {*factors[fractional & (factors > 1)].tolist()}
            for factor in sorted(among, reverse=True)[:_FACTORS]:
                unit = np.zeros(len(self._least), np.int64)
                unit[row] = 1
                multipliers.append(unit)
                denominators.append(factor)
        return multipliers, denominators

    def _rounded(self, u: Any, d: Any, values: "NDArray[Any]") -> tuple[Any, Any]:
        """Return factors and upper bounds of the cuts of multipliers ``u`` and divisors ``d``."""
        import numpy as np

        d = d[:, None]
        activity = self._matrix @ values
        # Slack is measured from the nearer bound; an equation has none.
        upper = self._bounded & (self._most - activity < activity - self._least)
        side = np.where(upper, self._most, self._least)
        sums, total = _times(u, self._matrix), u @ side
        turned = values > 0.5
        total = total - sums[:, turned].sum(1)
        # A variable near 1 is replaced by 1 minus it.
        factors = np.where(turned, -sums, sums)
        equation = self._bounded & (self._most == self._least)
        slack = np.where(equation, 0, np.where(upper, u, -u))
        r = total[:, None] % d

        def rounded(each: Any) -> Any:
            return (d - r) * (each // d) + np.maximum(0, each % d - r)

        found, bound = rounded(factors), ((d - r) * (total[:, None] // d))[:, 0]
        # Back: variables first, then slack, which is A x - least or most - A x.
        bound = bound - np.where(turned, found, 0).sum(1)
        found = np.where(turned, -found, found)
        weight = rounded(slack) * np.where(equation, 0, np.where(upper, -1, 1))
        found, bound = found + _times(weight, self._matrix), bound + weight @ side
        whole = r[:, 0] == 0
        return found[~whole], bound[~whole]


def _times(left: Any, right: Any) -> Any:
    """Return the product of matrices of integers, of which the first has few entries in a row."""
    import numpy as np

    products = np.zeros((len(left), right.shape[1]), np.int64)
    for place, row in enumerate(left):
        named = row.nonzero()[0]
        products[place] = row[named] @ right[named]
    return products


def _fractions(doubles: "NDArray[Any]") -> tuple[Any, int] | None:
    """Return integers and a common denominator with which they are near ``doubles``, or None."""
    import numpy as np

    if not np.isfinite(doubles).all():
        return None
    used = np.abs(doubles[np.abs(doubles) > _ZERO])
    if not len(used) or used.max() > _DENOMINATORS:
        return None
    # Few candidates are left after each entry, so most of them are never multiplied.
    candidates = np.arange(1, _DENOMINATORS + 1)
    for entry in used.tolist():
        scaled = candidates * entry
        candidates = candidates[np.abs(scaled - np.rint(scaled)) < _NEAR]
        if not len(candidates):
            break
    denominator = int(candidates[0]) if len(candidates) else _FINE
    return np.rint(doubles * denominator).astype(np.int64), denominator


def _chosen(factors: Any, bounds: Any, values: "NDArray[Any]", most: int) -> list[AtLeastRow]:
    """Return the deepest of the rows ``factors`` x <= ``bounds`` that ``values`` break."""
    import numpy as np

    if not len(bounds):
        return []
    divisors = np.gcd.reduce(factors, axis=1)
    divisors[divisors == 0] = 1
    # Where factors are large, x >= 0 and 1 - x >= 0 let them be rounded down after a division.
    divisors = np.maximum(divisors, -(-np.abs(factors).max(1) // _LARGEST))[:, None]
    turned = values > 0.5
    smaller = np.where(turned, -(-factors // divisors), factors // divisors)
    bounds = (bounds - factors[:, turned].sum(1)) // divisors[:, 0] + smaller[:, turned].sum(1)
    factors = smaller
    norms = np.maximum(np.sqrt((factors.astype(float) ** 2).sum(1)), 1e-9)
    depths = (factors @ values - bounds) / norms
    chosen: list[int] = []
    for place in np.argsort(-depths, kind="stable").tolist():
        if depths[place] < _LEAST or len(chosen) >= most:
            break
        near = factors[chosen].astype(float) @ factors[place] / (norms[chosen] * norms[place])
        if not len(near) or near.max() < _PARALLEL:
            chosen.append(place)
    rows = []
    for place in chosen:
        terms = factors[place]
        named = np.flatnonzero(terms).tolist()
        rows.append(AtLeastRow({c + 1: -int(terms[c]) for c in named}, -int(bounds[place])))
    return rows
