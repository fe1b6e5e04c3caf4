"""Where a transformed formula goes: clauses of encoders into a sink, or rows of a problem."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from pbcnf.constraints.constraint import Cardinality, Constraint, Linear, Parity, PseudoBoolean
from pbcnf.constraints.normal_form import parity_normal_form, sum_of
from pbcnf.emission.encode import encode
from pbcnf.emission.groups import Group, encode_grouped
from pbcnf.encoders.choice import encoder_for
from pbcnf.encoders.protocol import Encoder, WeightedEncoder
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.literals import Clause, Lit, Var
from pbcnf.sink import ClauseSink

# Constraints as clauses in which every auxiliary variable has one value: models keep their number.
#
# The encoders chosen by size often emit one direction only, which is smaller, and leaves auxiliary
# variables free. `encode_functional` replaces an encoder that is not parsimonious by an adder.

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
    # The equation of the sum and a binary number leaves one value for each digit: no auxiliary
    # variable is free. The number is compared with the bound.
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
        bound_digit = bool(upper >> place & 1)
        # Digit 1 in the bound: found = not bit or smaller; digit 0: found = not bit and smaller.
        if smaller is None:
            sink.add_clause([found] if bound_digit else [found, bit])
            if not bound_digit:
                sink.add_clause([-found, -bit])
        else:
            # The three clauses of an OR gate, and for digit 0 those of the negated AND gate.
            sign = 1 if bound_digit else -1
            sink.add_clause([sign * found, sign * bit])
            sink.add_clause([sign * found, -sign * smaller])
            sink.add_clause([-sign * found, -sign * bit, sign * smaller])
        smaller = found


def _parsimonious(constraint: Linear) -> bool:
    """Whether the encoder chosen for `constraint` leaves no auxiliary variable free."""
    form = sum_of(constraint)
    if form is None or not form.lits or form.clause() is not None:
        return True
    encoder = encoder_for(form.weights, form.lower, form.upper).encoder
    if isinstance(encoder, WeightedEncoder) and max(form.weights) > 1:
        return encoder.weighted_parsimonious(form.weights, form.lower, form.upper)
    return encoder.parsimonious(len(form.lits), form.lower, form.upper)


@dataclass(slots=True)
class EncodedOutput:
    """The output that encodes each constraint into a sink, by the encoder of `pbcnf.choose`."""

    sink: ClauseSink
    functional: bool
    """Whether inputs must determine every auxiliary variable, so that models keep their number."""

    groups: dict[Var, list[Group]] = field(default_factory=lambda: defaultdict(list))
    """Variable -> the groups that contain the variable."""

    def know(self, group: Group) -> None:
        """Record a group that holds in every model; later sums are encoded with its help."""
        for lit in group.lits:
            self.groups[abs(lit)].append(group)

    def new_var(self) -> Var:
        """Allocate a variable of the sink."""
        return self.sink.new_var()

    def add_clause(self, clause: Clause) -> None:
        """Add the clause to the sink."""
        self.sink.add_clause(clause)

    def add(self, constraint: Constraint, when: Lit | None = None) -> None:
        """Encode the constraint, or that the literal implies it."""
        if self.functional:
            assert when is None, "definitions have both directions"
            encode_functional(constraint, self.sink)
        elif isinstance(constraint, Parity):
            encode(constraint, self.sink, when=when)
        else:
            known = {id(g): g for lit in constraint.lits for g in self.groups.get(abs(lit), ())}
            encode_grouped(constraint, list(known.values()), self.sink, when=when)

    def define(self, lit: Lit, constraint: Linear) -> None:
        """Encode that the literal is true exactly if the constraint holds."""
        if self.functional:
            define_functional(lit, constraint, self.sink)
        else:
            encode(constraint, self.sink, iff=lit)


@dataclass(slots=True)
class ProblemOutput:
    """Collects constraints for a `pbcnf.Problem`: nothing is encoded.

    An implication from a literal to a bound becomes one inequality, in which the literal's weight
    is the largest possible violation of the bound ("big M").
    """

    num_vars: int
    constraints: list[Constraint] = field(default_factory=list)

    def new_var(self) -> Var:
        """Allocate the next variable."""
        self.num_vars += 1
        return self.num_vars

    def add_clause(self, clause: Clause) -> None:
        """Add the clause as a sum of at least 1."""
        self.constraints.append(Cardinality(clause, lower=1))

    def add(self, constraint: Constraint, when: Lit | None = None) -> None:
        """Add the constraint, or a row for each bound that the literal switches on."""
        if when is None:
            self.constraints.append(constraint)
        elif isinstance(constraint, Parity):
            # The variable `parity` is true exactly if an odd number of `variables` is: `when`
            # implies the value that the constraint demands.
            variables, odd = parity_normal_form(constraint)
            parity = self.new_var()
            self.constraints.append(Parity([*variables, parity], odd=False))
            self.add_clause([-when, parity if odd else -parity])
        else:
            self._implied(constraint, when)

    def define(self, lit: Lit, constraint: Linear) -> None:
        """Add rows for both directions; `constraint` has one bound that can be violated."""
        weights = weights_of(constraint)
        least, most = sum(w for w in weights if w < 0), sum(w for w in weights if w > 0)
        self._implied(constraint, lit)
        if constraint.lower <= least:
            opposite = PseudoBoolean(constraint.lits, weights, constraint.upper + 1, most)
        else:
            opposite = PseudoBoolean(constraint.lits, weights, least, constraint.lower - 1)
        self._implied(opposite, -lit)

    def know(self, group: Group) -> None:
        """Ignore the group: inequalities do not get smaller by groups."""

    def _implied(self, constraint: Linear, when: Lit) -> None:
        # If `when` is false, the slack lets every assignment meet the row.
        weights = weights_of(constraint)
        least, most = sum(w for w in weights if w < 0), sum(w for w in weights if w > 0)
        lits = [*constraint.lits, when]
        if constraint.upper < most:
            slack = most - constraint.upper
            self.constraints.append(PseudoBoolean(lits, [*weights, slack], upper=most))
        if constraint.lower > least:
            slack = constraint.lower - least
            self.constraints.append(PseudoBoolean(lits, [*weights, -slack], lower=least))


Output: TypeAlias = EncodedOutput | ProblemOutput
"""Receives clauses and constraints, and hands out fresh variables."""


def weights_of(constraint: Linear) -> tuple[int, ...]:
    """Return the weights of a sum, 1 for each literal of a cardinality constraint."""
    if isinstance(constraint, PseudoBoolean):
        return constraint.weights
    return (1,) * len(constraint.lits)
