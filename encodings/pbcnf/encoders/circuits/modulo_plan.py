"""The clauses of a modulo node as a plan: made once, emitted for all nodes of a kind at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np

from pbcnf.encoders.circuits.array_emission import Indices, picked
from pbcnf.encoders.circuits.modulo_node import Implications, ModuloNode
from pbcnf.encoders.circuits.template import cached
from pbcnf.literals import Block
from pbcnf.sink import ClauseSink

_FEW: Final = 100
"""Clauses up to which building them one by one is faster than building blocks."""

_MOST_KEPT: Final = 64
"""The largest modulus of plans that are kept: each then has some hundred kilobytes."""


class ModuloPlan:
    """The clauses of a node over a row of literals.

    In the row: quotient and remainder of the left child, those of the right one, and the node's own
    auxiliaries. A clause is four places in the row, from 1 on: minus for the negation, 0 for none.
    """

    def __init__(self, node: ModuloNode, rising: bool, falling: bool) -> None:
        self._parts = [
            _clauses(node, part)
            for direction, asked in ((True, rising), (False, falling))
            if asked
            for part in node.implications(direction)
        ]

    def emit(self, batches: Sequence[Block], sink: ClauseSink) -> None:
        """Emit the clauses for every row of each batch."""
        if sum(map(len, batches)) * sum(map(len, self._parts)) <= _FEW:
            for batch in batches:
                self._emit_few(batch, sink)
            return
        literals = np.concatenate(batches)
        none = np.zeros((len(literals), 1), dtype=np.int32)
        lookup = np.hstack((none, literals, -literals[:, ::-1]))
        for clauses in self._by_width:
            sink.add_block(picked(lookup, clauses))

    def _emit_few(self, batch: Block, sink: ClauseSink) -> None:
        lookup = [(0, *row, *[-lit for lit in reversed(row)]) for row in batch.tolist()]
        for part in self._lists:
            for row in lookup:
                for clause in part:
                    sink.add_clause([row[place] for place in clause if place])

    @cached_property
    def _lists(self) -> list[list[list[int]]]:
        return [part.tolist() for part in self._parts]

    @cached_property
    def _by_width(self) -> list[Indices]:
        clauses = np.concatenate(self._parts)
        widths = np.count_nonzero(clauses, axis=1)
        found = []
        for width in np.flatnonzero(np.bincount(widths)):
            chosen = clauses[widths == width]
            found.append(chosen[chosen != 0].reshape(len(chosen), width))
        return found


def _clauses(node: ModuloNode, part: Implications) -> Indices:
    """Return a clause for each sum and each pair of digits with this sum."""
    digits = [*zip(*map(node.largest, (True, False)), strict=True)]  # of the children
    (a, b), which = node.largest(part.quotient), 0 if part.quotient else 1
    in_left, in_right = sum(digits[0][:which]), sum(digits[0]) + sum(digits[1][:which])
    own = sum(digits[0]) + sum(digits[1]) + 1
    sums = np.array(part.sums)
    if not part.rising:
        sums = np.minimum(sums, a + b)
    rest = sums[:, np.newaxis] - np.arange(a + 1)
    at, lefts = np.nonzero((rest >= 0) & (rest <= b))
    rights = rest[at, lefts]
    clauses = np.zeros((len(at), 4), dtype=np.intp)
    if part.columns:
        clauses[:, 0] = (own + np.array(part.columns))[at] * (1 if part.rising else -1)
    if part.carry:
        clauses[:, 1] = part.carry * (own + node.carry)
    clauses[:, 2] = _denials(lefts, a, in_left, part.rising)
    clauses[:, 3] = _denials(rights, b, in_right, part.rising)
    return clauses


def _denials(values: Indices, largest: int, start: int, rising: bool) -> Indices:
    """Return the places of what denies "digit >= value" (rising) or "digit <= value".

    0 stands for none: every digit is at least 0, and at most its largest value.
    """
    if rising:
        return np.where(values == 0, 0, -(start + values))
    return np.where(values == largest, 0, start + values + 1)


def plan(node: ModuloNode, rising: bool, falling: bool) -> ModuloPlan:
    """Return the plan of a node; a small one is made once, then kept."""
    if node.p > _MOST_KEPT:
        return ModuloPlan(node, rising, falling)
    return cached(ModuloPlan, node, rising, falling)
