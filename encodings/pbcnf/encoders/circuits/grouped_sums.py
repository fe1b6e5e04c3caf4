"""Sums over groups of literals that other constraints tie together: at most one, or a chain.

A group is one part of a sum, which has one value for each weight that the group can have; otherwise
each literal would be a part. Other clauses must enforce the groups: the clauses of the sum are
right only if the groups hold. What an encoder gets of a part are a few literals (a *leaf*): for
each value but the least one literal that is true where the part has this value, or where it has at
least this value.

Reference: Bofill, Coll, Suy, Villaret: Compact MDDs for pseudo-Boolean constraints with at-most-one
relations in resource-constrained scheduling problems, IJCAI 2017; Bofill, Coll, Nightingale, Suy,
Ulrich-Oltean, Villaret: SAT encodings for pseudo-Boolean constraints together with at-most-one
constraints, Artificial Intelligence 2022.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from pbcnf.constraints.normal_form import WeightedSum
from pbcnf.encoders.circuits.sum_tree import SumNode
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


@dataclass(frozen=True, slots=True)
class Group:
    """Literals of which at most one is true or, in a `chain`, each implies its predecessor.

    Of an at-most-one group `some` literal may be true for certain.
    """

    lits: tuple[Lit, ...]
    chain: bool = False
    some: bool = False


@dataclass(frozen=True, slots=True)
class BoundedChoices:
    """An upper bound of a sum of chains and of choices: at most one literal of each is true."""

    upper: int
    chains: list[list[tuple[Lit, int]]]
    weights: list[dict[Lit, int]]
    """For each choice the weight >= 1 by its true literal; without a true one it weighs nothing."""

    @property
    def total(self) -> int:
        """The largest sum."""
        heaviest = sum(max(each.values()) for each in self.weights)
        return heaviest + sum(weight for chain in self.chains for _, weight in chain)

    def terms(self, sink: ClauseSink) -> tuple[list[Lit], list[int]]:
        """Emit and return a sum of literals, distinct and weighted, that stands for the choices.

        At most one literal of a choice is true, so that "one with this bit" counts once; bits that
        the same literals have are one literal of their common weight.
        """
        terms = [pair for chain in self.chains for pair in chain]
        terms += [(one_of(some, sink), weight) for some, weight in self.alternatives()]
        return [lit for lit, _ in terms], [weight for _, weight in terms]

    def alternatives(self) -> Iterator[tuple[tuple[Lit, ...], int]]:
        """Yield sets of literals of one choice, and what "one of these is true" weighs."""
        for by_literal in self.weights:
            having: dict[tuple[Lit, ...], int] = {}
            for bit in range(max(by_literal.values()).bit_length()):
                some = tuple(lit for lit, weight in by_literal.items() if weight >> bit & 1)
                if some:
                    having[some] = having.get(some, 0) + (1 << bit)
            yield from having.items()


@dataclass(frozen=True, slots=True)
class GroupedSum:
    """A sum cut into chains and at-most-one groups; ``lower == 0`` for an upper bound alone.

    Every literal of the sum is in one part, and alone in a chain if it is in no group.
    """

    chains: list[list[tuple[Lit, int]]]
    """Chains of literals with their weights; a literal implies its predecessor."""
    at_most_one: list[tuple[dict[Lit, int], int | None]]
    """For each group the weight by its true literal, and the weight if no literal is true.

    None instead of that weight: one of these literals is always true.
    """
    lower: int
    upper: int

    @staticmethod
    def of(form: WeightedSum, groups: Iterable[Group]) -> GroupedSum | None:
        """Return a sum cut into its groups; None if no group has two literals of the sum."""
        sign = -1 if form.upper == sum(form.weights) else 1
        left = {sign * lit: w for lit, w in zip(form.lits, form.weights, strict=True)}
        lower, upper = form.lower, form.upper
        if sign < 0:  # A lower bound is an upper bound of the negated literals.
            lower, upper = 0, sum(form.weights) - form.lower
        chains, single = list[list[tuple[Lit, int]]](), list[tuple[dict[Lit, int], int | None]]()
        # `left` holds the literals that are in no part yet: each literal gets into one part only.
        for group in sorted(groups, key=lambda group: -_members(group, left)):
            if _members(group, left) < 2:
                continue
            if group.chain:
                # The negations of a chain are a chain in reverse order.
                for lits in (group.lits, [-lit for lit in reversed(group.lits)]):
                    chain = [(lit, left.pop(lit)) for lit in lits if lit in left]
                    chains += [chain] if chain else []
            else:
                # Without a true literal all negations that the sum has are true: they weigh `none`.
                # A true literal adds its own weight, or subtracts the weight of its negation.
                none = sum(left[-lit] for lit in group.lits if -lit in left)
                weights = {
                    lit: none + (left.pop(lit) if lit in left else -left.pop(-lit))
                    for lit in group.lits
                    if lit in left or -lit in left
                }
                certain = group.some and len(weights) == len(set(group.lits))
                single.append((weights, None if certain else none))
        if not single and all(len(chain) < 2 for chain in chains):
            return None
        return GroupedSum([*chains, *([pair] for pair in left.items())], single, lower, upper)

    def pairs(self) -> int:
        """Return an upper limit of the number of pairs of sums that a tree of the parts adds."""
        # Numbers of values are multiplied two by two, as the tree adds its leaves up; sums beyond
        # the bound are all one value.
        values, found = deque(self._numbers_of_values()), 0
        while len(values) > 1:
            left, right = values.pop(), values.pop()
            found += left * right
            values.appendleft(min(left * right, self.upper + 1))
        return found

    def edges(self) -> int:
        """Return an upper limit of the number of edges of a diagram of the parts."""
        places, found = 1, 0
        for number in self._numbers_of_values():
            found += places * number
            places = min(places * number, self.upper + 1)
        return found

    def bits(self) -> int:
        """Return an upper limit of the number of inputs of all buckets of bits."""
        weights = [weight for chain in self.chains for _, weight in chain]
        weights += [max(weights.values()) for weights, _ in self.at_most_one]
        return sum(weight.bit_length() for weight in weights)

    def inputs(self) -> int:
        """Return an upper limit of the number of pairs of inputs that buckets of bits count."""
        return (len(self.at_most_one) + sum(map(len, self.chains))) * self.bits()

    def _numbers_of_values(self) -> list[int]:
        found = [len(chain) + 1 for chain in self.chains]
        return found + [len(values_of(*each)) for each in self.at_most_one]

    @property
    def groups(self) -> int:
        """The number of groups of at least two literals of the sum."""
        return len(self.at_most_one) + sum(len(chain) > 1 for chain in self.chains)

    def one_sided(self) -> Iterator[GroupedSum]:
        """Yield the sum for each bound that says something, as an upper bound alone."""
        most = [max(values_of(*each)) for each in self.at_most_one]
        total = sum(most) + sum(weight for chain in self.chains for _, weight in chain)
        if self.upper < total:
            yield GroupedSum(self.chains, self.at_most_one, 0, self.upper)
        if self.lower > 0:
            # What is missing to the largest value of a part is again a value of a part.
            missing = [
                (
                    {lit: high - weight for lit, weight in weights.items()},
                    None if none is None else high - none,
                )
                for high, (weights, none) in zip(most, self.at_most_one, strict=True)
            ]
            chains = [[(-lit, weight) for lit, weight in reversed(chain)] for chain in self.chains]
            yield GroupedSum(chains, missing, 0, total - self.lower)

    def choices(self, sink: ClauseSink) -> BoundedChoices | None:
        """Emit and return what adders of digits get of an upper bound; None if it always holds.

        An at-most-one group whose least value needs a true literal becomes a chain, for no sorter
        could count "no literal is true". Literals that alone exceed the bound are made false; the
        empty clause is emitted where the bound is below 0.
        """
        upper, chains = self.upper, [list(chain) for chain in self.chains]
        weights_of: list[dict[Lit, int]] = []
        for weights, none in self.at_most_one:
            if is_chained(weights, none):
                least, leaf = chained_leaf(weights, none, False, sink)
                steps = [above - below for below, above in pairwise(leaf.sums)]
                chains.append([*zip(leaf.outputs, steps, strict=True)])
            else:
                least = min(weights.values()) if none is None else none
                weights_of.append({lit: w - least for lit, w in weights.items() if w > least})
            upper -= least
        if upper < 0:
            sink.add_clause([])
            return None
        # No weight of what is left exceeds the bound.
        for pairs in (*chains, *(each.items() for each in weights_of)):
            for lit, weight in pairs:
                if weight > upper:
                    sink.add_clause([-lit])
        chains = [[pair for pair in chain if pair[1] <= upper] for chain in chains]
        weights_of = [{lit: w for lit, w in each.items() if w <= upper} for each in weights_of]
        found = BoundedChoices(upper, [*filter(None, chains)], [*filter(None, weights_of)])
        return found if found.total > upper else None

    def chained_leaves(self, sink: ClauseSink) -> tuple[int, list[SumNode]]:
        """Emit leaves with literals "at least this value", which imply each other in order.

        Returns the least value of the sum and the leaves, whose values count from 0. With a lower
        bound the literals are equivalent to what they say, otherwise only implied.
        """
        leaves, certain = list[SumNode](), 0
        for chain in self.chains:
            # Each literal implies the one before it: the literals are the unary count already.
            sums = (0, *accumulate(weight for _, weight in chain))
            leaves.append(SumNode(sums[-1], sums, [lit for lit, _ in chain]))
        for weights, none in self.at_most_one:
            least, leaf = chained_leaf(weights, none, self.lower > 0, sink)
            leaves.append(leaf)
            certain += least
        return certain, leaves


def is_chained(weights: Mapping[Lit, int], none: int | None) -> bool:
    """Whether the least value of an at-most-one group needs a true literal."""
    return none is not None and none > min(weights.values())


def values_of(weights: Mapping[Lit, int], none: int | None) -> list[int]:
    """Return the values of an at-most-one group in increasing order."""
    return sorted({*weights.values()} | (set() if none is None else {none}))


def _members(group: Group, left: dict[Lit, int]) -> int:
    """Return the number of literals of `group` that are in `left`, plain or negated."""
    return sum(lit in left or -lit in left for lit in group.lits)


def cut_off(node: SumNode, upper: int, sink: ClauseSink) -> SumNode:
    """Return a leaf without the sums above `upper`; emit that no sum above is reached."""
    kept = sum(value <= upper for value in node.sums)
    if kept == len(node.sums) or not kept:
        return node
    sink.add_clause([-node.outputs[kept - 1]])
    return SumNode(node.sums[kept - 1], node.sums[:kept], node.outputs[: kept - 1])


def chained_leaf(
    weights: Mapping[Lit, int], none: int | None, both_ways: bool, sink: ClauseSink
) -> tuple[int, SumNode]:
    """Emit the weight of an at-most-one group: of its true literal, `none` without a true literal.

    Returns the least weight of the group, which is always reached, and a node for the weight above
    the least one, with an output for each larger weight. With `both_ways` the outputs are
    equivalent to "the weight is reached", otherwise only implied.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=3)
    >>> chained_leaf({1: 2, 2: 2, 3: 5}, 0, False, f), list(f)
    ((0, SumNode(weight=5, sums=(0, 2, 5), outputs=[4, 3])), [[-1, 4], [-2, 4], [-3, 4]])
    """
    values = values_of(weights, none)
    # Where one literal is always true, no weight is left but the largest if no other one is.
    is_certain, none = none is None, values[-1] if none is None else none
    place = {value: at for at, value in enumerate(values)}
    top = [lit for lit, weight in weights.items() if weight == values[-1]]
    outputs = [sink.new_var() for _ in values[1:-1]]
    if len(values) > 1:
        is_own = len(top) == 1 and (is_certain or none < values[-1])
        outputs.append(top[0] if is_own else sink.new_var())

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
    # where no literal of a smaller weight is true, every output up to that of `none` is; where none
    # of a larger weight is, the output above is not.
    at = place[none]
    for upto in range(1, at + 1):
        if outputs[upto - 1] not in weights:
            sink.add_clause([outputs[upto - 1], *smaller(upto)])
    if both_ways and at < len(outputs):
        larger = [lit for lit, weight in weights.items() if place[weight] > at]
        if larger != [outputs[at]]:
            sink.add_clause([-outputs[at], *larger])
    # The outputs are a chain; a link that a clause above states already is not repeated.
    for less, more in pairwise(outputs):
        if [-more, less] not in ([-lit, outputs[place[w] - 1]] for lit, w in weights.items()):
            sink.add_clause([-more, less])
    sums = tuple(value - values[0] for value in values)
    return values[0], SumNode(sums[-1], sums, outputs)


def loose_leaf(
    weights: Mapping[Lit, int], none: int | None, sink: ClauseSink
) -> tuple[int, list[tuple[Lit, int]]]:
    """Emit the values of an at-most-one group as literals of their own, for an upper bound.

    Returns the least value, and for each larger one a literal with the value above the least one:
    the only literal of this weight, or a variable that literals of this weight imply. The variable
    of a value up to `none` is implied where no literal of a smaller weight is true.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=3)
    >>> loose_leaf({1: 2, 2: 2, 3: 5}, 0, f), list(f)
    ((0, [(4, 2), (3, 5)]), [[-1, 4], [-2, 4]])
    """
    values = values_of(weights, none)
    is_certain, none = none is None, values[-1] if none is None else none
    found: list[tuple[Lit, int]] = []
    for value in values[1:]:
        lits = [lit for lit, weight in weights.items() if weight == value]
        is_last = is_certain and value == none
        own = lits[0] if len(lits) == 1 and (is_last or value > none) else sink.new_var()
        for lit in lits:
            if lit != own:
                sink.add_clause([-lit, own])
        if value <= none and own not in weights:
            sink.add_clause([own, *(lit for lit, weight in weights.items() if weight < value)])
        found.append((own, value - values[0]))
    return values[0], found


def one_of(lits: Sequence[Lit], sink: ClauseSink) -> Lit:
    """Return a literal that each of `lits` implies: the only one, or a fresh variable."""
    if len(lits) == 1:
        return lits[0]
    own = sink.new_var()
    for lit in lits:
        sink.add_clause([-lit, own])
    return own
