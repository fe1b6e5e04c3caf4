"""Peaceable queens: white and black armies of four on a 5x5 board that do not attack each other."""

from itertools import product

from pysat.solvers import Solver

from pbcnf.language import Builder, total

N, ARMY = 5, 4
SQUARES = list(product(range(N), repeat=2))
b = Builder()
white = {at: b.boolean(("white", at)) for at in SQUARES}
black = {at: b.boolean(("black", at)) for at in SQUARES}
for p, q in product(SQUARES, repeat=2):
    down, right = p[0] - q[0], p[1] - q[1]
    if down == 0 or right == 0 or abs(down) == abs(right):
        b.add(~(white[p] & black[q]))
b.add(total(white.values()) == ARMY, total(black.values()) == ARMY)

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
for r in range(N):
    cells = ((answer["white", (r, c)], answer["black", (r, c)]) for c in range(N))
    print("".join("W" if w else "B" if k else "." for w, k in cells))
