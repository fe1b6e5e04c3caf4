"""What a derivation must achieve, stated without it: formulas as text, and models."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pytest

from pbcnf import Cardinality, Formula, dimacs, encode
from pbcnf.constraints.normal_form import normal_form, settle
from pbcnf.derivation import MEANINGS, BoundIds, Derivation, derive_constraint, write_proof
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import derive_sum
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import find_encoder
from pbcnf.literals import Clause
from pbcnf.proof.cutting_planes.encodings import check_encoding
from pbcnf.sink import GuardedSink


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
    for bits in range(1 << inputs):
        model = {var if bits >> (var - 1) & 1 else -var for var in range(1, inputs + 1)}
        if constraint.holds(model):
            for var, (least, of) in meanings.items():
                model.add(var if sum(lit in model for lit in of) >= least else -var)
            models.append(model)
    return models


@pytest.fixture(scope="session")
def derivations() -> SimpleNamespace:
    return SimpleNamespace(
        opb=opb,
        emitted=emitted,
        derived=derived,
        written=written,
        intended_models=intended_models,
    )


def encoder_of(name: str | Encoder) -> Any:
    return find_encoder(name) if isinstance(name, str) else name


def encoded(
    name: str | Encoder, weights: list[int], lower: int, upper: int, guarded: bool = False
) -> Formula:
    """The clauses, all with one more literal if they are guarded."""
    size = len(weights)
    formula = Formula(num_vars=size + guarded)
    sink = GuardedSink(formula, -size - 1) if guarded else formula
    inputs = [*range(1, size + 1)]
    if max(weights) == 1:
        encoder_of(name).encode(inputs, lower, upper, sink)
    else:
        encoder_of(name).encode_weighted(inputs, weights, lower, upper, sink)
    return formula


Rows = list[tuple[list[tuple[int, int]], int]]


def rows_of(weights: list[int], lower: int, upper: int, guarded: bool = False) -> Rows:
    """The two bounds of the inputs 1, 2, ...: weights and literals, and the degree."""
    terms = [(weight, lit) for lit, weight in enumerate(weights, start=1)]
    negated = [(weight, -lit) for weight, lit in terms]
    rows = [(terms, lower), (negated, sum(weights) - upper)]
    if guarded:
        return [([*some, (least, -len(terms) - 1)], least) for some, least in rows]
    return rows


def given(
    name: str | Encoder,
    weights: list[int],
    lower: int,
    upper: int,
    clauses: list[Clause],
    last_var: int,
    guarded: bool = False,
) -> tuple[EncodedSum, DerivationState]:
    """The sum with its clauses, and a state that has its bounds."""
    state = DerivationState(Derivation(formula=2))
    state.last_var = last_var
    for number, row in enumerate(rows_of(weights, lower, upper, guarded), start=1):
        state.declare(number, *row)
    numbers = (1 if lower > 0 else None), (2 if upper < sum(weights) else None)
    lits = tuple(range(1, len(weights) + 1))
    first = len(lits) + guarded + 1
    encoder = encoder_of(name)
    return EncodedSum(encoder, lits, tuple(weights), lower, upper, *numbers, first, clauses), state


def proved(
    name: str | Encoder,
    weights: list[int],
    lower: int,
    upper: int,
    formula: Formula,
    guarded: bool = False,
) -> tuple[bytes, bytes]:
    """The two bounds as text, and the proof that leaves these clauses."""
    clauses = [*formula.clauses()]
    of, state = given(name, weights, lower, upper, clauses, formula.num_vars, guarded)
    kept = set(derive_sum(of, state))
    state.delete(number for number in [*state.rows] if number > 2 and number not in kept)
    rows = rows_of(weights, lower, upper, guarded)
    return "".join(text(*row) for row in rows).encode(), written(state.derivation)


def text(terms: list[tuple[int, int]], least: int) -> str:
    row = " ".join(f"{weight:+d} {'~' * (lit < 0)}x{abs(lit)}" for weight, lit in terms)
    return f"{row} >= {least} ;\n"


def require_derived(
    name: str | Encoder, weights: list[int], lower: int, upper: int, guarded: bool = False
) -> None:
    formula = encoded(name, weights, lower, upper, guarded)
    problem, proof = proved(name, weights, lower, upper, formula, guarded)
    assert check_encoding(problem, dimacs(formula).encode(), proof).clauses == formula.num_clauses


@pytest.fixture(scope="session")
def sums() -> SimpleNamespace:
    """Sums of the inputs 1, 2, ..., encoded, with their proof from two rows."""
    return SimpleNamespace(
        encoded=encoded,
        given=given,
        proved=proved,
        require_derived=require_derived,
    )
