"""Clues of safe cells in a layout, and the hidden choices of a game.

A layout is the set of its true variables (`Board.variables`): for cells that hold one mine at most,
the numbers of the cells with a mine, each plus one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.constraints.protocol import Constraint, Part
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.clues.hidden import DIRECTION, ENCRYPTED, ONE_LIAR
from satsweeper.puzzle.rules.clues.runs import Arranged
from satsweeper.puzzle.rules.kind import ClueKind, clue_kind
from satsweeper.puzzle.rules.table import OWN_LETTERS

Layout = frozenset[int]
"""The true variables of a layout."""

_OWN: Final = ("V", "M", "L", "W", "N", "X", "P", "E")
"""The rules of which one is drawn for each cell under ``#``."""
_NUMBERS: Final = 9
"""The number of values of a letter of 2E, 0 to 8."""


@dataclass(frozen=True)
class HiddenChoices:
    """The choices of one game that no player is told; all follow from ``seed``.

    ``direction``: under 2I, the place in the circle of neighbours that no clue counts. ``letters``:
    under 2E, the letter of each number, from 0. ``liars``: under 2L, the cells with a wrong number.
    """

    seed: str
    direction: int | None = None
    letters: tuple[int, ...] = ()
    liars: frozenset[int] = field(default=frozenset())

    def random(self, cell: int) -> Random:
        """Return a source of random numbers for a cell; equal at every call."""
        return Random(f"{self.seed} cell {cell}")


def hidden_choices(
    puzzle: Puzzle, layout: Layout, seed: str, kept: Iterable[int] = ()
) -> HiddenChoices | None:
    """Return choices for a game, or None if the layout leaves none: no place for the liars of 2L.

    Args:
        puzzle: the board; its clues do not matter.
        layout: the mines.
        seed: draws the choices. Those of 2I and 2E do not depend on the layout.
        kept: cells that are liars if that is possible.

    Raises RuleError for rules of your own under which clues depend on one another.
    """
    kind = None if puzzle.clue_rules == (OWN_LETTERS,) else clue_kind(puzzle.clue_rules)
    rule = None if kind is None else kind.together
    random = Random(f"{seed} hidden")
    if rule is None:
        return HiddenChoices(seed)
    with _named(puzzle.clue_rules):
        if rule is DIRECTION:
            return HiddenChoices(seed, direction=random.randrange(len(puzzle.geometry.ring(0))))
        if rule is ENCRYPTED:
            return HiddenChoices(seed, letters=tuple(random.sample(range(_NUMBERS), _NUMBERS)))
        if rule is ONE_LIAR:
            found = _liars(puzzle, layout, random, frozenset(kept))
            return None if found is None else HiddenChoices(seed, liars=found)
        raise RuleError("does not tell what cells show: clues depend on one another")


def shown_clue(puzzle: Puzzle, cell: int, layout: Layout, hidden: HiddenChoices) -> Clue | None:
    """Return the clue of the safe cell number ``cell`` in a layout; None if it can show nothing.

    Args:
        puzzle: the board, whose rules of clues count.
        cell: a cell without a mine.
        layout: the mines.
        hidden: the choices of the game: where a rule leaves several values, and under ``#`` the
            rule, they are drawn for each cell, whatever was opened before.

    Raises RuleError for a board that lacks what a rule needs.
    """
    board = puzzle.board
    random = hidden.random(cell) if puzzle.clue_rules == (OWN_LETTERS,) else None
    kind = clue_kind(puzzle.clue_rules) if random is None else own_kind(puzzle.geometry, random)
    with _named(kind.letters):
        site = kind.site(board, Part("clue", cell), cell)

    def mines(each: int) -> int:
        return sum([variable in layout for variable in board.variables[each]])

    if kind.together is DIRECTION:
        ring = board.geometry.ring(cell)
        seen = [each for place, each in enumerate(ring) if place != hidden.direction]
        return Clue(kind, sum([mines(each) for each in seen if each is not None]))
    with _named(kind.letters):
        values = kind.shown(site, mines)
    if kind.together is ENCRYPTED:
        values = [hidden.letters[value] for value in values if value < _NUMBERS]
    elif cell in hidden.liars:
        values = [value + off for value in values for off in (-1, 1) if value + off >= 0]
    if len(values) > 1:
        values = [(random or hidden.random(cell)).choice(values)]
    return Clue(kind, values[0]) if values else None


def own_kind(geometry: Geometry, random: Random) -> ClueKind:
    """Return the kind of a clue under ``#``, drawn among the rules that the geometry allows."""
    return random.choice(_own_kinds(geometry))


@lru_cache(maxsize=16)
def _own_kinds(geometry: Geometry) -> tuple[ClueKind, ...]:
    found = []
    puzzle = Puzzle(geometry)
    for letters in _OWN:
        kind = clue_kind((letters,))
        try:
            site = kind.site(puzzle.board, Part("clue", 0), 0)
            values = kind.shown(site, lambda _: 0)
            [*kind.constraints(site, values[0])]
        except RuleError:
            continue
        found.append(kind)
    return tuple(found)


def all_clues(puzzle: Puzzle, layout: Layout, hidden: HiddenChoices) -> dict[int, Clue] | None:
    """Return the clue of each safe cell, by number; None if some cell can show nothing."""
    found = {}
    for cell, variables in enumerate(puzzle.board.variables):
        if variables[0] not in layout:
            clue = shown_clue(puzzle, cell, layout, hidden)
            if clue is None:
                return None
            found[cell] = clue
    return found


class ShownLayout(NamedTuple):
    """A layout, the choices of a game on it, and the clue of each safe cell, by number."""

    mines: Layout
    hidden: HiddenChoices
    clues: Mapping[int, Clue]


def shown_layout(
    puzzle: Puzzle, layout: Layout, seed: str, kept: Iterable[int] = ()
) -> ShownLayout | None:
    """Return the clues of a layout; None if a cell can show nothing or no choices are left.

    Arguments as `hidden_choices` has them.
    """
    hidden = hidden_choices(puzzle, layout, seed, kept)
    clues = None if hidden is None else all_clues(puzzle, layout, hidden)
    return None if hidden is None or clues is None else ShownLayout(layout, hidden, clues)


def values_everywhere(puzzle: Puzzle) -> Iterator[Constraint]:
    """Yield the constraints that each safe cell has a value, where a rule does not imply them.

    Raises RuleError for a shape of the board that leaves no layout.
    """
    if puzzle.clue_rules == (OWN_LETTERS,):
        return
    kind = clue_kind(puzzle.clue_rules)
    if kind.together is ONE_LIAR:
        with _named(kind.letters):
            _require_square(puzzle)
    if isinstance(kind.measure, Arranged):
        with _named(kind.letters):
            for cell in range(len(puzzle.geometry)):
                site = kind.site(puzzle.board, Part("rule", " ".join(kind.letters)), cell)
                yield kind.measure.some_value(site)


@contextmanager
def _named(letters: Sequence[str]) -> Iterator[None]:
    """Put the letters of a rule before the message of a RuleError in the block."""
    try:
        yield
    except RuleError as error:
        raise RuleError(f"rule {' '.join(letters)} {error}") from None


def _require_square(puzzle: Puzzle) -> tuple[int, int]:
    """Return the numbers of rows and columns.

    Raises RuleError unless they are equal: each liar is the only one of its row and its column.
    """
    puzzle.geometry.at(0, 0, 0)
    rows, columns = puzzle.geometry.shape
    if rows != columns:
        raise RuleError(f"needs as many rows as columns, not {rows} and {columns}")
    return rows, columns


def _liars(
    puzzle: Puzzle, layout: Layout, random: Random, kept: frozenset[int]
) -> frozenset[int] | None:
    """Return one safe cell of each row and column, by augmenting paths; None if there are none.

    Raises RuleError as `_require_square` does.
    """
    rows, columns = _require_square(puzzle)
    order = [*range(len(puzzle.geometry))]
    random.shuffle(order)
    free: list[list[int]] = [[] for _ in range(rows)]
    for cell in order:
        if cell + 1 not in layout:
            free[cell // columns].append(cell % columns)
    row_of = {cell % columns: cell // columns for cell in sorted(kept) if cell + 1 not in layout}

    def augmented(row: int, seen: set[int]) -> bool:
        for column in free[row]:
            if column not in seen:
                seen.add(column)
                if column not in row_of or augmented(row_of[column], seen):
                    row_of[column] = row
                    return True
        return False

    placed = {*row_of.values()}
    if not all(row in placed or augmented(row, set()) for row in range(rows)):
        return None
    return frozenset(row * columns + column for column, row in row_of.items())
