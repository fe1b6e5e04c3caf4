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
    """Single clues: all unknown neighbours of a clue are mines, or all are safe."""

    SUBSET = "subset"
    """Pairs of clues, too: if a clue needs n mines more than another, and exactly n unknown cells
    touch the former only, these are mines, and the cells that touch the latter only are safe."""

    COMPLETE = "complete"
    """Every logical consequence."""


@dataclass(frozen=True, slots=True)
class ProvedMove:
    """A move: the cells that are opened, and the clues that force them to be safe.

    ``clues``: open cells whose numbers force all ``cells`` to be safe, together with the number of
    mines of the board if ``total``. Every covered cell counts as unknown, so the clues need no
    earlier move. ``logic``: the weakest logic that finds the cells once all earlier verdicts are
    known. ``irreducible``: no clue can be left out; False only if this is unknown because the test
    takes too long.
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

    ``moves``: the proof that no move is a guess; None for a board that may need guesses. The cell
    ``start`` is open before the first move; as in every game, each 0 opens its neighbours.
    ``attempts``: the number of layouts drawn; ``changes``: how often mines were moved in the last
    of them. ``number``: which board of ``seed``.
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
        """The layout as one string a row: ``*`` is a mine, ``.`` a free cell."""
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
        """The layout with the cells that are open after the first click on ``start``."""
        field = Minefield(self.layout)
        field.open(1 << self.layout.geometry.index(self.start))
        return field

    def record(self, format: str) -> Record:
        """The record for a file in ``format``, a notation: the layout and the first click.

        If the notation can hold opened cells and ``start`` is no mine, the record has the cells
        that the first click opens; else all cells are covered.
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
