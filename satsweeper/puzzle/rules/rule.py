"""Rules of layouts, rules of clues, and the measures and relations of clues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from satsweeper.puzzle.board import Board, MinesAt
from satsweeper.puzzle.constraints.protocol import Constraint, Part
from satsweeper.puzzle.errors import RuleError

LayoutRule = Callable[[Board, Part], Iterable[Constraint]]
"""A rule of whole layouts: from the board, and the part to which the rule's constraints belong, to
its constraints. It raises RuleError for a board that lacks what the rule needs."""

Value = Any
"""The value of a clue: a number, or a tuple of numbers. Hashable."""


class Site(NamedTuple):
    """The place of a clue: its board, part and cell, and which mines it counts.

    ``counted``: the cells that a sum counts, with the weight of a mine in each.
    """

    board: Board
    part: Part
    cell: int
    counted: tuple[tuple[int, int], ...]

    def literals(self, cells: Iterable[int]) -> list[int]:
        """Return the variables of ``cells``."""
        return [variable for cell in cells for variable in self.board.variables[cell]]

    @property
    def most(self) -> int:
        """The largest sum."""
        return sum([w * len(self.board.variables[c]) for c, w in self.counted if w > 0])


class ClueMeasure(Protocol):
    """A measure: a value of a clue, read off the mines around a cell."""

    name: str
    numeric: bool
    """Whether values are numbers, so that a clue may be one off, or be told modulo 3."""
    counts: bool
    """Whether the value depends on `Site.counted` alone, which a second rule can change."""

    def parse(self, text: str) -> Value:
        """Return the value that ``text`` shows. Raises RuleError with what is allowed."""

    def text(self, value: Value) -> str:
        """Return the text that shows ``value``."""

    def value(self, site: Site, mines: MinesAt) -> Value | None:
        """Return the value in a layout; None if there is none."""

    def most(self, site: Site) -> int:
        """Return the largest value; for numeric values only."""

    def constraints(self, site: Site, allowed: Sequence[Value]) -> Iterator[Constraint]:
        """Yield constraints that hold exactly in the layouts with one of the values ``allowed``."""


class Relation(Protocol):
    """The relation of the number on the board to the true number."""

    def allowed(self, shown: int, most: int) -> list[int]:
        """Return the true values, 0 to ``most``, of a cell that shows ``shown``."""

    def shown(self, true: int, most: int) -> list[int]:
        """Return the numbers that a cell with the true number ``true`` may show."""


Counted = Callable[[Board, int], Iterable[int]]
"""The cells that a clue counts, from the board and the clue's cell."""


Clues = Sequence[tuple[Part, int, Value]]
"""The part, the cell and the value of each clue."""


@dataclass(frozen=True)
class ClueRule:
    """A rule of clues: what it changes of the plain clue, which counts the mines around it.

    Two rules combine if they change different things: the cells that count, the weight of a mine in
    each, what is measured, or how the number shown is related to the true one.
    """

    summary: str
    """The meaning of the number, in one sentence."""
    cells: Counted | None = None
    """The cells that count; None: the neighbours."""
    weight: Callable[[Board, int], int] | None = None
    """The weight of a mine in a cell; None: 1."""
    measure: ClueMeasure | None = None
    """The measure; None: the sum."""
    relation: Relation | None = None
    """The relation of the number shown to the true number; None: equality."""
    together: Callable[[Board, Part, Clues], Iterable[Constraint]] | None = None
    """The constraints of all clues at once, where clues depend on one another: from the board, the
    part of the rule, and the clues, which may be none."""

    @property
    def changed(self) -> frozenset[str]:
        """The names of the fields that the rule changes."""
        names = ("cells", "weight", "measure", "relation", "together")
        return frozenset(name for name in names if getattr(self, name) is not None)


def number(text: str, what: str = "a clue") -> int:
    """Return a natural number. Raises RuleError for anything else."""
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise RuleError(f"{text!r}: {what} is a number")


class Number:
    """The text of a measure whose values are plain numbers."""

    def parse(self, text: str) -> int:
        """Return the number in ``text``. Raises RuleError for anything else."""
        return number(text)

    def text(self, value: int) -> str:
        """Return the digits of ``value``."""
        return str(value)
