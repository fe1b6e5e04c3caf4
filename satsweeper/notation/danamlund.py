"""``game.txt`` of danamlund's minesweeper (github.com/danamlund/minesweeper-solver).

::

    Minesweeper 3x1 grid with 1 mines
    ..1

    Solution encrypted with seed 7
    .30

The first grid is the player's view: ``.`` covered, ``!`` a flag, a space for 0, ``1``-``8``; ``?``
is a cell to be opened by the next move and ``*`` an exploded mine, read as a covered cell and a
flag, with a mark. The second grid is the solution in these characters, every value from -4 (``*``)
over -3 (``?``), -2 (``!``), -1 (``.``) to 8 moved up by ``rand() % 13`` of the GNU C library,
modulo 13, row by row after ``srand(seed)``. Rows that end in spaces may be cut short.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from satsweeper.board.codes import COVERED, FLAG, PADDING
from satsweeper.board.planes import indices
from satsweeper.notation.error import BoardError
from satsweeper.notation.grid import (
    SLOW_CELLS,
    Alphabet,
    Lines,
    check_numbers,
    content,
    grid,
    no_more_rows,
    nothing_more,
    sized,
    total,
)
from satsweeper.notation.header import shortened
from satsweeper.notation.record import Record, checked
from satsweeper.notation.solution import HIDDEN, MINE
from satsweeper.notation.symbols import DIGITS, to_text

DEFAULT_SEED: Final = 1
"""Seed that encrypts the solution of a record without a seed."""
_MODULUS: Final = 2**31 - 1
_SKIPPED: Final = 310
"""Numbers of the generator that ``srand`` discards."""

_HEADER = re.compile(r"Minesweeper ([0-9]+)x([0-9]+) grid with ([0-9]+) mines *")
_SEED = re.compile(r"Solution encrypted with seed (-?[0-9]{1,10}) *")
_OPENING, _EXPLODED = 64, 65
_VALUES: Final = "*?!. 12345678"
"""Characters of the values -4 to 8."""
_CODES = {" ": 0, **DIGITS}
_ALLOWED = "a cell is . (covered), ! (flag), a space or 1-8, ? or *"
_SEEN = Alphabet({**_CODES, ".": COVERED, "!": FLAG, "?": _OPENING, "*": _EXPLODED}, _ALLOWED)
_SECRET = Alphabet({**_CODES, ".": 12, "!": 11, "?": 10, "*": 9}, _ALLOWED)
_PLAIN = bytes.maketrans(bytes([_OPENING, _EXPLODED]), bytes([HIDDEN, MINE]))
_TO_TEXT = to_text({0: " ", HIDDEN: ".", MINE: "!", _OPENING: "?", _EXPLODED: "*"})


@dataclass(frozen=True, slots=True)
class GameText:
    """A ``game.txt``, with the parts that a record of a board cannot hold.

    ``chosen`` are the cells to be opened by the next move, ``exploded`` the exploded mines, as bit
    boards; ``line`` is the number, from 1, of the line with the first row of the first grid.
    """

    record: Record
    chosen: int
    exploded: int
    line: int


def read(data: bytes | str, source: str) -> Record:
    """Read a ``game.txt``; raises ``BoardError``, also if the solution does not decrypt."""
    return read_game(data, source).record


def read_game(data: bytes | str, source: str) -> GameText:
    """Read a ``game.txt`` with every mark; raises ``BoardError``."""
    lines = content(data, source)
    number, head = lines[0]
    match = _HEADER.fullmatch(head)
    if match is None:
        what = f"{shortened(head)!r}: a game begins with 'Minesweeper WxH grid with N mines'"
        raise BoardError(source, number, 1, what)
    rows, columns = sized(match[2], match[1], source, number, SLOW_CELLS)
    mines = total(match[3], rows * columns, source, number)
    codes = grid(_filled(lines[1 : 1 + rows], columns), rows, columns, _SEEN, source)
    rest = lines[1 + rows :]
    if rest and rest[0][1].strip() and not rest[0][1].startswith("Solution"):
        no_more_rows(rest, rows, columns, source)
    while rest and not rest[0][1].strip():
        rest = rest[1:]
    if not rest:
        raise BoardError(source, message="no solution behind the grid")
    at, line = rest[0]
    key = _SEED.fullmatch(line)
    if key is None or not -(2**31) <= int(key[1]) < 2**32:
        what = f"{shortened(line)!r}: 'Solution encrypted with seed N' stands behind the grid"
        raise BoardError(source, at, 1, what)
    hidden = _filled(rest[1 : 1 + rows], columns)
    secret = grid(hidden, rows, columns, _SECRET, source, "the solution")
    nothing_more(rest[1 + rows :], source)
    solution = _decrypted(secret, int(key[1]), columns, at + 1, source)
    marks = (
        ("cell to be opened", codes.count(_OPENING)),
        ("exploded mine", codes.count(_EXPLODED)),
    )
    record = Record(
        codes.translate(_PLAIN),
        columns,
        mines,
        solution,
        marks=tuple(mark for mark in marks if mark[1]),
        seed=int(key[1]),
    )
    chosen, exploded = _cells(codes, _OPENING), _cells(codes, _EXPLODED)
    return GameText(checked(record, number + 1, source), chosen, exploded, number + 1)


def rows_of(game: GameText) -> list[str]:
    """Return the rows of the first grid of ``game``."""
    codes = bytearray(game.record.padded)
    for cells, code in ((game.chosen, _OPENING), (game.exploded, _EXPLODED)):
        for index in indices(cells, len(codes)):
            codes[index] = code
    return codes.translate(_TO_TEXT).decode("ascii").split("\n")[:-1]


def rewritten(data: bytes, game: GameText) -> bytes:
    """Return the file ``data`` with the first grid of ``game``; all other bytes are unchanged.

    ``game``: the result of ``read_game`` for ``data``, with changed cells.
    """
    lines = data.split(b"\n")
    for number, row in enumerate(rows_of(game), game.line - 1):
        old = lines[number].removesuffix(b"\r")
        # Rows without changes keep their bytes: an editor may have cut trailing spaces off.
        if old.decode("ascii").ljust(len(row)) != row:
            lines[number] = row.encode("ascii") + lines[number][len(old) :]
    return b"\n".join(lines)


def write(record: Record) -> bytes:
    """Return the file of ``record``, the solution encrypted with the seed of the record."""
    solution = record.truth
    assert solution is not None, "write_record checks that"
    seed = DEFAULT_SEED if record.seed is None else record.seed
    numbers = rand(seed)
    secret = "".join(
        "\n"
        if code == PADDING
        else _VALUES[((-2 if code == MINE else code) + 4 + next(numbers) % 13) % 13]
        for code in solution
    )
    head = f"Minesweeper {record.columns}x{record.rows} grid with {record.mines} mines\n"
    seen = record.padded.translate(_TO_TEXT).decode("ascii")
    return f"{head}{seen}\nSolution encrypted with seed {seed}\n{secret}".encode("ascii")


def _filled(lines: Lines, columns: int) -> Lines:
    """Return the rows with the spaces restored that an editor has cut off."""
    return [(number, line.ljust(columns)) for number, line in lines]


def _cells(codes: bytes, code: int) -> int:
    """Return the cells with ``code`` as a bit board."""
    digits = bytes(49 if each == code else 48 for each in range(256))
    return int(codes[::-1].translate(digits), 2)


def _decrypted(secret: bytes, seed: int, columns: int, first_line: int, source: str) -> bytes:
    """Return the solution; BoardError if ``seed`` does not yield mines with fitting numbers."""
    numbers = rand(seed)
    codes = bytearray(secret)
    for index, code in enumerate(secret):
        if code == PADDING:
            continue
        # Codes 9 to 12 stand for the values -4 to -1, to which they are equal modulo 13.
        value = (code - next(numbers)) % 13
        codes[index] = MINE if value == 11 else value
        if value in (9, 10, 12):
            row, column = divmod(index, columns + 1)
            what = f"the solution does not decrypt with seed {seed}"
            raise BoardError(source, first_line + row, column + 1, what)
    solution = bytes(codes)
    whose = f"the solution, decrypted with seed {seed},"
    check_numbers(solution, columns, first_line, whose, source)
    return solution


def rand(seed: int) -> Iterator[int]:
    """Yield the numbers of ``rand()`` after ``srand(seed)``, without end; ``seed`` is modulo 2^32.

    The GNU C library's generator of its default type (TYPE_3): an additive feedback over 31 words,
    each new word the sum of those 3 and 31 places before it, modulo 2^32, shown without its lowest
    bit. The words are seeded by the multiplicative generator 16807 x modulo 2^31 - 1, and the first
    310 sums are skipped. Described in the manual page random(3) and by P. Selinger, The GLIBC
    random number generator (2007).

    >>> numbers = rand(1)
    >>> next(numbers), next(numbers), next(numbers)
    (1804289383, 846930886, 1681692777)
    """
    return islice(_sums(seed), _SKIPPED, None)


def _sums(seed: int) -> Iterator[int]:
    # A seed of 0 counts as 1; a seed from 2^31 on is negative as a C int.
    word = seed % 2**32 or 1
    word -= word >> 31 << 32
    words = [word % 2**32]
    for _ in range(30):
        # The same value as in C, whose division rounds towards 0.
        word = (abs(word) * 16807 % _MODULUS) * (1 if word >= 0 else -1)
        word += _MODULUS if word < 0 else 0
        words.append(word)
    # The ring begins with words 0 to 2 taken as words 31 to 33.
    at = 3
    while True:
        word = words[at] = words[at] + words[at - 3] & 0xFFFFFFFF
        yield word >> 1
        at = at + 1 if at < 30 else 0
