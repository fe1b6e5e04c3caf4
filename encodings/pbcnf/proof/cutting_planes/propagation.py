"""Unit propagation on inequalities: on a few, or on all of a data base."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from pbcnf.proof.cutting_planes.formula import Equalities, Known
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
    """Return the further literals that the inequality forces, given the literals `true`.

    None is returned if the inequality cannot hold: its slack is negative.
    """
    terms, degree = inequality
    # Without a literal of more weight than the slack even all others would stay below the degree.
    left = [(weight, lit) for lit, weight in terms.items() if -lit not in true]
    slack = sum([weight for weight, _ in left]) - degree
    if slack < 0:
        return None
    return [lit for weight, lit in left if weight > slack and lit not in true]


def assumed_false(inequality: Inequality) -> tuple[set[int], list[Inequality]]:
    """Return the negation of an inequality as true literals and remaining inequalities."""
    if inequality.clause is not None:
        return {-lit for lit in inequality.terms}, []
    return set(), [negation(inequality)]


class Database:
    """Numbered inequalities, with an index of those that mention a variable, made when needed.

    Args:
        inequalities: the inequalities of the formula.
        variables: the largest variable of the formula.
    """

    def __init__(self, inequalities: Sequence[Inequality] | Equalities, variables: int) -> None:
        self.alive = Known(inequalities)
        self.last = len(self.alive)
        self._variables = variables
        self._given: _Index | None = None
        self._derived = _Index()
        self._indexed = self.last

    def add(self, inequality: Inequality) -> int:
        """Add an inequality and return its number."""
        self.last += 1
        self.alive.derived[self.last] = inequality
        return self.last

    def forget_given(self) -> None:
        """Delete all inequalities of the formula."""
        self.alive.forget_given()
        self._given = None

    def mentioning(self, var: int) -> list[Inequality]:
        """Return the constraints that mention a variable, in the order of their numbers."""
        self._index()
        found: list[Inequality] = []
        if var <= self._variables:
            found = [self.alive[number] for number in self._all_given().mentions.get(var, ())]
        derived = self.alive.derived
        numbers = self._derived.mentions.get(var, ())
        return found + [derived[number] for number in numbers if number in derived]

    def refutes(self, true: set[int], further: Sequence[Inequality]) -> bool:
        """Whether propagation on everything, and on `further`, conflicts with literals `true`."""
        self._index()
        eager = [*self._all_given().eager, *self._derived.eager]
        first = [self.alive[number] for number in eager if number in self.alive]
        if any(-lit in true for lit in true):
            return True
        agenda = sorted(true, key=abs)
        seen = set(true)
        pending = [*further, *first]
        # Invariant: every inequality with a literal that became false is propagated again after
        # that, since only then does its slack fall.
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
            inequality = self.alive.derived.get(number)
            if inequality is not None:
                self._derived.add(number, inequality)
        self._indexed = self.last

    def _all_given(self) -> _Index:
        """The index of the formula, made when a step without hints needs it."""
        if self._given is None:
            self._given = _Index()
            for number, inequality in enumerate(self.alive.given, start=1):
                self._given.add(number, inequality)
        return self._given


class _Index:
    """An index: variable -> constraints that mention it; and constraints that propagate alone."""

    def __init__(self) -> None:
        self.mentions: dict[int, list[int]] = defaultdict(list)
        self.eager: list[int] = []

    def add(self, number: int, inequality: Inequality) -> None:
        for lit in inequality.terms:
            self.mentions[abs(lit)].append(number)
        weights = inequality.terms.values()
        if sum(weights) - inequality.degree < max(weights, default=1):
            self.eager.append(number)
