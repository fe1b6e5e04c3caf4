"""Squares packed into a rectangle without a gap: the least perfect one, nine squares in 33x32."""

from itertools import combinations

from pysat.solvers import Solver

from pbcnf.language import Builder

SIZES, WIDTH, HEIGHT = [1, 4, 7, 8, 9, 10, 14, 15, 18], 33, 32
b = Builder()
x = {n: b.integer(("x", n), 0, WIDTH - n) for n in SIZES}
y = {n: b.integer(("y", n), 0, HEIGHT - n) for n in SIZES}
for m, n in combinations(SIZES, 2):
    beside = (x[m] + m <= x[n]) | (x[n] + n <= x[m])
    b.add(beside | (y[m] + m <= y[n]) | (y[n] + n <= y[m]))

with Solver("cadical195", bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
for n in SIZES:
    print(f"{n:2} at column {answer['x', n]:2}, row {answer['y', n]:2}")
