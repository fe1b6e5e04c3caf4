"""The bounds from the clauses of modulo totalizers.

The clauses of one direction leave the digits of a node free as long as their value, p times the
quotient plus the remainder, is large enough: a carry too many may come with any remainder. So what
is derived of a node is that the value of its digits is at least that of the digits below (*rising*
clauses), or at most (*falling*); all nodes together, and the bounds at the root, are a bound on the
inputs.

**Digits.** Of a digit in unary the number of outputs is counted up to the first false one (rising),
or to the last true one (falling): variables w of the proof alone say "this output and all before",
or "this one or one behind". They fall.

**Sums.** T(s) is a variable of the proof alone, "the two digits below are at least s together". By
the clauses "i on the left and s - i on the right imply ..." it implies the same: if i is reached on
the left and s - i is not on the right, i + 1 is reached on the left, by what T(s) means; and so on,
all of which is found by propagation. The digits below are at most T(1) + T(2) + ..., or at least.

**A node.** Let R be the new remainder, C the carry, both rising. T(t) implies R(t) or C, T(t + p)
implies R(t) and T(p) implies C: so T(t) + T(t + p) <= R(t) + C. With sums U of the quotients, U(t)
implies Q(t), as does U(t - 1) with C, and no more than m quotients are there: m times the former,
once the latter, and "not U(m) and C", divided by m + 1, are U + C <= Q. Falling: R(t) implies T(t),
with C also T(t + p), and C implies T(p); Q(t) implies U(t) or C, and U(t - 1) in any case: once the
former, m - 1 times the latter, divided by m.

Size: three steps for each output, four for each sum, one for each clause.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from pbcnf.derivation.converse import counters
from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.converse.given_clauses import GivenClauses
from pbcnf.derivation.converse.linked_networks import stairs
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, Parts
from pbcnf.derivation.modulo_totalizers import DigitTree, put_down
from pbcnf.derivation.networks.falling import Falling
from pbcnf.derivation.networks.values import Merge, Side
from pbcnf.encoders.circuits.modulo_sum import ModuloBounds, ModuloSum, root_of
from pbcnf.literals import Lit


def derive(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive the bounds from the nodes of the tree."""
    clauses, of = GivenClauses(left, state), left.of
    assert isinstance(of.encoder, ModuloSum)
    single = clauses.single_bound()
    if single is not None:
        return single
    bounds = ModuloBounds.of(len(of.lits), of.lower, of.upper)
    root = root_of(of.encoder, len(of.lits), bounds)
    if root.p > bounds.high:
        # Nothing is divided: the variables of a node are thresholds of the inputs below.
        return counters.derive(left, state)
    lits = of.mirrored().lits if bounds.mirrored else of.lits
    tree = put_down(lits, root, bounds, of.first)

    def at_least() -> Parts:
        node = _Falling(tree, clauses)
        return [*node.parts, *node.at_root(bounds)]

    def at_most() -> Parts:
        node = _Rising(tree, clauses)
        return [*node.parts, *node.at_root(bounds)]

    return clauses.bounds(at_least, at_most, bounds.mirrored)


class _UnaryDigit(Falling):
    """A digit in unary as far as it falls; ``outputs``: the encoder's variables."""

    def __init__(self, outputs: Sequence[Lit], rising: bool, state: DerivationState) -> None:
        lits = list(outputs)
        places = range(1, len(lits)) if rising else reversed(range(len(lits) - 1))
        for i in places:
            lit = state.fresh()
            if rising:
                state.define_and(lit, [lits[i - 1], outputs[i]])
            else:
                state.define_or(lit, [outputs[i], lits[i + 1]])
            lits[i] = lit
        super().__init__(lits, state)
        self.outputs = tuple(outputs)
        self.alone = Merge([Side(self, range(len(lits)))], state)
        self._rising = rising

    def meaning(self, count: int) -> list[int]:
        """Return the half of a literal's definition that links the output and the literal."""
        lit = self.lits[count - 1]
        number = self.state.if_false.get(-lit if self._rising else lit)
        return [] if number is None or lit == self.outputs[count - 1] else [number]

    def reason(self, count: int) -> int | None:
        """Return the further half of a literal's definition, None for an output."""
        lit = self.lits[count - 1]
        defined = lit != self.outputs[count - 1]
        return self.state.if_false[lit if self._rising else -lit] if defined else None

    def next_falls(self, i: int) -> int:
        """Return the number of ``lits[i] >= lits[i + 1]``."""
        hints = self.meaning(i + 2 if self._rising else i + 1)
        return self.state.propagate([self.lits[i], -self.lits[i + 1]], hints)


class _Sums(Falling):
    """The thresholds of two digits together, from 1 on, and what clauses make of them."""

    def __init__(self, left: _UnaryDigit, right: _UnaryDigit, clauses: GivenClauses) -> None:
        state = clauses.state
        terms = [(1, lit) for side in (left, right) for lit in side.lits]
        lits = [state.fresh() for _ in terms]
        for least, lit in enumerate(lits, start=1):
            state.define(lit, terms, least)
        super().__init__(lits, state)
        self._left, self._right, self._clauses = left, right, clauses

    def next_falls(self, i: int) -> int:
        """Return the number of ``lits[i] >= lits[i + 1]``."""
        one, other = self.lits[i : i + 2]
        parts = [(self.state.if_false[one], 1), (self.state.if_false[-other], 1)]
        return self.state.derive_by_sum([one, -other], parts, bounded=False)

    def over(self) -> Parts:
        """Return parts: the digits are at least the sum of the literals."""
        number = self.state.add_up(self.state.if_false[-lit] for lit in self.lits)
        return [] if number is None else [(number, 1)]

    def under(self) -> Parts:
        """Return parts: the digits are at most the sum of the literals."""
        number = self.state.add_up(self.state.if_false[lit] for lit in reversed(self.lits))
        return [] if number is None else [(number, 1)]

    def clause(self, lits: Sequence[Lit]) -> int:
        """Return the number of a given clause."""
        return self._clauses[lits]

    def implies(
        self, least: int, encoded: Sequence[Lit], lits: Sequence[Lit], hints: Sequence[int] = ()
    ) -> int | None:
        """Derive "sum `least` implies one of `lits`", which clauses say of `encoded`.

        Returns the number; None if the sum is never reached. ``hints``: further reasons.
        """
        state, a, b = self.state, len(self._left.lits), len(self._right.lits)
        if least > a + b:
            return None
        if least <= 0:
            return self._clauses[encoded]
        own = self.lits[least - 1]
        found, both = [*hints], (self._left, self._right)
        for pair, further in stairs(a, b, least):
            if pair:
                sides = [(side, c) for side, c in zip(both, pair, strict=True) if c]
                found += [row for side, c in sides for row in side.meaning(c)]
                found.append(self._clauses[*(-side.outputs[c - 1] for side, c in sides), *encoded])
            if further:
                sides = [(side, c) for side, c in zip(both, further, strict=True) if c]
                rows = [state.if_false[-own], *(side.alone.last(c) for side, c in sides)]
                clause = [-own, *(side.lits[c - 1] for side, c in sides)]
                parts = [(row, 1) for row in rows if row is not None]
                found.append(state.derive_by_sum(clause, parts, bounded=False))
        return state.propagate([-own, *lits], found)

    def implied(
        self, least: int, encoded: Sequence[Lit], lits: Sequence[Lit], hints: Sequence[int] = ()
    ) -> int | None:
        """Derive "sum `least`, or one of `lits`", which clauses say of `encoded`.

        Returns the number; None if the sum is always reached. ``hints``: further reasons.
        """
        state, a, b = self.state, len(self._left.lits), len(self._right.lits)
        if least <= 0:
            return None
        if least > a + b:
            number = self._clauses[encoded]
            return state.propagate(lits, [number, *hints]) if hints else number
        own, last = self.lits[least - 1], least - 1
        shares = range(max(0, last - b), min(a, last) + 1)
        found = [*hints]
        for i in (shares.start - 1, *shares):
            if i in shares:
                # More than i are on the left, or more than the rest on the right.
                some = [(self._left, i + 1)] if i < a else []
                some += [(self._right, last - i + 1)] if last - i < b else []
                found += [row for side, c in some for row in side.meaning(c)]
                found.append(self._clauses[*(side.outputs[c - 1] for side, c in some), *encoded])
            if i < a and last - i <= b:
                sides = [(s, c) for s, c in ((self._left, i + 1), (self._right, last - i)) if c]
                rows = [state.if_false[own], *(side.alone.first(c) for side, c in sides)]
                clause = [own, *(-side.lits[c - 1] for side, c in sides)]
                parts = [(row, 1) for row in rows if row is not None]
                found.append(state.derive_by_sum(clause, parts, bounded=False))
        return state.propagate([own, *lits], found)

    def chain(
        self,
        digit: _UnaryDigit,
        shift: int,
        encoded: Sequence[Lit],
        lits: Sequence[Lit],
        rising: bool,
    ) -> list[int | None]:
        """Derive for each output t of a digit what sum t + `shift` has to do with it, or `lits`.

        Rising the sum implies the output and all before, or one of `lits`; else the output or one
        behind implies the sum, or one of `lits`. ``encoded``: `lits` as the clauses have them.
        """
        found: dict[int, int | None] = {}
        count = len(digit.lits)
        for t in range(1, count + 1) if rising else range(count, 0, -1):
            least, before = t + shift, t - 1 if rising else t + 1
            hints = [found.get(before), digit.reason(t)]
            one, other = sorted((least, before + shift))
            if one > 0 and other <= len(self.lits):
                hints.append(self.falls(one - 1, other - 1))
            reasons = [hint for hint in hints if hint is not None] if before in found else []
            own, exact = digit.outputs[t - 1], digit.lits[t - 1]
            if rising:
                found[t] = self.implies(least, [own, *encoded], [exact, *lits], reasons)
            else:
                found[t] = self.implied(least, [-own, *encoded], [-exact, *lits], reasons)
        return [found[t] for t in range(1, count + 1)]

    def weaker(self, number: int, least: int, other: int, lits: Sequence[Lit]) -> int:
        """Return "sum `other` implies a literal of `lits`", known of a smaller sum `least`.

        Or, from "sum `least` or one of `lits`", the same of a smaller sum `other`.
        """
        if least == other:
            return number
        one, more = sorted((least, other))
        hints = [number, self.falls(one - 1, more - 1)]
        own = self.lits[other - 1]
        clause = [own if other < least else -own, *lits]
        return self.state.propagate(clause, [hint for hint in hints if hint is not None])

    def never(self, least: int) -> Parts:
        """Return parts: no sum from `least` on is reached, as a clause says of the first."""
        number = self.implies(least, [], [])
        if number is None:
            return []
        sums = range(least, len(self.lits) + 1)
        return [(self.weaker(number, least, other, []), 1) for other in sums]

    def always(self, least: int) -> Parts:
        """Return parts: all sums up to `least` are reached, as clauses say of the last."""
        number = self.implied(least, [], [])
        if number is None:
            return []
        return [(self.weaker(number, least, other, []), 1) for other in range(1, least + 1)]


class _Node(ABC):
    """A node of the tree and all below: parts whose sum compares their digits with the inputs."""

    rising: bool

    def __init__(self, tree: DigitTree, clauses: GivenClauses, is_root: bool = True) -> None:
        state = clauses.state
        self.state, self.tree, self.parts = state, tree, list[tuple[int, int]]()
        if not is_root:
            self.quotient = _UnaryDigit(tree.quotient, self.rising, state)
            self.remainder = _UnaryDigit(tree.remainder, self.rising, state)
        if tree.node is None:
            return
        left, right = (type(self)(child, clauses, False) for child in tree.children)
        self.parts = [*left.parts, *right.parts]
        self.remainders = _Sums(left.remainder, right.remainder, clauses)
        self.quotients = _Sums(left.quotient, right.quotient, clauses)
        if not is_root:
            own = self.of_remainder()
            if tree.quotient != (tree.carry,):
                own += [(number, times * tree.p) for number, times in self.of_quotient()]
            self.parts.append((state.add(own), 1))

    @abstractmethod
    def of_remainder(self) -> list[tuple[int, int]]:
        """Return parts that compare the remainders below with the new one and p times the carry."""

    @abstractmethod
    def of_quotient(self) -> list[tuple[int, int]]:
        """Return parts that compare the quotients below and the carry with the new quotient."""

    def output(self, quotient: bool, value: int) -> Lit | None:
        """Return the root's output for a value of a digit, None if it has none."""
        node = self.tree.node
        assert node is not None
        outputs, lits = node.remainder.outputs, self.tree.remainder
        if quotient:
            outputs, lits = node.quotient.outputs, self.tree.quotient
        return lits[outputs.index(value)] if value in outputs else None


class _Rising(_Node):
    """Nodes with rising clauses: the value of the digits is at least the number of true inputs."""

    rising = True

    def of_remainder(self) -> list[tuple[int, int]]:
        """Return parts: the remainders below are at most the new one and p times the carry."""
        sums, digit, carry, p = self.remainders, self.remainder, self.tree.carry, self.tree.p
        parts = [*sums.under()]
        if carry is None:
            found = sums.chain(digit, 0, [], [], True)
            return [*parts, *_present(found), *sums.never(len(found) + 1)]
        over = sums.implies(p, [carry], [carry])
        assert over is not None
        first = sums.chain(digit, 0, [carry], [carry], True)
        second = sums.chain(digit, p, [], [], True)
        pairs = zip(first, second, strict=True)
        parts += [
            (_pair_up(sums, t, a, b, (over, p), carry), 1)
            for t, (a, b) in enumerate(pairs, start=1)
            if a is not None
        ]
        return [*parts, (over, 1)]

    def of_quotient(self) -> list[tuple[int, int]]:
        """Return parts: the quotients below and the carry are at most the new quotient."""
        sums, digit, carry = self.quotients, self.quotient, self.tree.carry
        parts = [*sums.under()]
        if carry is None:
            return parts
        alone = sums.chain(digit, 0, [], [], True)
        carried = sums.chain(digit, -1, [-carry], [-carry], True)
        most = len(digit.lits)
        last = sums.implies(most, [-carry], [-carry])
        divisor = len(sums.lits) + 1 if last is None else most + 1
        rows = [(number, divisor - 1) for number in alone if number is not None]
        rows += [*_present(carried), *_present([last])]
        return [*parts, (self.state.add(rows, divisor=divisor), 1), *sums.never(most + 1)]

    def at_root(self, bounds: ModuloBounds) -> Parts:
        """Return parts: what is below the root is at most the bound."""
        sums, quotients, p = self.remainders, self.quotients, self.tree.p
        (q, r), carry, state = divmod(bounds.high, p), self.tree.carry, self.state
        of_quotient = [*quotients.under(), *quotients.never(q + 1)]
        parts = [*sums.under()]
        if carry is None:
            return [*parts, *sums.never(r + 1), *_times(of_quotient, p)]
        count = len(sums.lits)
        rest, more = self.output(False, r + 1), self.output(True, q)
        last = quotients.implies(q, [-carry], [-carry])
        if rest is None or more is None:
            # Beside the carry no more than r, with it r + p; q quotients, with the carry one less.
            number = sums.implies(r + 1, [carry], [carry])
            if number is not None:
                for least in range(r + 1, min(r + p, count) + 1):
                    parts.append((sums.weaker(number, r + 1, least, [carry]), 1))
            parts += sums.never(r + 1 + p)
            return [*parts, *_times([*of_quotient, *_present([last])], p)]
        # The same but for p - 1 - r more, and one quotient more: never both.
        over = sums.implies(p, [carry], [carry])
        assert over is not None
        first = sums.implies(r + 1, [rest, carry], [rest, carry])
        second = sums.implies(r + 1 + p, [rest], [rest])
        assert first is not None
        for least in range(r + 1, p):
            a = sums.weaker(first, r + 1, least, [rest, carry])
            b = None
            if second is not None and least + p <= count:
                b = sums.weaker(second, r + 1 + p, least + p, [rest])
            parts.append((_pair_up(sums, least, a, b, (over, p), carry), 1))
        for least in range(p, min(p + r, count) + 1):
            parts.append((sums.weaker(over, p, least, [carry]), 1))
        alone = quotients.implies(q, [more], [more])
        carried = quotients.implies(q - 1, [more, -carry], [more, -carry])
        if alone is not None:
            axioms = [(-quotients.lits[q - 2], 1)] if q > 1 else []
            three = _present([alone, carried, last])
            of_quotient.append((state.add(three, axioms, divisor=2), 1))
        else:
            of_quotient += _present([carried])
        either = self.quotients.clause([-more, -rest])
        return [*parts, *_times(of_quotient, p), (either, p - 1 - r)]


class _Falling(_Node):
    """Nodes with falling clauses: the value of the digits is at most the number of true inputs."""

    rising = False

    def of_remainder(self) -> list[tuple[int, int]]:
        """Return parts: the remainders below are at least the new one and p times the carry."""
        sums, digit, carry, p = self.remainders, self.remainder, self.tree.carry, self.tree.p
        parts = [*sums.over()]
        if carry is None:
            return [*parts, *_present(sums.chain(digit, 0, [], [], False))]
        under = sums.implied(p, [-carry], [-carry])
        assert under is not None
        first = sums.chain(digit, 0, [], [], False)
        second = sums.chain(digit, p, [-carry], [-carry], False)
        for t, (a, b) in enumerate(zip(first, second, strict=True), start=1):
            parts.append((_pair_down(sums, t, a, b, (under, p), carry), 1))
        return [*parts, (under, 1)]

    def of_quotient(self) -> list[tuple[int, int]]:
        """Return parts: the quotients below and the carry are at least the new quotient."""
        sums, digit, carry = self.quotients, self.quotient, self.tree.carry
        parts = [*sums.over()]
        if carry is None:
            return parts
        carried = sums.chain(digit, 0, [carry], [carry], False)
        alone = sums.chain(digit, -1, [], [], False)
        most = min(len(digit.lits), len(sums.lits) + 1)
        rows = [*_present(carried[:most]), *_times(_present(alone[:most]), most - 1)]
        axioms = [(-digit.lits[0], most - 1)] if most > 1 else []
        row = self.state.add(rows, axioms, divisor=most)
        return [*parts, (row, 1), *_present(alone[most:])]

    def at_root(self, bounds: ModuloBounds) -> Parts:
        """Return parts: what is below the root is at least the bound."""
        sums, quotients, p = self.remainders, self.quotients, self.tree.p
        (q, r), carry, state = divmod(bounds.low, p), self.tree.carry, self.state
        of_quotient, parts = [*quotients.over()], [*sums.over()]
        if carry is None:
            return [*parts, *sums.always(r), *_times([*of_quotient, *quotients.always(q)], p)]
        of_quotient += quotients.always(q - 1)
        last = quotients.implied(q, [carry], [carry])
        rest, more = self.output(False, r), self.output(True, q + 1)
        if rest is None or more is None:
            number = sums.implied(r + p, [-carry], [-carry])
            assert number is not None
            for least in range(r + 1, r + p + 1):
                parts.append((sums.weaker(number, r + p, least, [-carry]), 1))
            parts += sums.always(r)
            return [*parts, *_times([*of_quotient, *_present([last])], p)]
        under = sums.implied(p, [-carry], [-carry])
        first = sums.implied(r, [-rest], [-rest])
        second = sums.implied(r + p, [-rest, -carry], [-rest, -carry])
        assert under is not None
        assert first is not None
        assert second is not None
        for least in range(1, r + 1):
            a, b = sums.weaker(first, r, least, [-rest]), second
            if r + p <= len(sums.lits):
                b = sums.weaker(second, r + p, least + p, [-rest, -carry])
            parts.append((_pair_down(sums, least, a, b, (under, p), carry), 1))
        for least in range(r + 1, p + 1):
            parts.append((sums.weaker(under, p, least, [-carry]), 1))
        carried = quotients.implied(q + 1, [carry, -more], [carry, -more])
        alone = quotients.implied(q, [-more], [-more])
        assert carried is not None
        if alone is None:
            of_quotient.append((carried, 1))
        else:
            axioms = [(lit, 1) for lit in quotients.lits[q : q + 1]]
            three = _present([carried, alone, last])
            of_quotient.append((state.add(three, axioms, divisor=2), 1))
        either = quotients.clause([more, rest])
        return [*parts, *_times(of_quotient, p), (either, r)]


def _pair_up(
    sums: _Sums, least: int, a: int, b: int | None, over: tuple[int, int], carry: Lit
) -> int:
    """Return "sum `least`, and p more, are at most the output and the carry".

    ``a``: the sum implies one of these. ``b``: with p more it implies the output; None if it never
    is that much. ``over``: that p imply the carry, and p.
    """
    if b is None:
        return a
    number, p = over
    carried = sums.weaker(number, p, least + p, [carry])
    rows = [(a, 1), (b, 1), (carried, 1)]
    return sums.state.add(rows, [(-sums.lits[least - 1], 1)], divisor=2)


def _pair_down(
    sums: _Sums, least: int, a: int | None, b: int | None, under: tuple[int, int], carry: Lit
) -> int:
    """Return "sum `least`, and p more, are at least the output and the carry".

    ``a``: the output implies the sum. ``b``: with the carry it implies p more. ``under``: that the
    carry implies p, and p.
    """
    number, p = under
    carried = sums.weaker(number, p, least, [-carry])
    axioms = [(lit, 1) for lit in sums.lits[least + p - 1 : least + p]]
    return sums.state.add(_present([a, b, carried]), axioms, divisor=2)


def _present(numbers: Sequence[int | None]) -> list[tuple[int, int]]:
    return [(number, 1) for number in numbers if number is not None]


def _times(parts: Parts, factor: int) -> list[tuple[int, int]]:
    return [(number, times * factor) for number, times in parts]
