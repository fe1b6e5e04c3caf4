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
from pbcnf.encoders.table import find_encoder
from pbcnf.proof.cutting_planes.encodings import ProvedClauses, check_encoding
from pbcnf.proof.format_error import ProofFormatError


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


def encoded(
    name: str, weights: list[int], lower: int, upper: int, guarded: bool = False
) -> Formula:
    """The clauses, all with one more literal if they are guarded."""
    encoder: Any = find_encoder(name)
    size = len(weights)
    formula = Formula(num_vars=size + guarded)
    inputs = [*range(1, size + 1)]
    if max(weights) == 1:
        encoder.encode(inputs, lower, upper, formula)
    else:
        encoder.encode_weighted(inputs, weights, lower, upper, formula)
    if not guarded:
        return formula
    found = Formula(num_vars=formula.num_vars)
    for clause in formula.clauses():
        found.add_clause([*clause, -size - 1])
    return found


def proved(
    name: str,
    weights: list[int],
    lower: int,
    upper: int,
    formula: Formula,
    guarded: bool = False,
) -> tuple[bytes, bytes]:
    """The two bounds as text, and the proof that leaves these clauses."""
    lits, total = tuple(range(1, len(weights) + 1)), sum(weights)
    terms = [*zip(weights, lits, strict=True)]
    negated = [(weight, -lit) for weight, lit in terms]
    rows = [(terms, lower), (negated, total - upper)]
    if guarded:
        rows = [([*some, (least, -len(lits) - 1)], least) for some, least in rows]
    state = DerivationState(Derivation(formula=2))
    state.last_var = formula.num_vars
    for number, (some, least) in enumerate(rows, start=1):
        state.declare(number, some, least)
    bounds = (1 if lower > 0 else None), (2 if upper < total else None)
    encoder, first = find_encoder(name), len(lits) + guarded + 1
    clauses = [*formula.clauses()]
    of = EncodedSum(encoder, lits, tuple(weights), lower, upper, *bounds, first, clauses)
    kept = set(derive_sum(of, state))
    state.delete(number for number in [*state.rows] if number > 2 and number not in kept)
    stream = io.BytesIO()
    write_proof(state.derivation, stream)
    return "".join(text(some, least) for some, least in rows).encode(), stream.getvalue()


def text(terms: list[tuple[int, int]], least: int) -> str:
    row = " ".join(f"{weight:+d} {'~' * (lit < 0)}x{abs(lit)}" for weight, lit in terms)
    return f"{row} >= {least} ;\n"


def require_derived(
    name: str, weights: list[int], lower: int, upper: int, guarded: bool = False
) -> None:
    formula = encoded(name, weights, lower, upper, guarded)
    problem, proof = proved(name, weights, lower, upper, formula, guarded)
    assert check_encoding(problem, dimacs(formula).encode(), proof).clauses == formula.num_clauses


def require_changes_refused(name: str, weights: list[int], lower: int, upper: int) -> None:
    """Without a clause, with one shorter or with its last literal turned around."""
    formula = encoded(name, weights, lower, upper)
    clauses = [*formula.clauses()]
    left = ProvedClauses.of(*proved(name, weights, lower, upper, formula))
    for place, clause in enumerate(clauses):
        for change in ([], [clause[:-1]], [[*clause[:-1], -clause[-1]]]):
            other = Formula(num_vars=formula.num_vars)
            for each in [*clauses[:place], *change, *clauses[place + 1 :]]:
                other.add_clause(each)
            with pytest.raises(ProofFormatError):
                left.check(dimacs(other).encode())


@pytest.fixture(scope="session")
def sums() -> SimpleNamespace:
    """Sums of the inputs 1, 2, ..., encoded, with their proof from two rows."""
    return SimpleNamespace(
        encoded=encoded,
        proved=proved,
        require_derived=require_derived,
        require_changes_refused=require_changes_refused,
    )
