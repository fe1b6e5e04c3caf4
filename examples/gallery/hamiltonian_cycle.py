"""A knight's tour of a 6x6 board that closes: a Hamiltonian cycle, by the times of the squares."""

from itertools import product

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different, any_of

N = 6
SQUARES = list(product(range(N), repeat=2))
JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
b = Builder()
time = {at: b.integer(at, 0, N * N - 1, encoding="direct") for at in SQUARES}
b.add(all_different(time.values()), time[0, 0] == 0)
for r, c in SQUARES:
    near = [time[r + i, c + j] for i, j in JUMPS if (r + i, c + j) in time]
    for t in range(N * N):
        b.add((time[r, c] == t) >> any_of(other == (t + 1) % (N * N) for other in near))

with Solver("cadical195", bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
for r in range(N):
    print(*(f"{answer[r, c]:2}" for c in range(N)))
