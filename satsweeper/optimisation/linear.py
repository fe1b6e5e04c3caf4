"""Solution-improving search: each model must cost less than the last, until none is left.

Bounds are assumed. A step after a success is twice as far as the one before, and given up after
some conflicts: it finds better models sooner, or shows that there are none so good. References:
Eén, Sörensson, Translating pseudo-Boolean constraints into SAT, JSAT 2 (2006) 1-26; Berg,
Demirović, Stuckey, Core-boosted linear search for incomplete MaxSAT, CPAIOR 2019 (the preferred
values).
"""

from typing import Final

from satsweeper.optimisation.counter import AUTO, cost_counter
from satsweeper.optimisation.search import Search, SolverQuestion, Strategy
from satsweeper.solvers.protocol import Satisfied, Unsatisfied

_TRY: Final = 2_000
"""Conflicts after which a bound that skips values is given up."""


def linear(search: Search, counter: str = AUTO) -> Strategy:
    """Search for better models with a counter of the cost, one of ``COUNTERS`` or ``auto``."""
    yield from first_model(search)
    count = None
    step = 1
    while not search.closed:
        assert search.upper is not None
        if count is None:
            count = cost_counter(search.cost.terms, search.upper - 1, search.sink, counter)
        # A step further may have been shown to be none.
        bound = max(search.upper - step, (search.lower + search.upper) // 2)
        bound = min(bound, search.upper - 1)
        further = bound < search.upper - 1
        answer = yield SolverQuestion(count.at_most(bound), _TRY if further else None)
        if isinstance(answer, Satisfied):
            search.take(answer)
            step *= 2
        elif isinstance(answer, Unsatisfied):
            search.raise_lower(bound + 1)
            step = 1
        else:
            step = 1


def first_model(search: Search) -> Strategy:
    """Search for a first model of ``search``, unless it has one already."""
    while search.model is None and not search.closed:
        answer = yield SolverQuestion()
        if isinstance(answer, Satisfied):
            search.take(answer)
        elif isinstance(answer, Unsatisfied):
            search.exhaust()
