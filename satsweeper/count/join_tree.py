"""Bucket elimination, planned: which boxes and groups of boxes are joined, and what that closes.

A leaf is a box, a join is a group of boxes made of two. A clue is open in a group that holds some
of its boxes but not all. A state of a group is the number of mines under each open clue, in fields
of five bits: one clue's field lies in the same place in every group in which it is open.
"""

from collections.abc import Iterable
from itertools import count
from math import log2
from typing import Final, NamedTuple

from satsweeper.count.boxes import Boxed

FIELD: Final = 5
_FULL: Final = 31
_TOP: Final = 16
"""Two numbers of mines, each no more than a clue's 15, add up in a field without overflow."""


class Leaf(NamedTuple):
    """A box: the numbers of mines it may hold; a mine is 1 in the field of each clue in ``one``."""

    mines: range
    one: int


class Join(NamedTuple):
    """Two groups, by number. States of both go together where the clues allow it.

    ``closing``: the fields of clues that close, which must add up to ``wanted``; ``staying``: of
    those that are open afterwards. ``top``: the highest bits of the fields open on both sides;
    ``over`` added to a sum sets such a bit where the sum exceeds the clue, ``under`` fails to set
    it where the cells to come cannot make up what is missing.
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

    leaves: list[Leaf]
    joins: list[Join]
    width: int
    bits: float


def join_tree(region: Boxed, order: Iterable[int]) -> JoinTree:
    """Close the clues in ``order``: each by joining the groups in which it is open."""
    cells = [0] * len(region.needs)
    for size, clues in zip(region.sizes, region.clues, strict=True):
        for clue in clues:
            cells[clue] += size
    # For each group its open clues, with the cells inside.
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
        waiting = list(touching[clue])
        if not waiting:
            continue
        group = max(waiting, key=lambda each: len(inside[each]))
        waiting.remove(group)
        while waiting:
            # The one that leaves fewest open.
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
    region: Boxed, cells: list[int], inside: list[dict[int, int]], sides: list[tuple[int, int]]
) -> JoinTree:
    """Give the clues their fields, from the whole region down to its boxes."""
    boxes = len(region.sizes)
    needs = region.needs
    places: list[dict[int, int]] = [{} for _ in inside]
    joins: list[Join] = []
    width, pairs = 0, 0.0
    for number in range(len(sides) - 1, -1, -1):
        left, right = sides[number]
        after = inside[boxes + number]
        place = dict(places[boxes + number])
        closing = [clue for clue in inside[left] if clue not in after]
        taken = set(place.values())
        free = (at for at in count() if at * FIELD not in taken)
        place |= {clue: next(free) * FIELD for clue in closing}
        for side in (left, right):
            places[side] = {clue: place[clue] for clue in inside[side]}
        both = [clue for clue in inside[left] if clue in inside[right] and clue in after]
        least = [max(needs[clue] - cells[clue] + after[clue], 0) for clue in both]
        joins.append(
            Join(
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
    region: Boxed, cells: list[int], left: dict[int, int], right: dict[int, int], closing: list[int]
) -> int:
    """How many states of two groups go together, at the most."""
    pairs = 1
    for side in (left, right):
        for clue, held in side.items():
            if side is left or clue not in closing:
                need = region.needs[clue]
                pairs *= max(min(need, held) - max(need - cells[clue] + held, 0) + 1, 1)
    return pairs


def _leaf(region: Boxed, box: int, cells: list[int], one: int) -> Leaf:
    size = region.sizes[box]
    needs = [region.needs[clue] for clue in region.clues[box]]
    spare = [cells[clue] - region.needs[clue] for clue in region.clues[box]]
    return Leaf(range(max(size - min(spare), 0), min(size, *needs) + 1), one)
