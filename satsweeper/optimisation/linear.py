"""Solution-improving search: each model must cost less than the last, until none is left.

Bounds are assumed. After a better model the next bound lies twice as far below the best cost as the
bound before; a bound that skips values is given up after some conflicts. References:
Eén, Sörensson, Translating pseudo-Boolean constraints into SAT, JSAT 2 (2006) 1-26; Berg,
Demirović, Stuckey, Core-boosted linear search for incomplete MaxSAT, CPAIOR 2019 (the preferred
values).
"""

from typing import Final

from satsweeper.optimisation.search import PAUSE, Search, SolverQuestion, Strategy
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
            equal = len({*search.cost.terms.values()}) == 1
            search.charged += min(len(search.cost.terms) * (_EQUAL if equal else _TERM), _MOST)
            yield PAUSE
            if search.closed:
                return
            count = cost_counter(search.cost.terms, search.upper - 1, search.sink, counter)
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
_EQUAL: Final = 100
"""Microseconds for each term in which a counter of equal weights is made."""
_MOST: Final = 2_000_000
_EASY: Final = 2_000
"""Conflicts of a problem without objective before a refutation by sums is tried."""


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


def first_model(search: Search) -> Strategy:
    """Search for a first model, unless ``search`` has a model already."""
    while search.model is None and not search.closed:
        answer = yield SolverQuestion()
        if isinstance(answer, Satisfied):
            search.take(answer)
        elif isinstance(answer, Unsatisfied):
            search.exhaust()
