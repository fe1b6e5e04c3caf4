"""Constraints as clauses in which every auxiliary variable has one value: models keep their number.

The encoders chosen by size often emit one direction only, which is smaller, and leaves auxiliary
variables free. Here another encoder is taken where theirs is not parsimonious.
"""

from __future__ import annotations

from typing import Final

from pbcnf.constraints.constraint import Cardinality, Constraint, Linear, Parity, PseudoBoolean
from pbcnf.constraints.weighted_normal_form import sum_of
from pbcnf.emission.encode import encode
from pbcnf.encoders.choice import encoder_for
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.weighted import WeightedEncoder
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

_DIRECT: Final = 8
_ADDER: Final = Adder(equivalent=True)


def encode_functional(constraint: Constraint, sink: ClauseSink) -> None:
    """Encode the constraint by the encoder of `pbcnf.choose` if parsimonious, or by adders."""
    encoder: Encoder | None = None
    if not isinstance(constraint, Parity) and not _parsimonious(constraint):
        encoder = _ADDER
    encode(constraint, sink, encoder)


def define_functional(lit: Lit, constraint: Linear, sink: ClauseSink) -> None:
    """Add that the literal is true exactly if the constraint, an upper bound, holds."""
    if isinstance(constraint, Cardinality):
        few = len(constraint.lits) <= _DIRECT
        encode(constraint, sink, "direct" if few else "totalizer", iff=lit)
        return
    # The sum is a binary number, and the number is compared.
    bits = [sink.new_var() for _ in range(sum(constraint.weights).bit_length())]
    places = [-(1 << place) for place in range(len(bits))]
    number = PseudoBoolean([*constraint.lits, *bits], [*constraint.weights, *places], 0, 0)
    encode_functional(number, sink)
    _define_at_most(lit, bits, constraint.upper, sink)


def _define_at_most(lit: Lit, bits: list[Lit], upper: int, sink: ClauseSink) -> None:
    """Add clauses for: `lit` is true exactly if the number with digits `bits` is <= `upper`."""
    # Invariant: `smaller` is true exactly if the number of the digits below `place` is at most the
    # same digits of the bound; None while this always holds.
    smaller: Lit | None = None
    for place, bit in enumerate(bits):
        found = lit if place == len(bits) - 1 else sink.new_var()
        one = bool(upper >> place & 1)
        # Digit 1 in the bound: found = not bit or smaller; digit 0: found = not bit and smaller.
        if smaller is None:
            sink.add_clause([found] if one else [found, bit])
            if not one:
                sink.add_clause([-found, -bit])
        else:
            # The three clauses of an OR gate, and for digit 0 those of the negated AND gate.
            sign = 1 if one else -1
            sink.add_clause([sign * found, sign * bit])
            sink.add_clause([sign * found, -sign * smaller])
            sink.add_clause([-sign * found, -sign * bit, sign * smaller])
        smaller = found


def _parsimonious(constraint: Linear) -> bool:
    form = sum_of(constraint)
    if form is None or not form.lits or form.clause() is not None:
        return True
    encoder = encoder_for(form.weights, form.lower, form.upper).encoder
    if isinstance(encoder, WeightedEncoder) and max(form.weights) > 1:
        return encoder.weighted_parsimonious(form.weights, form.lower, form.upper)
    return encoder.parsimonious(len(form.lits), form.lower, form.upper)
