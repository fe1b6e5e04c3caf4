"""An engine in a process of its own that answers one board after the other, and can be ended.

Whatever an engine does with its time, the limit is kept: what it has told until then is its answer,
and the next board gets a new process. Starting one, and importing what the engine needs, is not
counted.
"""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Final, Literal, NamedTuple, Self

from satsweeper.answers.options import Options
from satsweeper.engines.parts.questions import OUT_OF_TIME
from satsweeper.engines.protocol import EngineAnswer, EngineMissingError, EngineRefusedError
from satsweeper.engines.table import find_engine
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.limits import one_line
from satsweeper.processes.worker import Worker, WorkerDiedError

Kind = Literal["answered", "refused", "missing", "failed"]

_START: Final = 120.0
"""Seconds that a process may take to import what its engine needs."""
_NOTHING: Final = EngineAnswer("undecided", frozenset(), frozenset(), False, (OUT_OF_TIME,))


class Reply(NamedTuple):
    """What became of one board: an answer, or ``why`` there is none; seconds without the start."""

    kind: Kind
    answer: EngineAnswer | None
    why: str
    seconds: float


class Child:
    """The process of one engine, started when it is needed; a context manager that ends it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._worker = Worker(f"engine {name}")

    def ask(self, position: Position, options: Options) -> Reply:
        """The answer to one board, half a second after ``options.timeout`` at the latest."""
        started = perf_counter()
        try:
            if not self._worker.running:
                missing = self._worker.ask(_START, _missing, self.name)
                if missing is None:
                    missing = f"engine {self.name} did not start within {_START:.0f} s"
                if missing:
                    self._worker.end()
                    return Reply("missing", None, missing, 0.0)
            started = perf_counter()
            reply = self._worker.ask(options.timeout, _reply, self.name, position, options)
        except WorkerDiedError as error:
            return Reply("failed", None, str(error), perf_counter() - started)
        if isinstance(reply, Reply):
            return reply
        return Reply("answered", reply or _NOTHING, "", perf_counter() - started)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._worker.end()


def _missing(send: object, deadline: Deadline, name: str) -> str:
    """Load an engine, in the worker; what it needs that is not installed, "" if nothing."""
    try:
        # An engine imports its packages when it is first asked; that is not to be timed.
        find_engine(name).load()(Position.parse("1?"), Options())
    except EngineMissingError as error:
        return str(error)
    return ""


def _reply(
    send: Callable[[object], None],
    deadline: Deadline,
    name: str,
    position: Position,
    options: Options,
) -> Reply:
    """Answer one board, in the worker; what the engine tells meanwhile is sent."""
    classify = find_engine(name).load()
    started = perf_counter()
    try:
        answer = classify(position, replace(options, tell=send))
        return Reply("answered", answer, "", perf_counter() - started)
    except EngineRefusedError as error:
        return Reply("refused", None, str(error), perf_counter() - started)
    except Exception as error:
        why = f"engine {name}: {one_line(error)}"
        return Reply("failed", None, why, perf_counter() - started)
