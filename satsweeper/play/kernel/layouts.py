"""All layouts of a position, and the value that every unknown cell would show in each."""

from typing import Final, NamedTuple

from satsweeper.play.kernel.boxes import BOXES, FIRST, FOUND, NEXT_CELL, ORDER, Boxes
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import (
    KNOWN_MINE,
    NO_ROOM,
    UNKNOWN,
    Adjacency,
    Bytes,
    Ints,
    ints,
    octets,
)

MINE: Final = 9
"""The value of a mine, in place of a clue."""
PLACES: Final = 4096
"""The most unknown cells of a position whose layouts are listed."""


class LayoutTable(NamedTuple):
    """``shows[place, layout]``: the value of the unknown cell ``place_cell[place]`` in a layout.

    ``place_of`` is the place of a cell. Scratch: ``need`` and ``room``, the mines and unknown cells
    that a clue still has; ``placed``, the part of a layout that is being made.
    """

    place_cell: Ints
    place_of: Ints
    need: Ints
    room: Ints
    placed: Bytes
    shows: Bytes


def room_for_layouts(cells: int, layouts: int) -> LayoutTable:
    """Room for ``layouts`` layouts of a board with ``cells`` cells."""
    places = min(cells, PLACES)
    return LayoutTable(
        place_cell=ints(places),
        place_of=ints(cells),
        need=ints(cells),
        room=ints(cells),
        placed=octets(places),
        shows=octets(places, layouts),
    )


@compiled
def list_layouts(
    grid: Adjacency, cells: Bytes, mines: int, boxes: Boxes, layouts: LayoutTable, effort: int
) -> int:
    """List all layouts with a total of ``mines``; return their number, or NO_ROOM.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        mines: of the whole board.
        boxes: of the position; their cells come first, region by region.
        layouts: filled.
        effort: the most cells that may be placed, over all layouts; NO_ROOM if more are needed.
    """
    near, degree = grid.near, grid.degree
    place_cell, place_of, placed = layouts.place_cell, layouts.place_of, layouts.placed
    need, room, shows = layouts.need, layouts.room, layouts.shows
    many = 0
    for cell in range(len(cells)):
        place_of[cell] = -1
        many += cells[cell] == UNKNOWN
    if many > len(place_cell):
        return NO_ROOM
    many = 0
    for i in range(boxes.ints[FOUND, BOXES]):
        cell = boxes.ints[FIRST, boxes.ints[ORDER, i]]
        while cell >= 0:
            if cells[cell] == UNKNOWN:
                place_cell[many] = cell
                place_of[cell] = many
                many += 1
            cell = boxes.ints[NEXT_CELL, cell]
    for cell in range(len(cells)):
        if cells[cell] == UNKNOWN and place_of[cell] < 0:
            place_cell[many] = cell
            place_of[cell] = many
            many += 1
        elif cells[cell] == KNOWN_MINE:
            mines -= 1
        elif cells[cell] >= 0:
            need[cell] = cells[cell]
            room[cell] = 0
            for i in range(degree[cell]):
                if cells[near[cell, i]] == UNKNOWN:
                    room[cell] += 1
                elif cells[near[cell, i]] == KNOWN_MINE:
                    need[cell] -= 1
    found = 0
    at = 0
    # Backtracking over the places. placed: -1 to be tried as free, 0 free, 1 a mine.
    if many:
        placed[0] = -1
    elif mines == 0:
        return 1
    while at >= 0 and many:
        effort -= 1
        if effort < 0:
            return NO_ROOM
        value = int(placed[at])
        if value >= 0:
            # Take the last value back; after a mine both have been tried.
            mines += value
            put(grid, cells, layouts, at, -1, value)
        if value == 1:
            at -= 1
            continue
        value += 1
        placed[at] = value
        mines -= value
        fits = put(grid, cells, layouts, at, 1, value)
        # The places to come must be able to hold the mines that are left.
        if not fits or mines < 0 or mines > many - at - 1:
            continue
        if at + 1 < many:
            at += 1
            placed[at] = -1
            continue
        if found == shows.shape[1]:
            return NO_ROOM
        for place in range(many):
            shows[place, found] = MINE if placed[place] else 0
        found += 1
    # The clues that free cells show: mines known, and mines of the layout around.
    for place in range(many):
        cell = place_cell[place]
        known = 0
        for i in range(degree[cell]):
            known += cells[near[cell, i]] == KNOWN_MINE
        for layout in range(found):
            if shows[place, layout] != MINE:
                shows[place, layout] = known
                for i in range(degree[cell]):
                    other = place_of[near[cell, i]]
                    if other >= 0 and shows[other, layout] == MINE:
                        shows[place, layout] += 1
    return found


def put(
    grid: Adjacency, cells: Bytes, layouts: LayoutTable, place: int, sign: int, mine: int
) -> bool:
    """Place a cell, or take it back (``sign`` -1); return whether the clues around can hold."""
    cell = layouts.place_cell[place]
    fits = True
    for i in range(grid.degree[cell]):
        clue = grid.near[cell, i]
        if cells[clue] >= 0:
            layouts.need[clue] -= sign * mine
            layouts.room[clue] -= sign
            if layouts.need[clue] < 0 or layouts.need[clue] > layouts.room[clue]:
                fits = False
    return fits
