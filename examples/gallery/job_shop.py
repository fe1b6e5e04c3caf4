"""Job shop: three jobs on three machines, finished as early as possible."""

from itertools import combinations

from pbcnf.language import Builder, maximum
from satsweeper.optimisation import solve

JOBS = [[(0, 3), (1, 2), (2, 2)], [(0, 2), (2, 1), (1, 4)], [(1, 4), (2, 3)]]
b = Builder()
start = {(j, k): b.integer((j, k), 0, 20) for j, job in enumerate(JOBS) for k in range(len(job))}
tasks = [(*JOBS[j][k], start[j, k]) for j, k in start]
for j, k in start:
    if (j, k + 1) in start:
        b.add(start[j, k] + JOBS[j][k][1] <= start[j, k + 1])
for (machine, m, s), (other, n, t) in combinations(tasks, 2):
    if machine == other:
        b.add((s + m <= t) | (t + n <= s))
b.minimise(maximum(s + m for _, m, s in tasks))

best = solve(b)
answer = best.values
print(f"done at {best.value}:", answer)
