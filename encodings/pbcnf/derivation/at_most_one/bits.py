"""Inputs with the bits of their number, or of their group's number: bitwise and bimander."""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.derivation.at_most_one.one_of import (
    TOGETHER,
    Hints,
    OneOf,
    pairs,
    pieces,
    replaced,
)
from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.literals import Lit


def bitwise(of: OneOf, state: DerivationState) -> list[Hints]:
    """Number every input."""
    return _bits(of, 1, state)


def bimander(of: OneOf, state: DerivationState) -> list[Hints]:
    """Take pairs within the groups, of the row on all inputs; then number the groups."""
    assert isinstance(of.encoder, Bimander)
    size = of.encoder.group_size
    groups = [of.lits[start : start + size] for start in range(0, len(of.lits), size)]
    numbers = pieces(of.at_most, groups, state)
    within = pairs([(row, len(group)) for row, group in zip(numbers, groups, strict=True)])
    return within + _bits(of, size, state)


def _bits(of: OneOf, group_size: int, state: DerivationState) -> list[Hints]:
    """Bit k is true exactly if an input is whose group's number has it.

    In the row on all inputs it takes the place of these inputs. The bit and that row are the hints.
    """
    n = len(of.lits)
    groups = -(-n // group_size)
    bits = (groups - 1).bit_length()
    found: list[Hints] = []
    for k, bit in zip(range(bits), of.fresh, strict=False):
        without, having = (
            [lit for i, lit in enumerate(of.lits) if i // group_size >> k & 1 == value]
            for value in (0, 1)
        )
        state.define_or(bit, having)
        row = _by_literal(state.if_false[bit], having, state)
        row |= _by_literal(replaced(of.at_most, [bit], state), without, state)
        for i, lit in enumerate(of.lits):
            if of.at_least is not None or k < bits - 1 or i // group_size ^ 1 << k < groups:
                found.append((row[lit],))
    return found if of.at_least is None else [*found, (of.at_least,)]


def _by_literal(number: int, lits: Sequence[Lit], state: DerivationState) -> dict[Lit, int]:
    blocks = [lits[start : start + TOGETHER] for start in range(0, len(lits), TOGETHER)]
    rows = pieces(number, blocks, state)
    return {lit: row for row, block in zip(rows, blocks, strict=True) for lit in block}
