"""The Petersen graph has a colouring with three colours, and none with two."""

from pysat.solvers import Solver

from pbcnf import Builder

EDGES = [(i, (i + 1) % 5) for i in range(5)]
EDGES += [(i, i + 5) for i in range(5)] + [(i + 5, (i + 2) % 5 + 5) for i in range(5)]


def coloured(colours):
    """Return the colour of every vertex, None if so many do not do."""
    b = Builder()
    colour = b.integers(range(10), 1, colours)
    b.add(*(colour[v] != colour[w] for v, w in EDGES))
    with Solver(bootstrap_with=b.formula()) as solver:
        return b.decode(solver.get_model()) if solver.solve() else None


answer = next(found for k in range(1, 10) if (found := coloured(k)))
print(f"{max(answer.values())} colours:", answer)
