"""Clauses of some inputs, to be emitted over other literals in a few operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter, neg
from typing import Any, Final

import numpy as np

from pbcnf.encoders.circuits.bulk import Indices
from pbcnf.formula import Formula
from pbcnf.literals import Block, Lit
from pbcnf.sink import ClauseSink

_MOST: Final = 2**14
"""Literals and clauses of what is kept: hundreds of stamps then have a few dozen megabytes."""

_FEW: Final = 800
"""Up to so many literals and clauses tuples are faster than arrays."""


_FEW_AS_BLOCKS: Final = 2**12
"""Up to so many literals and clauses are not worth the sorting by width."""


@dataclass(frozen=True, eq=False)
class FlatStamp:
    """Clauses over the inputs 1, 2, ... and the auxiliary variables behind them.

    `flat` has a 0 after each clause; -v is the place of the negation of v, from the end.
    """

    inputs: int
    auxiliaries: int
    flat: Indices

    @cached_property
    def few(self) -> tuple[Callable[[Sequence[Lit]], Sequence[Lit]], int] | None:
        """What picks all clauses at once, if they are few, out of a sequence; and their number."""
        if not 2 <= len(self.flat) <= _FEW:
            return None
        many: Callable[[Any], tuple[Lit, ...]] = itemgetter(*self.flat.tolist())
        return many, len(self.flat) - int(np.count_nonzero(self.flat))

    def emit(self, lits: Sequence[Lit], sink: ClauseSink) -> list[Lit]:
        """Emit the clauses over `lits`; return these and, behind them, the auxiliary variables."""
        first = sink.new_vars(self.auxiliaries) if self.auxiliaries else 0
        found = [*lits, *range(first, first + self.auxiliaries)]
        add_terminated = getattr(sink, "add_terminated", None)
        if self.few is not None and add_terminated is not None:
            pick, clauses = self.few
            add_terminated(pick((0, *found, *map(neg, reversed(found)))), clauses)
        else:
            add_flat(sink, lookup(lits, first, self.auxiliaries)[self.flat])
        return found


def lookup(lits: Sequence[Lit], first: Lit, auxiliaries: int) -> Block:
    """Return 0, `lits` and the variables from `first` on, and all negated, the last first."""
    plain = np.zeros(1 + len(lits) + auxiliaries, dtype=np.int32)
    plain[1 : len(lits) + 1] = lits
    plain[len(lits) + 1 :] = np.arange(first, first + auxiliaries)
    return np.concatenate((plain, -plain[:0:-1]))


def add_flat(sink: ClauseSink, flat: Block) -> None:
    """Emit the clauses of an array that nobody else will change, a 0 after each."""
    flat.flags.writeable = False
    at_once = getattr(sink, "add_flat", None)
    if at_once is not None:
        at_once(flat)
        return
    formula = Formula(sink.num_vars)
    formula.add_flat(flat)
    for clause in formula.tuples():
        sink.add_clause(clause)


def add_by_width(sink: ClauseSink, flat: Block) -> None:
    """Emit what `add_flat` does; many clauses as blocks, which become Python's lists sooner."""
    if len(flat) <= _FEW_AS_BLOCKS:
        add_flat(sink, flat)
        return
    formula = Formula(sink.num_vars)
    formula.add_flat(flat)
    for block in formula.blocks():
        sink.add_block(block)


def flat_stamp(formula: Formula, inputs: int) -> FlatStamp | None:
    """Return the stamp of a formula, whose first variables are the inputs; None if it is large.

    >>> f = Formula(num_vars=3)
    >>> f.add_clause([-1, 3])
    >>> stamp, other = flat_stamp(f, inputs=2), Formula(num_vars=9)
    >>> stamp.emit([7, 8], other), list(other)
    ([7, 8, 10], [[-7, 10]])
    """
    if formula.num_clauses + formula.num_literals > _MOST:
        return None
    none = np.zeros(0, dtype=np.intp)
    flat = np.concatenate([none, *formula.terminated()])
    return FlatStamp(inputs, formula.num_vars - inputs, flat)
