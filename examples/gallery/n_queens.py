"""Eight queens on a chessboard, no two of which attack each other."""

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different

N = 8
b = Builder()
column = b.integers([f"row {r}" for r in range(N)], 0, N - 1)
b.add(all_different(column))
b.add(all_different(column[r] + r for r in range(N)))
b.add(all_different(column[r] - r for r in range(N)))

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = list(b.decode(solver.get_model()).values())
for place in answer:
    print("".join("Q" if c == place else "." for c in range(N)))
