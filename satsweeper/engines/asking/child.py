"""An engine in a process of its own that answers one board after the other, and can be ended.

Whatever an engine does with its time, the limit is kept: what it has told until then is its answer,
and the next board gets a new process. Starting one, and importing what the engine needs, is not
counted.
"""

import multiprocessing
import signal
from dataclasses import replace
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple

from satsweeper.answers.options import Options
from satsweeper.engines.parts.questions import OUT_OF_TIME
from satsweeper.engines.protocol import EngineAnswer, EngineMissingError, EngineRefusedError
from satsweeper.engines.table import find_engine
from satsweeper.position import Position
from satsweeper.processes.worker import GRACE, end_with_parent, how_ended, no_interrupt

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
        self._process: Any = None
        self._pipe: Any = None

    def ask(self, position: Position, options: Options) -> Reply:
        """The answer to one board, half a second after ``options.timeout`` at the latest."""
        started = perf_counter()
        try:
            if self._process is None:
                missing = self._start()
                if missing:
                    self._end()
                    return Reply("missing", None, missing, 0.0)
            started = perf_counter()
            self._pipe.send((position, options))
            return self._listen(started, options.timeout)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self._process.join()
            why = f"engine {self.name} ended unexpectedly ({how_ended(self._process.exitcode)})"
            self._end()
            return Reply("failed", None, why, perf_counter() - started)

    def _listen(self, started: float, timeout: float | None) -> Reply:
        last = _NOTHING
        while True:
            left = None
            if timeout is not None:
                left = started + timeout + GRACE - perf_counter()
            if (left is not None and left <= 0) or not self._pipe.poll(left):
                self._end()
                return Reply("answered", last, "", perf_counter() - started)
            message = self._pipe.recv()
            if isinstance(message, Reply):
                return message
            last = message

    def _start(self) -> str:
        """Start the process; what is missing, if anything is."""
        context = multiprocessing.get_context("spawn")
        self._pipe, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self.name), daemon=True)
        with no_interrupt():
            process.start()
        self._process = process
        there.close()
        if not self._pipe.poll(_START):
            return f"engine {self.name} did not start within {_START:.0f} s"
        missing: str = self._pipe.recv()
        return missing

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *error: object) -> None:
        self._end()


def _serve(pipe: Connection, name: str) -> None:
    """The process: says what is missing (""), then answers boards until it is ended."""
    if not end_with_parent(signal.SIGKILL):
        return
    try:
        # An engine imports its packages when it is first asked; that is not to be timed.
        classify = find_engine(name).load()
        classify(Position.parse("1?"), Options())
    except EngineMissingError as error:
        pipe.send(str(error))
        return
    pipe.send("")
    while True:
        position, options = pipe.recv()
        started = perf_counter()
        try:
            answer = classify(position, replace(options, tell=pipe.send))
            reply = Reply("answered", answer, "", perf_counter() - started)
        except EngineRefusedError as error:
            reply = Reply("refused", None, str(error), perf_counter() - started)
        except Exception as error:
            what = " ".join(f"{type(error).__name__}: {error}".split())
            reply = Reply("failed", None, f"engine {name}: {what}", perf_counter() - started)
        pipe.send(reply)
