"""Unary counts and sums of few literals, stamped: equal ones are worked out once, then kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from pbcnf.encoders.circuits.flat_stamp import FlatStamp, flat_stamp
from pbcnf.encoders.circuits.unary import Counts, Unary, UnaryAdder
from pbcnf.formula import Formula
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

_MOST_INPUTS: Final = 128


def count(adder: UnaryAdder, lits: Sequence[Lit], asked: Counts, sink: ClauseSink) -> Unary:
    """Emit what ``adder.count`` does."""
    made = _count(adder, len(lits), asked) if len(lits) <= _MOST_INPUTS else None
    return adder.count(lits, asked, sink) if made is None else made.emit(lits, asked, sink)


def add(adder: UnaryAdder, left: Unary, right: Unary, asked: Counts, sink: ClauseSink) -> Unary:
    """Emit what ``adder.add`` does."""
    lits = (*left.lits, *right.lits)
    few = len(lits) <= _MOST_INPUTS
    made = _sum(adder, left.counts, right.counts, asked) if few else None
    return adder.add(left, right, asked, sink) if made is None else made.emit(lits, asked, sink)


class _Made(NamedTuple):
    """A stamp, and which of its variables are the outputs."""

    stamp: FlatStamp
    outputs: tuple[int, ...]

    def emit(self, lits: Sequence[Lit], asked: Counts, sink: ClauseSink) -> Unary:
        variables = self.stamp.emit(lits, sink)
        return Unary(asked, tuple([variables[output - 1] for output in self.outputs]))


@lru_cache(maxsize=512)
def _count(adder: UnaryAdder, inputs: int, asked: Counts) -> _Made | None:
    formula = Formula(num_vars=inputs)
    return _made(formula, inputs, adder.count(range(1, inputs + 1), asked, formula))


@lru_cache(maxsize=512)
def _sum(adder: UnaryAdder, left: Counts, right: Counts, asked: Counts) -> _Made | None:
    inputs = len(left) + len(right)
    formula = Formula(num_vars=inputs)
    every = tuple(range(1, inputs + 1))
    parts = Unary(left, every[: len(left)]), Unary(right, every[len(left) :])
    return _made(formula, inputs, adder.add(*parts, asked, formula))


def _made(formula: Formula, inputs: int, total: Unary) -> _Made | None:
    stamp = flat_stamp(formula, inputs)
    return None if stamp is None else _Made(stamp, total.lits)
