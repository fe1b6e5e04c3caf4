"""Futoshiki: a Latin square of order 4 in which some cells are larger than others."""

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different

N = 4
GIVEN = {(0, 0): 2}
LARGER = [((0, 1), (0, 2)), ((1, 3), (0, 3)), ((2, 0), (1, 0)), ((2, 1), (2, 2)), ((3, 2), (3, 1))]
b = Builder()
cell = {(r, c): b.integer((r, c), 1, N) for r in range(N) for c in range(N)}
for i in range(N):
    b.add(all_different(cell[i, j] for j in range(N)))
    b.add(all_different(cell[j, i] for j in range(N)))
b.add(*(cell[at] == number for at, number in GIVEN.items()))
b.add(*(cell[large] > cell[small] for large, small in LARGER))

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
for r in range(N):
    print(*(answer[r, c] for c in range(N)))
