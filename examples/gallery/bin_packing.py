"""Bin packing: eleven things into as few bins of capacity 10 as possible."""

from pbcnf.language import Builder, maximum, total
from satsweeper.optimisation import solve

SIZES = [7, 6, 6, 5, 5, 4, 3, 3, 2, 2, 2]
CAPACITY = 10
b = Builder()
place = b.integers(range(len(SIZES)), 1, len(SIZES))
for k in range(1, len(SIZES) + 1):
    b.add(total(size * (at == k) for size, at in zip(SIZES, place, strict=True)) <= CAPACITY)
b.minimise(maximum(place))

answer = solve(b).values
for k in range(1, max(answer.values()) + 1):
    print(*(SIZES[i] for i, at in answer.items() if at == k))
