"""A reason as one sentence that a person can follow on the board."""

from collections.abc import Sequence
from typing import Final

from satsweeper.answers.classification import Conflict, Verdict
from satsweeper.board.codes import Cell
from satsweeper.board.view import View

_NAMED: Final = 100
"""Clues that a sentence names at the most; it names a few of more."""
_FEW: Final = 12


def sentence_for(view: View, index: int, verdict: Verdict, reason: Conflict) -> str:
    """Why a cell has a certain verdict. Cells are named ``(row, column)``, both from 0."""
    cell = view.geometry.cell(index)
    head = f"{_name(cell)} is {'a mine' if verdict is Verdict.MINE else 'safe'}"
    if len(reason.clues) == 1 and not reason.total:
        return f"{head}: {_single(view, reason, verdict)}."
    opposite = "safe" if verdict is Verdict.MINE else "a mine"
    return f"{head}: if it were {opposite}, {_clash(view, reason)}."


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
    if conflict.clues:
        named = conflict.clues if len(conflict.clues) <= _NAMED else conflict.clues[:_FEW]
        shown = [f"the {view.value(view.geometry.index(clue))} at {_name(clue)}" for clue in named]
        if len(named) < len(conflict.clues):
            shown.append(f"{counted(len(conflict.clues) - len(named), 'more clue')}")
        parts.append(_list(shown))
    if conflict.flags:
        plural = "s" if len(conflict.flags) > 1 else ""
        parts.append(f"the flag{plural} at {_names(conflict.flags)}")
    if conflict.total:
        parts.append(f"the total of {counted(view.total or 0, 'mine')}")
    whole = _list(parts)
    alone = len(conflict.clues) + len(conflict.flags) + conflict.total == 1
    return f"{whole} could not {'be met' if alone else 'all be met at once'}"


def _names(cells: Sequence[Cell]) -> str:
    return _list([_name(cell) for cell in cells])


def _name(cell: Cell) -> str:
    return f"({cell[0]}, {cell[1]})"


def _list(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return ", ".join(parts[:-1]) + " and " + parts[-1]
