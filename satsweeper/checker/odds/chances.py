"""The odds of a board, from circuits that were checked: in integers, by the checker alone."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import comb, gcd
from typing import Final, NamedTuple

from satsweeper.checker.board import BOARD, CheckedBoard
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.odds.boxes import BoxRegion, Split
from satsweeper.checker.odds.circuit import CIRCUITS
from satsweeper.checker.odds.evaluation import Evaluated

# Regions and interior under one total. Coefficient k of a region's polynomial is its number of
# layouts with k mines. The ways to fill the rest of the board, for each region, come from halving
# the regions: each half needs only the product of the polynomials of the other half.

Polynomial = list[int]

MOST_PRODUCT_BITS: Final = 1 << 27
"""Limit on bits of the product of all polynomials: minutes."""
_SHORT: Final = 6
"""Most coefficients of a factor that is multiplied term by term."""


class MixedOdds(NamedTuple):
    """Numbers of layouts under a total; all but ``layouts`` are divided by one common factor.

    ``layouts``, ``whole``: the layouts of the regions in `mix` and the interior together;
    ``rests``: for each region the ways to fill the rest of the board, by the mines in the region;
    ``inside``: the layouts with a mine in a given interior cell, times the interior cells.
    """

    layouts: int
    whole: int
    rests: list[Polynomial]
    inside: int


def mix(regions: Sequence[Polynomial], mines: int, interior: int) -> MixedOdds | None:
    """Combine regions and interior under a total of ``mines``.

    Args:
        regions: for each region, its layouts by the number of mines above the region's least.
        mines: the mines of regions and interior, less the least numbers of the regions.
        interior: the number of cells beside no clue.

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
    if degree * (bits + max(ways).bit_length()) > MOST_PRODUCT_BITS:
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
        # C(n, k - 1) = C(n, k) * k / (n - k + 1), with k = mines - held.
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
        """Append to ``rests``, for each region, the ways to fill the rest of the board.

        ``ways``: the ways to fill the board outside of all these regions, by their mines.
        """
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
    # Both polynomials are evaluated at a power of 256 above all coefficients of the product, so the
    # coefficients are the digits, in that base, of one product of integers.
    size = (max(one).bit_length() + max(other).bit_length() + len(other).bit_length() + 7) // 8
    packed = _packed(one, size) * _packed(other, size)
    raw = packed.to_bytes(size * len(made), "little")
    return [int.from_bytes(raw[at : at + size], "little") for at in range(0, len(raw), size)]


def _packed(numbers: Polynomial, size: int) -> int:
    return int.from_bytes(
        b"".join([number.to_bytes(size, "little") for number in numbers]), "little"
    )


MOST_BITS: Final = 1 << 33
"""Limit on bits of the weights of all numbers of mines in a region: a gigabyte."""


class Chances(NamedTuple):
    """Exact odds of a board.

    ``layouts``: the number of layouts of the whole board. ``mine``: the chance of a mine in each
    cell with a variable, in order, as `written`. ``interior``: the chance of each cell beside no
    clue; None without such cells.
    """

    layouts: str
    mine: list[str]
    interior: str | None


class _Shares(NamedTuple):
    """The layouts of a board, and for each box of each region its chance."""

    layouts: int
    boxes: list[tuple[BoxRegion, list[tuple[int, int]]]]
    interior: tuple[int, int]


def chances_of(
    board: CheckedBoard, split: Split, counts: Sequence[Evaluated], density: Fraction | None
) -> Chances:
    """Return the odds of a board.

    Args:
        board: the board, with its total if the total is known.
        split: the known cells, regions and interior of ``board``.
        counts: the layouts of each region, by their number of mines if there is a total or density.
        density: the chance of a mine in each cell; None: all layouts are equally likely.

    Raises:
        WrongCertificateError: no layout has the total of ``board``, or numbers would be too long.
    """
    inside = len(split.interior)
    if board.total is None:
        shares = _without_total(split.regions, counts, inside, density)
    else:
        left = board.total.mines - sum(split.known.values())
        shares = _with_total(split.regions, counts, inside, left)
    mine = {v: written(int(mined), 1) for v, mined in split.known.items()}
    for region, ratios in shares.boxes:
        for box, ratio in zip(region.boxes, ratios, strict=True):
            mine |= dict.fromkeys(box, written(*ratio))
    interior = written(*shares.interior) if inside else None
    mine |= dict.fromkeys(split.interior, interior or "")
    return Chances(written(shares.layouts, 1), [mine[v] for v in sorted(mine)], interior)


def _without_total(
    regions: Sequence[BoxRegion], counts: Sequence[Evaluated], inside: int, density: Fraction | None
) -> _Shares:
    # ``whole`` has one number of all layouts, or with a density one for each number of mines.
    above, below = (density or Fraction(1, 2)).as_integer_ratio()
    # Without a total the interior cells are free, and the regions are independent.
    layouts = 1 << inside
    boxes = []
    for region, found in zip(regions, counts, strict=True):
        layouts *= sum(found.whole)
        most = len(found.whole) - 1
        if most * most * below.bit_length() > MOST_BITS:
            raise WrongCertificateError(CIRCUITS, "a region whose weights are too long")
        # weights[k]: the weight of a layout with k mines above the least. Factors common to all
        # layouts of the region are left out, as chances are quotients.
        weights = [above**k * (below - above) ** (most - k) for k in range(most + 1)]
        whole = _product(found.whole, weights)
        boxes.append((region, [(_product(mined, weights), whole) for mined in found.mined]))
    return _Shares(layouts, boxes, (above, below))


def _with_total(
    regions: Sequence[BoxRegion], counts: Sequence[Evaluated], inside: int, mines: int
) -> _Shares:
    """Return the odds under a total; ``mines``: of the regions and the interior together."""
    spare = mines - sum([found.least for found in counts])
    # A region with a fixed number of mines is independent of the others.
    loose = [found for found in counts if len(found.whole) > 1]
    mixed = mix([found.whole for found in loose], spare, inside)
    if mixed is None:
        raise WrongCertificateError(BOARD, "no layout has this total: there are no odds")
    layouts, held = mixed.layouts, mixed.inside
    boxes = []
    rests = iter(mixed.rests)
    for region, found in zip(regions, counts, strict=True):
        if len(found.whole) == 1:
            layouts *= found.whole[0]
            boxes.append((region, [(mined[0], found.whole[0]) for mined in found.mined]))
            continue
        rest = next(rests)
        ways = [_product(mined, rest) for mined in found.mined]
        held += sum([len(box) * way for box, way in zip(region.boxes, ways, strict=True)])
        boxes.append((region, [(way, mixed.whole) for way in ways]))
    # Pairs of a layout and a mine in it, counted by cells and by layouts, must be equally many.
    if held != mixed.whole * (spare + sum([found.least for found in loose])):
        raise WrongCertificateError(BOARD, "the mines of all cells do not add up to the total")
    return _Shares(layouts, boxes, (mixed.inside, mixed.whole * inside))


def _product(numbers: Sequence[int], others: Sequence[int]) -> int:
    return sum([a * b for a, b in zip(numbers, others, strict=True)])


def written(numerator: int, denominator: int) -> str:
    """A fraction in lowest terms, of any size.

    >>> written(6, 4), written(0, 4)
    ('3/2', '0')
    """
    shared = gcd(numerator, denominator)
    # Python converts integers of at most 4,300 digits to text; Decimal has no such limit.
    above, below = (str(Decimal(number // shared)) for number in (numerator, denominator))
    return above if below == "1" else f"{above}/{below}"
