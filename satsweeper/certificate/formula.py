"""The clauses that a certificate refutes, each with its derivation from what the board says.

The clues and the total stand in an OPB problem, an equality each. All clauses follow from it: those
of the clues; cells that single clues decide, as units; and the total over the other cells, bounded
on both sides. The total is taken in only where a verdict needs it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pbcnf.constraints.constraint import Cardinality
from pbcnf.derivation import MEANINGS, Derivation, Given, derive, derive_range
from pbcnf.derivation.steps import Propagated, Sum
from pbcnf.encoders.table import find_encoder
from satsweeper.certificate.patterns import pattern, proof_text, steps_text
from satsweeper.certificate.statement import Statement
from satsweeper.solvers.sum_range import refuse_if_huge

ENCODINGS: Final = tuple(MEANINGS)
"""The encodings whose clauses can be derived."""

_MOST_OF_TOTAL: Final = 4_000_000
"""Clauses; two million took 26 s and 1.4 GiB to derive."""


@dataclass(frozen=True)
class CertifiedFormula:
    """Clauses, and their derivation from the constraints of the board.

    ``clauses``: in the order they were derived, ``of_clues`` of them those of the clues; ``lines``:
    the same in DIMACS; ``variables``: the largest; ``derivation``: a proof in VeriPB's format;
    ``auxiliaries``: as in a name map.
    """

    clauses: list[list[int]] = field(repr=False)
    lines: str = field(repr=False)
    of_clues: int
    variables: int
    derivation: bytes = field(repr=False)
    auxiliaries: list[dict[str, Any]]


class _Builder:
    """Adds clauses to a formula together with the steps that derive them."""

    def __init__(self, said: Statement) -> None:
        self.said = said
        self.given = 2 * (len(said.sums) + (said.total is not None))
        """Constraints of the problem, an equality counted twice."""
        self.derivation = Derivation(self.given)
        """What comes behind the clues."""
        self.clue_steps: list[str] = []
        self.clue_lines: list[str] = []
        self.clauses: list[list[int]] = []
        self.variables = said.cells
        self.auxiliaries: list[dict[str, Any]] = []

    def add_clues(self, encoding: str, only: Container[int] | None) -> None:
        """Every clue, or those with these indices."""
        before, taken = self.variables, self.given
        for number, (cells, mines) in enumerate(self.said.sums):
            if only is not None and number not in only:
                continue
            copied = pattern(encoding, len(cells), mines)
            last = self.variables + copied.auxiliaries
            variables = (*cells, *range(self.variables + 1, last + 1))
            self.clauses += copied.clauses_of(variables)
            self.clue_lines.append(copied.lines_of(variables))
            self.clue_steps.append(copied.steps_of(variables, 2 * number + 1, taken))
            self.variables = last
            taken += copied.added
        self.derivation = Derivation(taken)
        self._name_auxiliaries(before, "clue", encoding)

    def add_units(self) -> dict[int, tuple[bool, int]]:
        """Cells that single clues decide in turn: cell -> is it a mine, the number of its unit."""
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
                bound = 2 * number + 2 if need == 0 else 2 * number + 1
                known = [units[cell][1] for cell in cells if cell in units]
                for cell in left:
                    literal = cell if need else -cell
                    step = Propagated((literal,), (*known, bound))
                    units[cell] = (need > 0, self.derivation.add(step))
                    self.clauses.append([literal])
                    touched |= dict.fromkeys(clues_of[cell])
            waiting = touched
        return units

    def add_total(self, encoding: str, whole: bool) -> None:
        """The total over the cells that single clues leave open, next to clues or (whole) all."""
        assert self.said.total is not None
        units = self.add_units()
        mined = {cell: number for cell, (mine, number) in units.items() if mine}
        safe = {cell: number for cell, (mine, number) in units.items() if not mine}
        touched = self.said.touched()
        open_cells = [cell for cell in range(1, self.said.cells + 1) if cell not in units]
        counted = [cell for cell in open_cells if whole or cell in touched]
        left = self.said.total - len(mined)
        number = self.given - 1
        given = Given(
            self.derivation.add(Sum((number, *safe.values()), tuple(mined))),
            self.derivation.add(Sum((number + 1, *mined.values()), tuple(safe))),
        )
        every = Cardinality(open_cells, left, left)
        bounds, given = derive_range(every, counted, given, self.derivation)
        encoder = find_encoder(encoding)
        refuse_if_huge(encoder, len(counted), bounds.lower, bounds.upper, _MOST_OF_TOTAL)
        before = self.variables
        for number in derive(bounds, encoding, given, self.derivation, before + 1):
            step = self.derivation.steps[number - self.derivation.formula - 1]
            assert isinstance(step, Propagated)
            self.clauses.append(list(step.clause))
            self.variables = max([self.variables, *map(abs, step.clause)])
        self._name_auxiliaries(before, "total", encoding)

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
    """The clauses of what a board says, with their derivations.

    Args:
        said: of its OPB problem, constraint 2i + 1 is the lower bound of sum i, 2i + 2 the upper.
        encoding: of the clues, one of ENCODINGS.
        total_encoding: of the total; None leaves it out.
        whole: count the interior with the total, since a verdict there depends on it.
        only: the indices of the sums to be encoded; None for all.

    Raises:
        ValueError: an encoding whose clauses cannot be derived, or that would be too large.
    """
    refuse_underivable(filter(None, (encoding, total_encoding)))
    builder = _Builder(said)
    builder.add_clues(encoding, only)
    of_clues = len(builder.clauses)
    if total_encoding is not None:
        builder.add_total(total_encoding, whole)
    clauses = builder.clauses
    rest = steps_text(builder.derivation) if builder.derivation.steps else ""
    return CertifiedFormula(
        clauses,
        "".join([*builder.clue_lines, *map(dimacs_line, clauses[of_clues:])]),
        of_clues,
        builder.variables,
        proof_text(builder.given, "".join([*builder.clue_steps, rest])),
        builder.auxiliaries,
    )


def clue_clauses(said: Statement, encoding: str) -> tuple[list[list[int]], int]:
    """The clauses of the clues alone, without derivations, and the largest variable."""
    clauses: list[list[int]] = []
    last = said.cells
    for cells, mines in said.sums:
        copied = pattern(encoding, len(cells), mines)
        clauses += copied.clauses_of((*cells, *range(last + 1, last + copied.auxiliaries + 1)))
        last += copied.auxiliaries
    return clauses, last


def dimacs_line(clause: Sequence[int]) -> str:
    """A clause in DIMACS, on a line."""
    return " ".join(map(str, [*clause, 0])) + "\n"


def refuse_underivable(encodings: Iterable[str]) -> None:
    """Raise ValueError for an encoding that is unknown or whose clauses cannot be derived."""
    for name in encodings:
        find_encoder(name)
        if name not in ENCODINGS:
            known = ", ".join(ENCODINGS)
            raise ValueError(f"encoding {name!r} cannot be certified, only {known}")


def some_verdict_wrong(literals: Sequence[int]) -> list[int]:
    """The clause that says so, of the literals that the certain verdicts make true."""
    return [-literal for literal in literals]
