"""Minesweeper: which covered cells are a mine in no layout, and which in every layout."""

from pysat.solvers import Solver

from pbcnf import Formula
from pbcnf.language import Builder, total

BOARD = ["01??", "12??", "????"]
b = Builder()
mine = {(r, c): b.boolean((r, c)) for r in range(3) for c in range(4) if BOARD[r][c] == "?"}
for r in range(3):
    for c in range(4):
        if BOARD[r][c] != "?":
            near = [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
            b.add(total(mine[at] for at in near if at in mine) == int(BOARD[r][c]))
encoding = b.encode(formula := Formula())
answer = {}
with Solver(bootstrap_with=formula) as solver:
    for cell, variable in mine.items():
        can = [solver.solve(assumptions=[encoding.literal(x)]) for x in (~variable, variable)]
        answer[cell] = "?" if all(can) else "M" if can[1] else "S"
for r in range(3):
    print("".join(answer.get((r, c), BOARD[r][c]) for c in range(4)))
