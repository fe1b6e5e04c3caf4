"""The clauses that a certificate refutes, each with its derivation from what the board says.

The clues and the total stand in an OPB problem, an equality each. All clauses follow from it: those
of the clues; cells that single clues decide, as units; and the total over the other cells, bounded
on both sides. The total is taken in only where a verdict needs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pbcnf.constraint import Cardinality
from pbcnf.derivation import MEANINGS, Derivation, Given, derive
from pbcnf.derivation.steps import Propagated, Sum
from pbcnf.encoding import encode
from pbcnf.formula import Formula
from pbcnf.registry import find_encoder
from satsweeper.certificate.patterns import lookup_of, pattern
from satsweeper.certificate.statement import Statement
from satsweeper.sum_range import refuse_if_huge

ENCODINGS: Final = tuple(MEANINGS)
"""The encodings whose clauses can be derived."""


@dataclass(frozen=True)
class CertifiedFormula:
    """Clauses, and their derivation from the constraints of the board.

    ``clauses``: in the order they were derived, ``of_clues`` of them those of the clues;
    ``variables``: the largest; ``auxiliaries``: as in a name map.
    """

    clauses: list[list[int]] = field(repr=False)
    of_clues: int
    variables: int
    derivation: Derivation = field(repr=False)
    auxiliaries: list[dict[str, Any]]


class _Builder:
    """Adds clauses to a formula together with the steps that derive them."""

    def __init__(self, said: Statement) -> None:
        self.said = said
        equalities = len(said.sums) + (said.total is not None)
        self.derivation = Derivation(formula=2 * equalities)
        self.clauses: list[list[int]] = []
        self.variables = said.cells
        self.auxiliaries: list[dict[str, Any]] = []

    def add_clues(self, encoding: str) -> None:
        """Every clue."""
        before = self.variables
        for number, (cells, mines) in enumerate(self.said.sums):
            copied = pattern(encoding, len(cells), mines)
            lookup = lookup_of(cells, self.variables + 1, copied.auxiliaries)
            steps = self.derivation.steps
            taken = self.derivation.formula + len(steps)
            steps += copied.steps_of(lookup, 2 * number + 1, taken)
            self.clauses += copied.clauses_of(lookup)
            self.variables += copied.auxiliaries
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
            number = next(iter(waiting))
            del waiting[number]
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
                waiting |= dict.fromkeys(clues_of[cell])
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
        left_out = tuple(cell for cell in open_cells if not (whole or cell in touched))
        upper = self.said.total - len(mined)
        bounds = Cardinality(counted, upper - len(left_out), upper)
        refuse_if_huge(find_encoder(encoding), len(counted), bounds.lower, bounds.upper)
        number = self.derivation.formula - 1
        given = Given(
            self.derivation.add(Sum((number, *safe.values()), (*mined, *left_out))),
            self.derivation.add(Sum((number + 1, *mined.values()), (*safe, *left_out))),
        )
        derive(bounds, encoding, given, self.derivation, self.variables + 1)
        formula = Formula(num_vars=self.variables)
        encode(bounds, formula, encoding)
        self.clauses += formula.clauses()
        before, self.variables = self.variables, formula.num_vars
        self._name_auxiliaries(before, "total", encoding)

    def _name_auxiliaries(self, before: int, role: str, encoding: str) -> None:
        if self.variables > before:
            named = {"first": before + 1, "last": self.variables}
            self.auxiliaries.append(named | {"role": role, "encoding": encoding})


def certified_formula(
    said: Statement, *, encoding: str, total_encoding: str | None, whole: bool
) -> CertifiedFormula:
    """The clauses of what a board says, with their derivations.

    Args:
        said: of its OPB problem, constraint 2i + 1 is the lower bound of sum i, 2i + 2 the upper.
        encoding: of the clues, one of ENCODINGS.
        total_encoding: of the total; None leaves it out.
        whole: count the interior with the total, since a verdict there depends on it.

    Raises:
        ValueError: an encoding whose clauses cannot be derived, or that would be too large.
    """
    refuse_underivable(filter(None, (encoding, total_encoding)))
    builder = _Builder(said)
    builder.add_clues(encoding)
    of_clues = len(builder.clauses)
    if total_encoding is not None:
        builder.add_total(total_encoding, whole)
    return CertifiedFormula(
        builder.clauses, of_clues, builder.variables, builder.derivation, builder.auxiliaries
    )


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
