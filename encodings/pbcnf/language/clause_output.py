"""The output that encodes: constraints by the audited encoders, into any sink of clauses."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from pbcnf.constraints.constraint import Constraint, Linear, Parity
from pbcnf.emission.encode import encode
from pbcnf.emission.groups import Group, encode_grouped
from pbcnf.language.determined import define_determined, encode_determined
from pbcnf.literals import Clause, Lit, Var
from pbcnf.sink import ClauseSink


@dataclass(slots=True)
class Clauses:
    """Encodes what it gets, each constraint by the encoder that `pbcnf.choose` names."""

    sink: ClauseSink
    determined: bool
    """Whether every auxiliary variable must have one value, so that models keep their number."""

    groups: dict[Var, list[Group]] = field(default_factory=lambda: defaultdict(list))
    """What is known of variables, by each of them."""

    def know(self, group: Group) -> None:
        """Take note of a group that holds; sums are encoded with it."""
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
        if self.determined:
            assert when is None, "definitions have both directions"
            encode_determined(constraint, self.sink)
        elif isinstance(constraint, Parity):
            encode(constraint, self.sink, when=when)
        else:
            known = {id(g): g for lit in constraint.lits for g in self.groups.get(abs(lit), ())}
            encode_grouped(constraint, list(known.values()), self.sink, when=when)

    def define(self, lit: Lit, constraint: Linear) -> None:
        """Encode that the literal is true exactly if the constraint holds."""
        if self.determined:
            define_determined(lit, constraint, self.sink)
        else:
            encode(constraint, self.sink, iff=lit)
