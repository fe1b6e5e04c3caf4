"""The table of contenders in classification, and which of them are skipped here and why.

Beside our own there are plain versions of other approaches: loops over PySAT, CP-SAT cell by cell,
and ms_toollib. Each takes a record's text and whether the total counts, and gives the verdicts of
all cells (``rows * columns`` characters, ``S M ? .``) with the number of solver calls.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Any, Final, NamedTuple

from pbcnf import ENCODERS
from pbcnf.encoders.table import expresses
from satsweeper import Position, classify
from satsweeper.position import KEEP
from satsweeper.solvers.table import SOLVERS
from scripts.bench.output import missing


class Answer(NamedTuple):
    """Verdicts as text, and the number of solver calls (None: the contender calls no solver)."""

    verdicts: str
    calls: int | None


class Board(NamedTuple):
    """A board as text, for the contenders in plain Python.

    A cell is an index of ``text``, which holds the rows with a blank after each row, and a row of
    blanks before and after them. ``clues``: clue cell -> (number, covered neighbours). ``mines`` is
    the total, -1 if unknown.
    """

    rows: int
    columns: int
    mines: int
    text: str
    covered: list[int]
    clues: dict[int, tuple[int, list[int]]]

    def place(self, cell: int) -> tuple[int, int]:
        """Return row and column of a cell."""
        row, column = divmod(cell, self.columns + 1)
        return row - 1, column


def read_lines(text: str) -> tuple[int, int, int, list[str]]:
    """Parse a board: return its rows, columns, total (-1: unknown) and the lines of its rows.

    Lines that begin with ``;`` are comments.
    """
    header, *lines = [line for line in text.splitlines() if not line.startswith(";")]
    rows, columns, mines = (-1 if word == "?" else int(word) for word in header.split())
    return rows, columns, mines, lines


def read_board(text: str) -> Board:
    """Parse a board; only clues with covered neighbours are kept."""
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
    """Return the differences from a cell to its eight neighbours, as indices of a board's text."""
    width = columns + 1
    return (-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1)


def verdict_text(board: Board, verdict: dict[int, str]) -> str:
    """Return the verdicts of all cells row by row; covered cells without a verdict are unknown."""
    cells = [verdict.get(cell, "?") if s == "#" else "." for cell, s in enumerate(board.text)]
    width = board.columns + 1
    rows = range(width, len(cells) - width, width)
    return "".join("".join(cells[start : start + board.columns]) for start in rows)


def variables(board: Board, with_total: bool) -> dict[int, int]:
    """Return a variable for each cell next to a clue, or with a total for each covered cell."""
    near = dict.fromkeys(cell for _, around in board.clues.values() for cell in around)
    cells = board.covered if with_total else near
    return {cell: k for k, cell in enumerate(cells, 1)}


def direct_clauses(board: Board, x: dict[int, int]) -> Iterator[list[int]]:
    """Yield the clauses of all clues: exactly ``number`` of the covered neighbours are mines."""
    for number, around in board.clues.values():
        # Of any number + 1 neighbours one is safe, and of any len - number + 1 one is a mine. These
        # clauses are all prime implicates of the clue, so unit propagation is complete.
        literals = [x[cell] for cell in around]
        yield from ([-v for v in chosen] for chosen in combinations(literals, number + 1))
        if number:
            yield from map(list, combinations(literals, len(literals) - number + 1))


def two_per_cell(solver: Any, literals: Iterable[int]) -> dict[int, str]:
    """Return the verdict of each variable by two solver calls: can the cell be a mine, or safe?"""
    verdict = {}
    for v in literals:
        can_be_mine = solver.solve(assumptions=[v])
        can_be_safe = solver.solve(assumptions=[-v])
        if not can_be_mine and not can_be_safe:
            raise RuntimeError("the position has no layout")
        verdict[v] = "?" if can_be_mine and can_be_safe else "M" if can_be_mine else "S"
    return verdict


def pysat_loop(text: str, with_total: bool, *, solver: str, cardenc: bool) -> Answer:
    """Answer by a PySAT solver, with one assumption for each verdict of each cell.

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
                    live.append_formula(equals(around, number))
        else:
            live.append_formula(direct_clauses(board, x))
        if with_total:
            live.append_formula(equals(board.covered, board.mines))
        found = two_per_cell(live, x.values())
    verdict = {cell: found[v] for cell, v in x.items()}
    return Answer(verdict_text(board, verdict), 2 * len(x))


def cp_sat(text: str, with_total: bool) -> Answer:
    """Answer by CP-SAT, with a model that maximises and one that minimises each covered cell.

    CP-SAT chooses the number of its workers; CPU time counts all workers.
    """
    from ortools.sat.python import cp_model

    board = read_board(text)
    around = neighbours(board.columns)

    def extreme(asked: int, upwards: bool) -> int:
        model = cp_model.CpModel()
        cells = [cell for cell, symbol in enumerate(board.text) if symbol != " "]
        x = {cell: model.new_bool_var(str(cell)) for cell in cells}
        for cell, symbol in enumerate(board.text):
            if symbol not in "# ":
                model.add(x[cell] == 0)
                model.add(sum(x[cell + d] for d in around if cell + d in x) == int(symbol))
        if with_total:
            model.add(sum(x.values()) == board.mines)
        (model.maximize if upwards else model.minimize)(x[asked])
        solver = cp_model.CpSolver()
        solver.parameters.catch_sigint_signal = False  # Ctrl-C ends the benchmark, not one model
        status = solver.solve(model)
        if status != cp_model.OPTIMAL:
            raise RuntimeError(f"CP-SAT: {solver.status_name(status)}")
        return int(solver.value(x[asked]))

    # A cell whose maximum is 0 is safe, and a cell whose minimum is 1 is a mine.
    verdict = {cell: "S?M"[extreme(cell, True) + extreme(cell, False)] for cell in board.covered}
    return Answer(verdict_text(board, verdict), 2 * len(board.covered))


def ms_toollib_deduction(text: str, with_total: bool) -> Answer:
    """Answer by ms_toollib's Rust deduction: subset and subtraction rules, bounded enumeration."""
    import ms_toollib

    _, _, _, lines = read_lines(text)
    cells = _toollib_cells(lines)
    marked, safe, mines = ms_toollib.get_all_not_and_is_mine_on_board(cells)
    # ms_toollib lists some of the certain cells and marks the others in the board, where 10 is
    # unknown, 11 a mine and 12 safe; here the listed cells are marked as well.
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
    """Answer by ms_toollib's Rust probabilities, which need the total: 0 is safe, 1 is a mine."""
    lines, odds = ms_toollib_odds(text)
    verdicts = [
        ("S" if p <= 0 else "M" if p >= 1 else "?") if symbol == "#" else "."
        for line, chances in zip(lines, odds, strict=True)
        for symbol, p in zip(line, chances, strict=True)
    ]
    return Answer("".join(verdicts), None)


def ms_toollib_odds(text: str) -> tuple[list[str], list[list[float]]]:
    """Return the rows of a board and ms_toollib's probabilities; ValueError without a total."""
    import ms_toollib

    _, _, mines, lines = read_lines(text)
    if mines < 0:
        raise ValueError("it needs the total")
    return lines, ms_toollib.cal_probability_onboard(_toollib_cells(lines), mines)[0]


def _toollib_cells(lines: list[str]) -> list[list[int]]:
    """Return cells in ms_toollib's codes: a covered cell is 10."""
    return [[10 if symbol == "#" else int(symbol) for symbol in line] for line in lines]


BASELINE: Final = "pysat-loop"
TOOLLIB: Final = ("ms_toollib-deduction", "ms_toollib-probability")
DOTS: Final = str.maketrans("012345678F", "." * 10)
"""Characters of a grid without a verdict -> a dot."""


class Contender(NamedTuple):
    """A contender that classifies positions.

    Args:
        name: name of the contender.
        run: ``run(text, with_total)`` returns the verdicts of a record's text.
        total: whether the contender always (True) or never (False) uses the total; None for a
            contender that uses the total if ``with_total`` is true.
        complete: whether the contender claims to find every certain cell.
        judged: whether a wrong verdict fails the benchmark; else wrong verdicts are only counted.
        slow: whether a position takes seconds, so that few positions of a class are tried.
    """

    name: str
    run: Callable[[str, bool], Answer]
    total: bool | None = None
    complete: bool = True
    judged: bool = True
    slow: bool = False

    def question(self, with_total: bool) -> bool:
        """Whether the contender uses the total, asked with or without it."""
        return with_total if self.total is None else self.total


def ours(text: str, with_total: bool, **options: Any) -> Answer:
    """Answer by ``satsweeper.classify`` with ``options``."""
    position = Position.parse(text, mines=KEEP if with_total else None)
    found = classify(position, **options)
    if found.status != "consistent":
        raise RuntimeError(f"status {found.status}")
    return Answer("".join(found.grid()).translate(DOTS), found.stats.sat_calls)


_DIRECT: Final = partial(pysat_loop, cardenc=False)
_FIXED: Final = {
    contender.name: contender
    for contender in (
        Contender("ours", ours),
        Contender("ours-known", lambda text, _: ours(text, True), total=True),
        Contender("plain", partial(ours, plain=True)),
        Contender(BASELINE, partial(_DIRECT, solver="cadical153")),
        Contender("pysat-loop-minisat22", partial(_DIRECT, solver="minisat22")),
        Contender("pysat-cardenc", partial(pysat_loop, solver="cadical153", cardenc=True)),
        Contender("cp-sat", cp_sat, slow=True),
        Contender(TOOLLIB[0], ms_toollib_deduction, total=False, complete=False, judged=False),
        Contender(TOOLLIB[1], ms_toollib_probability, total=True, judged=False),
    )
}


def find_contenders(
    names: Sequence[str] | None, encodings: Sequence[str], solvers: Sequence[str]
) -> tuple[list[Contender], dict[str, str]]:
    """Return the contenders ``names`` (None: the usual ones), and skipped names with the reason.

    ``encodings`` and ``solvers`` add contenders ``ours/NAME``; ``["all"]`` adds all of them.

    Raises ``ValueError`` for a name that no contender has.
    """
    chosen, skipped = [], {}
    known = {*_FIXED, *(f"ours/{name}" for name in (*ENCODERS, *SOLVERS))}
    wanted = list(_FIXED if names is None else names)
    wanted += [f"ours/{name}" for name in (ENCODERS if "all" in encodings else encodings)]
    wanted += [f"ours/{name}" for name in (SOLVERS if "all" in solvers else solvers)]
    for name in dict.fromkeys(wanted):
        if name not in known:
            raise ValueError(f"no contender {name!r} (there are {', '.join(sorted(known))})")
        option, reason = name.partition("/")[2], None
        if name in ("cp-sat", *TOOLLIB):
            # The packages are imported here, so that no measurement includes an import.
            package = {"cp-sat": "ortools.sat.python.cp_model"}.get(name, "ms_toollib")
            reason = missing(package)
        # A clue is "exactly k of n" with n up to 8, so an encoder must express all such bounds.
        elif option in ENCODERS and not all(
            expresses(ENCODERS[option], 8, bound, bound) for bound in range(1, 8)
        ):
            reason = "it cannot express a clue"
        if reason:
            skipped[name] = reason
        elif name in _FIXED:
            chosen.append(_FIXED[name])
        else:
            given: dict[str, Any] = {"encoding" if option in ENCODERS else "solver": option}
            chosen.append(Contender(name, partial(ours, **given)))
    return chosen, skipped
