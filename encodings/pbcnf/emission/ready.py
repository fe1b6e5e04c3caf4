"""Sums of few inputs whose shape was met before: a look into a cache, and a stamp."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final, TypeAlias

from pbcnf.constraints.constraint import Cardinality, Constraint, Linear, PseudoBoolean
from pbcnf.emission.dispatch import AnyEncoder, emission
from pbcnf.emission.template import instantiate_into, template_of
from pbcnf.formula import Formula
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink

_MOST_INPUTS: Final = 64

_FEW_LITERALS: Final = 700
"""Up to so many, clauses are picked by plain Python, which imports no arrays."""

Stamp: TypeAlias = Callable[[Sequence[Lit], ClauseSink], object]


@dataclass(slots=True)
class _Shape:
    """A shape: whether it was met before, and its stamp once it was met again, if there is one."""

    met: bool = False
    stamp: Stamp | None = None
    made: bool = False


def ready(constraint: Constraint, encoder: AnyEncoder | None) -> Stamp | None:
    """Return what emits, over its literals, the clauses that `pbcnf.encode` emits.

    None for anything but a sum of few distinct variables, and where its encoder and bounds, and the
    weights, are met for the first time: only what comes again is worth a stamp.
    """
    weights: int | tuple[int, ...]
    if isinstance(constraint, Cardinality):
        weights = len(constraint.lits)
    elif isinstance(constraint, PseudoBoolean):
        weights = constraint.weights
    else:
        return None
    lits = constraint.lits
    n = len(lits)
    if n > _MOST_INPUTS or len({*map(abs, lits)}) < n:
        return None
    shape = _shape(encoder, weights, constraint.lower, constraint.upper)
    if shape.stamp is None:
        if shape.met and not shape.made:
            shape.stamp, shape.made = _stamp(constraint, encoder), True
        shape.met = True
    return shape.stamp


@lru_cache(maxsize=512)
def _shape(
    encoder: AnyEncoder | None, weights: int | tuple[int, ...], lower: int, upper: int
) -> _Shape:
    return _Shape()


def _stamp(constraint: Linear, encoder: AnyEncoder | None) -> Stamp | None:
    n = len(constraint.lits)
    inputs, lower, upper = range(1, n + 1), constraint.lower, constraint.upper
    alike: Constraint = Cardinality(inputs, lower, upper)
    if isinstance(constraint, PseudoBoolean):
        alike = PseudoBoolean(inputs, constraint.weights, lower, upper)
    formula = Formula(num_vars=n)
    try:
        emission(alike, encoder).emit(formula)
    except ValueError:  # said again, and better, where the constraint itself is encoded
        return None
    if formula.num_literals <= _FEW_LITERALS:
        return partial(instantiate_into, template_of(formula, n))
    from pbcnf.encoders.circuits.flat_stamp import flat_stamp

    flat = flat_stamp(formula, n)
    return None if flat is None else flat.emit
