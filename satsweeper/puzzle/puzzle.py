"""Boards of any shape under any rules, as a player sees them."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, Self

from pbcnf.shown import Drawn
from pbcnf.wording import counted
from satsweeper.notation.board_file import board_data
from satsweeper.notation.error import BoardError
from satsweeper.position import KEEP, Position, Total
from satsweeper.puzzle.board import Board, chequered
from satsweeper.puzzle.clue import Clue, Region, read_clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.fields import Shown
from satsweeper.puzzle.headers import may_hold_rules
from satsweeper.puzzle.json_board import json_board
from satsweeper.puzzle.reading import is_plain, read_puzzle, to_position
from satsweeper.puzzle.rules.kind import clue_kind, required
from satsweeper.puzzle.rules.rule import Value
from satsweeper.puzzle.rules.table import parted
from satsweeper.puzzle.text_board import text_board


class Network(Protocol):
    """A graph of networkx: nodes, and the neighbours of each."""

    adj: Mapping[Any, Iterable[Any]]

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the nodes."""


@dataclass(frozen=True, eq=False)
class Puzzle(Shown, Drawn):
    """Cells of a geometry, rules, clues, flags and perhaps totals; immutable.

    A cell is covered, or opened with a clue or without one (``opened``), or flagged, or known to be
    a mine (``shown``), perhaps with a clue, too: a flag is the player's word, which may be ignored.

    >>> puzzle = Puzzle.parse("rules: C\\nmines: 3\\n1 ? ?\\n? ? ?\\n? ? 1\\n")
    >>> puzzle
    Puzzle(square 3x3, rules C, 3 mines)
    """

    def __post_init__(self) -> None:
        """Check that rules exist and combine, and that the total fits the board."""
        required(self.rules)
        most = self.board.num_vars
        if self.mines is not None and not 0 <= self.mines <= most:
            room = counted(len(self.geometry), "cell")
            raise RuleError(f"{counted(self.mines, 'mine')} in {room}: the total is 0 to {most}")
        self._require_one_state()
        self._require_regions()

    def _require_one_state(self) -> None:
        """Raise RuleError for a cell that is open and flagged, safe and a mine, or has no room."""
        states = {
            "is opened": self.opened,
            "is shown as a mine": self.shown,
            "has a flag": self.flags,
            "has a clue": frozenset(self.clues).difference(self.shown),
        }
        found: dict[int, str] = {}
        for state, cells in states.items():
            for cell in sorted(cells):
                if not 0 <= cell < len(self.geometry):
                    raise RuleError(f"cell number {cell} of {len(self.geometry)} {state}")
                if cell in found:
                    raise RuleError(f"cell {self.geometry.cells[cell]} {found[cell]} and {state}")
                found[cell] = state
        for cell, most in self.capacity.items():
            if most < 1:
                where = f"cell {self.geometry.cells[cell]} has room for {counted(most, 'mine')}"
                raise RuleError(f"{where}: 1 at least")

    def _require_regions(self) -> None:
        """Raise RuleError for two regions of one name, and for one with a cell twice."""
        names = set()
        for region in self.regions:
            if region.name in names:
                raise RuleError(f"two regions {region.name!r}")
            names.add(region.name)
            if len({*region.cells}) < len(region.cells):
                raise RuleError(f"region {region.name!r} has a cell twice")

    @classmethod
    def parse(
        cls,
        text: str | bytes,
        *,
        source: str = "<text>",
        mines: Total = KEEP,
        own_rules: bool = False,
    ) -> Self:
        """Read a board: text with lines ``rules:`` and ``geometry:``, JSON, a Hexcells level.

        A board in any other format of ``notation.formats.FORMATS`` is one of squares under rule V.
        ``mines`` replaces the total that the text states. ``source`` names the text in messages.
        ``own_rules``: whether it may name rules ``MODULE:NAME``, which are imported and called.

        Raises ``BoardError`` with source, line and column for a text that is not a board.
        """
        try:
            return cls(**read_puzzle(text, source, mines, own_rules=own_rules))
        except RuleError as error:
            raise BoardError(source, message=str(error)) from None

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], *, mines: Total = KEEP, own_rules: bool = False
    ) -> Self:
        """Read a board file as `parse` reads its text; ``-`` is standard input."""
        data, source = board_data(path)
        return cls.parse(data, source=source, mines=mines, own_rules=own_rules)

    @classmethod
    def from_graph(
        cls,
        graph: Network,
        *,
        clues: Mapping[Hashable, int | str] | None = None,
        mines: int | None = None,
        weights: Mapping[Hashable, int] | None = None,
        capacity: Mapping[Hashable, int] | None = None,
        flags: Iterable[Hashable] = (),
        opened: Iterable[Hashable] = (),
        dyed: Iterable[Hashable] = (),
        regions: Iterable[tuple[str, Iterable[Hashable], int]] = (),
        rules: Iterable[str] = (),
    ) -> Puzzle:
        """Return a board whose cells are the nodes of a networkx graph.

        Args:
            graph: the graph; the clue of a node counts its neighbours, of a directed graph the
                nodes that its edges lead to.
            clues: node -> its clue, a number or the text of one.
            mines: the number of mines; None: unknown.
            weights: node -> the weight of a mine there in the sums of clues; 1 for other nodes.
            capacity: node -> the most mines there; 1 for other nodes.
            flags: nodes with a flag.
            opened: nodes known to be safe that show nothing.
            dyed: the dyed nodes, for rules that ask for them.
            regions: name, nodes and number of mines of sets of nodes with a total of their own.
            rules: letters of rules, or MODULE:NAME.

        Raises RuleError for what is no node, no rule and no clue.
        """
        from satsweeper.puzzle.geometry.graph import graph as board_of

        geometry = board_of({node: [*graph.adj[node]] for node in graph})
        letters = tuple(rules)
        kinds = parted(letters)[1]

        def number(node: Hashable) -> int:
            if node not in geometry.numbers:
                raise RuleError(f"{node!r} is no cell")
            return geometry.numbers[node]

        return cls(
            geometry,
            letters,
            clues={
                number(node): read_clue(str(text), kinds) for node, text in (clues or {}).items()
            },
            flags=frozenset(map(number, flags)),
            opened=frozenset(map(number, opened)),
            mines=mines,
            regions=tuple(
                [Region(name, tuple(map(number, cells)), total) for name, cells, total in regions]
            ),
            dyed=frozenset(map(number, dyed)),
            weights={number(node): weight for node, weight in (weights or {}).items()},
            capacity={number(node): most for node, most in (capacity or {}).items()},
        )

    @cached_property
    def board(self) -> Board:
        """The cells as rules see them."""
        dyed = chequered(self.geometry) if self.dyed is None else self.dyed
        return Board(self.geometry, dyed, self.weights, self.capacity)

    @cached_property
    def layout_rules(self) -> tuple[str, ...]:
        """The letters of the rules of layouts."""
        return parted(self.rules)[0]

    @cached_property
    def clue_rules(self) -> tuple[str, ...]:
        """The letters of the rules of clues, ("V",) without any; "#": each clue has its own."""
        return parted(self.rules)[1] or ("V",)

    @property
    def rows(self) -> int:
        """The number of rows of a grid; 1 for any other board."""
        return self.geometry.shape[0] if len(self.geometry.shape) == 2 else 1

    @property
    def columns(self) -> int:
        """The number of columns of a grid; the number of cells of any other board."""
        return self.geometry.shape[1] if len(self.geometry.shape) == 2 else len(self.geometry)

    @cached_property
    def known(self) -> dict[int, bool]:
        """Variable -> whether it is true, for the variables of opened and shown cells."""
        variables = self.board.variables
        safe = self.opened.union(self.clues) - self.shown
        found = {v: False for cell in sorted(safe) for v in variables[cell]}
        return found | {variables[cell][0]: True for cell in self.shown}

    def hidden(self, flags: str = "trust") -> list[int]:
        """Return the covered cells, by number; with ``flags`` "ignore" the flagged cells, too."""
        seen = {*self.clues, *self.opened, *self.shown}
        if flags == "trust":
            seen |= self.flags
        return [cell for cell in range(len(self.geometry)) if cell not in seen]

    def with_clue(self, cell: int, value: Value, letters: tuple[str, ...] | None = None) -> Self:
        """Return the board after opening the covered cell number ``cell``, which shows ``value``.

        ``letters``: the rules of the clue, where clues have their own.
        """
        kind = clue_kind(self.clue_rules if letters is None else letters)
        board, known = self.board, self.known
        found = copy(self)
        # What is known of the cells stays; the checks of `__post_init__` depend on no clue.
        vars(found).update(
            clues={**self.clues, cell: Clue(kind, value)},
            known=known | dict.fromkeys(board.variables[cell], False),
        )
        return found

    def text(self) -> str:
        """Return the board as text with lines ``rules:``, ``geometry:``, ``mines:``, and its rows.

        `parse` reads an equal board. Raises RuleError for what text cannot hold and JSON can.
        """
        return text_board(self)

    def as_json(self) -> dict[str, Any]:
        """Return the board as an object, schema ``satsweeper/board/2``.

        `parse` reads an equal board from its JSON. Raises RuleError for cells that are neither text
        nor integers nor tuples of these, and for a geometry of one's own.
        """
        return json_board(self)

    def __str__(self) -> str:
        """Return the text of the board, or a list of its cells where text cannot hold it."""
        try:
            return self.text().rstrip("\n")
        except RuleError:
            return super().__str__()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Puzzle):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((self.geometry, self.rules, self.mines, frozenset(self.clues)))

    def _compared(self) -> tuple[object, ...]:
        clues = {cell: (clue.kind.letters, clue.value) for cell, clue in self.clues.items()}
        return (
            self.geometry, self.rules, clues, self.flags, self.opened, self.shown, self.mines,
            self.regions, self.board.dyed, dict(self.weights), dict(self.capacity),
        )  # fmt: skip

    def __repr__(self) -> str:
        shape = self.geometry.size_text()
        rules = f"rules {' '.join(self.rules)}" if self.rules else "rule V"
        total = "total unknown" if self.mines is None else counted(self.mines, "mine")
        return f"Puzzle({self.geometry.name} {shape}, {rules}, {total})"


def read_board_or_puzzle(path: str | os.PathLike[str], mines: Total = KEEP) -> Position | Puzzle:
    """Read a board file; a `Position` if it has squares and plain clues only, else a `Puzzle`.

    ``-`` is standard input. Raises the errors of `Puzzle.parse`.
    """
    data, source = board_data(path)
    return parse_board_or_puzzle(data, source, mines)


def parse_board_or_puzzle(
    data: str | bytes,
    source: str = "<text>",
    mines: Total = KEEP,
    stated: Mapping[str, str] | None = None,
) -> Position | Puzzle:
    """Read a board from text; a `Position` if it has squares and plain clues only.

    ``stated``: values of the lines ``rules`` and ``geometry`` that replace those of the text.
    """
    if not stated and not may_hold_rules(data):
        return Position.parse(data, source=source, mines=mines)
    try:
        fields = read_puzzle(data, source, mines, stated)
        return to_position(fields, source) if is_plain(fields) else Puzzle(**fields)
    except RuleError as error:
        raise BoardError(source, message=str(error)) from None
