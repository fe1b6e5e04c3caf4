"""Shrinking an instance on which contenders went wrong, until it is small enough to be read."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
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

Test = Callable[[Instance], bool]
"""Whether the jobs still go wrong on an instance."""


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
    deadline = Deadline.after(seconds)

    def goes_wrong(smaller: Instance) -> bool:
        """Whether the jobs differ or give a wrong model; a failure of another kind does not count.

        False after the deadline.
        """
        if deadline.passed():
            return False
        results = [evaluate(moved(job, smaller), smaller) for job in disagreement.jobs]
        return any(map(is_wrong, results)) or any(
            differ(results[0], other) for other in results[1:]
        )

    if instance.kind is InstanceKind.BOARD:
        return _board(goes_wrong, instance)
    if instance.kind is InstanceKind.PROBLEM:
        return _reduced(goes_wrong, instance, lambda now: smaller_problems(now.problem()))
    return _reduced(goes_wrong, instance, lambda now: smaller_formulas(now.formula()))


def _board(goes_wrong: Test, instance: Instance) -> Instance:
    whole = instance.position()
    small: Iterable[Position] = ()
    if max(whole.rows, whole.columns) > SMALL:
        small = chain(
            windows(whole, SMALL, total=False),
            boards_of_one_clue(whole),
            () if whole.mines is None else windows(whole, SMALL, total=True),
            random_small_boards(SMALL, 3000),
        )
    found = next(filter(goes_wrong, map(_named, small)), instance)
    return _reduced(goes_wrong, found, lambda now: map(_named, smaller_boards(now.position())))


def _named(position: Position) -> Instance:
    return Instance.of_board(position, "witness")


def _reduced(
    goes_wrong: Test, start: Instance, smaller: Callable[[Instance], Iterator[Instance]]
) -> Instance:
    """Return the instance after replacing it by smaller ones as long as jobs go wrong on one."""
    now = start
    while (found := next(filter(goes_wrong, smaller(now)), None)) is not None:
        now = found
    return now
