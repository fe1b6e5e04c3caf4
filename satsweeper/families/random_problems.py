"""Random problems with a solution that is laid first, or with an objective: of counts and weights.

`scripts/study/families.py` compares encoders on the same problems.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, product
from random import Random

from pbcnf.constraints.constraint import Cardinality, Constraint, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem


def latin_square(n: int, holes: int, random: Random) -> Problem:
    """Return a Latin square to complete: a cyclic one with its lines shuffled, but for `holes`.

    Variable ``(i * n + j) * n + k + 1``: the cell in row i, column j has symbol k, all from 0.
    """
    at = {key: v for v, key in enumerate(product(range(n), repeat=3), start=1)}
    rows, columns, symbols = (random.sample(range(n), n) for _ in range(3))
    found: list[Constraint] = []
    for i, j in product(range(n), repeat=2):
        found.append(_exactly(1, [at[i, j, k] for k in range(n)]))
        found.append(_exactly(1, [at[i, k, j] for k in range(n)]))
        found.append(_exactly(1, [at[k, i, j] for k in range(n)]))
    cells = random.sample([*product(range(n), repeat=2)], n * n - holes)
    for i, j in cells:
        found.append(Cardinality([at[i, j, symbols[(rows[i] + columns[j]) % n]]], lower=1))
    return Problem(n**3, tuple(found))


def tomography(n: int, share: float, random: Random) -> Problem:
    """Return an n x n picture's sums of rows, columns and diagonals that wrap around.

    Variable ``i * n + j + 1``: the pixel in row i, column j is black, as a `share` of them is.
    """
    picture = [[random.random() < share for _ in range(n)] for _ in range(n)]
    found: list[Constraint] = []
    for step in (0, 1, -1, None):
        for i in range(n):
            line = [(k, i) if step is None else (i + step * k, k) for k in range(n)]
            cells = [(a % n, b % n) for a, b in line]
            total = sum(picture[a][b] for a, b in cells)
            found.append(_exactly(total, [a * n + b + 1 for a, b in cells]))
    return Problem(n * n, tuple(found))


def market_split(n: int, rows: int, most_weight: int, random: Random) -> Problem:
    """Return `rows` equations of n random weights up to `most_weight`, with a common solution.

    G. Cornuejols, M. Dawande, A class of hard small 0-1 programs, INFORMS Journal on Computing 11
    (1999) 205-210. A solution is laid here: half of the variables at random are true.
    """
    held = [random.random() < 0.5 for _ in range(n)]
    found: list[Constraint] = []
    for _ in range(rows):
        weights = [random.randint(1, most_weight) for _ in range(n)]
        total = sum(w for w, true in zip(weights, held, strict=True) if true)
        found.append(PseudoBoolean(range(1, n + 1), weights, total, total))
    return Problem(n, tuple(found))


def knapsacks(n: int, rows: int, most_weight: int, random: Random) -> Problem:
    """Return knapsacks of n common items and, last, a least value of all items together.

    Half of the items, drawn, just fit into each knapsack; the least value is 8 % more than theirs.
    """
    found: list[Constraint] = []
    values = [random.randint(1, most_weight) for _ in range(n)]
    held = random.sample(range(n), n // 2)
    for _ in range(rows):
        weights = [random.randint(1, most_weight) for _ in range(n)]
        full = sum(weights[i] for i in held)
        found.append(PseudoBoolean(range(1, n + 1), weights, upper=full))
    worth = round(sum(values[i] for i in held) * 1.08)
    return Problem(n, (*found, PseudoBoolean(range(1, n + 1), values, lower=worth)))


def graph(n: int, degree: float, random: Random) -> list[list[int]]:
    """Return the neighbours of the vertices 1 to n of a random graph, at index v - 1."""
    found: list[list[int]] = [[] for _ in range(n)]
    for a, b in combinations(range(1, n + 1), 2):
        if random.random() < degree / (n - 1):
            found[a - 1].append(b)
            found[b - 1].append(a)
    return found


def weighted_cover(n: int, degree: float, share: float, random: Random) -> Problem:
    """Return a vertex cover of a random graph, weighing at most a `share` of all vertices.

    The last constraint is that bound; vertices weigh 1 to 20.
    """
    near = graph(n, degree, random)
    pairs = [(v, u) for v in range(1, n + 1) for u in near[v - 1] if u > v]
    weights = [random.randint(1, 20) for _ in range(n)]
    found: list[Constraint] = [Cardinality([v, u], lower=1) for v, u in pairs]
    cheap = PseudoBoolean(range(1, n + 1), weights, upper=round(share * sum(weights)))
    return Problem(n, (*found, cheap))


def optimised(problem: Problem, *, maximise: bool) -> Problem:
    """Return the problem with the sum of its last constraint as its objective instead."""
    *rest, last = problem.constraints
    assert isinstance(last, PseudoBoolean)
    objective = Objective(last.lits, last.weights, maximise=maximise)
    return replace(problem, constraints=tuple(rest), objective=objective)


def _exactly(k: int, lits: Iterable[int]) -> Cardinality:
    return Cardinality(lits, k, k)
