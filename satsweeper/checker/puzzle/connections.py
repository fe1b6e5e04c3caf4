"""Connections of cells, and the clauses that hold wherever cells are connected: cuts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbcnf.proof.cutting_planes.inequality import Inequality


class ConnectedCells(NamedTuple):
    """The true literals are connected; with ``anchors`` each of their groups reaches one of these.

    ``sign``: 1 for the mines, -1 for the safe cells; ``near``: the neighbours of each cell that can
    be in the set. ``firsts``: literals that say of a cell that it is the first of the set.
    """

    sign: int
    near: Sequence[Sequence[int]]
    anchors: frozenset[int] | None
    firsts: Mapping[int, int]


def is_cut(inequality: Inequality, connection: ConnectedCells) -> bool:
    """Whether a clause holds wherever a set of cells is connected.

    It says that a cell is not in the set, or one of others is, the cells between; and perhaps more.
    Let the cell be in the set and none of those between. Then the whole set, being connected, lies
    in what can be reached from the cell without them. So the clause holds if it says that

    * a further cell is not in the set, which cannot be reached so; or
    * the first cell of the set is one of those that can, of each of them up to the cell itself: the
      first cell of a set with this cell comes no later.

    Where the set hangs on anchors, the clause holds if none of these can be reached.
    """
    clause = inequality.clause
    if clause is None:
        return False
    firsts = {connection.firsts[lit] for lit in clause if lit in connection.firsts}
    cells = [lit for lit in clause if lit not in connection.firsts]
    if any(abs(lit) > len(connection.near) for lit in cells):
        return False
    outside = {abs(lit) - 1 for lit in cells if lit * connection.sign < 0}
    between = {abs(lit) - 1 for lit in cells if lit * connection.sign > 0}
    for cell in outside:
        reached = _reached(connection, cell, between)
        if connection.anchors is not None:
            if connection.anchors.isdisjoint(reached):
                return True
        elif not outside <= reached or {each for each in reached if each <= cell} <= firsts:
            return True
    return False


def _reached(connection: ConnectedCells, start: int, between: set[int]) -> set[int]:
    """Return the cells that ways from ``start`` reach without a cell of ``between``."""
    found = {start}
    waiting = [start]
    while waiting:
        for near in connection.near[waiting.pop()]:
            if near not in found and near not in between:
                found.add(near)
                waiting.append(near)
    return found
