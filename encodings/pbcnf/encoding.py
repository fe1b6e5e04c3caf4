"""From a constraint to clauses: the single way in for every encoder."""

from __future__ import annotations

from pbcnf.constraint import Cardinality
from pbcnf.encoder import Encoder
from pbcnf.normal_form import normal_form, settle, settled_clauses
from pbcnf.registry import find_encoder
from pbcnf.sink import ClauseSink, NormalisingSink


def encode(constraint: Cardinality, sink: ClauseSink, encoder: str | Encoder = "direct") -> None:
    """Add clauses to `sink` that hold exactly when `constraint` does.

    `encoder` is a name from `ENCODERS` or an encoder. Whatever it is, trivial bounds give the
    same clauses: nothing for a constraint that always holds, the empty clause for one that never
    does, units if every literal is decided. Opposite literals are removed first. Repeated
    literals count with multiplicity; the emitted clauses repeat no literal.

    Raises TypeError unless `constraint` is a `Cardinality`, ValueError for an unknown name or for
    a bound the encoder cannot express (nothing has been added then).

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, -3], upper=1), f)
    >>> list(f.clauses())
    [[-1, -2], [-1, 3], [-2, 3]]
    """
    if not isinstance(constraint, Cardinality):
        raise TypeError(f"no encoder takes a {type(constraint).__name__}, only a Cardinality")
    chosen = find_encoder(encoder)
    lits, lower, upper = normal_form(constraint)
    settled = settle(len(lits), lower, upper)
    if settled is None:
        distinct = len(set(lits)) == len(lits)
        chosen.encode(lits, lower, upper, sink if distinct else NormalisingSink(sink))
    else:
        for clause in settled_clauses(settled, lits):
            sink.add_clause(clause)
