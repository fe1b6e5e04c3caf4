"""Levels of Hexcells read plainly: an oracle that shares no code with the product.

A level is a dict (line, pair) -> two characters; a layout is the set of the places of blue cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

Place = tuple[int, int]

AROUND = [(-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1)]
STEPS = {"\\": (1, 1), "|": (2, 0), "/": (1, -1)}


class Shown(NamedTuple):
    """A number of a level: the cells that count, the number, and its letter."""

    place: Place
    what: str
    """``black``, ``blue`` or the symbol of a line."""
    cells: tuple[Place | None, ...]
    """For black and lines in order, None for a hole beside a black cell."""
    number: int
    letter: str


def pairs(text: str) -> dict[Place, str]:
    rows = text.split("\n")[5:38]
    return {
        (row, column): line[2 * column : 2 * column + 2]
        for row, line in enumerate(rows)
        for column in range(33)
        if line[2 * column : 2 * column + 2] != ".."
    }


def cells(level: dict[Place, str]) -> list[Place]:
    return sorted(place for place, pair in level.items() if pair[0] in "oOxX")


def blue(level: dict[Place, str]) -> frozenset[Place]:
    return frozenset(place for place, pair in level.items() if pair[0] in "xX")


def runs(values: list[bool], circle: bool) -> int:
    """How many runs of True there are."""
    before = [values[-1] if circle else False, *values[:-1]]
    starts = sum(now and not last for now, last in zip(values, before, strict=True))
    return 1 if circle and all(values) else starts


def shown_at(level: dict[Place, str], place: Place, mines: frozenset[Place]) -> Shown:
    """The number of a cell or a line of a level."""
    first, letter = tuple(level[place])
    row, column = place
    every = set(cells(level))
    if first in "oO":
        near = [(row + down, column + right) for down, right in AROUND]
        circle = tuple(each if each in every else None for each in near)
        return Shown(place, "black", circle, sum(each in mines for each in near), letter)
    if first in "xX":
        far = {
            (row + a + c, column + b + d)
            for a, b in [*AROUND, (0, 0)]
            for c, d in [*AROUND, (0, 0)]
        } - {place}
        found = tuple(sorted(far & every))
        return Shown(place, "blue", found, len(far & mines), letter)
    down, right = STEPS[first]
    line = [(row + k * down, column + k * right) for k in range(1, 34)]
    found = tuple(each for each in line if each in every)
    return Shown(place, first, found, sum(each in mines for each in found), letter)


def meets(shown: Shown, mines: frozenset[Place]) -> bool:
    values = [each in mines for each in shown.cells]
    if sum(values) != shown.number:
        return False
    if shown.letter not in "cn" or not values:
        return True
    return (runs(values, shown.what == "black") < 2) == (shown.letter == "c")


def visible(level: dict[Place, str], also: frozenset[Place] = frozenset()) -> list[Shown]:
    """A level as the player sees it, with the cells ``also`` opened or marked."""
    mines = blue(level)
    return [
        shown_at(level, place, mines)
        for place, pair in sorted(level.items())
        if pair[1] != "." and (pair[0] not in "ox" or place in also)
    ]


def layouts(
    level: dict[Place, str],
    also: frozenset[Place] = frozenset(),
    seen: list[Shown] | None = None,
    total: bool = True,
) -> Iterator[frozenset[Place]]:
    """All layouts of the hidden cells that meet what is ``seen`` (all that is visible)."""
    mines = blue(level)
    hidden = [each for each in cells(level) if level[each][0] in "ox" and each not in also]
    known = frozenset(mines.difference(hidden))
    seen = visible(level, also) if seen is None else seen
    sizes = [len(mines) - len(known)] if total else range(len(hidden) + 1)
    for size in sizes:
        for chosen in combinations(hidden, size):
            layout = known.union(chosen)
            if all(meets(each, layout) for each in seen):
                yield layout


def verdicts(
    level: dict[Place, str], also: frozenset[Place] = frozenset()
) -> tuple[set[Place], set[Place]]:
    """The hidden cells that are black in all layouts, and those that are blue in all."""
    hidden = {each for each in cells(level) if level[each][0] in "ox" and each not in also}
    found = list(layouts(level, also))
    blues = frozenset.intersection(*found)
    return hidden.difference(*found), {*hidden.intersection(blues)}
