"""The generalized totalizer: halves of the inputs, each counted by its own halves.

Meaning: o[v][w] is true exactly if the inputs below node v weigh at least w. With one bound every
clause is one sum of these and of the bound. With two, that both halves together are at most so much
needs that no sum lies in between the attainable ones, see `gaps`.

Size: with one bound two steps a clause and two a variable, see `gaps` for two bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum, by_decreasing_weight, is_clause
from pbcnf.derivation.weighted_totalizers.gaps import close_gaps
from pbcnf.derivation.weighted_totalizers.partial_sums import Joint, PartialSum
from pbcnf.encoders.circuits.sum_tree import Bounds, SumNode, forbid, join
from pbcnf.formula import Formula
from pbcnf.literals import Lit


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the outputs of the nodes, and derive their clauses, from the leaves to the root."""
    of = by_decreasing_weight(of)
    if is_clause(of):
        return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
    tree, half = _Tree(of, state), len(of.lits) // 2
    left, right = tree.grown(of.terms[:half]), tree.grown(of.terms[half:])
    return tree.found + tree.forbidden(left, right)


class _Tree:
    """The nodes are emitted once more, one by one, to know how many clauses each has."""

    def __init__(self, of: EncodedSum, state: DerivationState) -> None:
        self._of, self._state = of, state
        self._bounds = Bounds.of(of.weights, of.lower, of.upper)
        self._clauses: Iterator[Sequence[Lit]] = iter(of.clauses)
        self._last = of.first - 1
        self.found: list[int] = []

    def grown(self, terms: Sequence[tuple[int, Lit]]) -> tuple[SumNode, PartialSum]:
        """Derive the nodes above some inputs."""
        if len(terms) == 1:
            [(weight, lit)] = terms
            return SumNode(weight, (0, weight), [lit]), PartialSum.of_input(weight, lit)
        half = len(terms) // 2
        (left, of_left), (right, of_right) = self.grown(terms[:half]), self.grown(terms[half:])
        again = Formula(self._last)
        node = join(left, right, self._bounds, again)
        self._last = again.num_vars
        total = PartialSum(terms, node.sums, node.outputs)
        for output, least in zip(node.outputs, node.sums[1:], strict=True):
            self._state.define(output, terms, least)
        joint = Joint(of_left, of_right, self._of, self._state)
        close_gaps(total, joint)
        self.found += self._derived(joint, again)
        return node, total

    def forbidden(
        self, left: tuple[SumNode, PartialSum], right: tuple[SumNode, PartialSum]
    ) -> list[int]:
        """Derive the clauses of the root."""
        again = Formula(self._last)
        forbid(left[0], right[0], self._bounds, again)
        return self._derived(Joint(left[1], right[1], self._of, self._state), again)

    def _derived(self, joint: Joint, again: Formula) -> list[int]:
        return [joint.derive(clause) for _, clause in zip(again, self._clauses, strict=False)]
