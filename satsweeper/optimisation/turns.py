"""Searches that share one live solver take turns, and some begin before the problem is encoded."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Final, NamedTuple

from satsweeper.linear.relaxation import available
from satsweeper.optimisation.search import PAUSE, Search, SolverQuestion, Strategy
from satsweeper.optimisation.short_sums import SHORT
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
_RISE: Final = 8
"""Turns of one length in which a lower bound that rises evenly would meet the best cost."""
_ALONE: Final = 8
"""Ratio of the time for which the relaxation is tried where it leaves little to search to the time
of the encoding."""
_LITTLE: Final = (32, 8)
"""Ratios of the best cost to a small gap: the second where most terms have weights."""
_EARLY: Final = 500_000
"""Microseconds without a better solution after which the encoding begins."""
_LATEST: Final = 2_000_000
"""Microseconds after which it begins in any case, half a second later."""
_STEP: Final = 2_000
"""Microseconds of a step of theirs at least: nodes that a solver refutes are not charged."""
_SIMPLE: Final = 40
"""Terms of a problem without long weighted sums below which clauses are encoded at once."""
_QUICK: Final = 20_000
"""Terms of a problem whose relaxation is tried before its clauses are encoded."""
_ENCODED: Final = 20
"""Microseconds in which a term is encoded, and the relaxation solved with it."""
_WEIGHTED: Final = 40
"""Microseconds more for each bit of the largest weight where weights differ, if it is not short."""
_TRIAL: Final = 40_000
"""Microseconds for which a relaxation is tried at least before clauses are encoded."""
_ROOT: Final = 20_000
"""Microseconds in which little more than the root of the relaxation is solved."""


class HeadStart(NamedTuple):
    """The time for which the first strategy is tried before clauses are encoded for the others."""

    least: int = 0
    """Microseconds."""
    alone: int = 0
    """Microseconds where little is left to save."""
    ratio: int = 1
    """Ratio of the best cost to what counts as little."""


def head_start(search: Search) -> HeadStart:
    """Return for how long the relaxation is tried: about as long as the encoding takes.

    That is 0 if all rows are clauses, or very many. Where most terms have weights, clauses are many
    and say little, so that it is tried for longer.
    """
    if not search.sums:
        return HeadStart()
    rows = [row.terms.values() for row in search.sums]
    terms = sum(len(row.terms) for row in search.rows)
    weights = [{*map(abs, row)} for row in rows]
    bits = weighted = 0
    for row, differ in zip(rows, weights, strict=True):
        if len(differ) > 1:
            weighted += len(row)
            if len(row) > SHORT:
                bits += max(differ).bit_length() * len(row)
    # The simplest problems end before HiGHS and numpy are imported.
    if not available() or terms > _QUICK or (terms < _SIMPLE and not bits):
        return HeadStart()
    least = encoded = _TRIAL + _ENCODED * terms + _WEIGHTED * bits
    if 3 * len(rows) <= len(search.rows) and 2 * sum(map(len, rows)) <= terms:
        # Most rows, and terms, are in clauses: if the root does not answer, cores often do.
        least = _ROOT
    return HeadStart(least, _ALONE * encoded, _LITTLE[2 * weighted >= terms])


def saved(search: Search, strategy: Strategy, fixed: int, term: int) -> Strategy:
    """Run ``strategy`` when its turns have saved the time that its first step takes.

    That is ``fixed`` microseconds, and ``term`` more for each term of the constraints.
    """
    yield PAUSE
    search.charged += fixed + term * sum(len(each.lits) for each in search.problem.constraints)
    yield PAUSE
    yield from strategy


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
    start: HeadStart | None = None,
    *,
    even: bool = False,
) -> None:
    """Run ``strategies`` in turns until the search is closed, all have ended, or time is over.

    A turn is a time, reckoned from conflicts and the like so that runs repeat, and doubled after
    each round. Strategies whose lower bound is far from the best have shorter turns, by the ratio
    ``_PART``: their bounds tell whether cores or the relaxation are the better way. A bound that
    has risen by much of what was left to it in the turn before counts as best. A question without
    an answer within its turn is asked again in the next turn.

    Args:
        search: the state that the strategies share; its solver answers the questions.
        strategies: generators of questions; before there are bounds the first has the longest
            turns.
        over: whether the time is over; no question is asked then.
        start: the length of the first turn of the first strategy; then the second is as good, and
            has a long one as well. If the first has found a solution near its bound by then, it
            goes on alone, and later others have half of their turns. None: no head start.
        even: whether turns are as long as the longest after a better solution was found in one, or
            no bound moved in a round: large problems have good solutions before bounds.
    """
    waiting = [(place, strategy, next(strategy, None)) for place, strategy in enumerate(strategies)]
    start = start or HeadStart()
    turn, beginning = _TURN, start.least
    unknown = start.least > 2 * _TURN
    debts = [0] * len(waiting)
    improved, rising, stalled = set[int](), set[int](), False
    while not search.closed and not over():
        left = [(place, s, question) for place, s, question in waiting if question is not None]
        if not left:
            return
        only = len(left) == 1
        bounds = search.lower, search.upper
        waiting = []
        for place, strategy, question in left:
            best = max(search.lowers.values(), default=0)
            upper = search.upper
            # Within half of the gap that is left a bound counts as good as the best.
            enough = best if search.upper is None else best - max(search.upper - best, 0) // 2
            first = search.lowers.get(place, 0) >= max(enough, 1) if best else place == 0
            # A large relaxation tells its bound only behind the cuts, which take long.
            first = first or (unknown and place == 0 and place not in search.lowers)
            longest = first or place in rising or (even and (stalled or place in improved))
            near = bool(start.least) and search.near(0, start.ratio)
            most = turn if longest else turn // (2 * _PART if near else _PART)
            if beginning and place < 2:
                most = turn if place else beginning
            search.turn, own = place, search.lowers.get(place, 0)
            if place and near and search.charged < start.alone:
                waiting.append((place, strategy, question))
                continue
            if not only and debts[place] >= most:
                debts[place] -= most
                waiting.append((place, strategy, question))
                continue
            allowed = None if only else most - debts[place]
            following, spent = _turn(search, strategy, question, allowed, over)
            # What a step took beyond the turn is taken from the turns that follow.
            debts[place] = 0 if allowed is None else max(spent - allowed, 0)
            waiting.append((place, strategy, following))
            (improved.discard if search.upper == upper else improved.add)(place)
            left_over = max(search.upper - own, 1) if search.upper is not None else inf
            risen = search.lowers.get(place, 0) - own
            (rising.add if own and risen * _RISE >= left_over else rising.discard)(place)
        stalled = bounds == (search.lower, search.upper)
        beginning = 0
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
