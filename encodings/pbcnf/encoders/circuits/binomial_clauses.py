"""The clauses of the direct encoding, for those who need nothing else of an encoder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pbcnf.encoders.circuits.template import Template
from pbcnf.literals import Lit, negate


def subset_clauses(lits: Sequence[Lit], lower: int, upper: int) -> Iterator[tuple[Lit, ...]]:
    """Iterate over the clauses for any bounds: each subset that is too large has a false input.

    And each that leaves too few out has a true one.

    >>> [*subset_clauses([1, 2, 3], 1, 1)]
    [(-1, -2), (-1, -3), (-2, -3), (1, 2, 3)]
    """
    n = len(lits)
    if upper < 0 or lower > n:
        yield ()
        return
    if upper < n:
        yield from combinations(negate(lits), upper + 1)
    if lower > 0:
        yield from combinations(lits, n - lower + 1)


def template_of_subsets(n: int, lower: int, upper: int) -> Template:
    """Return the template of the direct encoding, without importing encoders or formulas."""
    return Template(n, 0, subset_clauses(range(1, n + 1), lower, upper))
