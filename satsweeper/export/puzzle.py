"""A board under rules for other solvers: its constraints or their clauses, and a name map.

Variables 1 .. n are the variables of covered cells, in reading order. Of the auxiliary variables
those of rules come first, each with what it stands for; then those of the encoders.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO, Any, Final, Self

from pbcnf.constraints.order import LiteralOrder, literal_order
from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import AUTO
from pbcnf.encoders.table import find_encoder
from pbcnf.formats.table import FORMATS, find_format
from pbcnf.formats.write.icnf import write_icnf
from pbcnf.formats.writing import write_json
from pbcnf.formula import Formula
from pbcnf.wording import counted
from satsweeper.export.formula import MOST_COMPARED, distinct
from satsweeper.export.name_map import BOARD_MAP
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.problem_clauses import StatementEncoder, without_weights
from satsweeper.puzzle.problem_writer import OPEN_RULES, ProblemWriter, StatedBounds
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.sentences import part_text
from satsweeper.version import __version__

_UNWEIGHTED: Final = ("knf", "cnf+")
"""Formats of constraints that hold no weights: weighted sums become clauses there."""


@dataclass(frozen=True, eq=False)
class PuzzleProblem:
    """A board as statements over variables 1 .. n of covered cells and named auxiliary ones.

    Args:
        puzzle: the board.
        flags: whether flags are mines ("trust") or covered cells ("ignore").
        cells: number of the cell and number of mines that each variable of a cell stands for.
        roles: what each further variable stands for, and the part of the board it is made for.
        statements: the statements.
        format: the name of the format of the file, in ``FORMATS``.
        encoding: the encoder of sums of at most nine cells.
        total_encoding: the encoder of larger sums; "auto": by size.
        order: of the literals of sums before they are encoded.
    """

    puzzle: Puzzle
    flags: str
    cells: tuple[tuple[int, int], ...] = field(repr=False)
    roles: tuple[tuple[str, Part], ...] = field(repr=False)
    statements: tuple[StatedBounds, ...] = field(repr=False)
    format: str = "cnf"
    encoding: str = "direct"
    total_encoding: str = AUTO
    order: LiteralOrder = LiteralOrder.GIVEN

    @classmethod
    def of(
        cls,
        puzzle: Puzzle,
        flags: str = "trust",
        *,
        format: str = "cnf",
        encoding: str = "direct",
        total_encoding: str = AUTO,
        order: LiteralOrder = LiteralOrder.GIVEN,
    ) -> Self:
        """Return the statements of a board; arguments have the names of the fields.

        Raises RuleError for a board that lacks what a rule needs, ValueError for an unknown encoder
        or format.
        """
        find_format(format)
        find_encoder(encoding)
        if total_encoding != AUTO:
            find_encoder(total_encoding)
        writer = ProblemWriter(puzzle, flags)
        stands_for = {
            variable: (cell, mines)
            for cell, variables in enumerate(puzzle.board.variables)
            for mines, variable in enumerate(variables, start=1)
        }
        return cls(
            puzzle,
            flags,
            tuple([stands_for[variable] for variable in writer.inputs]),
            tuple(writer.roles),
            tuple(writer.statements),
            format,
            encoding,
            total_encoding,
            order,
        )

    @property
    def num_vars(self) -> int:
        """The number of variables of cells and of rules."""
        return len(self.cells) + len(self.roles)

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of the variables in formats of constraints: ``m_0_2`` for a mine at (0, 2)."""
        geometry = self.puzzle.geometry
        found = []
        for cell, mines in self.cells:
            name = geometry.cells[cell]
            parts = name if isinstance(name, tuple) else (name,)
            at_least = "" if mines == 1 else f">={mines}"
            found.append(_ascii("_".join(["m", *map(str, parts)]) + at_least))
        return dict(enumerate([*found, *[_ascii(role) for role, _ in self.roles]], start=1))

    @cached_property
    def problem(self) -> Problem:
        """The constraints; a bound that literals imply is a sum with large weights of them."""
        constraints = [each for one in self.statements for each in one.constraints()]
        return Problem(self.num_vars, tuple(constraints), self.names)

    @cached_property
    def unweighted(self) -> tuple[Problem, StatementEncoder]:
        """The constraints with clauses instead of weighted sums, and the encoder of these sums."""
        found, encoder = without_weights(self.statements, self.num_vars)
        return Problem(encoder.formula.num_vars, tuple(found), self.names), encoder

    @cached_property
    def encoded(self) -> StatementEncoder:
        """The clauses. Raises ValueError for a sum that the encoder cannot express."""
        encoder = StatementEncoder(Formula(self.num_vars), self.encoding, self.total_encoding)
        in_order = literal_order(self.order, 0, self.problem.constraints)
        for statement in self.statements:
            encoder.add(statement.in_order(in_order))
        return encoder

    @cached_property
    def formula(self) -> Formula:
        """The clauses as files hold them: up to `MOST_COMPARED`, without repeated clauses."""
        formula = self.encoded.formula
        return distinct(formula) if formula.num_clauses <= MOST_COMPARED else formula

    @property
    def parsimonious(self) -> bool:
        """Whether the clauses have one model for each layout, as rules and encoders claim."""
        letters = {each for clue in self.puzzle.clues.values() for each in clue.kind.letters}
        letters.update(self.puzzle.layout_rules)
        # Rules of other people's may have auxiliary variables that are free.
        known = letters.isdisjoint(OPEN_RULES) and not any(":" in each for each in letters)
        return known and self.encoded.parsimonious

    @property
    def holds_clauses(self) -> bool:
        """Whether the format holds clauses alone."""
        return FORMATS[self.format].holds == "clauses"

    @property
    def written(self) -> Problem:
        """The constraints as a format of constraints holds them."""
        return self.unweighted[0] if self.format in _UNWEIGHTED else self.problem

    @property
    def size(self) -> str:
        """The numbers of variables and of clauses or constraints that are written, in words."""
        if self.holds_clauses:
            variables, clauses = self.formula.num_vars, self.formula.num_clauses
            return f"{counted(variables, 'variable')}, {counted(clauses, 'clause')}"
        problem = self.written
        constraints = counted(len(problem.constraints), "constraint")
        return f"{counted(problem.num_vars, 'variable')}, {constraints}"

    def write(self, stream: IO[bytes]) -> None:
        """Write the board; icnf holds `questions` too."""
        comments = [*self._head()]
        write = FORMATS[self.format].load_writer()
        if not self.holds_clauses:
            write(self.written, stream, comments)
            return
        comments += self._encodings()
        if self.format == "icnf":
            write_icnf(self.formula, self.questions(), stream, comments)
        else:
            write(self.formula, len(self.cells), stream, comments)

    def questions(self) -> list[list[int]]:
        """Return the assumptions of "is this cell a mine?" and "is it safe?" for each cell."""
        first = [var for var, (_, mines) in enumerate(self.cells, start=1) if mines == 1]
        return [[sign * var] for var in first for sign in (1, -1)]

    def _head(self) -> Iterator[str]:
        puzzle = self.puzzle
        yield f"satsweeper {__version__}"
        yield _ascii(f"board {puzzle!r}")
        yield f"flags trusted as mines: {len(puzzle.flags) if self.flags == 'trust' else 0}"

    def _encodings(self) -> Iterator[str]:
        yield f"encoding of sums of at most 9 cells: {self.encoding}"
        yield f"encoding of larger sums: {self.total_encoding}"
        if self.order is not LiteralOrder.GIVEN:
            yield f"order of literals: {self.order}"
        yield (
            "models: one for every layout"
            if self.parsimonious
            else f"models: one or more for every layout; projected on 1 to {len(self.cells)}, one"
        )
        for variable, (cell, mines) in enumerate(self.cells, start=1):
            name = self.puzzle.geometry.cells[cell]
            place = " ".join(map(str, name)) if isinstance(name, tuple) else str(name)
            more = "" if mines == 1 else f" mines {mines}"
            yield _ascii(f"var {variable} cell {place}{more}")
        for variable, (role, part) in enumerate(self.roles, start=len(self.cells) + 1):
            yield _ascii(f"aux {variable} {role}, {part_text(self.puzzle, part)}")
        for each in self.encoded.sums:
            what = part_text(self.puzzle, each.part)
            yield _ascii(f"aux {each.first}-{each.last} {what}, {each.encoding}")

    def as_json(self) -> dict[str, Any]:
        """Return the name map of the file, schema ``satsweeper/map/1``."""
        puzzle = self.puzzle
        variables: dict[str, Any] = {}
        for variable, (cell, mines) in enumerate(self.cells, start=1):
            name = json_name(puzzle.geometry.cells[cell])
            variables[str(variable)] = {"cell": name} | ({} if mines == 1 else {"mines": mines})
        for variable, (role, part) in enumerate(self.roles, start=len(self.cells) + 1):
            what = part_text(puzzle, part)
            variables[str(variable)] = {"auxiliary": role, "part": what}
        sums = self.encoded.sums if self.holds_clauses else []
        if self.format in _UNWEIGHTED:
            sums = self.unweighted[1].sums
        trusted = puzzle.flags if self.flags == "trust" else ()
        return {
            "schema": BOARD_MAP,
            "rows": puzzle.rows,
            "columns": puzzle.columns,
            "mines": puzzle.mines,
            "rules": list(puzzle.rules),
            "geometry": puzzle.geometry.name,
            "flags": [json_name(puzzle.geometry.cells[cell]) for cell in sorted(trusted)],
            "variables": variables,
            "auxiliaries": [
                {
                    "first": each.first,
                    "last": each.last,
                    "part": part_text(puzzle, each.part),
                    "encoding": each.encoding,
                }
                for each in sums
            ],
        }

    def write_map(self, stream: IO[bytes]) -> None:
        """Write the name map as one line of JSON."""
        write_json(self.as_json(), stream)


def json_name(cell: Hashable) -> Any:
    """Return the name of a cell as JSON has it: a list of coordinates, a number or a text."""
    if isinstance(cell, tuple):
        return list(cell)
    return cell if isinstance(cell, int | str) else str(cell)


def _ascii(text: str) -> str:
    # Line breaks as well: a comment is one line.
    return text.encode("unicode_escape").decode("ascii")
