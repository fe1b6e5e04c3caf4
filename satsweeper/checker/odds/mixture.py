"""Regions and interior under one total: the ways to fill the rest of the board, for each region.

Two halves of the regions see one another through the product of the polynomials of either; so on
down to single regions.
"""

from collections.abc import Sequence
from math import comb, gcd
from typing import Final, NamedTuple

from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.odds.circuit_text import CIRCUITS

Polynomial = list[int]

MOST_BITS: Final = 1 << 27
"""Limit on bits of the product of all polynomials: minutes."""
_SHORT: Final = 6
"""Coefficients up to which a factor is multiplied term by term."""


class MixedOdds(NamedTuple):
    """``layouts``: of the whole board; ``whole``, ``rests`` and ``inside`` are on another scale.

    ``rests``: for each region the ways to fill the rest of the board, by the mines in the region;
    ``inside``: the layouts in which a given cell of the interior is a mine, times its cells.
    """

    layouts: int
    whole: int
    rests: list[Polynomial]
    inside: int


def mix(regions: Sequence[Polynomial], mines: int, interior: int) -> MixedOdds | None:
    """Combine regions and interior under a total of ``mines``.

    Args:
        regions: the layouts of each by the number of mines, less those that all of them have.
        mines: how many mines the regions and the interior hold besides those.
        interior: cells beside no clue.

    Returns:
        None if there is no layout with this total.

    Raises:
        WrongCertificateError: the numbers would be too long.
    """
    degree = sum([len(each) - 1 for each in regions])
    bits = sum([sum(each).bit_length() for each in regions])
    ways = _ways(interior, mines, degree)
    shared = gcd(*ways)
    if not shared:
        return None
    # Chances are quotients, so a common factor of all ways to fill the interior changes none of
    # them; it is multiplied back into the number of layouts alone.
    ways = [way // shared for way in ways]
    if degree * (bits + max(ways).bit_length()) > MOST_BITS:
        raise WrongCertificateError(CIRCUITS, "the regions' numbers are too long under one total")
    rests: list[Polynomial] = []
    product = [1]
    if regions:
        tree = _Tree(regions)
        tree.descend(ways, rests)
        product = tree.product
    counts = [number * way for number, way in zip(product, ways, strict=True)]
    whole = sum(counts)
    if not whole:
        return None
    # With `held` mines in the regions the interior has mines - held of them, in each such layout.
    inside = sum([count * (mines - held) for held, count in enumerate(counts)])
    return MixedOdds(whole * shared, whole, rests, inside)


def _ways(interior: int, mines: int, degree: int) -> list[int]:
    """Return the ways to put ``mines - held`` mines in the interior, ``held`` 0 to ``degree``."""
    most = min(mines, interior)
    ways = [0] * (degree + 1)
    way = comb(interior, most) if most >= 0 else 0
    for held in range(mines - most, min(degree, mines) + 1):
        ways[held] = way
        laid = mines - held
        way = way * laid // (interior - laid + 1)
    return ways


class _Tree:
    """Some regions in two halves, and the product of their polynomials."""

    def __init__(self, regions: Sequence[Polynomial]) -> None:
        self._halves: tuple[_Tree, _Tree] | None = None
        self.product: Polynomial = regions[0]
        if len(regions) > 1:
            middle = len(regions) // 2
            self._halves = _Tree(regions[:middle]), _Tree(regions[middle:])
            self.product = multiply(self._halves[0].product, self._halves[1].product)

    def descend(self, ways: Polynomial, rests: list[Polynomial]) -> None:
        """Append the polynomial of each region's rest, where all together have ``ways``."""
        if self._halves is None:
            rests.append(ways)
            return
        # ways[m]: the ways to fill the rest of the board if all regions here hold m mines. For one
        # half with a mines that is the sum over b of other.product[b] * ways[a + b]: a correlation,
        # which is the product with the reversed polynomial, from the entry len(other) - 1 on.
        for one, other in (self._halves, self._halves[::-1]):
            seen = multiply(ways, other.product[::-1])
            start = len(other.product) - 1
            one.descend(seen[start : start + len(one.product)], rests)


def multiply(one: Polynomial, other: Polynomial) -> Polynomial:
    """Return the product of two polynomials without negative coefficients.

    >>> multiply([1, 2], [3, 0, 1])
    [3, 6, 1, 2]
    """
    if len(one) < len(other):
        one, other = other, one
    made = [0] * (len(one) + len(other) - 1)
    if len(other) <= _SHORT:
        for at, factor in enumerate(other):
            if factor:
                for place, number in enumerate(one, start=at):
                    made[place] += number * factor
        return made
    # Both polynomials are evaluated at a power of 256 above all coefficients of the product: one
    # multiplication of integers yields all of them.
    size = (max(one).bit_length() + max(other).bit_length() + len(other).bit_length() + 7) // 8
    packed = _packed(one, size) * _packed(other, size)
    raw = packed.to_bytes(size * len(made), "little")
    return [int.from_bytes(raw[at : at + size], "little") for at in range(0, len(raw), size)]


def _packed(numbers: Polynomial, size: int) -> int:
    return int.from_bytes(
        b"".join([number.to_bytes(size, "little") for number in numbers]), "little"
    )
