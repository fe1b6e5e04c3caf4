"""Whole problems: the clauses of every constraint, derived from the constraints of an OPB file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from pbcnf.constraints.constraint import Constraint, Linear
from pbcnf.constraints.weighted_normal_form import sum_of
from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_constraint import EncodedConstraint, declare_bounds, derive_clauses
from pbcnf.derivation.steps import BoundIds, Derivation
from pbcnf.emission.whole_problems import Choices, Encoded, encode_problem
from pbcnf.encoders.table import find_encoder
from pbcnf.errors import EncodingError
from pbcnf.formula import Formula
from pbcnf.literals import Lit


@dataclass(frozen=True, slots=True)
class CertifiedEncoding:
    """The clauses of a problem, and steps that leave these clauses and nothing else, in order."""

    formula: Formula
    derivation: Derivation
    encoded: list[Encoded]


def derive_problem(
    constraints: Iterable[tuple[Linear, BoundIds]],
    num_vars: int,
    rows: int,
    choices: Choices | None = None,
    most_clauses: int | None = None,
) -> CertifiedEncoding:
    """Encode a problem as `encode_problem` does, and derive every clause of it.

    ``constraints``: each with the numbers of its rows among the ``rows`` of the file.
    ``num_vars``: of the problem; auxiliary variables follow.

    Raises ValueError, naming the constraint, for one that cannot be encoded or derived.
    """
    given = [*constraints]
    formula, state = Formula(num_vars), DerivationState(Derivation(rows))
    every: list[Constraint] = [constraint for constraint, _ in given]
    encoded = [*encode_problem(every, formula, choices, most_clauses)]
    state.last_var = formula.num_vars
    emitted = formula.clauses()
    for one, (constraint, numbers) in zip(encoded, given, strict=True):
        clauses = [*islice(emitted, one.size.clauses)]
        try:
            _derive(constraint, numbers, one, clauses, state)
        except UnderivableError as error:
            raise EncodingError(f"constraint {one.number}: {error}") from None
    return CertifiedEncoding(formula, state.derivation, encoded)


def _derive(
    constraint: Linear,
    numbers: BoundIds,
    one: Encoded,
    clauses: list[list[Lit]],
    state: DerivationState,
) -> None:
    """Derive the clauses of a constraint, and delete whatever else was needed for it."""
    derivation = state.derivation
    first = derivation.formula + derivation.added + 1
    declare_bounds(constraint, numbers, state)
    kept = _clauses(constraint, numbers, one, clauses, state)
    last = derivation.formula + derivation.added
    if [*kept] != sorted(set(kept)):
        kept = [_copy(clause, number, state) for clause, number in zip(clauses, kept, strict=True)]
        last = derivation.formula + derivation.added - len(kept)
    wanted = set(kept)
    state.delete(number for number in range(first, last + 1) if number not in wanted)
    state.rows.clear()
    state.if_false.clear()


def _clauses(
    constraint: Linear,
    given: BoundIds,
    one: Encoded,
    clauses: list[list[Lit]],
    state: DerivationState,
) -> list[int]:
    """Return the numbers of the clauses, in order."""
    encoder = None if one.encoder is None else find_encoder(one.encoder)
    encoded = EncodedConstraint(sum_of(constraint), one.kind, encoder, one.first_auxiliary, clauses)
    return derive_clauses(encoded, given, state)


def _copy(clause: list[Lit], number: int, state: DerivationState) -> int:
    """Derive a clause once more, so that clauses come in their order and none twice as one."""
    return state.propagate(clause, [number])
