"""Solution-improving search: each model must cost less than the last, until none is left.

Bounds are assumed. After a better model the next bound lies twice as far below the best cost as the
bound before; a bound that skips values is given up after some conflicts. References:
Eén, Sörensson, Translating pseudo-Boolean constraints into SAT, JSAT 2 (2006) 1-26; Berg,
Demirović, Stuckey, Core-boosted linear search for incomplete MaxSAT, CPAIOR 2019 (the preferred
values).
"""

from collections.abc import Callable
from typing import Final

from pbcnf.constraints.constraint import Parity
from pbcnf.constraints.normal_form import sum_of
from pbcnf.constraints.problem import Objective, Problem
from satsweeper.optimisation.branching import skeleton
from satsweeper.optimisation.search import PAUSE, Cost, Search, SolverQuestion, Strategy
from satsweeper.solvers.evaluation import completed
from satsweeper.solvers.protocol import Satisfied, Unknown, Unsatisfied

_TRY: Final = 2_000
"""Conflicts after which a bound that skips values is given up."""


def linear(search: Search, counter: str = "auto") -> Strategy:
    """Search for better models with a counter of the cost, one of ``COUNTERS`` or ``auto``."""

    yield from first_model(search)
    if search.closed:
        return
    # Simple problems need no counter, and the encoders take long to import.
    from satsweeper.optimisation.counters import cost_counter

    count = None
    step = 1
    while not search.closed:
        assert search.upper is not None
        if count is None:
            # The time that the counter takes is saved first.
            terms = search.cost.terms
            equal = len({*terms.values()}) == 1
            # A totalizer has about as many clauses as pairs of terms.
            each = _PAIR * len(terms) if equal else _TERM
            search.charged += min(len(terms) * each, _MOST)
            yield PAUSE
            if search.closed:
                return
            count = cost_counter(terms, search.upper - 1, search.sink, counter)
        # Long steps end halfway to ``lower``, below which there is no model.
        bound = max(search.upper - step, (search.lower + search.upper) // 2)
        bound = min(bound, search.upper - 1)
        further = bound < search.upper - 1
        answer = yield SolverQuestion(count.at_most(bound), _TRY if further else None)
        if isinstance(answer, Satisfied):
            # The next step is twice as long: few models are needed if the first is far off.
            search.take(answer)
            step *= 2
        else:
            # No model costs ``bound`` or less, or the budget was too small: back to steps of 1.
            if isinstance(answer, Unsatisfied):
                search.raise_lower(bound + 1)
            step = 1


_TERM: Final = 2_000
"""Microseconds for each term in which a counter of different weights is made."""
_PAIR: Final = 5
"""Microseconds for each pair of terms in which a counter of equal weights is made."""
_MOST: Final = 2_000_000
_EASY: Final = 2_000
"""Conflicts of a problem without objective before a refutation by sums is tried."""


_SIMPLE: Final = 500
"""Conflicts in which a problem is decided before its sums are encoded."""


def decide_natively(search: Search, over: Callable[[], bool]) -> None:
    """Try clauses and counts without an encoding, for a few conflicts; the rest is checked."""
    if not search.problem.num_vars or search.closed or over():
        return
    solver = skeleton(search)
    answer = solver.solve((), _SIMPLE)
    solver.close()
    # What is refuted without weights and parities is refuted with them.
    if isinstance(answer, Unsatisfied):
        search.exhaust()
    elif isinstance(answer, Satisfied):
        model = completed(answer.model, search.problem.num_vars)
        if search.problem.holds({*model}):
            search.take(Satisfied(model))


def decision(search: Search) -> Strategy:
    """Search for a model; a problem that is not easy is tried to be refuted by sums of its rows."""
    from satsweeper.optimisation.refutation import by_relaxation, refuted_modulo

    answer = yield SolverQuestion((), _EASY)
    if isinstance(answer, Unknown):
        if by_relaxation(search.rows, search.left()) or refuted_modulo(search.problem):
            search.exhaust()
    elif isinstance(answer, Satisfied):
        search.take(answer)
    else:
        search.exhaust()
    yield from first_model(search)


def widest_row(problem: Problem) -> tuple[Cost, int] | None:
    """Return the widest row with different weights and one bound, as a cost and a bound on it.

    Every model costs less than the bound. So the duals of the other rows, reduced costs and
    enumeration tell as much of a problem without objective as of one with it. None: no row is so.

    >>> from pbcnf import PseudoBoolean
    >>> widest_row(Problem(3, (PseudoBoolean([1, 2, -3], [2, 4, 6], lower=6),)))
    (Cost(terms={-1: 1, -2: 2, 3: 3}, constant=-6, unit=1), 4)
    """
    widest = None
    for constraint in problem.constraints:
        form = None if isinstance(constraint, Parity) else sum_of(constraint)
        if form is None or len({*form.weights}) < 2 or form.clause() is not None:
            continue
        below = form.lower == 0
        if (below or form.upper == sum(form.weights)) and (
            widest is None or len(form.lits) > len(widest.lits)
        ):
            widest = form
    if widest is None:
        return None
    # At least ``lower`` is the same as a cost of the negated literals of at most the rest.
    sign = 1 if widest.lower == 0 else -1
    cost = Cost.of(Objective(widest.lits, tuple(sign * weight for weight in widest.weights)))
    most = widest.upper if widest.lower == 0 else -widest.lower
    return cost, (most - cost.constant) // cost.unit + 1


def first_model(search: Search) -> Strategy:
    """Search for a first model, unless ``search`` has a model already."""
    while search.model is None and not search.closed:
        answer = yield SolverQuestion()
        if isinstance(answer, Satisfied):
            search.take(answer)
        elif isinstance(answer, Unsatisfied):
            search.exhaust()
