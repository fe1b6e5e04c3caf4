"""Strategies that take turns of so many conflicts; the turns become longer.

Each strategy but the first has half of the first one's turn.
"""

from collections.abc import Callable, Sequence
from typing import Final

from satsweeper.optimisation.search import Question, Search, Strategy
from satsweeper.solvers.protocol import LiveSolver, Unknown

_TURN: Final = 6_000
"""Conflicts of the first turn."""
_PART: Final = 2
"""The first strategy's turn is so many times the others'."""
_QUESTION: Final = 10
"""Conflicts that any question counts for, so that easy ones do not take a turn for ever."""


Over = Callable[[], bool]
"""Whether the time is over: then no question is asked any more."""


def take_turns(
    search: Search, strategies: Sequence[Strategy], solver: LiveSolver, over: Over
) -> None:
    """Run strategies until the search is closed, all have ended, or the time is over.

    A question that is not answered within a turn is asked again in the next one.
    """
    waiting = [(strategy, next(strategy, None)) for strategy in strategies]
    turn = _TURN
    while not search.closed and not over():
        left = [(strategy, question) for strategy, question in waiting if question is not None]
        if not left:
            return
        alone = len(left) == 1
        waiting = []
        for strategy, question in left:
            first = strategy is strategies[0]
            most = None if alone else turn if first else turn // _PART
            waiting.append((strategy, _turn(search, strategy, question, most, solver, over)))
        turn *= 2


def _turn(
    search: Search,
    strategy: Strategy,
    question: Question,
    most: int | None,
    solver: LiveSolver,
    over: Over,
) -> Question | None:
    """One turn; the question that the next one begins with, None if the strategy has ended."""
    spent = 0
    while not search.closed and not over():
        left = question.conflicts
        if most is not None:
            if spent >= most:
                return question
            left = most - spent if left is None else min(left, most - spent)
        before = solver.conflicts()
        answer = solver.solve(question.assumptions, left)
        spent += solver.conflicts() - before + _QUESTION
        if isinstance(answer, Unknown) and (over() or left != question.conflicts):
            continue
        try:
            question = strategy.send(answer)
        except StopIteration:
            return None
    return question
