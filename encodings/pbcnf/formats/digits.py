"""Numbers from text: regular literals to an array all at once, and decimals as exact fractions.

Eight characters are taken as one 64-bit number, whose bytes are multiplied together pairwise: three
multiplications turn up to eight digits into their value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final

from pbcnf.literals import MAX_VAR, Block

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_SHORT: Final = 2**17
"""The length of texts in which line feeds are counted without numpy, which takes long to import."""
_SLICE: Final = 2**18
_WORD: Final = 8
_LONGEST: Final = len(str(-MAX_VAR))
_BLANK: Final = re.compile(rb"[ \t\n]")
_DASH: Final = ord("-")
_ZERO: Final = ord("0")


def literals_and_zeros(text: bytes) -> Block | None:
    r"""Return the numbers in `text` as one int32 array; None for text with anything unusual.

    Usual are numbers -MAX_VAR .. MAX_VAR without leading zeros, ``-0`` or a plus sign, between
    blanks, tabs and line feeds; carriage returns only before line feeds.

    >>> literals_and_zeros(b"1 -20 0\n3 0").tolist()
    [1, -20, 0, 3, 0]
    >>> literals_and_zeros(b"1 -20 0 c\n") is None
    True
    """
    if b"\r" in text and text.count(b"\r") != text.count(b"\r\n"):
        return None
    import numpy as np

    parts, start, view = list[Block](), 0, memoryview(text)
    while start < len(text):
        # Cut at blanks, into pieces whose temporary arrays stay in the processor's cache.
        blank = _BLANK.search(text, start + _SLICE)
        end = len(text) if blank is None else blank.end()
        part = _numbers(view[start:end])
        if part is None:
            return None
        parts.append(part)
        start = end
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, np.int32)


def line_feeds(text: bytes) -> int:
    """Return the number of line feeds in `text`, sooner than `bytes.count` does."""
    if len(text) < _SHORT:
        return text.count(b"\n")
    import numpy as np

    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == ord("\n")))


def _numbers(text: memoryview) -> Block | None:
    import numpy as np

    size = len(text) + 2
    # Blanks at both ends, and room for the 8-byte word that begins at the last blank.
    buffer = np.full(size + _WORD, ord(" "), np.uint8)
    buffer[1 : size - 1] = np.frombuffer(text, np.uint8)
    chars = buffer[:size]
    blank = (chars == 32) | (chars == 10) | (chars == 9) | (chars == 13)
    digit = (chars - np.uint8(_ZERO)) <= 9
    dashes = np.count_nonzero(chars == _DASH)
    if np.count_nonzero(blank) + np.count_nonzero(digit) + dashes != size:
        return None
    blanks = np.flatnonzero(blank)
    lengths = np.diff(blanks) - 1
    starts = blanks[:-1] + 1
    if not lengths.all():
        full = lengths > 0
        lengths, starts = lengths[full], starts[full]
    if not len(starts):
        return np.empty(0, np.int32)
    words = np.ndarray((size,), np.dtype("<u8"), buffer.data, strides=(1,))[starts]
    negative = (words & np.uint64(0xFF)) == _DASH
    if np.count_nonzero(negative) != dashes:
        return None
    words >>= negative.astype(np.uint64) << np.uint64(3)
    # A number that begins with 0 must be the digit 0 alone; behind a lone "-", a blank stands where
    # the first digit should be, and blanks are below "0".
    first = words & np.uint64(0xFF)
    if np.any((first == _ZERO) & (lengths != 1)) or np.any(first < _ZERO):
        return None
    longest = int(lengths.max())
    if longest > _LONGEST:
        return None
    values = _values(words, lengths - negative)
    if longest > _WORD:
        long = np.flatnonzero(lengths > _WORD)
        large = _long_values(buffer, starts[long] + negative[long], (lengths - negative)[long])
        if np.any(large > MAX_VAR):
            return None
        values[long] = large
    signs = negative.astype(np.int32)
    values ^= -signs
    values += signs
    return values


def _values(words: npt.NDArray[np.uint64], lengths: npt.NDArray[np.intp]) -> Block:
    """Return the value of `lengths` digits each, the first in the lowest byte of its word."""
    import numpy as np

    # The shift puts zero bytes, which read as leading zeros, before a number of fewer than eight
    # digits. Of a longer number only eight digits are taken: `_long_values` replaces the result.
    words <<= (_WORD - np.minimum(lengths, _WORD)).view(np.uint64) << np.uint64(3)
    # The first of two digits is in the lower byte: times (10 * 2**8 + 1), the higher byte becomes
    # 10 * first + second. The next steps join numbers of two digits, and then of four, likewise.
    words &= np.uint64(0x0F0F0F0F0F0F0F0F)
    words *= np.uint64(10 * 2**8 + 1)
    words >>= np.uint64(8)
    words &= np.uint64(0x00FF00FF00FF00FF)
    words *= np.uint64(100 * 2**16 + 1)
    words >>= np.uint64(16)
    words &= np.uint64(0x0000FFFF0000FFFF)
    words *= np.uint64(10_000 * 2**32 + 1)
    words >>= np.uint64(32)
    return words.astype(np.int32)


def _long_values(
    buffer: npt.NDArray[np.uint8], starts: npt.NDArray[np.intp], lengths: npt.NDArray[np.intp]
) -> npt.NDArray[np.int64]:
    import numpy as np

    values = np.zeros(len(starts), np.int64)
    for place in range(_LONGEST):
        within = place < lengths
        digits = buffer[np.where(within, starts + place, 0)].astype(np.int64) - _ZERO
        values = np.where(within, values * 10 + digits, values)
    return values


# Decimal numbers as exact fractions, and the scaling that makes all weights of a sum integers.

MOST_DIGITS: Final = 4000
"""The longest number read, in characters: Python converts no more digits by default."""

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)


def exact(text: str) -> Fraction | None:
    """Return the value of a decimal number; None for other text or more than `MOST_DIGITS` digits.

    >>> exact("+1.5e+01"), exact("1e1000"), exact("1/2")
    (Fraction(15, 1), None, None)
    """
    if len(text) > MOST_DIGITS or _NUMBER.fullmatch(text) is None:
        return None
    return Fraction(text)


def integers(numbers: Sequence[Fraction | int]) -> tuple[list[int], int]:
    """Return the numbers times the least positive factor that makes all integers, and the factor.

    >>> integers([Fraction(1, 2), 3])
    ([1, 6], 2)
    """
    factor = lcm(*[number.denominator for number in numbers])
    return [int(number * factor) for number in numbers], factor
