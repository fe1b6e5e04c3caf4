"""Job shop: three jobs on three machines, finished as early as possible."""

from itertools import combinations

from pysat.solvers import Solver

from pbcnf import Builder, Formula

JOBS = [[(0, 3), (1, 2), (2, 2)], [(0, 2), (2, 1), (1, 4)], [(1, 4), (2, 3)]]
b = Builder()
start = {(j, k): b.integer((j, k), 0, 20) for j, job in enumerate(JOBS) for k in range(len(job))}
tasks = [(*JOBS[j][k], start[j, k]) for j, k in start]
end = b.integer("end", 0, 20)
for j, k in start:
    following = start.get((j, k + 1), end)
    b.add(start[j, k] + JOBS[j][k][1] <= following)
for (machine, m, s), (other, n, t) in combinations(tasks, 2):
    if machine == other:
        b.add((s + m <= t) | (t + n <= s))
encoding = b.encode(formula := Formula())
bounds = [encoding.literal(end <= k) for k in range(21)]
with Solver(bootstrap_with=formula) as solver:
    next(lit for lit in bounds if solver.solve(assumptions=[lit]))
    answer = b.decode(solver.get_model())
print(answer)
