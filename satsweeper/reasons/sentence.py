"""A reason as one sentence that a person can follow on the board."""

from collections.abc import Sequence
from typing import Final

from satsweeper.answers.classification import Conflict, Verdict
from satsweeper.board.codes import Cell
from satsweeper.board.view import View

_NAMED: Final = 100
"""Clues that a sentence names at the most; it names a few of more."""
_BY_SUMS: Final = 24
"""Clues that are named where a sum refutes them; also the most flags that are named."""
_FEW: Final = 12
_SUMS: Final = {
    "modulo 2": (
        "added up, they count every other cell an even number of times, and an odd number is left"
    ),
    "modulo 3": (
        "added up, some of them twice, they count every other cell a multiple of 3 times, and no"
        " multiple of 3 is left"
    ),
    "weighted sum": "times weights and added up, they ask for more than the cells can give",
}
"""Why clues clash with the opposite of the verdict, by what ``Conflict.by`` names."""


def sentence_for(view: View, index: int, verdict: Verdict, reason: Conflict) -> str:
    """Return why a cell has a certain verdict; cells are named ``(row, column)``, both from 0."""
    cell = view.geometry.cell(index)
    head = f"{_name(cell)} is {'a mine' if verdict is Verdict.MINE else 'safe'}"
    if len(reason.clues) == 1 and not reason.total:
        return f"{head}: {_single(view, reason, verdict)}."
    opposite = "safe" if verdict is Verdict.MINE else "a mine"
    why = "".join(f": {_SUMS[way]}" for way in reason.by if way in _SUMS)
    more = ", but for a few more that follow from these" if why and "search" in reason.by else ""
    return f"{head}: if it were {opposite}, {_clash(view, reason)}{why}{more}."


def _single(view: View, reason: Conflict, verdict: Verdict) -> str:
    clue = view.geometry.index(reason.clues[0])
    value = view.value(clue)
    shown = f"the {value} at {_name(reason.clues[0])}"
    if verdict is Verdict.SAFE:
        if not value:
            return f"{shown} touches no mine"
        flags = "its flag" if value == 1 else f"its {value} flags"
        return f"{shown} is met by {flags} {_names(reason.flags)}"
    if value == 1:
        return f"{shown} has no other neighbour left for its mine"
    return f"{shown} has only {value} neighbours left, so all of them are mines"


def _clash(view: View, conflict: Conflict) -> str:
    from pbcnf.wording import counted

    parts = []
    by_sums = not _SUMS.keys().isdisjoint(conflict.by)
    if conflict.clues:
        clues, more = _some(conflict.clues, _BY_SUMS if by_sums else _NAMED, "more clue")
        shown = [f"the {view.value(view.geometry.index(clue))} at {_name(clue)}" for clue in clues]
        parts.append(_list([*shown, *more]))
    if conflict.flags:
        flags, more = _some(conflict.flags, _BY_SUMS, "more flag")
        plural = "s" if len(conflict.flags) > 1 else ""
        parts.append(f"the flag{plural} at {_list([*map(_name, flags), *more])}")
    if conflict.total:
        parts.append(f"the total of {counted(view.total or 0, 'mine')}")
    whole = _list(parts)
    alone = len(conflict.clues) + len(conflict.flags) + conflict.total == 1
    return f"{whole} could not {'be met' if alone else 'all be met at once'}"


def _some(cells: Sequence[Cell], most: int, noun: str) -> tuple[Sequence[Cell], list[str]]:
    """Return all ``cells`` if there are at most ``most``; else a few, and a count of the rest."""
    from pbcnf.wording import counted

    if len(cells) <= most:
        return cells, []
    return cells[:_FEW], [counted(len(cells) - _FEW, noun)]


def _names(cells: Sequence[Cell]) -> str:
    return _list([_name(cell) for cell in cells])


def _name(cell: Cell) -> str:
    return f"({cell[0]}, {cell[1]})"


def _list(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return ", ".join(parts[:-1]) + " and " + parts[-1]
