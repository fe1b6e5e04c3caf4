"""Orders in which the variables of a component are read, and their estimated widths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations
from math import log2
from typing import Any, NamedTuple

from satsweeper.puzzle.board import Board
from satsweeper.puzzle.constraints.bridges import Bridges
from satsweeper.puzzle.constraints.clause import Clause
from satsweeper.puzzle.constraints.connected import Connected
from satsweeper.puzzle.constraints.equal_groups import EqualGroups
from satsweeper.puzzle.constraints.equal_lines import EqualLines
from satsweeper.puzzle.constraints.one_per_line import OnePerLine
from satsweeper.puzzle.constraints.protocol import Constraint
from satsweeper.puzzle.constraints.single_path import SinglePath
from satsweeper.puzzle.rules.clues.areas import Area
from satsweeper.puzzle.rules.clues.hidden import Together


class Links(NamedTuple):
    """Links between variables, and sums of variables: a state remembers both.

    ``near``: for each variable the variables that constraints of a few cells link to it.
    ``counted``: sets of variables of which a state has a number or the like.
    """

    near: dict[int, set[int]]
    counted: list[list[int]]


def links_of(constraints: Sequence[Constraint], variables: Sequence[int]) -> Links:
    """Return the links between ``variables`` by ``constraints``."""
    near: dict[int, set[int]] = {variable: set() for variable in variables}
    counted: list[list[int]] = []
    for each in constraints:
        for group in _counted(each):
            kept = [variable for variable in group if variable in near]
            if kept:
                counted.append(kept)
        for one, other in _pairs(each):
            if one in near and other in near:
                near[one].add(other)
                near[other].add(one)
    return Links(near, counted)


def _pairs(constraint: Constraint) -> Iterator[tuple[int, int]]:
    if isinstance(constraint, Clause):
        yield from combinations(constraint.scope, 2)
    elif isinstance(constraint, Connected):
        nodes = [abs(lit) for lit in constraint.literals]
        yield from _edges(nodes, constraint.adjacent)
    elif isinstance(constraint, SinglePath | EqualGroups):
        yield from _edges(constraint.variables, constraint.adjacent)
    elif isinstance(constraint, Area):
        yield from [(one, other) for one, around in constraint.adjacent for other in around]
    elif isinstance(constraint, Bridges):
        for one, following in pairwise(constraint.columns):
            yield from combinations((*one, *following), 2)


def _edges(nodes: Sequence[int], adjacent: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    for node, around in zip(nodes, adjacent, strict=True):
        for other in around:
            yield node, nodes[other]


def _counted(constraint: Constraint) -> list[tuple[int, ...]]:
    if isinstance(constraint, Clause | Connected | SinglePath | EqualGroups | Area | Bridges):
        return []
    if isinstance(constraint, OnePerLine):
        return []
    if isinstance(constraint, EqualLines):
        return [line for lines in constraint.kinds for line in lines]
    if isinstance(constraint, Together):
        return [around for _, around in constraint.around]
    return [constraint.scope]


def orders(
    board: Board, variables: Sequence[int], links: Links, further: Mapping[int, int]
) -> list[tuple[int, ...]]:
    """Return orders of ``variables``, those with the least estimated number of states first.

    ``further``: variables beside those of cells, each with a variable of the cell it belongs to.
    All orders by coordinates of a grid, or the order of the cells; and a greedy order.
    """
    cell_of = {v: cell for cell, held in enumerate(board.variables) for v in held}
    cell_of |= {variable: cell_of[of] for variable, of in further.items()}
    names = board.geometry.cells
    found: dict[tuple[int, ...], None] = {}
    axes = len(board.geometry.shape)
    for axis in permutations(range(axes)):

        def place(variable: int, axis: tuple[int, ...] = axis) -> tuple[Any, ...]:
            name: Any = names[cell_of[variable]]
            return (*[name[each] for each in axis], cell_of[variable], variable)

        found[tuple(sorted(variables, key=place))] = None
    found[_greedy(variables, links)] = None
    return sorted(found, key=lambda order: sum(estimate(order, links)))


def estimate(order: Sequence[int], links: Links) -> list[float]:
    """Return an estimate of the number of states after each place of ``order``."""
    place_of = {variable: place for place, variable in enumerate(order)}
    bits = [0.0] * (len(order) + 1)
    for variable, near in links.near.items():
        place = place_of[variable]
        for at in range(place, max([place, *[place_of[each] for each in near]])):
            bits[at] += 1
    for group in links.counted:
        places = sorted([place_of[variable] for variable in group])
        for read, (one, other) in enumerate(pairwise(places), start=1):
            for at in range(one, other):
                bits[at] += log2(1 + min(read, len(places) - read))
    return [float(2.0 ** min(each, 900)) for each in bits]


def _greedy(variables: Sequence[int], links: Links) -> tuple[int, ...]:
    """Return the order that always reads the variable with the least change in what is open.

    What is open are the variables read that have unread ones near; variables counted together count
    as near. The first variable is as far as can be from some other.
    """
    near = {variable: {*others} for variable, others in links.near.items()}
    for group in links.counted:
        for one in group:
            near[one].update(group)
    for variable, others in near.items():
        others.discard(variable)
    far = [variables[0]]
    seen = {*far}
    for one in far:
        for other in sorted(near[one] - seen):
            seen.add(other)
            far.append(other)
    left = {variable: len(others) for variable, others in near.items()}
    waiting = {far[-1]: None}
    order: list[int] = []
    unread = dict.fromkeys(variables)
    while unread:
        if not waiting:
            waiting = {next(iter(unread)): None}

        def change(variable: int) -> int:
            closed = sum([left[each] == 1 for each in near[variable] if each not in unread])
            return (left[variable] > 0) - closed

        chosen = min(waiting, key=change)
        del waiting[chosen], unread[chosen]
        order.append(chosen)
        for other in sorted(near[chosen]):
            left[other] -= 1
            if other in unread:
                waiting[other] = None
    return tuple(order)
