"""Derivations of the clauses of a counting constraint from the constraint itself."""

from __future__ import annotations

from collections.abc import Iterable

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.normal_form import normal_form, settle
from pbcnf.derivation.clauses import ClauseDerivation
from pbcnf.derivation.steps import Derivation, Given, Sum
from pbcnf.derivation.thresholds import MEANINGS, Meanings
from pbcnf.emission.encode import encode
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import find_encoder
from pbcnf.errors import EncodingError
from pbcnf.formula import Formula
from pbcnf.literals import IntLike, Lit, Var, literal


def derive(
    constraint: Cardinality,
    encoder: str | Encoder,
    given: Given,
    derivation: Derivation,
    first_auxiliary: Var,
) -> list[int]:
    """Add steps that derive the clauses `pbcnf.encode` emits; return their numbers, in that order.

    `given` names the constraint in the formula: `lower` is not needed for ``lower <= 0`` and
    `upper` not for ``upper >= n``. The auxiliary variables are numbered from `first_auxiliary`,
    as a sink numbers them that has allocated all before it; the formula must not mention them.

    Raises ValueError for an encoder whose auxiliaries have no known meaning (see `MEANINGS`),
    for a literal that repeats, for an input numbered like an auxiliary, for bounds the encoder
    cannot express, and for clauses that what is given does not imply.

    >>> steps = Derivation(formula=2)
    >>> derive(Cardinality([1, 2, 3], 1, 1), "direct", Given(1, 2), steps, first_auxiliary=4)
    [3, 4, 5, 6]
    >>> steps.steps[-1]
    Propagated(clause=(1, 2, 3), ids=(1,))
    """
    chosen = find_encoder(encoder)
    if chosen.name not in MEANINGS:
        known = ", ".join(MEANINGS)
        raise EncodingError(
            f"the clauses of {chosen.name} cannot be derived, only those of {known}"
        )
    lits, lower, upper = normal_form(constraint)
    if len(set(lits)) < len(lits):
        raise EncodingError("a constraint that repeats a literal cannot be derived")
    emitted = Formula(num_vars=first_auxiliary - 1)
    encode(constraint, emitted, chosen)
    meanings: Meanings = {}
    if settle(len(lits), lower, upper) is None:
        meanings = MEANINGS[chosen.name](lits, lower, upper, first_auxiliary)
    derived = ClauseDerivation(lits, (lower, upper), given, meanings, derivation)
    return [derived.derive(clause) for clause in emitted.clauses()]


def derive_range(
    total: Cardinality, part: Iterable[IntLike], given: Given, derivation: Derivation
) -> tuple[Cardinality, Given]:
    """Derive what the bounds of a sum say about a part of its literals, the others left open.

    With i other literals: ``lower - i <= sum of part <= upper``. Returns that constraint and the
    numbers of its bounds, None for one that says nothing or that is not given for the total.

    Raises ValueError for a literal of `part` that is not in `total`, or in either more than once.

    >>> steps = Derivation(formula=2)
    >>> derive_range(Cardinality([1, 2, 3, 4], 2, 2), [1, 3, 4], Given(1, 2), steps)
    (Cardinality(lits=(1, 3, 4), lower=1, upper=2), Given(lower=3, upper=4))
    >>> steps.steps
    [Sum(ids=(1,), weakened=(2,)), Sum(ids=(2,), weakened=(2,))]
    """
    lits = [literal(lit) for lit in part]
    _require_distinct(total.lits, "the total")
    _require_distinct(lits, "its part")
    inside = set(lits)
    unknown = inside.difference(total.lits)
    if unknown:
        raise ValueError(f"literal {min(unknown, key=abs)} is not in the total")
    others = tuple(abs(lit) for lit in total.lits if lit not in inside)
    bounds = Cardinality(lits, total.lower - len(others), total.upper)
    lower = upper = None
    if given.lower is not None and bounds.lower > 0:
        lower = derivation.add(Sum((given.lower,), others))
    if given.upper is not None and bounds.upper < len(lits):
        upper = derivation.add(Sum((given.upper,), others))
    return bounds, Given(lower, upper)


def _require_distinct(lits: Iterable[Lit], what: str) -> None:
    variables = [abs(lit) for lit in lits]
    if len(set(variables)) < len(variables):
        raise ValueError(f"{what} repeats a variable")
