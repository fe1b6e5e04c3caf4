"""What is asked of a count in unary, and who provides it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink


class Asked(NamedTuple):
    """The outputs asked of a counter: implied by the inputs (rising), implying them (falling)."""

    rising: range
    falling: range


class CountStructure(Protocol):
    """The variables and clauses behind a count of some inputs."""

    def grow(self, asked: Asked, sink: ClauseSink) -> Sequence[Lit]:
        """Emit what is missing for the outputs asked; return all of them, in order.

        Each range contains the one asked before in that direction. Both ranges are equal, unless
        one is empty.
        """
        ...


class SharedCount:
    """A count of `inputs` literals on behalf of several: it has what any of them asked for."""

    def __init__(self, structure: CountStructure, inputs: int) -> None:
        self.inputs = inputs
        self._structure = structure
        self._built = Asked(range(0), range(0))
        self._outputs: Sequence[Lit] = ()

    def grow(self, asked: Asked, sink: ClauseSink) -> Sequence[Lit]:
        """Emit what is missing for the outputs asked, and return them in order."""
        wanted, every = outputs_of(asked), outputs_of(Asked(*map(_hull, asked, self._built)))
        parts = zip(asked, self._built, strict=True)
        whole = Asked(*(every if here or before else range(0) for here, before in parts))
        if whole != self._built:
            self._outputs, self._built = self._structure.grow(whole, sink), whole
        return self._outputs[wanted.start - every.start : wanted.stop - every.start]


def asked_below(asked: Asked, inputs: int, outside: int) -> Asked:
    """Return what a node must provide, given how many inputs lie below and outside it."""
    return Asked(
        _reachable(asked.rising, inputs, outside), _reachable(asked.falling, inputs, outside)
    )


def outputs_of(asked: Asked) -> range:
    """Return the outputs asked in either direction: one range without a gap."""
    return _hull(*asked) or range(1, 1)


def _hull(one: range, other: range) -> range:
    if not (one and other):
        return one or other
    return range(min(one.start, other.start), max(one.stop, other.stop))


def _reachable(asked: range, inputs: int, outside: int) -> range:
    if not asked:
        return range(0)
    return range(max(1, asked.start - outside), min(inputs, asked.stop - 1) + 1)
