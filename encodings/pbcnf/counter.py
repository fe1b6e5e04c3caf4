"""Counters: encodings whose bounds are chosen later, by assumptions, and can change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Flag
from typing import Protocol

from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


class Direction(Flag):
    """The kind of bounds a counter is built for."""

    AT_MOST = 1
    AT_LEAST = 2
    BOTH = 3


@dataclass(frozen=True, slots=True)
class UnaryCount:
    """The number of true inputs in unary, ready to be bounded by assumptions.

    `outputs[j - 1]` stands for "at least j inputs are true" (the part of that equivalence which
    the built directions need). `false` is a variable that is false in every model; it answers for
    bounds that no assignment meets, so that an impossible bound makes an unsatisfiable call with
    a core instead of an exception.
    """

    inputs: int
    outputs: tuple[Lit, ...]
    directions: Direction
    false: Lit

    def at_most(self, bound: int) -> list[Lit]:
        """Return the literals to assume (or add as units) for ``sum of inputs <= bound``.

        Empty for ``bound >= inputs``; ``[false]`` for ``bound < 0``. Raises ValueError if the
        counter was not built for upper bounds, or not up to this one.
        """
        self._require(Direction.AT_MOST)
        if bound >= self.inputs:
            return []
        return [self.false] if bound < 0 else [-self._output(bound + 1)]

    def at_least(self, bound: int) -> list[Lit]:
        """Return the literals to assume (or add as units) for ``sum of inputs >= bound``.

        Empty for ``bound <= 0``; ``[false]`` for ``bound > inputs``. Raises ValueError if the
        counter was not built for lower bounds, or not up to this one.
        """
        self._require(Direction.AT_LEAST)
        if bound <= 0:
            return []
        return [self.false] if bound > self.inputs else [self._output(bound)]

    def _require(self, direction: Direction) -> None:
        if direction not in self.directions:
            raise ValueError(f"the counter was built for {self.directions}, not {direction}")

    def _output(self, count: int) -> Lit:
        if count > len(self.outputs):
            raise ValueError(f"the counter was built to count up to {len(self.outputs)}")
        return self.outputs[count - 1]


class Counter(Protocol):
    """An encoder that can leave the bounds open."""

    def count(
        self,
        lits: Sequence[Lit],
        upto: int,
        sink: ClauseSink,
        directions: Direction = Direction.BOTH,
    ) -> UnaryCount:
        """Emit a counter of `lits` whose bounds may later be anything up to `upto`."""
        ...
