"""Rules and regions of a small board.

The rules work on byte boards, which have a number for each cell in one integer, a byte each. From
text to byte board is one translation, and a count of all neighbours is eight sums, so that up to
some hundred cells byte boards are faster than bit boards.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from satsweeper.board.codes import COVERED, FLAG, PADDING
from satsweeper.board.facts import Flags
from satsweeper.board.planes import KINDS, byte_bits, frame, neighbours_of
from satsweeper.count.sweep import FIELD, GUARD, BoxedRegion
from satsweeper.count.truth_tables import MOST

SMALL: Final = 600
"""Bytes of the largest board that is tried: an expert board has 496."""

_MANY: Final = 120
"""The number of active clues above which the pair rule, on arrays, is applied first."""

_SORTED: Final = 12
"""The number of boxes above which sorting them costs less than placing them as they are."""

_CUT: Final = 150
"""The number of bytes above which rows far from all clues are cut off first."""

_ZERO: Final = 128
"""The byte of an active clue."""

_NO_CLUE: Final = bytes([COVERED & 255, FLAG & 255, PADDING])
"""The codes of all cells but clues."""


def boxed(clues: dict[int, int]) -> BoxedRegion:
    """Return the region of ``clues``: the cells, moved bit boards, and the mines they need."""
    boxes: dict[int, int] = {}
    seen = start = 0
    field = 1
    apart = FIELD * len(clues)
    for cells, need in clues.items():
        fresh = cells & ~seen
        left = cells ^ fresh
        if left:
            split = []
            # The boxes that the clue touches are mostly among the latest.
            for box in reversed(boxes):
                common = box & left
                if common:
                    if common == box:
                        boxes[box] |= field
                    else:
                        split.append((box, common))
                    left ^= common
                    if not left:
                        break
            for box, common in split:
                mark = boxes.pop(box)
                boxes[box ^ common] = mark
                boxes[common] = mark | field
        if fresh:
            boxes[fresh] = field
            seen |= fresh
        start |= (GUARD + need | GUARD + cells.bit_count() - need << apart) * field
        field <<= FIELD
    if len(boxes) > _SORTED:
        # Boxes in the order in which they appear leave few clues open.
        boxes = dict(sorted(boxes.items(), key=_first))
    sizes = [*map(int.bit_count, boxes)]
    return BoxedRegion([*boxes], sizes, [*boxes.values()], [*clues.values()], apart, start)


def listed(boxes: Sequence[int], stride: int) -> list[list[int]]:
    """Return the board indices of the cells of each of the moved bit boards ``boxes``."""
    moved = stride + 2
    cells = []
    for box in boxes:
        rest = box & box - 1
        if not rest:
            cells.append([box.bit_length() - moved])
            continue
        found = []
        while rest:
            found.append((box ^ rest).bit_length() - moved)
            box = rest
            rest = box & box - 1
        found.append(box.bit_length() - moved)
        cells.append(found)
    return cells


class SmallBoard(NamedTuple):
    """A small board after the rules.

    ``safe`` and ``mines``: the covered cells that the rules decide, as byte boards. ``clues``: the
    distinct constraints that the rules leave: the cells, as a bit board moved by a row and a cell,
    and the number of mines that they need.
    """

    safe: int
    mines: int
    clues: dict[int, int]


def reduce_small(codes: bytes, stride: int, flags: Flags) -> SmallBoard | None:
    """Return a board after the single-clue rules, None if it has no layout or too many clues.

    Args:
        codes: the cells as ``Position.padded`` gives them.
        stride: the length of a row with its padding.
        flags: whether flags are trusted to be mines, or ignored.
    """
    size, row, start, part = len(codes), stride << 3, 0, codes
    if size > _CUT:
        # The rows from the first to the last clue, and a row more on either side, are the whole
        # board to the rules.
        above = size - len(codes.lstrip(_NO_CLUE))
        below = len(codes.rstrip(_NO_CLUE))
        if above >= stride:
            start = above - above % stride - stride
        part = codes[start : below - below % stride + 2 * stride]
        size = len(part)
    ones, _, carries = frame(size, stride)
    zeros = ones << 7
    # The mines that each clue needs among its undecided cells, and 128. Other bytes mean nothing.
    needed = int.from_bytes(part.translate(KINDS[flags]), "little")
    undecided = needed >> 4 & ones
    clues = needed & zeros
    mined = needed >> 5 & ones
    if mined:
        needed -= neighbours_of(mined, row)
    # The same for the safe cells that each clue needs.
    spare = neighbours_of(undecided, row) + carries - needed
    all_safe = all_mines = 0
    # The neighbours of what is decided are counted as `neighbours_of` counts them.
    # A clue that needs no mine makes its undecided cells safe; a clue that needs no safe cell makes
    # them mines. A new mine changes the mines needed alone, a new safe cell the safe cells alone.
    while True:
        some, spared = needed - ones, spare - ones
        decided = (some ^ spared) & clues
        if not decided:
            break
        met = decided & spared
        tight = decided ^ met
        safe = found = 0
        if met:
            near = met >> 7 | met << 1 | met >> 15
            safe = (near | near << row | near >> row) & undecided
        if tight:
            near = tight >> 7 | tight << 1 | tight >> 15
            found = (near | near << row | near >> row) & undecided
        # A clue that needs more than none of one kind has undecided cells, unless it needs less
        # than none of the other kind.
        both = safe | found
        if safe & found or not both:
            return None
        undecided ^= both
        if found:
            all_mines |= found
            beside = found * 0x10101 >> 8
            needed -= beside + (beside << row) + (beside >> row)
        if safe:
            all_safe |= safe
            beside = safe * 0x10101 >> 8
            spare -= beside + (beside << row) + (beside >> row)
    if needed & spare & clues != clues:
        return None
    known: dict[int, int] = {}
    active = some & clues
    if active:
        if active.bit_count() > _MANY:
            return None
        places = active.to_bytes(size, "little")
        needs = (needed & active - (active >> 7)).to_bytes(size, "little")
        # Moved by a row and a cell, the window of a clue begins at the clue.
        moved = byte_bits(undecided, size) << stride + 1 + start
        window = 7 << start | 5 << stride + start | 7 << 2 * stride + start
        at = places.find(_ZERO)
        while at >= 0:
            cells, need = moved & window << at, needs[at]
            if known.setdefault(cells, need) != need:
                return None
            at = places.find(_ZERO, at + 1)
    if start:
        all_safe <<= start << 3
        all_mines <<= start << 3
    return SmallBoard(all_safe, all_mines, known)


def undecided_in(board: SmallBoard, codes: bytes, total: int, flags: Flags) -> tuple[int, int]:
    """Return the number of undecided cells of a board, and how many of ``total`` mines they have.

    Args:
        board: the board after the rules.
        codes, flags: arguments of `reduce_small`.
        total: the number of mines on the board.
    """
    cells, mines = codes.count(COVERED & 255), board.mines.bit_count()
    flagged = codes.count(FLAG & 255)
    if flags == "trust":
        total -= flagged
    else:
        cells += flagged
    return cells - board.safe.bit_count() - mines, total - mines


def regions_of(clues: dict[int, int]) -> list[tuple[int, dict[int, int]]]:
    """Return the regions of the constraints of a `SmallBoard`, all as one if their cells are few.

    Each region is the cells of all its constraints, and its constraints.
    """
    every = 0
    for cells in clues:
        every |= cells
    if every.bit_count() <= MOST:
        return [(every, clues)] if clues else []
    unions: list[int] = []
    regions: list[dict[int, int]] = []
    seen = 0
    for cells, need in clues.items():
        left = cells & seen
        seen |= cells
        if not left:
            unions.append(cells)
            regions.append({cells: need})
            continue
        home = -1
        # A clue mostly touches the latest region alone.
        for at in range(len(unions) - 1, -1, -1):
            common = unions[at] & left
            if common:
                left ^= common
                if home < 0:
                    home = at
                else:
                    # The clue joins two regions; one of them is left empty.
                    unions[home] |= unions[at]
                    regions[home] |= regions[at]
                    unions[at] = 0
                if not left:
                    break
        unions[home] |= cells
        regions[home][cells] = need
    return [found for found in zip(unions, regions, strict=True) if found[0]]


def _first(box: tuple[int, int]) -> tuple[int, int]:
    """Return the field of the first clue of a box with its mark, and its first cell, as bits."""
    cells, mark = box
    return mark & -mark, cells & -cells
