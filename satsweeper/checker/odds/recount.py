"""A second opinion on the layouts of a region, by code that shares nothing with the circuits.

The boxes are filled one after the other; a state keeps only how many mines each clue still needs.
Besides the number of layouts, their *fingerprint* is computed: each box gets a random number modulo
a prime, the weight of a layout is the product of these numbers to the powers of the mines in the
boxes, and the weights are added up. Two different collections of layouts are two different
polynomials in these numbers, which agree in a random point with a chance below 2^-110 (Schwartz,
1980; Zippel, 1979). `mines_add_up` is a further check: numbers of layouts with a mine in a cell,
summed over all cells, count each layout once for each of its mines.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from math import comb
from typing import Final, NamedTuple

from satsweeper.checker.odds.boxes import BoxRegion

PRIME: Final = 2**127 - 1

MOST_STATES: Final = 2_000
"""Limit on states kept at once; larger regions get no second opinion."""


class Recount(NamedTuple):
    """Number of layouts, sum of their mines, and their fingerprint."""

    layouts: int
    mines: int
    fingerprint: int


def weights_of(region: BoxRegion, seed: str) -> list[int]:
    """Return a random number for each box, drawn from ``seed``, a hash of the certificate."""
    return [
        int.from_bytes(sha256(f"{seed} {box[0]}".encode("ascii")).digest(), "big") % PRIME
        for box in region.boxes
    ]


def recount(region: BoxRegion, order: Iterable[int], weights: Sequence[int]) -> Recount | None:
    """Count the layouts of ``region``; None if more than MOST_STATES states are needed.

    Args:
        region: the boxes, their clues, and the mines that each clue needs.
        order: the boxes in the order in which they are filled, each once; the fewer clues are begun
            and not finished at a time, the fewer states there are.
        weights: a number for each box, for the fingerprint.
    """
    coming = [0] * len(region.needs)
    for box, clues in zip(region.boxes, region.clues, strict=True):
        for clue in clues:
            coming[clue] += len(box)
    # A state is the number of mines that each begun, unfinished clue still needs. Its value: the
    # layouts of the boxes so far, the sum of their mines, and their fingerprint.
    begun: list[int] = []
    ways: dict[tuple[int, ...], tuple[int, int, int]] = {(): (1, 0, 1)}
    for number in order:
        size, clues = len(region.boxes[number]), region.clues[number]
        new = [clue for clue in clues if clue not in begun]
        begun += new
        added = tuple([region.needs[clue] for clue in new])
        for clue in clues:
            coming[clue] -= size
        here = [begun.index(clue) for clue in clues]
        kept = [at for at, clue in enumerate(begun) if coming[clue]]
        fillings = [comb(size, mines) for mines in range(size + 1)]
        heavy = [fillings[k] * pow(weights[number], k, PRIME) for k in range(size + 1)]
        after: dict[tuple[int, ...], tuple[int, int, int]] = {}
        for state, (layouts, held, mark) in ways.items():
            needs = [*state, *added]
            # Bounds on the mines of the box: no clue may need more than its coming cells, or less
            # than none. A clue without coming cells is then met exactly, and leaves the state.
            low = max(0, *(needs[at] - coming[begun[at]] for at in here))
            high = min(size, *(needs[at] for at in here))
            for mines in range(low, high + 1):
                left = needs.copy()
                for at in here:
                    left[at] -= mines
                key = tuple([left[at] for at in kept])
                old = after.get(key, (0, 0, 0))
                after[key] = (
                    old[0] + layouts * fillings[mines],
                    old[1] + (held + layouts * mines) * fillings[mines],
                    old[2] + mark * heavy[mines],
                )
        if len(after) > MOST_STATES:
            return None
        begun = [begun[at] for at in kept]
        ways = {key: (layouts, held, mark % PRIME) for key, (layouts, held, mark) in after.items()}
    return Recount(*ways.get((), (0, 0, 0)))


def mines_add_up(
    sizes: Sequence[int], mined: Sequence[Sequence[int]], layouts: Sequence[int], least: int
) -> bool:
    """Whether layouts with a mine, summed over all cells, are layouts times their mines.

    Args:
        sizes: the number of cells of each box.
        mined: for each box, the number of layouts with a mine in a given cell of the box, by the
            layouts' number of mines.
        layouts: the number of all layouts, by their number of mines.
        least: the number of mines of the first entries.
    """
    sums = [0] * len(layouts)
    for size, numbers in zip(sizes, mined, strict=True):
        for at, number in enumerate(numbers):
            sums[at] += size * number
    return sums == [count * mines for mines, count in enumerate(layouts, start=least)]
