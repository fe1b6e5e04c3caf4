"""Two parts of the inputs that are added up, and the clauses about them and their sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbcnf.derivation.attainable.partial_sum import PartialSum
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.ledger import Ledger, UnderivableError
from pbcnf.literals import Lit

Claim = Lit | bool
"""A literal, or what is certain given the bounds."""


class Joint:
    """Where two parts meet. ``of`` has its inputs by decreasing weight, an upper bound or two."""

    def __init__(self, left: PartialSum, right: PartialSum, of: EncodedSum, ledger: Ledger) -> None:
        self.left, self.right, self.of, self.ledger = left, right, of, ledger
        self._known: dict[frozenset[Lit], int] = {}
        inputs = {abs(lit) for lit in of.lits}
        rows = [ledger.rows[number] for number in of.bounds]
        self._also = {lit for row in rows for _, lit in row.terms() if abs(lit) not in inputs}

    def derive(self, clause: Sequence[Lit]) -> int:
        """Derive a clause on the counts of both parts and of their sum from what these mean.

        Of a part that it does not mention, what is certain is used.
        """
        known = self._known.get(frozenset(clause))
        if known is not None:
            return self.ledger.propagate(clause, [known])
        if_false = self.ledger.if_false
        own = [(if_false[lit], 1) for lit in clause if lit in if_false]
        for rows in self._certain(clause):
            parts = own + [(number, 1) for number in rows]
            if parts and self.ledger.follows(clause, parts):
                return self.ledger.sum_up(clause, parts)
        raise UnderivableError(f"clause {list(clause)} does not follow from two partial sums")

    def lemma(self, premises: Iterable[Claim], conclusions: Iterable[Claim]) -> int | None:
        """Return the number of a clause, which is derived once; None for what always holds."""
        clause = self.clause(premises, conclusions)
        if clause is None:
            return None
        number = self._known.get(frozenset(clause))
        if number is None:
            number = self._known[frozenset(clause)] = self.derive(clause)
        return number

    def clause(self, premises: Iterable[Claim], conclusions: Iterable[Claim]) -> list[Lit] | None:
        """Return "the premises imply one of the conclusions"; None for what always holds.

        What is certain given the bounds is left out. If those are reified their literal is added.
        """
        clause: list[Lit] = []
        for claim, value in [*((p, False) for p in premises), *((c, True) for c in conclusions)]:
            if claim is value:
                return None
            if not isinstance(claim, bool):
                clause.append(claim if value else -claim)
        clause += self._also - {*clause}
        return None if any(-lit in clause for lit in clause) else clause

    def _certain(self, clause: Sequence[Lit]) -> Iterator[list[int]]:
        absent = [part for part in (self.left, self.right) if part.lits.isdisjoint(clause)]
        yield []
        for side in (0, 1):
            rows = {row for part in absent if (row := part.certain[side]) is not None}
            yield [*rows]
            for bound in self.of.bounds:
                yield [*rows - {bound}, bound]
