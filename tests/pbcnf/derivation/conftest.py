"""What a derivation must achieve, stated without it: formulas as text, and models."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pytest

from pbcnf import Cardinality, Formula, encode
from pbcnf.constraints.normal_form import normal_form, settle
from pbcnf.derivation import MEANINGS, Derivation, Given, derive, write_proof


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
    derivation = Derivation(formula=2)
    return derivation, derive(constraint, encoder, Given(1, 2), derivation, inputs + 1)


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
