"""The generalized totalizer and the sequential weight counter: partial sums of weighted inputs.

The generalized totalizer counts halves of the inputs, each by its own halves: o[v][w] is true
exactly if the inputs below node v weigh at least w. The sequential weight counter takes the inputs
one after the other, each a part of its own: s[i][j] is true exactly if the first i inputs weigh at
least j.

With one bound every clause is one sum of these definitions and of the bound, at most two steps a
clause and two a variable. With two, that both parts together are at most so much, and that a count
rises only with its input, needs that no sum lies in between the attainable ones. No sum of
inequalities shows that.

A count is defined as "the sum is at least s", where s is attained by some of the inputs. False, it
says that the sum is below s; that it is at most the attainable sum before s takes an argument by
cases. For a part of the inputs whose sums are s[0] < ... < s[k] let H[m] be "at least s[m]" and
L[m] "at least s[m-1] + 1": L[0] and H[k+1] are decided by the bounds, and where nothing is missing
in between H[m] is L[m]. With the counts A[i], B[j] of its two halves, for which this is shown
already, and X[m] for "H[m] and not L[m+1]", that is "exactly s[m]":

1. If a[i] + b[j] = s[m], then A[i] and B[j] imply H[m], and without A[i+1], B[j+1] there is no
   L[m+1]: two sums of rows for each such pair.
2. So A[i] without A[i+1] implies some X[m], by propagation along the B[j]; and hence, along the
   A[i], some X[m] holds.
3. W[m] is defined as X[m] or W[m+1]. W[0] holds; L[m] implies W[m], upwards; W[m] implies H[m],
   downwards. Hence L[m] implies H[m], and what L[m] says when it is false H[m] says, too.

All of this is linear in the pairs and the sums; a part without gaps takes no step. The variables
L, X and W are of the proof alone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import (
    Condition,
    DerivedImplications,
    EncodedSum,
    by_decreasing_weight,
    is_clause,
)
from pbcnf.encoders.circuits.sum_tree import (
    Bounds,
    SumNode,
    add_up_reduced,
    attained,
    forbid,
    join,
    join_reduced,
)
from pbcnf.formula import Formula
from pbcnf.literals import Lit, Var


@dataclass(slots=True)
class PartialSum:
    """Inputs with weights, the sums that are distinguished, and an output "at least" for each.

    The least sum has no output. ``certain``: the numbers of two inequalities that follow from the
    bounds, the inputs weigh at least the first sum, and at most the last; None for one that holds
    whatever the bounds are.
    """

    terms: Sequence[tuple[int, Lit]]
    sums: Sequence[int]
    outputs: Sequence[Lit]
    certain: tuple[int | None, int | None] = (None, None)
    lits: frozenset[Lit] = field(init=False)
    """The outputs and their negations."""

    def __post_init__(self) -> None:
        """Collect the literals."""
        self.lits = frozenset([*self.outputs, *(-lit for lit in self.outputs)])

    @staticmethod
    def of_input(weight: int, lit: Lit) -> PartialSum:
        """Return a single input."""
        return PartialSum([(weight, lit)], (0, weight), [lit])

    def weighs(self) -> int:
        """Return the weight of all inputs."""
        return sum(weight for weight, _ in self.terms)

    def at_least(self, place: int) -> Lit | bool:
        """Return the literal "at least the sum at `place`", False behind the last place."""
        if place == 0:
            return True
        return self.outputs[place - 1] if place <= len(self.outputs) else False


class Joint(DerivedImplications):
    """Two partial sums that are added; ``of`` has inputs by decreasing weight, an upper bound."""

    def __init__(
        self, left: PartialSum, right: PartialSum, of: EncodedSum, state: DerivationState
    ) -> None:
        super().__init__(of, state)
        self.left, self.right = left, right

    def derive(self, clause: Sequence[Lit]) -> int:
        """Derive a clause on the outputs of both parts and of their sum from what these mean.

        A part without a literal in the clause contributes what is certain by the bounds.
        """
        known = self.known.get(frozenset(clause))
        if known is not None:
            return self.state.propagate(clause, [known])
        if_false = self.state.if_false
        own = [(if_false[lit], 1) for lit in clause if lit in if_false]
        for rows in self._certain(clause):
            parts = own + [(number, 1) for number in rows]
            if parts and self.state.sum_refutes(clause, parts):
                return self.state.derive_by_sum(clause, parts)
        raise UnderivableError(f"clause {list(clause)} does not follow from two partial sums")

    def lemma(self, premises: Iterable[Condition], conclusions: Iterable[Condition]) -> int | None:
        """Return the number of a clause, which is derived once; None for what always holds."""
        clause = self.clause(premises, conclusions)
        if clause is None:
            return None
        key = frozenset(clause)
        if key not in self.known:
            self.known[key] = self.derive(clause)
        return self.known[key]

    def _certain(self, clause: Sequence[Lit]) -> Iterator[list[int]]:
        """Yield the rows to be tried beside the definitions: none, one side, one side and a bound.

        A part that the clause does not mention has its least sum, or its most, by the bounds.
        """
        absent = [part for part in (self.left, self.right) if part.lits.isdisjoint(clause)]
        yield []
        for side in (0, 1):
            rows = {row for part in absent if (row := part.certain[side]) is not None}
            yield [*rows]
            for bound in self.of.bounds:
                yield [*rows - {bound}, bound]


def close_gaps(total: PartialSum, joint: Joint) -> None:
    """Strengthen the outputs of `total`: a false output says "at most the attainable sum before".

    Inequalities that hold by the bounds are noted, too. With one bound no clause needs either.
    """
    if joint.of.at_least is not None and total.sums:
        _Gaps(total, joint).close()


class _Gaps:
    """The gaps of partial sum ``total``: H, L, X and W as the module names them, by place."""

    def __init__(self, total: PartialSum, joint: Joint) -> None:
        self._total, self._joint, self._state = total, joint, joint.state
        of, weight = joint.of, total.weighs()
        self._least = max(of.lower - (of.total - weight), 0)
        self._most = min(of.upper, weight)
        sums = total.sums
        self._last = len(sums) - 1
        self._high = [
            sums[0] == self._least or self._threshold(sums[0]),
            *total.outputs,
            False,
        ]
        self._low: list[Condition] = [True]
        for before, here, output in zip(sums, sums[1:], total.outputs, strict=False):
            # L is H where nothing is missing in between, and where H is a count of the left part as
            # well, which has been strengthened there.
            none = here == before + 1 or output in joint.left.lits
            self._low.append(output if none else self._threshold(before + 1))
        self._low.append(sums[-1] != self._most and self._threshold(sums[-1] + 1))
        self._defined: set[Lit] = set()

    def close(self) -> None:
        of, total = self._joint.of, self._total
        certain = [of.at_least if self._least else None]
        certain.append(of.at_most if self._most < total.weighs() else None)
        if self._low != self._high:
            # L with "L implies H" in its place: a false H says what a false L said, and a true one
            # at the least place, and a false one behind the last, are certain.
            shown = self._shown()
            if 0 in shown:
                certain[0] = self._with(-self._high[0], shown[0])
            if self._last + 1 in shown:
                certain[1] = self._with(self._low[-1], shown[self._last + 1])
            for place in range(1, self._last + 1):
                if place in shown:
                    row = self._with(self._low[place], shown[place])
                    self._state.if_false[total.outputs[place - 1]] = row
        total.certain = (certain[0], certain[1])

    def _with(self, lit: Condition, clause: int) -> int:
        """Return the half of the definition of `lit` with the literal replaced by `clause`."""
        row = self._state.if_false[lit]
        weight = abs(self._state.rows[row].coefficients[abs(lit)])
        return self._state.add([(row, 1), (clause, weight)])

    def _shown(self) -> dict[int, int]:
        """Return place -> the number of "L implies H", wherever the two differ."""
        joint, left, last = self._joint, self._joint.left, self._last
        exact = [self._exact(place) for place in range(last + 1)]
        # Some X holds: A[0] is certain, A[i] implies an X or A[i+1], and behind the last A is none.
        along = []
        for i, a in enumerate(left.sums):
            places, hints = self._pairs(i, a, exact)
            conclusions = [left.at_least(i + 1), *(exact[place] for place in places)]
            along.append(joint.propagated([left.at_least(i)], conclusions, hints))
        some = joint.propagated([], exact, along)
        # W of every place is "X here or W behind", False behind the last.
        behind: list[Condition] = [exact[-1], False]
        for one in exact[-2::-1]:
            var = self._state.fresh()
            self._state.define_or(var, [one, behind[0]])
            self._defined.add(var)
            behind.insert(0, var)
        # L implies W, from the first place on: W[0] holds, as some X does. L[m] implies L[m-1],
        # hence W[m-1], and excludes X[m-1], which implies "not L[m]": so W[m] holds.
        hints = [number for claim in behind[:-1] for number in self._definition(claim)]
        upwards = [joint.propagated([], [behind[0]], [*hints, some])]
        for place in range(1, last + 2):
            low, before = self._low[place], self._low[place - 1]
            hints = self._definition(-behind[place - 1]) + self._definition(-exact[place - 1])
            hints += [joint.lemma([low], [before]), upwards[-1]]
            upwards.append(joint.propagated([low], [behind[place]], hints))
        # W implies H, from the last place down: W[m] is X[m], which implies H[m], or W[m+1], which
        # implies H[m+1] and hence H[m].
        downwards: list[int | None] = [None]
        for place in range(last, -1, -1):
            high = self._high[place]
            hints = self._definition(-behind[place]) + self._definition(-exact[place])
            hints += [joint.lemma([self._high[place + 1]], [high]), downwards[0]]
            downwards.insert(0, joint.propagated([behind[place]], [high], hints))
        shown = {}
        for place, (low, high) in enumerate(zip(self._low, self._high, strict=True)):
            if low != high:
                number = joint.propagated([low], [high], [upwards[place], downwards[place]])
                if number is not None:
                    shown[place] = number
        return shown

    def _threshold(self, least: int) -> Lit:
        var = self._state.fresh()
        self._state.define(var, self._total.terms, least)
        return var

    def _exact(self, place: int) -> Condition:
        """Return X of a place: "exactly the sum at this place"."""
        high, low = self._high[place], self._low[place + 1]
        if high is True:
            return -low if low else True
        if low is False:
            return high
        var = self._state.fresh()
        self._state.define_and(var, [high, -low])
        self._defined.add(var)
        return var

    def _pairs(self, i: int, a: int, exact: list[Condition]) -> tuple[list[int], list[int | None]]:
        """Return the places of the sums a + b for sum `a` of the left part, and hints for them."""
        left, right, lemma = self._joint.left, self._joint.right, self._joint.lemma
        totals = [a + b for b in right.sums]
        # One pair on either side of the window is kept: it shows that what lies beyond is too small
        # or too large.
        start = max(bisect_left(totals, self._least) - 1, 0)
        stop = bisect_right(totals, self._most) + 1
        places, hints = list[int](), list[int | None]()
        for j, total in enumerate(totals[start:stop], start=start):
            place = bisect_left(self._total.sums, total)
            if total >= self._least:
                reached = [left.at_least(i), right.at_least(j)]
                hints.append(lemma(reached, [self._high[place]]))
            if self._least <= total <= self._most:
                places.append(place)
                hints += self._definition(exact[place])
            if total <= self._most:
                beyond = [left.at_least(i + 1), right.at_least(j + 1)]
                low = self._low[place + 1] if total >= self._least else True
                hints.append(lemma([low], beyond))
        return places, hints

    def _definition(self, lit: Condition) -> list[int | None]:
        """Return the half of X or W that holds while `lit` is false; nothing for other literals."""
        return [self._state.if_false[lit]] if abs(lit) in self._defined else []


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the counts, and derive the clauses."""
    of = by_decreasing_weight(of)
    if is_clause(of):
        return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]
    return _tree(of, state) if of.encoder.name == "generalized_totalizer" else _sequence(of, state)


def _sequence(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define the counts of the sequential weight counter row by row, then derive the clauses."""
    row, rest = PartialSum([], [0], []), of.total
    joints: list[Joint] = []
    last: dict[Var, int] = {abs(lit): place for place, lit in enumerate(of.lits)}
    fresh = of.first
    for place, (weight, x) in enumerate(of.terms):
        joint = Joint(row, PartialSum.of_input(weight, x), of, state)
        joints.append(joint)
        rest -= weight
        sums = _sums(row.sums, weight, of, rest)
        if not sums or not rest:
            break
        kept = dict(zip(row.sums[1:], row.outputs, strict=True))
        outputs: list[Var] = []
        for count in sums[1:]:
            # If no attainable sum of the row before lies between, the input cannot make the
            # difference: "at least count" is the same literal as in the row before.
            same = bisect_left(row.sums, count) == bisect_left(row.sums, count - weight)
            if not same:
                state.define(fresh, of.terms[: place + 1], count)
                last[fresh] = place
                fresh += 1
            outputs.append(kept[count] if same else fresh - 1)
        row = PartialSum(of.terms[: place + 1], sums, outputs)
        close_gaps(row, joint)
    return [
        joints[max([last.get(abs(lit), 0) for lit in clause], default=0)].derive(clause)
        for clause in of.clauses
    ]


def _sums(before: Sequence[int], weight: int, of: EncodedSum, rest: int) -> list[int]:
    """Return the sums that are told apart after an input, with `rest` to come."""
    every = sorted({*before, *(count + weight for count in before)})
    two = of.at_least is not None
    least = max(of.lower - rest, 0) if two else max(of.upper - rest, 0) + 1
    some = every[bisect_left(every, least) : bisect_right(every, of.upper)]
    return some if two else [0, *some]


def _tree(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive the clauses of the generalized totalizer over the inputs, by decreasing weight."""
    leaves = [
        (SumNode(weight, (0, weight), [lit]), PartialSum.of_input(weight, lit))
        for weight, lit in of.terms
    ]
    return derive_tree(leaves, Bounds.of(of.weights, of.lower, of.upper), of, state)


Grown = tuple[SumNode, PartialSum]
"""A node as the encoder has it, and its outputs as partial sums of the terms."""


def derive_tree(
    leaves: Sequence[Grown],
    bounds: Bounds,
    of: EncodedSum,
    state: DerivationState,
    *,
    reduced: bool = False,
) -> list[int]:
    """Derive the clauses of the nodes above two leaves or more, up to the root.

    The nodes are emitted once more, one by one, to know how many clauses each has. A leaf is an
    input or a chain of terms of which each implies the one before. `reduced`: equivalent sums are
    one, as in `add_up_reduced`.
    """
    clauses = iter(of.clauses)
    found: list[int] = []
    last = of.first - 1

    def grown(part: Sequence[Grown], outside: Sequence[int] | None) -> Grown:
        """Derive the nodes above some leaves, beside which the others weigh `outside`."""
        nonlocal last
        if len(part) == 1:
            [(node, total)] = part
            if reduced:
                node = add_up_reduced([node], bounds, Formula(last), outside)
                total = PartialSum(total.terms, node.sums, node.outputs)
            return node, total
        (left, of_left), (right, of_right) = halves(part, outside)
        again = Formula(last)
        if reduced:
            node = join_reduced(left, right, bounds, again, outside)
        else:
            node = join(left, right, bounds, again)
        last = again.num_vars
        terms = [*of_left.terms, *of_right.terms]
        total = PartialSum(terms, node.sums, node.outputs)
        for output, least in zip(node.outputs, node.sums[1:], strict=True):
            state.define(output, terms, least)
        joint = Joint(of_left, of_right, of, state)
        # The gaps of the parts are closed before those of the sum, and these before its clauses.
        close_gaps(total, joint)
        derive_next(joint, again)
        return node, total

    def halves(part: Sequence[Grown], outside: Sequence[int] | None) -> Iterator[Grown]:
        half = len(part) // 2
        for own, other in ((part[:half], part[half:]), (part[half:], part[:half])):
            beside = [node for node, _ in other] if reduced else []
            yield grown(own, attained(outside, beside, bounds.upper))

    def derive_next(joint: Joint, again: Formula) -> None:
        """Derive as many of the next clauses as `again` has."""
        found.extend(joint.derive(clause) for _, clause in zip(again, clauses, strict=False))

    (left, of_left), (right, of_right) = halves(leaves, (0,))
    again = Formula(last)
    forbid(left, right, bounds, again)
    derive_next(Joint(of_left, of_right, of, state), again)
    return found
