"""Unit propagation on pseudo-Boolean constraints, with the reason of each forced literal.

So a clause that follows by propagation gets the hints of its ``rup`` step: the constraints on the
way from its negation to the conflict, in their order, and no others.
"""

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from pbcnf.literals import Lit


class Refuted(NamedTuple):
    """Why literals cannot all be true.

    ``assumed``: those of them that are enough; ``known``: literals that were forced before;
    ``indices``: of constraints, in the order in which they force, the last one cannot hold then.
    """

    assumed: list[Lit]
    known: list[Lit]
    indices: list[int]


class ConstraintPropagation:
    """Constraints, ``sum of weight * literal >= degree`` with weights above 0, and what they force.

    Invariant, for the first ``_done`` literals of ``trail``: the slack of a constraint is the sum
    of its weights without those of false literals, less its degree. After `add` all are done, and
    no literal without a value weighs more than a slack, unless there was a conflict.
    """

    def __init__(self) -> None:
        self.trail: list[Lit] = []
        """The true literals, in the order in which they were forced."""
        self._forced_by: dict[Lit, int] = {}
        """True literal -> the index of the constraint that forced it, -1 for what is assumed."""
        self._place: dict[Lit, int] = {}
        self._terms: list[Mapping[Lit, int]] = []
        self._degrees: list[int] = []
        self._slack: list[int] = []
        self._largest: list[int] = []
        self._holders: dict[Lit, list[tuple[int, int]]] = {}
        """Literal -> index and weight of each constraint that has it."""
        self._done = 0

    def add(self, terms: Mapping[Lit, int], degree: int) -> int | None:
        """Add a constraint, whose index is their number so far, and propagate.

        Return the index of a constraint that cannot hold, None if there is none.
        """
        index = len(self._terms)
        self._terms.append(terms)
        self._degrees.append(degree)
        for lit, weight in terms.items():
            self._holders.setdefault(lit, []).append((index, weight))
        self._slack.append(sum([w for lit, w in terms.items() if -lit not in self._place]) - degree)
        self._largest.append(max(terms.values(), default=0))
        if self._slack[index] < 0:
            return index
        self._force(index)
        return self._propagate()

    def reason(self, lit: Lit) -> tuple[int, list[Lit]]:
        """Return the constraint that forced ``lit``, and true literals before that are enough."""
        index = self._forced_by[lit]
        return index, self._needed(index, lit)

    def reason_of(self, index: int) -> list[Lit]:
        """Return true literals with which constraint ``index`` cannot hold."""
        return self._needed(index, None)

    def refute(self, lits: Iterable[Lit]) -> Refuted | None:
        """Return why ``lits`` cannot all be true; None if propagation does not show it."""
        level = len(self.trail)
        found: Refuted | None = None
        for lit in lits:
            if -lit in self._place:
                # The constraint that has forced the opposite cannot hold with ``lit``.
                found = self._explained(-1, [-lit], level)
                found.assumed.append(lit)
                break
            if lit not in self._place:
                self._push(lit, -1)
                index = self._propagate()
                if index is not None:
                    found = self._explained(index, self._needed(index, None), level)
                    break
        self._undo(level)
        return found

    def tight(self, lits: Iterable[Lit]) -> Lit | None:
        """Return a literal that forces much if ``lits`` are true; None if all have values then.

        Propagation must not refute ``lits``.
        """
        level = len(self.trail)
        for lit in lits:
            if lit not in self._place:
                self._push(lit, -1)
                self._propagate()
        best, found = 0.0, None
        for terms, slack in zip(self._terms, self._slack, strict=True):
            # The share of the slack that the heaviest literal without a value takes if it is false.
            for lit, weight in terms.items():
                if weight > best * (slack + 1) and not {lit, -lit} & self._place.keys():
                    best, found = weight / (slack + 1), -lit
        self._undo(level)
        return found

    def _push(self, lit: Lit, index: int) -> None:
        self._place[lit] = len(self.trail)
        self._forced_by[lit] = index
        self.trail.append(lit)

    def _force(self, index: int) -> None:
        """Make the literals true without which constraint ``index`` cannot hold."""
        slack, place = self._slack[index], self._place
        if slack < self._largest[index]:
            for lit, weight in self._terms[index].items():
                if weight > slack and lit not in place and -lit not in place:
                    self._push(lit, index)

    def _propagate(self) -> int | None:
        while self._done < len(self.trail):
            lit = self.trail[self._done]
            self._done += 1
            conflict = None
            # All slacks are brought up to date, also behind a conflict: `_undo` relies on it.
            for index, weight in self._holders.get(-lit, ()):
                self._slack[index] -= weight
                if self._slack[index] < 0:
                    conflict = index
                elif conflict is None:
                    self._force(index)
            if conflict is not None:
                return conflict
        return None

    def _undo(self, level: int) -> None:
        for lit in self.trail[level : self._done]:
            for index, weight in self._holders.get(-lit, ()):
                self._slack[index] += weight
        for lit in self.trail[level:]:
            del self._place[lit], self._forced_by[lit]
        del self.trail[level:]
        self._done = min(self._done, level)

    def _needed(self, index: int, lit: Lit | None) -> list[Lit]:
        """Return true literals with which constraint ``index`` forces ``lit``, or cannot hold."""
        terms, place = self._terms[index], self._place
        before = len(self.trail) if lit is None else place[lit]
        false = [
            (place[-each], w, -each)
            for each, w in terms.items()
            if place.get(-each, before) < before
        ]
        slack = sum(terms.values()) - self._degrees[index] - sum([w for _, w, _ in false])
        # So much may be given back, and the slack is still below 0, or below the weight of ``lit``.
        spare = (0 if lit is None else terms[lit]) - slack - 1
        kept = []
        for _, weight, opposite in sorted(false, reverse=True):
            if weight <= spare:
                spare -= weight
            else:
                kept.append(opposite)
        return kept

    def _explained(self, last: int, lits: Iterable[Lit], level: int) -> Refuted:
        """Follow ``lits`` back to what was assumed, or was true before place ``level``."""
        found = Refuted([], [], [] if last < 0 else [last])
        waiting: list[int] = []
        seen: set[Lit] = set()

        def wait(lits: Iterable[Lit]) -> None:
            for lit in lits:
                if lit not in seen:
                    seen.add(lit)
                    heappush(waiting, -self._place[lit])

        wait(lits)
        while waiting:
            at = -heappop(waiting)
            lit = self.trail[at]
            index = self._forced_by[lit]
            if at < level:
                found.known.append(lit)
            elif index < 0:
                found.assumed.append(lit)
            else:
                found.indices.append(index)
                wait(self._needed(index, lit))
        found.indices.reverse()
        return found
