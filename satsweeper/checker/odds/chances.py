"""The odds of a board, from circuits that were checked: in integers, by the checker alone."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import gcd
from typing import Final, NamedTuple

from satsweeper.checker.board import BOARD, CheckedBoard
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.odds.boxes import BoxRegion, Split
from satsweeper.checker.odds.circuit_text import CIRCUITS
from satsweeper.checker.odds.evaluation import Evaluated
from satsweeper.checker.odds.mixture import mix

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
        board: and its total, if that is known.
        split: the board, sorted.
        counts: those of each region, by their number of mines if that matters.
        density: the chance of a mine in each cell; None: all layouts are equally likely.

    Raises:
        WrongCertificateError: no layout has this total, or numbers would be too long.
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
    mine, both = (density or Fraction(1, 2)).as_integer_ratio()
    layouts = 1 << inside
    boxes = []
    for region, found in zip(regions, counts, strict=True):
        layouts *= sum(found.whole)
        most = len(found.whole) - 1
        if most * most * both.bit_length() > MOST_BITS:
            raise WrongCertificateError(CIRCUITS, "a region whose weights are too long")
        # Of layouts with as many mines above the least; what all have in common is left out.
        weights = [mine**k * (both - mine) ** (most - k) for k in range(most + 1)]
        whole = _product(found.whole, weights)
        boxes.append((region, [(_product(mined, weights), whole) for mined in found.mined]))
    return _Shares(layouts, boxes, (mine, both))


def _with_total(
    regions: Sequence[BoxRegion], counts: Sequence[Evaluated], inside: int, mines: int
) -> _Shares:
    """Return the odds under a total; ``mines`` are in the regions and the interior."""
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
    # Counting pairs (layout, mine) by cells and by layouts must agree: each layout has all mines.
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
    # Python's own digits end at 4,300.
    above, below = (str(Decimal(number // shared)) for number in (numerator, denominator))
    return above if below == "1" else f"{above}/{below}"
