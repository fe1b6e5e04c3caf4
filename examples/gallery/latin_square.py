"""Two orthogonal Latin squares of order 4: every pair of entries comes once."""

from itertools import product

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different

N = 4
b = Builder()
CELLS = list(product(range(N), repeat=2))
squares = [{at: b.integer((s, at), 0, N - 1) for at in CELLS} for s in range(2)]
for cell in squares:
    for i in range(N):
        b.add(all_different(cell[i, j] for j in range(N)))
        b.add(all_different(cell[j, i] for j in range(N)))
for x, y in product(range(N), repeat=2):
    b.add(sum((squares[0][at] == x) & (squares[1][at] == y) for at in squares[0]) == 1)

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
for r in range(N):
    print(*(f"{answer[0, (r, c)]}{answer[1, (r, c)]}" for c in range(N)))
