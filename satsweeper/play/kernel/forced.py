"""Whether some clues force cells, and which of the clues can be left out.

What is *known* in these questions is an array of its own: with the mines that were proved before,
or with the open cells alone, so that an answer rests on nothing but the clues.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.boxes import BOX_OF, REGION_OF, find_boxes, room_for_boxes
from satsweeper.play.kernel.chances import Work, box_chance, share
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import KNOWN_MINE, Bytes, Grid, Ints, ints
from satsweeper.play.kernel.mix import INSIDE_FREE, INSIDE_MINE, room_for_mixed
from satsweeper.play.kernel.reach import certain_box, count_regions, mix_in_total
from satsweeper.play.kernel.states import USED, room_for_counts, room_for_sweep
from satsweeper.play.kernel.sweep import count_region

YES: Final = 1
NO: Final = 0
UNCOUNTED: Final = -1
"""Whether all targets are forced; the last one if that is too wide to be counted."""

_STATES: Final = 1 << 12
_NUMBERS: Final = 1 << 17
"""Of one count: enough for the few clues of a reason."""


class Question(NamedTuple):
    """Which clues are asked about which cells; the lengths of both lists stand in ``many``.

    ``without`` is scratch, the list with some clues left out.
    """

    work: Work
    clues: Ints
    targets: Ints
    many: Ints
    without: Ints


CLUES: Final = 0
TARGETS: Final = 1
EFFORT: Final = 2
"""Places in ``many``: the lengths, and counts with the total that may still be made."""


def room_for_question(cells: int) -> Question:
    """Scratch for a board with so many cells."""
    work = Work(
        room_for_boxes(cells),
        room_for_counts(cells),
        room_for_sweep(cells, _STATES, _NUMBERS),
        room_for_mixed(cells),
        ints(cells),
    )
    return Question(work, ints(cells), ints(cells), ints(3), ints(cells))


@compiled
def forced(
    grid: Grid, known: Bytes, mines: int, clues: Ints, many: int, asked: Question, value: int
) -> int:
    """Whether clues force all targets to be mines (``value`` 1) or safe (0): YES, NO or UNCOUNTED.

    Args:
        grid: the neighbours.
        known: what is known beside the clues.
        mines: of the whole board if the total is one of the clues, else -1.
        clues: the cells of the clues.
        many: how many.
        asked: with the targets, which are unknown cells.
        value: see above.
    """
    boxes, counts = asked.work.boxes, asked.work.counts
    box_of = boxes.ints[BOX_OF]
    targets, end = asked.targets, asked.many[TARGETS]
    for i in range(end):
        box_of[targets[i]] = -1
    if not find_boxes(grid, known, clues, many, boxes):
        return NO
    if mines >= 0:
        return safe_in_total(known, mines, asked)
    last = -1
    for i in range(end):
        box = box_of[targets[i]]
        if box < 0:
            return NO
        region = boxes.ints[REGION_OF, box]
        if region != last:
            counts.ints[USED, 0] = 0
            if count_region(boxes, region, asked.work.sweep, counts) < 1:
                return UNCOUNTED
            last = region
        if certain_box(asked.work, box) != value:
            return NO
    return YES


@compiled
def safe_in_total(known: Bytes, mines: int, asked: Question) -> int:
    """Whether all targets are safe by the boxes of ``asked`` and the total."""
    work = asked.work
    if not count_regions(work):
        return UNCOUNTED
    if mix_in_total(known, mines, work) < 0:
        return UNCOUNTED
    for i in range(asked.many[TARGETS]):
        box = work.boxes.ints[BOX_OF, asked.targets[i]]
        if box >= 0:
            chance = box_chance(work.boxes, work.counts, work.mixed, box)
        else:
            chance = share(work.mixed.sums[INSIDE_MINE], work.mixed.sums[INSIDE_FREE])
        if chance != 0.0:
            return NO
    return YES


@compiled
def shrink(grid: Grid, known: Bytes, mines: int, asked: Question, value: int) -> bool:
    """Leave out clues as long as the rest forces the targets, the last of the list first.

    Whether the result is known to be irreducible. With the total, parts are left out at once where
    that can be, and the effort is limited.
    """
    clues, without = asked.clues, asked.without
    sure = True
    size = 1
    if mines >= 0:
        while 4 * size < asked.many[CLUES]:
            size *= 2
    while size:
        end = asked.many[CLUES]
        while end > 0:
            begin = max(end - size, 0)
            if mines < 0 and asked.many[CLUES] == 1:
                # A cell is forced by no clue at all in no position.
                return sure
            if mines >= 0:
                if asked.many[EFFORT] == 0:
                    return False
                asked.many[EFFORT] -= 1
            many = 0
            for i in range(asked.many[CLUES]):
                if i < begin or i >= end:
                    without[many] = clues[i]
                    many += 1
            answer = forced(grid, known, mines, without, many, asked, value)
            if answer == YES:
                for i in range(many):
                    clues[i] = without[i]
                asked.many[CLUES] = many
            elif answer == UNCOUNTED and size == 1:
                sure = False
            end = begin
        size //= 2
    return sure


@compiled
def add_clue(asked: Question, chosen: Bytes, clue: int) -> None:
    """Put a clue into the list, unless it is there already; ``chosen`` keeps account."""
    if not chosen[clue]:
        chosen[clue] = 1
        asked.clues[asked.many[CLUES]] = clue
        asked.many[CLUES] += 1


@compiled
def unmark(asked: Question, chosen: Bytes) -> None:
    """Clear the account of a list that stays, since it may become shorter."""
    for i in range(asked.many[CLUES]):
        chosen[asked.clues[i]] = 0


@compiled
def mark(asked: Question, chosen: Bytes) -> None:
    """Take a list that is there into account."""
    for i in range(asked.many[CLUES]):
        chosen[asked.clues[i]] = 1


@compiled
def add_region(grid: Grid, known: Bytes, asked: Question, chosen: Bytes, value: int) -> None:
    """List clues around the first target, ring by ring, until they force it or there are no more.

    Rings go through cells that are unknown; the list is empty before.
    """
    target = asked.targets[0]
    for i in range(grid.degree[target]):
        if known[grid.near[target, i]] > 0:
            add_clue(asked, chosen, grid.near[target, i])
    begin = 0
    while True:
        end = asked.many[CLUES]
        if forced(grid, known, -1, asked.clues, end, asked, value) == YES or begin == end:
            return
        for i in range(begin, end):
            clue = asked.clues[i]
            for j in range(grid.degree[clue]):
                cell = grid.near[clue, j]
                if known[cell] >= 0 or known[cell] == KNOWN_MINE:
                    continue
                for k in range(grid.degree[cell]):
                    if known[grid.near[cell, k]] > 0:
                        add_clue(asked, chosen, grid.near[cell, k])
        begin = end
