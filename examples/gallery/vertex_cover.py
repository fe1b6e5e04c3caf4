"""The smallest vertex cover of the Petersen graph: every edge has an end in it."""

from pbcnf.language import Builder, total
from satsweeper.optimisation import solve

EDGES = [(i, (i + 1) % 5) for i in range(5)]
EDGES += [(i, i + 5) for i in range(5)] + [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
b = Builder()
inside = b.booleans(range(10))
b.add(*(inside[v] | inside[w] for v, w in EDGES))
b.minimise(total(inside))

answer = [v for v, there in solve(b).values.items() if there]
print(answer)
