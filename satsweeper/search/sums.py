"""Sets of numbers of mines, as the bits of integers: bit ``k`` says that ``k`` mines can be."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self


@dataclass
class Sums:
    """Sets of numbers of mines, as bits of integers: all, with and without a mine in one place."""

    any: int
    with_mine: int
    with_safe: int

    @classmethod
    def free(cls, cells: int) -> Self:
        """Of ``cells`` interchangeable cells that nothing constrains; the place is any of them."""
        return cls((2 << cells) - 1, (2 << cells) - 2 if cells else 0, (1 << cells) - 1)

    def both_open(self, allowed: int) -> bool:
        """Whether the allowed numbers leave the place open (or there is no such place)."""
        return self.any == 1 or bool(self.with_mine & allowed and self.with_safe & allowed)

    def verdict(self, allowed: int) -> bool | None:
        """True: a mine under every allowed number; False: safe; None: open, or no such place."""
        if self.both_open(allowed):
            return None
        return bool(self.with_mine & allowed)


def bits(numbers: int) -> Iterator[int]:
    """The numbers of a set, ascending."""
    while numbers:
        low = numbers & -numbers
        yield low.bit_length() - 1
        numbers ^= low
