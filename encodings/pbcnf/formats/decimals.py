"""Decimal numbers as exact fractions, and the scaling that makes all weights of a sum integers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

MOST_DIGITS: Final = 4000
"""The longest number read, in characters: Python converts no more digits by default."""

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)


def exact(text: str) -> Fraction | None:
    """Return the number, None for no number or too long a one.

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
