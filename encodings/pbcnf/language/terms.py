"""Lists of weighted terms: shared while they grow, shown as they are written, bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
from pbcnf.literals import Lit

T = TypeVar("T")


class Terms(Generic[T]):
    """Pairs of something and its weight, in the order in which they were added.

    Long sums are built term by term, and copying at each step would take quadratic time: sums share
    one list, the first to append extends the list in place, and every sum keeps its own length.

    >>> short = Terms([("x", 2)])
    >>> long = short.extended([("y", 3)])
    >>> list(short), list(long.scaled(-1))
    ([('x', 2)], [('x', -2), ('y', -3)])
    """

    __slots__ = ("_length", "_pairs")

    def __init__(self, pairs: list[tuple[T, int]]) -> None:
        """Take the list over."""
        self._pairs = pairs
        self._length = len(pairs)

    def __iter__(self) -> Iterator[tuple[T, int]]:
        """Iterate over the pairs."""
        return iter(self._pairs[: self._length])

    def extended(self, more: Iterable[tuple[T, int]]) -> Terms[T]:
        """Return the terms followed by further pairs."""
        if len(self._pairs) != self._length:
            self._pairs = self._pairs[: self._length]
        self._pairs += more
        return Terms(self._pairs)

    def scaled(self, factor: int) -> Terms[T]:
        """Return the pairs with every weight multiplied."""
        return Terms([(each, factor * weight) for each, weight in self])


def shown(terms: Iterable[tuple[object, int]], constant: int = 0) -> str:
    """Return a sum as text.

    >>> shown([("x", 1), ("~y", -2)], 3)
    'x - 2*~y + 3'
    """
    parts = []
    for each, weight in terms:
        factor = "" if abs(weight) == 1 else f"{abs(weight)}*"
        parts.append(f"{'-' if weight < 0 else '+'} {factor}{each!s}")
    if constant or not parts:
        parts.append(f"{'-' if constant < 0 else '+'} {abs(constant)}")
    return " ".join(parts).removeprefix("+ ")


def bounded(
    lits: Sequence[Lit], weights: Sequence[int], lower: int | None, upper: int | None
) -> Cardinality | PseudoBoolean:
    """Return bounds on a sum of literals as a constraint; `Cardinality` if every weight is 1."""
    if all(weight == 1 for weight in weights):
        return Cardinality(lits, lower, upper)
    return PseudoBoolean(lits, weights, lower, upper)
