"""Implications between literals and truth values, derived as clauses and kept."""

from __future__ import annotations

from collections.abc import Iterable

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.literals import Lit

Condition = Lit | bool
"""A literal, or the truth value that it has by the bounds."""


class DerivedImplications:
    """Clauses about a sum, each derived once.

    Literals that the bounds hold besides the inputs (``also``) are in all clauses: a bound that
    holds only if such a literal is false gives clauses that hold it.
    """

    def __init__(self, of: EncodedSum, state: DerivationState) -> None:
        self.of, self.state = of, state
        self.known: dict[frozenset[Lit], int] = {}
        inputs = {abs(lit) for lit in of.lits}
        rows = [state.rows[number] for number in of.bounds]
        self.also = frozenset(
            lit for row in rows for _, lit in row.terms() if abs(lit) not in inputs
        )

    def clause(
        self, premises: Iterable[Condition], conclusions: Iterable[Condition]
    ) -> list[Lit] | None:
        """Return "the premises imply one of the conclusions"; None for what always holds.

        What is certain given the bounds is left out.
        """
        clause: list[Lit] = []
        for claim, value in [*((p, False) for p in premises), *((c, True) for c in conclusions)]:
            if claim is value:
                return None
            if not isinstance(claim, bool):
                clause.append(claim if value else -claim)
        clause = [*dict.fromkeys(clause), *(self.also - {*clause})]
        return None if any(-lit in clause for lit in clause) else clause

    def summed(
        self, premises: Iterable[Condition], conclusions: Iterable[Condition], *rows: int | None
    ) -> int | None:
        """Derive "premises imply one of the conclusions" from definitions, bounds and `rows`."""
        clause = self.clause(premises, conclusions)
        if clause is None:
            return None
        key = frozenset(clause)
        if key not in self.known:
            further = [row for row in rows if row is not None]
            self.known[key] = self.state.derive_clause(clause, *self.of.bounds, *further)
        return self.known[key]

    def propagated(
        self,
        premises: Iterable[Condition],
        conclusions: Iterable[Condition],
        hints: Iterable[int | None],
    ) -> int | None:
        """Derive "premises imply one of the conclusions" by propagation; hints may be None."""
        clause = self.clause(premises, conclusions)
        if clause is None:
            return None
        return self.state.propagate(clause, [hint for hint in hints if hint is not None])
