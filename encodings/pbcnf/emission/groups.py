"""Sums over groups of literals that other constraints tie together: at most one, or a chain.

A group is one leaf of a tree that adds attainable sums
(`pbcnf.encoders.pseudo_boolean.generalized_totalizer`) and has one value for each weight that the
group can have; otherwise each literal would be a leaf. Other clauses must enforce the groups: the
clauses of the sum are right only if the groups hold.

Reference: Bofill, Coll, Suy, Villaret: Compact MDDs for pseudo-Boolean constraints with at-most-one
relations in resource-constrained scheduling problems, IJCAI 2017, for the idea with diagrams.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from pbcnf.constraints.constraint import Linear
from pbcnf.constraints.normal_form import WeightedSum, sum_of
from pbcnf.emission.dispatch import Kind, emission
from pbcnf.emission.encode import encode
from pbcnf.encoders.circuits.sum_tree import Bounds, SumNode, add_up, forbid
from pbcnf.formula import Formula
from pbcnf.literals import IntLike, Lit, literal
from pbcnf.sink import ClauseSink, GuardedSink, NormalisingSink, require_allocated


@dataclass(frozen=True, slots=True)
class Group:
    """Literals of which at most one is true or, in a `chain`, each implies its predecessor."""

    lits: tuple[Lit, ...]
    chain: bool = False


def encode_grouped(
    constraint: Linear, groups: Sequence[Group], sink: ClauseSink, *, when: IntLike | None = None
) -> None:
    """Add clauses that hold, where all groups do, exactly when the constraint does.

    The groups themselves are not encoded. Where no group has two literals of the sum, or the sum is
    smaller without groups, the clauses are those of `pbcnf.encode`. `when` is a literal that
    implies the sum.

    Raises as `pbcnf.encode` does.

    >>> from pbcnf import Formula, PseudoBoolean, encode
    >>> total = PseudoBoolean(range(1, 10), [3, 5, 8] * 3, upper=14)
    >>> groups = [Group((1, 2, 3)), Group((4, 5, 6)), Group((7, 8, 9))]
    >>> alone, grouped = Formula(9), Formula(9)
    >>> encode(total, alone)
    >>> encode_grouped(total, groups, grouped)
    >>> len(alone), len(grouped)
    (33, 28)
    """
    guard = None if when is None else literal(when)
    require_allocated(constraint.lits if guard is None else (*constraint.lits, guard), sink)
    form, plain = sum_of(constraint), emission(constraint, None)
    if form is not None and plain.kind in (Kind.CARDINALITY, Kind.PSEUDO_BOOLEAN):
        size = plain.size()
        found = _Parts.of(form, groups)
        if found is not None and found.pairs() <= 4 * (size.variables + size.clauses):
            # The exact size of the grouped sum is found by emitting it into a trial formula.
            trial = Formula(sink.num_vars)
            found.emit(trial)
            added = trial.num_vars - sink.num_vars + trial.num_clauses
            if added < size.variables + size.clauses:
                target = sink if guard is None else GuardedSink(NormalisingSink(sink), -guard)
                for lit in form.units:
                    target.add_clause([lit])
                found.emit(target)
                return
    encode(constraint, sink, when=when)


@dataclass(frozen=True, slots=True)
class _Parts:
    """A sum cut into chains and at-most-one groups; ``lower == 0`` for an upper bound alone."""

    chains: list[list[tuple[Lit, int]]]
    """Chains of literals with their weights; a literal implies its predecessor."""
    at_most_one: list[tuple[dict[Lit, int], int]]
    """For each group the weight by its true literal, and the weight if no literal is true."""
    lower: int
    upper: int

    @staticmethod
    def of(form: WeightedSum, groups: Iterable[Group]) -> _Parts | None:
        """Return a sum cut into its groups; None if no group has two literals of the sum."""
        sign = -1 if form.upper == sum(form.weights) else 1
        left = {sign * lit: w for lit, w in zip(form.lits, form.weights, strict=True)}
        lower, upper = form.lower, form.upper
        if sign < 0:  # A lower bound is an upper bound of the negated literals.
            lower, upper = 0, sum(form.weights) - form.lower
        chains, single = list[list[tuple[Lit, int]]](), list[tuple[dict[Lit, int], int]]()
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
                single.append((weights, none))
        if not single and all(len(chain) < 2 for chain in chains):
            return None
        return _Parts([*chains, *([pair] for pair in left.items())], single, lower, upper)

    def pairs(self) -> int:
        """Return an upper limit of the number of pairs of sums that the tree adds."""
        values = [len(chain) + 1 for chain in self.chains]
        values += [len({none, *weights.values()}) for weights, none in self.at_most_one]
        # Numbers of values are multiplied two by two, as the tree adds its leaves up; sums beyond
        # the bound are all one value.
        found = 0
        while len(values) > 1:
            left, right = values.pop(), values.pop()
            found += left * right
            values.insert(0, min(left * right, self.upper + 1))
        return found

    def emit(self, sink: ClauseSink) -> None:
        """Emit the leaves, the tree above the leaves, and the clauses of the bounds."""
        leaves, certain = list[SumNode](), 0
        for chain in self.chains:
            # Each literal implies the one before it: the literals are the unary count already.
            sums = (0, *accumulate(weight for _, weight in chain))
            leaves.append(SumNode(sums[-1], sums, [lit for lit, _ in chain]))
        for weights, none in self.at_most_one:
            least, leaf = _at_most_one(weights, none, self.lower > 0, sink)
            leaves.append(leaf)
            certain += least
        # Each leaf counts from 0: the least weight of its group is subtracted from the bounds.
        upper, lower = self.upper - certain, max(self.lower - certain, 0)
        nodes = [_cut(leaf, upper, sink) for leaf in leaves]
        nodes.sort(key=lambda node: -node.weight)
        total = sum(node.weight for node in nodes)
        if upper < 0 or lower > total:
            sink.add_clause([])
            return
        if upper >= total and lower == 0:
            return
        half = len(nodes) // 2
        # The sums of the tree lie evenly if those of all leaves have one distance.
        steps = {b - a for node in nodes for a, b in pairwise(node.sums)}
        step = steps.pop() if len(steps) == 1 else 0
        bounds = Bounds(lower, min(upper, total), total, step)
        if half == 0:
            if lower:  # the only leaf reaches the first of its sums that is enough
                [node] = nodes
                at = next(at for at, value in enumerate(node.sums) if value >= lower)
                sink.add_clause([node.outputs[at - 1]])
            return
        left, right = add_up(nodes[:half], bounds, sink), add_up(nodes[half:], bounds, sink)
        forbid(left, right, bounds, sink)


def _members(group: Group, left: dict[Lit, int]) -> int:
    """Return the number of literals of `group` that are in `left`, plain or negated."""
    return sum(lit in left or -lit in left for lit in group.lits)


def _cut(node: SumNode, upper: int, sink: ClauseSink) -> SumNode:
    """Return a leaf without the sums above `upper`; emit that no sum above is reached."""
    kept = sum(value <= upper for value in node.sums)
    if kept == len(node.sums) or not kept:
        return node
    sink.add_clause([-node.outputs[kept - 1]])
    return SumNode(node.sums[kept - 1], node.sums[:kept], node.outputs[: kept - 1])


def _at_most_one(
    weights: Mapping[Lit, int], none: int, both_ways: bool, sink: ClauseSink
) -> tuple[int, SumNode]:
    """Emit the weight of an at-most-one group: of its true literal, `none` without a true literal.

    Returns the least weight of the group, which is always reached, and a node for the weight above
    the least one, with an output for each larger weight. With `both_ways` the outputs are
    equivalent to "the weight is reached", otherwise only implied.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=3)
    >>> _at_most_one({1: 2, 2: 2, 3: 5}, 0, False, f), list(f)
    ((0, SumNode(weight=5, sums=(0, 2, 5), outputs=[4, 3])), [[-1, 4], [-2, 4], [-3, 4]])
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
    return values[0], SumNode(sums[-1], sums, outputs)
