"""Six pigeons do not fit into five holes, one in each."""

from pysat.solvers import Solver

from pbcnf.language import Builder, at_most_one, exactly_one

PIGEONS, HOLES = 6, 5
b = Builder()
sits = {(p, h): b.boolean((p, h)) for p in range(PIGEONS) for h in range(HOLES)}
b.add(*(exactly_one(sits[p, h] for h in range(HOLES)) for p in range(PIGEONS)))
b.add(*(at_most_one(sits[p, h] for p in range(PIGEONS)) for h in range(HOLES)))

with Solver(bootstrap_with=b.formula()) as solver:
    answer = solver.solve()
print("they fit" if answer else "they do not fit")
