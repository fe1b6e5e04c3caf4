"""Shrinking an instance on which contenders went wrong, until it is small enough to be read."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.instances.smaller_boards import (
    boards_of_one_clue,
    random_small_boards,
    smaller_boards,
    windows,
)
from satsweeper.compare.instances.smaller_problems import smaller_formulas, smaller_problems
from satsweeper.compare.job.job import Job
from satsweeper.compare.job.measure import is_wrong
from satsweeper.compare.job.result import Result
from satsweeper.compare.wrong_answers.disagreement import Disagreement, differ
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

SMALL: Final = 5
"""Rows and columns of a board that a person can check."""

Evaluate = Callable[[Job, Instance], Result]
"""The outcome of a job on an instance, such as ``measure`` gives it."""


@dataclass(frozen=True, slots=True)
class Suspects:
    """The jobs that went wrong, tried on other instances until the time is over.

    A job that fails in any other way than by a wrong answer is not what is looked for.
    """

    jobs: tuple[Job, ...]
    evaluate: Evaluate
    deadline: Deadline

    def wrong_on(self, instance: Instance) -> bool:
        """Whether jobs differ on ``instance`` or give a wrong model; False after the deadline."""
        if self.deadline.passed():
            return False
        results = [self.evaluate(moved(job, instance), instance) for job in self.jobs]
        return any(map(is_wrong, results)) or any(
            differ(results[0], other) for other in results[1:]
        )


def moved(job: Job, instance: Instance) -> Job:
    """Return ``job`` on another instance."""
    return replace(job, instance=instance.digest, name=instance.name)


def shrink(
    disagreement: Disagreement, instance: Instance, evaluate: Evaluate, seconds: float = 60.0
) -> Instance:
    """Return the smallest instance found in time on which the jobs still go wrong.

    Of a board, windows of at most 5 x 5 cells come first, then boards of that size with one of its
    clues each, then such that are drawn at random, the board itself last; of what is found, rows,
    columns, clues and the total are taken away as long as the jobs still go wrong. Of a problem or
    a CNF, constraints are taken away, and then literals.

    ``instance`` itself comes back if nothing smaller does it.
    """
    suspects = Suspects(disagreement.jobs, evaluate, Deadline.after(seconds))
    if instance.kind is InstanceKind.BOARD:
        return _board(suspects, instance)
    if instance.kind is InstanceKind.PROBLEM:
        return _reduced(suspects, instance, lambda now: smaller_problems(now.problem()))
    return _reduced(suspects, instance, lambda now: smaller_formulas(now.formula()))


def _board(suspects: Suspects, instance: Instance) -> Instance:
    whole = instance.position()
    small: Iterable[Position] = ()
    if max(whole.rows, whole.columns) > SMALL:
        small = chain(
            windows(whole, SMALL, total=False),
            boards_of_one_clue(whole),
            () if whole.mines is None else windows(whole, SMALL, total=True),
            random_small_boards(SMALL, 3000),
        )
    found = next((b for p in small if suspects.wrong_on(b := _named(p))), instance)
    return _reduced(
        suspects, found, lambda now: (_named(board) for board in smaller_boards(now.position()))
    )


def _named(position: Position) -> Instance:
    return Instance.of_board(position, "witness")


def _reduced(
    suspects: Suspects, start: Instance, smaller: Callable[[Instance], Iterator[Instance]]
) -> Instance:
    """Return the instance after replacing it by smaller ones as long as ``fails`` holds."""
    now = start
    while (found := next(filter(suspects.wrong_on, smaller(now)), None)) is not None:
        now = found
    return now
