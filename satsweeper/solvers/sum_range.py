"""Bounds on a sum of literals in a live solver, as assumptions, so that each call may differ."""

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
"""The largest number of clauses of an encoding of a sum; larger ones are refused in advance."""


class SumRange(Protocol):
    """A sum of literals whose bounds can be assumed."""

    def assume(self, lower: int, upper: int) -> list[int]:
        """Return literals under which ``lower <= sum <= upper``; the bounds are within 0 and n."""


class CountedRange:
    """Bounds as outputs of one unary counter, which is extended to the bounds requested so far."""

    def __init__(self, literals: Sequence[int], sink: ClauseSink) -> None:
        self._literals = literals
        self._sink = sink
        self._count: UnaryCount | None = None

    def assume(self, lower: int, upper: int) -> list[int]:
        """Return literals under which ``lower <= sum <= upper``."""
        n = len(self._literals)
        # Bounds that every sum meets need no output.
        needed = [*([lower] if 0 < lower <= n else []), *([upper] if 0 <= upper < n else [])] or [0]
        count = self._count
        if count is None or not all(count.downto <= bound <= count.upto for bound in needed):
            # Outputs are never removed: the counter covers the range of all bounds so far.
            bounds = needed if count is None else [count.downto, *needed, count.upto]
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
    """Bounds as separate encodings, each enabled by a selector, with any encoder."""

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
    """Return a function from literals and a sink to a `SumRange` of the encoder ``encoding``.

    The totalizer gets a counter that is extended, other encoders an encoding for each pair of
    bounds. Raises ValueError for an unknown name.
    """
    encoder = find_encoder(encoding)
    if isinstance(encoder, Totalizer):
        return CountedRange
    return lambda literals, sink: GuardedRange(literals, sink, encoder)


def refuse_if_huge(
    encoder: Encoder, n: int, lower: int, upper: int, most: int = _MOST_CLAUSES
) -> None:
    """Raise SolverError if an encoding has more than ``most`` clauses.

    The encoding is that of ``lower <= sum <= upper`` over ``n`` literals by ``encoder``.
    """
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
