"""Sizes to measure: in steps of two, then by a quarter, until a size is not decided.

All contenders of a family see the same sizes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from satsweeper.board.errors import DefectError
from satsweeper.families.table import FAMILIES
from scripts.growth.contenders import contenders_of
from scripts.growth.measuring import Measured, Point

STEP: Final = 2
"""Between sizes, and what growth is told for; every family has sizes of one parity."""
_FINE: Final = 16
"""Up to which sizes grow by ``STEP``."""
_FACTOR: Final = 1.25


@dataclass(frozen=True, slots=True)
class Ladder:
    """The first size and the last that is tried."""

    first: int
    last: int

    def sizes(self) -> Iterator[int]:
        """All sizes, of the parity of the first."""
        size = self.first
        while size <= self.last:
            yield size
            grown = size + STEP if size < _FINE else int(size * _FACTOR)
            size = grown - (grown - self.first) % STEP


LADDERS: Final[dict[str, Ladder]] = {
    "mutilated_chessboard": Ladder(4, 60),
    "chessboard_with_private_cells": Ladder(4, 60),
    "parity_lattice": Ladder(2, 36),
    "ones": Ladder(4, 60),
    "bump": Ladder(4, 60),
    "safehole": Ladder(4, 48),
    "hall": Ladder(4, 48),
    "planted": Ladder(4, 60),
    "checkerboard": Ladder(4, 90),
    "torus": Ladder(3, 41),
}
"""The families that are measured unless others are named."""

QUICK: Final[dict[str, Ladder]] = {
    "ones": Ladder(4, 6),
    "chessboard_with_private_cells": Ladder(4, 4),
    "torus": Ladder(3, 3),
}
"""The same on next to nothing."""

Found = Mapping[Point, Measured]


def next_points(ladders: Mapping[str, Ladder], found: Found) -> list[Point]:
    """The next point of every contender that has decided all sizes so far; none at the end."""
    points = []
    for family, ladder in ladders.items():
        for contender in contenders_of(FAMILIES[family]):
            for size in ladder.sizes():
                point = Point(family, contender, size)
                if point not in found:
                    points.append(point)
                    break
                if not found[point].decided:
                    break
    return points


def steps_in_all(ladders: Mapping[str, Ladder]) -> int:
    """Points, if everything is decided."""
    return sum(
        len(list(ladder.sizes())) * len(contenders_of(FAMILIES[family]))
        for family, ladder in ladders.items()
    )


def steps_done(ladders: Mapping[str, Ladder], found: Found) -> int:
    """Points that are measured, or that nobody needs to measure any more."""
    left = 0
    for point in next_points(ladders, found):
        left += sum(size >= point.size for size in ladders[point.family].sizes())
    return steps_in_all(ladders) - left


def check_agreement(found: Sequence[Measured]) -> None:
    """Refuse complete engines that say different things of a board.

    Raises:
        DefectError: two differ.
    """
    said: dict[tuple[str, int, int], tuple[str, str]] = {}
    for each in found:
        for number, verdicts in enumerate(each.verdicts):
            if not verdicts:
                continue
            key = each.job.family, each.job.size, number
            first, name = said.setdefault(key, (verdicts, each.job.contender))
            if first != verdicts:
                raise DefectError(f"{each.job.id}: other verdicts than those of {name}")
