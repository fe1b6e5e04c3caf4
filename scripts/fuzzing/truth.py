"""The truth about a small board by all assignments of its hidden cells, without our packages.

A truth table is one integer: bit ``a`` tells whether assignment ``a`` (hidden cell ``i`` is a mine
if bit ``i`` of ``a`` is 1) meets a condition. So ``&`` joins conditions, and counting bits counts
layouts. Every clue, every flag and the total is a condition of its own.

Classifications, conflicts and explanations of our packages are compared with the truth tables.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from satsweeper import Classification, Conflict, Explanation

MOST_CELLS: Final = 16
"""Largest number of hidden cells of a board; a truth table then has 8 KiB."""

Cell = tuple[int, int]
Verdicts = dict[Cell, str]


@lru_cache(maxsize=10_000)
def around(cell: Cell) -> frozenset[Cell]:
    """Return a cell and its eight neighbours, on the board or not."""
    r, c = cell
    return frozenset((r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1))


def reach(cells: Iterable[Cell]) -> set[Cell]:
    """Return ``cells`` and all their neighbours, on the board or not."""
    return set[Cell]().union(*map(around, cells))


@lru_cache(maxsize=MOST_CELLS + 1)
def columns(n: int) -> tuple[int, ...]:
    """Return, for each of n cells, the table of "the cell is a mine"."""
    # The table of cell i has 2^i zeros and 2^i ones in turn, zeros in the low bits. Division by
    # 2^(2^i) + 1 gives the opposite table, with ones in the low half of each pair; xor inverts it.
    everything = (1 << (1 << n)) - 1
    return tuple(everything ^ everything // ((1 << (1 << i)) + 1) for i in range(n))


def exactly(n: int, members: Iterable[int], need: int) -> int:
    """Return the table of "exactly ``need`` of the cells ``members`` are mines".

    The columns of the cells are added up for all assignments at once: bit j of all sums is plane j.
    """
    planes: list[int] = []
    for member in members:
        carry = columns(n)[member]
        for j, plane in enumerate(planes):
            planes[j], carry = plane ^ carry, plane & carry
        if carry:
            planes.append(carry)
    table = (1 << (1 << n)) - 1
    for j, plane in enumerate(planes):
        table &= plane if need >> j & 1 else ~plane
    return table if need >> len(planes) == 0 else 0


@lru_cache(maxsize=MOST_CELLS + 1)
def by_mines(n: int) -> tuple[int, ...]:
    """Return, for each k from 0 to n, the table of the assignments with k mines."""
    return tuple(exactly(n, range(n), mines) for mines in range(n + 1))


class Truth:
    """All layouts of a board: rows of ``0`` to ``8``, ``?`` covered and ``F`` a flag on a mine.

    ``mines`` is the total, flags included; None if unknown. Each flag is a condition of its own: in
    `meeting` a flag that is left out does not make its cell a mine.
    """

    def __init__(self, rows: Sequence[str], mines: int | None) -> None:
        self.rows = tuple(rows)
        places = [(r, c) for r, row in enumerate(rows) for c in range(len(row))]
        self.covered = [(r, c) for r, c in places if rows[r][c] == "?"]
        self.flags = [(r, c) for r, c in places if rows[r][c] == "F"]
        hidden = [*self.covered, *self.flags]
        self.place = {cell: i for i, cell in enumerate(hidden)}
        self.n = n = len(hidden)
        if n > MOST_CELLS:
            raise ValueError(f"{n} hidden cells: at most {MOST_CELLS}")
        self.everything = (1 << (1 << n)) - 1
        self.clue: dict[Cell, int] = {}
        """Clue -> truth table."""
        self.touched: set[Cell] = set()
        beside = reach(self.place)
        for r, c in places:
            if rows[r][c] in "?F":
                continue
            if (r, c) not in beside:
                self.clue[r, c] = self.everything if rows[r][c] == "0" else 0
                continue
            near = around((r, c)) & self.place.keys()
            self.touched.update(near)
            at = [self.place[cell] for cell in near]
            self.clue[r, c] = exactly(n, at, int(rows[r][c]))
        self.mines = mines
        self.total = self.everything
        if mines is not None:
            self.total = by_mines(n)[mines] if mines <= n else 0
        self.layouts = self.meeting(self.clue, self.flags, True)

    def meeting(self, clues: Iterable[Cell], flags: Iterable[Cell], total: bool) -> int:
        """Return the table of the assignments that meet ``clues``, ``flags`` and the total.

        ``total`` False leaves the total out.
        """
        table = self.total if total else self.everything
        for clue in clues:
            table &= self.clue[clue]
        for flag in flags:
            table &= self.with_mine(flag)
        return table

    def with_mine(self, cell: Cell) -> int:
        """Return the table of "``cell`` is a mine"."""
        return columns(self.n)[self.place[cell]]

    @cached_property
    def verdicts(self) -> Verdicts:
        """The verdict of each covered cell; meaningless if there is no layout."""
        found = {}
        for cell in self.covered:
            mine = self.with_mine(cell)
            if not self.layouts & mine:
                found[cell] = "safe"
            else:
                found[cell] = "unknown" if self.layouts & ~mine else "mine"
        return found

    @cached_property
    def grid(self) -> list[str]:
        """The rows with ``S``, ``M`` or ``?`` in place of each covered cell."""
        letters = {"safe": "S", "mine": "M", "unknown": "?"}
        rows = [list(row) for row in self.rows]
        for (r, c), verdict in self.verdicts.items():
            rows[r][c] = letters[verdict]
        return ["".join(row) for row in rows]

    def chances(self, density: Fraction | None = None) -> dict[Cell, Fraction]:
        """Return the chance of a mine in each covered cell.

        With ``density`` each cell is a mine with this chance, independently of the others, before
        the conditions are known; None: all layouts are equally likely.
        """
        weights = [(self.layouts, Fraction(1))]
        if density is not None:
            weights = [
                (self.layouts & table, density**mines * (1 - density) ** (self.n - mines))
                for mines, table in enumerate(by_mines(self.n))
            ]

        def weight(cells: int) -> Fraction:
            return sum((w * (table & cells).bit_count() for table, w in weights), Fraction(0))

        total = weight(self.everything)
        return {cell: weight(self.with_mine(cell)) / total for cell in self.covered}

    def assignment(self, layout: Sequence[str]) -> int | None:
        """Return the number of a layout given as rows with ``M`` and ``S``.

        None if the rows differ from the board in size or in an open cell or flag.
        """
        number = 0
        if [len(row) for row in layout] != [len(row) for row in self.rows]:
            return None
        for r, (row, board_row) in enumerate(zip(layout, self.rows, strict=True)):
            for c, (shown, given) in enumerate(zip(row, board_row, strict=True)):
                if given == "?" and shown in "MS":
                    number |= (shown == "M") << self.place[r, c]
                elif shown != given:
                    return None
                elif given == "F":
                    number |= 1 << self.place[r, c]
        return number

    def some_layout(self, at: float) -> set[Cell]:
        """Return the mines of a layout; a layout must exist.

        ``at``, from 0 to 1, chooses the layout: the first at this share of all assignments or
        after.
        """
        start = int(at * (1 << self.n))
        table = self.layouts >> start << start or self.layouts
        number = (table & -table).bit_length() - 1
        return {cell for cell, i in self.place.items() if number >> i & 1}

    def wrong_conflict(
        self, clues: Sequence[Cell], flags: Sequence[Cell], total: bool, against: int
    ) -> str | None:
        """Return the fault of a conflict; None if the conditions are a right, irreducible one.

        The conditions ``clues``, ``flags`` and ``total`` must exclude all assignments of the table
        ``against``, and none of the conditions may be left out.
        """
        if not self.clue.keys() >= set(clues) or not set(self.flags) >= set(flags):
            return "names a cell that is no clue or no flag"
        if len({*clues, *flags}) != len(clues) + len(flags):
            return "names a cell twice"
        if total and self.mines is None:
            return "names a total, which is unknown"
        if self.meeting(clues, flags, total) & against:
            return "has a layout"
        for cell in clues:
            if not self.meeting([c for c in clues if c != cell], flags, total) & against:
                return f"needs no clue {cell}"
        for cell in flags:
            if not self.meeting(clues, [f for f in flags if f != cell], total) & against:
                return f"needs no flag {cell}"
        if total and not self.meeting(clues, flags, False) & against:
            return "needs no total"
        return None


T = TypeVar("T")


class HangError(BaseException):
    """A position took too long; no ``Exception``, so that code under test does not catch it."""

    call = ""
    """The call that was under way; empty if not known."""


class WrongAnswerError(Exception):
    """A wrong answer: the call, the true answer, and the answer that was given."""

    def __init__(self, call: str, expected: object, got: object) -> None:
        super().__init__(call, expected, got)
        self.call = call
        self.expected = str(expected)
        self.got = str(got)


def attempt(call: str, work: Callable[[], T]) -> T:
    """Return the value of ``work``; raise WrongAnswerError for an exception of ``work``."""
    try:
        return work()
    except HangError as late:
        late.call = call
        raise
    except Exception as error:
        got = f"{type(error).__name__}: {error}".replace("\n", " ")
        raise WrongAnswerError(call, "an answer", got) from error


def refused(call: str, kind: type[Exception], work: Callable[[], object]) -> None:
    """Raise WrongAnswerError unless ``work`` raises an exception of this ``kind``."""
    try:
        found = work()
    except kind:
        return
    except HangError as late:
        late.call = call
        raise
    except Exception as error:
        raise WrongAnswerError(call, kind.__name__, f"{type(error).__name__}: {error}") from error
    raise WrongAnswerError(call, kind.__name__, found)


def same(call: str, expected: object, got: object) -> None:
    """Raise WrongAnswerError if the answer ``got`` differs from the true answer ``expected``."""
    if expected != got:
        raise WrongAnswerError(call, expected, got)


def classification(call: str, found: "Classification", truth: Truth, complete: bool = True) -> None:
    """Check status, verdicts and conflict of a classification.

    Of an engine that is not ``complete``, and leaves the board undecided, only the certain cells
    are checked.
    """
    status = str(found.status)
    if not complete and status == "undecided":
        if truth.layouts:
            claimed = {cell: str(each) for cell, each in found.verdict.items() if each != "unknown"}
            true = {cell: truth.verdicts.get(cell) for cell in claimed}
            same(f"the certain cells of {call}", true, claimed)
        return
    same(f"{call}.status", "consistent" if truth.layouts else "inconsistent", status)
    if not truth.layouts:
        # No assignment meets the conflict, and without any one of its conditions some assignment
        # does.
        if found.conflict is None:
            raise WrongAnswerError(f"{call}.conflict", "a conflict", None)
        _clash(f"{call}.conflict", found.conflict, truth, truth.everything)
        return
    same(f"{call}.conflict", None, found.conflict)
    same(f"{call}.grid()", truth.grid, found.grid())
    verdict = {cell: str(each) for cell, each in found.verdict.items()}
    same(f"{call}.verdict", truth.verdicts, verdict)
    for name, cells in [("safe", found.safe), ("mine", found.mines), ("unknown", found.unknown)]:
        expected = [cell for cell, each in truth.verdicts.items() if each == name]
        same(f"the {name} cells of {call}", expected, cells)
        same(f"{call}.counts[{name!r}]", len(expected), found.counts[name])


def _clash(call: str, found: "Conflict", truth: Truth, against: int) -> None:
    fault = truth.wrong_conflict(found.clues, found.flags, found.total, against)
    if fault is not None or not found.irreducible:
        raise WrongAnswerError(call, "an irreducible set that clashes", f"{found}, which {fault}")


def explanation(call: str, found: "Explanation", truth: Truth, cell: Cell) -> None:
    """Check an explanation: its verdict, an irreducible reason, the layouts of an unknown cell."""
    expected = truth.verdicts[cell]
    same(f"{call}.verdict", expected, str(found.verdict))
    same(f"{call}.cell", cell, found.cell)
    if not found.sentence.strip():
        raise WrongAnswerError(f"{call}.sentence", "a sentence", found.sentence)
    mine = truth.with_mine(cell)
    layouts = (found.mine_layout, found.safe_layout)
    if expected != "unknown":
        same(f"the layouts of {call}", (None, None), layouts)
        if found.reason is None:
            raise WrongAnswerError(f"{call}.reason", "a reason", None)
        against = truth.everything & ~mine if expected == "mine" else mine
        _clash(f"{call}.reason", found.reason, truth, against)
        return
    same(f"{call}.reason", None, found.reason)
    for name, layout, table in zip(("mine", "safe"), layouts, (mine, ~mine), strict=True):
        number = None if layout is None else truth.assignment(layout)
        if number is None or not truth.layouts & table & 1 << number:
            true = f"a layout in which {cell} is {name}"
            raise WrongAnswerError(f"{call}.{name}_layout", true, layout)
