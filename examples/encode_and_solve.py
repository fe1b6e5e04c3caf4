"""Eight queens: counting constraints encoded by pbcnf, solved by a solver of PySAT."""

from itertools import product

from pysat.solvers import Solver

from pbcnf import Cardinality, Formula, encode

SIZE = 8

formula = Formula()
queen = {square: formula.new_var() for square in product(range(SIZE), repeat=2)}
for k in range(SIZE):
    row = [queen[k, column] for column in range(SIZE)]
    column = [queen[row, k] for row in range(SIZE)]
    for line in (row, column):
        encode(Cardinality(line, lower=1, upper=1), formula, encoder="product")
for k in range(-SIZE, 2 * SIZE):
    for sign in (1, -1):
        diagonal = [queen[r, c] for r, c in queen if r + sign * c == k]
        encode(Cardinality(diagonal, upper=1), formula, encoder="product")
print(f"{formula.num_vars} variables, {formula.num_clauses} clauses")

with Solver("cadical195", bootstrap_with=formula.clauses()) as solver:
    solver.solve()
    model = set(solver.get_model())
for k in range(SIZE):
    print("".join("Q" if queen[k, column] in model else "." for column in range(SIZE)))
