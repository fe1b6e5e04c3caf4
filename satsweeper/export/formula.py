"""A board as a CNF file for any solver, and the map from its variables back to the cells."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO, Any, Final, Literal

from pbcnf.constraints.constraint import Cardinality
from pbcnf.emission.choose import choose
from pbcnf.emission.encode import encode, encode_many
from pbcnf.emission.whole_problems import AUTO
from pbcnf.encoders.table import find_encoder
from pbcnf.formats.write.dimacs import write_dimacs
from pbcnf.formats.writing import write_json
from pbcnf.formula import Formula
from satsweeper.board.codes import Cell
from satsweeper.board.size import size_text
from satsweeper.board.view import Flags
from satsweeper.clues import BoardConstraints, constraints_of
from satsweeper.export.distinct_clauses import distinct
from satsweeper.position import Position
from satsweeper.solvers.sum_range import refuse_if_huge
from satsweeper.version import __version__

_MAP_SCHEMA: Final = "satsweeper/map/1"
MOST_COMPARED: Final = 2**18
"""Clauses of the largest formula in which repeated ones are looked for: more would take longer than
all else about the file."""


@dataclass(frozen=True)
class Auxiliaries:
    """A range of auxiliary variables, both ends included, and what they were introduced for."""

    first: int
    last: int
    role: Literal["clue", "total"]
    encoding: str


@dataclass(frozen=True, eq=False)
class Export:
    """A position as a formula that is satisfied exactly by its layouts.

    Variables 1 .. n are the covered cells row by row, the rest are named by ``auxiliaries``.
    """

    position: Position = field(repr=False)
    board: BoardConstraints = field(repr=False)
    formula: Formula = field(repr=False)
    encoding: str
    total_encoding: str
    auxiliaries: tuple[Auxiliaries, ...]

    def role(self, variable: int) -> Cell | Auxiliaries:
        """What a variable stands for. Raises KeyError for one that the formula does not have."""
        if 1 <= variable <= len(self.board.cells):
            row, column = self.board.cells[variable - 1].tolist()
            return row, column
        for auxiliaries in self.auxiliaries:
            if auxiliaries.first <= variable <= auxiliaries.last:
                return auxiliaries
        raise KeyError(variable)

    @property
    def parsimonious(self) -> bool:
        """Whether the formula has exactly one model for every layout, as the encoders claim."""
        clues, total = find_encoder(self.encoding), find_encoder(self.total_encoding)
        cells, mines = len(self.board.cells), self.board.total
        return all(
            clues.parsimonious(n, need, need)
            for n, need in (group.shape for group in self.board.groups)
        ) and (mines is None or total.parsimonious(cells, mines, mines))

    def comments(self) -> Iterator[str]:
        """The comments of the file: where it comes from, how it is encoded, the name map."""
        board = self.board
        yield from provenance(self.position, board)
        yield f"encoding of clues: {self.encoding}"
        for group in board.groups:
            cells, mines = group.shape
            yield f"clues n={cells} k={mines}: {len(group.inputs)}"
        if board.total is not None:
            yield f"encoding of total: {self.total_encoding}"
            yield f"total n={len(board.cells)} k={board.total}"
        yield (
            "models: one for every layout"
            if self.parsimonious
            else f"models: more than layouts; count them projected on 1 to {len(board.cells)} (pmc)"
        )
        for variable, (row, column) in enumerate(board.cells.tolist(), start=1):
            yield f"var {variable} cell {row} {column}"
        for aux in self.auxiliaries:
            yield f"aux {aux.first}-{aux.last} {aux.role} {aux.encoding}"

    def as_json(self) -> dict[str, Any]:
        """The name map, schema ``satsweeper/map/1``."""
        auxiliaries = [vars(found) for found in self.auxiliaries]
        return name_map(self.position, self.board) | {"auxiliaries": auxiliaries}

    @cached_property
    def written(self) -> Formula:
        """The formula as it is written: without repeated clauses, up to `MOST_COMPARED` of them."""
        few = self.formula.num_clauses <= MOST_COMPARED
        return distinct(self.formula) if few else self.formula

    def write_cnf(self, stream: IO[bytes]) -> None:
        """Write the formula as DIMACS CNF."""
        write_dimacs(self.written, stream, self.comments())

    def write_map(self, stream: IO[bytes]) -> None:
        """Write the name map as one line of JSON."""
        write_json(self.as_json(), stream)


def provenance(position: Position, board: BoardConstraints) -> Iterator[str]:
    """The comments of every file that a board is written to: what the board is."""
    total = "unknown" if position.mines is None else str(position.mines)
    yield f"satsweeper {__version__}"
    yield f"board {size_text(position.rows, position.columns)}, total {total}"
    yield f"board sha256 {hashlib.sha256(position.text().encode('ascii')).hexdigest()}"
    yield f"flags trusted as mines: {len(board.flags)}"


def name_map(position: Position, board: BoardConstraints) -> dict[str, Any]:
    """Which variable is which cell, schema ``satsweeper/map/1``; without auxiliary variables."""
    return {
        "schema": _MAP_SCHEMA,
        "rows": position.rows,
        "columns": position.columns,
        "mines": position.mines,
        "flags": board.flags.tolist(),
        "variables": {
            str(variable): {"cell": cell}
            for variable, cell in enumerate(board.cells.tolist(), start=1)
        },
        "auxiliaries": [],
    }


def formula_of(
    position: Position,
    *,
    encoding: str = "direct",
    total_encoding: str = AUTO,
    flags: Flags = "trust",
) -> Export:
    """The formula of a position; it is unsatisfiable exactly if the position has no layout.

    Args:
        position: any position, consistent or not.
        encoding: the encoder of the clues, by its name in ``pbcnf.ENCODERS``.
        total_encoding: the encoder of the total; ``"auto"`` is what `pbcnf.choose` says, on large
            boards the adder: it propagates little, but as one constraint over a whole board it is
            the quickest to load and to solve (docs/encodings.md).
        flags: ``"trust"`` takes flags for mines; ``"ignore"`` takes them for covered cells.

    Raises:
        ValueError: an unknown name, an encoder that cannot express a clue or the total, or an
            encoding of the total beyond twenty million clauses.

    >>> export = formula_of(Position.parse("1 3 2\\n?1?"))
    >>> list(export.formula.clauses()), export.role(2)
    ([[-1, -2], [1, 2], [1], [2]], (0, 2))
    """
    find_encoder(encoding)
    board = constraints_of(position, flags)
    cells, total = len(board.cells), board.total
    every = None if total is None else Cardinality(range(1, cells + 1), total, total)
    if total_encoding == AUTO:
        total_encoding = (None if every is None else choose(every).encoder) or "adder"
    encoder = find_encoder(total_encoding)
    if total is not None:
        refuse_if_huge(encoder, cells, total, total)
    formula = Formula(num_vars=cells)
    for group in board.groups:
        encode_many(group.inputs, group.mines, group.mines, formula, encoding)
    counted = formula.num_vars
    if every is not None:
        encode(every, formula, encoder)
    ranges = (
        Auxiliaries(cells + 1, counted, "clue", encoding),
        Auxiliaries(counted + 1, formula.num_vars, "total", total_encoding),
    )
    return Export(
        position=position,
        board=board,
        formula=formula,
        encoding=encoding,
        total_encoding=total_encoding,
        auxiliaries=tuple(found for found in ranges if found.first <= found.last),
    )
