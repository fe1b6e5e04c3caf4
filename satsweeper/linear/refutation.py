"""Refutations of equations: multipliers whose weighted sum has no solution in zeros and ones.

Elimination finds a contradictory row modulo 2 or 3; if the multipliers of a row modulo 3, with -1
for 2, also give a contradiction in integers, they are a weighted sum. A linear program, where HiGHS
is installed, finds weights where elimination fails. Weights are left out if the rest of the sum
still exceeds what its variables can reach. Every refutation is checked in integers.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from satsweeper.linear.elimination import MODULI, eliminate
from satsweeper.linear.equations import Equation, ModularRow, follows
from satsweeper.linear.relaxation import DENOMINATOR, Weighted, available, proves, refute

Refutation = ModularRow | Weighted
"""A row without variables whose value is not 0, or weights that prove that there is no solution."""

_SECONDS: Final = 2.0
"""The time limit of one linear program, in seconds."""


def refutation_of(
    equations: Sequence[Equation],
    given: Collection[int] = (),
    left: Callable[[], float | None] = lambda: None,
) -> Refutation | None:
    """Return a refutation of ``equations``, by index, with few equations; None if none is found.

    Args:
        equations: the equations; later equations are preferred, earlier ones are left out first.
        given: indices of equations that are not to be left out.
        left: returns the seconds until the deadline, None if there is no deadline.
    """
    units: dict[int, int] = {}
    for index, (variables, _) in enumerate(equations):
        if len(variables) == 1:
            units.setdefault(variables[0], index)
    # Equations of one variable are substituted into the others: ``sums`` are the other equations
    # after the substitution, ``origin`` their indices. `whole` turns multipliers of ``sums`` into
    # multipliers of all equations; a substitution is the subtraction of the unit equation.
    origin = [i for i, each in enumerate(equations) if units.get(each[0][0] if each[0] else 0) != i]
    sums: list[Equation] = []
    for variables, number in (equations[i] for i in origin):
        known = [v for v in variables if v in units]
        others = [v for v in variables if v not in units] if known else variables
        sums.append((others, number - sum(equations[units[v]][1] for v in known)))

    def whole(part: Mapping[int, int], modulus: int) -> dict[int, int]:
        """Return multipliers of all equations from the multipliers of the sums."""
        unit: Counter[int] = Counter()
        for index, multiplier in part.items():
            for variable in equations[origin[index]][0]:
                if variable in units:
                    unit[units[variable]] -= multiplier
        both = {origin[index]: multiplier for index, multiplier in part.items()} | unit
        both = {i: m % modulus if modulus else m for i, m in both.items()}
        return {i: m for i, m in sorted(both.items()) if m}

    def weighted(part: Mapping[int, int]) -> Weighted | None:
        claim = Weighted(frozenset(), False, whole(part, 0))
        return without_spare(equations, claim, given) if proves(equations, claim) else None

    for index, (variables, number) in enumerate(sums):
        if not 0 <= number <= len(variables):
            return weighted({index: DENOMINATOR if number > 0 else -DENOMINATOR})
    found: list[Refutation] = []
    # An empty row with a value other than 0 modulo m is a refutation. The multipliers modulo 3,
    # with -1 for 2, may also refute in integers, by the bounds of the sum: both signs are tried.
    for modulus in MODULI:
        row = eliminate(sums, modulus).clash
        if row is None:
            continue
        multipliers = whole(row.multipliers, modulus)
        value = sum(m * equations[i][1] for i, m in multipliers.items()) % modulus
        row = ModularRow(modulus, {}, value, multipliers)
        if value and follows(equations, row):
            found.append(row)
        signed = {i: DENOMINATOR * (-1 if m == 2 else 1) for i, m in row.multipliers.items()}
        lifted = [{i: sign * m for i, m in signed.items()} for sign in (1, -1)] * (modulus == 3)
        for weights in lifted:
            claim = Weighted(frozenset(), False, weights)
            if proves(equations, claim):
                found.append(without_spare(equations, claim, given))
    if not found and available():
        rest = left()
        by_duals = refute(sums, _SECONDS if rest is None else min(rest, _SECONDS))
        claim_of_all = None if by_duals is None else weighted(by_duals.weights)
        found += [claim_of_all] if claim_of_all else []
    return min(found, key=lambda each: len(used(each)), default=None)


def used(refutation: Refutation) -> Collection[int]:
    """Return the indices of the equations that ``refutation`` uses."""
    return (
        refutation.multipliers if isinstance(refutation, ModularRow) else refutation.weights
    ).keys()


def renamed(refutation: Refutation, indices: Sequence[int]) -> Refutation:
    """Return ``refutation`` with equation ``i`` renumbered to ``indices[i]``."""
    if isinstance(refutation, ModularRow):
        multipliers = {indices[i]: m for i, m in refutation.multipliers.items()}
        return refutation._replace(multipliers=multipliers)
    return refutation._replace(weights={indices[i]: w for i, w in refutation.weights.items()})


def without_spare(
    equations: Sequence[Equation], claim: Weighted, given: Collection[int] = ()
) -> Weighted:
    """Return the refutation ``claim`` without weights that the proof does not need.

    Equations are tried in ascending order of their index. The first pass drops weights whose
    absence does not lower the surplus of the sum, the second pass weights whose loss is smaller
    than the surplus. The weights of ``given`` equations stay.
    """
    weights = dict(claim.weights)
    total: Counter[int] = Counter()
    surplus = 0
    for index, weight in weights.items():
        surplus += weight * equations[index][1]
        for variable in equations[index][0]:
            total[variable] += weight
    # The surplus: the value of the weighted sum less the largest value that variables between 0
    # and 1 can give. Invariant: the weights are a refutation as long as the surplus is positive.
    surplus -= sum(value for value in total.values() if value > 0)

    def loss(index: int) -> int:
        """Return by how much the surplus falls if the weight of equation ``index`` is dropped."""
        weight = weights[index]
        variables, number = equations[index]
        most = sum(max(total[v], 0) - max(total[v] - weight, 0) for v in variables)
        return weight * number - most

    given = frozenset(given)
    for free in (True, False):
        for index in sorted(weights.keys() - given):
            lost = loss(index)
            if lost <= 0 if free else lost < surplus:
                surplus -= lost
                for variable in equations[index][0]:
                    total[variable] -= weights[index]
                del weights[index]
    return claim._replace(weights=weights)
