"""The encoder that a constraint gets by default, and the reason, without encoding."""

from __future__ import annotations

from dataclasses import dataclass

from pbcnf.constraints.constraint import Constraint, Parity, Stated, said
from pbcnf.constraints.weighted_normal_form import sum_of
from pbcnf.emission.dispatch import Kind, emission
from pbcnf.encoders.choice import Budget, encoder_for, parity_encoder_for
from pbcnf.formula import EncodingSize


@dataclass(frozen=True, slots=True)
class Choice:
    """The encoder that `encode` takes for a constraint by default, with its size and the reason."""

    kind: Kind
    """The kind of the constraint in normal form."""
    encoder: str | None
    """The name of the encoder; None where none is needed."""
    size: EncodingSize
    """The exact size of what the encoder adds; units and clauses without an encoder count 0."""
    reason: str


def choose(constraint: Constraint | Stated, budget: Budget | None = None) -> Choice:
    """Return the encoder that `encode`, `encode_problem` and `satsweeper encode` choose, and why.

    The rule is stated in `pbcnf.encoders.choice`; `budget` is that of the whole problem, whose
    constraints are to be asked for in order. Raises TypeError unless `constraint` is one.

    >>> from pbcnf import Cardinality
    >>> choice = choose(Cardinality(range(1, 101), upper=50))
    >>> choice.encoder, choice.size.clauses
    ('k_modulo_totalizer', 1437)
    >>> choice.reason
    'more than 8 literals; totalizer would need 3,072 clauses, the smallest 665'
    """
    constraint = said(constraint)
    before = Budget(0 if budget is None else budget.left)
    found = emission(constraint, None, budget)
    form = None if isinstance(constraint, Parity) else sum_of(constraint)
    if found.encoder is None:
        return Choice(found.kind, None, found.size(), "no encoder is needed")
    if form is None:
        reason = parity_encoder_for(found.inputs).reason
    else:
        reason = encoder_for(form.weights, form.lower, form.upper, before).reason
    return Choice(found.kind, found.encoder.name, found.size(), reason)
