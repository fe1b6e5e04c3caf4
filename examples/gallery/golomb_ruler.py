"""The shortest Golomb ruler with five marks: no two pairs of marks have the same distance."""

from itertools import combinations

from pysat.solvers import Solver

from pbcnf import Builder, all_different


def ruler(length, marks=5):
    """Return the marks of a ruler of this length, None if there is none."""
    b = Builder()
    mark = b.integers(range(marks), 0, length)
    apart = {}
    for i, j in combinations(range(marks), 2):
        apart[i, j] = b.integer((i, j), 1, length)
        b.add(apart[i, j] == mark[j] - mark[i])
    b.add(mark[0] == 0, mark[-1] == length, all_different(apart.values()))
    with Solver(bootstrap_with=b.formula()) as solver:
        return list(b.decode(solver.get_model()).values())[:marks] if solver.solve() else None


answer = next(found for length in range(1, 100) if (found := ruler(length)))
print(answer)
