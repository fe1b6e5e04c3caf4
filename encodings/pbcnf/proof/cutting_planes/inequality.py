"""Linear inequalities over 0-1 variables in normal form, and the rules of cutting planes.

A literal is a non-zero integer, ``-v`` the negation of ``v``. In normal form all weights are
positive and no variable occurs twice: ``-2 x >= -1`` is kept as ``2 ~x >= 1``. Integers are exact.

Reference: Cook, Coullard, Turan: On the complexity of cutting-plane proofs, Discrete Applied
Mathematics 18 (1987); syntactic implication and substitution as in Gocht, Nordstroem: Certifying
parity reasoning efficiently using pseudo-Boolean proofs, AAAI 2021.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Inequality(NamedTuple):
    """``sum of weight * literal >= degree`` in normal form. Never changed once it is made."""

    terms: dict[int, int]
    degree: int

    @property
    def trivial(self) -> bool:
        """Whether every assignment satisfies it."""
        return self.degree <= 0

    @property
    def contradictory(self) -> bool:
        """Whether no assignment satisfies it."""
        return sum(self.terms.values()) < self.degree

    @property
    def clause(self) -> frozenset[int] | None:
        """The equivalent clause over the inequality's literals, None if no clause is."""
        if self.degree > 0 and all(weight >= self.degree for weight in self.terms.values()):
            return frozenset(self.terms)
        return None

    @property
    def forced(self) -> list[int]:
        """The literals that the inequality forces; empty for a contradiction."""
        slack = sum(self.terms.values()) - self.degree
        return [lit for lit, weight in self.terms.items() if weight > slack] if slack >= 0 else []


def normalised(terms: Iterable[tuple[int, int]], degree: int) -> Inequality:
    """Return the inequality of these weights and literals, of any sign and repeated or not.

    >>> normalised([(-2, 1), (1, 2), (3, -2)], 0)
    Inequality(terms={-1: 2, -2: 2}, degree=1)
    """
    result: dict[int, int] = {}
    for weight, lit in terms:
        if weight < 0:
            weight, lit, degree = -weight, -lit, degree - weight
        if lit in result or -lit in result or not weight:
            degree -= _put(result, lit, weight)
        else:
            result[lit] = weight
    return Inequality(result, degree)


def added(left: Inequality, right: Inequality) -> Inequality:
    """Return the sum of two inequalities."""
    terms, degree = dict(left.terms), left.degree + right.degree
    for lit, weight in right.terms.items():
        if -lit not in terms:
            terms[lit] = terms.get(lit, 0) + weight
        elif terms[-lit] == weight:
            del terms[-lit]
            degree -= weight
        else:
            degree -= _put(terms, lit, weight)
    return Inequality(terms, degree)


def multiplied(inequality: Inequality, factor: int) -> Inequality:
    """Return `factor` >= 0 times the inequality."""
    if factor == 0:
        return Inequality({}, 0)
    terms = {lit: factor * weight for lit, weight in inequality.terms.items()}
    return Inequality(terms, factor * inequality.degree)


def divided(inequality: Inequality, divisor: int) -> Inequality:
    """Return weights and degree divided by `divisor` > 0, both rounded up."""
    terms = {lit: -(-weight // divisor) for lit, weight in inequality.terms.items()}
    return Inequality(terms, -(-inequality.degree // divisor))


def saturated(inequality: Inequality) -> Inequality:
    """Return the saturated inequality, in which no weight exceeds the degree."""
    degree = max(inequality.degree, 0)
    if not degree:
        return Inequality({}, inequality.degree)
    terms = {lit: min(weight, degree) for lit, weight in inequality.terms.items()}
    return Inequality(terms, inequality.degree)


def weakened(inequality: Inequality, var: int) -> Inequality:
    """Return the inequality without a variable: as if its literal were true."""
    terms, degree = dict(inequality.terms), inequality.degree
    for lit in (var, -var):
        degree -= terms.pop(lit, 0)
    return Inequality(terms, degree)


def negation(inequality: Inequality) -> Inequality:
    """Return the negation of an inequality."""
    terms = {-lit: weight for lit, weight in inequality.terms.items()}
    return Inequality(terms, sum(terms.values()) - inequality.degree + 1)


def substituted(inequality: Inequality, witness: Mapping[int, int | bool]) -> Inequality:
    """Return the inequality with some variables replaced by True, False or a literal."""
    terms, degree = dict(inequality.terms), inequality.degree
    images: list[tuple[int, int]] = []
    for var, value in witness.items():
        for lit, own in ((var, value), (-var, not value)):
            weight = terms.pop(lit, 0)
            if isinstance(value, bool):
                degree -= weight * own
            else:
                images.append((weight, value if lit > 0 else -value))
    if not images:
        return Inequality(terms, degree)
    return normalised([*((weight, lit) for lit, weight in terms.items()), *images], degree)


def implies(left: Inequality, right: Inequality) -> bool:
    """Whether adding axioms ``literal >= 0`` to `left` gives `right` or more: enough, not needed.

    >>> implies(Inequality({1: 1, 2: 1}, 2), Inequality({1: 1, 3: 2}, 1))
    True
    """
    # Axioms ``-lit >= -1`` take away what a weight of `left` has beyond that of `right`: this much
    # is lost of the degree. Axioms ``lit >= 0`` add what is missing, at no cost.
    wanted = right.terms
    too_much = 0
    for lit, weight in left.terms.items():
        extra = weight - wanted.get(lit, 0)
        if extra > 0:
            too_much += extra
    return left.degree - too_much >= right.degree


def _put(terms: dict[int, int], lit: int, weight: int) -> int:
    """Add a term of positive weight; return the constant that opposite literals leave."""
    if not weight:
        return 0
    opposite = terms.get(-lit, 0)
    if not opposite:
        terms[lit] = terms.get(lit, 0) + weight
        return 0
    if opposite > weight:
        terms[-lit] = opposite - weight
        return weight
    del terms[-lit]
    if weight > opposite:
        terms[lit] = weight - opposite
    return opposite
