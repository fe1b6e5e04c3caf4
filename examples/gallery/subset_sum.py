"""Numbers of a set whose sum is 97,820: weights that no unary sum could hold."""

from pysat.solvers import Solver

from pbcnf.language import Builder, total

NUMBERS = [31_847, 4_521, 27_113, 19_998, 8_402, 12_655, 40_319, 2_716, 33_333, 15_087, 9_681]
GOAL = 97_820
b = Builder()
chosen = b.booleans(NUMBERS)
b.add(total(n * x for n, x in zip(NUMBERS, chosen, strict=True)) == GOAL)

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = [n for n, there in b.decode(solver.get_model()).items() if there]
print(*answer, sep=" + ", end=f" = {GOAL}\n")
