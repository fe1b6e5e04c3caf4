"""Bounds of sums over groups of inputs, and their audit with the clauses of the groups beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from pbcnf.audit.bounds import Bound, BoundKind, weighted_bounds
from pbcnf.audit.examination import Audit, Property, audit_truth
from pbcnf.audit.scenarios import truth
from pbcnf.constraints.constraint import PseudoBoolean
from pbcnf.constraints.normal_form import WeightedSum, sum_of
from pbcnf.encoders.circuits.grouped_sums import Group, GroupedSum
from pbcnf.encoders.protocol import GroupedEncoder
from pbcnf.formula import Formula
from pbcnf.literals import Clause


@dataclass(frozen=True, slots=True)
class GroupedBound(Bound):
    """A bound of a weighted sum over groups of its inputs, see `Bound`.

    >>> print(GroupedBound((3, 1, 2), 0, 4, groups=((1, 2),)))
    0 <= 3*x1 + 1*x2 + 2*x3 <= 4, at most one of x1, x2
    """

    weighted: bool = True
    groups: tuple[tuple[int, ...], ...] = ()
    """Inputs of which at most one is true."""
    some: bool = False
    """Whether one input of each group is true for certain."""

    @property
    def kind(self) -> BoundKind:
        """The kind under which tables list the case."""
        if self.some:
            return BoundKind.GROUPED_SOME
        one_sided = self.lower == 0 or self.upper == sum(self.weights)
        return BoundKind.GROUPED if one_sided else BoundKind.GROUPED_RANGE

    @property
    def form(self) -> WeightedSum | None:
        """The normal form of the sum."""
        return sum_of(PseudoBoolean(range(1, self.n + 1), self.weights, self.lower, self.upper))

    @property
    def cut(self) -> GroupedSum | None:
        """The sum in its parts; None if no encoder with groups gets it."""
        form = self.form
        if form is None or not form.lits or form.clause() is not None:
            return None
        return GroupedSum.of(form, [Group(lits, some=self.some) for lits in self.groups])

    def __str__(self) -> str:
        """Return the case in words."""
        how = "exactly" if self.some else "at most"
        parts = [f"{how} one of {', '.join(f'x{v}' for v in group)}" for group in self.groups]
        return ", ".join([Bound.__str__(self), *parts])


def grouped_bounds(upto: int) -> Iterator[GroupedBound]:
    """Yield bounds of weighted sums of at most `upto` inputs over groups, some of every kind."""
    for at, bound in enumerate(weighted_bounds(upto)):
        n, inputs = bound.n, range(1, bound.n + 1)
        halves = tuple(inputs[: n - n // 2]), tuple(inputs[n - n // 2 :])
        partitions = [halves, tuple(zip(inputs[::2], inputs[1::2], strict=False)), (halves[1],)]
        # A third of the bounds each; every fourth says that one input of each group is true.
        groups = tuple(group for group in partitions[at % 3] if len(group) > 1)
        found = GroupedBound(
            bound.weights, bound.lower, bound.upper, groups=groups, some=at % 4 == 0
        )
        if groups and found.cut is not None:
            yield found


def audit_grouped(encoder: GroupedEncoder, bound: GroupedBound) -> Audit:
    """Examine the clauses of a sum over groups together with clauses that enforce the groups.

    These have a clause for each pair, and one for a group of which one input is true.
    """
    formula, clauses = Formula(num_vars=bound.n), list[Clause]()
    for group in bound.groups:
        clauses += [[-one, -other] for one, other in combinations(group, 2)]
        clauses += [list(group)] if bound.some else []
    form, cut = bound.form, bound.cut
    assert form is not None
    assert cut is not None
    encoder.encode_groups(cut, formula)
    clauses += [*([lit] for lit in form.units), *formula.clauses()]
    table = np.zeros((2,) * bound.n, dtype=np.bool_)
    for bits in product((0, 1), repeat=bound.n):
        counts = [sum(bits[v - 1] for v in group) for group in bound.groups]
        groups_hold = all(count == 1 or (count == 0 and not bound.some) for count in counts)
        total = sum(w for w, bit in zip(bound.weights, bits, strict=True) if bit)
        table[bits] = groups_hold and bound.lower <= total <= bound.upper
    found = audit_truth(clauses, formula.num_vars, bound.n, truth(table))
    judged = found.judged - {Property.PARSIMONIOUS}
    failures = {prop: why for prop, why in found.failures.items() if prop in judged}
    return Audit(found.size, judged, failures)
