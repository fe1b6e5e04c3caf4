"""The largest clique among numbers up to 24 that are joined if they are coprime."""

from itertools import combinations
from math import gcd

from pysat.solvers import Solver

from pbcnf import Builder, Formula, total

NUMBERS = range(2, 25)
b = Builder()
inside = {n: b.boolean(n) for n in NUMBERS}
b.add(*(~(inside[m] & inside[n]) for m, n in combinations(NUMBERS, 2) if gcd(m, n) > 1))

encoding = b.encode(formula := Formula())
bounds = [encoding.literal(total(inside.values()) >= k) for k in reversed(range(24))]
with Solver(bootstrap_with=formula) as solver:
    next(lit for lit in bounds if solver.solve(assumptions=[lit]))
    answer = [n for n, there in b.decode(solver.get_model()).items() if there]
print(answer)
