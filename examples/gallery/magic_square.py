"""A magic square of order 4: rows, columns and diagonals of 1 to 16 have one sum."""

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different

N = 4
SUM = N * (N * N + 1) // 2
b = Builder()
cell = {(r, c): b.integer((r, c), 1, N * N) for r in range(N) for c in range(N)}
b.add(all_different(cell.values()))
for i in range(N):
    b.add(sum(cell[i, j] for j in range(N)) == SUM)
    b.add(sum(cell[j, i] for j in range(N)) == SUM)
b.add(sum(cell[i, i] for i in range(N)) == SUM)
b.add(sum(cell[i, N - 1 - i] for i in range(N)) == SUM)

with Solver("cadical195", bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
for r in range(N):
    print(*(f"{answer[r, c]:2}" for c in range(N)))
