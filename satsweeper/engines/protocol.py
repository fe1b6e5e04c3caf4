"""What an engine is: a way to find verdicts, and what it promises about them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from satsweeper.answers.classification import Conflict
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.errors import Error, MissingError
from satsweeper.position import Position


@dataclass(frozen=True)
class EngineAnswer:
    """Verdicts of the covered cells; whatever is in neither set is unknown, or not decided.

    ``status``: ``consistent`` and ``inconsistent`` are certain; an incomplete engine that finds no
    contradiction says ``consistent`` only if it has seen a layout, else ``undecided``.
    """

    status: Literal["consistent", "inconsistent", "undecided"]
    safe: frozenset[Cell]
    mines: frozenset[Cell]
    decided: bool
    """Whether every other covered cell is proved unknown."""
    notes: tuple[str, ...] = ()
    """What a person should know: what was left out and why."""
    conflict: Conflict | None = None
    """Which clues of an inconsistent position clash, if the engine knows."""


class EngineMissingError(MissingError, ImportError):
    """An engine needs a package that is not installed; the message names the extra, in one line."""


class EngineRefusedError(Error, ValueError):
    """An engine declines a position, by an estimate before it begins: it would take too long."""


@dataclass(frozen=True)
class Engine:
    """A row of the table: what it can and cannot promise."""

    name: str
    complete: bool
    """Whether it decides every cell, given time."""
    promise: str
    """One sentence: what it finds, and what it misses."""
    extra: str | None
    """The extra that installs what it needs, ``satsweeper[EXTRA]``."""
    load: Callable[[], Callable[[Position, Options], EngineAnswer]]
    """Imports the engine and returns its ``classify``; EngineMissingError without its package."""
