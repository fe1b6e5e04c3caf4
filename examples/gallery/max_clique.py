"""The largest clique among numbers up to 24 that are joined if they are coprime."""

from itertools import combinations
from math import gcd

from pbcnf.language import Builder, total
from satsweeper.optimisation import solve

NUMBERS = range(2, 25)
b = Builder()
inside = {n: b.boolean(n) for n in NUMBERS}
b.add(*(~(inside[m] & inside[n]) for m, n in combinations(NUMBERS, 2) if gcd(m, n) > 1))
b.maximise(total(inside.values()))

answer = [n for n, there in solve(b).values.items() if there]
print(answer)
