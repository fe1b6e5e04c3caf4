"""Two packages that cannot share a process: OR-Tools and highspy.

Each brings a HiGHS library of its own, and the second to be imported fails with undefined symbols.
Where the other is loaded already, an engine runs in a process of its own.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import OUT_OF_TIME
from satsweeper.engines.protocol import LEAST_SECONDS
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

Result = TypeVar("Result")


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
    answer = run_apart(other, job, position, options, *more)
    return answer or PositionSums(position, options).answer({}, False, (OUT_OF_TIME,))


def run_apart(
    other: str, job: Callable[..., Result], position: Position, options: Options, *more: object
) -> Result | None:
    """Return the result of ``job``, or None if time is over first; see `classify_apart`."""
    if other not in sys.modules:
        return job(position, options, *more)
    from satsweeper.processes.worker import within

    options = replace(options, tell=None)
    result: Result | None = within(
        options.timeout, job.__module__, _in_worker, job, position, options, *more
    )
    return result


def _in_worker(
    send: Callable[[object], None],
    deadline: Deadline,
    job: Callable[..., Result],
    position: Position,
    options: Options,
    *more: object,
) -> Result:
    options = replace(options, tell=send, timeout=deadline.left(LEAST_SECONDS))
    return job(position, options, *more)
