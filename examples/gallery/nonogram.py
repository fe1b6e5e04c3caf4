"""A nonogram: the lengths of the black runs of every row and column, in order."""

from pysat.solvers import Solver

from pbcnf.language import Builder, any_of, iff

ROWS = [[1, 1], [5], [5], [3], [1]]
COLUMNS = [[2], [4], [4], [4], [2]]
b = Builder()
black = {(r, c): b.boolean((r, c)) for r in range(5) for c in range(5)}
lines = [(runs, [black[r, c] for c in range(5)]) for r, runs in enumerate(ROWS)]
lines += [(runs, [black[r, c] for r in range(5)]) for c, runs in enumerate(COLUMNS)]
for number, (runs, line) in enumerate(lines):
    starts = b.integers([(number, "run", i) for i in range(len(runs))], 0, 4)
    b.add(*(s + n + 1 <= t for s, n, t in zip(starts, runs, starts[1:], strict=False)))
    b.add(starts[-1] + runs[-1] <= 5)
    for at, cell in enumerate(line):
        inside = ((s <= at) & (s + n > at) for s, n in zip(starts, runs, strict=True))
        b.add(iff(cell, any_of(inside)))

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
for r in range(5):
    print("".join("#" if answer[r, c] else "." for c in range(5)))
