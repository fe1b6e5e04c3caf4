"""Partial and total assignments of the inputs, and what they decide, as bit sets.

A *scenario* is an assignment of n inputs, each true, false or undecided. A set of scenarios is a
Python integer with one bit for each scenario, so that one operation treats all scenarios.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pbcnf.literals import Lit

Bits = int
"""A set of scenarios."""

Table = npt.NDArray[np.bool_]
"""Table of the solutions: shape (2,)*n, index 0 false and 1 true, input by input."""

MAX_INPUTS = 8
"""The most inputs: a set of 3^8 scenarios has 820 bytes; with more, sets are too large."""


@dataclass(frozen=True, slots=True)
class Scenarios:
    """Assignments of inputs 1 .. n, by the number of decided inputs, then lexicographically."""

    inputs: int
    every: Bits
    given: tuple[tuple[Lit, Bits], ...]
    """Each literal of the inputs, with the scenarios that decide it to be true."""
    _codes: npt.NDArray[np.int8]
    """Shape (scenarios, inputs): 0 for false, 1 for true, or `UNDECIDED`."""
    _places: npt.NDArray[np.intp]
    """For each scenario its place in a table of all values, in C order."""

    def lits(self, scenario: int) -> tuple[Lit, ...]:
        """Return the literals that a scenario decides."""
        codes = self._codes[scenario].tolist()
        return tuple((-v, v)[code] for v, code in enumerate(codes, start=1) if code != UNDECIDED)

    def bits(self, values: Table) -> Bits:
        """Return the scenarios for which `values`, of shape (3,)*n, or (2,)*n if total, is true."""
        return _bits(values.ravel()[self._places])


UNDECIDED = 2


@lru_cache(maxsize=64)
def partial_assignments(n: int) -> Scenarios:
    """Return all 3^n partial assignments of n inputs."""
    return _scenarios(n, values=3)


@lru_cache(maxsize=64)
def total_assignments(n: int) -> Scenarios:
    """Return all 2^n total assignments of n inputs."""
    return _scenarios(n, values=2)


def _scenarios(n: int, values: int) -> Scenarios:
    codes = np.indices((values,) * n, dtype=np.int8).reshape(n, values**n).T
    decided = (codes != UNDECIDED).sum(axis=1)
    # Scenarios with equally many decided inputs are ordered by the first input, true before false.
    shown = np.where(codes == UNDECIDED, UNDECIDED, 1 - codes)
    places = np.lexsort((*(shown[:, i] for i in range(n - 1, -1, -1)), decided))
    codes = codes[places]
    given = [
        (lit, _bits(codes[:, abs(lit) - 1] == (lit > 0)))
        for var in range(1, n + 1)
        for lit in (var, -var)
    ]
    return Scenarios(n, (1 << values**n) - 1, tuple(given), codes, places)


def _bits(values: Table) -> Bits:
    return int.from_bytes(np.packbits(values, bitorder="little").tobytes(), "little")


def first(bits: Bits) -> int:
    """Return the first scenario of a set that is not empty."""
    return (bits & -bits).bit_length() - 1


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth of a constraint in every scenario: possible, a solution, and forced literals."""

    solutions: Bits
    """Total assignments that are solutions."""
    possible: Bits
    """Partial assignments with a completion that is a solution."""
    forced: tuple[tuple[Lit, Bits], ...]
    """Each literal, with the scenarios where it is open but true in all their solutions."""


def truth(table: Table) -> Truth:
    """Return the truth of the constraint whose solutions a table holds."""
    n = table.ndim
    # Index 2 of an axis is the open input: either of its values may have a completion.
    completed = table
    for axis in range(n):
        either = completed.any(axis=axis, keepdims=True)
        completed = np.concatenate([completed, either], axis=axis)
    partial = partial_assignments(n)
    forced = []
    for axis in range(n):
        false, true = completed.take(0, axis=axis), completed.take(1, axis=axis)
        for lit, only in ((axis + 1, true & ~false), (-axis - 1, false & ~true)):
            places = np.zeros_like(completed)
            places[(slice(None),) * axis + (UNDECIDED,)] = only
            forced.append((lit, partial.bits(places)))
    return Truth(total_assignments(n).bits(table), partial.bits(completed), tuple(forced))


@lru_cache(maxsize=4096)
def truth_of_sum(weights: tuple[int, ...], lower: int, upper: int) -> Truth:
    """Return the truth of ``lower <= sum of weight * input <= upper``; weights are any integers."""
    return truth((_sums(weights) >= lower) & (_sums(weights) <= upper))


@lru_cache(maxsize=64)
def truth_of_parity(n: int, odd: bool) -> Truth:
    """Return the truth of "the number of true inputs is odd", or even."""
    return truth(_sums((1,) * n) % 2 == odd)


@lru_cache(maxsize=256)
def _sums(weights: Sequence[int]) -> npt.NDArray[np.object_]:
    sums: npt.NDArray[np.object_] = np.zeros((2,) * len(weights), dtype=object)
    for axis, weight in enumerate(weights):
        sums[(slice(None),) * axis + (1,)] += weight
    return sums
