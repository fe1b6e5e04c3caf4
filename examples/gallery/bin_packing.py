"""Bin packing: eleven things into as few bins of capacity 10 as possible."""

from pysat.solvers import Solver

from pbcnf import Builder, exactly_one, total

SIZES = [7, 6, 6, 5, 5, 4, 3, 3, 2, 2, 2]
CAPACITY = 10


def packed(bins):
    """Return the bin of every thing, None if they do not fit."""
    b = Builder()
    inside = {(i, k): b.boolean((i, k)) for i in range(len(SIZES)) for k in range(bins)}
    b.add(*(exactly_one(inside[i, k] for k in range(bins)) for i in range(len(SIZES))))
    for k in range(bins):
        b.add(total(size * inside[i, k] for i, size in enumerate(SIZES)) <= CAPACITY)
    with Solver(bootstrap_with=b.formula()) as solver:
        found = b.decode(solver.get_model()) if solver.solve() else {}
    return [at for at, there in found.items() if there]


answer = next(found for bins in range(1, 12) if (found := packed(bins)))
for k in range(max(k for _, k in answer) + 1):
    print(*(SIZES[i] for i, bin_ in answer if bin_ == k))
