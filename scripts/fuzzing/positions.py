"""Random small boards: every shape, consistent or not, total known, unknown or wrong."""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from random import Random
from typing import Final, Literal, NamedTuple

from pbcnf import ENCODERS
from pbcnf.encoders.table import expresses
from satsweeper import Position
from scripts.fuzzing.truth import MOST_CELLS, Cell, Truth, WrongAnswerError, around, attempt, reach

Flags = Literal["trust", "ignore"]
Shape = tuple[int, int, set[Cell]]
"""Rows, columns, and the hidden cells; all other cells are open."""


class Case(NamedTuple):
    """A board as rows of text, its total, the reading of its flags, and kinds for statistics."""

    rows: tuple[str, ...]
    mines: int | None
    flags: Flags
    kinds: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the board as a file in the plain notation."""
        head = f"{len(self.rows)} {len(self.rows[0])} {'?' if self.mines is None else self.mines}"
        return "\n".join([head, *self.rows, ""])

    def seen(self) -> tuple[str, ...]:
        """Return the rows under the reading of flags: ignored flags are covered cells."""
        return self.rows if self.flags == "trust" else tuple(r.replace("F", "?") for r in self.rows)

    def truth(self) -> Truth:
        """Return the truth about the position."""
        return Truth(self.seen(), self.mines)


def draw(rng: Random) -> Case:
    """Return a random board of at most MOST_CELLS hidden cells."""
    shape = rng.choices(list(SHAPES), list(SHAPES.values()))[0]
    rows, columns, hidden = _shape(rng, shape)
    # Half of the boards are turned upside down, and half have rows and columns exchanged.
    if rng.random() < 0.5:
        hidden = {(rows - 1 - r, c) for r, c in hidden}
    if rng.random() >= 0.5:
        rows, columns, hidden = columns, rows, {(c, r) for r, c in hidden}
    density = rng.choice((0.1, 0.2, 0.3, 0.4, 0.6, 0.9))
    mines = {cell for cell in sorted(hidden) if rng.random() < density}
    grid = [["?"] * columns for _ in range(rows)]
    opened = [cell for cell in _cells(rows, columns) if cell not in hidden]
    near = reach(hidden)
    for r, c in opened:
        grid[r][c] = str(len(mines & around((r, c)))) if (r, c) in near else "0"
    clues = _spoil(rng, grid, opened, hidden, mines)
    flagged, flags = _flag(rng, grid, hidden, mines)
    known, total = _total(rng, len(mines), rows * columns)
    kinds = (f"shape {shape}", f"clues {clues}", f"total {known}", f"flags {flagged}")
    return Case(tuple("".join(row) for row in grid), total, flags, (*kinds, f"reading {flags}"))


def _spoil(
    rng: Random, grid: list[list[str]], opened: list[Cell], hidden: set[Cell], mines: set[Cell]
) -> str:
    """Make clues wrong, and return how: one or two clues, clues of another layout, all, or none."""
    drawn = rng.random()
    if drawn < 0.68 or not opened:
        return "true"
    if drawn < 0.83:
        for r, c in rng.sample(opened, min(len(opened), rng.choice((1, 1, 1, 2)))):
            near = max(0, min(8, int(grid[r][c]) + rng.choice((-1, 1))))
            grid[r][c] = str(near if rng.random() < 0.7 else rng.randint(0, 8))
        return "spoilt"
    if drawn < 0.97 and hidden:
        # Clues near one or two cells are those of another layout, so that each clue by itself can
        # be met.
        moved = set(rng.sample(sorted(hidden), min(len(hidden), rng.randint(1, 2))))
        beside = reach(moved)
        share = rng.choice((0.2, 0.5, 0.8))
        for r, c in opened:
            if (r, c) in beside and rng.random() < share:
                grid[r][c] = str(len((mines ^ moved) & around((r, c))))
        return "mixed"
    for r, c in rng.sample(opened, min(len(opened), 100)):
        grid[r][c] = rng.choice("0111223345678")
    return "random"


def _flag(
    rng: Random, grid: list[list[str]], hidden: set[Cell], mines: set[Cell]
) -> tuple[str, Flags]:
    drawn = rng.random()
    among = [] if drawn < 0.6 else sorted(mines if drawn < 0.85 else hidden)
    most = len(among) if rng.random() < 0.4 else min(len(among), 4)
    flagged = rng.sample(among, rng.randint(1, most)) if among else []
    for r, c in flagged:
        grid[r][c] = "F"
    flags: Flags = "ignore" if rng.random() < (0.4 if flagged else 0.1) else "trust"
    return "none" if not flagged else "right" if mines >= set(flagged) else "wrong", flags


def _total(rng: Random, mines: int, cells: int) -> tuple[str, int | None]:
    drawn = rng.random()
    if drawn < 0.4:
        return "unknown", None
    if drawn < 0.8:
        return "right", mines
    near = mines + rng.choice((-2, -1, -1, 1, 1, 2))
    total = near if 0 <= near <= cells and rng.random() < 0.7 else rng.randint(0, cells)
    return "right" if total == mines else "wrong", total


def _cells(rows: int, columns: int) -> list[Cell]:
    return [(r, c) for r in range(rows) for c in range(columns)]


def _some(rng: Random, rows: int, columns: int) -> Shape:
    cells = _cells(rows, columns)
    most = min(len(cells), MOST_CELLS)
    count = rng.choice((most, rng.randint(1, most), rng.randint(1, most)))
    return rows, columns, set(rng.sample(cells, count))


def _patch(rng: Random, rows: int, columns: int, size: int, forbidden: set[Cell]) -> set[Cell]:
    """Return a connected set of ``size`` cells that avoids ``forbidden``, smaller without room."""
    free = [cell for cell in _cells(rows, columns) if cell not in forbidden]
    left, patch, near = set(free), set[Cell](), set[Cell]()
    while free and len(patch) < size:
        cell = rng.choice(sorted(near) if near else free)
        patch.add(cell)
        left.discard(cell)
        near = (near | around(cell)) & left
        if not near:
            break
    return patch


def _along(rng: Random, rows: int, columns: int) -> Shape:
    deep = 1 if rows == 1 or rng.random() < 0.7 else 2
    most = min(columns, MOST_CELLS // deep)
    # A line across the whole board has no end at which a single clue decides a cell.
    length = most if rng.random() < 0.5 else rng.randint(1, most)
    first = rng.randint(0, columns - length)
    return rows, columns, {(r, c) for r in range(deep) for c in range(first, first + length)}


def _game(rng: Random) -> Shape:
    """Return the hidden cells of a game in which zeros have opened their neighbours."""
    rows, columns = rng.randint(4, 9), rng.randint(4, 9)
    cells = _cells(rows, columns)
    mines = set(rng.sample(cells, rng.randint(1, min(12, len(cells) // 3))))
    hidden = set(cells)
    stop = rng.randint(max(len(mines), 4), MOST_CELLS)
    order = rng.sample([cell for cell in cells if cell not in mines], len(cells) - len(mines))
    for first in order:
        if len(hidden) <= stop:
            break
        reached = {first}
        while reached:
            cell = reached.pop()
            hidden.discard(cell)
            if not mines & around(cell):
                reached |= around(cell) & hidden
    return rows, columns, hidden


def _shape(rng: Random, name: str) -> Shape:
    """Return a random shape of the kind ``name``, with at most MOST_CELLS hidden cells."""
    if name == "strip":
        return _some(rng, 1, rng.randint(1, 24))
    if name == "block":
        return _some(rng, rng.randint(1, 6), rng.randint(1, 6))
    if name == "square":
        return 4, 4, set(rng.sample(_cells(4, 4), rng.randint(10, 16)))
    if name == "frontier":
        rows, columns = rng.randint(2, 8), rng.randint(2, 8)
        return rows, columns, _patch(rng, rows, columns, rng.randint(1, MOST_CELLS), set())
    if name == "islands":
        # Separate covered regions, some of them of a single cell.
        rows, columns = rng.randint(3, 9), rng.randint(3, 9)
        count = rng.randint(2, 4)
        hidden: set[Cell] = set()
        for _ in range(count):
            size = rng.choice((1, rng.randint(1, MOST_CELLS // count)))
            hidden |= _patch(rng, rows, columns, size, reach(hidden))
        return rows, columns, hidden
    if name == "interior":
        # All cells covered except a few along one side, so that most cells touch no clue.
        rows, columns = rng.choice(((3, 5), (4, 4), (4, 5), (3, 6), (2, 9), (5, 4)))
        cells = _cells(rows, columns)
        opened = max(rng.randint(1, 3), len(cells) - MOST_CELLS)
        return rows, columns, set(cells[opened:] if rng.random() < 0.5 else cells[:-opened])
    if name == "border":
        # Either the clues or the covered cells lie along the edges of the board.
        sizes = ((6, 6), (5, 6), (4, 7), (5, 5), (4, 4), (3, 7), (3, 3), (4, 6))
        rows, columns = rng.choice(sizes)
        inner = {(r, c) for r in range(1, rows - 1) for c in range(1, columns - 1)}
        outer = {*_cells(rows, columns)} - inner
        return rows, columns, set(sorted(inner if rng.random() < 0.5 else outer)[:MOST_CELLS])
    if name == "closed":
        # No clue at all.
        rows = rng.randint(1, 4)
        columns = rng.randint(1, MOST_CELLS // rows)
        return rows, columns, {*_cells(rows, columns)}
    if name == "opened":
        # No covered cell at all.
        return rng.randint(1, 4), rng.randint(1, 4), set()
    if name == "game":
        return _game(rng)
    if name == "edge":
        # One or two lines along an edge, with clues on one side only.
        return _along(rng, rng.randint(2, 4), rng.randint(3, MOST_CELLS))
    if name == "wall":
        # A line between clues on both sides, some of which are hidden too.
        columns = rng.randint(3, 10)
        sides = [(r, c) for r in (0, 2) for c in range(columns) if rng.random() < 0.4]
        return 3, columns, {(1, c) for c in range(columns)} | set(sides[: MOST_CELLS - columns])
    # vast: a few hidden cells on a board that is large enough for the code with numpy arrays.
    rows, columns = rng.choice(((90, 95), (145, 145), (1100, 8), (2600, 8), (8200, 1)))
    if rng.random() < 0.5:
        return _along(rng, rows, columns)
    hidden = set()
    for _ in range(rng.randint(1, 2)):
        hidden |= _patch(rng, rows, columns, rng.randint(1, MOST_CELLS // 2), hidden)
    return rows, columns, hidden


SHAPES: Final = {
    "strip": 80, "block": 110, "square": 70, "frontier": 150, "islands": 120, "interior": 77,
    "border": 70, "closed": 30, "opened": 10, "game": 150, "edge": 80, "wall": 50, "vast": 3,
}  # fmt: skip
"""Name of a shape -> its frequency in a thousand boards."""


@cache
def whole_encoders() -> tuple[str, ...]:
    """Return the encoders that express every bound."""
    return tuple(name for name, each in ENCODERS.items() if expresses(each, 5, 2, 3))


def position_of(case: Case) -> Position:
    """Return the position of ``case``, made from its text.

    Readers refuse a clue above the number of its hidden neighbours; then an array is used.
    """
    if not out_of_reach(case):
        return attempt("Position.parse(text)", lambda: Position.parse(case.text()))
    codes = {"?": -1, "F": -2}
    cells = [[codes[s] if s in codes else int(s) for s in row] for row in case.rows]
    return attempt("Position(cells, mines)", lambda: Position(cells, case.mines))


@lru_cache(maxsize=1)
def out_of_reach(case: Case) -> bool:
    """Return whether a clue has too few hidden neighbours to be met, which every reader refuses."""
    hidden = {(r, c) for r, row in enumerate(case.rows) for c, s in enumerate(row) if s in "?F"}
    return any(
        symbol in "12345678" and int(symbol) > len(around((r, c)) & hidden)
        for r, row in enumerate(case.rows)
        for c, symbol in enumerate(row)
    )


def smallest(
    case: Case, wrong: WrongAnswerError, again: Callable[[Case], WrongAnswerError | None]
) -> tuple[Case, WrongAnswerError]:
    """Return a smaller board on which the check fails, and its wrong answer.

    ``again`` returns the wrong answer on a board, or None. Boards are made smaller step by step
    until no smaller board fails, or 400 boards have been tried.
    """
    left = 400
    smaller = _smaller(case)
    while (tried := next(smaller, None)) is not None and left:
        left -= 1
        still = again(tried)
        if still is not None:
            case, wrong, smaller = tried, still, _smaller(tried)
    return case, wrong


def _smaller(case: Case) -> Iterator[Case]:
    rows = case.rows
    half, middle = len(rows) // 2, len(rows[0]) // 2
    if half > 1:
        yield from (_with(case, part) for part in (rows[half:], rows[:half]))
    if middle > 1:
        yield _with(case, tuple(row[middle:] for row in rows))
        yield _with(case, tuple(row[:middle] for row in rows))
    if len(rows) > 1:
        yield from (_with(case, part) for part in (rows[1:], rows[:-1]))
    if len(rows[0]) > 1:
        yield _with(case, tuple(row[1:] for row in rows))
        yield _with(case, tuple(row[:-1] for row in rows))
    if case.mines is not None:
        yield Case(rows, None, case.flags)
    if case.flags == "ignore":
        yield Case(rows, case.mines, "trust")
    hidden = sum(row.count("?") + row.count("F") for row in rows)
    for r, row in enumerate(rows):
        for c, symbol in enumerate(row):
            if symbol == "F":
                yield _with(case, put(rows, r, c, "?"))
            elif symbol not in "?0":
                yield _with(case, put(rows, r, c, "0"))
                if hidden < MOST_CELLS:
                    yield _with(case, put(rows, r, c, str(int(symbol) - 1)))
    for r, row in enumerate(rows):
        for c, symbol in enumerate(row):
            if symbol == "?":
                yield _with(case, put(rows, r, c, "0"))


def _with(case: Case, rows: tuple[str, ...]) -> Case:
    mines = None if case.mines is None else min(case.mines, len(rows) * len(rows[0]))
    return Case(rows, mines, case.flags)


def put(rows: tuple[str, ...], r: int, c: int, symbol: str) -> tuple[str, ...]:
    """Return ``rows`` with ``symbol`` in row ``r``, column ``c``."""
    return (*rows[:r], rows[r][:c] + symbol + rows[r][c + 1 :], *rows[r + 1 :])
