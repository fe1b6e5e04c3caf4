"""Rows, ``sum of coefficient * variable >= degree``, as a derivation expects its steps to give.

This is arithmetic of its own, apart from that of the checker: variables with coefficients of any
sign, not literals with positive weights.
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
        """The degree once negative coefficients are positive ones of negated variables."""
        return self.degree - sum([c for c in self.coefficients.values() if c < 0])

    def terms(self) -> list[tuple[int, Lit]]:
        """Return the positive weights and the literals; `literal_degree` is their degree."""
        return [(abs(c), v if c > 0 else -v) for v, c in self.coefficients.items()]

    def most(self, false: Iterable[Lit] = ()) -> int:
        """Return the largest value of the sum while these literals are false."""
        most = sum([c for c in self.coefficients.values() if c > 0])
        for lit in false:
            c = self.coefficients.get(abs(lit), 0)
            # A false literal takes away what it could add, or makes the other sign certain.
            most += -c if lit > 0 < c else (c if lit < 0 and c < 0 else 0)
        return most

    def refutes(self, false: Iterable[Lit]) -> bool:
        """Whether the row cannot hold while these literals, of distinct variables, are false."""
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
    """Return the weights of its literals and their degree divided, both rounded up."""
    terms = [(-(-weight // divisor), lit) for weight, lit in of.terms()]
    return linear_inequality(terms, -(-of.literal_degree // divisor))


def saturated(of: LinearInequality) -> LinearInequality:
    """Return no weight above the degree of its literals."""
    degree = max(of.literal_degree, 0)
    return linear_inequality(
        [(min(weight, degree), lit) for weight, lit in of.terms()], of.literal_degree
    )
