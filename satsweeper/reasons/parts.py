"""The total, the clues and the flags of a position as equations."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from satsweeper.answers.classification import Conflict
from satsweeper.board.facts import View
from satsweeper.board.planes import indices
from satsweeper.linear.equations import Equation


class ConflictPart(NamedTuple):
    """A clue, a flag or the total as an equation over cells, which are 1 if they are mines.

    ``cell``: the board index of the clue or flag; None for the total.
    """

    cell: int | None
    is_flag: bool
    equation: Equation


def parts_of(view: View, distance: Mapping[int, int] | None = None) -> list[ConflictPart]:
    """Return the parts in the order in which they are left out: total, clues far to near, flags.

    Args:
        view: the position.
        distance: the clues to use, by board index, with their distance from the cell to be
            explained. The flags are then those around these clues, without the total. None: the
            whole position, with clues in the order of the board.
    """
    size = view.geometry.size
    chosen: Iterable[int] = indices(view.clues, size)
    trusted: Collection[int] = indices(view.trusted, size)
    if distance is not None:
        chosen = sorted(distance, key=lambda clue: (-distance[clue], clue))
        counted = {cell for clue in distance for cell in view.hidden(clue)}
        trusted = [flag for flag in trusted if flag in counted]
    parts = []
    if distance is None and view.total is not None:
        hidden = [*indices(view.covered | view.trusted, size)]
        parts.append(ConflictPart(None, False, (hidden, view.total)))
    for clue in chosen:
        cells, number = view.hidden(clue), view.value(clue)
        # A clue 0 without hidden neighbours is 0 = 0, of which a large board has thousands.
        if cells or number:
            parts.append(ConflictPart(clue, False, (cells, number)))
    return parts + [ConflictPart(flag, True, ([flag], 1)) for flag in trusted]


def connected(view: View, start: Iterable[int]) -> dict[int, int]:
    """Return the clues connected with ``start`` by shared covered cells, with their distance.

    The distance is the number of steps between clues that share a covered cell; 0 for ``start``.
    """
    distance: dict[int, int] = {}
    ring, steps = list(start), 0
    while ring:
        distance |= dict.fromkeys(ring, steps)
        cells = {cell for clue in ring for cell in view.hidden(clue) if view.covered >> cell & 1}
        near = dict.fromkeys(clue for cell in sorted(cells) for clue in view.clues_at(cell))
        ring, steps = [clue for clue in near if clue not in distance], steps + 1
    return distance


def conflict_of(
    view: View, parts: Iterable[ConflictPart], irreducible: bool, by: tuple[str, ...] = ("search",)
) -> Conflict:
    """Return ``parts`` as a conflict, cells in the order of the board."""
    parts = list(parts)
    clues = [p.cell for p in parts if p.cell is not None and not p.is_flag]
    flags = [p.cell for p in parts if p.cell is not None and p.is_flag]
    return conflict_at(view, clues, flags, any(p.cell is None for p in parts), irreducible, by)


def conflict_at(
    view: View,
    clues: Iterable[int],
    flags: Iterable[int],
    total: bool,
    irreducible: bool = True,
    by: tuple[str, ...] = ("search",),
) -> Conflict:
    """Return the conflict of clues and flags at board indices, and perhaps the total."""
    cell = view.geometry.cell
    return Conflict(
        tuple(map(cell, sorted(clues))), tuple(map(cell, sorted(flags))), total, irreducible, by
    )
