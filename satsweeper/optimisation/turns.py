"""Searches that share one live solver take turns, and some begin before the problem is encoded."""

from collections.abc import Callable, Sequence
from typing import Final

from satsweeper.optimisation.search import PAUSE, Search, SolverQuestion, Strategy
from satsweeper.solvers.protocol import Answer, Unknown

_TURN: Final = 60_000
"""Microseconds of the first turn, as reckoned by what follows."""
_PART: Final = 4
"""Ratio of the leading strategy's turn to the turn of each other strategy."""
_CONFLICT: Final = 10
"""Microseconds of a conflict, and one more for each ``_LITERALS`` literals of clauses."""
_LITERALS: Final = 2_000
_QUESTION: Final = 150
"""Microseconds of a question; more for many assumptions and clauses."""
_UNENCODED: Final = 8
"""Ratio of the time for which nothing is encoded, where little is left to save, to the first turn
of the relaxation."""
_EARLY: Final = 500_000
"""Microseconds without a better solution after which the encoding begins."""
_LATEST: Final = 2_000_000
"""Microseconds after which it begins in any case, half a second later."""
_STEP: Final = 2_000
"""Microseconds of a step of theirs at least: nodes that a solver refutes are not charged."""


def before_encoding(
    search: Search, strategies: Sequence[Strategy], over: Callable[[], bool]
) -> None:
    """Run ``strategies`` while they ask nothing and find better solutions: there are no clauses."""
    # The last is local search, whose time counts: a relaxation may take longer at once.
    left = dict.fromkeys(reversed(strategies), 0)
    found, upper = 0, search.upper
    while left and not search.closed and not over():
        strategy = min(left, key=lambda each: left[each])
        before = search.charged
        # A question that is not answered is unknown to the strategy.
        if next(strategy, None) is PAUSE:
            left[strategy] += max(search.charged - before, _STEP)
        else:
            del left[strategy]
        spent = left.get(strategies[-1], search.charged)
        if search.upper != upper:
            found, upper = spent, search.upper
        if spent > min(found, _LATEST) + _EARLY:
            return


def take_turns(
    search: Search,
    strategies: Sequence[Strategy],
    over: Callable[[], bool],
    least: int = 0,
    *,
    even: bool = False,
) -> None:
    """Run ``strategies`` in turns until the search is closed, all have ended, or time is over.

    A turn is a time, reckoned from conflicts and the like so that runs repeat, and doubled after
    each round. Strategies whose lower bound is far from the best have shorter turns, by the ratio
    ``_PART``: their bounds tell whether cores or the relaxation are the better way. A question
    without an answer within its turn is asked again in the next turn.

    Args:
        search: the state that the strategies share; its solver answers the questions.
        strategies: generators of questions; before there are bounds the first has the longest
            turns.
        over: whether the time is over; no question is asked then.
        least: the least length of the first turn, in microseconds. If the first strategy has found
            a solution that is near its bound by then, it goes on for some times as long.
        even: whether turns are as long as the longest after a better solution was found in one, or
            no bound moved in a round: large problems have good solutions before bounds.
    """
    waiting = [(place, strategy, next(strategy, None)) for place, strategy in enumerate(strategies)]
    turn = max(_TURN, least)
    debts = [0] * len(waiting)
    improved, stalled = set[int](), False
    while not search.closed and not over():
        left = [(place, s, question) for place, s, question in waiting if question is not None]
        if not left:
            return
        alone = len(left) == 1
        bounds = search.lower, search.upper
        waiting = []
        for place, strategy, question in left:
            best = max(search.lowers.values(), default=0)
            upper = search.upper
            # Within half of the gap that is left a bound counts as good as the best.
            enough = best if search.upper is None else best - max(search.upper - best, 0) // 2
            first = search.lowers.get(place, 0) >= max(enough, 1) if best else place == 0
            longest = first or (even and (stalled or place in improved))
            most = turn if longest else turn // _PART
            search.turn = place
            if place and search.charged < _UNENCODED * least and search.near:
                waiting.append((place, strategy, question))
                continue
            if not alone and debts[place] >= most:
                debts[place] -= most
                waiting.append((place, strategy, question))
                continue
            allowed = None if alone else most - debts[place]
            following, spent = _turn(search, strategy, question, allowed, over)
            # What a step took beyond the turn is taken from the turns that follow.
            debts[place] = 0 if allowed is None else max(spent - allowed, 0)
            waiting.append((place, strategy, following))
            (improved.discard if search.upper == upper else improved.add)(place)
        stalled = bounds == (search.lower, search.upper)
        turn *= 2


def _turn(
    search: Search,
    strategy: Strategy,
    question: SolverQuestion,
    most: int | None,
    over: Callable[[], bool],
) -> tuple[SolverQuestion | None, int]:
    """Answer questions of ``strategy`` for about ``most`` microseconds, ``question`` first.

    ``most``: None for no limit. Return the first question of the next turn, None if the strategy
    has ended; and the microseconds that were spent.
    """
    solver = search.sink.solver
    # A conflict takes about as long as the clauses are many.
    weight = _CONFLICT + search.sink.num_literals // _LITERALS
    spent = 0
    while not search.closed and not over():
        left = question.conflicts
        if most is not None:
            if spent >= most:
                return question, spent
            rest = -(-(most - spent) // weight)
            left = rest if left is None else min(left, rest)
        if question is PAUSE:
            answer: Answer = Unknown("pause")
        else:
            search.encode()
            if over():
                return question, spent
            before = solver.conflicts()
            answer = solver.solve(question.assumptions, left)
            spent += weight * (solver.conflicts() - before) + _QUESTION
            spent += len(question.assumptions) // 2 + search.sink.num_literals // 50
        # Unknown within a budget that the turn cut short is no answer: the question is asked again.
        asked = question is not PAUSE
        if asked and isinstance(answer, Unknown) and (over() or left != question.conflicts):
            continue
        charged = search.charged
        try:
            question = strategy.send(answer)
        except StopIteration:
            return None, spent
        spent += search.charged - charged
    return question, spent
