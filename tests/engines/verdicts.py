"""An engine's answer as sets of cells, to be compared with brute force."""

from dataclasses import dataclass

from satsweeper.answers.classification import Classification, Status

Cell = tuple[int, int]


@dataclass(frozen=True)
class CertainCells:
    """Status, safe cells and mines of a classification, and whether every other is unknown."""

    status: str
    safe: frozenset[Cell] = frozenset()
    mines: frozenset[Cell] = frozenset()
    decided: bool = True
    notes: tuple[str, ...] = ()


def certain_cells(answer: Classification) -> CertainCells:
    """A classification as status and sets."""
    decided = answer.status is not Status.UNDECIDED
    safe, mines = frozenset(answer.safe), frozenset(answer.mines)
    return CertainCells(str(answer.status), safe, mines, decided, answer.notes)
