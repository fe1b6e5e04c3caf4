"""Generated boards, and proofs that they need no guess."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.layout import Layout
from satsweeper.board.size import BoardSize
from satsweeper.notation.formats import FORMATS
from satsweeper.notation.record import Record
from satsweeper.notation.solution import covered_grid, opened_from
from satsweeper.notation.solution import solved as solution_of
from satsweeper.play.draw import FirstClick, rows_of
from satsweeper.play.game import Minefield

SCHEMA: Final = "satsweeper/generate/1"


class Strength(StrEnum):
    """The strength of the logic that must suffice; the value is the name on the command line."""

    SINGLE_CLUE = "single_clue"
    """Single clues: all unknown cells of a clue are mines, or none is."""

    SUBSET = "subset"
    """Pairs of clues, too: private cells of the first clue, compared with the surplus of mines."""

    COMPLETE = "complete"
    """Every logical consequence."""


@dataclass(frozen=True, slots=True)
class ProvedMove:
    """A move: the cells that are opened, and the clues that force them to be safe.

    ``clues``: open cells whose numbers force all ``cells``, together with the total of the board if
    ``total`` says so; every covered cell is taken for unknown, so nothing else is needed. ``logic``
    is the least that finds the cells once all that was found before is known. ``irreducible``: no
    clue can be left out; False only where that was too hard to find out.
    """

    cells: tuple[Cell, ...]
    clues: tuple[Cell, ...]
    total: bool
    logic: Strength
    irreducible: bool

    def as_json(self) -> dict[str, Any]:
        """The object in the list ``moves`` of ``generate --json``."""
        return {
            "cells": [list(cell) for cell in self.cells],
            "clues": [list(cell) for cell in self.clues],
            "total": self.total,
            "logic": str(self.logic),
            "irreducible": self.irreducible,
        }


@dataclass(frozen=True, slots=True)
class GeneratedBoard:
    """A generated board: settings, layout, and proof.

    ``moves``: the proof, if there must be no guess, else None. The cell ``start`` is open before
    the first of them; a 0 opens its neighbours, as in every game, and so on. ``attempts`` and
    ``changes`` say how many layouts were drawn, and how often mines were moved in the last one.
    """

    board: BoardSize
    first_click: FirstClick
    start: Cell
    seed: int
    number: int
    layout: Layout
    moves: tuple[ProvedMove, ...] | None = None
    attempts: int = 1
    changes: int = 0

    @property
    def rows(self) -> list[str]:
        """The layout, a row a string: ``*`` a mine, ``.`` none."""
        return rows_of(self.layout)

    @property
    def uniform(self) -> bool:
        """Whether all layouts that the first click allows are equally likely."""
        return self.moves is None and self.first_click is not FirstClick.WINDOWS

    def __repr__(self) -> str:
        """The arguments of ``generate``, and the length of the proof."""
        proof = "" if self.moves is None else f", proved in {counted(len(self.moves), 'move')}"
        start = f"first click {self.first_click} at {self.start}"
        return f"GeneratedBoard({self.board}, {start}, seed {self.seed}{proof})"

    def opened(self) -> Minefield:
        """The game once ``start`` is open."""
        field = Minefield(self.layout)
        field.open(1 << self.layout.geometry.index(self.start))
        return field

    def record(self, format: str) -> Record:
        """The record for a file in ``format``, a notation: the layout and the first click.

        Where the format has opened cells, those that the first click opens.
        """
        rows, columns = self.board.rows, self.board.columns
        solution = solution_of(self.layout.mines, rows, columns)
        shown, first = covered_grid(rows, columns), None
        safe = not self.layout.mines >> self.layout.geometry.index(self.start) & 1
        if "view" in FORMATS[format].holds and safe:
            shown, first = opened_from(solution, columns, self.start), self.start
        return Record(shown, columns, self.board.mines, solution, first=first)

    def as_json(self) -> dict[str, Any]:
        """The object that ``generate --json`` prints."""
        moves = self.moves
        return {
            "schema": SCHEMA,
            "board": str(self.board),
            "rows": self.board.rows,
            "columns": self.board.columns,
            "mines": self.board.mines,
            "first_click": str(self.first_click),
            "start": list(self.start),
            "seed": self.seed,
            "number": self.number,
            "layout": self.rows,
            "moves": None if moves is None else [move.as_json() for move in moves],
            "attempts": self.attempts,
            "changes": self.changes,
            "uniform": self.uniform,
        }
