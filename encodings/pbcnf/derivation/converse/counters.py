"""The bounds from the clauses of counters, whose variables are thresholds of some of the inputs.

Let S be some inputs, by a bitmask of their places, all of them taken as they are or all negated.
The variables of the proof alone are ``z(S, c)``: the inputs of S weigh more than c. For a literal y
of the encoder, a threshold of S, the least c is found for which the clauses make y true whenever S
weighs more than c, and "z(S, c) implies y" is derived, for small S first. A clause that makes
nothing true does the same for a literal that is false.

**A step.** Let the literals that clauses imply y from be thresholds of two disjoint parts A and B
of S: clause i says "A weighs more than a[i] and B more than b[i], so y". The clauses that no other
one contains are a staircase: a rises, b falls. Let y be false and S weigh more than c:

* B weighs at most everything, so A weighs more than a[1], if c is that large: a sum of definitions.
  Hence by clause 1 B weighs at most b[1].
* So A weighs more than a[2], and by clause 2 B weighs at most b[2], and so on.
* After the last clause A would have to weigh more than everything.

Each of these is one sum of definitions, and all of them, with the clauses and what was derived of
their literals before, are hints of one propagation. The least c is the largest weight in the
corners that the staircase leaves out.

**Gaps.** Some sums are attained by no inputs. That the c of a literal is the largest sum with which
clauses may leave it false, not the number in its definition less 1, settles them: no argument by
cases is needed. Both bounds of one sum are derived apart, each by its own c.

Size: for every literal two steps for z, one for each stair, one for the propagation; where sums of
the same inputs imply each other one more for each stair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.derivation_state import BoundIds, DerivationState
from pbcnf.encoders.circuits.binary import ones
from pbcnf.literals import Clause, Lit, Var

Places = int
"""A set of inputs, by a bitmask of their places."""


class Rising(NamedTuple):
    """The inputs a literal grows with: of `mask`, negated if `sign` is -1.

    Of two literals with equal inputs the one of smaller `rank` needs more of them.
    """

    mask: Places
    sign: int
    rank: int


class ShownLiteral(NamedTuple):
    """A derived lower bound for a literal, or for a contradiction.

    If the inputs of `mask` weigh more than `above`, it holds: the clause `number` says so of `z`,
    the variable of the proof for that. An input is its own z, and needs no clause.
    """

    mask: Places
    above: int
    z: Lit
    number: int | None


class Stair(NamedTuple):
    """A clause that implies a target from other literals, of which `shown` is known.

    `number` is None if there is no clause, as one of these is a contradiction. If the clause
    implies only what `via`, the number of a clause, implies the target from, it has yet to be
    derived.
    """

    shown: tuple[ShownLiteral, ...]
    lits: tuple[Lit, ...]
    number: int | None
    via: int | None = None


class Staircase(NamedTuple):
    """Stairs by what the first of two parts weighs more than, and the heights of the corners.

    ``firsts[i]`` and ``seconds[i]`` are what is shown of the literals of stair i in either part;
    `above` is the largest weight in a corner that no stair reaches, ``corners[i]`` whether there is
    a corner before stair i, or behind the last.
    """

    above: int
    stairs: Sequence[Stair]
    firsts: Sequence[Sequence[ShownLiteral]]
    seconds: Sequence[Sequence[ShownLiteral]]
    corners: Sequence[bool]


@dataclass(frozen=True, slots=True)
class _Target:
    """A literal that clauses imply, or a contradiction (0), and what it grows with.

    `late`: a contradiction with what is shown of literals of the same inputs.
    """

    lit: Lit
    rising: Rising
    late: bool = False

    @property
    def order(self) -> tuple[int, int, int]:
        """The order in which targets are shown: what implies others comes first."""
        return self.rising.mask.bit_count(), 1 if self.lit else 2 * self.late, self.rising.rank


Chains = Sequence[tuple[Sequence[Lit], Sequence[int]]]
"""Inputs in falling order, and the numbers of "an input implies the previous input"."""


def derive(left: ClausesLeft, state: DerivationState, chains: Chains | None = None) -> BoundIds:
    """Derive both bounds from the clauses of a counter, in a tree over `chains` of inputs."""
    # Encoders of weighted sums take the inputs by decreasing weight, and so do places here.
    of = left.of
    order = sorted(range(len(of.lits)), key=lambda place: -of.weights[place])
    lits, weights = (tuple(each[place] for place in order) for each in (of.lits, of.weights))
    left = replace(left, of=replace(of, lits=lits, weights=weights))
    found = _CountersBack(left, state, chains)
    return BoundIds(
        None if of.at_least is None else found.bound(-1),
        None if of.at_most is None else found.bound(1),
    )


class _CountersBack:
    """The clauses of a counter by what they imply, and what is shown of literals so far."""

    def __init__(self, left: ClausesLeft, state: DerivationState, chains: Chains | None) -> None:
        self._of, self._state = left.of, state
        self._all: Places = (1 << len(left.of.lits)) - 1
        self._weights: dict[Places, int] = {
            1 << place: weight for place, weight in enumerate(left.of.weights)
        }
        self._zs: dict[tuple[Places, int], Lit] = {}
        longer = [chain for chain in chains or () if len(chain[0]) > 1]
        self._rising = self._meanings(left, longer)
        self._chain = self._chained(left) if chains is None else 0
        self._last: dict[int, Places] = {}
        """Of a chain, the inputs of the last contradiction shown, by sign."""
        self._shown: dict[Lit, ShownLiteral] = {}
        for place, lit in enumerate(left.of.lits):
            for each in (lit, -lit):
                self._shown[each] = ShownLiteral(1 << place, 0, each, None)
        for chain, links in longer:
            self._show_chain(chain, links)
        self._stairs: dict[Lit, Sequence[Stair]] = {}
        self._absurd: dict[tuple[Places, int], tuple[ShownLiteral, Sequence[Stair]]] = {}
        """Derived contradictions with the clauses, by inputs and sign."""
        self._show_all(zip(left.of.clauses, left.numbers, strict=True))

    def _show_chain(self, lits: Sequence[Lit], links: Sequence[int]) -> None:
        """Show inputs that imply each other: one is false if what is before weighs all there is."""
        mask, state = self._rising[abs(lits[0])].mask, self._state
        weights = dict(zip(self._of.lits, self._of.weights, strict=True))
        before = 0
        for at, lit in enumerate(lits):
            below, before = before, before + weights[lit]
            z = self._z(mask, 1, below)
            number = state.propagate([-z, lit], [*links[at:], state.if_false[-z]])
            self._shown[lit] = ShownLiteral(mask, below, z, number)
            above = self._weight(mask) - before
            z = self._z(mask, -1, above)
            number = state.propagate([-z, -lit], [*reversed(links[:at]), state.if_false[-z]])
            self._shown[-lit] = ShownLiteral(mask, above, z, number)

    def bound(self, sign: int) -> int | None:
        """Derive what the inputs (negated for -1) weigh at most; None if it is not known."""
        some = [
            one for (_, side), (one, _) in self._absurd.items() if side == sign or one.above < 0
        ]
        # First what excludes most; what is shown of other inputs is added.
        some.sort(key=lambda one: (one.above >= 0, one.above - self._weight(one.mask)))
        parts: list[tuple[int, int]] = []
        taken = 0
        for one in some:
            assert one.number is not None
            if one.above < 0:
                # The clauses contradict each other.
                return one.number
            if one.mask & taken:
                continue
            taken |= one.mask
            half = self._state.if_false.get(one.z)
            if half is None:
                # A single input is excluded.
                parts.append((one.number, self._weight(one.mask)))
            else:
                factor = abs(self._state.rows[half].coefficients[abs(one.z)])
                parts += [(half, 1), (one.number, factor)]
        return self._state.add(parts) if parts else None

    def _meanings(self, left: ClausesLeft, chains: Chains) -> dict[Var, Rising]:
        """Return the inputs each variable grows with; variables of other kinds are left out."""
        found = {
            abs(lit): Rising(1 << place, 1 if lit > 0 else -1, 0)
            for place, lit in enumerate(left.of.lits)
        }
        for lits, _ in chains:
            mask = sum(found[abs(lit)].mask for lit in lits)
            for rank, lit in enumerate(lits):
                sign = 1 if lit > 0 else -1
                found[abs(lit)] = Rising(mask, sign, -rank)
        for var, (terms, least) in left.definitions.items():
            parts = [(found.get(abs(lit)), lit) for _, lit in terms]
            mask, signs = 0, set[int]()
            for rising, lit in parts:
                if rising is not None:
                    mask |= rising.mask
                    signs.add(rising.sign if lit > 0 else -rising.sign)
            known = all(rising is not None for rising, _ in parts)
            if len(signs) == 1 and known and var not in found:
                found[var] = Rising(mask, signs.pop(), -least)
        return found

    def _chained(self, left: ClausesLeft) -> int:
        """Return 1 if all variables count first inputs, -1 if all count last ones, otherwise 0."""
        masks = {found.mask for var, found in self._rising.items() if var >= left.of.first}
        if all(mask & mask + 1 == 0 for mask in masks):
            return 1
        return -1 if all(mask | mask - 1 == self._all for mask in masks) else 0

    def _closed(self, mask: Places) -> Places:
        """Return the inputs that a chain has counted when it has counted these."""
        if self._chain > 0:
            return (1 << mask.bit_length()) - 1
        return self._all & -(mask & -mask) if self._chain else mask

    def _grows(self, lit: Lit) -> Rising | None:
        found = self._rising.get(abs(lit))
        if found is None or lit > 0:
            return found
        return Rising(found.mask, -found.sign, -found.rank)

    def _weight(self, mask: Places) -> int:
        if mask not in self._weights:
            weights = self._of.weights
            self._weights[mask] = sum(weights[place] for place in ones(mask))
        return self._weights[mask]

    def _z(self, mask: Places, sign: int, above: int) -> Lit:
        """Return the literal "these inputs weigh more than `above`", from 0 to their weight."""
        if sign < 0:
            return -self._z(mask, 1, self._weight(mask) - above - 1)
        if mask.bit_count() == 1:
            return self._of.lits[mask.bit_length() - 1]
        if (mask, above) not in self._zs:
            self._zs[mask, above] = z = self._state.fresh()
            terms = self._of.terms
            self._state.define(z, [terms[place] for place in ones(mask)], above + 1)
        return self._zs[mask, above]

    def _show_all(self, clauses: Iterable[tuple[Clause | Sequence[Lit], int]]) -> None:
        by_target: dict[_Target, list[tuple[tuple[Lit, ...], int]]] = defaultdict(list)
        for clause, number in clauses:
            for target in self._targets(clause):
                others = tuple(-lit for lit in clause if lit != target.lit)
                by_target[target].append((others, number))
        if not self._chain:
            # What parts of some inputs weigh at most, clauses about all of them do not repeat.
            for mask in {found.mask for found in self._rising.values()}:
                for sign in (1, -1) if mask.bit_count() > 1 else ():
                    by_target.setdefault(_Target(0, Rising(mask, sign, 0)), [])
        for target in sorted(by_target, key=lambda each: each.order):
            self._show(target, by_target[target])

    def _targets(self, clause: Sequence[Lit]) -> Iterator[_Target]:
        """Yield each literal that a clause implies from literals of fewer inputs."""
        grow = [(lit, rising) for lit in clause if (rising := self._grows(lit)) is not None]
        if len(grow) < len(clause) or not clause:
            return
        signs = [rising.sign for _, rising in grow]
        for lit, rising in grow:
            inside = all(other.mask | rising.mask == rising.mask for _, other in grow)
            if inside and signs.count(rising.sign) == 1 and abs(lit) >= self._of.first:
                yield _Target(lit, rising)
        if len(set(signs)) == 1:
            mask = 0
            for _, rising in grow:
                mask |= rising.mask
            mask = self._closed(mask)
            late = any(rising.mask == mask and abs(lit) >= self._of.first for lit, rising in grow)
            yield _Target(0, Rising(mask, -signs[0], 0), late)

    def _show(self, target: _Target, clauses: Sequence[tuple[tuple[Lit, ...], int]]) -> None:
        """Show a literal, or a contradiction, from clauses with the negations of literals."""
        lit, (mask, sign, _) = target.lit, target.rising
        found = self._staircase(mask, self._all_stairs(target, clauses))
        if found.above >= self._weight(mask):
            return
        own = [lit] if lit else []
        stairs = [self._derived(stair, own) for stair in found.stairs]
        z = self._z(mask, sign, found.above) if found.above >= 0 else None
        number = self._climb([] if z is None else [-z], own, found._replace(stairs=stairs))
        shown = ShownLiteral(mask, found.above, z or 0, number)
        if lit:
            self._shown[lit], self._stairs[lit] = shown, stairs
        else:
            self._absurd[mask, sign] = shown, stairs
            if self._chain:
                self._last[sign] = mask

    def _all_stairs(
        self, target: _Target, clauses: Sequence[tuple[tuple[Lit, ...], int]]
    ) -> list[Stair]:
        """Return all stairs of a target, with the stairs of literals over equal inputs."""
        mask, sign, _ = target.rising
        found: list[Stair] = []
        below = {mask}
        for lits, number in clauses:
            shown = [self._shown[lit] for lit in lits if lit in self._shown]
            if len(shown) < len(lits):
                continue
            if len(lits) == 1 and shown[0].mask == mask and lits[0] in self._stairs:
                found += [
                    Stair(stair.shown, stair.lits, stair.number, number)
                    for stair in self._stairs[lits[0]]
                ]
                continue
            found.append(Stair(tuple(shown), lits, number))
            below.update(one.mask for one in shown)
        parts = _components(below - {mask})
        for _ in range(2 - len(parts)):
            # The other part is in no clause if it decides nothing, or cannot weigh so much.
            other = self._largest_absurd(mask & ~sum(parts), sign)
            parts += [other] if other else []
        if sign in self._last:
            below.add(self._last[sign])
        for some in {*below, *parts}:
            if (some, sign) in self._absurd:
                absurd, stairs = self._absurd[some, sign]
                # What contradicts the clauses implies everything.
                found += stairs if some == mask else [Stair((absurd,), (), None)]
        return found

    def _largest_absurd(self, inside: Places, sign: int) -> Places:
        """Return the most of the inputs `inside` of which a contradiction is shown; 0 for none."""
        if self._chain or not inside:
            return 0
        some = (mask for mask, side in self._absurd if side == sign and mask & ~inside == 0)
        return max(some, key=int.bit_count, default=0)

    def _staircase(self, mask: Places, stairs: Sequence[Stair]) -> Staircase:
        """Return the stairs that no other stair contains."""
        whole = self._weight(mask)
        parts = _components({one.mask for stair in stairs for one in stair.shown})
        nothing = Staircase(whole, (), (), (), ())
        if len(parts) > 2:
            return nothing
        one, two = [*parts, 0, 0][:2]
        if any(sum(each.mask & two > 0 for each in stair.shown) > 1 for stair in stairs):
            one, two = two, one
        whole_one, whole_two = self._weight(one), self._weight(two)
        split: list[tuple[int, int, list[ShownLiteral], list[ShownLiteral], Stair]] = []
        for stair in stairs:
            first = [each for each in stair.shown if each.mask & one]
            second = [each for each in stair.shown if each.mask & two]
            left, right = self._most(first, whole_one), self._most(second, whole_two)
            if len(second) < 2 and left < whole_one and right < whole_two:
                split.append((left, right, first, second, stair))
        split.sort(key=lambda each: each[:2])
        kept: list[tuple[int, int, list[ShownLiteral], list[ShownLiteral], Stair]] = []
        for each in split:
            if not kept or each[1] < kept[-1][1]:
                kept.append(each)
        # A corner: the first part weighs at most what the next stair begins above, the second at
        # most what the stair before begins above.
        lefts = [*(each[0] for each in kept), whole_one]
        rights = [whole_two, *(each[1] for each in kept)]
        corners = [left >= 0 and right >= 0 for left, right in zip(lefts, rights, strict=True)]
        most = [
            left + right for left, right, there in zip(lefts, rights, corners, strict=True) if there
        ]
        rest = whole - whole_one - whole_two
        return Staircase(
            max(most) + rest if most else -1,
            [each[4] for each in kept],
            [each[2] for each in kept],
            [each[3] for each in kept],
            corners,
        )

    def _most(self, shown: Sequence[ShownLiteral], whole: int) -> int:
        """Return the weight of a part of weight `whole` above which all of `shown` hold."""
        return max([whole - self._weight(one.mask) + one.above for one in shown], default=-1)

    def _derived(self, stair: Stair, own: list[Lit]) -> Stair:
        """Derive the clause of a stair by way of another literal."""
        if stair.via is None or stair.number is None:
            return stair._replace(via=None)
        clause = [*own, *(-lit for lit in stair.lits)]
        number = self._state.propagate(clause, [stair.number, stair.via])
        return stair._replace(number=number, via=None)

    def _climb(self, z: list[Lit], own: list[Lit], found: Staircase) -> int:
        """Derive that a target (`own`, or none) holds while z, its negation given, is true."""
        hints: list[int | None] = []
        before: Sequence[ShownLiteral] = ()
        for place, corner in enumerate(found.corners):
            last = place == len(found.stairs)
            first = () if last else found.firsts[place]
            if corner:
                for some in [[]] if last else [[one.z] for one in first]:
                    clause = [*dict.fromkeys([*z, *some, *(one.z for one in before)])]
                    # An input is its own z, and then z may be what is to be shown.
                    if not any(-lit in clause for lit in clause):
                        hints.append(self._state.derive_clause(clause))
            if last:
                break
            # The first part reaches the stair, so the second one does not.
            before = found.seconds[place]
            hints += [one.number for one in (*first, *before)]
            hints.append(found.stairs[place].number)
        return self._state.propagate([*z, *own], [hint for hint in hints if hint is not None])


def _components(masks: Iterable[Places]) -> list[Places]:
    """Return the unions of sets that have inputs in common, as large as they get."""
    found: list[Places] = []
    for mask in masks:
        apart = []
        for other in found:
            if other & mask:
                mask |= other
            else:
                apart.append(other)
        found = [*apart, mask]
    return found
