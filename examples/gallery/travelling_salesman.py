"""A travelling salesman's shortest tour of seven cities, streets running along a grid."""

from itertools import permutations, product

from pysat.solvers import Solver

from pbcnf import Builder, Formula, all_different, total

CITIES = [(0, 0), (4, 1), (7, 0), (8, 5), (5, 7), (1, 6), (3, 3)]
N = len(CITIES)
b = Builder()
turn = dict(zip(CITIES, b.integers(CITIES, 0, N - 1), strict=True))
length = b.integer("length", 20, 40, encoding="order")
b.add(all_different(turn.values()), turn[0, 0] == 0)
b.add(length >= total(
    (abs(p[0] - q[0]) + abs(p[1] - q[1])) * (turn[p] == t) * (turn[q] == (t + 1) % N)
    for (p, q), t in product(permutations(CITIES, 2), range(N))
))  # fmt: skip
encoding = b.encode(formula := Formula())
bounds = [encoding.literal(length <= k) for k in range(20, 41)]
with Solver("cadical195", bootstrap_with=formula) as solver:
    next(lit for lit in bounds if solver.solve(assumptions=[lit]))
    answer = b.decode(solver.get_model())
print(answer.pop("length"), sorted(answer, key=lambda city: answer[city]))
