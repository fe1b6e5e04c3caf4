"""Five people and five tasks, one each, at the least cost: costs are looked up in tables."""

from pysat.solvers import Solver

from pbcnf import Builder, Formula, all_different, element, total

COSTS = [[9, 2, 7, 8, 6], [6, 4, 3, 7, 5], [5, 8, 1, 8, 7], [7, 6, 9, 4, 3], [4, 7, 8, 5, 9]]
b = Builder()
task = b.integers(["Ann", "Ben", "Cleo", "Dan", "Eve"], 0, 4)
b.add(all_different(task))
cost = total(element(table, place) for table, place in zip(COSTS, task, strict=True))

encoding = b.encode(formula := Formula())
bounds = [encoding.literal(cost <= k) for k in range(46)]
with Solver(bootstrap_with=formula) as solver:
    next(lit for lit in bounds if solver.solve(assumptions=[lit]))
    answer = b.decode(solver.get_model())
print(b.value(cost, answer), answer)
