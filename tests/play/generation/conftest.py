"""An independent reading of a proof: plain sets, and a solver on formulas that are written here."""

from itertools import combinations, product

import pytest
from pysat.solvers import Minisat22


def neighbours(cell, shape):
    row, column = cell
    around = product(range(row - 1, row + 2), range(column - 1, column + 2))
    return {(r, c) for r, c in around if 0 <= r < shape[0] and 0 <= c < shape[1]} - {cell}


def is_forced(cells, clues, mines, covered, shown, shape):
    """Whether clues force cells to be free, all covered cells being unknown."""
    variables = {cell: number for number, cell in enumerate(sorted(covered), 1)}
    with Minisat22() as solver:
        for clue in clues:
            around = [variables[cell] for cell in neighbours(clue, shape) & covered]
            for some in combinations(around, shown[clue] + 1):
                solver.add_clause([-v for v in some])
            for some in combinations(around, len(around) - shown[clue] + 1):
                solver.add_clause(list(some))
        if mines is not None:
            exactly(solver, list(variables.values()), mines)
        solver.add_clause([variables[cell] for cell in cells])
        return not solver.solve()


def exactly(solver, literals, number):
    """Count by steps: row k says what is known of "at least k of those so far"."""
    top = len(literals)
    before = []
    for literal in literals:
        row = []
        for k in range(min(len(before) + 1, number + 1)):
            top += 1
            row.append(top)
            same = before[k] if k < len(before) else None
            one_less = before[k - 1] if k else True
            # row[k] if and only if before[k], or one less and this one.
            if same is not None:
                solver.add_clause([-same, top])
            fewer = [] if one_less is True else [-one_less]
            solver.add_clause([*fewer, -literal, top])
            kept = [] if same is None else [same]
            solver.add_clause([-top, *kept, literal])
            if one_less is not True:
                solver.add_clause([-top, *kept, one_less])
        before = row
    if number < len(before):
        solver.add_clause([-before[number]])
    if number:
        solver.add_clause([before[number - 1]] if number <= len(before) else [])


@pytest.fixture(scope="session")
def faults():
    """What is wrong with the proof of a board, as ``generate --json`` prints it; [] for nothing."""

    def read(board):
        rows = board["layout"]
        shape = len(rows), len(rows[0])
        every = set(product(range(shape[0]), range(shape[1])))
        mines = {(r, c) for r, c in every if rows[r][c] == "*"}
        shown = {cell: len(neighbours(cell, shape) & mines) for cell in every - mines}
        opened = set()

        def open_area(cell):
            waiting = {cell}
            while waiting:
                at = waiting.pop()
                opened.add(at)
                if shown[at] == 0:
                    waiting |= neighbours(at, shape) - opened

        if len(mines) != board["mines"] or shape != (board["rows"], board["columns"]):
            return ["another size"]
        start = tuple(board["start"])
        if start in mines:
            return ["the first cell is a mine"]
        open_area(start)
        found = []
        for number, move in enumerate(board["moves"]):
            cells = {tuple(cell) for cell in move["cells"]}
            clues = {tuple(cell) for cell in move["clues"]}
            if not cells or cells & opened or not clues <= opened:
                found.append(f"move {number}: cells are open, or clues are not")
            elif cells & mines:
                found.append(f"move {number}: a mine is opened")
                break
            elif not is_forced(
                cells,
                clues,
                board["mines"] if move["total"] else None,
                every - opened,
                shown,
                shape,
            ):
                found.append(f"move {number}: a guess")
            for cell in cells - opened:
                open_area(cell)
        if opened != every - mines:
            found.append("the game is not won")
        return found

    return read
