"""Sums over groups: a group becomes a sum of literals, and the clauses are derived from their sum.

What an encoder counts of a group are literals of its leaf or of its digits
(`pbcnf.encoders.circuits.grouped_sums`), whose sum is at most what the literals of the group weigh
(`leaves`). From the bound on them the derivation is that of a sum without groups: of adders,
watchdogs, sorters, of the generalized totalizer above leaves. In a diagram a node says what the
literals from its level on weigh at most.

Size: a step for each definition, two or three for each output of a leaf; for each clause as without
groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from pbcnf.derivation.derivation_state import BoundIds, DerivationState, Parts, UnderivableError
from pbcnf.derivation.encoded_constraint import derive_normal_form
from pbcnf.derivation.encoded_sum import EmittedConstraint, EncodedSum, Walk
from pbcnf.derivation.families import derive_sum
from pbcnf.derivation.inequalities import Terms, linear_inequality
from pbcnf.derivation.leaves import GroupLeaf, GroupRows, balanced, forget, weight_in
from pbcnf.derivation.networks.falling import Chain, Falling
from pbcnf.derivation.networks.mixed_radix import derive_choices
from pbcnf.derivation.watchdogs import TotalizerBlock, derive_watchdog
from pbcnf.derivation.weighted_totalizers import PartialSum, derive_tree
from pbcnf.encoders.circuits.choice_diagrams import GroupedDiagram
from pbcnf.encoders.circuits.diagrams import FALSE, TRUE
from pbcnf.encoders.circuits.grouped_sums import (
    BoundedChoices,
    GroupedSum,
    chained_leaf,
    is_chained,
    values_of,
)
from pbcnf.encoders.protocol import takes_groups
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import grouped_leaves, is_reduced
from pbcnf.formula import Formula
from pbcnf.literals import Lit
from pbcnf.wording import counted


class _BoundWalk:
    """The walk along the clauses of a bound of the parts, from rows on the inputs.

    ``row`` is the upper bound, ``low`` the lower one if both share their clauses, else None.
    """

    def __init__(
        self, bound: GroupedSum, row: int, walk: Walk, rows: GroupRows, low: int | None
    ) -> None:
        if any(len(chain) > 1 for chain in bound.chains):
            raise UnderivableError("no row of a problem says that literals are a chain")
        self.bound, self.row, self.walk, self.rows, self.low = bound, row, walk, rows, low
        self.state = walk.state

    def add(self, parts: Parts, certain: Iterable[Mapping[Lit, int]] = ()) -> None:
        """Add `parts` to the row, see `balanced`."""
        self.row = balanced(self.row, parts, certain, self.rows, self.state)

    def weight(self, lit: Lit) -> int:
        """Return the weight of a literal in the row, read as ``sum of weights <= bound``."""
        return -weight_in(self.state, self.row, lit)

    def require(self, terms: Terms, upper: int) -> None:
        """Raise UnderivableError unless the row says that the terms are at most `upper`."""
        least = sum(weight for weight, _ in terms) - upper
        if self.state.rows[self.row] != linear_inequality([(w, -lit) for w, lit in terms], least):
            raise UnderivableError("a bound of the groups' sum does not follow")

    def terms(self) -> tuple[Terms, int] | None:
        """Derive what `GroupedSum.choices` and `BoundedChoices.terms` emit.

        Returns the terms and the bound that the row is then; None if it always holds.
        """
        choices = self.choices()
        if choices is None:
            return None
        terms = [(weight, lit) for chain in choices.chains for lit, weight in chain]
        parts = list[tuple[int, int]]()
        for some, weight in choices.alternatives():
            [own] = some if len(some) == 1 else self.walk.new_vars(1)
            if len(some) > 1:
                self.state.define_or(own, some)
                self.walk.derive(len(some))
                parts.append((self.state.if_false[-own], weight))
                forget(self.state, [own])
            terms.append((weight, own))
        self.add(parts)
        self.require(terms, choices.upper)
        return terms, choices.upper

    def choices(self, chains: list[Falling] | None = None) -> BoundedChoices | None:
        """Derive what `GroupedSum.choices` emits.

        Returns the choices, on whose literals the row is a bound then; None if it always holds.
        Chains of literals are appended to `chains`, unless that is None.
        """
        walk, again = self.walk, Formula(self.walk.next_var - 1)
        choices = self.bound.choices(again)
        emitted = len(walk.derived) + again.num_clauses
        parts: list[tuple[int, int]] = []
        certain: list[dict[Lit, int]] = []
        for weights, none in self.bound.at_most_one:
            if is_chained(weights, none):
                leaf_only = Formula(walk.next_var - 1)
                _, node = chained_leaf(weights, none, False, leaf_only)
                walk.new_vars(leaf_only.num_vars + 1 - walk.next_var)
                leaf = GroupLeaf(weights, none, node.outputs, walk, self.rows)
                leaf.derive(leaf_only.num_clauses)
                if chains is not None:
                    chains.append(Chain(node.outputs, [*leaf.links().values()], self.state))
                forget(self.state, node.outputs)
                parts += leaf.parts
            elif none is None:
                least = min(weights.values())
                certain.append({lit: weight - least for lit, weight in weights.items()})
        self.add(parts, certain)
        # Literals that exceed the bound alone are false, and leave the row: they are at least 0.
        gone: list[tuple[Lit, int]] = []
        for clause in walk.clauses(emitted - len(walk.derived)):
            walk.derived.append(self.state.propagate(clause, [self.row]))
            gone += [(-lit, self.weight(-lit)) for lit in clause]
        if choices is None:
            return None
        if gone:
            self.row = self.state.add([(self.row, 1)], gone)
        return choices


def _adder(of: _BoundWalk) -> None:
    """Derive the adders of the digits like adders of a sum without groups."""
    walk, made = of.walk, Formula(of.walk.next_var - 1)
    assert takes_groups(walk.of.encoder)
    walk.of.encoder.encode_groups(of.bound, made)
    end = len(walk.derived) + made.num_clauses
    found = of.terms()
    if found is None:
        return
    terms, upper = found
    clauses = walk.clauses(end - len(walk.derived))
    lits, weights = tuple(lit for _, lit in terms), tuple(weight for weight, _ in terms)
    numbers = 0, upper, None, of.row, walk.next_var
    walk.derived += derive_sum(
        EncodedSum(walk.of.encoder, lits, weights, *numbers, clauses), walk.state
    )
    walk.new_vars(made.num_vars + 1 - walk.next_var)


def _watchdog(of: _BoundWalk) -> None:
    """Derive the watchdog of the digits."""
    found = of.terms()
    if found is None:
        return
    terms, upper = found
    lits, weights = [lit for _, lit in terms], [weight for weight, _ in terms]
    derive_watchdog(lits, weights, upper, of.row, TotalizerBlock(of.walk))


def _sorter(of: _BoundWalk) -> None:
    """Derive the sorters and mergers of the digits in a mixed radix."""
    chains: list[Falling] = []
    choices = of.choices(chains)
    if choices is not None:
        derive_choices(of.walk, choices, chains, of.row)


def _tree(of: _BoundWalk) -> None:
    """Derive the generalized totalizer above leaves, of one bound or two."""
    walk, state, bound, both, low = of.walk, of.state, of.bound, of.bound.lower > 0, of.low
    whole = Formula(walk.next_var - 1)
    tree = grouped_leaves(bound, whole)
    end = len(walk.derived) + whole.num_clauses
    certain, leaves = 0, list[GroupLeaf]()
    for weights, none in bound.at_most_one:
        alone = Formula(walk.next_var - 1)
        least, node = chained_leaf(weights, none, both, alone)
        walk.new_vars(alone.num_vars + 1 - walk.next_var)
        leaves.append(GroupLeaf(weights, none, node.outputs, walk, of.rows, both=both))
        leaves[-1].derive(alone.num_clauses)
        certain += least
    settled = [leaf.left for leaf in leaves if leaf.certain]
    of.add([part for leaf in leaves for part in leaf.parts], settled)
    if low is not None:
        parts = [part for leaf in leaves for part in leaf.reversed]
        low = balanced(low, parts, settled, of.rows, state, lower=True)
    upper, lower = bound.upper - certain, max(bound.lower - certain, 0)
    # Outputs above the bound are false, and with them the outputs behind: they leave both rows.
    gone, units = list[tuple[int, Lit]](), list[tuple[int, int]]()
    chains = [[(weight, lit)] for chain in bound.chains for lit, weight in chain]
    implied: list[list[int]] = [[] for _ in chains]
    for leaf in leaves:
        implied.append(leaf.settle())
        chains.append(leaf.terms)
    terms = list[tuple[int, Lit]]()
    for chain, links in zip(chains, implied, strict=True):
        value, false = 0, 0
        for at, (step, lit) in enumerate(chain):
            value += step
            if value <= upper or upper < 0:
                terms.append((step, lit))
                continue
            if false:
                false = state.propagate([-lit], [links[at - 1], false])
            else:
                false = state.propagate([-lit], [of.row, *links[:at]])
                walk.derived.append(false)
            gone.append((step, lit))
            units.append((false, step))
    if gone:
        of.row = state.add([(of.row, 1)], [(lit, step) for step, lit in gone])
        low = state.add([(low, 1), *units]) if low is not None else None
    of.require(terms, upper)
    if tree is None:
        known = [of.row] if low is None else [of.row, low]
        for clause in walk.clauses(end - len(walk.derived)):
            walk.derived.append(state.derive_clause(clause, *known))
        return
    nodes, bounds = tree
    own = {lit: (step, lit) for step, lit in terms}
    grown = [
        (node, PartialSum([own[lit] for lit in node.outputs], node.sums, node.outputs))
        for node in nodes
    ]
    encoded = EncodedSum(
        walk.of.encoder,
        tuple(lit for _, lit in terms),
        tuple(step for step, _ in terms),
        bounds.lower,
        bounds.upper,
        low if lower else None,
        of.row if upper < bounds.total else None,
        walk.next_var,
        walk.clauses(len(walk.of.clauses)),
    )
    walk.derived += derive_tree(grown, bounds, encoded, state, reduced=is_reduced(bounds))


def _diagram(of: _BoundWalk) -> None:
    """Derive the diagram: a node says what the parts from its level on weigh at most.

    That is the least of what its children leave, each with the value of its edge.
    """
    walk, state, plan = of.walk, of.state, GroupedDiagram.of(of.bound)
    leaves: list[tuple[GroupLeaf | None, list[Lit], int]] = []
    first = walk.next_var
    if plan is None:
        for group in of.bound.at_most_one:
            lits = [state.fresh() for _ in values_of(*group)[1:]]
            leaves.append((GroupLeaf(*group, lits, walk, of.rows), lits, 0))
    else:
        walk.new_vars(int(plan.free.sum()))
        for level, part in enumerate(plan.parts):
            alone = Formula(walk.next_var - 1)
            lits = plan.literals(level, alone)
            walk.new_vars(alone.num_vars + 1 - walk.next_var)
            leaf = None
            if isinstance(part, tuple):
                leaf = GroupLeaf(*part, lits, walk, of.rows, loose=plan.is_loose(level))
            leaves.append((leaf, lits, alone.num_clauses))
    groups = [leaf for leaf, _, _ in leaves if leaf is not None]
    of.add([part for leaf in groups for part in leaf.parts], [g.left for g in groups if g.certain])
    if plan is None:  # Not even the least values are within the bound.
        walk.derived.append(state.propagate(walk.clauses(1)[0], [of.row]))
        return
    # The terms of all levels; those of a level and the ones below are a tail of them. Of a level
    # without a leaf these are the literals with the steps between the values.
    terms, starts = list[tuple[int, Lit]](), list[int]()
    for values, (leaf, lits, _) in zip(plan.values, leaves, strict=True):
        starts.append(len(terms))
        steps = (more - less for less, more in pairwise(values))
        terms += zip(steps, lits, strict=True) if leaf is None else leaf.terms
    of.require(terms, plan.upper)
    most = dict[int, int]()
    levels = [*zip(plan.diagram.first, plan.diagram.children, plan.values, starts, strict=True)]
    for first_node, rows, values, _ in reversed(levels):
        for node, row in enumerate(rows.tolist(), start=first_node):
            most[node] = min(
                value + (-1 if child == FALSE else most[child])
                for value, child in zip(values, row, strict=True)
                if child != TRUE
            )
    var = first
    for first_node, rows, _, start in levels:
        total = sum(weight for weight, _ in terms[start:])
        for node in range(first_node, first_node + len(rows)):
            if plan.free[node]:
                state.define(var, [(w, -lit) for w, lit in terms[start:]], total - most[node])
                var += 1
    for level, (leaf, lits, clauses) in enumerate(leaves):
        if leaf is not None:
            leaf.derive(clauses)
            leaf.settle()
        walk.derive(sum(map(len, plan.clauses(level, lits, first))), of.row)


_FAMILIES: Final[Mapping[str, Callable[[_BoundWalk], None]]] = MappingProxyType(
    {
        "adder": _adder,
        "decision_diagram": _diagram,
        "generalized_totalizer": _tree,
        "global_polynomial_watchdog": _watchdog,
        "mixed_radix_sorter": _sorter,
    }
)
"""Encoder -> the function that derives the clauses of one upper bound over groups."""


def derive_grouped(
    of: EmittedConstraint,
    cut: GroupedSum,
    given: BoundIds,
    rows: GroupRows,
    state: DerivationState,
) -> list[int]:
    """Derive the clauses of a sum over groups; return their numbers, in order.

    Args:
        of: the sum, with the units of its normal form before the encoder's clauses.
        cut: the sum in its parts.
        given: the numbers of the sum's bounds.
        rows: what says that the groups hold.
        state: the derivation, which is continued.

    Raises UnderivableError for an encoder without such a derivation, and if a clause does not
    follow.
    """
    encoder, form = of.encoder, of.form
    family = None if encoder is None else _FAMILIES.get(encoder.name)
    if encoder is None or form is None or family is None:
        name, known = getattr(encoder, "name", None), ", ".join(_FAMILIES)
        raise UnderivableError(f"{name} over groups cannot be derived; {known} can")
    found = derive_normal_form(form, given, state)
    units = [*found.units]
    encoded = of.sum(found.at_least, found.at_most)
    walk = Walk(encoded, state, of.first)
    together = encoder.name == "generalized_totalizer"
    for bound in [cut] if together else cut.one_sided():
        # A lower bound alone has been turned into an upper one; of two bounds the upper one is over
        # the parts as they are.
        is_upper = found.at_most is not None and bound.at_most_one is cut.at_most_one
        row = found.at_most if is_upper else found.at_least
        assert row is not None
        low = found.at_least if bound.lower else None
        family(_BoundWalk(bound, row, walk, rows, low))
        forget(state, form.lits)
    if len(walk.derived) != len(encoded.clauses):
        number = counted(len(encoded.clauses), "clause")
        raise UnderivableError(f"derived are {len(walk.derived)} of {number}")
    return units + walk.derived
