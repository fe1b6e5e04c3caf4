"""The proof of a game, checked line by line: every clause must follow from the board.

The file is LIDRUP; comments in it give the meaning of clauses and queries:

    c satsweeper game 1 ROWS COLUMNS MINES  the board; MINES may be ?
    c open R C CLUE                a cell is open and shows a number
    c mine R C                     a cell is taken for a mine: it has a flag
    c by open, by proved, by R C,  the reason for the input clauses below: known cells, the clue of
    c by count V, by total V       a cell, a count and its parts, the total less all other cells
    c count V K A [B]              V, V+1, ... mean "at least 1, 2, ..., K mines" in A and B
    c proved R C safe|mine [R C]   by a core; or by the core of an interchangeable cell
    c inconsistent                 by the empty core
    c classified SAFE MINES UNKNOWN    every covered cell has its verdict, and a layout is shown

Variable ``r * COLUMNS + c + 1`` is "(r, c) is a mine"; A and B are variables of cells, or first
variables of counts. The variables of counts ascend, and a count is part of one other count at the
most. An input clause that its stated reason does not imply is refused, so cores hold for the board.
Layouts are checked against the board, not against the clauses; a claim that all cells are
classified needs one, since of an inconsistent board every verdict and its opposite can be proved.
The checker shares no code with the writer of these files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pbcnf.proof.format_error import ProofFormatError
from pbcnf.proof.lidrup import Event, LidrupChecker
from satsweeper.checker.game.board import GameBoard
from satsweeper.checker.game.lemma_recheck import LemmaRecheck

# Input clauses, judged by arithmetic: one clue, a sum of parts or the total must imply the clause.
# Nothing is encoded again: literals that are all false leave the mines between two bounds, which
# must be impossible.


class GameCount(NamedTuple):
    """A group of ``size`` cells, and variables that mean "at least 1, 2, ..., ``most`` are mines".

    ``first``: the first of these variables, which are consecutive. ``parts``: the cells or counts
    that the group consists of, each by its first variable.
    """

    size: int
    first: int
    most: int
    parts: tuple[int, ...] = ()


def follows_from_cells(clause: Iterable[int], safe: int, mines: int) -> bool:
    """Whether a known cell satisfies ``clause``; ``safe`` and ``mines`` are bit boards."""
    known = mines, safe
    return any(known[lit < 0] >> abs(lit) - 1 & 1 for lit in clause)


def follows_from_clue(clause: Iterable[int], covered: int, safe: int, clue: int) -> bool:
    """Whether every layout of the cells around a clue satisfies a clause.

    Args:
        clause: over variables of cells; the variable of a cell is its bit plus 1.
        covered: the neighbours that may be mines, as a bit board.
        safe: the cells that are known to be safe.
        clue: how many of ``covered`` are mines.
    """
    # To falsify the clause, cells of negative literals must be mines, those of positive ones safe.
    must_hold, must_not = 0, 0
    for lit in clause:
        bit = 1 << abs(lit) - 1
        if bit & safe:
            if lit < 0:
                return True
        elif not bit & covered:
            return False
        elif lit < 0:
            must_hold |= bit
        else:
            must_not |= bit
    if must_hold & must_not:
        return True
    # All literals are false with these mines and these safe cells, and any others.
    least = must_hold.bit_count()
    return not least <= clue <= covered.bit_count() - must_not.bit_count()


def follows_from_counts(clause: Iterable[int], of: GameCount, parts: list[GameCount]) -> bool:
    """Whether ``clause`` holds for all numbers of mines in the ``parts`` of count ``of``."""
    ranges = _where_false(clause, [of, *parts])
    if ranges is None:
        return False
    # All literals false leave a range for the count and for each part. The count is the sum of its
    # parts, so ranges that do not meet contradict each other, and the clause holds.
    (least, most), *others = ranges
    return sum(low for low, _ in others) > most or sum(high for _, high in others) < least


def follows_from_range(clause: Iterable[int], of: GameCount, low: int, high: int) -> bool:
    """Whether ``clause`` holds whenever the count ``of`` is from ``low`` to ``high``."""
    ranges = _where_false(clause, [of])
    if ranges is None:
        return False
    ((least, most),) = ranges
    return max(least, low) > min(most, high)


def _where_false(clause: Iterable[int], counts: list[GameCount]) -> list[tuple[int, int]] | None:
    """Return the range of each count if all literals are false; None if a literal is no output."""
    ranges = [(0, count.size) for count in counts]
    for lit in clause:
        for at, count in enumerate(counts):
            # Variable first + k - 1 says "at least k": its negation limits the count to k - 1.
            least = abs(lit) - count.first + 1
            if 1 <= least <= count.most:
                low, high = ranges[at]
                ranges[at] = (max(low, least), high) if lit < 0 else (low, min(high, least - 1))
                break
        else:
            return None
    return ranges


class CountRegister:
    """The counts that a proof has introduced, by their first variable.

    Memory is linear in the statements of the proof.

    Args:
        size: variables 1 .. ``size`` are the cells, each a group of its own.
        wrong: makes the error for a wrong statement from a message.
    """

    def __init__(self, size: int, wrong: Callable[[str], ProofFormatError]) -> None:
        self._size, self._wrong = size, wrong
        self._last = size
        """The largest variable that is a cell or belongs to a count."""
        self._counts: dict[int, GameCount] = {}
        self._cells: dict[int, set[int]] = {}
        """First variable of a count -> its cells, unless the count is part of another count."""

    def add(self, first: int, most: int, parts: Sequence[int]) -> None:
        """Introduce a count of the mines in one group of cells, or in two groups together.

        Args:
            first: its first variable, above all that are cells or belong to counts.
            most: the largest number of mines that a variable of the count stands for.
            parts: the first variables of the groups; a count is a part of one other at the most.
        """
        if first <= self._last:
            raise self._wrong(f"variable {first} and those after it are not all new")
        # The set of the larger part takes in the cells of the smaller part, and becomes the set of
        # the count: a cell moves only into a set at least as large as its own, so moves are few.
        cells, *others = sorted(map(self.cells_of, parts), key=len, reverse=True)
        for other in others:
            if not cells.isdisjoint(other):
                raise self._wrong("a cell counts once")
            cells |= other
        if not 1 <= most <= len(cells):
            raise self._wrong("a count goes from 1 to the number of its cells at the most")
        for part in parts:
            self._cells.pop(part, None)
        self._cells[first] = cells
        self._counts[first] = GameCount(len(cells), first, most, tuple(parts))
        self._last = first + most - 1

    def __getitem__(self, first: int) -> GameCount:
        if 1 <= first <= self._size:
            return GameCount(1, first, 1)
        if first not in self._counts:
            raise self._wrong(f"{first} is neither a cell nor a count")
        return self._counts[first]

    def cells_of(self, first: int) -> set[int]:
        """Return the cells of the group ``first``, a cell or a count that is no part of another."""
        if 1 <= first <= self._size:
            return {first - 1}
        if first not in self._cells:
            known = first in self._counts
            fault = f"count {first} is a part of another one"
            raise self._wrong(fault if known else f"{first} is neither a cell nor a count")
        return self._cells[first]


SCHEMA: Final = "satsweeper/check-game/1"
_HEADER_LINE: Final = 2
_NO_HEADER: Final = "expected 'c satsweeper game 1 ROWS COLUMNS MINES'"
_NUMBER: Final = re.compile("0|[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class CheckedGame:
    """The claims about the board that a game's proof proves; ``grid`` has a character a cell.

    ``status``: of the last position; "consistent" by a layout that is shown, "inconsistent" by a
    refutation, "not shown" without either. ``guesses``: the fewest clicks on cells that were not
    proved to be safe, the first click included, that open all opened cells. ``classified``: number
    of positions with a layout and a verdict for every cell; ``complete``: whether the last position
    is classified.
    """

    rows: tuple[str, ...]
    grid: tuple[str, ...]
    mines: int | None
    status: str
    opened: int
    guesses: int
    classified: int
    complete: bool
    proved: int
    queries: int
    lemmas: int

    def as_json(self) -> dict[str, Any]:
        """The object that ``check --json`` prints."""
        found = dict(vars(self))
        board = {"rows": len(self.rows), "columns": len(self.rows[0]), "mines": found.pop("mines")}
        return {"schema": SCHEMA, "verified": True, "board": board} | found


class GameChecker:
    """Takes the proof of a game line by line.

    Raises ProofFormatError, from all methods, for the first thing that is wrong.
    """

    def __init__(self, source: str = "game") -> None:
        self._source = source
        self._proof = LidrupChecker(source)
        self._recheck = LemmaRecheck(source)
        self._board: GameBoard | None = None
        self._counts = CountRegister(0, self._wrong)
        self._reason: Callable[[tuple[int, ...]], bool] | None = None
        self._readers: Mapping[str, Callable[[list[str]], None]] = {
            "open": self._open, "mine": self._mine, "by": self._by, "count": self._count,
            "proved": self._prove, "classified": self._classify, "inconsistent": self._refute,
        }  # fmt: skip
        self._line, self._text = 0, b""
        self._classified = 0
        self._complete = False

    def read(self, lines: Iterable[bytes]) -> None:
        """Check ``lines``, without line ends; may be called again with the lines that follow."""
        for event in self._proof.events(self._noted(lines)):
            self._line = event.line
            if event.kind == "c":
                self._statement(event)
            elif event.kind == "i":
                # The reason stated last must imply the clause; then it needs no proof.
                if self._reason is None or not self._reason(event.literals):
                    text = " ".join(map(str, event.literals))
                    fault = f"input clause '{text}' does not follow from what is said of it"
                    raise self._wrong(fault)
                self._recheck.add(event.literals)
            elif event.kind == "l":
                # The lemma was checked by its hints, and is checked again by propagation.
                self._recheck.follow(event.literals, event.line)
            elif event.kind == "u":
                # A core: its literals together contradict the clauses, so one of them is false. A
                # core of one literal proves a cell, the empty one that there is no layout.
                self._recheck.follow([-lit for lit in event.literals], event.line)
                if len(event.literals) <= 1:
                    self.board.refuted.add(event.literals)
            elif event.kind == "m":
                self.board.show(event.literals)

    def _noted(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        for self._text in lines:
            yield self._text

    @property
    def board(self) -> GameBoard:
        """The board as opened so far."""
        if self._board is None:
            raise ProofFormatError(self._source, _NO_HEADER, _HEADER_LINE)
        return self._board

    def checked(self) -> CheckedGame:
        """The claims proved so far."""
        board, proof = self.board, self._proof
        return CheckedGame(
            board.text(verdicts=False),
            board.text(verdicts=True),
            board.total,
            self._status(),
            board.opened.bit_count(),
            board.count_guesses(),
            self._classified,
            self._complete,
            (board.safe | board.mines).bit_count(),
            proof.models + proof.cores,
            proof.lemmas,
        )

    def _status(self) -> str:
        if self.board.inconsistent:
            return "inconsistent"
        return "consistent" if self.board.layouts else "not shown"

    def _statement(self, event: Event) -> None:
        if not event.text or self._text != f"c {event.text}".encode():
            # Other checkers of LIDRUP take every statement for a comment; here each has one form.
            raise self._wrong("a statement is 'c', a blank, and its words with a blank between")
        words = event.text.split(" ")
        if self._board is None or event.line == _HEADER_LINE:
            self._begin(event.line, words)
        elif words[0] in self._readers:
            self._readers[words[0]](words[1:])
        else:
            raise self._wrong(f"no statement about a game: '{event.text[:40]}'")

    def _begin(self, line: int, words: list[str]) -> None:
        if line != _HEADER_LINE or words[:3] != ["satsweeper", "game", "1"] or len(words) != 6:
            raise self._wrong(_NO_HEADER)
        rows, columns = self._numbers(words[3:5], 2)
        total = None if words[5] == "?" else self._numbers(words[5:], 1)[0]
        if not (rows > 0 and columns > 0 and rows * columns <= 10**6):
            raise self._wrong("a board has 1 to 1000000 cells")
        self._board = GameBoard(rows, columns, total)
        self._counts = CountRegister(self._board.size, self._wrong)

    def _open(self, words: list[str]) -> None:
        row, column, clue = self._numbers(words, 3)
        cell = self._cell(row, column)
        board = self.board
        if (board.opened | board.given) >> cell & 1 or clue > 8:
            raise self._wrong("only a covered cell can be opened, and shows 0 to 8")
        board.open(cell, clue)
        self._reason, self._complete = None, False

    def _mine(self, words: list[str]) -> None:
        cell = self._cell(*self._numbers(words, 2))
        if (self.board.opened | self.board.given) >> cell & 1:
            raise self._wrong("only a covered cell can be taken for a mine")
        self.board.put(cell)
        self._reason, self._complete = None, False

    def _by(self, words: list[str]) -> None:
        board = self.board
        # A reason is kept as a predicate of clauses, which judges the inputs below it until the
        # position changes.
        if words in (["open"], ["proved"]):
            safe, mines = (board.opened, board.given) if words == ["open"] else board.verdicts
            self._reason = lambda clause: follows_from_cells(clause, safe, mines)
            return
        kind, *rest = words or [""]
        if kind in ("count", "total"):
            of = self._counts[self._numbers(rest, 1)[0]]
            parts = [self._counts[part] for part in of.parts]
            if kind == "count":
                self._reason = lambda clause: follows_from_counts(clause, of, parts)
                return
            low, high = self._range(of)
            self._reason = lambda clause: follows_from_range(clause, of, low, high)
            return
        cell = self._cell(*self._numbers(words, 2))
        clue = board.clues.get(cell)
        if clue is None:
            raise self._wrong("a clause by a clue that is not open")
        around, safe = board.around(cell) & ~board.opened, board.opened
        self._reason = lambda clause: follows_from_clue(clause, around, safe, clue)

    def _count(self, words: list[str]) -> None:
        if len(words) not in (3, 4):
            raise self._wrong("expected 'c count V K A' or 'c count V K A B'")
        first, most, *parts = self._numbers(words, len(words))
        self._counts.add(first, most, parts)

    def _prove(self, words: list[str]) -> None:
        if len(words) not in (3, 5) or words[2] not in ("safe", "mine"):
            raise self._wrong("expected 'c proved R C safe' or 'mine', and a cell that is like it")
        cell = self._cell(*self._numbers(words[:2], 2))
        proved = self._cell(*self._numbers(words[3:], 2)) if words[3:] else cell
        if proved != cell and not self.board.alike(cell, proved):
            raise self._wrong("only covered cells next to no clue are alike")
        mine = words[2] == "mine"
        # A verdict needs the core of one literal, its opposite: clauses and opposite together have
        # no model. The empty core refutes the clauses alone, and so proves every verdict.
        if not {(), (-proved - 1 if mine else proved + 1,)} & self.board.refuted:
            raise self._wrong(f"no core proves that cell {words[0]},{words[1]} is {words[2]}")
        if not self.board.covered >> cell & 1:
            raise self._wrong("a verdict is about a covered cell")
        self.board.prove(cell, mine)

    def _refute(self, words: list[str]) -> None:
        if words or () not in self.board.refuted or self.board.layouts:
            raise self._wrong("no core proves that the board is inconsistent")
        self.board.inconsistent = True

    def _classify(self, words: list[str]) -> None:
        stated = self._numbers(words, 3)
        board = self.board
        unknown = board.covered & ~(board.safe | board.mines)
        found = [cells.bit_count() for cells in (*board.verdicts, unknown)]
        if stated != found:
            raise self._wrong(f"{stated} safe, mines and unknown, but what is proved is {found}")
        # In a position without a layout every verdict can be proved. So a layout must have been
        # shown; and for each unknown cell a layout with a mine there and a layout without.
        if not board.layouts:
            raise self._wrong("no layout of this position is shown, so that it may have none")
        mine, safe = board.shown()
        self._require_empty(unknown & ~(mine & safe), "no two layouts show cell {} both ways")
        self._require_empty(
            mine & board.safe | safe & board.mines, "a layout contradicts the verdict of {}"
        )
        self._classified += 1
        self._complete = True

    def _require_empty(self, cells: int, message: str) -> None:
        """Refuse the statement unless ``cells`` is empty; ``message`` is about the first cell."""
        if cells:
            row, column = divmod((cells & -cells).bit_length() - 1, self.board.columns)
            raise self._wrong(message.format(f"{row},{column}"))

    def _range(self, of: GameCount) -> tuple[int, int]:
        """Return the range of mines that the total leaves to the cells of count ``of``."""
        board = self.board
        if board.total is None:
            raise self._wrong("the total is unknown")
        # The count is the total less the mines elsewhere: all known mines outside of the counted
        # cells, and from none to all of the other undecided cells.
        cells = board.board_of(self._counts.cells_of(of.first))
        fixed = ((board.given | board.mines) & ~cells).bit_count()
        free = board.covered & ~(board.safe | board.mines | cells)
        return board.total - fixed - free.bit_count(), board.total - fixed

    def _cell(self, row: int, column: int) -> int:
        if not (row < self.board.rows and column < self.board.columns):
            raise self._wrong(f"cell {row},{column} is not on the board")
        return row * self.board.columns + column

    def _numbers(self, words: list[str], count: int) -> list[int]:
        if len(words) != count or not all(map(_NUMBER.fullmatch, words)):
            raise self._wrong("a statement with the wrong numbers")
        return [int(word) for word in words]

    def _wrong(self, message: str) -> ProofFormatError:
        return ProofFormatError(self._source, message, self._line)
