"""A travelling salesman's shortest tour of seven cities, streets running along a grid."""

from itertools import permutations, product

from pbcnf.language import Builder, all_different, total
from satsweeper.optimisation import solve

CITIES = [(0, 0), (4, 1), (7, 0), (8, 5), (5, 7), (1, 6), (3, 3)]
N = len(CITIES)
b = Builder()
turn = dict(zip(CITIES, b.integers(CITIES, 0, N - 1), strict=True))
b.add(all_different(turn.values()), turn[0, 0] == 0)
b.minimise(total(
    (abs(p[0] - q[0]) + abs(p[1] - q[1])) * (turn[p] == t) * (turn[q] == (t + 1) % N)
    for (p, q), t in product(permutations(CITIES, 2), range(N))
))  # fmt: skip

best = solve(b)
answer = best.values
print(best.value, sorted(answer, key=lambda city: answer[city]))
