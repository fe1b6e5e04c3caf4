"""Unary counts and sums of few literals, stamped: equal ones are worked out once, then kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from pbcnf.encoders.circuits.bulk import Indices
from pbcnf.encoders.circuits.unary import Counts, Unary, UnaryAdder
from pbcnf.formula import Formula
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

_MOST_INPUTS: Final = 128
_MOST_LITERALS: Final = 2**15
"""Nothing larger is kept, so that all that is kept has a few dozen megabytes."""


def count(adder: UnaryAdder, lits: Sequence[Lit], asked: Counts, sink: ClauseSink) -> Unary:
    """Emit what ``adder.count`` does."""
    stamp = _count(adder, len(lits), asked) if len(lits) <= _MOST_INPUTS else None
    return adder.count(lits, asked, sink) if stamp is None else _emit(stamp, lits, asked, sink)


def add(adder: UnaryAdder, left: Unary, right: Unary, asked: Counts, sink: ClauseSink) -> Unary:
    """Emit what ``adder.add`` does."""
    lits = (*left.lits, *right.lits)
    few = len(lits) <= _MOST_INPUTS
    stamp = _sum(adder, left.counts, right.counts, asked) if few else None
    return adder.add(left, right, asked, sink) if stamp is None else _emit(stamp, lits, asked, sink)


class _Stamp(NamedTuple):
    """Clauses over the inputs 1, 2, ... and what follows them, as a flat array with a 0 after each.

    A literal -v is the index of the negation of v, from the end of what is looked up.
    """

    auxiliaries: int
    flat: Indices
    outputs: list[int]


def _emit(stamp: _Stamp, lits: Sequence[Lit], asked: Counts, sink: ClauseSink) -> Unary:
    first = sink.new_vars(stamp.auxiliaries)
    variables = [*lits, *range(first, first + stamp.auxiliaries)]
    plain = np.array([0, *variables], dtype=np.int32)
    lookup = np.concatenate((plain, -plain[:0:-1]))
    flat = lookup[stamp.flat]
    flat.flags.writeable = False
    add_flat = getattr(sink, "add_flat", None)
    if add_flat is not None:
        add_flat(flat)
    else:
        formula = Formula(sink.num_vars)
        formula.add_flat(flat)
        for clause in formula.tuples():
            sink.add_clause(clause)
    return Unary(asked, tuple([variables[v - 1] for v in stamp.outputs]))


@lru_cache(maxsize=512)
def _count(adder: UnaryAdder, inputs: int, asked: Counts) -> _Stamp | None:
    formula = Formula(num_vars=inputs)
    return _stamp(formula, adder.count(range(1, inputs + 1), asked, formula), inputs)


@lru_cache(maxsize=512)
def _sum(adder: UnaryAdder, left: Counts, right: Counts, asked: Counts) -> _Stamp | None:
    inputs = len(left) + len(right)
    formula = Formula(num_vars=inputs)
    every = tuple(range(1, inputs + 1))
    parts = Unary(left, every[: len(left)]), Unary(right, every[len(left) :])
    return _stamp(formula, adder.add(*parts, asked, formula), inputs)


def _stamp(formula: Formula, total: Unary, inputs: int) -> _Stamp | None:
    if formula.num_clauses + formula.num_literals > _MOST_LITERALS:
        return None
    none = np.zeros(0, dtype=np.intp)
    flat = np.concatenate([none, *formula.terminated()])
    return _Stamp(formula.num_vars - inputs, flat, list(total.lits))
