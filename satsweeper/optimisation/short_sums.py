"""Short weighted sums as clauses without further variables.

``sum of weight * literal >= degree`` says that of every set of literals without which the degree is
out of reach one is true: a *cover*. The clauses of the minimal covers say the same, and propagation
on them finds all that follows from the sum. A few clauses of these are quicker to write and to
search than the counters that longer sums need.

Reference: Balas, Jeroslow, Canonical cuts on the unit hypercube, SIAM Journal on Applied
Mathematics 23 (1972).
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Final

from pbcnf.constraints.constraint import Constraint, PseudoBoolean
from pbcnf.constraints.normal_form import sum_of
from pbcnf.literals import Lit

SHORT: Final = 10
"""The largest number of literals of a sum that is tried."""
_CLAUSES: Final = 20
"""The largest number of clauses of each bound."""


def short_clauses(constraint: Constraint) -> list[list[Lit]] | None:
    """Return the clauses of a short sum with different weights, None for another constraint.

    >>> from pbcnf import PseudoBoolean
    >>> short_clauses(PseudoBoolean([1, 2, 3], [3, 2, 2], lower=4))
    [[1, 2], [1, 3], [2, 3]]
    """
    if not isinstance(constraint, PseudoBoolean) or {*constraint.weights} <= {1, -1}:
        return None
    form = sum_of(constraint)
    if form is None or not 2 < len(form.lits) <= SHORT or max(form.weights) == 1:
        return None
    found = [[lit] for lit in form.units]
    total = sum(form.weights)
    # An upper bound is a lower bound of the negated literals.
    for sign, degree in ((1, form.lower), (-1, total - form.upper)):
        covers = minimal_covers(form.weights, degree)
        if covers is None:
            return None
        found += [[sign * form.lits[place] for place in cover] for cover in covers]
    return found


@lru_cache(maxsize=1024)
def minimal_covers(weights: tuple[int, ...], degree: int) -> tuple[tuple[int, ...], ...] | None:
    """Return the minimal sets of places without which the other weights do not reach ``degree``.

    None if there are very many. ``weights``: above 0.
    """
    covers = []
    for cover in _covers(weights, degree):
        covers.append(cover)
        if len(covers) > _CLAUSES:
            return None
    return tuple(covers)


def _covers(weights: tuple[int, ...], degree: int) -> Iterator[tuple[int, ...]]:
    order = sorted(range(len(weights)), key=lambda place: -weights[place])
    left = [*accumulate((weights[place] for place in reversed(order)), initial=0)][::-1]
    # A set is a cover if its weight is more than what may be missing. The lightest place comes
    # last: if the set is no cover without it, it is none without any other.
    stack = [(0, left[0] - degree, tuple[int, ...]())]
    while stack:
        first, missing, chosen = stack.pop()
        if missing < 0:
            yield tuple(sorted(chosen))
            continue
        stack += [
            (place + 1, missing - weights[order[place]], (*chosen, order[place]))
            for place in range(len(order) - 1, first - 1, -1)
            if left[place] > missing
        ]
