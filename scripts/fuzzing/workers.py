"""Positions in several processes, each of which may hang or die without ending the others."""

import signal
import subprocess
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Final

from satsweeper.processes.interpreter import start
from scripts.fuzzing.run import Failure, Plan, Tally, Tell, case_at, examine

_BATCH: Final = 5_000
"""Positions of one process, which takes half a second to start."""
_GRACE: Final = 3.0
"""Limits after which the process of a hanging position is ended."""
_STARTING: Final = 60.0


@dataclass
class _Worker:
    process: "subprocess.Popen[bytes]"
    pipe: Connection
    left: range
    """Positions that have not been begun."""
    at: int | None = None
    """The one under way."""
    since: float = 0.0


def side_by_side(plan: Plan, numbers: range, most: int, tell: Tell, jobs: int) -> None:
    """Examine positions in ``jobs`` processes until ``most`` failures were told.

    A process that dies, or that is silent for too long in code that is not Python's, is a failure
    of the position that it was at.
    """
    size = min(_BATCH, -(-len(numbers) // jobs))
    batches = [numbers[i : i + size] for i in range(0, len(numbers), size)][::-1]
    workers: list[_Worker] = []
    failures = 0

    def told(index: int, found: Tally) -> None:
        nonlocal failures
        failures += len(found.failures)
        tell(index, found)

    try:
        while failures < most:
            while batches and len(workers) < jobs:
                workers.append(_begin(plan, batches.pop()))
            if not workers:
                return
            ready = wait([worker.pipe for worker in workers], timeout=1.0)
            for worker in list(workers):
                why = None
                if worker.pipe in ready:
                    why = _hear(worker, told)
                elif time.monotonic() - worker.since > _GRACE * plan.limit + _STARTING:
                    why = "no answer, and no end"
                if why is not None or (worker.at is None and not worker.left):
                    workers.remove(worker)
                    _end(worker)
                    if why is not None:
                        told(*_lost(plan, worker, why))
                        if worker.left:
                            batches.append(worker.left)
    finally:
        for worker in workers:
            _end(worker)


def _begin(plan: Plan, batch: range) -> _Worker:
    process, pipe = start(_work)
    pipe.send((plan, batch))
    return _Worker(process, pipe, batch, since=time.monotonic())


def _work(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    plan, batch = pipe.recv()
    for index in batch:
        pipe.send((index, None))
        pipe.send((index, examine(plan, index)))


def _hear(worker: _Worker, tell: Tell) -> str | None:
    """Take one message; a sentence if the process has ended too early."""
    try:
        said = worker.pipe.recv()
    except (EOFError, OSError):
        return f"the process ended with {worker.process.wait()}"
    worker.since = time.monotonic()
    index, found = said
    if found is None:
        worker.at, worker.left = index, worker.left[1:]
    else:
        worker.at = None
        tell(index, found)
    return None


def _lost(plan: Plan, worker: _Worker, why: str) -> tuple[int, Tally]:
    # Between two positions only the start of a process can fail; the next one is not tried then.
    if worker.at is None:
        worker.at, worker.left = worker.left[0], worker.left[1:]
    index = worker.at
    case = case_at(plan.seed, index)
    board = f"{case.text()} flags={case.flags}"
    failure = Failure(plan.seed, index, "process", board, "any", "an answer", why)
    return index, Tally(positions=1, failures=[failure])


def _end(worker: _Worker) -> None:
    worker.process.kill()
    worker.process.wait()
    worker.pipe.close()
