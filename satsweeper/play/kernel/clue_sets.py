"""Sets of clues that force cells to be mines or safe, and which of the clues can be left out.

The parameter ``known`` of these functions is an array of codes of cells: with the mines that were
proved before, or with the open cells alone. In the latter case the clues of the set force the cells
without any earlier proof.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.boxes import BOX_OF, REGION_OF, find_boxes
from satsweeper.play.kernel.certain import certain_box
from satsweeper.play.kernel.chances import (
    INSIDE_FREE,
    INSIDE_MINE,
    Workspace,
    box_chance,
    count_regions,
    mix_position,
    room_for_work,
    share,
)
from satsweeper.play.kernel.grid import DONE, UNKNOWN, Adjacency, Bytes, Ints, ints
from satsweeper.play.kernel.sweep import USED, count_region, room_for_sweep

YES: Final = 1
NO: Final = 0
UNCOUNTED: Final = -1
"""Answers of ``forced``: the clues force all targets; they do not; a region is too wide to be
counted, so that the answer is unknown."""

LISTED, TARGETS, TRIAL, MARKS = range(4)
"""Rows of ``lists``: the clues of the set; the cells to be forced; the clues of a trial, a part of
the set; indexed by cell, 1 if the clue of the cell is in the set."""
MANY_CLUES, MANY_TARGETS, MANY_TRIAL, VALUE, TOTAL, EFFORT = range(6)
"""Places in ``values``: the lengths of the first three lists; whether the targets are mines (1) or
safe (0); the number of mines of the board if the total belongs to the set, else -1; the number of
trials with the total that ``shrink`` may still make."""

_STATES: Final = 1 << 12
_NUMBERS: Final = 1 << 17
"""The most states and numbers of a sweep over the few clues of a reason."""


class ClueQuestion(NamedTuple):
    """The question whether a set of clues forces some cells, the *targets*.

    All targets are to be mines, or all are to be safe. Rows of ``lists``: see ``LISTED``; places in
    ``values``: see ``MANY_CLUES``.
    """

    lists: Ints
    values: Ints


def room_for_question(cells: int) -> ClueQuestion:
    """Room for a board with ``cells`` cells."""
    return ClueQuestion(ints(4, cells), ints(6))


def room_for_reasons(cells: int) -> Workspace:
    """Scratch for counting the few clues of a reason, on a board with ``cells`` cells."""
    return room_for_work(cells, room_for_sweep(cells, _STATES, _NUMBERS))


def forced(grid: Adjacency, known: Bytes, question: ClueQuestion, work: Workspace) -> int:
    """Whether the clues in the row TRIAL force all targets: YES, NO or UNCOUNTED.

    Args:
        grid: the neighbours.
        known: the code of what is known of each cell; the targets are unknown.
        question: the clues, the targets and the values.
        work: scratch.
    """
    boxes, counts, values = work.boxes, work.counts, question.values
    box_of, targets = boxes.ints[BOX_OF], question.lists[TARGETS]
    # ``find_boxes`` assigns boxes to the cells around the clues of the trial only: a target that no
    # clue of the trial touches would keep the box of an earlier trial.
    for i in range(values[MANY_TARGETS]):
        box_of[targets[i]] = -1
    if not find_boxes(grid, known, question.lists[TRIAL], values[MANY_TRIAL], boxes):
        return NO
    # With the total the targets are always safe cells: they are forced if and only if their chance
    # is exactly 0, once all regions are mixed. Without the total regions are independent: a target
    # is forced if and only if all layouts of its region agree on the target.
    total = values[TOTAL] >= 0
    if total and count_regions(work) != DONE:
        return UNCOUNTED
    if total and mix_position(known, values[TOTAL], work) != DONE:
        return UNCOUNTED
    last = -1
    for i in range(values[MANY_TARGETS]):
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
            # No clue of the trial touches the target.
            return NO
        region = boxes.ints[REGION_OF, box]
        if region != last:
            counts.ints[USED, 0] = 0
            if count_region(boxes, region, work.sweep, counts) != DONE:
                return UNCOUNTED
            last = region
        if certain_box(work, box) != values[VALUE]:
            return NO
    return YES


def shrink(grid: Adjacency, known: Bytes, question: ClueQuestion, work: Workspace) -> bool:
    """Leave out clues as long as the rest forces the targets, from the last listed clue on.

    Returns whether the set is known to be irreducible. With the total, whole parts of the list are
    tried first, and EFFORT limits the number of trials.
    """
    # Fewer clues force fewer cells, so a clue that could not be left out of a set cannot be left
    # out of a subset either. One pass over single clues therefore ends with an irreducible set,
    # unless a trial was UNCOUNTED.
    values, clues, trial = question.values, question.lists[LISTED], question.lists[TRIAL]
    sure = True
    size = 1
    if values[TOTAL] >= 0:
        while 4 * size < values[MANY_CLUES]:
            size *= 2
    while size:
        end = values[MANY_CLUES]
        while end > 0:
            begin = max(end - size, 0)
            if values[TOTAL] >= 0:
                if values[EFFORT] == 0:
                    return False
                values[EFFORT] -= 1
            elif values[MANY_CLUES] == 1:
                # Without the total an empty set of clues forces no cell: the last clue stays.
                return sure
            many = 0
            for i in range(values[MANY_CLUES]):
                if i < begin or i >= end:
                    trial[many] = clues[i]
                    many += 1
            values[MANY_TRIAL] = many
            answer = forced(grid, known, question, work)
            if answer == YES:
                for i in range(begin, end):
                    question.lists[MARKS, clues[i]] = 0
                for i in range(many):
                    clues[i] = trial[i]
                values[MANY_CLUES] = many
            elif answer == UNCOUNTED and size == 1:
                sure = False
            end = begin
        size //= 2
    return sure


def add_clue(question: ClueQuestion, clue: int) -> None:
    """Put ``clue`` into the set, unless it is there already."""
    if not question.lists[MARKS, clue]:
        question.lists[MARKS, clue] = 1
        question.lists[LISTED, question.values[MANY_CLUES]] = clue
        question.values[MANY_CLUES] += 1


def add_region(grid: Adjacency, known: Bytes, question: ClueQuestion, work: Workspace) -> None:
    """Put clues around the target into the set, ring by ring, until they force the target.

    The first ring is the clues around the target; each further ring is the clues around the unknown
    cells of the ring before. When no clue is new, the set holds all clues of the region. Before the
    call the set is empty, and there is one target.
    """
    near, degree, values = grid.near, grid.degree, question.values
    target = question.lists[TARGETS, 0]
    for i in range(degree[target]):
        if known[near[target, i]] > 0:
            add_clue(question, near[target, i])
    begin = 0
    while begin < values[MANY_CLUES]:
        # More clues force all cells that fewer clues force, so the search ends with the first ring
        # that completes a set that forces the target.
        end = values[MANY_CLUES]
        for i in range(end):
            question.lists[TRIAL, i] = question.lists[LISTED, i]
        values[MANY_TRIAL] = end
        if forced(grid, known, question, work) == YES:
            return
        for i in range(begin, end):
            clue = question.lists[LISTED, i]
            for j in range(degree[clue]):
                cell = near[clue, j]
                if known[cell] == UNKNOWN:
                    for k in range(degree[cell]):
                        if known[near[cell, k]] > 0:
                            add_clue(question, near[cell, k])
        begin = end
