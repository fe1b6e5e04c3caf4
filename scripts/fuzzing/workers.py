"""Positions in several processes, each of which may hang or die without ending the others."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue
from threading import Event
from typing import Final

from satsweeper.processes.deadline import Deadline
from satsweeper.processes.worker import Worker, WorkerDiedError
from scripts.fuzzing.run import Failure, Plan, Tally, Tell, case_at, examine

_GRACE: Final = 3.0
"""Limits after which the process of a hanging position is ended."""
_STARTING: Final = 60.0


def side_by_side(plan: Plan, numbers: range, most: int, tell: Tell, jobs: int) -> None:
    """Examine positions in ``jobs`` processes until ``most`` failures were told.

    A process that dies, or that is silent for too long in code that is not Python's, is a failure
    of the position that it was at.
    """
    left, failures = iter(numbers), 0
    found: SimpleQueue[tuple[int, Tally] | None] = SimpleQueue()
    stopped = Event()

    def examine_next(worker: Worker) -> None:
        # An iterator of a range gives each number to one thread.
        while not stopped.is_set() and (index := next(left, None)) is not None:
            found.put((index, _examined(worker, plan, index)))
        found.put(None)

    with ExitStack() as stack:
        workers = [stack.enter_context(Worker("a process of positions")) for _ in range(jobs)]
        threads = stack.enter_context(ThreadPoolExecutor(jobs))
        # First of all on the way out, so that no thread waits for positions that nobody wants.
        for worker in workers:
            stack.callback(worker.kill)
            threads.submit(examine_next, worker)
        stack.callback(stopped.set)
        while jobs and failures < most:
            each = found.get()
            if each is None:
                jobs -= 1
            else:
                failures += len(each[1].failures)
                tell(*each)


def _examined(worker: Worker, plan: Plan, index: int) -> Tally:
    seconds = _GRACE * plan.limit + _STARTING
    try:
        found: Tally | None = worker.ask(seconds, examine_apart, plan, index)
    except WorkerDiedError as died:
        return _lost(plan, index, f"the process ended: {died.how or died}")
    return found or _lost(plan, index, "no answer, and no end")


def examine_apart(send: object, deadline: Deadline, plan: Plan, index: int) -> Tally:
    """Examine a position, as the job of a ``Worker``."""
    return examine(plan, index)


def _lost(plan: Plan, index: int, why: str) -> Tally:
    case = case_at(plan.seed, index)
    board = f"{case.text()} flags={case.flags}"
    failure = Failure(plan.seed, index, "process", board, "any", "an answer", why)
    return Tally(positions=1, failures=[failure])
