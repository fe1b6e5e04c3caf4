"""Formulas without repeated clauses: two clues may say the same of the cells that both see."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pbcnf.formula import Formula

MOST_COMPARED: Final = 2**20
"""Beyond so many clauses comparing them takes longer than all else about a file."""


def distinct(formula: Formula) -> Formula:
    """Return `formula` with the first of all clauses of the same literals, and all its variables.

    It is `formula` itself if no clause is repeated, or if it has more than `MOST_COMPARED` clauses.

    >>> formula = Formula(num_vars=9)
    >>> for clause in ([2, -7], [7], [-7, 2], [2, 7]):
    ...     formula.add_clause(clause)
    >>> list(distinct(formula)), distinct(formula).num_vars
    ([[2, -7], [7], [2, 7]], 9)
    """
    if formula.num_clauses > MOST_COMPARED:
        return formula
    flat = flattened(formula)
    again = repeated(flat, formula.num_vars)
    if not again.any():
        return formula
    found = Formula(num_vars=formula.num_vars)
    kept = flat[~again]
    found.add_terminated(kept.tolist(), int(np.count_nonzero(kept == 0)))
    return found


def flattened(formula: Formula) -> NDArray[np.int32]:
    """Return all clauses in one row, each closed by a 0."""
    parts = list(formula.terminated())
    return np.concatenate(parts) if parts else np.zeros(0, np.int32)


def repeated(flat: NDArray[np.int32], num_vars: int) -> NDArray[np.bool_]:
    """Return which numbers of `flat` belong to a clause that came before, in any order.

    `flat` are clauses over variables 1 .. `num_vars`, each closed by a 0.
    """
    drop = np.zeros(len(flat), np.bool_)
    ends = np.flatnonzero(flat == 0)
    if len(ends) < 2:
        return drop
    starts = np.concatenate(([0], ends[:-1] + 1))
    # Clauses of the same literals have one sum; those that only look alike are told apart below.
    values = np.random.default_rng(0).integers(2**62, size=2 * num_vars + 1, dtype=np.uint64)
    values[num_vars] = 0
    sums = np.add.reduceat(values[flat + num_vars], starts)
    order = np.argsort(sums, kind="stable")
    ordered = sums[order]
    alike = np.flatnonzero(ordered[1:] == ordered[:-1]) + 1
    if not len(alike):
        return drop
    # The first of each run of equal sums came before all others of it: the order is stable.
    later, first = order[alike], order[np.searchsorted(ordered, ordered[alike])]
    widths = ends - starts
    for width in np.unique(widths[later]).tolist():
        chosen = (widths[later] == width) & (widths[first] == width)
        places = np.arange(width)
        mine = np.sort(flat[starts[later[chosen]][:, None] + places], axis=1)
        other = np.sort(flat[starts[first[chosen]][:, None] + places], axis=1)
        same = later[chosen][(mine == other).all(axis=1)]
        drop[(starts[same][:, None] + np.arange(width + 1)).ravel()] = True
    return drop
