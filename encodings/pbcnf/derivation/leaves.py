"""Groups of literals in derivations: the rows that say what they do, and the outputs of a leaf.

Each output y of a leaf is defined by the literals of the group, mostly as "one of these is true",
and the definition says ``y <= sum of these``: what y weighs is taken from what the literals weigh
in a bound, so that a bound on all y is left, in one step.

That at most one literal of the group is true is needed in three cases only: where y says "none of
these is true", ``y <= 1 - sum of these``; where one literal is true for certain, which takes what
all of them weigh from both sides; and for the other direction ``y >= sum of these`` of two bounds
in one tree. It is derived from the row of the problem that says it, or for a clique of clauses
literal by literal: ``m - 1`` times ``l1 + ... + lm <= 1`` and the m clauses with one further
literal are divided by m.

The outputs of a leaf imply each other in order. Of a leaf with steps s1, s2, ... between its
values, ``s1 y1 + s2 y2 + ...`` is its value; if yi is true it is at least value i, and if yi is
false at most value i - 1: sums of "output j implies output j - 1" with the steps as factors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from pbcnf.constraints.constraint import Linear
from pbcnf.constraints.normal_form import sum_of
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, Parts, UnderivableError
from pbcnf.derivation.encoded_constraint import declare_bounds, derive_normal_form
from pbcnf.derivation.encoded_sum import Walk
from pbcnf.derivation.inequalities import linear_inequality
from pbcnf.emission.groups import Conflicts
from pbcnf.encoders.circuits.grouped_sums import values_of
from pbcnf.literals import Lit


class GroupRows:
    """Rows that say what groups of literals do, derived from the constraints of a problem.

    ``given``: the constraints, each with the numbers of its bounds.
    """

    def __init__(self, given: Sequence[tuple[Linear, BoundIds]], state: DerivationState) -> None:
        self._given, self._state = given, state
        self._conflicts = Conflicts(constraint for constraint, _ in given)

    def at_most_one(self, lits: Sequence[Lit]) -> int:
        """Return the number of ``sum of lits <= 1``, which the negated literals say."""
        origin = self._conflicts.origin(lits)
        if origin is not None:
            return self._of_constraint(origin, lits)
        # Literal by literal: m - 1 times "at most one of m literals", and "at most one" of each of
        # these and the next literal, are m times "at most one of m + 1", but for a rest below m.
        number = self.at_most_one(lits[:2]) if len(lits) > 2 else None
        if number is None:
            raise UnderivableError(f"no constraint says that one of {[*lits]} is false")
        for m in range(2, len(lits)):
            pairs = [(self.at_most_one([lit, lits[m]]), 1) for lit in lits[:m]]
            number = self._state.add([(number, m - 1), *pairs], divisor=m)
        return number

    def one_of(self, lits: Sequence[Lit]) -> int:
        """Return the number of ``sum of lits >= 1``."""
        origin = self._conflicts.origin(lits, certain=True)
        if origin is None:
            raise UnderivableError(f"no constraint says that one of {[*lits]} is true")
        return self._of_constraint(origin, lits, certain=True)

    def _of_constraint(self, origin: int, lits: Sequence[Lit], certain: bool = False) -> int:
        """Derive a row on `lits` from the bounds of the constraint at place `origin`."""
        constraint, numbers = self._given[origin]
        declare_bounds(constraint, numbers, self._state)
        sign, least = (1, 1) if certain else (-1, len(lits) - 1)
        wanted = linear_inequality([(1, sign * lit) for lit in lits], least)
        found = derive_normal_form(sum_of(constraint), numbers, self._state)
        for number in (found.at_most, found.at_least):
            if number is None:
                continue
            # Fewer literals have at most one true literal, too: the others are at least 0.
            terms = self._state.rows[number].terms()
            others = [(-lit, weight) for weight, lit in terms if sign * lit not in lits]
            row = number
            if others and not certain:
                row = self._state.add([(number, 1)], others)
            if self._state.rows[row] == wanted:
                return row
        raise UnderivableError(f"at most one of {[*lits]} does not follow from its constraint")


class GroupLeaf:
    """The outputs of an at-most-one group, defined by its literals; ``terms`` is its value.

    Args:
        weights: the weight of the group by its true literal.
        none: the weight without a true literal; None if one literal is always true.
        outputs: for each value but the least the literal that stands for it.
        walk: the walk along the clauses that the leaf emits.
        rows: what says that the group holds.
        loose: whether an output above `none` says "this value" and not "at least this value".
        both: whether outputs are equivalent to what they say.
    """

    def __init__(
        self,
        weights: Mapping[Lit, int],
        none: int | None,
        outputs: Sequence[Lit],
        walk: Walk,
        rows: GroupRows,
        *,
        loose: bool = False,
        both: bool = False,
    ) -> None:
        self._walk, self._state, self._weights = walk, walk.state, weights
        self.lits, values = [*weights], values_of(weights, none)
        self.certain = none is None
        none = values[-1] if none is None else none
        # Where no value is below `none`, each output says that some literals are true.
        self._row = rows.at_most_one(self.lits) if none > values[0] or both else None
        self.terms: list[tuple[int, Lit]] = []
        self.parts: list[tuple[int, int]] = []
        """Parts whose sum is: the terms are at most what the literals weigh above the least."""
        self.reversed: list[tuple[int, int]] = []
        """With `both`, parts whose sum is: the terms are at least that."""
        self._before: list[int] = []
        """For each output the number of outputs, the first ones, that it implies."""
        last = sum(value <= none for value in values[1:])
        for at, own in enumerate(outputs, start=1):
            value, step = values[at], values[at] - values[at - 1]
            if at <= last:
                # Without a true literal the group weighs `none`: each literal of less is false.
                some = [lit for lit, weight in weights.items() if weight < value]
                self.parts.append((self._none_of(own, some), step))
                if both:
                    number = self._state.if_false.get(own)
                    number = rows.one_of(self.lits) if number is None else number
                    self.reversed.append((number, step))
            else:
                reached = [w for w in weights.values() if w == value or (w > value and not loose)]
                some = [lit for lit, weight in weights.items() if weight in reached]
                step = value - none if loose else step
                if some != [own]:
                    self._state.define_or(own, some)
                    self.parts.append((self._state.if_false[-own], step))
                    if both:
                        number = self._state.if_false[own]
                        self.reversed.append((self._divided(number, some), step))
            self.terms.append((step, own))
            self._before.append(min(at - 1, last) if loose else at - 1)

    def _none_of(self, own: Lit, some: Sequence[Lit]) -> int:
        """Return the number of ``own <= 1 - sum of some``; define `own` as "none of `some`"."""
        assert self._row is not None
        if own in self._weights:  # One literal is true: none of the others is if it is this one.
            return self._row
        self._state.define_and(own, [-lit for lit in some])
        return self._divided(self._state.if_false[-own], some)

    def _divided(self, half: int, some: Sequence[Lit]) -> int:
        """Return the number of half a definition in which own and each of `some` weigh 1."""
        m = len(some)
        if m == 1:
            return half
        # ``m own + some <= m``, or ``some <= m own``, and m - 1 times ``some <= 1``, divided by m.
        assert self._row is not None
        others = [(lit, m - 1) for lit in self._weights if lit not in some]
        return self._state.add([(half, 1), (self._row, m - 1)], others, divisor=m)

    @property
    def left(self) -> dict[Lit, int]:
        """The final weight of each literal of the group: 0 except for outputs."""
        steps = {lit: step for step, lit in self.terms}
        return {lit: steps.get(lit, 0) for lit in self.lits}

    def derive(self, clauses: int) -> None:
        """Derive the leaf's clauses, which come next, from definitions and the group."""
        self._walk.derive(clauses, *self._rows())

    def links(self) -> dict[int, int]:
        """Return for each output that implies another one the number of that clause."""
        found: dict[int, int] = {}
        for at, before in enumerate(self._before):
            if before:
                clause = [-self.terms[at][1], self.terms[before - 1][1]]
                found[at] = self._state.derive_clause(clause, *self._rows())
        return found

    def settle(self) -> list[int]:
        """Forget the definitions: from here on an output says what it says of the terms.

        Returns the numbers of "an output implies the one before".
        """
        state, implied = self._state, self.links()
        sums = [0, *accumulate(step for step, _ in self.terms)]
        true: list[int | None] = []
        for at, before in enumerate(self._before):
            # ``steps of the outputs implied * (those - this) >= 0``.
            parts = [(implied[at], sums[before])] if before else []
            if before > 1 and (row := true[before - 1]) is not None:
                parts.append((row, 1))
            true.append(state.add(parts) if parts else None)
        forget(state, (lit for _, lit in self.terms))
        for (_, lit), row in zip(self.terms, true, strict=True):
            if row is not None:
                state.if_false[-lit] = row
        if len(implied) == len(self.terms) - 1:  # A chain: a false output has false ones behind.
            behind: list[tuple[int, int]] = []
            for at in range(len(implied), 0, -1):
                weight = sums[-1] - sums[at]
                behind = [(state.add([(implied[at], weight), *behind]), 1)]
                state.if_false[self.terms[at - 1][1]] = behind[0][0]
        return [*implied.values()]

    def _rows(self) -> list[int]:
        return [] if self._row is None else [self._row]


def forget(state: DerivationState, lits: Iterable[Lit]) -> None:
    """Let literals be inputs of what is derived from here on."""
    for lit in lits:
        state.if_false.pop(lit, None)
        state.if_false.pop(-lit, None)


def weight_in(state: DerivationState, number: int, lit: Lit) -> int:
    """Return the weight of a literal in row `number`, read as ``sum of weights >= bound``."""
    coefficient = state.rows[number].coefficients.get(abs(lit), 0)
    return coefficient if lit > 0 else -coefficient


def balanced(
    number: int,
    parts: Parts,
    certain: Iterable[Mapping[Lit, int]],
    rows: GroupRows,
    state: DerivationState,
    *,
    lower: bool = False,
) -> int:
    """Add `parts` to a bound, and bring literals of which one is true to given weights.

    ``certain``: for each such group what its literals shall weigh. ``lower``: whether the bound is
    a lower one.
    """
    if parts:
        number = state.add([(number, 1), *parts])
    more: list[tuple[int, int]] = []
    for weights in certain:
        # All literals weigh so much more than they shall; one of them is true, and only one.
        sign = 1 if lower else -1
        excess = {sign * weight_in(state, number, lit) - weight for lit, weight in weights.items()}
        if len(excess) > 1:
            raise UnderivableError("a group's literals do not weigh what they shall")
        times, lits = excess.pop(), [*weights]
        if times:
            row = rows.at_most_one(lits) if lower is (times > 0) else rows.one_of(lits)
            more.append((row, abs(times)))
    return state.add([(number, 1), *more]) if more else number
