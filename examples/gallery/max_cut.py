"""The largest cut of the Petersen graph: most edges go from one side to the other."""

from pbcnf.language import Builder, total
from satsweeper.optimisation import solve

EDGES = [(i, (i + 1) % 5) for i in range(5)]
EDGES += [(i, i + 5) for i in range(5)] + [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
b = Builder()
side = b.booleans(range(10))
b.maximise(total(side[v] ^ side[w] for v, w in EDGES))

best = solve(b)
answer = best.values
print(best.value, answer)
