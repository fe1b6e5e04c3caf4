"""Sets of clues that force cells to be mines or safe, and which of the clues can be left out.

The array ``known`` of these functions holds either the mines that were proved before, or the open
cells alone; in the latter case an answer rests on nothing but the clues of the set.
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
"""Answers of ``forced``; UNCOUNTED if a region is too wide to be counted."""

LISTED, TARGETS, TRIAL, MARKS = range(4)
"""Rows of ``lists``: the clues of the set; the cells to be forced; the clues that are tried; 1 for
each cell whose clue is in the set."""
MANY_CLUES, MANY_TARGETS, MANY_TRIAL, VALUE, TOTAL, EFFORT = range(6)
"""Places in ``values``: three lengths; whether the targets are mines (1) or safe (0); the mines of
the board if the total belongs to the set, else -1; how often the total may still be counted."""

_STATES: Final = 1 << 12
_NUMBERS: Final = 1 << 17
"""Room for one count: enough for the few clues of a reason."""


class ClueQuestion(NamedTuple):
    """The question whether a set of clues forces some cells, the *targets*.

    Rows of ``lists``: see ``LISTED``; places in ``values``: see ``MANY_CLUES``.
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
    """Whether the clues that are tried force all targets: YES, NO or UNCOUNTED.

    Args:
        grid: the neighbours.
        known: what is known beside the clues; the targets are unknown.
        question: its clues in the row TRIAL, its targets and values.
        work: scratch.
    """
    boxes, counts, values = work.boxes, work.counts, question.values
    box_of, targets = boxes.ints[BOX_OF], question.lists[TARGETS]
    # Boxes are found for the clues of the trial alone; a target that none of them touches would
    # keep its box of an earlier trial.
    for i in range(values[MANY_TARGETS]):
        box_of[targets[i]] = -1
    if not find_boxes(grid, known, question.lists[TRIAL], values[MANY_TRIAL], boxes):
        return NO
    # With the total all regions are mixed, and only safe cells are asked about: forced to be safe
    # is a chance of exactly 0. Without it a region speaks for itself: what all its layouts agree
    # on.
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
    # A clue that could not be left out once cannot be left out later: fewer clues force less.
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
                # No cell is forced by nothing.
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

    Each ring is the clues around the unknown cells of the ring before; the last ring is the end of
    the region. The set is empty before, and there is one target.
    """
    near, degree, values = grid.near, grid.degree, question.values
    target = question.lists[TARGETS, 0]
    for i in range(degree[target]):
        if known[near[target, i]] > 0:
            add_clue(question, near[target, i])
    begin = 0
    while begin < values[MANY_CLUES]:
        # More clues force no less: as soon as the rings so far force the target, wider ones are not
        # needed.
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
