"""Two parts of the inputs that are added up, and the clauses about them and their sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.implications import Condition, DerivedImplications
from pbcnf.derivation.weighted_totalizers.partial_sum import PartialSum
from pbcnf.literals import Lit


class Joint(DerivedImplications):
    """Where two parts meet. ``of`` has its inputs by decreasing weight, an upper bound or two."""

    def __init__(
        self, left: PartialSum, right: PartialSum, of: EncodedSum, state: DerivationState
    ) -> None:
        super().__init__(of, state)
        self.left, self.right = left, right

    def derive(self, clause: Sequence[Lit]) -> int:
        """Derive a clause on the counts of both parts and of their sum from what these mean.

        Of a part that it does not mention, what is certain is used.
        """
        known = self.known.get(frozenset(clause))
        if known is not None:
            return self.state.propagate(clause, [known])
        if_false = self.state.if_false
        own = [(if_false[lit], 1) for lit in clause if lit in if_false]
        for rows in self._certain(clause):
            parts = own + [(number, 1) for number in rows]
            if parts and self.state.sum_refutes(clause, parts):
                return self.state.derive_by_sum(clause, parts)
        raise UnderivableError(f"clause {list(clause)} does not follow from two partial sums")

    def lemma(self, premises: Iterable[Condition], conclusions: Iterable[Condition]) -> int | None:
        """Return the number of a clause, which is derived once; None for what always holds."""
        clause = self.clause(premises, conclusions)
        if clause is None:
            return None
        key = frozenset(clause)
        if key not in self.known:
            self.known[key] = self.derive(clause)
        return self.known[key]

    def _certain(self, clause: Sequence[Lit]) -> Iterator[list[int]]:
        absent = [part for part in (self.left, self.right) if part.lits.isdisjoint(clause)]
        yield []
        for side in (0, 1):
            rows = {row for part in absent if (row := part.certain[side]) is not None}
            yield [*rows]
            for bound in self.of.bounds:
                yield [*rows - {bound}, bound]
