"""An independent reading of a proof: plain sets, and a solver on formulas that are written here."""

from itertools import combinations

import pytest
from pysat.solvers import Minisat22

from tests.play.cells import cells_of, clue_of, neighbours


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
        every = set(cells_of(shape))
        mines = {(r, c) for r, c in every if rows[r][c] == "*"}
        shown = {cell: clue_of(cell, mines) for cell in every - mines}
        opened = set()

        def open_area(cell):
            waiting = {cell}
            while waiting:
                each = waiting.pop()
                opened.add(each)
                if shown[each] == 0:
                    waiting |= neighbours(each, shape) - opened

        if len(mines) != board["mines"] or shape != (board["rows"], board["columns"]):
            return ["another size"]
        start = tuple(board["start"])
        if start in mines:
            return ["the first cell is a mine"]
        open_area(start)
        found = []
        for at, move in enumerate(board["moves"]):
            cells = {tuple(cell) for cell in move["cells"]}
            clues = {tuple(cell) for cell in move["clues"]}
            if not cells or cells & opened or not clues <= opened:
                found.append(f"move {at}: cells are open, or clues are not")
            elif cells & mines:
                found.append(f"move {at}: a mine is opened")
                break
            elif not is_forced(
                cells,
                clues,
                board["mines"] if move["total"] else None,
                every - opened,
                shown,
                shape,
            ):
                found.append(f"move {at}: a guess")
            for cell in cells - opened:
                open_area(cell)
        if opened != every - mines:
            found.append("the game is not won")
        return found

    return read
