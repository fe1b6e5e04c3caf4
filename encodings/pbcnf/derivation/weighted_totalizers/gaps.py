"""The proof that the sum of two parts has gaps, which no sum of inequalities shows.

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

from pbcnf.derivation.implications import Condition
from pbcnf.derivation.weighted_totalizers.partial_sums import Joint, PartialSum
from pbcnf.literals import Lit


def close_gaps(total: PartialSum, joint: Joint) -> None:
    """Strengthen the outputs of `total`: a false output says "at most the attainable sum before".

    Inequalities that hold by the bounds are noted, too. With one bound no clause needs either.
    """
    if joint.of.at_least is not None and total.sums:
        _Gaps(total, joint).close()


class _Gaps:
    def __init__(self, total: PartialSum, joint: Joint) -> None:
        self._total, self._joint, self._state = total, joint, joint.state
        of, weight = joint.of, total.weighs()
        self._least = max(of.lower - (sum(of.weights) - weight), 0)
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
            # What is a count of the left part as well has been strengthened there.
            none = here == before + 1 or output in joint.left.lits
            self._low.append(output if none else self._threshold(before + 1))
        self._low.append(sums[-1] != self._most and self._threshold(sums[-1] + 1))
        self._defined: set[Lit] = set()

    def close(self) -> None:
        of, total = self._joint.of, self._total
        certain = [of.at_least if self._least else None]
        certain.append(of.at_most if self._most < total.weighs() else None)
        if self._low != self._high:
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
        """Return the numbers of "L implies H", by place, wherever the two differ."""
        exact = [self._exact(place) for place in range(self._last + 1)]
        some = self._some(exact)
        behind = self._behind(exact)
        upwards = self._upwards(exact, behind, some)
        downwards = self._downwards(exact, behind)
        return {
            place: number
            for place, (low, high) in enumerate(zip(self._low, self._high, strict=True))
            if low != high
            and (
                number := self._joint.propagated([low], [high], [upwards[place], downwards[place]])
            )
        }

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

    def _some(self, exact: list[Condition]) -> int | None:
        """Return the number of "some X holds"."""
        left = self._joint.left
        along = []
        for i, a in enumerate(left.sums):
            places, hints = self._pairs(i, a, exact)
            conclusions = [left.at_least(i + 1), *(exact[place] for place in places)]
            along.append(self._joint.propagated([left.at_least(i)], conclusions, hints))
        return self._joint.propagated([], exact, along)

    def _pairs(self, i: int, a: int, exact: list[Condition]) -> tuple[list[int], list[int | None]]:
        """Return the places of the sums a + b for sum `a` of the left part, and hints for them."""
        left, right, lemma = self._joint.left, self._joint.right, self._joint.lemma
        totals = [a + b for b in right.sums]
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

    def _behind(self, exact: list[Condition]) -> list[Condition]:
        """Return W of every place, and False behind the last."""
        behind: list[Condition] = [exact[-1], False]
        for one in exact[-2::-1]:
            var = self._state.fresh()
            self._state.define_or(var, [one, behind[0]])
            self._defined.add(var)
            behind.insert(0, var)
        return behind

    def _upwards(
        self, exact: list[Condition], behind: list[Condition], some: int | None
    ) -> list[int | None]:
        """Return "L implies W" for every place."""
        hints = [number for claim in behind[:-1] for number in self._definition(claim)]
        found = [self._joint.propagated([], [behind[0]], [*hints, some])]
        for place in range(1, self._last + 2):
            low, before = self._low[place], self._low[place - 1]
            hints = self._definition(-behind[place - 1]) + self._definition(-exact[place - 1])
            hints += [self._joint.lemma([low], [before]), found[-1]]
            found.append(self._joint.propagated([low], [behind[place]], hints))
        return found

    def _downwards(self, exact: list[Condition], behind: list[Condition]) -> list[int | None]:
        """Return "W implies H" for every place."""
        found: list[int | None] = [None]
        for place in range(self._last, -1, -1):
            high = self._high[place]
            hints = self._definition(-behind[place]) + self._definition(-exact[place])
            hints += [self._joint.lemma([self._high[place + 1]], [high]), found[0]]
            found.insert(0, self._joint.propagated([behind[place]], [high], hints))
        return found

    def _definition(self, lit: Condition) -> list[int | None]:
        """Return the half of X or W that holds while `lit` is false; nothing for other literals."""
        return [self._state.if_false[lit]] if abs(lit) in self._defined else []
