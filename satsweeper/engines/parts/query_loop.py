"""The queries that complete engines share: can this cell be a mine, and can it be safe?

An engine answers one query; `decide` asks as few queries as possible. Cells under the same clues
are interchangeable, so one query is asked for each group (the interior is such a group), and no
query is asked for a literal that a layout has shown. Every layout is checked on the board before it
is used. `classify_apart` runs an engine in another process if its package cannot be loaded here.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.board.facts import WrongModelError
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.protocol import LEAST_SECONDS
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

Found = frozenset[int] | Literal[False] | None
"""The mines of a layout, as variables; False: no layout exists; None: the time was over first."""

Ask = Callable[[int, float | None], Found]
"""A function from a literal (0: no condition) and a time limit in seconds, None for no limit, to a
layout in which the literal is true."""

OUT_OF_TIME: Final = "the time was over before every cell was decided"


class Evidence:
    """Literals shown by checked layouts and refuted by queries, for a variable of each group."""

    def __init__(self, sums: PositionSums) -> None:
        self.sums = sums
        self.has_layout = False
        """Whether any layout was checked."""
        self.open: set[int] = set()
        """The literals of each group's first variable that no layout has shown."""
        self.refuted: set[int] = set()
        """The literals of each group's first variable that hold in no layout."""
        for group in sums.interchangeable:
            self.open |= {group[0], -group[0]}

    def add_layout(self, mines: frozenset[int], literal: int = 0) -> None:
        """Add a layout, in which ``literal`` has to be true (0: no condition).

        Raises:
            WrongModelError: ``mines`` are no layout of the board, or ``literal`` is false.
        """
        self.sums.check(mines)
        if literal and (abs(literal) in mines) is not (literal > 0):
            raise WrongModelError("a solver's layout is not the one that was asked for")
        self.has_layout = True
        for group in self.sums.interchangeable:
            here = sum(variable in mines for variable in group)
            # Cells of a group may change places: with a mine in the group, some layout has a mine
            # in the first cell; with a safe cell, some layout has the first cell safe.
            if here:
                self.open.discard(group[0])
            if here < len(group):
                self.open.discard(-group[0])

    def answer(self, notes: Sequence[str] = ()) -> Classification:
        """Return the verdicts so far; inconsistent if a variable can be neither 0 nor 1."""
        if any(-literal in self.refuted for literal in self.refuted):
            return self.sums.inconsistent()
        decided = {
            variable: literal < 0
            for group in self.sums.interchangeable
            for literal in {group[0], -group[0]} & self.refuted
            for variable in group
        }
        complete = self.has_layout and self.open <= self.refuted
        return self.sums.answer(decided, complete, notes, has_layout=self.has_layout)


_OFTEN: Final = 0.1
"""The least time in seconds between two partial answers for ``options.tell``."""


class PartialAnswers:
    """Passes partial answers to a callback, at most ten times a second.

    Args:
        tell: the callback; None: partial answers are dropped.
    """

    def __init__(self, tell: Callable[[Classification], object] | None) -> None:
        self._tell = tell
        self._next = Deadline.after(_OFTEN)

    def offer(self, answer: Callable[[tuple[str, ...]], Classification]) -> None:
        """Call ``tell`` with the partial answer, if the last one is long enough ago.

        ``answer``: from notes to the partial answer; called only if needed.
        """
        if self._tell is not None and self._next.passed():
            self._next = Deadline.after(_OFTEN)
            self._tell(answer((OUT_OF_TIME,)))


def decide(
    position: Position, options: Options, begin: Callable[[PositionSums], Ask]
) -> Classification:
    """Classify with at most two queries for each group of cells, and one query for any layout.

    Args:
        position: the board.
        options: flags, time limit, and the callback for partial answers.
        begin: sets up a solver with the equations and returns its query function.

    Raises:
        WrongModelError: a solver's layout is wrong.
    """
    deadline, answers = Deadline.after(options.timeout), PartialAnswers(options.tell)
    sums = PositionSums(position, options)
    if sums.impossible:
        return sums.inconsistent()
    evidence = Evidence(sums)
    if not sums.cells:
        evidence.add_layout(frozenset())
        return evidence.answer()
    ask = begin(sums)
    late = False
    queries = [0, *(sign * group[0] for group in sums.interchangeable for sign in (1, -1))]
    for literal in queries:
        # A layout has shown the literal already.
        if literal and literal not in evidence.open:
            continue
        found = None if deadline.passed() else ask(literal, deadline.left())
        if found is None:
            late = True
        elif found is not False:
            evidence.add_layout(found, literal)
        elif literal:
            evidence.refuted.add(literal)
        else:
            # Without any condition there is no layout.
            return sums.inconsistent()
        answers.offer(evidence.answer)
    return evidence.answer((OUT_OF_TIME,) if late else ())


# OR-Tools and highspy cannot be loaded in one process: each has its own HiGHS library, and the
# second import fails with undefined symbols. If one is loaded already, an engine that needs the
# other runs in a separate process.


def classify_apart(
    other: str,
    job: Callable[..., Classification],
    position: Position,
    options: Options,
    *more: object,
) -> Classification:
    """Return the answer of ``job``, run in another process if the package ``other`` is loaded.

    Args:
        other: a package that cannot be loaded beside the engine's own.
        job: a function of a module, called with ``position``, ``options`` and ``more``.
        position: the board.
        options: flags, time limit, and the callback for partial answers.
        more: further arguments of the job; picklable.

    Raises:
        WorkerDiedError: the other process ended without an answer.
    """
    answer: Classification | None = run_apart(other, job, position, options, *more)
    return answer or PositionSums(position, options).answer({}, False, (OUT_OF_TIME,))


def run_apart(
    other: str, job: Callable[..., Any], position: Position, options: Options, *more: object
) -> Any:
    """Return the result of ``job``, or None if the time is over first.

    The arguments are those of `classify_apart`; partial answers are not passed on.
    """
    if other not in sys.modules:
        return job(position, options, *more)
    from satsweeper.processes.worker import within

    options = options.replaced(tell=None)
    return within(options.timeout, job.__module__, _in_worker, job, position, options, *more)


def _in_worker(
    send: Callable[[object], None],
    deadline: Deadline,
    job: Callable[..., Any],
    position: Position,
    options: Options,
    *more: object,
) -> Any:
    options = options.replaced(tell=send, timeout=deadline.left(LEAST_SECONDS))
    return job(position, options, *more)
