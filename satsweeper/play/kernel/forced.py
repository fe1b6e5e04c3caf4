"""Whether some clues force cells, and which of the clues can be left out.

What is *known* in these questions is an array of its own: with the mines that were proved before,
or with the open cells alone, so that an answer rests on nothing but the clues.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Ints, ints
from satsweeper.play.kernel.boxes import BOX_OF, REGION_OF, find_boxes, room_for_boxes
from satsweeper.play.kernel.chances import Work, box_chance, share
from satsweeper.play.kernel.grid import UNKNOWN, Grid
from satsweeper.play.kernel.mix import INSIDE_FREE, INSIDE_MINE, room_for_mixed
from satsweeper.play.kernel.reach import certain_box, count_regions, mix_in_total
from satsweeper.play.kernel.states import USED, room_for_counts, room_for_sweep
from satsweeper.play.kernel.sweep import count_region

YES: Final = 1
NO: Final = 0
UNCOUNTED: Final = -1
"""Whether all targets are forced; the last one if that is too wide to be counted."""

CLUES, TARGETS, TRIAL, MARKS = range(4)
"""Rows of ``lists``: clues, the cells that they are asked about, scratch; and 1 for each cell whose
clue is in the list."""
MANY_CLUES, MANY_TARGETS, MANY_TRIAL, VALUE, TOTAL, EFFORT = range(6)
"""Places in ``said``: three lengths; whether the targets are to be mines (1) or safe (0); the mines
of the board if the total is one of the clues, else -1; counts that may still be made with it."""

_STATES: Final = 1 << 12
_NUMBERS: Final = 1 << 17
"""Of one count: enough for the few clues of a reason."""


class Asked(NamedTuple):
    """Which clues are asked about which cells: see above."""

    lists: Ints
    said: Ints


def room_for_asked(cells: int) -> Asked:
    """Room for a board with so many cells."""
    return Asked(ints(4, cells), ints(6))


def room_for_reasons(cells: int) -> Work:
    """Scratch for counting the few clues of a reason, on a board with so many cells."""
    return Work(
        room_for_boxes(cells),
        room_for_counts(cells),
        room_for_sweep(cells, _STATES, _NUMBERS),
        room_for_mixed(cells),
        ints(cells),
    )


def forced(grid: Grid, known: Bytes, asked: Asked, work: Work) -> int:
    """Whether the clues of the trial force all targets: YES, NO or UNCOUNTED.

    Args:
        grid: the neighbours.
        known: what is known beside the clues; the targets are unknown.
        asked: the question.
        work: scratch.
    """
    boxes, counts, said = work.boxes, work.counts, asked.said
    box_of, targets = boxes.ints[BOX_OF], asked.lists[TARGETS]
    for i in range(said[MANY_TARGETS]):
        box_of[targets[i]] = -1
    if not find_boxes(grid, known, asked.lists[TRIAL], said[MANY_TRIAL], boxes):
        return NO
    total = said[TOTAL] >= 0
    if total and not (count_regions(work) and mix_in_total(known, said[TOTAL], work) >= 0):
        return UNCOUNTED
    last = -1
    for i in range(said[MANY_TARGETS]):
        box = box_of[targets[i]]
        if total:
            if box >= 0:
                chance = box_chance(boxes, counts, work.mixed, box)
            else:
                chance = share(work.mixed.sums[INSIDE_MINE], work.mixed.sums[INSIDE_FREE])
            if chance != 0.0:
                return NO
            continue
        if box < 0:
            return NO
        region = boxes.ints[REGION_OF, box]
        if region != last:
            counts.ints[USED, 0] = 0
            if count_region(boxes, region, work.sweep, counts) < 1:
                return UNCOUNTED
            last = region
        if certain_box(work, box) != said[VALUE]:
            return NO
    return YES


def shrink(grid: Grid, known: Bytes, asked: Asked, work: Work) -> bool:
    """Leave out clues as long as the rest forces the targets, the last of the list first.

    Whether the result is known to be irreducible. With the total, parts are left out at once where
    that can be, and the effort is limited.
    """
    said, clues, trial = asked.said, asked.lists[CLUES], asked.lists[TRIAL]
    sure = True
    size = 1
    if said[TOTAL] >= 0:
        while 4 * size < said[MANY_CLUES]:
            size *= 2
    while size:
        end = said[MANY_CLUES]
        while end > 0:
            begin = max(end - size, 0)
            if said[TOTAL] >= 0:
                if said[EFFORT] == 0:
                    return False
                said[EFFORT] -= 1
            elif said[MANY_CLUES] == 1:
                # No cell is forced by nothing.
                return sure
            many = 0
            for i in range(said[MANY_CLUES]):
                if i < begin or i >= end:
                    trial[many] = clues[i]
                    many += 1
            said[MANY_TRIAL] = many
            answer = forced(grid, known, asked, work)
            if answer == YES:
                for i in range(begin, end):
                    asked.lists[MARKS, clues[i]] = 0
                for i in range(many):
                    clues[i] = trial[i]
                said[MANY_CLUES] = many
            elif answer == UNCOUNTED and size == 1:
                sure = False
            end = begin
        size //= 2
    return sure


def add_clue(asked: Asked, clue: int) -> None:
    """Put a clue into the list, unless it is there already."""
    if not asked.lists[MARKS, clue]:
        asked.lists[MARKS, clue] = 1
        asked.lists[CLUES, asked.said[MANY_CLUES]] = clue
        asked.said[MANY_CLUES] += 1


def drop_clues(asked: Asked) -> None:
    """Empty the list of clues."""
    for i in range(asked.said[MANY_CLUES]):
        asked.lists[MARKS, asked.lists[CLUES, i]] = 0
    asked.said[MANY_CLUES] = 0


def add_region(grid: Grid, known: Bytes, asked: Asked, work: Work) -> None:
    """List clues around the first target, ring by ring, until they force it or there are no more.

    Rings go through cells that are unknown. The list is empty before, and there is one target.
    """
    near, degree, said = grid.near, grid.degree, asked.said
    target = asked.lists[TARGETS, 0]
    for i in range(degree[target]):
        if known[near[target, i]] > 0:
            add_clue(asked, near[target, i])
    begin = 0
    while begin < said[MANY_CLUES]:
        end = said[MANY_CLUES]
        for i in range(end):
            asked.lists[TRIAL, i] = asked.lists[CLUES, i]
        said[MANY_TRIAL] = end
        if forced(grid, known, asked, work) == YES:
            return
        for i in range(begin, end):
            clue = asked.lists[CLUES, i]
            for j in range(degree[clue]):
                cell = near[clue, j]
                if known[cell] == UNKNOWN:
                    for k in range(degree[cell]):
                        if known[near[cell, k]] > 0:
                            add_clue(asked, near[cell, k])
        begin = end
