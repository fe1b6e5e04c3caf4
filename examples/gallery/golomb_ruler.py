"""The shortest Golomb ruler with five marks: no two pairs of marks have the same distance."""

from itertools import combinations

from pbcnf.language import Builder, all_different
from satsweeper.optimisation import solve

MARKS, LONGEST = 5, 20
b = Builder()
mark = b.integers(range(MARKS), 0, LONGEST)
apart = {pair: b.integer(pair, 1, LONGEST) for pair in combinations(range(MARKS), 2)}
b.add(*(apart[i, j] == mark[j] - mark[i] for i, j in apart))
b.add(mark[0] == 0, all_different(apart.values()))
b.minimise(mark[-1])

best = solve(b)
answer = [best.values[i] for i in range(MARKS)]
print(answer)
