"""Two packages that cannot share a process: OR-Tools and highspy.

Each brings a HiGHS library of its own, and the second to be imported fails with undefined symbols.
Where the other is loaded already, an engine runs in a process of its own.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import Final

from pbcnf.wording import install_hint
from satsweeper.answers.options import Options
from satsweeper.engines.parts.questions import OUT_OF_TIME
from satsweeper.engines.protocol import EngineAnswer, EngineMissingError
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

_LEAST: Final = 0.001
"""Seconds that an engine gets even if its deadline has come, as 0 is no limit that it takes."""

Job = Callable[[Position, Options], EngineAnswer]


def require(package: str, extra: str) -> None:
    """Raise EngineMissingError, with what to install, unless a package is installed."""
    if find_spec(package) is None:
        raise EngineMissingError(
            f"this engine needs {package}, which is not installed:"
            f" {install_hint(f'satsweeper[{extra}]')}"
        )


def run_apart(other: str, job: Job, position: Position, options: Options) -> EngineAnswer:
    """What ``job`` answers; in a process of its own if the package ``other`` is loaded here.

    Args:
        job: a function of a module.

    Raises:
        WorkerDiedError: that process ended without an answer.
    """
    if other not in sys.modules:
        return job(position, options)
    from satsweeper.processes.worker import within

    options = replace(options, tell=None)
    answer = within(options.timeout, job.__module__, _in_worker, job, position, options)
    if isinstance(answer, EngineAnswer):
        return answer
    return EngineAnswer("undecided", frozenset(), frozenset(), False, (OUT_OF_TIME,))


def _in_worker(
    send: Callable[[EngineAnswer], None],
    deadline: Deadline,
    job: Job,
    position: Position,
    options: Options,
) -> EngineAnswer:
    return job(position, replace(options, tell=send, timeout=deadline.left(_LEAST)))
