"""Linear inequalities ``sum of coefficient * variable >= degree`` and the operations of steps.

Derivations compute with these what their steps give. The arithmetic is not the checker's: variables
have coefficients of any sign here, where the checker has literals with positive weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pbcnf.literals import Lit, Var

Terms = Sequence[tuple[int, Lit]]
"""Weights and literals."""


class LinearInequality(NamedTuple):
    """The variables' coefficients, none of them 0, and the degree. Never changed once made."""

    coefficients: Mapping[Var, int]
    degree: int

    @property
    def literal_degree(self) -> int:
        """The degree when the inequality is written over literals with positive weights."""
        return self.degree - sum([c for c in self.coefficients.values() if c < 0])

    def terms(self) -> list[tuple[int, Lit]]:
        """Return positive weights and literals, whose degree is `literal_degree`."""
        return [(abs(c), v if c > 0 else -v) for v, c in self.coefficients.items()]

    def most(self, false: Iterable[Lit] = ()) -> int:
        """Return the largest value of the sum while the literals `false` are false."""
        most = sum([c for c in self.coefficients.values() if c > 0])
        for lit in false:
            c = self.coefficients.get(abs(lit), 0)
            # A false literal takes away what it could add, or makes the other sign certain.
            most += -c if lit > 0 < c else (c if lit < 0 and c < 0 else 0)
        return most

    def refutes(self, false: Iterable[Lit]) -> bool:
        """Whether the slack is negative while the literals `false` are false."""
        return self.most(false) < self.degree


def linear_inequality(terms: Iterable[tuple[int, Lit]], least: int) -> LinearInequality:
    """Return ``sum of weight * literal >= least``; literals may repeat.

    >>> linear_inequality([(2, 1), (3, -2)], 3)
    LinearInequality(coefficients={1: 2, 2: -3}, degree=0)
    """
    coefficients: dict[Var, int] = {}
    for weight, lit in terms:
        if lit < 0:
            least -= weight
            weight = -weight
        coefficients[abs(lit)] = coefficients.get(abs(lit), 0) + weight
    return LinearInequality({v: c for v, c in coefficients.items() if c}, least)


def combined(
    parts: Sequence[tuple[LinearInequality, int]], axioms: Sequence[tuple[Lit, int]] = ()
) -> LinearInequality:
    """Return the sum of inequalities and axioms ``literal >= 0``, each times its factor."""
    if len(parts) == 1 and parts[0][1] == 1 and not axioms:
        return parts[0][0]
    coefficients: dict[Var, int] = {}
    degree = 0
    for part, factor in parts:
        degree += factor * part.degree
        for v, c in part.coefficients.items():
            coefficients[v] = coefficients.get(v, 0) + factor * c
    for lit, factor in axioms:
        if lit < 0:
            degree -= factor
            factor = -factor
        coefficients[abs(lit)] = coefficients.get(abs(lit), 0) + factor
    return LinearInequality({v: c for v, c in coefficients.items() if c}, degree)


def divided(of: LinearInequality, divisor: int) -> LinearInequality:
    """Return an inequality with weights and literal degree divided and rounded up."""
    terms = [(-(-weight // divisor), lit) for weight, lit in of.terms()]
    return linear_inequality(terms, -(-of.literal_degree // divisor))


def saturated(of: LinearInequality) -> LinearInequality:
    """Return an inequality with no weight above its literal degree."""
    degree = max(of.literal_degree, 0)
    return linear_inequality(
        [(min(weight, degree), lit) for weight, lit in of.terms()], of.literal_degree
    )
