"""The cheapest sets that together hold the numbers 1 to 12."""

from pbcnf.language import Builder, any_of, total
from satsweeper.optimisation import solve

SETS = {(1, 2, 3, 4, 5, 6): 6, (5, 6, 8, 9): 3, (1, 4, 7, 10): 4, (2, 5, 7, 8, 11): 4,
        (3, 6, 9, 12): 4, (10, 11): 1, (1, 2): 2, (7, 12): 3, (3, 4, 12): 3}  # fmt: skip
b = Builder()
chosen = {each: b.boolean(each) for each in SETS}
b.add(*(any_of(chosen[each] for each in SETS if n in each) for n in range(1, 13)))
b.minimise(total(price * chosen[each] for each, price in SETS.items()))

answer = [each for each, there in solve(b).values.items() if there]
print(*answer)
