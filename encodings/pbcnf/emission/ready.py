"""Small constraints whose shape was met before: a look into a cache, and a stamp."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pbcnf.constraints.constraint import Cardinality, Constraint, Linear, PseudoBoolean
from pbcnf.emission.dispatch import AnyEncoder, emission
from pbcnf.emission.template import Template, template_of
from pbcnf.formula import Formula

_MOST_INPUTS: Final = 12
_MOST_LITERALS: Final = 2000
"""A template with more of them is not kept: stamping would gain little."""


def ready(constraint: Constraint, encoder: AnyEncoder | None) -> Template | None:
    """Return the template of what `pbcnf.encode` emits for a small sum of distinct variables.

    None for any other constraint, and for one that cannot be encoded.
    """
    if not isinstance(constraint, Linear):
        return None
    lits = constraint.lits
    n = len(lits)
    if n > _MOST_INPUTS or len({*map(abs, lits)}) < n:
        return None
    if isinstance(constraint, Cardinality):
        return _counted(encoder, n, constraint.lower, constraint.upper)
    return _weighted(encoder, constraint.weights, constraint.lower, constraint.upper)


@lru_cache(maxsize=1024)
def _counted(encoder: AnyEncoder | None, n: int, lower: int, upper: int) -> Template | None:
    return _template(Cardinality(range(1, n + 1), lower, upper), encoder)


@lru_cache(maxsize=256)
def _weighted(
    encoder: AnyEncoder | None, weights: tuple[int, ...], lower: int, upper: int
) -> Template | None:
    return _template(PseudoBoolean(range(1, len(weights) + 1), weights, lower, upper), encoder)


def _template(constraint: Constraint, encoder: AnyEncoder | None) -> Template | None:
    inputs = len(constraint.lits)
    formula = Formula(num_vars=inputs)
    try:
        emission(constraint, encoder).emit(formula)
    except ValueError:  # said again, and better, where the constraint itself is encoded
        return None
    return template_of(formula, inputs) if formula.num_literals <= _MOST_LITERALS else None
