"""Series of instances, and an instance as submitted: constraints, their formula, the name map.

The argument for a family of consistent boards may prove the verdicts of certain cells. If one of
these cells is held to the opposite verdict, the board has no layout: a *question*, as hard as the
proof of the verdict.
"""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

import numpy as np

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import Choices, Encoded, encode_problem, suited
from pbcnf.formula import Formula
from satsweeper.board.codes import Cell
from satsweeper.board.errors import DefectError, LimitError
from satsweeper.export.competition import compacted
from satsweeper.export.formula import BoardProblem
from satsweeper.export.name_map import PROBLEM_MAP, auxiliary_ranges, renumbered
from satsweeper.families.table import FAMILIES, Family
from satsweeper.position import Position

TRACKS: Final = ("sat", "pb", "counting")
"""SAT Competition (clauses), Pseudo-Boolean Competition (sums), model counting."""


@dataclass(frozen=True, slots=True)
class Series:
    """The instances of a family; if ``asked``, its questions about certain cells."""

    family: Family
    asked: bool = False

    @property
    def name(self) -> str:
        """The name of the family, with ``_asked`` for a question about a cell."""
        return f"{self.family.name}_asked" if self.asked else self.family.name

    @property
    def satisfiable(self) -> bool:
        """The expected answer, for every size and seed."""
        return self.family.satisfiable and not self.asked

    @property
    def seeded(self) -> bool:
        """Whether seeds give different instances; a question draws its cell."""
        return self.family.seeded or self.asked

    @property
    def why(self) -> str:
        """The argument for the expected answer."""
        if self.asked:
            return f"a cell has the verdict that it cannot have: {self.family.why}"
        return self.family.why

    def question(self, size: int, seed: int) -> tuple[Cell, bool] | None:
        """The cell that is held to a verdict, and whether as a mine; None without a question."""
        if not self.asked:
            return None
        certain = self.family.certain(size, seed)
        cell = Random(f"asked {self.family.name} {size} {seed}").choice(sorted(certain))
        return cell, not certain[cell]


def series_of(track: str) -> dict[str, Series]:
    """Every series of decisions of a track by its name.

    Those for counting are families of consistent boards without a total: variables of a total's
    encoding would be counted, too.
    """
    plain = [Series(family) for family in FAMILIES.values() if family.goal == "decide"]
    if track == "counting":
        boards = [each for each in plain if each.satisfiable and each.family.of == "board"]
        found = [each for each in boards if not has_total(each.family)]
    else:
        asked = [each for each in plain if each.family.certain(each.family.small[-1], 0)]
        found = plain + [Series(each.family, asked=True) for each in asked]
    return {each.name: each for each in found}


def has_total(family: Family) -> bool:
    """Whether the instances are boards that state the number of mines."""
    made = family.instance(family.small[0])
    return isinstance(made, Position) and made.mines is not None


MOST_CELLS: Final = 100_000
MOST_CLAUSES: Final = 500_000
"""The most clauses of an instance: larger instances measure reading rather than search."""


class TooLargeError(LimitError):
    """An instance beyond ``MOST_CELLS`` or ``MOST_CLAUSES``."""


@dataclass(frozen=True, eq=False)
class EntryInstance:
    """Constraints without free variables, and their clauses without repetitions.

    Variables 1 .. ``problem.num_vars`` of the formula are the variables of the constraints;
    ``encoded``: the auxiliary variables of each constraint. ``position``: the board, None for other
    problems. ``free``: the number of covered cells of the board that no clue counts.
    """

    problem: Problem = field(repr=False)
    formula: Formula = field(repr=False)
    encoded: tuple[Encoded, ...] = field(repr=False)
    names: dict[str, Any] = field(repr=False)
    position: Position | None
    free: int = 0

    def name_map(self, *, clauses: bool = True) -> dict[str, Any]:
        """Return the name map of variables, as ``decode`` reads it.

        Args:
            clauses: whether the map names the auxiliary variables of the clauses, too.
        """
        return {**self.names, "auxiliaries": auxiliary_ranges(self.encoded if clauses else ())}


def instance_of(series: Series, size: int, seed: int) -> EntryInstance:
    """The instance of this size and seed.

    Raises:
        ValueError: the family has no instance of this size.
        TooLargeError: the instance is larger than an entry should be.
    """
    problem, names, position = stated(series, size, seed)
    # The formula of a board is the formula that `satsweeper export` writes, but for a total: its
    # direct encoding would be too large.
    direct = position is not None and position.mines is None
    clauses = _clauses(problem, Choices(**suited("direct")) if direct else Choices())
    return EntryInstance(problem, *clauses, names, position, len(names.get("free", ())))


def stated(series: Series, size: int, seed: int) -> tuple[Problem, dict[str, Any], Position | None]:
    """Return the constraints of an instance without free variables, their name map, the board.

    Raises:
        ValueError: the family has no instance of this size.
        TooLargeError: the board is larger than an entry should have.
    """
    made = series.family.instance(size, seed)
    if not isinstance(made, Position):
        names = {str(var): made.names.get(var, f"x{var}") for var in range(1, made.num_vars + 1)}
        return made, {"schema": PROBLEM_MAP, "variables": names}, None
    export = BoardProblem.of(made)
    board = export.board
    if len(board.cells) > MOST_CELLS:
        raise TooLargeError
    whole = export.problem
    constraints = list(whole.constraints)
    question = series.question(size, seed)
    if question is not None:
        cell, mine = question
        constraints.append(Cardinality([board.cell_list().index(cell) + 1], int(mine), int(mine)))
    # Cells that no clue counts are left out, and the other cells are numbered without gaps.
    used = sorted({lit for each in constraints for lit in each.lits})
    new = {old: number for number, old in enumerate(used, start=1)}
    kept = [replace(each, lits=tuple(new[lit] for lit in each.lits)) for each in constraints]
    problem = Problem(
        len(used), tuple(kept), {new[old]: whole.names[old] for old in used}, whole.objective
    )
    return problem, renumbered(export.as_json(), new), made


def _clauses(problem: Problem, choices: Choices) -> tuple[Formula, tuple[Encoded, ...]]:
    formula = Formula(problem.num_vars)
    encoded = []
    for done in encode_problem(problem.constraints, formula, choices):
        encoded.append(done)
        if formula.num_clauses > MOST_CLAUSES:
            raise TooLargeError
    once, old = compacted(formula)
    if not np.array_equal(old, np.arange(1, formula.num_vars + 1)):
        raise DefectError("a variable of an instance is in no clause")
    return once, tuple(encoded)
