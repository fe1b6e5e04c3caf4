"""Bucket elimination, planned: which boxes and groups of boxes are joined, and what that closes.

A leaf is a box, a join is a group of boxes made of two. A clue is open in a group that holds some
of its boxes but not all. A state of a group is the number of mines under each open clue, in fields
of five bits: one clue's field lies in the same place in every group in which it is open.
"""

from collections.abc import Iterable
from itertools import count
from math import log2
from typing import Final, NamedTuple

from satsweeper.count.sweep import BoxedRegion

FIELD: Final = 5
_FULL: Final = 31
_TOP: Final = 16
"""Two numbers of mines, each no more than a clue's 15, add up in a field without overflow."""


class BoxLeaf(NamedTuple):
    """A box: ``mines`` that it may hold; a mine adds ``one``, 1 in the field of each open clue."""

    mines: range
    one: int


class GroupJoin(NamedTuple):
    """A group of boxes made of two, which are given by number.

    States of ``left`` and ``right`` go together where the clues allow it.

    ``closing``: the fields of clues that close, which must add up to ``wanted``; ``staying``: the
    fields of clues that stay open. ``top``: the highest bit of each field that is open on both
    sides. Added to a sum, ``over`` sets such a bit where the sum exceeds the clue, and ``under``
    fails to set it where the cells that follow cannot make up what is missing.
    """

    left: int
    right: int
    closing: int
    wanted: int
    staying: int
    top: int
    over: int
    under: int


class JoinTree(NamedTuple):
    """Groups by number: first a leaf for each box, then the joins, the whole region last.

    ``width``: clues open at once, those that a join closes included; ``bits``: log2 of the pairs of
    states that all joins compare, at the most.
    """

    leaves: list[BoxLeaf]
    joins: list[GroupJoin]
    width: int
    bits: float


def join_tree(region: BoxedRegion, order: Iterable[int]) -> JoinTree:
    """Return the tree that closes the clues in ``order``, joining the groups where each is open."""
    cells = [0] * len(region.needs)
    for size, clues in zip(region.sizes, region.clues, strict=True):
        for clue in clues:
            cells[clue] += size
    # For each group its open clues, with the number of their cells inside; and the reverse.
    inside: list[dict[int, int]] = []
    touching: list[dict[int, None]] = [{} for _ in cells]

    def add(held: dict[int, int]) -> None:
        held = {clue: count for clue, count in held.items() if count < cells[clue]}
        for clue in held:
            touching[clue][len(inside)] = None
        inside.append(held)

    for size, clues in zip(region.sizes, region.clues, strict=True):
        add(dict.fromkeys(clues, size))
    sides: list[tuple[int, int]] = []
    for clue in order:
        # All groups in which the clue is open become one, in which it has all its cells: it closes.
        waiting = list(touching[clue])
        if not waiting:
            continue
        group = max(waiting, key=lambda each: len(inside[each]))
        waiting.remove(group)
        while waiting:
            # Join the group that leaves the fewest clues open.
            sums = {each: _sum(inside[group], inside[each]) for each in waiting}
            other = min(waiting, key=lambda each: _still_open(sums[each], cells))
            waiting.remove(other)
            for side in (group, other):
                for near in inside[side]:
                    del touching[near][side]
            sides.append((group, other))
            group = len(inside)
            add(sums[other])
    return _placed(region, cells, inside, sides)


def _sum(one: dict[int, int], other: dict[int, int]) -> dict[int, int]:
    return one | {clue: count + one.get(clue, 0) for clue, count in other.items()}


def _still_open(held: dict[int, int], cells: list[int]) -> int:
    return sum([count < cells[clue] for clue, count in held.items()])


def _placed(
    region: BoxedRegion,
    cells: list[int],
    inside: list[dict[int, int]],
    sides: list[tuple[int, int]],
) -> JoinTree:
    """Return the tree with a field for each clue, given from the whole region down to its boxes."""
    boxes = len(region.sizes)
    needs = region.needs
    places: list[dict[int, int]] = [{} for _ in inside]
    joins: list[GroupJoin] = []
    width, pairs = 0, 0.0
    for number in range(len(sides) - 1, -1, -1):
        left, right = sides[number]
        after = inside[boxes + number]
        place = dict(places[boxes + number])
        closing = [clue for clue in inside[left] if clue not in after]
        # Fields of clues that stay open are kept; closing clues get the lowest free fields.
        taken = set(place.values())
        free = (at for at in count() if at * FIELD not in taken)
        place |= {clue: next(free) * FIELD for clue in closing}
        for side in (left, right):
            places[side] = {clue: place[clue] for clue in inside[side]}
        both = [clue for clue in inside[left] if clue in inside[right] and clue in after]
        least = [max(needs[clue] - cells[clue] + after[clue], 0) for clue in both]
        joins.append(
            GroupJoin(
                left,
                right,
                sum([_FULL << place[clue] for clue in closing]),
                sum([needs[clue] << place[clue] for clue in closing]),
                sum([_FULL << place[clue] for clue in after]),
                sum([_TOP << place[clue] for clue in both]),
                sum([_TOP - 1 - needs[clue] << place[clue] for clue in both]),
                sum([_TOP - few << place[clue] for clue, few in zip(both, least, strict=True)]),
            )
        )
        width = max(width, len(place))
        pairs += _pairs(region, cells, inside[left], inside[right], closing)
    leaves = [
        _leaf(region, box, cells, sum([1 << at for at in places[box].values()]))
        for box in range(boxes)
    ]
    return JoinTree(leaves, joins[::-1], width, log2(max(pairs, 1)))


def _pairs(
    region: BoxedRegion,
    cells: list[int],
    left: dict[int, int],
    right: dict[int, int],
    closing: list[int],
) -> int:
    """Return an upper limit of the pairs of states of two groups that go together."""
    pairs = 1
    for side in (left, right):
        for clue, held in side.items():
            # A state has at most as many mines under a clue as it needs and as the group has cells,
            # and no fewer than the cells outside leave over. Under a closing clue the left side's
            # number fixes the right side's.
            if side is left or clue not in closing:
                need = region.needs[clue]
                pairs *= max(min(need, held) - max(need - cells[clue] + held, 0) + 1, 1)
    return pairs


def _leaf(region: BoxedRegion, box: int, cells: list[int], one: int) -> BoxLeaf:
    size = region.sizes[box]
    needs = [region.needs[clue] for clue in region.clues[box]]
    spare = [cells[clue] - region.needs[clue] for clue in region.clues[box]]
    return BoxLeaf(range(max(size - min(spare), 0), min(size, *needs) + 1), one)
