"""A board for other solvers: its counting constraints or their clauses, and a name map.

`BoardProblem` is a board as a problem whose variables are the covered cells, row by row; `Export`
is its formula, whose models are exactly the layouts. Both write themselves in a format and have a
name map, which `export.decode` needs to translate a model back to cells.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, Final, Literal, Self

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.order import LiteralOrder, literal_order
from pbcnf.constraints.problem import Problem
from pbcnf.emission.dispatch import choose
from pbcnf.emission.encode import encode, encode_many
from pbcnf.emission.whole_problems import AUTO
from pbcnf.encoders.table import find_encoder
from pbcnf.formats.table import FORMATS
from pbcnf.formats.write.icnf import write_icnf
from pbcnf.formats.writing import write_json
from pbcnf.formula import Formula
from pbcnf.wording import counted
from satsweeper.board.facts import Flags
from satsweeper.board.size import size_text
from satsweeper.clues import BoardConstraints, constraints_of
from satsweeper.export.name_map import BOARD_MAP
from satsweeper.position import Position
from satsweeper.solvers.sum_range import refuse_if_huge
from satsweeper.version import __version__

if TYPE_CHECKING:
    import numpy.typing as npt

MOST_COMPARED: Final = 2**18
"""Largest number of clauses of a formula in which repeated clauses are looked for. In larger
formulas the comparison would take longer than all other work on the file."""


@dataclass(frozen=True, eq=False)
class BoardProblem:
    """A position as counting constraints over its covered cells, variables 1 .. n row by row."""

    position: Position = field(repr=False)
    board: BoardConstraints = field(repr=False)

    @classmethod
    def of(cls, position: Position, flags: Flags = "trust") -> Self:
        """Return the constraints of ``position``, with ``flags`` trusted as mines or ignored."""
        return cls(position, constraints_of(position, flags))

    @cached_property
    def problem(self) -> Problem:
        """The constraints; the variable of the cell in row r, column c is named m_r_c."""
        cells = enumerate(self.board.cells.tolist(), start=1)
        return Problem(
            len(self.board.cells),
            tuple(Cardinality(s.variables, s.mines, s.mines) for s in self.board.sums()),
            {var: f"m_{row}_{column}" for var, (row, column) in cells},
        )

    @property
    def size(self) -> str:
        """The numbers of variables and constraints that are written, in words."""
        problem = self.problem
        constraints = counted(len(problem.constraints), "constraint")
        return f"{counted(problem.num_vars, 'variable')}, {constraints}"

    @property
    def digest(self) -> str:
        """The SHA-256 of the board as text."""
        return hashlib.sha256(self.position.text().encode("ascii")).hexdigest()

    def comments(self) -> Iterator[str]:
        """Yield the comments of the file: size, total and digest of the board."""
        position = self.position
        total = "unknown" if position.mines is None else str(position.mines)
        yield f"satsweeper {__version__}"
        yield f"board {size_text(position.rows, position.columns)}, total {total}"
        yield f"board sha256 {self.digest}"
        yield f"flags trusted as mines: {len(self.board.flags)}"

    def as_json(self) -> dict[str, Any]:
        """Return the name map, schema ``satsweeper/map/1``: the cell of each variable."""
        position, board = self.position, self.board
        cells = enumerate(board.cells.tolist(), start=1)
        return {
            "schema": BOARD_MAP,
            "rows": position.rows,
            "columns": position.columns,
            "mines": position.mines,
            "flags": board.flags.tolist(),
            "variables": {str(variable): {"cell": cell} for variable, cell in cells},
            "auxiliaries": [],
        }

    def write(self, stream: IO[bytes], format: str) -> None:
        """Write the constraints in ``format``, the name of a format of constraints."""
        FORMATS[format].load_writer()(self.problem, stream, tuple(self.comments()))

    def write_map(self, stream: IO[bytes]) -> None:
        """Write the name map as one line of JSON."""
        write_json(self.as_json(), stream)


@dataclass(frozen=True)
class Auxiliaries:
    """A range of auxiliary variables, ``first`` .. ``last``, both included, of one encoding.

    ``role`` tells whether the variables encode the clues or the total; ``encoding`` is the name of
    the encoder.
    """

    first: int
    last: int
    role: Literal["clue", "total"]
    encoding: str


@dataclass(frozen=True, eq=False)
class Export(BoardProblem):
    """A position as a formula that is satisfied exactly by its layouts.

    Variables 1 .. n are the covered cells row by row; ``auxiliaries`` are the ranges of all other
    variables. ``encoding`` and ``total_encoding`` are the encoders of clues and of the total,
    ``order`` is the order in which cells entered them.
    """

    formula: Formula = field(repr=False)
    encoding: str
    total_encoding: str
    auxiliaries: tuple[Auxiliaries, ...]
    order: LiteralOrder = LiteralOrder.GIVEN

    @property
    def parsimonious(self) -> bool:
        """Whether the formula has exactly one model for every layout, by the encoders' claims."""
        clues, total = find_encoder(self.encoding), find_encoder(self.total_encoding)
        cells, mines = len(self.board.cells), self.board.total
        return all(
            clues.parsimonious(n, need, need)
            for n, need in (group.shape for group in self.board.groups)
        ) and (mines is None or total.parsimonious(cells, mines, mines))

    def comments(self) -> Iterator[str]:
        """Yield the comments of the file: the board, the encodings, and the name map."""
        board = self.board
        yield from super().comments()
        yield f"encoding of clues: {self.encoding}"
        for group in board.groups:
            cells, mines = group.shape
            yield f"clues n={cells} k={mines}: {len(group.inputs)}"
        if board.total is not None:
            yield f"encoding of total: {self.total_encoding}"
            yield f"total n={len(board.cells)} k={board.total}"
        if self.order is not LiteralOrder.GIVEN:
            yield f"order of literals: {self.order}"
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
        """Return the name map, schema ``satsweeper/map/1``, with the auxiliary variables."""
        auxiliaries = [vars(found) for found in self.auxiliaries]
        return super().as_json() | {"auxiliaries": auxiliaries}

    @cached_property
    def written(self) -> Formula:
        """The formula as files hold it: up to `MOST_COMPARED` clauses, without repeated clauses."""
        few = self.formula.num_clauses <= MOST_COMPARED
        return distinct(self.formula) if few else self.formula

    @property
    def size(self) -> str:
        """The numbers of variables and clauses that are written, in words."""
        formula = self.written
        return f"{counted(formula.num_vars, 'variable')}, {counted(formula.num_clauses, 'clause')}"

    def write(self, stream: IO[bytes], format: str) -> None:
        """Write the formula in ``format``, a format of clauses; icnf holds `questions` too."""
        comments = tuple(self.comments())
        if format == "icnf":
            write_icnf(self.written, questions(self), stream, comments)
        else:
            FORMATS[format].load_writer()(self.written, len(self.board.cells), stream, comments)

    def write_cnf(self, stream: IO[bytes]) -> None:
        """Write the formula as DIMACS CNF."""
        self.write(stream, "cnf")


def questions(board: BoardProblem) -> list[list[int]]:
    """Return one list of assumptions for each question: is there a layout with this cell a mine?

    For the variable v of each covered cell, ``[v]`` asks for a layout with a mine in the cell, and
    ``[-v]`` for a layout in which the cell is safe.
    """
    return [[sign * var] for var in range(1, len(board.board.cells) + 1) for sign in (1, -1)]


def formula_of(
    position: Position,
    *,
    encoding: str = "direct",
    total_encoding: str = AUTO,
    flags: Flags = "trust",
    order: LiteralOrder = LiteralOrder.GIVEN,
) -> Export:
    """Return the formula of ``position``; unsatisfiable exactly if there is no layout.

    Args:
        position: any position, consistent or not.
        encoding: the encoder of the clues, by its name in ``pbcnf.ENCODERS``.
        total_encoding: the encoder of the total; ``"auto"`` is the choice of `pbcnf.choose`, on
            large boards the adder: the adder propagates little, but for one constraint over a whole
            board its clauses are the quickest to load and to solve (docs/encodings.md).
        flags: ``"trust"`` takes flags for mines; ``"ignore"`` takes them for covered cells.
        order: of the cells around each clue and of all cells, before they are encoded.

    Raises:
        ValueError: an unknown name, an encoder that cannot express a clue or the total, or an
            encoding of the total with more than twenty million clauses.

    >>> export = formula_of(Position.parse("1 3 2\\n?1?"))
    >>> list(export.formula.clauses()), export.as_json()["variables"]["2"]
    ([[-1, -2], [1, 2], [1], [2]], {'cell': [0, 2]})
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
    # Variables of cells come first, then auxiliary variables of clues, then auxiliary variables of
    # the total, so each kind is one range of numbers.
    formula = Formula(num_vars=cells)
    constraints = [] if every is None else [every]
    if order is not LiteralOrder.GIVEN:
        constraints += [
            Cardinality(row, group.mines, group.mines)
            for group in board.groups
            for row in group.inputs
        ]
    in_order = literal_order(order, 0, constraints)
    for group in board.groups:
        rows: npt.ArrayLike = group.inputs
        if order is not LiteralOrder.GIVEN:
            rows = [in_order(Cardinality(row)).lits for row in group.inputs]
        encode_many(rows, group.mines, group.mines, formula, encoding)
    last_of_clues = formula.num_vars
    if every is not None:
        encode(in_order(every), formula, encoder)
    ranges = (
        Auxiliaries(cells + 1, last_of_clues, "clue", encoding),
        Auxiliaries(last_of_clues + 1, formula.num_vars, "total", total_encoding),
    )
    return Export(
        position=position,
        board=board,
        formula=formula,
        encoding=encoding,
        total_encoding=total_encoding,
        auxiliaries=tuple(found for found in ranges if found.first <= found.last),
        order=order,
    )


def distinct(formula: Formula) -> Formula:
    """Return ``formula`` without repeated clauses, in order; clauses are compared as sets.

    The number of variables stays. Repeated clauses come from clues that share cells. If no clause
    is repeated, the result is ``formula`` itself.

    >>> formula = Formula(num_vars=9)
    >>> for clause in ([2, -7], [7], [-7, 2], [2, 7]):
    ...     formula.add_clause(clause)
    >>> list(distinct(formula)), distinct(formula).num_vars
    ([[2, -7], [7], [2, 7]], 9)
    """
    # A dict keeps its keys in the order of insertion, so each clause stays at its first place.
    first: dict[frozenset[int], list[int]] = {}
    for clause in formula:
        first.setdefault(frozenset(clause), clause)
    if len(first) == formula.num_clauses:
        return formula
    found = Formula(num_vars=formula.num_vars)
    for clause in first.values():
        found.add_terminated([*clause, 0], 1)
    return found
