"""The fewest colours for the Petersen graph: no edge has the same colour at both ends."""

from pbcnf.language import Builder, maximum
from satsweeper.optimisation import solve

EDGES = [(i, (i + 1) % 5) for i in range(5)]
EDGES += [(i, i + 5) for i in range(5)] + [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
b = Builder()
colour = b.integers(range(10), 1, 10)
b.add(*(colour[v] != colour[w] for v, w in EDGES))
b.minimise(maximum(colour))

best = solve(b)
answer = best.values
print(f"{best.value} colours:", answer)
