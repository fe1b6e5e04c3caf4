"""Schur: 1 to 13 in three colours, x + y = z in none of them; 14 numbers are too many."""

from pysat.solvers import Solver

from pbcnf.language import Builder


def coloured(n, colours=3):
    """Return the colours of 1 to n, None if there are none."""
    b = Builder()
    colour = [b.integer(i, 1, colours) for i in range(1, n + 1)]
    for x in range(1, n + 1):
        for y in range(x, n + 1 - x):
            for c in range(1, colours + 1):
                b.add(~((colour[x - 1] == c) & (colour[y - 1] == c) & (colour[x + y - 1] == c)))
    with Solver(bootstrap_with=b.formula()) as solver:
        return list(b.decode(solver.get_model()).values()) if solver.solve() else None


answer = next(n for n in range(1, 30) if coloured(n) is None) - 1
print(f"S(3) = {answer};", *coloured(answer))
