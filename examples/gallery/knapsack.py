"""A knapsack: the most valuable things that weigh at most 50 together."""

from pbcnf.language import Builder, total
from satsweeper.optimisation import solve

VALUES = [60, 100, 120, 35, 82, 17, 44, 91]
WEIGHTS = [10, 20, 30, 8, 19, 3, 11, 22]
b = Builder()
taken = b.booleans(range(len(VALUES)))
b.add(total(w * x for w, x in zip(WEIGHTS, taken, strict=True)) <= 50)
b.maximise(total(v * x for v, x in zip(VALUES, taken, strict=True)))

best = solve(b)
answer = best.values
print(best.value, [thing for thing, x in answer.items() if x])
