"""Bounds on a sum of literals in a live solver, as literals to assume: tightened and loosened."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from pbcnf.constraints.constraint import Cardinality
from pbcnf.emission.encode import encode
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.counter import UnaryCount
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import find_encoder
from pbcnf.sink import ClauseSink, GuardedSink
from satsweeper.solvers.protocol import SolverError

_MOST_CLAUSES: Final = 20_000_000
"""An encoding of a sum that would be larger is refused before it is begun."""


class SumRange(Protocol):
    """A sum of literals whose bounds can be assumed."""

    def assume(self, lower: int, upper: int) -> list[int]:
        """Return literals under which ``lower <= sum <= upper``; the bounds are within 0 and n."""


class CountedRange:
    """Bounds as outputs of one unary counter, which grows with the bounds that are asked."""

    def __init__(self, literals: Sequence[int], sink: ClauseSink) -> None:
        self._literals = literals
        self._sink = sink
        self._count: UnaryCount | None = None

    def assume(self, lower: int, upper: int) -> list[int]:
        """Return literals under which ``lower <= sum <= upper``."""
        n = len(self._literals)
        asked = [*([lower] if 0 < lower <= n else []), *([upper] if 0 <= upper < n else [])] or [0]
        count = self._count
        if count is None or not all(count.downto <= bound <= count.upto for bound in asked):
            # Outputs are never taken back: the counter grows to all bounds asked so far.
            bounds = asked if count is None else [count.downto, *asked, count.upto]
            downto, upto = min(bounds), max(bounds)
            if Totalizer().count_size(n, upto, downto=downto).clauses > _MOST_CLAUSES:
                raise _too_large(Totalizer(), n, downto, upto)
            if count is None:
                count = Totalizer().count(self._literals, upto, self._sink, downto=downto)
                self._count = count
            else:
                count.extend(upto, downto)
        return [*count.at_least(lower), *count.at_most(upper)]


class GuardedRange:
    """Bounds as encodings of their own, each switched on by a selector, for any encoder."""

    def __init__(self, literals: Sequence[int], sink: ClauseSink, encoder: Encoder) -> None:
        self._literals = literals
        self._sink = sink
        self._encoder = encoder
        self._selectors: dict[tuple[int, int], int] = {}

    def assume(self, lower: int, upper: int) -> list[int]:
        """Return literals under which ``lower <= sum <= upper``."""
        n = len(self._literals)
        if lower <= 0 and upper >= n:
            return []
        if (lower, upper) not in self._selectors:
            refuse_if_huge(self._encoder, n, lower, upper)
            selector = self._sink.new_var()
            guarded = GuardedSink(self._sink, -selector)
            encode(Cardinality(self._literals, lower, upper), guarded, self._encoder)
            self._selectors[lower, upper] = selector
        return [self._selectors[lower, upper]]


def range_maker(encoding: str) -> Callable[[Sequence[int], ClauseSink], SumRange]:
    """Return the maker of bounds on a sum, with the encoder called ``encoding``.

    Raises ValueError for an unknown name.
    """
    encoder = find_encoder(encoding)
    if isinstance(encoder, Totalizer):
        return CountedRange
    return lambda literals, sink: GuardedRange(literals, sink, encoder)


def refuse_if_huge(
    encoder: Encoder, n: int, lower: int, upper: int, most: int = _MOST_CLAUSES
) -> None:
    """Raise SolverError when an encoding would have more clauses, by default twenty million."""
    if encoder.size(n, lower, upper).clauses > most:
        raise _too_large(encoder, n, lower, upper, most)


def _too_large(
    encoder: Encoder, n: int, lower: int, upper: int, most: int = _MOST_CLAUSES
) -> SolverError:
    return SolverError(
        f"encoding {encoder.name!r} of {lower} <= sum of {n} <= {upper} would have more than "
        f"{most:,} clauses: choose a smaller one, or leave the total out "
        "(--mines unknown)"
    )
