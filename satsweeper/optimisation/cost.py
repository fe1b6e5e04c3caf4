"""An objective as what it costs: weights above 0, without a common divisor, to be kept small."""

from collections.abc import Container
from dataclasses import dataclass
from math import gcd

from pbcnf.constraints.problem import Objective
from pbcnf.literals import Lit


@dataclass(frozen=True, slots=True)
class Cost:
    """``sum of weight * literal``, each variable at most once, each weight above 0.

    The objective is ``constant + unit * cost``; ``unit`` is negative if it is to be maximised.

    >>> Cost.of(Objective((1, -1, 2), (6, 2, -4)))
    Cost(terms={1: 1, -2: 1}, constant=-2, unit=4)
    """

    terms: dict[Lit, int]
    constant: int
    unit: int

    @staticmethod
    def of(objective: Objective) -> "Cost":
        """The cost of an objective."""
        sign = -1 if objective.maximise else 1
        constant, factors = objective.constant, dict[int, int]()
        for lit, weight in zip(objective.lits, objective.weights, strict=True):
            factors[abs(lit)] = factors.get(abs(lit), 0) + (weight if lit > 0 else -weight)
            constant += weight if lit < 0 else 0
        unit = gcd(*factors.values()) or 1
        terms = {}
        for var, factor in factors.items():
            scaled = sign * factor // unit
            if scaled:
                terms[var if scaled > 0 else -var] = abs(scaled)
            constant += factor if scaled < 0 else 0
        return Cost(terms, constant, sign * unit)

    @property
    def most(self) -> int:
        """The cost of all literals."""
        return sum(self.terms.values())

    def in_model(self, model: Container[Lit]) -> int:
        """What a model costs, of which these are the true literals."""
        return sum(weight for lit, weight in self.terms.items() if lit in model)

    def objective(self, cost: int) -> int:
        """The value of the objective at this cost."""
        return self.constant + self.unit * cost
