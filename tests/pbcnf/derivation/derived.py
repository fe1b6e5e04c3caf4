"""What a derivation must achieve, stated without it: formulas as text, and models."""

from __future__ import annotations

import io
from typing import Any, NamedTuple

from pbcnf import Cardinality, Formula, dimacs, encode
from pbcnf.constraints.normal_form import normal_form, settle
from pbcnf.derivation import MEANINGS, BoundIds, Derivation, derive_constraint, write_proof
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import derive_sum
from pbcnf.encoders.table import find_encoder
from pbcnf.literals import Clause
from pbcnf.proof.cutting_planes.encodings import check_encoding
from tests.oracles import assignments, true_literals, weighted_sum


def opb(constraint: Cardinality, inputs: int) -> bytes:
    """The constraint as it is written by hand: two rows over possibly negated variables."""
    row = " ".join(f"+1 {'~' * (lit < 0)}x{abs(lit)}" for lit in constraint.lits)
    head = f"* #variable= {inputs} #constraint= 2"
    return f"{head}\n{row} >= {constraint.lower} ;\n{row} <= {constraint.upper} ;\n".encode()


def emitted(constraint: Cardinality, encoder: str, inputs: int) -> list[list[int]]:
    formula = Formula(num_vars=inputs)
    encode(constraint, formula, encoder)
    return list(formula.clauses())


def derived(constraint: Cardinality, encoder: str, inputs: int) -> tuple[Derivation, list[int]]:
    state = DerivationState(Derivation(formula=2))
    _, numbers = derive_constraint(constraint, encoder, BoundIds(1, 2), state, inputs + 1)
    return state.derivation, numbers


def written(derivation: Derivation, version: str = "3.0") -> bytes:
    stream = io.BytesIO()
    write_proof(derivation, stream, version)
    return stream.getvalue()


def intended_models(constraint: Cardinality, encoder: str, inputs: int) -> list[set[int]]:
    """The assignments that satisfy the constraint, auxiliaries as they are meant."""
    lits, lower, upper = normal_form(constraint)
    meanings: Any = {}
    if settle(len(lits), lower, upper) is None:
        meanings = MEANINGS[encoder](lits, lower, upper, inputs + 1)
    models = []
    for bits in assignments(inputs):
        model = true_literals(bits)
        if constraint.holds(model):
            model |= {
                var if weighted_sum(of, bits) >= least else -var
                for var, (least, of) in meanings.items()
            }
            models.append(model)
    return models


class SumCase(NamedTuple):
    """``lower <= weighted sum of the inputs 1, 2, ... <= upper`` for an encoder or its name."""

    encoder: Any
    weights: list[int]
    lower: int
    upper: int

    def encoded(self) -> Formula:
        """The clauses."""
        size, ends = len(self.weights), (self.lower, self.upper)
        formula = Formula(num_vars=size)
        inputs, encoder = [*range(1, size + 1)], self._encoder()
        if max(self.weights) == 1:
            encoder.encode(inputs, *ends, formula)
        else:
            encoder.encode_weighted(inputs, self.weights, *ends, formula)
        return formula

    def _encoder(self) -> Any:
        return find_encoder(self.encoder) if isinstance(self.encoder, str) else self.encoder

    def _rows(self) -> list[tuple[list[tuple[int, int]], int]]:
        """Both bounds: weights and literals, and the degree."""
        terms = [(weight, lit) for lit, weight in enumerate(self.weights, start=1)]
        negated = [(weight, -lit) for weight, lit in terms]
        return [(terms, self.lower), (negated, sum(self.weights) - self.upper)]

    def given(self, clauses: list[Clause], last_var: int) -> tuple[EncodedSum, DerivationState]:
        """The sum with its clauses, and a state that has its bounds."""
        state = DerivationState(Derivation(formula=2))
        state.last_var = last_var
        for number, row in enumerate(self._rows(), start=1):
            state.declare(number, *row)
        _, weights, lower, upper = self
        numbers = (1 if lower > 0 else None), (2 if upper < sum(weights) else None)
        lits, first = tuple(range(1, len(weights) + 1)), len(weights) + 1
        of = (self._encoder(), lits, tuple(weights), lower, upper, *numbers, first, clauses)
        return EncodedSum(*of), state

    def proved(self, formula: Formula) -> tuple[bytes, bytes]:
        """The two bounds as text, and the proof that leaves these clauses."""
        of, state = self.given([*formula.clauses()], formula.num_vars)
        kept = set(derive_sum(of, state))
        state.delete(number for number in [*state.rows] if number > 2 and number not in kept)
        text = ""
        for terms, least in self._rows():
            row = " ".join(f"{weight:+d} {'~' * (lit < 0)}x{abs(lit)}" for weight, lit in terms)
            text += f"{row} >= {least} ;\n"
        return text.encode(), written(state.derivation)

    def require_derived(self) -> None:
        formula = self.encoded()
        problem, proof = self.proved(formula)
        checked = check_encoding(problem, dimacs(formula).encode(), proof)
        assert checked.clauses == formula.num_clauses
