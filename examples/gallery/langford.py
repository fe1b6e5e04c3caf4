"""Langford's problem: between the two k of the numbers 1 to 7, twice each, lie k others."""

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different

N = 7
b = Builder()
first = b.integers([f"first {k}" for k in range(1, N + 1)], 0, 2 * N - 1)
b.add(all_different([*first, *(place + k + 1 for k, place in enumerate(first, start=1))]))
b.add(*(place + k + 1 <= 2 * N - 1 for k, place in enumerate(first, start=1)))

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    places = list(b.decode(solver.get_model()).values())
answer = [0] * (2 * N)
for k, place in enumerate(places, start=1):
    answer[place] = answer[place + k + 1] = k
print(*answer)
