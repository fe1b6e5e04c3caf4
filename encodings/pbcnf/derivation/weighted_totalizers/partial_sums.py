"""Partial sums of weighted inputs, and where two of them meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.implications import Condition, DerivedImplications
from pbcnf.literals import Lit


@dataclass(slots=True)
class PartialSum:
    """Inputs with weights, the sums that are distinguished, and an output "at least" for each.

    The least sum has no output. ``certain``: the numbers of two inequalities that hold by the
    bounds: the inputs weigh at least the first sum, and at most the last; None: it holds by itself.
    """

    terms: Sequence[tuple[int, Lit]]
    sums: Sequence[int]
    outputs: Sequence[Lit]
    certain: tuple[int | None, int | None] = (None, None)
    lits: frozenset[Lit] = field(init=False)
    """The outputs and their negations."""

    def __post_init__(self) -> None:
        """Collect the literals."""
        self.lits = frozenset([*self.outputs, *(-lit for lit in self.outputs)])

    @staticmethod
    def of_input(weight: int, lit: Lit) -> PartialSum:
        """Return a single input."""
        return PartialSum([(weight, lit)], (0, weight), [lit])

    def weighs(self) -> int:
        """Return the weight of all inputs."""
        return sum(weight for weight, _ in self.terms)

    def at_least(self, place: int) -> Lit | bool:
        """Return the literal "at least the sum at `place`", False behind the last place."""
        if place == 0:
            return True
        return self.outputs[place - 1] if place <= len(self.outputs) else False


class Joint(DerivedImplications):
    """Two partial sums that are added; ``of`` has inputs by decreasing weight, an upper bound."""

    def __init__(
        self, left: PartialSum, right: PartialSum, of: EncodedSum, state: DerivationState
    ) -> None:
        super().__init__(of, state)
        self.left, self.right = left, right

    def derive(self, clause: Sequence[Lit]) -> int:
        """Derive a clause on the outputs of both parts and of their sum from what these mean.

        A part without a literal in the clause contributes what is certain by the bounds.
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
