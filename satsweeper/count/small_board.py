"""Rules and regions of a small board.

The rules work on byte boards, which have a number for each cell in one integer, a byte each. From
text to byte board is one translation, and a count of all neighbours is eight sums, so that up to
some hundred cells byte boards are faster than bit boards.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, Self

from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE
from satsweeper.board.facts import Flags
from satsweeper.board.planes import byte_bits, neighbours_of
from satsweeper.count.sweep import FEW, FIELD, GUARD, BoxedRegion

SMALL: Final = 600
"""Bytes of the largest board that is tried: an expert board has 496."""

_MANY: Final = 120
"""The number of active clues above which the pair rule, on arrays, is applied first."""

_TOGETHER: Final = 12
"""The number of constraints up to which all regions are counted as one: dividing them is slower."""

_ZERO: Final = 128
"""The number 0 of a clue: numbers have this bit as long as they are not negative."""


def _table(of: dict[int, int], other: int = 0) -> bytes:
    return bytes([of.get(code, other) for code in range(256)])


_CLUES: Final = _table(dict.fromkeys(range(MAX_CLUE + 1), _ZERO))
_NEEDS: Final = _table({clue: _ZERO + clue for clue in range(MAX_CLUE + 1)}, _ZERO)
_FLAGS: Final = _table({FLAG & 255: 1})
_COVERED: Final = {
    "trust": _table({COVERED & 255: 1}),
    "ignore": _table({COVERED & 255: 1, FLAG & 255: 1}),
}


class SmallRegion(NamedTuple):
    """A region of a small board: a `BoxedRegion` with bit boards, moved by a row and a cell."""

    boxes: tuple[int, ...]
    sizes: tuple[int, ...]
    marks: tuple[int, ...]
    needs: tuple[int, ...]
    apart: int
    start: int

    @classmethod
    def of(cls, clues: Iterable[tuple[int, int]]) -> Self:
        """Return the region of ``clues``: each the cells, so moved, and the mines they need."""
        boxes: list[tuple[int, int]] = []
        seen = mines = safe = 0
        field = 1
        needs = []
        for cells, need in clues:
            before, boxes = boxes, []
            for box, mark in before:
                common = box & cells
                if not common:
                    boxes.append((box, mark))
                elif common == box:
                    boxes.append((box, mark | field))
                else:
                    boxes += (common, mark | field), (box ^ common, mark)
            fresh = cells & ~seen
            if fresh:
                boxes.append((fresh, field))
                seen |= fresh
            needs.append(need)
            mines += field * (GUARD + need)
            safe += field * (GUARD + cells.bit_count() - need)
            field <<= FIELD
        masks, marks = zip(*boxes, strict=True)
        apart = FIELD * len(needs)
        sizes = tuple([box.bit_count() for box in masks])
        return cls(masks, sizes, marks, tuple(needs), apart, mines | safe << apart)

    def boxed(self, stride: int) -> BoxedRegion:
        """Return the region with the board indices of its cells."""
        cells = []
        for mask in self.boxes:
            box = []
            while mask:
                low = mask & -mask
                box.append(low.bit_length() - stride - 2)
                mask ^= low
            cells.append(box)
        return BoxedRegion(cells, *self[1:])


class SmallBoard(NamedTuple):
    """A small board after the rules.

    ``covered``: the cells that get a verdict. ``undecided`` and ``mines``: the cells that the rules
    leave open, and all mines that they know. All three are bit boards. ``regions``: the regions of
    the undecided cells. ``constraints``: the number of distinct constraints that the rules leave.
    """

    covered: int
    undecided: int
    mines: int
    regions: list[SmallRegion]
    constraints: int


def reduce_small(codes: bytes, stride: int, flags: Flags) -> SmallBoard | None:
    """Return a board after the single-clue rules, None if it has no layout or too many clues.

    Args:
        codes: the cells as ``Position.padded`` gives them.
        stride: the length of a row with its padding.
        flags: whether flags are trusted to be mines, or ignored.
    """
    size, row = len(codes), stride << 3
    ones = int.from_bytes(b"\1" * size, "little")
    covered = undecided = int.from_bytes(codes.translate(_COVERED[flags]), "little")
    clues = int.from_bytes(codes.translate(_CLUES), "little")
    # The mines and the safe cells that each clue needs among its undecided cells.
    needed = int.from_bytes(codes.translate(_NEEDS), "little")
    mines = 0
    if flags == "trust" and FLAG & 255 in codes:
        mines = int.from_bytes(codes.translate(_FLAGS), "little")
        needed -= neighbours_of(mines, row)
    spare = neighbours_of(undecided, row) + (ones << 8) - needed
    # A clue that needs no mine makes its undecided cells safe; a clue that needs no safe cell makes
    # them mines. A new mine changes the mines needed alone, a new safe cell the safe cells alone.
    while True:
        some, spared = needed - ones, spare - ones
        met, tight = clues & ~some & spared, clues & ~spared & some
        if not met | tight:
            break
        safe = found = 0
        if met:
            near = met >> 7 | met << 1 | met >> 15
            safe = (near | near << row | near >> row) & undecided
        if tight:
            near = tight >> 7 | tight << 1 | tight >> 15
            found = (near | near << row | near >> row) & undecided
        # A clue that needs more than none of one kind has undecided cells, unless it needs less
        # than none of the other kind.
        if safe & found or not safe | found:
            return None
        undecided ^= safe | found
        if found:
            mines |= found
            needed -= neighbours_of(found, row)
        if safe:
            spare -= neighbours_of(safe, row)
    if needed & spare & clues != clues:
        return None
    active = some & spared & clues
    if active.bit_count() > _MANY:
        return None
    places = active.to_bytes(size, "little")
    needs = (needed & (ones << 8) - ones).to_bytes(size, "little")
    undecided = byte_bits(undecided, size)
    # Moved by a row and a cell, the window of a clue begins at the clue.
    moved = undecided << stride + 1
    window = 7 | 5 << stride | 7 << 2 * stride
    known: dict[int, int] = {}
    at = places.find(_ZERO)
    while at >= 0:
        cells, need = moved & window << at, needs[at] - _ZERO
        if known.setdefault(cells, need) != need:
            return None
        at = places.find(_ZERO, at + 1)
    known_mines = byte_bits(mines, size) if mines else 0
    return SmallBoard(byte_bits(covered, size), undecided, known_mines, _regions(known), len(known))


def _regions(clues: dict[int, int]) -> list[SmallRegion]:
    """Return the regions of the distinct constraints ``clues``, all as one if they are few."""
    if not clues:
        return []
    if len(clues) <= _TOGETHER:
        # The states of regions placed in turn multiply, but few regions have few states.
        together = SmallRegion.of(clues.items())
        if len(together.boxes) <= FEW:
            return [together]
    groups: list[tuple[int, list[tuple[int, int]]]] = []
    for cells, need in clues.items():
        seen, own = cells, [(cells, need)]
        others = []
        for group in groups:
            if group[0] & cells:
                seen |= group[0]
                own = group[1] + own
            else:
                others.append(group)
        groups = [*others, (seen, own)]
    return [SmallRegion.of(own) for _, own in groups]
