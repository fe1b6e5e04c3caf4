"""A model made cheaper without a search, one paid literal at a time.

A variable that gives a soft constraint up may be true though the constraint holds: the clauses
imply it one way only, and solvers keep the values that they have.
"""

from collections.abc import Iterable
from typing import Final

from pbcnf.constraints.constraint import Parity, PseudoBoolean
from pbcnf.constraints.problem import Problem
from pbcnf.literals import Lit


class Descent:
    """The constraints of a problem, by the literals that cost something.

    Args:
        problem: with constraints that every model satisfies.
        terms: what each literal costs, at most one of a variable, all more than 0.
    """

    def __init__(self, problem: Problem, terms: dict[Lit, int]) -> None:
        self._ordered: Final = sorted(terms, key=lambda lit: -terms[lit])
        self._sums: Final[list[tuple[dict[Lit, int], int, int]]] = []
        """What each literal weighs, and the bounds; only sums with a literal that costs."""
        self._changes: Final[dict[Lit, dict[int, int]]] = {lit: {} for lit in terms}
        """Of a literal that becomes false: the places of its sums, and what these gain."""
        self._fixed: Final[set[Lit]] = set()
        for constraint in problem.constraints:
            if isinstance(constraint, Parity):
                self._fixed.update(constraint.lits, [-lit for lit in constraint.lits])
                continue
            weights: Iterable[int] = (1,) * len(constraint.lits)
            if isinstance(constraint, PseudoBoolean):
                weights = constraint.weights
            found: dict[Lit, int] = {}
            for lit, weight in zip(constraint.lits, weights, strict=True):
                found[lit] = found.get(lit, 0) + weight
            paid = [p for lit in found for p in (lit, -lit) if p in self._changes]
            if paid:
                place = len(self._sums)
                self._sums.append((found, constraint.lower, constraint.upper))
                for lit in paid:
                    self._changes[lit][place] = found.get(-lit, 0) - found.get(lit, 0)

    def improved(self, model: set[Lit]) -> set[Lit]:
        """The true literals of a model that costs as much or less, the dearest tried first.

        None of them that costs something can become false alone.
        """
        model = set(model)
        sums = [sum(w for lit, w in terms.items() if lit in model) for terms, _, _ in self._sums]
        paid = [lit for lit in self._ordered if lit in model and lit not in self._fixed]
        left = len(paid) + 1
        while len(paid) < left:
            left = len(paid)
            paid = [lit for lit in paid if not self._turned(lit, model, sums)]
        return model

    def _turned(self, lit: Lit, model: set[Lit], sums: list[int]) -> bool:
        """Make a literal false if all constraints hold then, and say whether they do."""
        changes = self._changes[lit]
        for place, change in changes.items():
            _, lower, upper = self._sums[place]
            if not lower <= sums[place] + change <= upper:
                return False
        for place, change in changes.items():
            sums[place] += change
        model.remove(lit)
        model.add(-lit)
        return True
