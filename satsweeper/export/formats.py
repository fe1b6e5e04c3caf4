"""A board in the formats of problems: its formula, and its constraints as they are."""

from typing import IO

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem
from pbcnf.formats.table import FORMATS
from pbcnf.formats.write.icnf import write_icnf
from satsweeper.clues import BoardConstraints
from satsweeper.export.formula import Export


def write_clauses(export: Export, stream: IO[bytes], format: str) -> None:
    """Write the formula of a board: its layouts, or in icnf its questions."""
    comments = tuple(export.comments())
    if format == "icnf":
        write_icnf(export.written, questions(export), stream, comments)
    else:
        FORMATS[format].load_writer()(export.written, len(export.board.cells), stream, comments)


def questions(export: Export) -> list[list[int]]:
    """One question a cell and value: can it be a mine, can it be safe?"""
    return [[sign * var] for var in range(1, len(export.board.cells) + 1) for sign in (1, -1)]


def problem_of(board: BoardConstraints) -> Problem:
    """The counting constraints of a board; the mine in row r, column c is called m_r_c."""
    constraints = tuple(
        Cardinality(said.variables, said.mines, said.mines) for said in board.sums()
    )
    names = {
        var: f"m_{row}_{column}" for var, (row, column) in enumerate(board.cells.tolist(), start=1)
    }
    return Problem(len(board.cells), constraints, names)
