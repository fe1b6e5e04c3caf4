"""Cutting planes: rows that solutions in zeros and ones meet, and an optimum of doubles does not.

For integer multipliers u of rows and any D > 0, the sum of u (A x - s) = u b over slack s = A x - b
is an equation of integers at least 0, once each variable near 1 is replaced by 1 minus it. With
r = (u b) mod D, dividing it by D and rounding gives (mixed-integer rounding, here of integers)

    the sum of G(a) x  <=  (D - r) floor(u b / D),
    G(a) = (D - r) floor(a / D) + max(0, a mod D - r), which is superadditive.

Any u and D are valid, so they may come from doubles: all that follows is computed in integers.
Tableau rows of the optimum give Gomory's cuts. Single rows are divided by their own factors; with
the terms of a cover replaced, where all of them are too many, that gives lifted covers. Slack is
replaced again, by A x - b.

References: Gomory, Outline of an algorithm for integer solutions to linear programs, Bulletin of
the AMS 64 (1958); Marchand, Wolsey, Aggregation and mixed integer rounding to solve MIPs,
Operations Research 49 (2001); Crowder, Johnson, Padberg, Solving large-scale zero-one linear
programming problems, Operations Research 31 (1983), for covers.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from pbcnf.literals import Var
from satsweeper.linear.inequalities import AtLeastRow
from satsweeper.linear.row_relaxation import RowRelaxation, relaxed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satsweeper.linear.highs import ProgramOutcome

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
_DIVISORS: Final = 3
"""The number of divisors of a cover."""
_MISSING: Final = 1.3
"""The limit on the number of a cover less its values; below 1 the optimum breaks its plain cut."""
_LARGEST: Final = 10_000
"""The largest factor of a cut; a cut with larger ones is scaled down, and its factors rounded."""
_SAFE: Final = 1 << 61
_LEAST: Final = 0.003
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
) -> Iterator[tuple[RowRelaxation, "ProgramOutcome"]]:
    """Yield relaxations with more and more cuts, and their outcomes, as long as the optimum rises.

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
    outcome = relaxation.run(seconds)
    for _ in range(_ROUNDS):
        if len(kept) * relaxation.columns > _ENTRIES or outcome.status != "optimal":
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
        outcome = relaxation.run(seconds)
        yield relaxation, outcome


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
        self._weighted: Final = np.flatnonzero(np.abs(self._matrix).max(1, initial=0) > 1)
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

        factors, bounds = self._of_rows(values)
        multipliers, denominators = list[Any](), list[int]()
        for doubles in tableau:
            found = _fractions(doubles)
            if found is not None:
                multipliers.append(found[0])
                denominators.append(found[1])
        if multipliers:
            u, d = np.array(multipliers, np.int64), np.array(denominators, np.int64)
            # Numpy's integers hold every sum: what is rounded grows by less than 3 D before slack,
            # whose weights are below u + 3 D, is replaced.
            sizes = self._sizes.astype(float)
            held = np.abs(u).astype(float) @ sizes + 3.0 * d * (sizes.sum() + 1) < _SAFE
            more, limits = self._rounded(u[held], d[held], values)
            factors, bounds = np.vstack((factors, more)), np.append(bounds, limits)
        return _chosen(factors, bounds, values, most)

    def _of_rows(self, values: "NDArray[Any]") -> tuple[Any, Any]:
        """Return factors and upper bounds of cuts of single rows."""
        import numpy as np

        fractional = np.minimum(values, 1 - values) > _TOLERANCE
        near = values > 0.5
        places, sides, divisors, turns = list[int](), list[int](), list[int](), list[Any]()
        for row in self._weighted[(self._matrix[self._weighted][:, fractional] != 0).any(1)]:
            terms = self._matrix[row]
            named = terms.nonzero()[0]
            factors = np.abs(terms[fractional])
            # Without np.unique, which imports masked arrays.
            among = sorted({*factors[factors > 1].tolist()}, reverse=True)[:_FACTORS]
            places += [row] * len(among)
            sides += [-1] * len(among)
            divisors += among
            turns += [near] * len(among)
            for side in (-1, 1) if self._bounded[row] else (-1,):
                limit = int(self._most[row] if side > 0 else -self._least[row])
                for replaced, sizes in _covers(side * terms[named], limit, values[named]):
                    turned = values > 1
                    turned[named] = replaced
                    places += [row] * len(sizes)
                    sides += [side] * len(sizes)
                    divisors += sizes
                    turns += [turned] * len(sizes)
        if not places:
            return np.zeros((0, len(values)), np.int64), np.zeros(0, np.int64)
        d, sign = np.array(divisors, np.int64), np.array(sides, np.int64)
        room = np.where(sign > 0, self._most[places], -self._least[places])
        # What is rounded grows by less than 3 D; slack, whose factor is 1, vanishes.
        held = self._sizes[places] + 3.0 * d * (len(values) + 1) < _SAFE
        sums = sign[:, None] * self._matrix[places]
        return _mixed(sums[held], room[held], d[held], np.array(turns)[held])[:2]

    def _rounded(self, u: Any, d: Any, values: "NDArray[Any]") -> tuple[Any, Any]:
        """Return factors and upper bounds of the cuts of multipliers ``u`` and divisors ``d``."""
        import numpy as np

        activity = self._matrix @ values
        # Slack is measured from the nearer bound; an equation has none.
        upper = self._bounded & (self._most - activity < activity - self._least)
        side = np.where(upper, self._most, self._least)
        turned = np.repeat(values[None] > 0.5, len(u), 0)
        found, bound, r = _mixed(_times(u, self._matrix), u @ side, d, turned)
        equation = self._bounded & (self._most == self._least)
        slack = np.where(equation, 0, np.where(upper, u, -u))
        # Slack is A x - least or most - A x.
        signs = np.where(equation, 0, np.where(upper, -1, 1))
        weight = _superadditive(slack, d[:, None], r) * signs
        return found + _times(weight, self._matrix), bound + weight @ side


def _superadditive(each: Any, d: Any, r: Any) -> Any:
    """Return the function G of the module."""
    import numpy as np

    quotient, rest = np.divmod(each, d)
    return (d - r) * quotient + np.maximum(0, rest - r)


def _mixed(sums: Any, total: Any, d: Any, turned: Any) -> tuple[Any, Any, Any]:
    """Return the cuts of ``sums`` x <= ``total``, their upper bounds, and r of each.

    Where ``turned``, a variable is replaced by 1 minus it before the sum is divided by ``d``.
    A cut of r = 0 says nothing new.
    """
    import numpy as np

    total = total - np.where(turned, sums, 0).sum(1)
    r = (total % d)[:, None]
    found = _superadditive(np.where(turned, -sums, sums), d[:, None], r)
    bound = (d - r[:, 0]) * (total // d) - np.where(turned, found, 0).sum(1)
    return np.where(turned, -found, found), bound, r


def _covers(factors: Any, room: int, values: Any) -> Iterator[tuple[Any, list[int]]]:
    """Yield covers of ``factors`` x <= ``room``, as variables to replace, and divisors for each.

    A cover is a set of terms that exceed ``room`` together; if x is 1 minus a variable where the
    factor is below 0, that is a term as well. Its members are replaced once more.
    """
    import numpy as np

    below = factors < 0
    sizes, left = np.abs(factors), np.where(below, values, 1 - values)
    room -= int(factors[below].sum())
    if room < 0 or sizes.sum() <= room:
        return
    for order in (np.argsort(left / sizes, kind="stable"), np.lexsort((-sizes, left))):
        sums = sizes[order].cumsum()
        count = int(np.searchsorted(sums, room, "right")) + 1
        excess, kept = int(sums[count - 1]) - room, list[int]()
        # What is not needed is left out, the least likely first.
        for place in sorted(order[:count].tolist(), key=lambda place: -left[place]):
            if sizes[place] < excess:
                excess -= int(sizes[place])
            else:
                kept.append(place)
        if left[kept].sum() > _MISSING:
            continue
        turned = below.copy()
        turned[kept] ^= True
        among = {each for each in sizes[kept].tolist() if each > excess}
        yield turned, sorted(among, reverse=True)[:_DIVISORS]


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

    broken = factors @ values - bounds > _TOLERANCE
    factors, bounds = factors[broken], bounds[broken]
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
