"""A knapsack: the most valuable things that weigh at most 50 together, found by improving."""

from pysat.solvers import Solver

from pbcnf import Builder, total

VALUES = [60, 100, 120, 35, 82, 17, 44, 91]
WEIGHTS = [10, 20, 30, 8, 19, 3, 11, 22]
b = Builder()
taken = b.booleans(range(len(VALUES)))
value = total(v * x for v, x in zip(VALUES, taken, strict=True))
b.add(total(w * x for w, x in zip(WEIGHTS, taken, strict=True)) <= 50)
b.add(value >= 0)

answer = {}
while True:
    with Solver(bootstrap_with=b.formula()) as solver:
        if not solver.solve():
            break
        answer = b.decode(solver.get_model())
    b.add(value > b.value(value, answer))
print(b.value(value, answer), [thing for thing, x in answer.items() if x])
