"""Two packages that cannot share a process: OR-Tools and highspy.

Each brings a HiGHS library of its own, and the second to be imported fails with undefined symbols.
Where the other is loaded already, an engine runs in a process of its own.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import TypeVar

from pbcnf.wording import install_hint
from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import OUT_OF_TIME
from satsweeper.engines.protocol import LEAST_SECONDS, EngineMissingError
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

Result = TypeVar("Result")


def require(package: str, extra: str) -> None:
    """Raise EngineMissingError, with what to install, unless a package is installed."""
    if find_spec(package) is None:
        raise EngineMissingError(
            f"this engine needs {package}, which is not installed:"
            f" {install_hint(f'satsweeper[{extra}]')}"
        )


def classify_apart(
    other: str,
    job: Callable[[Position, Options], Classification],
    position: Position,
    options: Options,
) -> Classification:
    """Return the answer of ``job``, run in another process if the package ``other`` is loaded.

    Args:
        other: a package that cannot be loaded beside the engine's own.
        job: a function of a module.
        position: the board.
        options: flags, time limit, and who gets partial answers.

    Raises:
        WorkerDiedError: that process ended without an answer.
    """
    answer = run_apart(other, job, position, options)
    return answer or PositionSums(position, options).answer({}, False, (OUT_OF_TIME,))


def run_apart(
    other: str, job: Callable[[Position, Options], Result], position: Position, options: Options
) -> Result | None:
    """Return the result of ``job``, or None if time is over first; see `classify_apart`."""
    if other not in sys.modules:
        return job(position, options)
    from satsweeper.processes.worker import within

    options = replace(options, tell=None)
    result: Result | None = within(
        options.timeout, job.__module__, _in_worker, job, position, options
    )
    return result


def _in_worker(
    send: Callable[[object], None],
    deadline: Deadline,
    job: Callable[[Position, Options], Result],
    position: Position,
    options: Options,
) -> Result:
    return job(position, replace(options, tell=send, timeout=deadline.left(LEAST_SECONDS)))
