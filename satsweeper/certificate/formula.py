"""The clauses of a certificate, each with its derivation from the equations of the board.

The clues and the total stand in an OPB problem, an equality each. All clauses follow from it: those
of the clues; cells that single clues decide, as units; and the total over the other cells, bounded
on both sides. The total is encoded only if a verdict needs it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Self

from pbcnf.constraints.constraint import Cardinality
from pbcnf.derivation import (
    DERIVABLE,
    MEANINGS,
    BoundIds,
    Derivation,
    DerivationState,
    derive_constraint,
    whole_proof,
)
from pbcnf.derivation.derivation_state import Combined, Propagated
from pbcnf.encoders.table import find_encoder
from satsweeper.certificate.patterns import DerivationBlock, PatternCopy, StepBlock, pattern
from satsweeper.clues import BoardConstraints, ClueSum
from satsweeper.solvers.sum_range import refuse_if_huge

# The equations of a position: exactly k of these cells are mines, for clues and the total.


@dataclass(frozen=True)
class Statement:
    """Equations "exactly k of these cells are mines": some clues, and perhaps the total.

    Variables 1 .. ``cells`` are the covered cells row by row. ``sums``: the variables of a clue and
    how many of them are mines, less the trusted flags; ``total``: of all variables, or None.
    """

    cells: int
    sums: tuple[tuple[tuple[int, ...], int], ...] = field(repr=False)
    total: int | None

    @classmethod
    def of(cls, cells: int, said: Iterable[ClueSum]) -> Self:
        """Return the statement of some clues, and the total if it is among `said`."""
        sums = [*said]
        total = next((one.mines for one in sums if one.clue is None), None)
        return cls(cells, tuple((s.variables, s.mines) for s in sums if s.clue is not None), total)

    @classmethod
    def of_board(cls, board: BoardConstraints) -> Self:
        """Return the statement of all clues of a board, and its total if that is known."""
        sums = [
            (tuple(variables), group.mines)
            for group in board.groups
            for variables in group.inputs.tolist()
        ]
        return cls(len(board.cells), tuple(sums), board.total)

    def without(self, verdicts: Mapping[int, bool]) -> Self:
        """Return the equations of the other cells, given the `verdicts` of some.

        The total, and clues that say nothing any more, are left out.
        """
        sums = []
        for variables, mines in self.sums:
            left = tuple([v for v in variables if v not in verdicts])
            need = mines - sum([verdicts.get(v, False) for v in variables])
            if left or need:
                sums.append((left, need))
        return type(self)(self.cells, tuple(sums), None)

    def opb(self, claim: Sequence[int] | None = None) -> bytes:
        """Return an OPB problem: an equality each, the total last, then the clause `claim`."""
        count, largest, body = self._equalities
        last = ""
        if claim is not None:
            # Without "~", which not all readers of OPB know.
            terms = "".join([f"+1 x{lit} " if lit > 0 else f"-1 x{-lit} " for lit in claim])
            last = f"{terms}>= {1 - sum([lit < 0 for lit in claim])} ;\n"
        largest = max(largest, 2 * len(claim or ()))
        lines = count + (claim is not None)
        head = f"* #variable= {self.cells} #constraint= {lines} #equal= {count}"
        head = f"{head} intsize= {largest.bit_length()}\n"
        return b"%b%b%b" % (head.encode("ascii"), body, last.encode("ascii"))

    @cached_property
    def _equalities(self) -> tuple[int, int, bytes]:
        """The number of equalities, the largest sum of left and right side, and the text."""
        sums = [*self.sums]
        if self.total is not None:
            sums.append((tuple(range(1, self.cells + 1)), self.total))
        # As ``write_opb`` writes them, but in a fraction of its time: nothing here is resolved.
        empty = "+0 x1 " if self.cells else ""
        names = ["", *[f"+1 x{v} " for v in range(1, self.cells + 1)]]
        lines = [
            f"{''.join([names[v] for v in variables]) or empty}= {mines} ;\n"
            for variables, mines in sums
        ]
        largest = max([len(variables) + abs(mines) for variables, mines in sums], default=0)
        return len(sums), largest, "".join(lines).encode("ascii")

    def touched(self) -> set[int]:
        """The variables that a clue counts."""
        return {variable for variables, _ in self.sums for variable in variables}


ENCODINGS: Final = DERIVABLE
"""The encodings of clues that can be certified: all whose clauses can be derived."""

TOTAL_ENCODINGS: Final = tuple(MEANINGS)
"""The encodings of the total that can be certified: each auxiliary variable counts cells.

Auxiliary variables of other encodings count auxiliary variables. The clauses of these encodings can
be derived as well; but over more cells than a clue has, the second opinion of the checker has to
know which cells a variable counts.
"""

_MOST_OF_TOTAL: Final = 4_000_000
"""Clauses; two million took 26 s and 1.4 GiB to derive."""


class CertifiedFormula:
    """Clauses, and their derivation from the constraints of the board.

    ``clauses``: in the order they were derived; ``numbers``: of the constraints that say them;
    ``variables``: the largest; ``given``: how many constraints the board is, an equality counted
    twice; ``auxiliaries``: as in a name map.
    """

    def __init__(self, said: Statement) -> None:
        self.said = said
        self.given = 2 * (len(said.sums) + (said.total is not None))
        self.clauses: list[list[int]] = []
        self.numbers: list[int] = []
        self.variables = said.cells
        self.auxiliaries: list[dict[str, Any]] = []
        self._copies: list[PatternCopy] = []
        self._clue_lines: list[str] = []
        self._of_clues = 0
        """The number of clauses of the clues, which ``_clue_lines`` has in DIMACS."""
        self._steps = Derivation(self.given)
        """The steps of units and of the total, which follow the copies."""

    @cached_property
    def lines(self) -> str:
        """The clauses in DIMACS."""
        return "".join([*self._clue_lines, *map(dimacs_line, self.clauses[self._of_clues :])])

    def derivation(self) -> bytes:
        """Return the derivation as a proof in VeriPB's format."""
        steps = (block.text() for block in self.blocks)
        return "".join(whole_proof(self.given, steps)).encode("ascii")

    def add_clues(self, encoding: str, only: Container[int] | None) -> None:
        """Add the clauses of every clue, or of the clues with the indices ``only``."""
        before, taken = self.variables, self.given
        for number, (cells, mines) in enumerate(self.said.sums):
            if only is not None and number not in only:
                continue
            shape = pattern(encoding, len(cells), mines)
            last = self.variables + shape.auxiliaries
            variables = (*cells, *range(self.variables + 1, last + 1))
            copy = PatternCopy(shape, variables, 2 * number + 1, taken + 1)
            self._copies.append(copy)
            self.clauses += shape.clauses_of(variables)
            self.numbers += map(copy.moved, shape.clause_numbers)
            self._clue_lines.append(shape.lines.filled((0, *variables)))
            self.variables = last
            taken += copy.size
        self._of_clues = len(self.clauses)
        self._steps = Derivation(taken)
        self._name_auxiliaries(before, "clue", encoding)

    def add_units(self) -> dict[int, tuple[bool, int]]:
        """Decide cells by single clues until none decides more.

        Returns cell -> (is a mine, number of the unit clause).
        """
        units: dict[int, tuple[bool, int]] = {}
        clues_of: dict[int, list[int]] = {}
        for number, (cells, _) in enumerate(self.said.sums):
            for cell in cells:
                clues_of.setdefault(cell, []).append(number)
        waiting = dict.fromkeys(range(len(self.said.sums)))
        while waiting:
            touched: dict[int, None] = {}
            for number in waiting:
                cells, mines = self.said.sums[number]
                left = [cell for cell in cells if cell not in units]
                need = mines - sum(units[cell][0] for cell in cells if cell in units)
                if not left or need not in (0, len(left)):
                    continue
                # No mine left to place: "at most" makes the rest safe; as many as cells: "at least"
                # makes the rest mines.
                bound = 2 * number + 2 if need == 0 else 2 * number + 1
                known = [units[cell][1] for cell in cells if cell in units]
                for cell in left:
                    literal = cell if need else -cell
                    step = Propagated((literal,), (*known, bound))
                    unit = self._steps.add(step)
                    units[cell] = (need > 0, unit)
                    self.clauses.append([literal])
                    self.numbers.append(unit)
                    touched |= dict.fromkeys(clues_of[cell])
            waiting = touched
        return units

    def add_total(self, encoding: str, whole: bool) -> None:
        """Add the total over the cells that single clues leave open: near clues, or all (whole)."""
        assert self.said.total is not None
        units = self.add_units()
        mined = {cell: number for cell, (mine, number) in units.items() if mine}
        safe = {cell: number for cell, (mine, number) in units.items() if not mine}
        touched = self.said.touched()
        open_cells = [cell for cell in range(1, self.said.cells + 1) if cell not in units]
        counted = [cell for cell in open_cells if whole or cell in touched]
        left = self.said.total - len(mined)
        others = [cell for cell in open_cells if not whole and cell not in touched]
        bounds = Cardinality(counted, left - len(others), left)
        lower, upper = self.given - 1, self.given
        # A decided cell leaves the total by its unit, or, where that would count it for the other
        # side, as the cells do that are not counted: by the axiom that its literal is not negative.
        given = BoundIds(
            self._combined(lower, safe.values(), [-cell for cell in (*mined, *others)])
            if bounds.lower > 0
            else None,
            self._combined(upper, mined.values(), [*safe, *others])
            if bounds.upper < len(counted)
            else None,
        )
        encoder = find_encoder(encoding)
        refuse_if_huge(encoder, len(counted), bounds.lower, bounds.upper, _MOST_OF_TOTAL)
        before = self.variables
        state = DerivationState(self._steps)
        clauses, numbers = derive_constraint(bounds, encoding, given, state, before + 1)
        self.clauses += clauses
        self.numbers += numbers
        self.variables = max([before, *(abs(lit) for clause in clauses for lit in clause)])
        self._name_auxiliaries(before, "total", encoding)

    def _combined(self, bound: int, units: Iterable[int], axioms: Sequence[int]) -> int:
        """Add units and axioms to a bound of the total; return the number of the sum."""
        parts = ((bound, 1), *((unit, 1) for unit in units))
        if len(parts) == 1 and not axioms:
            return bound
        return self._steps.add(Combined(parts, tuple([(literal, 1) for literal in axioms])))

    @cached_property
    def blocks(self) -> list[StepBlock]:
        """The steps; variables of derivations alone are numbered after all clauses'."""
        own = self.variables + 1
        for copy in self._copies:
            copy.first_own = own
            own += copy.own_variables
        rest = [DerivationBlock(self._steps, self.given)] if self._steps.steps else []
        return [*self._copies, *rest]

    def _name_auxiliaries(self, before: int, role: str, encoding: str) -> None:
        if self.variables > before:
            named = {"first": before + 1, "last": self.variables}
            self.auxiliaries.append(named | {"role": role, "encoding": encoding})


def certified_formula(
    said: Statement,
    *,
    encoding: str,
    total_encoding: str | None = None,
    whole: bool = False,
    only: Container[int] | None = None,
) -> CertifiedFormula:
    """Return the clauses of a statement with their derivations.

    Args:
        said: the equations; in their OPB problem constraint 2i + 1 is the lower bound of sum i, and
            2i + 2 the upper bound.
        encoding: of the clues, one of ENCODINGS.
        total_encoding: of the total; None leaves it out.
        whole: count the interior with the total, since a verdict there depends on it.
        only: the indices of the sums to be encoded; None for all.

    Raises:
        ValueError: an encoding whose clauses cannot be derived, or that would be too large.
    """
    refuse_underivable(encoding, total_encoding)
    formula = CertifiedFormula(said)
    formula.add_clues(encoding, only)
    if total_encoding is not None:
        formula.add_total(total_encoding, whole)
    return formula


def clue_clauses(said: Statement, encoding: str) -> tuple[list[list[int]], int]:
    """Return the clauses of the clues alone, without derivations, and the largest variable."""
    clauses: list[list[int]] = []
    last = said.cells
    for cells, mines in said.sums:
        copied = pattern(encoding, len(cells), mines)
        clauses += copied.clauses_of((*cells, *range(last + 1, last + copied.auxiliaries + 1)))
        last += copied.auxiliaries
    return clauses, last


def dimacs_line(clause: Sequence[int]) -> str:
    """Return a clause as a line of DIMACS."""
    return " ".join(map(str, [*clause, 0])) + "\n"


def refuse_underivable(encoding: str, total_encoding: str | None) -> None:
    """Raise ValueError for an encoding that is unknown or that cannot be certified."""
    for what, name, derivable in (
        ("encoding", encoding, ENCODINGS),
        ("total encoding", total_encoding, TOTAL_ENCODINGS),
    ):
        if name is not None:
            find_encoder(name)
            if name not in derivable:
                known = ", ".join(derivable)
                raise ValueError(f"{what} {name!r} cannot be certified, only {known}")
