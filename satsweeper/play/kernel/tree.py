"""All layouts of a position, and the best play by a game tree over them.

A node is the set of layouts that agree with all open cells. The set determines the position, since
an open cell shows the same clue in each of these layouts. The *worth* of a node is the number of
these layouts that the best play wins, an exact integer. Three facts keep the tree small:

* A cell that is free in every layout of the node is opened at once: this loses no layout.
* A cell that shows one and the same clue in every layout in which the cell is free is *dead*. As
  long as another cell is living, opening a dead cell can wait, because it tells no two layouts
  apart in which the player survives.
* If every cell is dead, no move tells layouts apart, and the player wins one layout of his choice.

A node is evaluated against a bound, and the search of the node ends as soon as the worth cannot
exceed the bound. A table keeps the worths by the sets of layouts. Two sets are compared layout by
layout, never by a hash alone.
"""

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

# The layouts, and the value that every unknown cell shows in each of them.

MINE: Final = 9
"""The value of a cell with a mine, in place of a clue."""
PLACES: Final = 4096
"""The most unknown cells of a position whose layouts are listed."""


class LayoutTable(NamedTuple):
    """``shows[place, layout]``: the value of the unknown cell ``place_cell[place]`` in a layout.

    ``place_of``, indexed by cell, is the place of an unknown cell, else -1. Scratch: ``need`` and
    ``room``, indexed by cell: the mines and the unplaced cells that a clue still has; ``placed``,
    indexed by place: the value in the layout under construction.
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
        cells: the code of what is known of each cell.
        mines: the number of mines of the whole board.
        boxes: the boxes of the position; their cells get the first places, region by region.
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
    # Backtracking over the places. ``placed`` of the current place is -1 before the cell is tried
    # as free, 0 while the cell is free, 1 while the cell is a mine.
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
            # Undo the value of the current place. After 1 both values have been tried.
            mines += value
            put(grid, cells, layouts, at, -1, value)
        if value == 1:
            at -= 1
            continue
        # Invariant: places 0 to at - 1 have values, and no later place has; ``need`` and ``room``
        # of each clue and the rest ``mines`` of the total are those that the values leave.
        value += 1
        placed[at] = value
        mines -= value
        fits = put(grid, cells, layouts, at, 1, value)
        # A layout is complete only if the ``many - at - 1`` later places can hold all mines left.
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
    # The clue of a free cell is the number of known mines around plus the mines of the layout.
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
    """Place a cell (``sign`` 1) or take it back (-1); return whether the clues around can hold.

    ``mine`` is 1 for a mine, 0 for a free cell.
    """
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


# The tree. Recursion is written as a loop over ``frames``, one frame for each depth.

GIVEN_UP: Final = -1
"""The worth of a node for which there was no effort left."""
EXACT: Final = 1
ABOVE: Final = 2
"""Kinds of worths in the table: an exact worth, or an upper bound of the worth."""
MANY, LIVING, BOUND, ENTRY, PLACE, VALUE, LEFT, WORTH, BEST, CEILING = range(10)
FIELDS: Final = 10
"""Columns of ``frames``, for the node of each depth: the number of layouts and of living places;
the bound to exceed; the entry in the table; the place under trial, the next value at this place,
the number of free layouts with this value or a later one, and the worth of the earlier values; the
best worth of any place so far; an upper bound on the worths of all places so far."""
_STEPS: Final = 1000
_NODES: Final = 1 << 16
_KEYS: Final = 1 << 22
"""The most nodes in the table, and the most layouts in all of their sets."""
_REMEMBERED: Final = 3
"""The least number of layouts of a node that is kept in the table."""


class PlayTree(NamedTuple):
    """Scratch: at each depth a node's ``layouts``, and its living ``places`` with free layouts.

    ``table``: numbers of entries, by hash, 0 for none. Columns of ``entry``: where the layouts of a
    node begin in ``keys``, the number of layouts, the worth, and the kind of the worth. ``used``:
    the used lengths of ``entry`` and ``keys``, the effort left, and the depth of the search.
    """

    layouts: Ints
    places: Ints
    free: Ints
    frames: Ints
    table: Ints
    entry: Ints
    keys: Ints
    used: Ints


def room_for_tree(cells: int, layouts: int, nodes: int = _NODES, keys: int = _KEYS) -> PlayTree:
    """Scratch for ``layouts`` layouts of a board with ``cells`` cells.

    ``nodes``, a power of 2: how many are kept, as long as their layouts are no more than ``keys``.
    """
    places = min(cells, PLACES)
    # A deeper node has fewer places and fewer layouts, which bounds the depth.
    depth = min(places, layouts) + 2
    return PlayTree(
        layouts=ints(depth, layouts),
        places=ints(depth, places),
        free=ints(depth, places),
        frames=ints(depth, FIELDS),
        table=ints(4 * nodes),
        entry=ints(nodes, 4),
        keys=ints(keys),
        used=ints(4),
    )


def begin_tree(shows: Bytes, tree: PlayTree, places: int, layouts: int, effort: int) -> int:
    """Empty the table and put all layouts into the root; return how many places differ."""
    tree.table.fill(0)
    tree.used[0] = 1
    tree.used[1] = 0
    tree.used[2] = effort
    for layout in range(layouts):
        tree.layouts[0, layout] = layout
    many = 0
    # Of places that show equal values in every layout one is kept: opening the kept place tells
    # the values of all of them.
    for place in range(places):
        new = True
        for i in range(many):
            other = tree.places[0, i]
            same = 0
            while same < layouts and shows[place, same] == shows[other, same]:
                same += 1
            if same == layouts:
                new = False
                break
        if new:
            tree.places[0, many] = place
            many += 1
    return many


def survey(shows: Bytes, tree: PlayTree, depth: int, many: int, places: int) -> int:
    """Keep the living places of a node, those with the most free layouts first; return how many.

    A place is dead if at most one value occurs in the layouts in which the place is free: at most
    one bit of ``seen`` is set.
    """
    layouts, kept, free = tree.layouts[depth], tree.places, tree.free
    tree.used[2] -= many * places
    living = 0
    for i in range(places):
        place = kept[depth, i]
        shown = shows[place]
        without = 0
        seen = 0
        for j in range(many):
            value = int(shown[layouts[j]])
            if value != MINE:
                without += 1
                seen |= 1 << value
        if not seen & (seen - 1):
            # The place is dead in these layouts, and so in every subset, at every deeper node.
            continue
        at = living
        living += 1
        while at and free[depth, at - 1] < without:
            free[depth, at] = free[depth, at - 1]
            kept[depth, at] = kept[depth, at - 1]
            at -= 1
        free[depth, at] = without
        kept[depth, at] = place
    return living


def worth_of(shows: Bytes, tree: PlayTree, start: int) -> int:
    """The worth of the node at depth ``start`` if above its bound, else an upper bound.

    The caller has filled three fields of the frame of the node: ``BOUND``, at least 0; ``MANY``,
    the number of layouts; ``LIVING``, the number of places that may be living. Returns ``GIVEN_UP``
    if the effort is used up.
    """
    result = visit(shows, tree, start)
    tree.used[3] = start
    while not result:
        result = search(shows, tree, start, _STEPS)
    return int(result)


@compiled
def search(shows: Bytes, tree: PlayTree, start: int, steps: int) -> int:
    """Continue the search at the node visited last: the result of ``worth_of``, 0 for none yet.

    After ``steps`` steps the search pauses with the result 0, so that the next call can run as
    machine code (``compiled``).
    """
    frames = tree.frames
    depth = tree.used[3]
    result = 0
    while True:
        if result == GIVEN_UP:
            return GIVEN_UP
        if result:
            if depth == start:
                return int(result)
            depth -= 1
            frames[depth, WORTH] += result
        elif steps <= 0:
            tree.used[3] = depth
            return 0
        steps -= 1
        result = next_part(shows, tree, depth)
        if not result:
            depth += 1
            result = visit(shows, tree, depth)


def visit(shows: Bytes, tree: PlayTree, depth: int) -> int:
    """Enter a node: return its worth if no search is needed, 0 if it is, or ``GIVEN_UP``."""
    layouts, frames = tree.layouts, tree.frames
    many, places, bound = frames[depth, MANY], frames[depth, LIVING], frames[depth, BOUND]
    if many == 1:
        # One layout is left, so the player knows every mine and wins.
        return 1
    if many == 2:
        # Both layouts are won if a cell is free in both and shows different clues; else the player
        # must choose one layout and wins only that one.
        for i in range(places):
            place = tree.places[depth, i]
            one, other = shows[place, layouts[depth, 0]], shows[place, layouts[depth, 1]]
            if one != other and one != MINE and other != MINE:
                return 2
        return 1
    if tree.used[2] < 0:
        return GIVEN_UP
    entry = find_entry(tree, depth, many)
    # Entry 0 belongs to no node: its kind stays 0, neither EXACT nor ABOVE.
    kind, worth = tree.entry[entry, 3], tree.entry[entry, 2]
    if kind == EXACT or (kind == ABOVE and worth <= bound):
        return int(worth)
    living = survey(shows, tree, depth, many, places)
    if not living:
        return remember(tree, entry, 1, EXACT)
    frames[depth, LIVING] = living
    frames[depth, ENTRY] = entry
    frames[depth, PLACE] = -1
    frames[depth, VALUE] = MINE
    frames[depth, LEFT] = 0
    frames[depth, WORTH] = 0
    frames[depth, BEST] = 0
    frames[depth, CEILING] = 0
    return 0


def next_part(shows: Bytes, tree: PlayTree, depth: int) -> int:
    """Go on with a node: return 0 if its next part lies one deeper, else the node's worth."""
    frames = tree.frames
    frame = frames[depth]
    many, living, bound = frame[MANY], frame[LIVING], frame[BOUND]
    while True:
        needed = max(bound, frame[BEST])
        if frame[VALUE] < MINE and frame[WORTH] + frame[LEFT] <= needed:
            # Even winning all LEFT layouts would not exceed ``needed``: their number completes an
            # upper bound of the worth of this place, and the remaining values are skipped.
            frame[WORTH] += frame[LEFT]
            frame[VALUE] = MINE
        if frame[VALUE] == MINE:
            place = frame[PLACE]
            if place >= 0:
                frame[CEILING] = max(frame[CEILING], frame[WORTH])
                if frame[WORTH] > needed:
                    frame[BEST] = frame[WORTH]
                    needed = frame[WORTH]
            place += 1
            # Places come by falling number of free layouts, which is an upper bound of the worth of
            # a play that opens the place first. A place that is free in all layouts is a best move,
            # and stands first: no other place is tried after it.
            if place < living and (place == 0 or tree.free[depth, 0] < many):
                free = tree.free[depth, place]
                if free > needed:
                    frame[PLACE] = place
                    frame[VALUE] = 0
                    frame[WORTH] = 0
                    frame[LEFT] = free
                    continue
                frame[CEILING] = max(frame[CEILING], free)
            if frame[BEST] > bound:
                return remember(tree, frame[ENTRY], frame[BEST], EXACT)
            return remember(tree, frame[ENTRY], frame[CEILING], ABOVE)
        size = split(shows, tree, depth, many, living, frame[PLACE], frame[VALUE])
        frame[VALUE] += 1
        if size:
            frame[LEFT] -= size
            below = frames[depth + 1]
            below[MANY] = size
            below[LIVING] = living - 1
            # With all LEFT layouts won, the place exceeds ``needed`` only if the worth of this part
            # exceeds this bound.
            below[BOUND] = max(needed - frame[WORTH] - frame[LEFT], 0)
            return 0


def split(
    shows: Bytes, tree: PlayTree, depth: int, many: int, living: int, i: int, value: int
) -> int:
    """Put the layouts that show ``value`` at living place ``i`` one deeper; return how many."""
    layouts, below = tree.layouts[depth], tree.layouts[depth + 1]
    shown = shows[tree.places[depth, i]]
    size = 0
    for j in range(many):
        if shown[layouts[j]] == value:
            below[size] = layouts[j]
            size += 1
    if size:
        kept = 0
        for j in range(living):
            if j != i:
                tree.places[depth + 1, kept] = tree.places[depth, j]
                kept += 1
    return size


def find_entry(tree: PlayTree, depth: int, many: int) -> int:
    """The entry of the node at ``depth``, new if need be; 0 if the node is not kept."""
    layouts, entries, keys = tree.layouts, tree.entry, tree.keys
    if many < _REMEMBERED:
        return 0
    # Open addressing. An entry is the node's only if all layouts are equal, so that equal hashes
    # never confuse two nodes. The lists of layouts are ascending, hence equal for equal sets.
    key = many
    for j in range(many):
        key = (key * 31 + layouts[depth, j]) & 0xFFFFFFFFFFF
    mask = len(tree.table) - 1
    at = (key ^ key >> 17) & mask
    while tree.table[at]:
        entry = tree.table[at]
        if entries[entry, 1] == many:
            begin = entries[entry, 0]
            same = True
            for j in range(many):
                if keys[begin + j] != layouts[depth, j]:
                    same = False
                    break
            if same:
                return int(entry)
        at = (at + 1) & mask
    entry = tree.used[0]
    begin = tree.used[1]
    if entry == len(entries) or begin + many > len(keys):
        return 0
    tree.table[at] = entry
    tree.used[0] += 1
    tree.used[1] += many
    entries[entry, 0] = begin
    entries[entry, 1] = many
    entries[entry, 3] = 0
    for j in range(many):
        keys[begin + j] = layouts[depth, j]
    return int(entry)


def remember(tree: PlayTree, entry: int, worth: int, kind: int) -> int:
    """Keep the worth of a node as ``kind``, ``EXACT`` or ``ABOVE``; return the worth."""
    if entry:
        tree.entry[entry, 2] = worth
        tree.entry[entry, 3] = kind
    return int(worth)
