"""Random problems of large cardinality constraints: exactly k of n, every variable in d of them.

All constraints together count every variable d times, so that d * (true variables) = m * k. If d
does not divide m * k there is no solution, and nothing shorter than counting says so: resolution
needs exponential size for d = 2 (parity: A. Urquhart, Journal of the ACM 34 (1987) 209-219), and
small problems of this kind are hard for every solver (G. Spence, sgen1: a generator of small but
difficult satisfiability benchmarks, ACM Journal of Experimental Algorithmics 15 (2010)). If d
divides m * k, a solution is laid first and the constraints are drawn round it.
"""

from collections.abc import Sequence
from random import Random

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem
from pbcnf.wording import counted

_SWAPS = 20


def regular(constraints: int, n: int, k: int, degree: int, seed: int = 0) -> Problem:
    """Return random constraints "exactly ``k`` of ``n``", each variable in ``degree`` of them.

    It has constraints * n / degree variables, and a solution if and only if ``degree`` divides
    constraints * k.

    Args:
        constraints: m, at least ``degree``.
        n: literals of a constraint, all positive and different.
        k: 0 to n.
        degree: d; divides m * n.
        seed: equal arguments give equal problems.

    Raises:
        ValueError: there is no such problem.

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
        hands = _dealt(variables, constraints, degree, random)
    else:
        chosen = _dealt(variables[:true], constraints, degree, random)
        others = _dealt(variables[true:], constraints, degree, random)
        hands = [one + two for one, two in zip(chosen, others, strict=True)]
    return Problem(len(variables), tuple(Cardinality(sorted(hand), k, k) for hand in hands))


def _dealt(cards: Sequence[int], hands: int, times: int, random: Random) -> list[list[int]]:
    """Deal each card to ``times`` different hands of equal size, then shuffle the deal."""
    # Copy c of card number i goes to hand i * times + c: neighbours, so never one hand twice.
    dealt: list[list[int]] = [[] for _ in range(hands)]
    for place in range(len(cards) * times):
        dealt[place % hands].append(cards[place // times])
    size = len(cards) * times // hands
    if hands < 2 or not size:
        return dealt
    held = [set(hand) for hand in dealt]
    for _ in range(_SWAPS * hands * size):
        a, b = random.sample(range(hands), 2)
        i, j = random.randrange(size), random.randrange(size)
        x, y = dealt[a][i], dealt[b][j]
        if x not in held[b] and y not in held[a]:
            dealt[a][i], dealt[b][j] = y, x
            held[a] ^= {x, y}
            held[b] ^= {x, y}
    return dealt
