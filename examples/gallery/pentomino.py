"""Exact cover: six pentominoes fill a board of 5x6 squares, each turned and mirrored as needed."""

from itertools import product

from pysat.solvers import Solver

from pbcnf.language import Builder, exactly_one

PIECES = {"L": [1, 2, 3, 4, 14], "P": [1, 2, 11, 12, 3], "Y": [1, 2, 3, 4, 12],
          "V": [1, 2, 3, 13, 23], "U": [1, 3, 11, 12, 13], "N": [1, 2, 12, 13, 14]}  # fmt: skip
b, placed, BOARD = Builder(), {}, set(product(range(5), range(6)))
for (name, squares), turn in product(PIECES.items(), range(8)):
    shape = [divmod(at, 10) for at in squares]
    for times in range(turn):
        shape = [(c, r if times == 3 else -r) for r, c in shape]
    for down, right in product(range(-5, 10), repeat=2):
        if (cells := frozenset((r + down, c + right) for r, c in shape)) <= BOARD:
            placed[name, cells] = b.boolean((name, cells))
for part in [*PIECES, *BOARD]:
    b.add(exactly_one(x for at, x in placed.items() if part == at[0] or part in at[1]))
with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = [at for at, there in b.decode(solver.get_model()).items() if there]
for row in range(5):
    print(*(n for c in range(6) for n, at in answer if (row, c) in at))
