"""In which order an easy region's boxes are placed: few clues should be open at any one time.

A clue is open from the first of its boxes that is placed to the last. The states of the count are
the needs of the open clues, so their number grows exponentially with how many are open.
"""

from typing import NamedTuple

from satsweeper.count.boxes import Boxed


class Order(NamedTuple):
    """Boxes in the order of placing; ``width``: clues open at once, at the most."""

    boxes: list[int]
    width: int


def greedy(region: Boxed, start: int) -> Order:
    """Always the box next to open clues that opens least and closes most; the oldest on ties."""
    boxes_of: list[list[int]] = [[] for _ in region.needs]
    for box, clues in enumerate(region.clues):
        for clue in clues:
            boxes_of[clue].append(box)
    left = [len(boxes) for boxes in boxes_of]
    opened = [False] * len(left)
    waiting: dict[int, None] = {start: None}
    done = set()
    order: list[int] = []
    now = width = 0
    while waiting:
        chosen, least = -1, 99
        for box in waiting:
            change = 0
            for clue in region.clues[box]:
                if left[clue] == 1:
                    change -= 1
                if not opened[clue]:
                    change += 1
            if change < least:
                chosen, least = box, change
        del waiting[chosen]
        done.add(chosen)
        order.append(chosen)
        closed = 0
        for clue in region.clues[chosen]:
            left[clue] -= 1
            if not left[clue]:
                closed += 1
            if not opened[clue]:
                opened[clue] = True
                for box in boxes_of[clue]:
                    if box not in done:
                        waiting[box] = None
        now += least
        if now + closed > width:
            width = now + closed
    return Order(order, width)
