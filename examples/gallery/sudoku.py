"""A sudoku: rows, columns and boxes hold every digit once."""

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different

GIVEN = ["53..7....", "6..195...", ".98....6.", "8...6...3", "4..8.3..1",
         "7...2...6", ".6....28.", "...419..5", "....8..79"]  # fmt: skip
b = Builder()
cell = {(r, c): b.integer((r, c), 1, 9) for r in range(9) for c in range(9)}
for i in range(9):
    b.add(all_different(cell[i, j] for j in range(9)))
    b.add(all_different(cell[j, i] for j in range(9)))
    b.add(all_different(cell[i // 3 * 3 + j // 3, i % 3 * 3 + j % 3] for j in range(9)))
b.add(*(cell[r, c] == int(GIVEN[r][c]) for r, c in cell if GIVEN[r][c] != "."))

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
for r in range(9):
    print(*(answer[r, c] for c in range(9)))
