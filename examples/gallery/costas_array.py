"""A Costas array of order 7: one dot a row and column, no vector between two of them twice."""

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different

N = 7
b = Builder()
dot = b.integers(range(N), 0, N - 1)
b.add(all_different(dot))
for step in range(1, N - 1):
    rises = [b.integer((step, i), 1 - N, N - 1) for i in range(N - step)]
    b.add(*(rise == dot[i + step] - dot[i] for i, rise in enumerate(rises)))
    b.add(all_different(rises))

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = list(b.decode(solver.get_model()).values())[:N]
for row in range(N):
    print("".join("o" if place == row else "." for place in answer))
