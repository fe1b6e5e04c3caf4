"""The fewest queens that attack or occupy every square of a 6x6 board: a dominating set."""

from itertools import product

from pbcnf.language import Builder, any_of, total
from satsweeper.optimisation import solve

N = 6
SQUARES = [(r, c) for r in range(N) for c in range(N)]
QUEEN = [(i, j) for i, j in product(range(-N, N), repeat=2) if not (i and j) or abs(i) == abs(j)]
b = Builder()
queen = {at: b.boolean(at) for at in SQUARES}
for r, c in SQUARES:
    b.add(any_of(queen[r + i, c + j] for i, j in QUEEN if (r + i, c + j) in queen))
b.minimise(total(queen.values()))

answer = [at for at, there in solve(b).values.items() if there]
print(answer)
