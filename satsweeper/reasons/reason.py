"""Why a cell has its verdict: an irreducible set of clues that contradicts the opposite."""

from collections.abc import Sequence
from contextlib import closing
from typing import Final

from satsweeper.answers.classification import Conflict, Verdict
from satsweeper.board.codes import Cell
from satsweeper.board.facts import View
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.conflict import as_conflict, refute_nearby, whole_conflict
from satsweeper.reasons.guarded import Guarded
from satsweeper.reasons.linear_conflict import find_linear_reason, smaller

# The text of a reason: one sentence that a reader can check on the board.

_NAMED: Final = 100
"""The most clues that a sentence names one by one; of more clues, it names ``_FEW``."""
_BY_SUMS: Final = 24
"""The most clues that a sentence names if a sum refutes them, and the most flags."""
_FEW: Final = 12
"""The number of cells that are named if there are too many to name all."""
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
"""The explanation of a clash with the opposite of the verdict, by method in ``Conflict.by``."""


def sentence_for(view: View, index: int, verdict: Verdict, reason: Conflict) -> str:
    """Return the sentence that explains ``verdict`` of the cell at board index ``index``.

    ``reason``: the conflict of its parts with the opposite verdict. Cells are named
    ``(row, column)``, both from 0.
    """
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
        return f"{shown} is met by {flags} {_list([*map(_name, reason.flags)])}"
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
    """Return ``cells`` if there are at most ``most``; else the first, and a count of the rest."""
    from pbcnf.wording import counted

    if len(cells) <= most:
        return cells, []
    return cells[:_FEW], [counted(len(cells) - _FEW, noun)]


def _name(cell: Cell) -> str:
    return f"({cell[0]}, {cell[1]})"


def _list(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return ", ".join(parts[:-1]) + " and " + parts[-1]


_SOON: Final = 3_000
"""The most conflicts of a search before sums are tried; ordinary boards need a few hundred."""


def find_reason(
    view: View, index: int, verdict: Verdict, deadline: Deadline | None = None
) -> tuple[Conflict, str]:
    """Return an irreducible reason for a certain verdict, near the cell if possible.

    The reason is returned as a conflict and as a sentence. The methods are, in turn: search with a
    small limit on conflicts, sums of clues, and search without that limit. At the deadline the
    result is the best reason so far, in the worst case the whole position, with ``irreducible``
    False. The whole position is also the result if the total of a large board is needed and no sum
    refutes the opposite verdict.

    Args:
        view: the position, which has a layout.
        index: board index of a covered cell whose verdict is certain.
        verdict: the verdict of the cell, SAFE or MINE.
        deadline: the deadline of the search for reasons; None: no deadline.
    """
    deadline = deadline or Deadline()
    reason = None if deadline.passed() else _by_search(view, index, verdict, deadline, _SOON)
    if not deadline.passed() and (reason is None or not reason.irreducible):
        by_sums = find_linear_reason(view, index, verdict, deadline.left)
        if by_sums is not None:
            reason = smaller(reason, by_sums)
        elif (reason is None or reason.by) and not deadline.passed():
            reason = _by_search(view, index, verdict, deadline, None) or reason
    reason = reason or whole_conflict(view)
    return reason, sentence_for(view, index, verdict, reason)


def _by_search(
    view: View, index: int, verdict: Verdict, deadline: Deadline, effort: int | None
) -> Conflict | None:
    """Return a reason by search; None if the effort or the time is used up before a core is found.

    The result is the whole position if the total is needed and too large to be encoded.
    """
    with closing(Guarded(view, deadline, effort)) as guarded:
        # Clues that contradict the opposite of the verdict force the verdict in every layout.
        variable = guarded.variable(index)
        against = -variable if verdict is Verdict.MINE else variable
        core, distance = refute_nearby(guarded, view.clues_at(index), against)
        if core is None and guarded.over:
            return None
        if core is None and guarded.total_is_large():
            return whole_conflict(view)
        if core is None:
            guarded.add_all()
            guarded.add_total(also=[index])
            core = guarded.refute(against)
        if core is None:
            if guarded.over:
                return None
            raise AssertionError("a reason was asked for a verdict that is not certain")
        return as_conflict(guarded, core, [against], distance)
