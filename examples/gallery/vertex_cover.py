"""The smallest vertex cover of the Petersen graph: every edge has an end in it."""

from pysat.solvers import Solver

from pbcnf import Builder, Formula, total

EDGES = [(i, (i + 1) % 5) for i in range(5)]
EDGES += [(i, i + 5) for i in range(5)] + [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
b = Builder()
inside = b.booleans(range(10))
b.add(*(inside[v] | inside[w] for v, w in EDGES))

encoding = b.encode(formula := Formula())
bounds = [encoding.literal(total(inside) <= k) for k in range(11)]
with Solver(bootstrap_with=formula) as solver:
    next(lit for lit in bounds if solver.solve(assumptions=[lit]))
    answer = [v for v, there in b.decode(solver.get_model()).items() if there]
print(answer)
