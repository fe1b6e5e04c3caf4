"""A board in every format: clauses for solvers and counters, constraints for modellers."""

from collections.abc import Callable
from typing import IO, Final

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem
from pbcnf.formats.write.counting import write_counting
from pbcnf.formats.write.icnf import write_icnf
from pbcnf.formats.write.wcnf import write_wcnf
from satsweeper.clues import BoardConstraints
from satsweeper.export.formula import Export

CLAUSES: Final[dict[str, Callable[[Export, IO[bytes]], None]]] = {
    "cnf": Export.write_cnf,
    "icnf": lambda export, stream: write_icnf(
        export.formula, questions(export), stream, tuple(export.comments())
    ),
    "pmc": lambda export, stream: write_counting(
        export.formula,
        stream,
        show=range(1, len(export.board.cells) + 1),
        comments=tuple(export.comments()),
    ),
    "wcnf": lambda export, stream: write_wcnf(export.formula, (), stream, tuple(export.comments())),
}
"""Format -> how to write the formula of a board: its layouts, or in icnf its questions."""


def questions(export: Export) -> list[list[int]]:
    """One question a cell and value: can it be a mine, can it be safe?"""
    return [[sign * var] for var in range(1, len(export.board.cells) + 1) for sign in (1, -1)]


def instance_of(board: BoardConstraints) -> Problem:
    """The counting constraints of a board; the mine in row r, column c is called m_r_c."""
    constraints = tuple(
        Cardinality(said.variables, said.mines, said.mines) for said in board.sums()
    )
    names = {
        var: f"m_{row}_{column}" for var, (row, column) in enumerate(board.cells.tolist(), start=1)
    }
    return Problem(len(board.cells), constraints, names)
