"""Groups of inputs as leaves of a tree of sums: what a group weighs takes few values.

Of a *chain* each literal implies the one before it, so that its literals are the unary count
already. Of an *at-most-one* group no two literals are true: "it weighs at least w" takes one
variable for each weight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from pbcnf.encoders.circuits.sum_tree import SumNode
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


class GroupLeaf(NamedTuple):
    """A node without its least weight, which is certain and stands apart."""

    least: int
    node: SumNode


def chain_leaf(terms: Sequence[tuple[Lit, int]]) -> GroupLeaf:
    """Return a chain of literals with weights >= 1 as a leaf; nothing is emitted.

    >>> chain_leaf([(4, 2), (5, 2), (6, 3)]).node
    SumNode(weight=7, sums=(0, 2, 4, 7), outputs=[4, 5, 6])
    """
    sums = (0, *accumulate(weight for _, weight in terms))
    return GroupLeaf(0, SumNode(sums[-1], sums, [lit for lit, _ in terms]))


def at_most_one_leaf(
    weights: Mapping[Lit, int], none: int, both_ways: bool, sink: ClauseSink
) -> GroupLeaf:
    """Emit the weight of an at-most-one group: of its true literal, `none` without a true literal.

    Without `both_ways` its outputs are only implied by the weight.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=3)
    >>> at_most_one_leaf({1: 2, 2: 2, 3: 5}, 0, False, f).node, list(f)
    (SumNode(weight=5, sums=(0, 2, 5), outputs=[4, 3]), [[-1, 4], [-2, 4], [-3, 4]])
    """
    values = sorted({none, *weights.values()})
    place = {value: at for at, value in enumerate(values)}
    top = [lit for lit, weight in weights.items() if weight == values[-1]]
    outputs = [sink.new_var() for _ in values[1:-1]]
    if len(values) > 1:
        outputs.append(top[0] if len(top) == 1 and none < values[-1] else sink.new_var())

    def smaller(at: int) -> list[Lit]:
        return [lit for lit, weight in weights.items() if place[weight] < at]

    # outputs[i] is true if the group weighs at least values[i + 1]. A true literal sets the output
    # of its own value, and in the other direction forbids the one above.
    for lit, weight in weights.items():
        at = place[weight]
        if at and outputs[at - 1] != lit:
            sink.add_clause([-lit, outputs[at - 1]])
        if both_ways and at < len(outputs):
            sink.add_clause([-lit, -outputs[at]])
    # If no literal is true the group weighs `none`, which need not be the least of its values:
    # where no literal of a smaller weight is true, the output of `none` is; where none of a larger
    # weight is, the output above is not.
    at = place[none]
    if at:
        sink.add_clause([outputs[at - 1], *smaller(at)])
    if both_ways and at < len(outputs):
        larger = [lit for lit, weight in weights.items() if place[weight] > at]
        if larger != [outputs[at]]:
            sink.add_clause([-outputs[at], *larger])
    # The outputs are a chain; a link that a clause above states already is not repeated.
    for less, more in pairwise(outputs):
        if [-more, less] not in ([-lit, outputs[place[w] - 1]] for lit, w in weights.items()):
            sink.add_clause([-more, less])
    sums = tuple(value - values[0] for value in values)
    return GroupLeaf(values[0], SumNode(sums[-1], sums, outputs))
