"""Plain versions of other approaches: loops over PySAT, CP-SAT cell by cell, and ms_toollib.

Each takes a record's text and whether the total counts, and gives the verdicts of all cells
(``rows * columns`` characters, ``S M ? .``) with the number of solver calls.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """Verdicts as text, and the solver calls they took (None: there is no solver to call)."""

    verdicts: str
    calls: int | None


class Board(NamedTuple):
    """A board the plain way. A cell is a place in ``text``: the rows, a blank after each of them
    and a row of blanks before and after. ``clues``: clue cell -> (number, covered neighbours).
    """

    rows: int
    columns: int
    mines: int
    text: str
    covered: list[int]
    clues: dict[int, tuple[int, list[int]]]

    def place(self, cell: int) -> tuple[int, int]:
        """Row and column of a cell."""
        row, column = divmod(cell, self.columns + 1)
        return row - 1, column


def read_lines(text: str) -> tuple[int, int, int, list[str]]:
    """Rows, columns, mines (-1: not known) and the rows; comment lines begin with ``;``."""
    header, *lines = [line for line in text.splitlines() if not line.startswith(";")]
    rows, columns, mines = (-1 if word == "?" else int(word) for word in header.split())
    return rows, columns, mines, lines


def read_board(text: str) -> Board:
    """The board with the clues that have covered neighbours."""
    rows, columns, mines, lines = read_lines(text)
    blank = " " * (columns + 1)
    cells = blank + "".join(line + " " for line in lines) + blank
    around = neighbours(columns)
    covered = [cell for cell, symbol in enumerate(cells) if symbol == "#"]
    touched = {cell + d for cell in covered for d in around}
    clues = {
        cell: (int(cells[cell]), [cell + d for d in around if cells[cell + d] == "#"])
        for cell in sorted(touched)
        if cells[cell] not in "# "
    }
    return Board(rows, columns, mines, cells, covered, clues)


def neighbours(columns: int) -> tuple[int, ...]:
    """From a cell to the eight around it, on a board with a blank after each row."""
    width = columns + 1
    return (-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1)


def verdict_text(board: Board, verdict: dict[int, str]) -> str:
    """All cells row by row; covered cells without a verdict are unknown."""
    cells = ["."] * len(board.text)
    for cell in board.covered:
        cells[cell] = verdict.get(cell, "?")
    text = "".join(cells)
    width = board.columns + 1
    return "".join(text[r * width : r * width + board.columns] for r in range(1, board.rows + 1))


def variables(board: Board, with_total: bool) -> dict[int, int]:
    """A variable per cell that matters: next to a clue, or every covered one with a total."""
    cells = (
        board.covered
        if with_total
        else dict.fromkeys(cell for _, around in board.clues.values() for cell in around)
    )
    return {cell: k for k, cell in enumerate(cells, 1)}


def direct_clauses(board: Board, x: dict[int, int]) -> Iterator[list[int]]:
    """Exactly n of the neighbours: no n + 1 are mines, of every len - n + 1 one is."""
    for number, around in board.clues.values():
        literals = [x[cell] for cell in around]
        yield from ([-v for v in some] for some in combinations(literals, number + 1))
        if number:
            yield from map(list, combinations(literals, len(literals) - number + 1))


def two_per_cell(solver: Any, literals: Iterable[int]) -> dict[int, str]:
    """The verdict of each variable: can it be a mine, can it be safe."""
    verdict = {}
    for v in literals:
        can_be_mine = solver.solve(assumptions=[v])
        can_be_safe = solver.solve(assumptions=[-v])
        if not can_be_mine and not can_be_safe:
            raise RuntimeError("the position has no layout")
        verdict[v] = "?" if can_be_mine and can_be_safe else "M" if can_be_mine else "S"
    return verdict


def pysat_loop(text: str, with_total: bool, *, solver: str, cardenc: bool) -> Answer:
    """Two assumptions a cell on a PySAT solver.

    The clues are the direct CNF, or ``CardEnc.equals`` (sequential counter) with a variable pool.
    A total is always ``CardEnc.equals`` over all covered cells.
    """
    from pysat.card import CardEnc, EncType
    from pysat.formula import IDPool
    from pysat.solvers import Solver

    board = read_board(text)
    x = variables(board, with_total)
    pool = IDPool(start_from=len(x) + 1)

    def equals(cells: Iterable[int], bound: int) -> Any:
        literals = [x[cell] for cell in cells]
        return CardEnc.equals(literals, bound, vpool=pool, encoding=EncType.seqcounter).clauses

    with Solver(name=solver) as live:
        if cardenc:
            for number, around in board.clues.values():
                if around:
                    for clause in equals(around, number):
                        live.add_clause(clause)
        else:
            for clause in direct_clauses(board, x):
                live.add_clause(clause)
        if with_total:
            for clause in equals(board.covered, board.mines):
                live.add_clause(clause)
        found = two_per_cell(live, x.values())
    verdict = {cell: found[v] for cell, v in x.items()}
    return Answer(verdict_text(board, verdict), 2 * len(x))


def cp_sat(text: str, with_total: bool) -> Answer:
    """CP-SAT: a model to maximise and a model to minimise each covered cell.

    Workers as CP-SAT chooses; CPU time counts all of them.
    """
    from ortools.sat.python import cp_model

    board = read_board(text)
    around = neighbours(board.columns)

    def extreme(asked: int, upwards: bool) -> int:
        model = cp_model.CpModel()
        x = {
            cell: model.new_bool_var(str(cell))
            for cell, symbol in enumerate(board.text)
            if symbol != " "
        }
        for cell, symbol in enumerate(board.text):
            if symbol not in "# ":
                model.add(x[cell] == 0)
                model.add(sum(x[cell + d] for d in around if cell + d in x) == int(symbol))
        if with_total:
            model.add(sum(x.values()) == board.mines)
        if upwards:
            model.maximize(x[asked])
        else:
            model.minimize(x[asked])
        solver = cp_model.CpSolver()
        solver.parameters.catch_sigint_signal = False  # Ctrl-C ends the benchmark, not one model
        status = solver.solve(model)
        if status != cp_model.OPTIMAL:
            raise RuntimeError(f"CP-SAT: {solver.status_name(status)}")
        return int(solver.value(x[asked]))

    verdict = {}
    cells = board.covered
    for cell in cells:
        can_be_mine = extreme(cell, True)
        must_be_mine = extreme(cell, False)
        verdict[cell] = "M" if must_be_mine else "?" if can_be_mine else "S"
    return Answer(verdict_text(board, verdict), 2 * len(cells))


def ms_toollib_deduction(text: str, with_total: bool) -> Answer:
    """ms_toollib's Rust deduction: subset and subtraction rules, then bounded enumeration."""
    import ms_toollib

    _, _, _, lines = read_lines(text)
    cells = _toollib_cells(lines)
    marked, safe, mines = ms_toollib.get_all_not_and_is_mine_on_board(cells)
    # It lists some of what it finds and marks the rest: 10 unknown, 11 a mine, 12 safe.
    for r, c in safe:
        marked[r][c] = 12
    for r, c in mines:
        marked[r][c] = 11
    verdicts = [
        "?MS"[mark - 10] if symbol == "#" else "."
        for line, marks in zip(lines, marked, strict=True)
        for symbol, mark in zip(line, marks, strict=True)
    ]
    return Answer("".join(verdicts), None)


def ms_toollib_probability(text: str, with_total: bool) -> Answer:
    """ms_toollib's Rust probabilities, which need the total: 0 is safe, 1 is a mine."""
    import ms_toollib

    _, _, mines, lines = read_lines(text)
    if mines < 0:
        raise ValueError("it needs the total")
    odds, _ = ms_toollib.cal_probability_onboard(_toollib_cells(lines), mines)
    verdicts = [
        ("S" if p <= 0 else "M" if p >= 1 else "?") if symbol == "#" else "."
        for line, chances in zip(lines, odds, strict=True)
        for symbol, p in zip(line, chances, strict=True)
    ]
    return Answer("".join(verdicts), None)


def _toollib_cells(lines: list[str]) -> list[list[int]]:
    """Return cells in ms_toollib's codes: a covered cell is 10."""
    return [[10 if symbol == "#" else int(symbol) for symbol in line] for line in lines]
