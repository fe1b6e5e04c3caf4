"""Clues, boxes and regions: what is left to count once the rules are done.

A *box* is all unknown cells that stand under the same clues: they differ in nothing but their
place. A *region* is boxes tied together by clues. Both are found for the whole board, or for some
of its clues only.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Ints, ints
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, Grid

CLUE_CELL, CLUE_NEED, CLUE_DEGREE, CELL_DEGREE = range(4)
SIZE, FIRST, DEGREE, BOX_OF, NEXT_CELL, REGION_OF = range(4, 10)
ORDER, START, REGION_CELLS, FOUND = range(10, 14)
ROWS: Final = 14
CLUE_BOXES, UNDER, CELL_CLUES = range(3)
LISTS: Final = 3


class Boxes(NamedTuple):
    """Scratch for a board of so many cells: few arrays of many rows, which are quick to hand on.

    Rows of ``ints``, by clue: the ``CLUE_CELL`` it stands in, how many mines of its unknown cells
    it needs, how many boxes it has. By box: its ``SIZE`` in cells and ``FIRST`` one of them, its
    clues, its region. By cell: the box of it, -1 for none; the next cell in the same box, -1 at the
    end; its clues. By region: where it starts in the ``ORDER`` of boxes, and how many cells it has.
    ``FOUND`` are the numbers of clues, boxes and regions. ``lists``: the boxes of a clue, the clues
    of a box and of a cell, ascending.
    """

    ints: Ints
    lists: Ints


def room_for_boxes(cells: int) -> Boxes:
    """Arrays that hold the boxes of any position with so many cells."""
    return Boxes(ints(ROWS, max(cells, 2) + 1), ints(LISTS, cells, 8))


def find_boxes(grid: Grid, cells: Bytes, clues: Ints, many: int, boxes: Boxes) -> bool:
    """Fill the boxes of some clues; whether each of them can hold.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        clues: cells with clues, ascending.
        many: how many of them.
        boxes: filled.
    """
    near, degree = grid.near, grid.degree
    cell_clues, cell_degree = boxes.lists[CELL_CLUES], boxes.ints[CELL_DEGREE]
    box_of = boxes.ints[BOX_OF]
    found = 0
    for i in range(many):
        clue = clues[i]
        need = int(cells[clue])
        unknown = 0
        for j in range(degree[clue]):
            cell = near[clue, j]
            if cells[cell] == UNKNOWN:
                unknown += 1
                cell_degree[cell] = 0
                box_of[cell] = -1
            elif cells[cell] == KNOWN_MINE:
                need -= 1
        if need < 0 or need > unknown:
            return False
        if unknown:
            boxes.ints[CLUE_CELL, found] = clue
            boxes.ints[CLUE_NEED, found] = need
            boxes.ints[CLUE_DEGREE, found] = 0
            found += 1
    for clue in range(found):
        at = boxes.ints[CLUE_CELL, clue]
        for j in range(degree[at]):
            cell = near[at, j]
            if cells[cell] == UNKNOWN:
                cell_clues[cell, cell_degree[cell]] = clue
                cell_degree[cell] += 1
    total = 0
    for clue in range(found):
        at = boxes.ints[CLUE_CELL, clue]
        for j in range(degree[at]):
            cell = near[at, j]
            if cells[cell] == UNKNOWN and box_of[cell] < 0:
                box = same_box(boxes, cell)
                if box < 0:
                    box = total
                    total += 1
                    new_box(boxes, box, cell)
                else:
                    boxes.ints[SIZE, box] += 1
                    boxes.ints[NEXT_CELL, cell] = boxes.ints[FIRST, box]
                    boxes.ints[FIRST, box] = cell
                box_of[cell] = box
    boxes.ints[FOUND, 0] = found
    boxes.ints[FOUND, 1] = total
    boxes.ints[FOUND, 2] = find_regions(boxes, total)
    return True


def same_box(boxes: Boxes, cell: int) -> int:
    """The box with exactly the clues of a cell, -1 if there is none yet."""
    first = boxes.lists[CELL_CLUES, cell, 0]
    many = boxes.ints[CELL_DEGREE, cell]
    for i in range(boxes.ints[CLUE_DEGREE, first]):
        box = boxes.lists[CLUE_BOXES, first, i]
        if boxes.ints[DEGREE, box] != many:
            continue
        same = True
        for j in range(many):
            if boxes.lists[UNDER, box, j] != boxes.lists[CELL_CLUES, cell, j]:
                same = False
                break
        if same:
            return int(box)
    return -1


def new_box(boxes: Boxes, box: int, cell: int) -> None:
    """A box that holds one cell so far."""
    boxes.ints[SIZE, box] = 1
    boxes.ints[FIRST, box] = cell
    boxes.ints[NEXT_CELL, cell] = -1
    boxes.ints[DEGREE, box] = boxes.ints[CELL_DEGREE, cell]
    boxes.ints[REGION_OF, box] = -1
    for j in range(boxes.ints[CELL_DEGREE, cell]):
        clue = boxes.lists[CELL_CLUES, cell, j]
        boxes.lists[UNDER, box, j] = clue
        boxes.lists[CLUE_BOXES, clue, boxes.ints[CLUE_DEGREE, clue]] = box
        boxes.ints[CLUE_DEGREE, clue] += 1


def find_regions(boxes: Boxes, total: int) -> int:
    """Fill in the regions of so many boxes; how many there are."""
    regions = 0
    placed = 0
    for seed in range(total):
        if boxes.ints[REGION_OF, seed] >= 0:
            continue
        boxes.ints[START, regions] = placed
        boxes.ints[REGION_OF, seed] = regions
        boxes.ints[ORDER, placed] = seed
        at = placed
        placed += 1
        inside = 0
        while at < placed:
            box = boxes.ints[ORDER, at]
            at += 1
            inside += boxes.ints[SIZE, box]
            for i in range(boxes.ints[DEGREE, box]):
                clue = boxes.lists[UNDER, box, i]
                for j in range(boxes.ints[CLUE_DEGREE, clue]):
                    other = boxes.lists[CLUE_BOXES, clue, j]
                    if boxes.ints[REGION_OF, other] < 0:
                        boxes.ints[REGION_OF, other] = regions
                        boxes.ints[ORDER, placed] = other
                        placed += 1
        boxes.ints[REGION_CELLS, regions] = inside
        regions += 1
    boxes.ints[START, regions] = placed
    return regions
