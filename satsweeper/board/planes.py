"""A position as bit boards: an integer each for covered cells, flags and clues, four for values."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE, PADDING
from satsweeper.board.geometry import Count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from satsweeper.board.arrays import np


def _kind(code: int) -> int:
    """Seven bits for one cell: covered, flag, clue, and the four bits of the clue."""
    if code <= MAX_CLUE:
        return 4 | code << 3
    return {COVERED & 255: 1, FLAG & 255: 2}.get(code, 0)


_KIND = bytes(_kind(code) for code in range(256))
_DIGITS = tuple(bytes(b"01"[kind >> k & 1] for kind in _KIND) for k in range(7))
_COVERED, _FLAGS, _, *_BITS = _DIGITS

_BINARY = b"01" * 128
_VALUE = bytes(1 if character == ord("1") else 0 for character in range(256))

_ARRAYS_PAY = 8_000
"""Bits above which arrays beat the parsing of binary digits, which costs no array's start-up."""


_FEW = 16
"""Indices below which single bits are set faster than digits are parsed."""


@lru_cache(maxsize=8)
def _arrays_pay(size: int) -> bool:
    """Whether boards of ``size`` bits are read by arrays: large ones, where numpy is installed."""
    return size >= _ARRAYS_PAY and find_spec("numpy") is not None


class Planes(NamedTuple):
    """Bit boards of a position: which cells are covered, flagged, clues; and the clues' values."""

    covered: int
    flags: int
    clues: int
    values: Count

    @classmethod
    def of(cls, padded: bytes) -> Planes:
        """From the cells row by row, one code a byte, each row followed by a padding byte."""
        size = len(padded)
        if size < _ARRAYS_PAY or not _arrays_pay(size):
            digits = padded[::-1]
            covered = int(digits.translate(_COVERED), 2)
            flags = int(digits.translate(_FLAGS), 2) if FLAG & 255 in padded else 0
            b0, b1, b2 = [int(digits.translate(table), 2) for table in _BITS[:3]]
            b3 = int(digits.translate(_BITS[3]), 2) if MAX_CLUE in padded else 0
            # Each row ends with a padding byte; every other cell that is not hidden is a clue.
            stride = padded.index(PADDING) + 1
            first = ((1 << size) - 1) // ((1 << stride) - 1)
            clues = (first << stride - 1) - first ^ covered ^ flags
            return cls(covered, flags, clues, (b0, b1, b2, b3))
        kinds = np.frombuffer(padded.translate(_KIND), np.uint8)
        bit = (1 << np.arange(7)).astype(np.uint8)[:, None]
        raw = np.packbits(kinds & bit, axis=1, bitorder="little").tobytes()
        step = len(raw) // 7
        boards = [int.from_bytes(raw[k * step : (k + 1) * step], "little") for k in range(7)]
        covered, flags, clues, b0, b1, b2, b3 = boards
        return cls(covered, flags, clues, (b0, b1, b2, b3))


def pad(cells: NDArray[np.int8]) -> bytes:
    """The cells row by row, one code a byte, each row followed by a padding byte."""
    rows, columns = cells.shape
    padded = np.full((rows, columns + 1), PADDING, np.int8)
    padded[:, :columns] = cells
    return padded.tobytes()


def unpadded(padded: bytes, columns: int) -> NDArray[np.int8]:
    """The cells of padded codes as a read-only int8 array of shape ``(rows, columns)``."""
    return np.frombuffer(padded, np.int8).reshape(-1, columns + 1)[:, :columns]


def indices(board: int, size: int) -> list[int]:
    """The indices of the cells of ``board``, ascending; small boards are read without arrays."""
    if size >= _ARRAYS_PAY and _arrays_pay(size):
        found: list[int] = members(board, size).tolist()
        return found
    digits = bin(board)[:1:-1]
    if board.bit_count() << 3 > size:
        return list(compress(range(size), digits.encode().translate(_VALUE)))
    at = digits.find("1")
    few = []
    while at >= 0:
        few.append(at)
        at = digits.find("1", at + 1)
    return few


def byte_bits(board: int, size: int) -> int:
    """The bit board of the cells of a byte board of zeros and ones."""
    return int(board.to_bytes(size, "big").translate(_BINARY), 2)


_HIDDEN = bytes(code in (COVERED & 255, FLAG & 255) for code in range(256))

CLOSED: dict[str, bytes] = {
    "trust": bytes(code == COVERED & 255 for code in range(256)),
    "ignore": _HIDDEN,
}
"""Translations of codes to 1 for covered cells, and for flags if they are ignored, otherwise 0."""

OPEN: dict[str, bytes] = {
    "trust": bytes(code <= MAX_CLUE or code == FLAG & 255 for code in range(256)),
    "ignore": bytes(code <= MAX_CLUE for code in range(256)),
}
"""Translations of codes to 1 for all other cells, otherwise 0."""


def covered_bits(padded: bytes, flags: str) -> int:
    """The bit board of the covered cells of a small board, flags among them if they are ignored."""
    return int(padded[::-1].translate(CLOSED[flags]).translate(_BINARY), 2)


def members(board: int, size: int) -> NDArray[np.intp]:
    """The indices of a bit board's cells, ascending; ``size`` as in ``Square.size``."""
    return np.flatnonzero(flat(board, size))


def flat(board: int, size: int) -> NDArray[np.uint8]:
    """A bit board as an array of at least ``size`` zeros and ones."""
    raw = np.frombuffer(board.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.unpackbits(raw, bitorder="little")


def board_of(indices: Iterable[int], size: int) -> int:
    """The bit board of some cells; ``size`` as in ``Square.size``."""
    if size < _ARRAYS_PAY or not _arrays_pay(size):
        given = [*indices]
        if len(given) < _FEW:
            board = 0
            for index in given:
                board |= 1 << index
            return board
        digits = bytearray(b"0") * size
        for index in given:
            digits[~index] = 49
        return int(digits, 2)
    ones = bytearray(size)
    for index in indices:
        ones[index] = 1
    packed = np.packbits(np.frombuffer(ones, np.uint8), bitorder="little")
    return int.from_bytes(packed.tobytes(), "little")


def spaced(board: int, size: int) -> int:
    """A bit board with a byte a cell instead of a bit: 0 or 1, the first cell lowest."""
    digits = bin(board | 1 << size)[3:].encode()
    return int.from_bytes(digits.translate(_VALUE), "big")


def unequal(a: Count, b: Count) -> int:
    """The cells at which two bit-sliced numbers differ."""
    return (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])


def greater(a: Count, b: Count) -> int:
    """The cells at which ``a > b``."""
    # From the lowest digit up: a higher digit that differs overrules all lower ones.
    a0, a1, a2, a3 = a
    b0, b1, b2, b3 = b
    more = a1 & ~b1 | a0 & ~b0 & ~(a1 ^ b1)
    more = a2 & ~b2 | more & ~(a2 ^ b2)
    return a3 & ~b3 | more & ~(a3 ^ b3)


def subtract(a: Count, b: Count) -> Count:
    """``a - b`` at every cell, modulo 16: exact wherever ``a >= b``."""
    # Digit by digit from the lowest, with a borrow plane.
    d0 = a[0] ^ b[0]
    borrow = ~a[0] & b[0]
    half = a[1] ^ b[1]
    d1 = half ^ borrow
    borrow = ~a[1] & b[1] | ~half & borrow
    half = a[2] ^ b[2]
    d2 = half ^ borrow
    borrow = ~a[2] & b[2] | ~half & borrow
    return d0, d1, d2, a[3] ^ b[3] ^ borrow


def neighbours_of(board: int, row: int) -> int:
    """The number of neighbours in ``board`` of each cell, itself included, as a byte board.

    A byte board has a number for each cell, a byte each, the first cell lowest. ``row``: the bits
    of a row with its padding. Bytes of the padding, and beyond the board, have no meaning.
    """
    # The sum of the board and its shifts by one and two bytes, which belongs a byte lower.
    beside = board * 0x10101 >> 8
    return beside + (beside << row) + (beside >> row)


def _kinds(flag: int) -> bytes:
    codes = {COVERED & 255: 16, FLAG & 255: flag} | {clue: 128 + clue for clue in range(9)}
    return bytes([codes.get(code, 64) for code in range(256)])


KINDS: dict[str, bytes] = {"trust": _kinds(32), "ignore": _kinds(16)}
"""Translations of codes: a clue to 128 and its number, covered cells and ignored flags to 16,
trusted flags to 32, padding to 64. No subtraction of a number up to 10 borrows from the next byte.
"""


@lru_cache(maxsize=64)
def frame(size: int, stride: int) -> tuple[int, int, int]:
    """Byte boards of a 1 in each byte, of one in the padding, and of 256 in each byte, by carries.

    ``size``: the bytes; ``stride``: the length of a row with its padding. Kept, so that it is for
    small boards.
    """
    ones = int.from_bytes(b"\1" * size, "little")
    padding = (b"\0" * (stride - 1) + b"\1") * (size // stride)
    return ones, int.from_bytes(padding, "little"), ones << 8


def is_regular(padded: bytes, stride: int) -> bool:
    """Whether there is padding at the end of each row and nowhere else, and no clue beyond reach.

    ``padded``: codes of cells and padding; ``stride``: the length of a row with its padding, which
    divides the length of ``padded``.
    """
    size = len(padded)
    if size >= _ARRAYS_PAY:
        ends = padded[stride - 1 :: stride].count(PADDING)
        return ends == padded.count(PADDING) == size // stride and not clues_beyond_reach(
            padded, stride
        )
    ones, padding, carries = frame(size, stride)
    kinds = int.from_bytes(padded.translate(KINDS["ignore"]), "little")
    return kinds >> 6 & ones == padding and not _beyond(kinds, ones, carries, stride << 3)


def clues_beyond_reach(padded: bytes, stride: int) -> int:
    """Clues larger than the number of their covered and flagged neighbours, as a byte board of 128.

    ``stride``: the length of a row with its padding.
    """
    ones = int.from_bytes(b"\1" * len(padded), "little")
    kinds = int.from_bytes(padded.translate(KINDS["ignore"]), "little")
    return _beyond(kinds, ones, ones << 8, stride << 3)


def _beyond(kinds: int, ones: int, carries: int, row: int) -> int:
    # A byte of 128 and the room less the clue: the high bit stays 1 iff that is not negative.
    room = neighbours_of(kinds >> 4 & ones, row) + carries - kinds
    return kinds & ones << 7 & ~room
