"""A position as bit boards: an integer each for covered cells, flags and clues, four for values."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE, PADDING
from satsweeper.board.geometry import Count, Geometry


def _kind(code: int) -> int:
    """Seven bits for one cell: covered, flag, clue, and the four bits of the clue."""
    if code <= MAX_CLUE:
        return 4 | code << 3
    return {COVERED & 255: 1, FLAG & 255: 2}.get(code, 0)


_KIND = bytes(_kind(code) for code in range(256))
_BIT = (1 << np.arange(7)).astype(np.uint8)[:, None]


@dataclass(frozen=True, slots=True)
class Planes:
    """Bit boards of a position: which cells are covered, flagged, clues; and the clues' values."""

    covered: int
    flags: int
    clues: int
    values: Count

    @classmethod
    def of(cls, padded: bytes) -> "Planes":
        """From the cells row by row, one code a byte, each row followed by a padding byte."""
        kinds = np.frombuffer(padded.translate(_KIND), np.uint8)
        raw = np.packbits(kinds & _BIT, axis=1, bitorder="little").tobytes()
        step = len(raw) // 7
        covered, flags, clues, b0, b1, b2, b3 = (
            int.from_bytes(raw[k * step : (k + 1) * step], "little") for k in range(7)
        )
        return cls(covered, flags, clues, (b0, b1, b2, b3))


def pad(cells: NDArray[np.int8]) -> bytes:
    """The cells row by row, one code a byte, each row followed by a padding byte."""
    rows, columns = cells.shape
    padded = np.full((rows, columns + 1), PADDING, np.int8)
    padded[:, :columns] = cells
    return padded.tobytes()


def members(board: int, size: int) -> NDArray[np.intp]:
    """The indices of a bit board's cells, ascending; ``size`` as in ``Geometry.size``."""
    return np.flatnonzero(flat(board, size))


def flat(board: int, size: int) -> NDArray[np.uint8]:
    """A bit board as an array of at least ``size`` zeros and ones."""
    raw = np.frombuffer(board.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.unpackbits(raw, bitorder="little")


def board_of(indices: Iterable[int], size: int) -> int:
    """The bit board of some cells; ``size`` as in ``Geometry.size``."""
    digits = bytearray(size)
    for index in indices:
        digits[index] = 1
    return _packed(np.frombuffer(digits, np.uint8))


def unequal(a: Count, b: Count) -> int:
    """The cells at which two bit-sliced numbers differ."""
    return (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])


def greater(a: Count, b: Count) -> int:
    """The cells at which ``a > b``."""
    more = a[0] & ~b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        more = x & ~y | more & ~(x ^ y)
    return more


def subtract(a: Count, b: Count) -> Count:
    """``a - b`` at every cell, modulo 16: exact wherever ``a >= b``."""
    d0 = a[0] ^ b[0]
    borrow = ~a[0] & b[0]
    half = a[1] ^ b[1]
    d1 = half ^ borrow
    borrow = ~a[1] & b[1] | ~half & borrow
    half = a[2] ^ b[2]
    d2 = half ^ borrow
    borrow = ~a[2] & b[2] | ~half & borrow
    return d0, d1, d2, a[3] ^ b[3] ^ borrow


def clues_beyond_reach(geometry: Geometry, planes: Planes) -> int:
    """Clues larger than the number of their covered and flagged neighbours."""
    room = geometry.count(planes.covered | planes.flags)
    return greater(planes.values, room) & planes.clues


def _packed(digits: NDArray[np.uint8]) -> int:
    return int.from_bytes(np.packbits(digits, bitorder="little").tobytes(), "little")
