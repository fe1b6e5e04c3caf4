"""Game IDs of Mines in Simon Tatham's Portable Puzzle Collection: a layout and a first click.

``WxH:x,y,mHEX``: columns, rows, column and row of the first click (both may be missing), then a
bitmap, row by row, first cell in the highest bit, in hexadecimal digits; ``m`` marks a masked
bitmap, ``u`` or no letter a plain bitmap. Other parameters may follow the size (``n10``: the
number of mines). The player's view has the cells that the first click opens. An ID that holds only
the seed of a generator (``r...``, or ``#`` behind the size) has no layout.

Masking: the bytes are cut in half (the first half is the smaller); the first half is XORed with a
stream made from the second half, then the second half with a stream made from the changed first
half. The stream of a seed is the SHA-1 hashes of the seed followed by 0, 1, 2 ... in decimal
digits. Bits behind the last cell are 0. Format as in ``mines.c`` and ``misc.c`` of the collection.

>>> read("9x9:4,4,mb071b49fbd1cb6a0d5868", "id").mines
10
"""

import hashlib
import re
from typing import Final

from pbcnf.wording import counted
from satsweeper.board.codes import COVERED, FLAG, PADDING, Cell
from satsweeper.board.geometry import Square
from satsweeper.board.planes import Planes, indices
from satsweeper.board.size import size_text
from satsweeper.notation.error import BoardError, CannotHoldError
from satsweeper.notation.grid import SLOW_CELLS, content, nothing_more, sized
from satsweeper.notation.header import capped_number, shortened, size_said
from satsweeper.notation.record import Record
from satsweeper.notation.solution import HIDDEN, MINE, covered_grid, mines_of, opened_from, solved

_ID = re.compile(r"([0-9]++)(?:x([0-9]++))?+([A-Za-z0-9.]*+):(?:([0-9]+),([0-9]+),)?([mu]?)(.*)")
_COUNT = re.compile(r"n([0-9]+)")
_SHAPE = "an ID is WxH:x,y,mHEX or WxH:HEX"
_NOT_HEX = re.compile(r"[^0-9a-fA-F]")
_TO_CODES: Final = bytes.maketrans(b"01\n", bytes([COVERED & 255, FLAG & 255, PADDING]))


def read(data: bytes | str, source: str) -> Record:
    """Read a game ID; raises ``BoardError``."""
    lines = content(data, source)
    nothing_more(lines[1:], source)
    number, line = lines[0]
    text = line.strip()
    start = line.index(text) + 1
    match = _ID.fullmatch(text)
    if match is None:
        drawn = ": it holds the seed of a generator, not a layout" if "#" in text else f": {_SHAPE}"
        raise BoardError(source, number, start, f"{shortened(text)!r}{drawn}")
    if match[7].startswith("r") and not match[4]:
        at = start + match.start(7)
        what = "'r': the layout is drawn after the first click; the ID does not hold it"
        raise BoardError(source, number, at, what)
    rows, columns = sized(match[2] or match[1], match[1], source, number, SLOW_CELLS)
    mines = _bitmap(match, rows, columns, (source, number, start))
    count = _COUNT.search(match[3])
    laid = mines.bit_count()
    if count and capped_number(count[1]) != laid:
        what = f"{size_said(count[1], 'mine')} claimed: the bitmap has {laid}"
        raise BoardError(source, number, start + match.start(3), what)
    solution = solved(mines, rows, columns)
    padded, first = covered_grid(rows, columns), None
    if match[4]:
        first = (capped_number(match[5]), capped_number(match[4]))
        at = start + match.start(4)
        if first[0] >= rows or first[1] >= columns:
            what = f"first click {shortened(match[4])},{shortened(match[5])} is off the board"
            raise BoardError(source, number, at, what)
        if solution[first[0] * (columns + 1) + first[1]] == MINE:
            raise BoardError(source, number, at, "the first click hits a mine")
        padded = opened_from(solution, columns, first)
    return Record(padded, columns, laid, solution, first=first, masked=match[6] == "m")


def write(record: Record) -> bytes:
    """Return the game ID, masked if ``record.masked``.

    Raises ``CannotHoldError`` if no first click on the covered board leads to the record's cells.
    """
    rows, columns, solution = record.rows, record.columns, record.truth
    assert solution is not None, "write_record checks that"
    first = _first_click(record, solution)
    bits = solution.translate(_TO_BITS, bytes([PADDING])).decode("ascii")
    bitmap = int(bits.ljust((len(bits) + 7) // 8 * 8, "0"), 2).to_bytes((len(bits) + 7) // 8, "big")
    if record.masked:
        bitmap = _masked(bitmap, len(bits), (0, 1))
    click = "" if first is None else f"{first[1]},{first[0]},"
    digits = bitmap.hex()[: (len(bits) + 3) // 4]
    return f"{columns}x{rows}:{click}{'m' if record.masked else 'u'}{digits}\n".encode("ascii")


_TO_BITS: Final = bytes(ord("1") if code == MINE else ord("0") for code in range(256))


def _bitmap(match: re.Match[str], rows: int, columns: int, place: tuple[str, int, int]) -> int:
    """Return the mines in the ID ``match`` as a bit board.

    ``place``: source, line, and column of the ID, for errors.
    """
    source, number, start = place
    digits, cells = match[7], rows * columns
    at = start + match.start(7)
    wrong = _NOT_HEX.search(digits)
    if wrong:
        what = f"{wrong[0]!r} is no hexadecimal digit"
        raise BoardError(source, number, at + wrong.start(), what)
    wanted = (cells + 3) // 4
    if len(digits) != wanted:
        what = (
            f"{counted(len(digits), 'hexadecimal digit')}:"
            f" {size_text(rows, columns)} cells take {wanted}"
        )
        raise BoardError(source, number, at, what)
    size = (cells + 7) // 8
    raw = bytes.fromhex(digits.ljust(2 * size, "0"))
    plain = _masked(raw, cells, (1, 0)) if match[6] == "m" else raw
    bits = format(int.from_bytes(plain, "big"), f"0{8 * size}b")
    spare = raw[-1] & (1 << 8 * size - cells) - 1
    if spare:
        what = "bits beyond the last cell are set: a digit is wrong, or the size"
        raise BoardError(source, number, at + wanted - 1, what)
    lines = "\n".join(bits[row * columns : (row + 1) * columns] for row in range(rows)) + "\n"
    return mines_of(lines.encode("ascii").translate(_TO_CODES))


def _masked(bitmap: bytes, bits: int, order: tuple[int, int]) -> bytes:
    """Return ``bitmap``, whose first ``bits`` bits are cells, masked or unmasked.

    ``order``: the halves in the order in which they are changed, 0, 1 to mask, 1, 0 to unmask.
    """
    middle = len(bitmap) // 2
    halves = [bitmap[:middle], bitmap[middle:]]
    clear = 8 * len(bitmap) - bits
    for half in order:
        stream = _stream(halves[1 - half], len(halves[half]))
        mixed = int.from_bytes(halves[half], "big") ^ int.from_bytes(stream, "big")
        if half == 1:
            mixed = mixed >> clear << clear
        halves[half] = mixed.to_bytes(len(halves[half]), "big")
    return b"".join(halves)


def _stream(seed: bytes, length: int) -> bytes:
    """Return the first ``length`` bytes of the hashes of ``seed`` followed by 0, 1, 2 ..."""
    base = hashlib.sha1(seed, usedforsecurity=False)
    parts = []
    for counter in range((length + base.digest_size - 1) // base.digest_size):
        block = base.copy()
        block.update(str(counter).encode("ascii"))
        parts.append(block.digest())
    return b"".join(parts)[:length]


def _first_click(record: Record, solution: bytes) -> Cell | None:
    """Return a first click that opens exactly the cells of ``record``, None if no cell is open.

    Raises ``CannotHoldError`` if no click does.
    """
    planes = Planes.of(record.padded)
    if not planes.clues and not planes.flags:
        return None
    opened = indices(planes.clues, len(record.padded))
    square = Square(record.rows, record.columns)
    zero = next((index for index in opened if record.padded[index] == 0), None)
    cells = [record.first] if record.first in {square.cell(index) for index in opened} else []
    if zero is not None or len(opened) == 1:
        cells.append(square.cell(opened[0] if zero is None else zero))
    for cell in cells:
        if cell is not None and opened_from(solution, record.columns, cell) == record.padded:
            return cell
    shown = len(record.padded) - record.rows - record.padded.count(HIDDEN)
    what = f"opened cells and flags beyond one first click: it would lose {shown}"
    raise CannotHoldError(f"tatham cannot hold {what}", "view")
