"""Unit propagation in a bounded sum together with "at most one" of groups of its inputs.

The sum is encoded, each pair of a group is a clause. In every partial assignment of few inputs, the
literals that the conjunction implies, and the contradictions, are found by brute force, and counted
are those that unit propagation finds.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from pbcnf import Cardinality, Formula, PseudoBoolean, encode
from pbcnf.audit import Truth, truth
from pbcnf.audit.examination import Propagator
from pbcnf.audit.scenarios import partial_assignments

Groups: TypeAlias = tuple[tuple[int, ...], ...]
"""Disjoint groups of inputs, at most one of each is true."""


class Bounded(NamedTuple):
    """The constraint ``lower <= sum of weight * input <= upper`` over the inputs 1 .. n."""

    weights: tuple[int, ...]
    lower: int
    upper: int


class Strength(NamedTuple):
    """Numbers of implied literals and of contradictions: found, and all.

    Pairs of a partial assignment and a literal that it implies are counted where there is a
    completion; contradictions are the partial assignments without one.
    """

    literals: int
    of_literals: int
    conflicts: int
    of_conflicts: int

    def __add__(self, other: tuple[int, ...]) -> "Strength":  # type: ignore[override]
        """Return the sums of the numbers."""
        return Strength(*(one + two for one, two in zip(self, other, strict=True)))

    def all_found(self) -> bool:
        """Whether every literal and every contradiction is found."""
        return self.literals == self.of_literals and self.conflicts == self.of_conflicts


NOTHING: Final = Strength(0, 0, 0, 0)


def partitions(inputs: Sequence[int]) -> Iterator[Groups]:
    """Yield all partitions of ``inputs`` into groups of two and of three."""
    if not inputs:
        yield ()
        return
    first, *others = inputs
    for size in (1, 2):
        for chosen in combinations(others, size):
            left = [each for each in others if each not in chosen]
            yield from (((first, *chosen), *rest) for rest in partitions(left))


def strength(encoder: str, of: Bounded, groups: Groups) -> Strength:
    """Return the findings of unit propagation in the clauses of ``of`` and of ``groups``.

    Raises ValueError if the encoder does not express the bounds.
    """
    n = len(of.weights)
    num_vars, clauses = _encoded(encoder, of)
    pairs = [[-a, -b] for group in groups for a, b in combinations(group, 2)]
    scenarios = partial_assignments(n)
    known, live = Propagator(num_vars, [*clauses, *pairs]).start(scenarios)
    meaning = _truth(of, groups)
    impossible = scenarios.every & ~meaning.possible
    return Strength(
        sum((bits & known[lit]).bit_count() for lit, bits in meaning.forced),
        sum(bits.bit_count() for _, bits in meaning.forced),
        (impossible & ~live).bit_count(),
        impossible.bit_count(),
    )


@lru_cache(maxsize=256)
def _encoded(encoder: str, of: Bounded) -> tuple[int, list[list[int]]]:
    n = len(of.weights)
    formula, lits = Formula(num_vars=n), range(1, n + 1)
    if set(of.weights) == {1}:
        encode(Cardinality(lits, of.lower, of.upper), formula, encoder)
    else:
        encode(PseudoBoolean(lits, of.weights, of.lower, of.upper), formula, encoder)
    return formula.num_vars, list(formula.clauses())


@lru_cache(maxsize=4096)
def _truth(of: Bounded, groups: Groups) -> Truth:
    values = np.indices((2,) * len(of.weights))
    total = np.tensordot(of.weights, values, axes=1)
    held = (total >= of.lower) & (total <= of.upper)
    for group in groups:
        held &= values[[each - 1 for each in group]].sum(axis=0) <= 1
    return truth(held)
