"""The largest cut of the Petersen graph: most edges go from one side to the other."""

from pysat.solvers import Solver

from pbcnf import Builder, Formula, total

EDGES = [(i, (i + 1) % 5) for i in range(5)]
EDGES += [(i, i + 5) for i in range(5)] + [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
b = Builder()
side = b.booleans(range(10))
cut = total(side[v] ^ side[w] for v, w in EDGES)

encoding = b.encode(formula := Formula())
bounds = [encoding.literal(cut >= k) for k in reversed(range(16))]
with Solver(bootstrap_with=formula) as solver:
    next(lit for lit in bounds if solver.solve(assumptions=[lit]))
    answer = b.decode(solver.get_model())
print(b.value(cut, answer), answer)
