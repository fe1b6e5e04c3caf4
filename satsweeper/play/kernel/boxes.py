"""Clues, boxes and regions: the part of a position that is left to count once the rules are done.

A *box* is a set of interchangeable unknown cells: all cells that are neighbours of the same clues.
A *region* is a set of boxes tied together by clues. Both are found for the whole board, or for some
of its clues only.
"""

from typing import Final, NamedTuple

from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, Adjacency, Bytes, Ints, ints

CLUE_CELL, CLUE_NEED, CLUE_DEGREE, CELL_DEGREE = range(4)
SIZE, FIRST, DEGREE, BOX_OF, NEXT_CELL, REGION_OF = range(4, 10)
ORDER, START, REGION_CELLS, FOUND = range(10, 14)
ROWS: Final = 14
CLUE_BOXES, UNDER, CELL_CLUES = range(3)
LISTS: Final = 3
CLUES, BOXES, REGIONS = range(3)
"""Columns of the row ``FOUND``: the numbers of clues, boxes and regions."""


class Boxes(NamedTuple):
    """The boxes and regions of a position, in two arrays, as each array costs time in a call.

    Rows of ``ints`` indexed by clue: ``CLUE_CELL``, the cell of the clue; ``CLUE_NEED``, the number
    of mines among the unknown neighbours; ``CLUE_DEGREE``, the number of boxes around the clue.
    Indexed by box: ``SIZE``, the number of cells; ``FIRST``, the first cell of the linked list;
    ``DEGREE``, the number of clues; ``REGION_OF``, the region. Indexed by cell: ``BOX_OF``, the
    box, -1 for none; ``NEXT_CELL``, the next cell of the same box, -1 at the end; ``CELL_DEGREE``,
    the number of clues. ``ORDER`` lists the boxes region by region; indexed by region: ``START``,
    where the boxes of the region begin in ``ORDER``; ``REGION_CELLS``, the number of cells. Row
    ``FOUND``: see ``CLUES``, ``BOXES``, ``REGIONS``. Rows of ``lists``, each ascending: the boxes
    of a clue (``CLUE_BOXES``), the clues of a box (``UNDER``), the clues of a cell
    (``CELL_CLUES``).
    """

    ints: Ints
    lists: Ints


def room_for_boxes(cells: int) -> Boxes:
    """Arrays that hold the boxes of any position with ``cells`` cells."""
    return Boxes(ints(ROWS, max(cells, 2) + 1), ints(LISTS, cells, 8))


def find_boxes(grid: Adjacency, cells: Bytes, clues: Ints, many: int, boxes: Boxes) -> bool:
    """Fill ``boxes`` for some clues; False if a clue cannot hold.

    A clue cannot hold if it needs fewer than 0 mines, or more mines than it has unknown cells.

    Args:
        grid: the neighbours.
        cells: the code of what is known of each cell.
        clues: cells with clues, ascending, except that the last may be any cell.
        many: the number of clues to use: ``clues[:many]``.
        boxes: filled.
    """
    near, degree = grid.near, grid.degree
    cell_clues, cell_degree = boxes.lists[CELL_CLUES], boxes.ints[CELL_DEGREE]
    box_of = boxes.ints[BOX_OF]
    # Number the clues that have unknown cells, and reset the rows of the unknown cells around the
    # clues, which still hold an earlier position.
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
        # ``need`` is left for the unknown cells: with known mines and safe cells set aside, the
        # clue says that exactly ``need`` of ``unknown`` cells are mines.
        if need < 0 or need > unknown:
            return False
        if unknown:
            boxes.ints[CLUE_CELL, found] = clue
            boxes.ints[CLUE_NEED, found] = need
            boxes.ints[CLUE_DEGREE, found] = 0
            found += 1
    # List the clues of each unknown cell. The list is ascending, because the loop takes the clues
    # by ascending number.
    for clue in range(found):
        at = boxes.ints[CLUE_CELL, clue]
        for j in range(degree[at]):
            cell = near[at, j]
            if cells[cell] == UNKNOWN:
                cell_clues[cell, cell_degree[cell]] = clue
                cell_degree[cell] += 1
    # Put each cell into the box with an equal list of clues, or into a new box. Every clue counts
    # either all cells of a box or none, so only the number of mines in the box matters. Lists of
    # clues are ascending, so two lists are equal if and only if they hold the same clues.
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
                    boxes.ints[SIZE, box] = 1
                    boxes.ints[FIRST, box] = cell
                    boxes.ints[NEXT_CELL, cell] = -1
                    boxes.ints[DEGREE, box] = cell_degree[cell]
                    boxes.ints[REGION_OF, box] = -1
                    for i in range(cell_degree[cell]):
                        under = cell_clues[cell, i]
                        boxes.lists[UNDER, box, i] = under
                        boxes.lists[CLUE_BOXES, under, boxes.ints[CLUE_DEGREE, under]] = box
                        boxes.ints[CLUE_DEGREE, under] += 1
                else:
                    boxes.ints[SIZE, box] += 1
                    boxes.ints[NEXT_CELL, cell] = boxes.ints[FIRST, box]
                    boxes.ints[FIRST, box] = cell
                box_of[cell] = box
    boxes.ints[FOUND, CLUES] = found
    boxes.ints[FOUND, BOXES] = total
    boxes.ints[FOUND, REGIONS] = find_regions(boxes, total)
    return True


def same_box(boxes: Boxes, cell: int) -> int:
    """The box with exactly the clues of ``cell``, -1 if there is none yet."""
    # A box is listed under each of its clues, so the boxes of one clue of ``cell`` are enough.
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


def find_regions(boxes: Boxes, total: int) -> int:
    """Fill in the regions of the boxes 0 to ``total - 1``; return the number of regions."""
    # A region is a connected component of the graph whose edges join boxes under a common clue.
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
        # Breadth-first search: ``ORDER[at:placed]`` is the queue. A box gets its region when it
        # enters the queue, so no box enters twice.
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
