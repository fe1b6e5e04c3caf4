"""Sums over groups of literals that other constraints tie together, and the groups of a problem.

Diagrams, totalizers and watchdogs over groups are from the literature
(`pbcnf.encoders.circuits.grouped_sums` names it), the sorters are near to it. The adder over
groups is ours, and so is how the groups of a problem are found, whole at-most-one constraints first
and then greedy cliques of clauses of two literals, and when a sum gets them.

The clauses of a sum over groups are right only if the groups hold, so they must be enforced by
constraints that are encoded without groups themselves: in whole problems these are at-most-one
constraints and clauses of two literals, never other sums, which might rely on this one in turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from pbcnf.constraints.constraint import Constraint, Linear, Parity
from pbcnf.constraints.normal_form import WeightedSum, sum_of
from pbcnf.emission.dispatch import Emission, Kind, emission
from pbcnf.emission.encode import encode
from pbcnf.encoders.circuits.array_emission import add_flat
from pbcnf.encoders.circuits.grouped_sums import Group, GroupedSum
from pbcnf.encoders.protocol import Encoder, GroupedEncoder, Propagation, takes_groups
from pbcnf.encoders.table import ENCODERS, find_encoder
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize, LimitedFormula, TooManyClausesError
from pbcnf.literals import IntLike, Lit, literal, negate
from pbcnf.sink import ClauseSink, GuardedSink, NormalisingSink, require_allocated

__all__ = ["Conflicts", "Group", "encode_grouped", "grouped_emission"]


def encode_grouped(
    constraint: Linear,
    groups: Sequence[Group],
    sink: ClauseSink,
    encoder: str | Encoder | None = None,
    *,
    when: IntLike | None = None,
) -> None:
    """Add clauses that hold, where all groups do, exactly when the constraint does.

    The groups themselves are not encoded. Where no group has two literals of the sum, the clauses
    are those of `pbcnf.encode`, with `encoder`. So they are if no encoder is named and the sum is
    smaller without groups, as chosen by size, than in a generalized totalizer with groups; and if
    the sum is a clause or at most one. `when` is a literal that implies the sum.

    Raises as `pbcnf.encode` does, and ValueError for an encoder that uses no groups.

    >>> from pbcnf import Formula, PseudoBoolean, encode
    >>> total = PseudoBoolean(range(1, 10), [3, 5, 8] * 3, upper=14)
    >>> groups = [Group((1, 2, 3)), Group((4, 5, 6)), Group((7, 8, 9))]
    >>> alone, grouped, diagram = Formula(9), Formula(9), Formula(9)
    >>> encode(total, alone)
    >>> encode_grouped(total, groups, grouped)
    >>> encode_grouped(total, groups, diagram, "decision_diagram")
    >>> len(alone), len(grouped), len(diagram)
    (33, 27, 19)
    """
    guard = None if when is None else literal(when)
    named = None if encoder is None else _using_groups(find_encoder(encoder))
    require_allocated(constraint.lits if guard is None else (*constraint.lits, guard), sink)
    form, plain = sum_of(constraint), emission(constraint, encoder)
    tried = _weighing("generalized_totalizer") if named is None else named
    found = None if form is None else grouped_emission(form, groups, plain, [tried], named)
    if found is None:
        encode(constraint, sink, encoder, when=when)
    else:
        found.emit(sink if guard is None else GuardedSink(NormalisingSink(sink), -guard))


def grouped_emission(
    form: WeightedSum,
    groups: Iterable[Group],
    plain: Emission,
    tried: Sequence[GroupedEncoder],
    named: Encoder | None = None,
    limit: int = 0,
    most_clauses: int | None = None,
) -> Emission | None:
    """Return the emission of a sum with groups by one of the encoders `tried`, the best one first.

    None if the kind of the sum needs no weighted encoder, if no group has two literals of the sum,
    and, unless the encoder is `named`, if none of those tried is worth it: has fewer variables and
    clauses than `plain`, the emission without groups, or finds more and has `limit` clauses at
    most. Of those that are, the ones that find most are better, and then the smallest. None as well
    for a named encoder that would emit several times `most_clauses` clauses.
    """
    if plain.kind not in (Kind.CARDINALITY, Kind.PSEUDO_BOOLEAN):
        return None
    cut = GroupedSum.of(form, groups)
    if cut is None:
        return None
    size, before = plain.size(), _strength(plain.encoder)
    most = size.variables + size.clauses
    best: tuple[tuple[int, int], GroupedEncoder, _Trial] | None = None
    # What finds more comes first: nothing that finds less is better then.
    for encoder in sorted(tried, key=lambda each: -_strength_of_groups(each)):
        strength = _strength_of_groups(encoder)
        if best is not None and strength < -best[0][0]:
            break
        # What would be far too large is not even tried.
        allowed = 4 * (max(most, limit) if named is None else most_clauses or 10**9)
        if encoder.grouped_steps(cut) > allowed:
            continue
        # What finds nothing takes no place of what finds something, however small it is.
        may_be_small = strength >= min(before, 1)
        worth = max(limit if strength > before else 0, most if may_be_small else 0)
        if best is not None:
            worth = min(worth, best[0][1])
        # The exact size of the grouped sum is found by emitting it into a trial formula.
        trial = _Trial(max(map(abs, form.lits)), None if named is not None else worth)
        try:
            encoder.encode_groups(cut, trial)
        except TooManyClausesError:
            continue
        together = trial.size.variables + trial.size.clauses
        stronger = strength > before and trial.size.clauses <= limit
        if named is not None or (together < most and may_be_small) or stronger:
            rank = (-strength, together)
            if best is None or rank < best[0]:
                best = rank, encoder, trial
    if best is None:
        return None
    _, chosen, kept = best

    def emit(sink: ClauseSink) -> None:
        for lit in form.units:
            sink.add_clause([lit])
        kept.emit(sink)

    return Emission(plain.kind, emit, chosen, len(form.lits), lambda: kept.size, cut)


class _Trial(LimitedFormula):
    """Clauses of a sum over groups in memory, up to a limit unless that is None."""

    def __init__(self, inputs: int, most_clauses: int | None) -> None:
        super().__init__(inputs, most_clauses)
        self._inputs = inputs

    @property
    def size(self) -> EncodingSize:
        """The size of the clauses, without the inputs."""
        return EncodingSize(self.num_vars - self._inputs, self.num_clauses, self.num_literals)

    def emit(self, sink: ClauseSink) -> None:
        """Emit the clauses with auxiliary variables of `sink`."""
        behind = sink.new_vars(self.size.variables) - self._inputs - 1
        for flat in self.terminated():
            shift = np.where(flat > self._inputs, behind, 0) - np.where(
                flat < -self._inputs, behind, 0
            )
            add_flat(sink, flat + shift.astype(np.int32))


def _strength_of_groups(encoder: GroupedEncoder) -> int:
    """Return the place in `_STRENGTHS` of what an encoder finds of one bound over groups."""
    return _STRENGTHS.index(encoder.grouped_propagation)


_STRENGTHS: Final = [Propagation.NONE, Propagation.DETECTS, Propagation.ARC_CONSISTENT]


def _strength(encoder: object) -> int:
    """Return the place in `_STRENGTHS` of what an encoder finds of one bound; -1 without one."""
    claim = getattr(encoder, "weighted_propagation", getattr(encoder, "propagation", None))
    return -1 if claim is None else _STRENGTHS.index(claim)


def _using_groups(encoder: Encoder) -> GroupedEncoder:
    if not takes_groups(encoder):
        known = ", ".join(each.name for each in encoders_with_groups())
        raise EncodingError(f"{encoder.name} uses no groups; what does: {known}")
    return encoder


def _weighing(name: str) -> GroupedEncoder:
    return _using_groups(find_encoder(name))


def encoders_with_groups() -> list[GroupedEncoder]:
    """Return the encoders of the table that use groups."""
    return [each for each in ENCODERS.values() if takes_groups(each)]


_MOST_PAIRS: Final = 2**23
"""The most pairs of literals of a sum among which groups are looked for."""


class Conflicts:
    """Pairs of literals that at-most-one constraints and clauses of a problem exclude.

    A pair in one at-most-one constraint is never stored: a *clique* is that constraint's literals.
    """

    def __init__(self, constraints: Iterable[Constraint]) -> None:
        """Take the constraints of a problem; others than at-most-one and clauses say nothing."""
        self._cliques: list[tuple[Lit, ...]] = []
        self._origins: list[int] = []
        """For each clique the place of its constraint."""
        self._certain: dict[frozenset[Lit], int] = {}
        """The cliques of which one literal is always true, with the place of the constraint."""
        self._of: dict[Lit, list[int]] = defaultdict(list)
        """Literal -> the places of the cliques that contain the literal."""
        self._pairs: dict[Lit, dict[Lit, int]] = defaultdict(dict)
        """Literal -> literals that clauses exclude beside it -> the place of the clause."""
        for place, constraint in enumerate(constraints):
            if isinstance(constraint, Parity):
                continue
            form = sum_of(constraint)
            if form is None or not form.lits or max(form.weights) > 1:
                continue
            n, clause = len(form.lits), form.clause()
            if clause is not None:
                if n == 2:
                    one, other = negate(clause)
                    self._pairs[one].setdefault(other, place)
                    self._pairs[other].setdefault(one, place)
                continue
            if form.upper == 1:
                self._add(form.lits, form.lower == 1, place)
            if form.lower == n - 1:
                self._add(negate(form.lits), form.upper == n - 1, place)

    def _add(self, lits: Sequence[Lit], certain: bool, origin: int) -> None:
        if certain:
            self._certain.setdefault(frozenset(lits), origin)
        for lit in lits:
            self._of[lit].append(len(self._cliques))
        self._cliques.append(tuple(lits))
        self._origins.append(origin)

    def origin(self, lits: Sequence[Lit], certain: bool = False) -> int | None:
        """Return the place of a constraint that says "at most one of `lits`", None without one.

        A clause of two literals is one. With `certain` the constraint says that one is true.
        """
        if certain:
            return self._certain.get(frozenset(lits))
        common = set.intersection(*(set(self._of.get(lit, ())) for lit in lits))
        if common:
            return self._origins[min(common)]
        return self._pairs.get(lits[0], {}).get(lits[1]) if len(lits) == 2 else None

    def of(self, lit: Lit) -> set[Lit]:
        """Return the literals that are false where `lit` is true."""
        found = set(self._pairs.get(lit, ()))
        for place in self._of.get(lit, ()):
            found.update(self._cliques[place])
        return found - {lit}

    def groups(self, lits: Sequence[Lit]) -> list[Group]:
        """Return groups of literals, or their negations, of distinct variables: greedy cliques.

        First come whole at-most-one constraints, the ones with most literals of the sum first; what
        is left is gathered one by one around the literal with most conflicts.

        >>> from pbcnf import Cardinality
        >>> rows = [Cardinality([1, 2, 5], upper=1), Cardinality([-3, -4], lower=1)]
        >>> Conflicts(rows).groups([1, 2, 3, 4])
        [Group(lits=(1, 2), chain=False, some=False), Group(lits=(3, 4), chain=False, some=False)]
        """
        left = {*lits, *negate(lits)}
        parts = defaultdict[int, list[Lit]](list)
        for lit in sorted(left, key=lambda lit: (abs(lit), lit < 0)):
            for place in self._of.get(lit, ()):
                parts[place].append(lit)
        found: list[Group] = []

        def take(some: Sequence[Lit]) -> None:
            found.append(Group(tuple(some), some=frozenset(some) in self._certain))
            left.difference_update(some, negate(some))

        for part in sorted(parts.values(), key=len, reverse=True):
            still = [lit for lit in part if lit in left]
            if len(still) > 1:
                take(still)
        # Of each at-most-one constraint one literal is left at most: what is left are pairs.
        near = {
            lit: self._pairs[lit].keys() & left
            for lit in sorted(left, key=abs)
            if lit in self._pairs
        }
        if sum(map(len, near.values())) > 2 * _MOST_PAIRS:
            return found
        for lit in sorted(near, key=lambda lit: -len(near[lit])):
            clique, around = [lit], near[lit] & left
            while lit in left and around:
                # The nearest by number: variables of one group mostly follow each other.
                other = min(around, key=lambda other: (abs(abs(other) - abs(lit)), other))
                clique.append(other)
                around &= near[other]
            if lit in left and len(clique) > 1:
                take(clique)
        return found

    def require(self, group: Group) -> None:
        """Raise EncodingError unless the problem itself says what `group` does."""
        lits = group.lits
        if group.some and frozenset(lits) not in self._certain:
            raise EncodingError(f"the problem does not say that one of {[*lits]} is true")
        pairs = (
            [(-one, other) for one, other in pairwise(lits)]
            if group.chain
            else [(a, b) for i, a in enumerate(lits) for b in lits[i + 1 :]]
        )
        for one, other in pairs:
            if other not in self.of(one):
                raise EncodingError(
                    f"no at-most-one constraint or clause of the problem excludes {one} and {other}"
                    " together, as a group demands"
                )
