"""Brute-force meaning of clauses, sums and boards: nothing here uses the code under test.

An *assignment* of the variables 1 .. n is a tuple of n bits; a *model* is an assignment that meets
what is asked. All functions go through all assignments, in the order of ``itertools.product``, and
are for small cases only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import compress, product
from random import Random
from typing import Any, Protocol

Assignment = tuple[int, ...]
Clauses = Iterable[Collection[int]]
Cell = tuple[int, int]


def assignments(n: int) -> Iterator[Assignment]:
    """All assignments of the variables 1 .. n."""
    return product((0, 1), repeat=n)


def true_literals(bits: Sequence[int]) -> set[int]:
    """The literals that an assignment makes true, one for each variable."""
    return {var if bit else -var for var, bit in enumerate(bits, start=1)}


def value(lit: int, bits: Sequence[int]) -> bool:
    """Whether an assignment makes a literal true."""
    return bool(bits[abs(lit) - 1]) == (lit > 0)


def weighted_sum(
    lits: Iterable[int], bits: Sequence[int], weights: Iterable[int] | None = None
) -> int:
    """The number of literals that an assignment makes true, or the sum of their weights."""
    lits = list(lits)
    weights = [1] * len(lits) if weights is None else weights
    return sum(w for lit, w in zip(lits, weights, strict=True) if value(lit, bits))


def satisfied(clauses: Clauses, bits: Sequence[int]) -> bool:
    """Whether an assignment meets every clause."""
    return all(any(value(lit, bits) for lit in clause) for clause in clauses)


def models(clauses: Clauses, n: int) -> list[Assignment]:
    """The assignments of the variables 1 .. n that meet the clauses."""
    clauses = [tuple(clause) for clause in clauses]
    return [bits for bits in assignments(n) if satisfied(clauses, bits)]


def exact_sets(
    equations: Iterable[tuple[Iterable[int], int]], names: Iterable[int] | None = None
) -> list[frozenset[int]]:
    """The sets of names (by default those that occur) with just ``number`` of each equation's."""
    exact = [(frozenset(group), number) for group, number in equations]
    every = sorted(set().union(*(group for group, _ in exact))) if names is None else list(names)
    chosen = (frozenset(compress(every, bits)) for bits in assignments(len(every)))
    return [ones for ones in chosen if all(len(group & ones) == n for group, n in exact)]


def clashing_multipliers(
    equations: Sequence[tuple[Iterable[int], int]], refutation: Any
) -> dict[int, int]:
    """The multipliers of a refutation, whose sum of the equations holds for no zeros and ones.

    It has ``weights``, or ``multipliers`` and a ``modulus``, by the index of the equation.
    """
    modulus: int | None = getattr(refutation, "modulus", None)
    multipliers: dict[int, int] = refutation.multipliers if modulus else refutation.weights
    total, value = Counter[int](), 0
    for index, multiplier in multipliers.items():
        value += multiplier * equations[index][1]
        for variable in equations[index][0]:
            total[variable] += multiplier
    if modulus is None:
        assert value > sum(n for n in total.values() if n > 0)
    else:
        assert value % modulus
        assert not any(n % modulus for n in total.values())
    return multipliers


def random_equations(
    random: Random, n: int, count: int, longest: int, wrong: float, least: int = 1
) -> list[tuple[tuple[int, ...], int]]:
    """Sums of ``least`` to ``longest`` of the variables 1 .. n, a share of them wrong.

    The others are met by one hidden assignment.
    """
    hidden = [random.randint(0, 1) for _ in range(n)]
    found = []
    for _ in range(count):
        which = tuple(random.sample(range(1, n + 1), random.randint(least, min(longest, n))))
        found.append((which, sum(hidden[v - 1] for v in which) + (random.random() < wrong)))
    return found


def unit_propagation(clauses: Clauses, decided: Iterable[int]) -> set[int] | None:
    """All literals that unit propagation makes true, with the decided ones; None for a conflict."""
    clauses = [tuple(clause) for clause in clauses]
    true = set(decided)
    while True:
        before = len(true)
        for clause in clauses:
            left = {lit for lit in clause if -lit not in true}
            if not left:
                return None
            if len(left) == 1:
                true |= left
        if len(true) == before:
            return None if any(-lit in true for lit in true) else true


class Board(Protocol):
    """A position as ``layouts`` takes it: rows of -1 (covered), -2 (flag) and clues."""

    @property
    def cells(self) -> Iterable[Iterable[int]]: ...

    @property
    def mines(self) -> int | None: ...


def layouts(board: Board, trust: bool = True) -> list[frozenset[Cell]]:
    """All sets of mines that meet every clue and the total.

    A flag is a mine if flags are to be trusted; otherwise it is one more covered cell.
    """
    codes = {(r, c): int(x) for r, row in enumerate(board.cells) for c, x in enumerate(row)}
    flags = frozenset(cell for cell, code in codes.items() if code == -2) if trust else frozenset()
    hidden = [cell for cell, code in codes.items() if code < 0 and cell not in flags]
    clues = [(cell, code) for cell, code in codes.items() if code >= 0]
    found = []
    for bits in product((0, 1), repeat=len(hidden)):
        mines = flags.union(cell for cell, bit in zip(hidden, bits, strict=True) if bit)
        if board.mines in (None, len(mines)) and all(
            sum(max(abs(r - y), abs(c - x)) == 1 for y, x in mines) == clue
            for (r, c), clue in clues
        ):
            found.append(mines)
    return found
