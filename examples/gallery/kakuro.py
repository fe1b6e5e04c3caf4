"""A kakuro: runs of different digits with given sums."""

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different, total

RUNS = [(16, "a b"), (24, "c d e"), (11, "f g h"), (4, "i j"), (17, "a c f"), (20, "b d g i"),
        (18, "e h j")]  # fmt: skip
b = Builder()
digit = {name: b.integer(name, 1, 9) for name in "abcdefghij"}
for value, names in RUNS:
    run = [digit[name] for name in names.split()]
    b.add(all_different(run), total(run) == value)

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
print(answer)
