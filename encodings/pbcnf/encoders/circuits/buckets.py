"""Buckets of bits of one worth: adders put down bucket by bucket, and emitted all at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from pbcnf.encoders.circuits.binary import carryless_adder, full_adder, half_adder
from pbcnf.encoders.counter import Direction
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

_Rows: TypeAlias = list[tuple[Lit, ...]]


@dataclass(frozen=True, slots=True)
class BucketAdders:
    """The literals of adders, one a row, as the functions of `pbcnf.encoders.circuits.binary`."""

    full: _Rows = field(default_factory=list)
    half: _Rows = field(default_factory=list)
    carryless: tuple[_Rows, _Rows] = field(default_factory=lambda: ([], []))
    """Full and half ones."""

    def add(self, bits: list[Lit], highest: bool, sink: ClauseSink) -> tuple[Lit | None, list[Lit]]:
        """Put down the adders of one bucket; return the bit that is left, and the carries.

        While there are three bits, a full adder replaces the first three by their sum, put last;
        two that are left go through a half adder. The highest bucket has no carries.
        """
        # The queue is known in advance: adder number i takes places 3i, 3i + 1, 3i + 2 of the bits
        # and, behind them, of the sums of the adders so far.
        full, half = number_of_adders(len(bits))
        count, end = full + half, 3 * full
        first = sink.new_vars(count if highest else 2 * count)
        sums = range(first, first + count)
        carries = range(first + count, first + 2 * count)
        outputs = (sums,) if highest else (sums, carries)
        queue = [*bits, *sums]
        fulls, halves = self.carryless if highest else (self.full, self.half)
        fulls += zip(queue[0:end:3], queue[1:end:3], queue[2:end:3], *outputs, strict=False)
        if half:
            halves.append((queue[end], queue[end + 1], *(output[-1] for output in outputs)))
        return queue[-1] if queue else None, [] if highest else [*carries]

    def emit(self, directions: Direction, highest: Direction, sink: ClauseSink) -> None:
        """Emit all adders: in `directions` with carry, in `highest` without carry."""
        full_adder(self.full, sink, directions)
        half_adder(self.half, sink, directions)
        for rows in self.carryless:
            carryless_adder(rows, sink, highest)


def number_of_adders(bits: int) -> tuple[int, int]:
    """Return the numbers of full and half adders of a bucket through which `bits` bits pass.

    >>> number_of_adders(5), number_of_adders(6), number_of_adders(1)
    ((2, 0), (2, 1), (0, 0))
    """
    return max(bits - 1, 0) // 2, int(bits > 0 and bits % 2 == 0)
