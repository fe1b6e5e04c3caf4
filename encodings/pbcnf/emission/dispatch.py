"""What a constraint becomes: clauses that need no encoder, or an encoder's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pbcnf.constraints.constraint import Cardinality, Constraint, PseudoBoolean
from pbcnf.constraints.normal_form import normal_form, settle, settled_clauses
from pbcnf.constraints.weighted_normal_form import weighted_normal_form
from pbcnf.emission.template import instantiate_into, template
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import find_encoder
from pbcnf.encoders.weighted import WeightedEncoder
from pbcnf.literals import Clause, Lit
from pbcnf.sink import ClauseSink, NormalisingSink

DEFAULT: Final = "direct"
"""The encoder of a cardinality constraint, unless one is named."""

DEFAULT_WEIGHTED: Final = "binary_merge"
"""The encoder of a weighted sum, unless one is named."""

_MOST_STAMPED: Final = 12
"""Up to so many literals the clauses come from a cached template, which is faster."""

Emission = Callable[[ClauseSink], None]


def emission(constraint: Constraint, encoder: str | Encoder | None) -> Emission:
    """Return what will emit the clauses of `constraint`.

    Raises TypeError or ValueError as `pbcnf.encode` does, here or before the first clause.
    """
    if isinstance(constraint, Cardinality):
        return _cardinality(constraint, find_encoder(DEFAULT if encoder is None else encoder))
    if isinstance(constraint, PseudoBoolean):
        return _weighted(constraint, find_encoder(DEFAULT_WEIGHTED if encoder is None else encoder))
    kind = type(constraint).__name__
    raise TypeError(f"no encoder takes a {kind}, only a Cardinality or a PseudoBoolean")


def _cardinality(constraint: Cardinality, encoder: Encoder) -> Emission:
    lits, lower, upper = normal_form(constraint)
    settled = settle(len(lits), lower, upper)
    if settled is not None:
        return _clauses(settled_clauses(settled, lits))
    if len(set(lits)) == len(lits):
        return counted(encoder, lits, lower, upper)
    if isinstance(encoder, WeightedEncoder):
        return _weighted(PseudoBoolean(lits, [1] * len(lits), lower, upper), encoder)
    return lambda sink: encoder.encode(lits, lower, upper, NormalisingSink(sink))


def _weighted(constraint: PseudoBoolean, encoder: Encoder) -> Emission:
    form = weighted_normal_form(constraint)
    if form is None:
        return _clauses([[]])
    units = _clauses([[lit] for lit in form.units])
    if not form.lits:
        return units
    clause = form.clause()
    if clause is not None:
        rest = _clauses([clause])
    elif max(form.weights) == 1:
        rest = _cardinality(Cardinality(form.lits, form.lower, form.upper), encoder)
    elif isinstance(encoder, WeightedEncoder):
        chosen, lits, weights, lower, upper = (
            encoder, form.lits, form.weights, form.lower, form.upper
        )  # fmt: skip

        def rest(sink: ClauseSink) -> None:
            chosen.encode_weighted(lits, weights, lower, upper, sink)
    else:
        raise ValueError(
            f"{encoder.name} takes weights 1 only, and this sum has weights up to"
            f" {max(form.weights)}"
        )

    def both(sink: ClauseSink) -> None:
        rest(sink)
        units(sink)

    return both


def counted(encoder: Encoder, lits: Sequence[Lit], lower: int, upper: int) -> Emission:
    """Return what will emit non-trivial bounds of literals of distinct variables."""
    if len(lits) > _MOST_STAMPED:
        return lambda sink: encoder.encode(lits, lower, upper, sink)
    stamp = template(encoder, len(lits), lower, upper)
    return lambda sink: instantiate_into(stamp, lits, sink)


def _clauses(clauses: Sequence[Clause]) -> Emission:
    def emit(sink: ClauseSink) -> None:
        for clause in clauses:
            sink.add_clause(clause)

    return emit
