"""Unit propagation on inequalities: on a few, or on all of a data base."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from pbcnf.proof.cutting_planes.inequality import Inequality, negation


def refuted(inequalities: Sequence[Inequality], true: set[int]) -> bool:
    """Whether propagation on these inequalities alone finds a conflict with the literals `true`.

    What is propagated is added to `true`.
    """
    changed = True
    while changed:
        changed = False
        for inequality in inequalities:
            forced = propagated(inequality, true)
            if forced is None:
                return True
            if forced:
                true.update(forced)
                changed = True
    return False


def propagated(inequality: Inequality, true: set[int]) -> list[int] | None:
    """Return the literals that must be true as well, None if that is not enough either."""
    terms, degree = inequality
    left = [(weight, lit) for lit, weight in terms.items() if -lit not in true]
    slack = sum([weight for weight, _ in left]) - degree
    if slack < 0:
        return None
    return [lit for weight, lit in left if weight > slack and lit not in true]


def assumed_false(inequality: Inequality) -> tuple[set[int], list[Inequality]]:
    """Return what is true if the inequality does not hold: literals, and what remains of it."""
    if inequality.clause is not None:
        return {-lit for lit in inequality.terms}, []
    return set(), [negation(inequality)]


class Database:
    """Numbered inequalities; which of them mention a variable is indexed when that is asked."""

    def __init__(self, inequalities: Iterable[Inequality]) -> None:
        self.alive = dict(enumerate(inequalities, start=1))
        self.last = len(self.alive)
        self._indexed = 0
        self._mentions: dict[int, list[int]] = defaultdict(list)
        self._eager: list[int] = []

    def add(self, inequality: Inequality) -> int:
        """Add an inequality and return its number."""
        self.last += 1
        self.alive[self.last] = inequality
        return self.last

    def mentioning(self, var: int) -> list[Inequality]:
        """Return what mentions a variable, the first added first."""
        self._index()
        numbers = self._mentions.get(var, ())
        return [self.alive[number] for number in numbers if number in self.alive]

    def refutes(self, true: set[int], further: Sequence[Inequality]) -> bool:
        """Whether propagation on everything, and on `further`, conflicts with literals `true`."""
        self._index()
        first = [self.alive[number] for number in self._eager if number in self.alive]
        agenda: list[int] = []
        if _contrary(true, agenda):
            return True
        seen = set(true)
        pending = [*further, *first]
        while True:
            for inequality in pending:
                forced = propagated(inequality, seen)
                if forced is None:
                    return True
                seen.update(forced)
                agenda += forced
            if not agenda:
                return False
            lit = agenda.pop()
            pending = [c for c in self.mentioning(abs(lit)) if -lit in c.terms]
            pending += [c for c in further if -lit in c.terms]

    def _index(self) -> None:
        for number in range(self._indexed + 1, self.last + 1):
            inequality = self.alive.get(number)
            if inequality is None:
                continue
            for lit in inequality.terms:
                self._mentions[abs(lit)].append(number)
            weights = inequality.terms.values()
            if sum(weights) - inequality.degree < max(weights, default=1):
                self._eager.append(number)
        self._indexed = self.last


def _contrary(true: set[int], agenda: list[int]) -> bool:
    """Put the literals on the agenda; whether two of them contradict each other."""
    agenda += sorted(true, key=abs)
    return any(-lit in true for lit in true)
