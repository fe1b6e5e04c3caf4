"""All layouts of a position, and what every unknown cell would show in each."""

from typing import Final, NamedTuple

from satsweeper.play.kernel.arrays import Bytes, Ints, ints, octets
from satsweeper.play.kernel.boxes import FIRST, FOUND, NEXT_CELL, ORDER, Boxes
from satsweeper.play.kernel.compiled import compiled
from satsweeper.play.kernel.grid import KNOWN_MINE, UNKNOWN, Grid

MINE: Final = 9
"""What a mine shows."""
PLACES: Final = 4096
"""Unknown cells of a position whose layouts are listed, at the most."""


class Layouts(NamedTuple):
    """``shows[place, layout]`` of the unknown cell ``place_cell[place]``; the rest is scratch.

    ``place_of`` is the place of a cell. ``need`` and ``room``: mines and unknown cells that a clue
    still has.
    """

    place_cell: Ints
    place_of: Ints
    need: Ints
    room: Ints
    placed: Bytes
    shows: Bytes


def room_for_layouts(cells: int, layouts: int) -> Layouts:
    """Room for so many layouts of a board with so many cells."""
    places = min(cells, PLACES)
    return Layouts(
        place_cell=ints(places),
        place_of=ints(cells),
        need=ints(cells),
        room=ints(cells),
        placed=octets(places),
        shows=octets(places, layouts),
    )


@compiled
def list_layouts(
    grid: Grid, cells: Bytes, mines: int, boxes: Boxes, layouts: Layouts, effort: int
) -> int:
    """List all layouts with this total; how many, or -1 if there is no room or time for them.

    Args:
        grid: the neighbours.
        cells: what is known of each cell.
        mines: of the whole board.
        boxes: of the position; their cells come first, region by region.
        layouts: filled.
        effort: cells that may be placed in all.
    """
    near, degree = grid.near, grid.degree
    place_cell, place_of, placed = layouts.place_cell, layouts.place_of, layouts.placed
    need, room, shows = layouts.need, layouts.room, layouts.shows
    many = 0
    for cell in range(len(cells)):
        place_of[cell] = -1
        many += cells[cell] == UNKNOWN
    if many > len(place_cell):
        return -1
    many = 0
    for i in range(boxes.ints[FOUND, 1]):
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
    # placed: -1 to be tried as free, 0 free, 1 a mine.
    if many:
        placed[0] = -1
    elif mines == 0:
        return 1
    while at >= 0 and many:
        effort -= 1
        if effort < 0:
            return -1
        value = int(placed[at])
        if value >= 0:
            mines += value
            put(grid, cells, layouts, at, -1, value)
        if value == 1:
            at -= 1
            continue
        value += 1
        placed[at] = value
        mines -= value
        fits = put(grid, cells, layouts, at, 1, value)
        if not fits or mines < 0 or mines > many - at - 1:
            continue
        if at + 1 < many:
            at += 1
            placed[at] = -1
            continue
        if found == shows.shape[1]:
            return -1
        for place in range(many):
            shows[place, found] = MINE if placed[place] else 0
        found += 1
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


def put(grid: Grid, cells: Bytes, layouts: Layouts, place: int, sign: int, mine: int) -> bool:
    """Place a cell, or take it back (sign -1); whether the clues around can still hold."""
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
