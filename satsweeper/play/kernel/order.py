"""The order in which a sweep places the boxes of a region: as few clues open at once as can be."""

from typing import Final

from satsweeper.play.kernel.boxes import CLUE_DEGREE, DEGREE, ORDER, START, UNDER, Boxes
from satsweeper.play.kernel.states import BOXES_LEFT, PLACED, SLOT, Sweep

_EASY: Final = 2000
"""States, as guessed, up to which no better order is looked for."""


def put_in_order(boxes: Boxes, region: int, sweep: Sweep) -> None:
    """Order the boxes of a region: from one end of it, and if that is hard from the best start."""
    first, last = boxes.ints[START, region], boxes.ints[START, region + 1]
    # The last that was found from any other lies at an end of the region.
    best, chosen = order_from(boxes, region, sweep, last - 1), last - 1
    if best <= _EASY:
        return
    for start in range(first, last - 1):
        cost = order_from(boxes, region, sweep, start)
        if cost < best:
            best, chosen = cost, start
    order_from(boxes, region, sweep, chosen)


def order_from(boxes: Boxes, region: int, sweep: Sweep, start: int) -> int:
    """Order boxes, each next the one that leaves the fewest clues open; a guess at the states."""
    first, last = boxes.ints[START, region], boxes.ints[START, region + 1]
    boxes_left, opened = sweep.ints[BOXES_LEFT], sweep.ints[SLOT]
    order = sweep.ints[PLACED]
    for i in range(first, last):
        box = boxes.ints[ORDER, i]
        for j in range(boxes.ints[DEGREE, box]):
            clue = boxes.lists[UNDER, box, j]
            boxes_left[clue] = boxes.ints[CLUE_DEGREE, clue]
            opened[clue] = 0
    width = 0
    cost = 0
    for i in range(last - first):
        least, chosen = 1 << 20, start
        if i:
            for at in range(first, last):
                box = boxes.ints[ORDER, at]
                if box < 0:
                    continue
                more = 0
                touches = False
                for j in range(boxes.ints[DEGREE, box]):
                    clue = boxes.lists[UNDER, box, j]
                    if opened[clue]:
                        touches = True
                    else:
                        more += 1
                    if boxes_left[clue] == 1:
                        more -= 1
                if touches and more < least:
                    least, chosen = more, at
        box = boxes.ints[ORDER, chosen]
        order[i] = box
        # Marked as placed; it is found again below.
        boxes.ints[ORDER, chosen] = -1 - box
        for j in range(boxes.ints[DEGREE, box]):
            clue = boxes.lists[UNDER, box, j]
            width += 1 - opened[clue]
            opened[clue] = 1
            boxes_left[clue] -= 1
            width -= boxes_left[clue] == 0
        cost += 1 << min(width, 40)
    for at in range(first, last):
        boxes.ints[ORDER, at] = -1 - boxes.ints[ORDER, at]
    return cost
