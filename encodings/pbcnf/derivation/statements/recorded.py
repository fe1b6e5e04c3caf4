"""A builder encoded into rows, with what each row came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pbcnf.constraints.constraint import Cardinality, Constraint, Linear, Parity
from pbcnf.constraints.normal_form import parity_normal_form
from pbcnf.emission.encode import encode
from pbcnf.errors import EncodingError
from pbcnf.formula import Formula
from pbcnf.language.builder import Builder
from pbcnf.language.circuit import Gate, Ref
from pbcnf.language.encoding import Encoding
from pbcnf.language.output import ProblemOutput
from pbcnf.language.transformation import Polarity, Transformation, Transformer
from pbcnf.literals import Lit, Var

MOST_ODD = 4
"""The most literals of a parity whose clauses are derived."""


class Required(NamedTuple):
    """An asserted gate, and the asserting rows."""

    ref: Ref
    rows: range


class DefinedGate(NamedTuple):
    """A gate whose literal is defined, in these directions, by rows."""

    ref: Ref
    lit: Lit
    polarity: Polarity
    rows: range


class StatedClause(NamedTuple):
    """A clause of Booleans that was stated."""

    rows: range


Event = Required | DefinedGate | StatedClause


@dataclass
class RecordedOutput(ProblemOutput):
    """Rows, and events that say where they come from."""

    events: list[Event] = field(default_factory=list)
    parities: dict[Var, tuple[list[Var], int]] = field(default_factory=dict)
    """A variable that is a parity -> of which variables, and the rows that were there before."""

    def add(self, constraint: Constraint, when: Lit | None = None) -> None:
        """Add the constraint; a parity becomes clauses, as its encoder's are."""
        if isinstance(constraint, Parity):
            if when is not None:
                variables, _ = parity_normal_form(constraint)
                self.parities[self.num_vars + 1] = variables, len(self.constraints)
            before = len(self.constraints)
            super().add(constraint, when)
            for at in range(before, len(self.constraints)):
                one = self.constraints[at]
                if isinstance(one, Parity):
                    self.constraints[at : at + 1] = clauses_of(one, self.num_vars)
        else:
            super().add(constraint, when)

    def linear(self) -> list[Linear]:
        """Return the rows."""
        return [one for one in self.constraints if not isinstance(one, Parity)]


def clauses_of(parity: Parity, num_vars: int) -> list[Constraint]:
    """Return a parity as rows that are the clauses of its encoder."""
    if len(parity.lits) > MOST_ODD:
        raise EncodingError(f"a parity of {len(parity.lits)} literals has no derivation yet")
    formula = Formula(num_vars)
    encode(parity, formula)
    return [Cardinality(clause, lower=1) for clause in formula]


class RecordedEncoding(Encoding):
    """Statements encoded into rows that remember where they come from."""

    def __init__(self, builder: Builder, output: RecordedOutput) -> None:
        """Encode a builder as `Builder.problem` does."""
        self.rows = output
        objective = builder.objective
        super().__init__(
            output,
            builder.names,
            builder.integer_variables(),
            builder.statements,
            None if objective is None else objective[0],
            Transformation.PLAISTED_GREENBAUM,
            RecordedTransformer,
        )
        self.circuit, self.lowering, self.transformer = (
            self._circuit,
            self._lowering,
            self._transformer,
        )
        self.is_clause: Sequence[bool] = [
            self._clause(each) is not None for each in builder.statements
        ]
        self.gate_literals = self.transformer._lits
        if objective is not None:
            self.linear_form(objective[0])

    def _add_clause(self, clause: dict[Lit, None]) -> None:
        before = len(self.rows.constraints)
        super()._add_clause(clause)
        self.rows.events.append(StatedClause(range(before, len(self.rows.constraints))))


class RecordedTransformer(Transformer):
    """A transformer that records every gate and the emitted rows."""

    _output: RecordedOutput

    def _require(self, ref: Ref, gate: Gate) -> None:
        before = len(self._output.constraints)
        super()._require(ref, gate)
        self._output.events.append(Required(ref, range(before, len(self._output.constraints))))

    def _define(self, ref: Ref, lit: Lit, polarity: Polarity) -> None:
        before = len(self._output.constraints)
        super()._define(ref, lit, polarity)
        rows = range(before, len(self._output.constraints))
        self._output.events.append(DefinedGate(ref, lit, polarity, rows))
