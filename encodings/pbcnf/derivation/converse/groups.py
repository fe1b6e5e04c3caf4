"""The bounds of sums over groups of literals, from the clauses of the sums and the groups' rows.

What an encoder counts of a group are literals, each at least the sum of some literals of the group
(`group_parts`). So a bound on what the encoder counts, which is derived as for sums without groups,
is a bound on the literals of the groups. Where one literal of a group is true for certain, all of
them weigh something more.

Size: two steps for each literal of a group and each output, and those of the sum without groups;
of diagrams see `choice_diagram`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate
from types import MappingProxyType
from typing import Final

from pbcnf.derivation.converse import adders, choice_diagram, choice_sorter, counters, watchdogs
from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.converse.given_clauses import GivenClauses, lower_row, upper_row
from pbcnf.derivation.converse.group_parts import BoundBack, KeptRows
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, UnderivableError
from pbcnf.derivation.leaves import GroupRows
from pbcnf.encoders.circuits.grouped_sums import GroupedSum, values_of
from pbcnf.encoders.protocol import takes_groups
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import grouped_leaves
from pbcnf.formula import Formula
from pbcnf.literals import Lit


def _adder(back: BoundBack) -> None:
    of = back.terms()
    if of is not None:
        number = adders.derive(replace(back.left, of=of), back.state).upper
        assert number is not None
        back.upper.append((number, 1))


def _watchdog(back: BoundBack) -> None:
    of = back.terms()
    if of is not None:
        back.upper += watchdogs.shared(of, back.clauses)


def _tree(back: BoundBack) -> None:
    """Derive both bounds from a tree above leaves."""
    state, bound, clauses = back.state, back.bound, back.clauses
    tree = grouped_leaves(bound, Formula(back.next_var - 1))
    certain = sum(values_of(*each)[0] for each in bound.at_most_one)
    upper, lower = bound.upper - certain, max(bound.lower - certain, 0)
    parts: list[tuple[list[tuple[int, Lit]], list[int]]]
    parts = [([(weight, lit)], []) for chain in bound.chains for lit, weight in chain]
    for weights, none in bound.at_most_one:
        leaf = back.leaf(weights, none, bound.lower > 0)
        parts.append(([*zip(leaf.steps, leaf.outputs, strict=True)], leaf.links()))
    # Outputs above the bound are false, and with them the outputs behind.
    chains, links = list[list[tuple[int, Lit]]](), list[list[int]]()
    for terms, implied in parts:
        kept = sum(value <= upper for value in accumulate(step for step, _ in terms))
        false = 0
        for at in range(kept, len(terms)):
            step, lit = terms[at]
            hints = [implied[at - 1], false] if false else []
            false = state.propagate([-lit], hints) if hints else clauses[[-lit]]
            back.upper.append((false, step))
        if kept:
            chains.append(terms[:kept])
            links.append(implied[: kept - 1])
    of = back.sum([term for terms in chains for term in terms], lower, upper)
    if tree is None:
        if lower:
            [terms], [implied] = chains, links
            at = next(
                at for at, value in enumerate(accumulate(w for w, _ in terms)) if value >= lower
            )
            number = clauses[[terms[at][1]]]
            for place in range(at, -1, -1):
                back.lower.append((number, terms[place][0]))
                if place:
                    number = state.propagate([terms[place - 1][1]], [number, implied[place - 1]])
        return
    groups = [[lit for _, lit in terms] for terms in chains]
    found = counters.derive(replace(back.left, of=of), state, [*zip(groups, links, strict=True)])
    for numbers, bound_id in ((back.upper, found.upper), (back.lower, found.lower)):
        if bound_id is not None:
            # What is impossible implies everything.
            times = 2 * back.left.of.total if state.rows[bound_id].refutes(()) else 1
            numbers.append((bound_id, times))


_FAMILIES: Final[Mapping[str, Callable[[BoundBack], None]]] = MappingProxyType(
    {
        "adder": _adder,
        "decision_diagram": choice_diagram.derive,
        "mixed_radix_sorter": choice_sorter.derive,
        "generalized_totalizer": _tree,
        "global_polynomial_watchdog": _watchdog,
    }
)
"""Encoder -> the function that derives one upper bound over groups, or two."""


def derive_grouped_bounds(
    left: ClausesLeft, cut: GroupedSum, rows: GroupRows, state: DerivationState
) -> BoundIds:
    """Derive the bounds of a sum over groups from its clauses.

    Args:
        left: the sum with its clauses.
        cut: the sum in its parts.
        rows: what says that the groups hold.
        state: the derivation, which is continued.

    Raises UnderivableError for an encoder without such a way back, and if a bound does not follow.
    """
    of = left.of
    family = _FAMILIES.get(of.encoder.name)
    if family is None:
        raise UnderivableError(f"there is no way back from {of.encoder.name} over groups")
    assert takes_groups(of.encoder)
    clauses, next_var = GivenClauses(left, state), of.first
    exclusive = KeptRows(rows, state)
    found: list[int | None] = [None, None]
    together = of.encoder.name == "generalized_totalizer"
    for bound in [cut] if together else cut.one_sided():
        # A lower bound alone has been turned into an upper one.
        is_upper = of.at_most is not None and bound.at_most_one is cut.at_most_one
        back = BoundBack(bound, left, next_var, clauses, exclusive)
        empty = clauses.get()
        if empty is not None:
            # What is impossible implies everything.
            back.upper = back.lower = [(empty, 2 * of.total)]
        else:
            family(back)
        wanted = upper_row(of) if is_upper else lower_row(of)
        found[is_upper] = back.bounded(wanted, back.upper)
        if bound.lower:
            found[0] = back.bounded(lower_row(of), back.lower)
        again = Formula(next_var - 1)
        of.encoder.encode_groups(bound, again)
        next_var = again.num_vars + 1
    for is_upper, number in ((False, of.at_least), (True, of.at_most)):
        if number is not None and found[is_upper] is None:
            # It holds because of the groups alone.
            back = BoundBack(cut, left, next_var, clauses, exclusive)
            found[is_upper] = back.bounded(upper_row(of) if is_upper else lower_row(of), [])
    return BoundIds(*found)
