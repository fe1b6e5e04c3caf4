"""Random problems of large cardinality constraints: exactly k of n, every variable in d of them.

All constraints together count every variable d times, so that d * (true variables) = m * k. If d
does not divide m * k there is no solution, by this one sum. Without counting, proofs are long:
resolution needs exponential size for d = 2 (parity: A. Urquhart, Journal of the ACM 34 (1987)
209-219), and small problems of this kind are hard for every solver (G. Spence, sgen1: a generator
of small but difficult satisfiability benchmarks, ACM Journal of Experimental Algorithmics 15
(2010)). If d divides m * k, a solution is drawn first, and then constraints that it satisfies.
"""

from collections.abc import Sequence
from random import Random

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem
from pbcnf.wording import counted

_SWAPS = 20
"""Attempts to swap two variables, for each literal of the problem."""


def regular(constraints: int, n: int, k: int, degree: int, seed: int = 0) -> Problem:
    """Return random constraints "exactly ``k`` of ``n``", each variable in ``degree`` of them.

    The problem has constraints * n / degree variables, and a solution if and only if ``degree``
    divides constraints * k.

    Args:
        constraints: the number m of constraints, at least ``degree``.
        n: literals of a constraint, all positive and different.
        k: true literals of a constraint, 0 to n.
        degree: the number d of constraints with each variable; divides m * n.
        seed: equal arguments give equal problems.

    Raises:
        ValueError: there is no problem with these numbers.

    >>> problem = regular(4, n=3, k=1, degree=2, seed=1)
    >>> problem.num_vars, [each.lits for each in problem.constraints]
    (6, [(3, 4, 6), (1, 4, 5), (2, 5, 6), (1, 2, 3)])
    """
    if n < 1 or not 0 <= k <= n or not 1 <= degree <= constraints:
        raise ValueError(
            f"{counted(constraints, 'constraint')}, {k} of "
            f"{n}, degree {degree}: 0 <= k <= n, n >= 1 and"
            " 1 <= degree <= constraints"
        )
    if constraints * n % degree:
        raise ValueError(f"degree {degree} does not divide {constraints} * {n}")
    random = Random(f"regular {constraints} {n} {k} {degree} {seed}")
    variables = random.sample(range(1, constraints * n // degree + 1), constraints * n // degree)
    true, left = divmod(constraints * k, degree)
    if left:
        sums = _distributed(variables, constraints, degree, random)
    else:
        # Each constraint gets k of the variables that are true in the solution, and n - k others.
        chosen = _distributed(variables[:true], constraints, degree, random)
        others = _distributed(variables[true:], constraints, degree, random)
        sums = [with_k + rest for with_k, rest in zip(chosen, others, strict=True)]
    return Problem(len(variables), tuple(Cardinality(sorted(lits), k, k) for lits in sums))


def _distributed(
    variables: Sequence[int], groups: int, times: int, random: Random
) -> list[list[int]]:
    """Return ``groups`` random groups of equal size, each variable in ``times`` of them."""
    # Copy c of variable number i goes to group i * times + c, modulo ``groups``: consecutive
    # groups, so that no group gets a variable twice.
    found: list[list[int]] = [[] for _ in range(groups)]
    for place in range(len(variables) * times):
        found[place % groups].append(variables[place // times])
    size = len(variables) * times // groups
    if groups < 2 or not size:
        return found
    held = [set(group) for group in found]
    # A swap of two variables keeps all sizes, and is left out if a group would get one twice.
    for _ in range(_SWAPS * groups * size):
        a, b = random.sample(range(groups), 2)
        i, j = random.randrange(size), random.randrange(size)
        x, y = found[a][i], found[b][j]
        if x not in held[b] and y not in held[a]:
            found[a][i], found[b][j] = y, x
            held[a] ^= {x, y}
            held[b] ^= {x, y}
    return found
