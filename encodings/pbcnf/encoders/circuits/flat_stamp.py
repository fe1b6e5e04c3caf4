"""Clauses of some inputs as one array, to be emitted over other literals in a few operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from pbcnf.encoders.circuits.bulk import Indices
from pbcnf.formula import Formula
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

_MOST: Final = 2**14
"""Literals and clauses of what is kept: hundreds of stamps then have a few dozen megabytes."""


class FlatStamp(NamedTuple):
    """Clauses over the inputs 1, 2, ... and the auxiliary variables behind them.

    `flat` has a 0 after each clause; -v is the place of the negation of v, from the end.
    """

    inputs: int
    auxiliaries: int
    flat: Indices

    def emit(self, lits: Sequence[Lit], sink: ClauseSink) -> list[Lit]:
        """Emit the clauses over `lits`; return these and, behind them, the auxiliary variables."""
        first = sink.new_vars(self.auxiliaries)
        found = [*lits, *range(first, first + self.auxiliaries)]
        plain = np.array([0, *found], dtype=np.int32)
        flat = np.concatenate((plain, -plain[:0:-1]))[self.flat]
        flat.flags.writeable = False
        add_flat = getattr(sink, "add_flat", None)
        if add_flat is not None:
            add_flat(flat)
            return found
        formula = Formula(sink.num_vars)
        formula.add_flat(flat)
        for clause in formula.tuples():
            sink.add_clause(clause)
        return found


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
