"""The fewest queens that attack or occupy every square of a 6x6 board: a dominating set."""

from itertools import product

from pysat.solvers import Solver

from pbcnf import Builder, Formula, any_of, total

N = 6
SQUARES = [(r, c) for r in range(N) for c in range(N)]
QUEEN = [(i, j) for i, j in product(range(-N, N), repeat=2) if not (i and j) or abs(i) == abs(j)]
b = Builder()
queen = {at: b.boolean(at) for at in SQUARES}
for r, c in SQUARES:
    b.add(any_of(queen[r + i, c + j] for i, j in QUEEN if (r + i, c + j) in queen))

encoding = b.encode(formula := Formula())
bounds = [encoding.literal(total(queen.values()) <= k) for k in range(N + 1)]
with Solver(bootstrap_with=formula) as solver:
    next(lit for lit in bounds if solver.solve(assumptions=[lit]))
    answer = [at for at, there in b.decode(solver.get_model()).items() if there]
print(answer)
