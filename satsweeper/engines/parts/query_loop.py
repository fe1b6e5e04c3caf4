"""The queries that complete engines share: can this cell be a mine, and can it be safe?

An engine answers one query; `decide` asks as few as it can. Cells under the same clues are
interchangeable, so one of them is asked for all (the interior is one such group), and what a layout
shows is not asked again. Every layout is checked on the board before it counts. `classify_apart`
runs an engine in another process where its package cannot be loaded in this one.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.board.facts import WrongModelError
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.protocol import LEAST_SECONDS
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

Found = frozenset[int] | Literal[False] | None
"""The mines of a layout, as variables; False: there is none; None: not found out in time."""

Ask = Callable[[int, float | None], Found]
"""From a literal (0: none) and seconds to a layout in which the literal holds."""

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
        """Take in a layout in which ``literal`` holds, if any is asked.

        Raises:
            WrongModelError: ``mines`` are no layout of the board, or ``literal`` does not hold.
        """
        self.sums.check(mines)
        if literal and (abs(literal) in mines) is not (literal > 0):
            raise WrongModelError("a solver's layout is not the one that was asked for")
        self.has_layout = True
        for group in self.sums.interchangeable:
            here = sum(variable in mines for variable in group)
            # Cells of a group may change places: one mine among them shows the first as a mine.
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
"""Seconds between two partial answers that are handed to ``options.tell``."""


class PartialAnswers:
    """Hands over what is certain so far, at most ten times a second.

    Args:
        tell: gets the answers; None if nobody listens.
    """

    def __init__(self, tell: Callable[[Classification], object] | None) -> None:
        self._tell = tell
        self._next = Deadline.after(_OFTEN)

    def offer(self, answer: Callable[[tuple[str, ...]], Classification]) -> None:
        """Hand over what ``answer`` makes of a note that time was over, if an answer is due."""
        if self._tell is not None and self._next.passed():
            self._next = Deadline.after(_OFTEN)
            self._tell(answer((OUT_OF_TIME,)))


def decide(
    position: Position, options: Options, begin: Callable[[PositionSums], Ask]
) -> Classification:
    """Classify with at most two queries a group of cells, and one for any layout.

    Args:
        position: the board.
        options: flags, time limit, and who gets partial answers.
        begin: sets up a solver with the equations and returns what asks it.

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
        # Some layout has shown it already.
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
            # Not even without an assumption is there a layout.
            return sums.inconsistent()
        answers.offer(evidence.answer)
    return evidence.answer((OUT_OF_TIME,) if late else ())


# Two packages that cannot share a process: OR-Tools and highspy. Each brings a HiGHS library of its
# own, and the second to be imported fails with undefined symbols. Where the other is loaded
# already, an engine runs in a process of its own.


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
        options: flags, time limit, and who gets partial answers.
        more: whatever else the job takes; picklable.

    Raises:
        WorkerDiedError: that process ended without an answer.
    """
    answer: Classification | None = run_apart(other, job, position, options, *more)
    return answer or PositionSums(position, options).answer({}, False, (OUT_OF_TIME,))


def run_apart(
    other: str, job: Callable[..., Any], position: Position, options: Options, *more: object
) -> Any:
    """Return the result of ``job``, or None if time is over first; see `classify_apart`."""
    if other not in sys.modules:
        return job(position, options, *more)
    from satsweeper.processes.worker import within

    options = replace(options, tell=None)
    return within(options.timeout, job.__module__, _in_worker, job, position, options, *more)


def _in_worker(
    send: Callable[[object], None],
    deadline: Deadline,
    job: Callable[..., Any],
    position: Position,
    options: Options,
    *more: object,
) -> Any:
    options = replace(options, tell=send, timeout=deadline.left(LEAST_SECONDS))
    return job(position, options, *more)
