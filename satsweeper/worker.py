"""A classification in a process of its own, which can be ended on the dot whatever its solver does.

Budgets of conflicts end most searches in time (``limit.py``); this is for the solvers that have
none, and for a single step that takes long. The worker sends what it has proved as it goes, so
that ending it loses only the step under way.
"""

import ctypes
import multiprocessing
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from time import time
from typing import Final, Literal, TypedDict

from satsweeper.classification import Classification
from satsweeper.limit import Limit
from satsweeper.position import Position

_GRACE: Final = 0.5
"""Seconds that a worker may take beyond its limit before it is ended."""


class Options(TypedDict):
    """The options of a session."""

    encoding: str
    total_encoding: str
    solver: str
    flags: Literal["trust", "ignore"]
    plain: bool


class WorkerDiedError(RuntimeError):
    """The worker ended without an answer: its solver crashed or was killed from outside."""


def classify_within(seconds: float, position: Position, options: Options) -> Classification:
    """Classify with a limit that is kept for real.

    Returns an answer at most ``seconds`` and a half from now; its status is ``undecided`` if the
    limit was reached first.

    Raises:
        WorkerDiedError: there is no answer, since the solver crashed.
        ValueError: as ``satsweeper.classify``.
    """
    deadline = time() + seconds
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(
        target=_work, args=(there, position, options, deadline), daemon=True
    )
    process.start()
    there.close()
    answer: Classification | None = None
    try:
        while here.poll(max(deadline + _GRACE - time(), 0)):
            message = here.recv()
            if isinstance(message, ValueError):
                raise message
            final, answer = message
            if final:
                break
    except EOFError:
        process.join()
        raise WorkerDiedError(
            f"solver {options['solver']!r} ended unexpectedly ({_how(process.exitcode)})"
        ) from None
    finally:
        process.kill()
        process.join()
        here.close()
    if answer is None:
        answer = _nothing_yet(position, options)
    return answer


def _work(out: Connection, position: Position, options: Options, deadline: float) -> None:
    """The worker: sends ``(False, partial)`` as it goes and ``(True, answer)`` at the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        # No orphan may go on searching: PR_SET_PDEATHSIG.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    from satsweeper.verdicts import classify_with

    with suppress(BrokenPipeError):
        try:
            answer = classify_with(
                position,
                Limit(max(deadline - time(), 0.001)),
                lambda partial: out.send((False, partial)),
                **options,
            )
            out.send((True, answer))
        except ValueError as error:
            out.send(ValueError(str(error)))


def _how(code: int | None) -> str:
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"


def _nothing_yet(position: Position, options: Options) -> Classification:
    """The answer when the limit was reached before the worker could send anything."""
    from satsweeper.classification import Stats, Status

    planes = position.planes
    covered = planes.covered | (planes.flags if options["flags"] == "ignore" else 0)
    return Classification(
        status=Status.UNDECIDED,
        geometry=position.geometry,
        cells=position.cells,
        mines_total=position.mines,
        covered=covered,
        safe_board=0,
        mine_board=0,
        stats=Stats(),
        solver=options["solver"],
        encoding=options["encoding"],
    )
