"""Five people and five tasks, one each, at the least cost: costs are looked up in tables."""

from pbcnf.language import Builder, all_different, element, total
from satsweeper.optimisation import solve

COSTS = [[9, 2, 7, 8, 6], [6, 4, 3, 7, 5], [5, 8, 1, 8, 7], [7, 6, 9, 4, 3], [4, 7, 8, 5, 9]]
b = Builder()
task = b.integers(["Ann", "Ben", "Cleo", "Dan", "Eve"], 0, 4)
b.add(all_different(task))
b.minimise(total(element(table, place) for table, place in zip(COSTS, task, strict=True)))

best = solve(b)
answer = best.values
print(best.value, answer)
