"""Answers about boards as sets, and reasons held to brute force over all layouts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from satsweeper import Classification, Conflict, Status

Cell = tuple[int, int]
Parts = tuple[set[Cell], set[Cell], bool]


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


def verdicts(result: Classification) -> dict[Cell, str] | None:
    """The verdict of every covered cell, as ``Board.verdicts``; None if there is no layout."""
    if result.status is Status.INCONSISTENT:
        return None
    assert result.status is Status.CONSISTENT
    return {cell: str(verdict) for cell, verdict in result.verdict.items()}


def without_one(parts: Parts) -> Iterator[Parts]:
    """Clues, flags and total without one of them, in every way."""
    clues, flags, total = parts
    yield from ((clues - {clue}, flags, total) for clue in clues)
    yield from ((clues, flags - {flag}, total) for flag in flags)
    if total:
        yield clues, flags, False


def assert_refutes(board: Any, conflict: Conflict, *opposite: tuple[Cell, bool]) -> None:
    """Of a board no layout meets what is named; if it is irreducible, without any one some do.

    ``opposite``: a cell, and whether only layouts with a mine there count (or only those without).
    """

    def possible(parts: Parts) -> bool:
        clues, flags, total = parts
        every = board.layouts(list(clues), list(flags), total)
        return any(all((cell in mines) is mine for cell, mine in opposite) for mines in every)

    named = set(conflict.clues), set(conflict.flags), conflict.total
    assert named[0] <= set(board.clues())
    assert named[1] <= set(board.at(-2))
    assert not possible(named)
    assert not conflict.irreducible or all(map(possible, without_one(named)))
