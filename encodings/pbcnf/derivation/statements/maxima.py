"""A maximum as canonical rows define it: at least every part, and equal to some part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from pbcnf.derivation.statements.comparisons import EqualComparisons
from pbcnf.derivation.statements.pairs import BoundLiteral
from pbcnf.derivation.statements.reasoning import Equation, Reasoning, form_terms
from pbcnf.language.circuit import FALSE, TRUE, Ref
from pbcnf.language.expressions import Comparison, Connective, Maximum, Operand
from pbcnf.language.lowering import _attainable, _split
from pbcnf.literals import Lit
from pbcnf.proof.cutting_planes.canonical import Form

_MOST_CASES: Final = 10
"""The most variables whose values are gone through, where a maximum does not have a value."""


class AttainedMaximum:
    """The maximum ``least + sum of reached``, where "reached v" says that some part is at least v.

    Of each part `attained` is a literal that is true exactly if the part is at least the maximum,
    and `above` the constraint that the maximum is at least the part.
    """

    def __init__(
        self,
        form: Form,
        parts: Sequence[Form],
        sides: Sequence[Sequence[BoundLiteral]],
        reasoning: Reasoning,
    ) -> None:
        """``sides``: for each value above the least, in order, "part >= value", and "reached"."""
        self.form, self.parts, self.sides, self.reasoning = form, parts, sides, reasoning
        self._reached = [*zip(*sides, strict=True)][-1] if sides else ()
        below: list[BoundLiteral] = []
        for part in parts:
            terms = [*form_terms(part), *((-w, v) for w, v in form_terms(form))]
            below.append(BoundLiteral(*reasoning.define(terms, form.constant - part.constant)))
        self.attained = below
        self.above = [self._above(at) for at in range(len(parts))]
        self.some = self._some()
        """The clause that one of `attained` is true; None if one is constant."""

    def _rows(self, at: int) -> list[int]:
        """Return the definitions for one value."""
        return [number for side in self.sides[at] for number in side.halves.numbers]

    def _above(self, place: int) -> int | None:
        """Derive that the maximum is at least a part."""
        # A part above the least value is at most that value plus all "part >= v" that are true.
        reasoning, part = self.reasoning, self.parts[place]
        own = [(at, self.sides[at][place]) for at in range(len(self.sides))]
        own = [(at, side) for at, side in own if side.halves.while_false is not None]
        count = reasoning.state.add_up(
            [side.halves.while_false for _, side in reversed(own) if side.halves.while_false]
        )
        later = [(1, reached.lit) for reached in self._reached[len(own) :]]
        if count is None:
            return reasoning.axiom([*later, *((-w, v) for w, v in form_terms(part))])
        parts = [(count, 1)]
        for at, side in own:
            lit = self._reached[at].lit
            parts.append((reasoning.clause([-side.lit, lit], self._rows(at)), 1))
        return reasoning.summed(parts, *((lit, w) for w, lit in later))

    def _some(self) -> int | None:
        """Derive that a part is at least the maximum."""
        # If "reached v" is the last one that is true, the maximum is v, and so is some part.
        reasoning, reached = self.reasoning, self._reached
        attained = [side.lit for side in self.attained]
        if reasoning.true in attained:
            return None
        at_most: list[tuple[int, int]] = []
        shown: list[int] = []
        for at in reversed(range(len(reached))):
            later = [reached[at + 1].lit] if at + 1 < len(reached) else []
            lemmas = self._rows(at)
            for side, own in zip(self.sides[at], self.attained, strict=False):
                parts = [(own.halves.while_false, 1), (side.halves.while_true, 1), *at_most]
                if side.halves.unit is None:
                    found = reasoning.implied([own.lit, -side.lit, *later], parts)
                    lemmas += [] if found is None else [found]
            shown.append(reasoning.clause([*attained, -reached[at].lit, *later], lemmas))
            at_most = self._at_most(at, at_most)
        # Where nothing is reached the part with the largest least value has that value.
        first = max(range(len(self.parts)), key=lambda at: self.parts[at].least)
        parts = [(self.attained[first].halves.while_false, 1), *at_most]
        base = reasoning.implied([attained[first], reached[0].lit], parts)
        return reasoning.clause(attained, [*shown, *([] if base is None else [base])])

    def _at_most(self, at: int, later: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return a bound on all that is reached from a value on, while the first is not."""
        # Each implies the one before: the step from this one to the next counts for all behind.
        reached, reasoning = self._reached, self.reasoning
        if at + 1 == len(reached):
            return []
        among = [*self._rows(at), *self._rows(at + 1)]
        for one, other in zip(self.sides[at], self.sides[at + 1][:-1], strict=False):
            parts = [(one.halves.while_false, 1), (other.halves.while_true, 1)]
            lemma = reasoning.implied([one.lit, -other.lit], parts, among)
            among += [] if lemma is None else [lemma]
        step = reasoning.clause([reached[at].lit, -reached[at + 1].lit], among)
        return [(reasoning.summed([*later, (step, len(reached) - at - 1)]), 1)]


class EqualMaxima(EqualComparisons):
    """Comparisons with maxima, which are split into comparisons of parts, and maxima as sums."""

    @cached_property
    def _maxima(self) -> dict[int, AttainedMaximum]:
        return {}

    def compared(
        self,
        each: Comparison,
        lower: BoundLiteral | None,
        upper: BoundLiteral | None,
        whole: BoundLiteral,
        ref: Ref | None = None,
    ) -> Equation:
        """Show that a comparison equals its gate; a maximum is compared part by part."""
        if each.lower is None and each.upper is None:
            return self._same(whole.lit, TRUE, whole.halves.numbers)
        parted = _split(each)
        if parted is None:
            return super().compared(each, lower, upper, whole, ref)
        ref = self.lowering._known(each) if ref is None else ref
        connective, parts = parted
        refs = [self.lowering._compared(part) for part in parts]
        among = [*whole.halves.numbers, *self.gates.cone(ref)]
        for part_ref in refs:
            self.gates.literal(part_ref)
        if lower is not None and upper is not None:
            among += self.compared(parts[0], lower, None, lower, refs[0]).numbers
            among += self.compared(parts[1], None, upper, upper, refs[1]).numbers
        else:
            among += self._parted(each, whole, connective, parts, refs)
        return self.reasoning.same(whole.lit, self.gates.literal(ref), among)

    def _parted(
        self,
        each: Comparison,
        side: BoundLiteral,
        connective: Connective,
        parts: Sequence[Comparison],
        refs: Sequence[Ref],
    ) -> list[int]:
        """Show that a bound on a maximum equals a connective of bounds on the parts."""
        pairs = ((one, w) for one, w in each.terms if isinstance(one, Maximum))
        (operand, weight), reasoning = next(pairs), self.reasoning
        found = self._attained(operand)
        numbers, lemmas = list[int](), list[int | None]()
        lits: list[Lit] = []
        every = connective is Connective.AND
        # Bounds that some part meets; bounds that all meet are those that some part does not.
        bound = side.opposite if every else side
        for part, ref, above, own in zip(parts, refs, found.above, found.attained, strict=True):
            form = form_terms(self.form(part.terms))
            constant = self.form(part.terms).constant
            if part.lower is not None:
                one = BoundLiteral(*reasoning.define(form, part.lower - constant))
                numbers += self.compared(part, one, None, one, ref).numbers
            else:
                assert part.upper is not None
                opposite = [(-w, v) for w, v in form]
                one = BoundLiteral(*reasoning.define(opposite, constant - part.upper))
                numbers += self.compared(part, None, one, one, ref).numbers
            one = one.opposite if every else one
            numbers += [*one.halves.numbers, *side.halves.numbers]
            lits.append(one.lit)
            rows = [(bound.halves.while_false, 1), (one.halves.while_true, 1), (above, abs(weight))]
            lemmas.append(reasoning.implied([bound.lit, -one.lit], rows, numbers))
            rows = [(bound.halves.while_true, 1), (one.halves.while_false, 1)]
            rows.append((own.halves.while_true, abs(weight)))
            lemmas.append(reasoning.implied([-bound.lit, one.lit, -own.lit], rows, numbers))
        shown = [*(n for n in (*lemmas, found.some) if n is not None), *numbers]
        return [*shown, reasoning.clause([-bound.lit, *lits], shown)]

    def _attained(self, each: Maximum) -> AttainedMaximum:
        at = self.places[each]
        if at not in self._maxima:
            form, parts = (
                self.form([(each, 1)]),
                [self.form(p.terms, p.constant) for p in each.parts],
            )
            self._maxima[at] = AttainedMaximum(form, parts, self._sides(at, each), self.reasoning)
        return self._maxima[at]

    def _sides(self, at: int, each: Maximum) -> list[list[BoundLiteral]]:
        sides = [self.side(one) for one in self.made(at)]
        size = len(each.parts) + 1
        return [sides[begin : begin + size] for begin in range(0, len(sides), size)]

    def linear(self, terms: Iterable[tuple[Operand, int]]) -> Equation:
        """Return the equation of a weighted sum, of maxima by what they can be."""
        terms = [*terms]
        for each, _ in terms:
            at = self.places[each]
            if at not in self._known and isinstance(each, Maximum):
                self._known[at] = self._stepped(at, each)
        return super().linear(terms)

    def _stepped(self, at: int, each: Maximum) -> Equation:
        """Return the equation of a maximum and the sum of steps to its attainable values."""
        values = [_attainable(part) for part in each.parts]
        least = max(map(min, values))
        steps = sorted(value for value in set().union(*values) if value > least)
        form, sides = self.form([(each, 1)]), self._sides(at, each)
        canonical = [*range(form.constant + 1, form.constant + len(sides) + 1)]
        # In descending order: what is reached above the last value is nothing.
        equal, reached, known = list[Equation](), FALSE, list[int]()
        for value, own in zip(reversed(canonical), reversed(sides), strict=True):
            *parts, whole = own
            among = [n for side in own for n in side.halves.numbers]
            refs: list[Ref] = []
            for part, side in zip(each.parts, parts, strict=True):
                one = Comparison([*part.terms], value - part.constant, None)
                refs.append(self.lowering._compared(one))
                among += self.compared(one, side, None, side, refs[-1]).numbers
            ref = self.circuit.disjunction(refs)
            among += self.gates.cone(ref)
            if value in steps:
                reached = ref
            reached = reached if value > least else TRUE
            if ref != reached:
                # No part has this value: it is reached exactly if the value above it is.
                among += [*known, *self.gates.cone(reached)]
                for integer in self.integers.values():
                    among += [*integer.chain, *integer.link.numbers]
            cases = [] if ref == reached else self._cases(each)
            same = self.reasoning.same(whole.lit, self.gates.literal(reached), among, cases)
            equal.append(same)
            known = [*same.numbers, *(n for side in own for n in side.halves.numbers)]
        return self.reasoning.equation([(one, 1) for one in equal])

    def _cases(self, each: Maximum) -> list[Lit]:
        """Return the canonical variables of the parts, if they are few."""
        found = {v for part in each.parts for v in self.form(part.terms).terms}
        return [*found] if len(found) <= _MOST_CASES else []
