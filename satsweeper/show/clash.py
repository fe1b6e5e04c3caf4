"""Why a board has no layout, as one sentence."""

from typing import Final

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification

_NAMED: Final = 12
"""Cells that a sentence names at the most; the board marks them all."""


def clash_sentence(result: Classification) -> str:
    """Which clues, flags and perhaps the total of an inconsistent board clash."""
    clash = result.conflict
    if clash is None:
        return "No layout exists."
    parts = []
    for cells, one, many in ((clash.clues, "clue", "clues"), (clash.flags, "flag", "flags")):
        if cells:
            named = ", ".join(str(cell) for cell in cells[:_NAMED])
            rest = f" and {len(cells) - _NAMED} more" if len(cells) > _NAMED else ""
            parts.append(f"the {one if len(cells) == 1 else many} at {named}{rest}")
    if clash.total:
        parts.append(f"the total of {counted(result.mines_total or 0, 'mine')}")
    alone = len(clash.clues) + len(clash.flags) + clash.total == 1
    verb = "cannot be met" if alone else "cannot all be met at once"
    idle = not clash.total and result.mines_total is not None
    total = "; the total plays no part" if idle else ""
    fewer = "" if clash.irreducible else "; fewer of these may be enough"
    return f"No layout exists: {' and '.join(parts)} {verb}{total}{fewer}."
