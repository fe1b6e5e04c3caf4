"""Formulas and parities over few inputs, and what their clauses do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from pbcnf.audit.bounds import BoundKind
from pbcnf.audit.examination import Audit, audit_truth
from pbcnf.audit.scenarios import truth, truth_of_parity
from pbcnf.encoders.protocol import ParityEncoder
from pbcnf.formula import Formula
from pbcnf.language.builder import Builder
from pbcnf.language.connectives import iff, ite, total, xor
from pbcnf.language.evaluation import value
from pbcnf.language.expressions import Literal, Proposition
from pbcnf.language.transformation import Transformation

TRANSFORMATIONS = {each.value: each for each in Transformation}
"""Names of the transformations of formulas to clauses."""

_INPUTS = 4
"""The number of inputs beyond which more inputs show nothing new."""


@dataclass(frozen=True, slots=True)
class FormulaOf:
    """A formula over the inputs 1 .. n.

    >>> print(FormulaOf(2, Literal(1) | ~Literal(2)))
    (x1 | ~x2)
    """

    n: int
    proposition: Proposition

    @property
    def kind(self) -> BoundKind:
        """The kind under which tables list the case."""
        return BoundKind.FORMULA

    def __str__(self) -> str:
        """Return the formula in the notation of the language."""
        return repr(self.proposition)


def every_formula(upto: int) -> Sequence[FormulaOf]:
    """Return formulas of 2 .. upto inputs, at most 4: gates, and pairs that share inputs."""
    return [formula for n in range(2, min(upto, _INPUTS) + 1) for formula in _formulas(n)]


def audit_formula(transformation: Transformation, formula: FormulaOf) -> Audit:
    """Examine the clauses of a transformation; the truth is found by arithmetic."""
    builder, clauses = Builder(), Formula()
    builder.booleans(range(1, formula.n + 1))
    builder.add(formula.proposition)
    builder.encode(clauses, transformation)
    table = np.zeros((2,) * formula.n, dtype=np.bool_)
    for values in product((0, 1), repeat=formula.n):

        def read(leaf: object, values: Sequence[int] = values) -> int:
            assert isinstance(leaf, Literal), leaf
            return values[abs(leaf.lit) - 1] ^ (leaf.lit < 0)

        table[values] = value(formula.proposition, read)
    return audit_truth(list(clauses.clauses()), clauses.num_vars, formula.n, truth(table))


@lru_cache(maxsize=8)
def _formulas(n: int) -> tuple[FormulaOf, ...]:
    inputs = [Literal(var) for var in range(1, n + 1)]
    ends = list(_gates(inputs[:3])), list(_gates([~inputs[-1], *inputs[-2::-1]][:3]))
    joined = [each for gates in zip(*ends, strict=True) for each in _joined(*gates)]
    crossed = [
        each for gates in zip(ends[0], ends[1][::-1], strict=True) for each in _joined(*gates)
    ]
    return tuple(FormulaOf(n, each) for each in (*_gates(inputs), *joined, *crossed))


def _gates(inputs: Sequence[Proposition]) -> Iterator[Proposition]:
    first, *others = inputs
    yield from (first & others[0], first | others[0], ~first >> others[-1], iff(first, others[-1]))
    yield from (xor(inputs), ~(first & others[-1]), ite(first, others[0], ~others[-1]))
    some, heavy = total(inputs), total(inputs) + 2 * first
    yield from (some <= 1, some >= len(inputs) - 1, some == 1, some != 1)
    yield from (heavy <= 2, heavy >= 3, heavy == 2, heavy != 3)


def _joined(left: Proposition, right: Proposition) -> Iterator[Proposition]:
    yield from (left & right, left | right, left ^ right, left >> right, ~left | ~right)
    yield from (ite(left, right, ~right), (left & right) ^ (left | right), left + right >= 1)


@dataclass(frozen=True, slots=True)
class ParityOf:
    """The constraint that an odd, or an even, number of the inputs 1 .. n is true.

    >>> print(ParityOf(3, True), "/", ParityOf(9, False))
    an odd number of 3 / an even number of 9
    """

    n: int
    odd: bool

    @property
    def kind(self) -> BoundKind:
        """The kind under which tables list the case."""
        return BoundKind.PARITY

    def __str__(self) -> str:
        """Return the case in words."""
        return f"{'an odd' if self.odd else 'an even'} number of {self.n}"


def every_parity(upto: int) -> Iterator[ParityOf]:
    """Yield both parities of 1 .. upto inputs."""
    for n in range(1, upto + 1):
        yield from (ParityOf(n, odd) for odd in (False, True))


def audit_parity(encoder: ParityEncoder, parity: ParityOf) -> Audit:
    """Examine the clauses of an encoder for a parity of at most 8 inputs."""
    n, formula = parity.n, Formula(num_vars=parity.n)
    encoder.encode_parity(range(1, n + 1), parity.odd, formula)
    truth, clauses = truth_of_parity(n, parity.odd), list(formula.clauses())
    return audit_truth(clauses, formula.num_vars, n, truth, encoder.parity_size(n))
