"""A position as bit boards: an integer each for covered cells, flags and clues, four for values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE, PADDING
from satsweeper.board.geometry import Count, Square

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

_VALUE = bytes(1 if character == ord("1") else 0 for character in range(256))

_ARRAYS_PAY = 8_000
"""Bits above which arrays beat the parsing of binary digits, which costs no array's start-up."""


@lru_cache(maxsize=8)
def _arrays_pay(size: int) -> bool:
    """Whether boards of ``size`` bits are read by arrays: large ones, where numpy is installed."""
    return size >= _ARRAYS_PAY and find_spec("numpy") is not None


@dataclass(frozen=True, slots=True)
class Planes:
    """Bit boards of a position: which cells are covered, flagged, clues; and the clues' values."""

    covered: int
    flags: int
    clues: int
    values: Count

    @classmethod
    def of(cls, padded: bytes) -> Planes:
        """From the cells row by row, one code a byte, each row followed by a padding byte."""
        if not _arrays_pay(len(padded)):
            digits = padded[::-1]
            boards = [int(digits.translate(table), 2) for table in _DIGITS]
        else:
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
    if _arrays_pay(size):
        found: list[int] = members(board, size).tolist()
        return found
    digits = bin(board)[:1:-1]
    at = digits.find("1")
    few = []
    while at >= 0:
        few.append(at)
        at = digits.find("1", at + 1)
    return few


def members(board: int, size: int) -> NDArray[np.intp]:
    """The indices of a bit board's cells, ascending; ``size`` as in ``Square.size``."""
    return np.flatnonzero(flat(board, size))


def flat(board: int, size: int) -> NDArray[np.uint8]:
    """A bit board as an array of at least ``size`` zeros and ones."""
    raw = np.frombuffer(board.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.unpackbits(raw, bitorder="little")


def board_of(indices: Iterable[int], size: int) -> int:
    """The bit board of some cells; ``size`` as in ``Square.size``."""
    if not _arrays_pay(size):
        digits = bytearray(b"0") * size
        for index in indices:
            digits[~index] = 49
        return int(digits, 2)
    ones = bytearray(size)
    for index in indices:
        ones[index] = 1
    packed = np.packbits(np.frombuffer(ones, np.uint8), bitorder="little")
    return int.from_bytes(packed.tobytes(), "little")


def spaced(board: int, size: int) -> int:
    """A bit board with a byte a cell instead of a bit: 0 or 1, the first cell lowest."""
    return int.from_bytes(format(board, f"0{size}b").encode().translate(_VALUE), "big")


def unequal(a: Count, b: Count) -> int:
    """The cells at which two bit-sliced numbers differ."""
    return (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])


def greater(a: Count, b: Count) -> int:
    """The cells at which ``a > b``."""
    # From the lowest digit up: a higher digit that differs overrules all lower ones.
    more = a[0] & ~b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        more = x & ~y | more & ~(x ^ y)
    return more


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


def clues_beyond_reach(geometry: Square, planes: Planes) -> int:
    """Clues larger than the number of their covered and flagged neighbours."""
    room = geometry.count(planes.covered | planes.flags)
    return greater(planes.values, room) & planes.clues
