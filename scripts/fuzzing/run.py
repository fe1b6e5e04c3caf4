"""Fuzzing position by position: the checks of each, wrong answers, and counts."""

import signal
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, groupby
from queue import SimpleQueue
from random import Random
from threading import Event
from types import FrameType
from typing import Any, NamedTuple

from satsweeper.processes.deadline import Deadline
from satsweeper.processes.worker import Worker, WorkerDiedError
from scripts.fuzzing.checks import CHECKS
from scripts.fuzzing.positions import Case, draw, smallest
from scripts.fuzzing.truth import HangError, Truth, WrongAnswerError


class Plan(NamedTuple):
    """Settings that determine every position and its checks; ``limit``: seconds a position."""

    seed: int
    shares: Mapping[str, float]
    limit: float


@dataclass(frozen=True)
class Failure:
    """A wrong answer, and the smallest board found on which its check fails."""

    seed: int
    index: int
    check: str
    board: str
    call: str
    expected: str
    got: str
    smallest: str = ""
    smallest_call: str = ""

    def line(self) -> str:
        """Return the failure as a line."""
        text = f"seed {self.seed} position {self.index} {self.check}: board {short(self.board)!r}"
        text += f" call {self.call} expected {self.expected} got {self.got}"
        if self.smallest:
            text += f"; smallest: board {short(self.smallest)!r} call {self.smallest_call}"
        return " ".join(text.split())


def short(board: str) -> str:
    """Return ``board`` with ten or more equal lines in a row written as one line."""
    groups = [(line, len(list(same))) for line, same in groupby(board.split("\n"))]
    lines = [[line] * n if n < 10 else [f"{line} ({n} times)"] for line, n in groups]
    return "\n".join(chain.from_iterable(lines))


@dataclass
class Tally:
    """Counts of positions, of checks by name, of positions by kind; and wrong answers."""

    positions: int = 0
    checks: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Add the counts of another tally."""
        self.positions += other.positions
        self.checks += other.checks
        self.kinds += other.kinds
        self.failures += other.failures

    def as_json(self) -> dict[str, Any]:
        """Return the counts by name, and the failures."""
        return {
            "positions": self.positions,
            "checks": dict(sorted(self.checks.items())),
            "kinds": dict(sorted(self.kinds.items())),
            "failures": [asdict(failure) for failure in self.failures],
        }


def examine(plan: Plan, index: int) -> Tally:
    """Examine a position by its checks, which depend on the plan and the number alone."""
    found = Tally(positions=1)
    wrongs: list[tuple[str, WrongAnswerError]] = []
    # A failure outside all checks is reported under the name "generator".
    name, case = "generator", Case(("",), None, "trust")
    try:
        with alarm(plan.limit):
            case = draw(Random(f"{plan.seed}/{index}"))
            truth = case.truth()
            status = "consistent" if truth.layouts else "inconsistent"
            found.kinds.update([*case.kinds, f"status {status}", f"cells {truth.n:2}"])
            for name, share in plan.shares.items():
                rng = Random(f"{plan.seed}/{index}/{name}")
                if rng.random() < share:
                    found.checks[name] += 1
                    wrong = _wrong(name, case, truth, rng)
                    if wrong is not None:
                        wrongs.append((name, wrong))
    except HangError as hang:
        late = WrongAnswerError(hang.call or name, "an answer", f"nothing in {plan.limit:g} s")
        found.failures.append(_failure(plan, index, name, case, late))
    found.failures += [_shrunk(plan, index, name, case, wrong) for name, wrong in wrongs]
    return found


def _wrong(name: str, case: Case, truth: Truth, rng: Random) -> WrongAnswerError | None:
    try:
        CHECKS[name].run(case, truth, rng)
    except WrongAnswerError as wrong:
        return wrong
    except Exception as error:
        return WrongAnswerError(name, "no exception", f"{type(error).__name__}: {error}")
    return None


def _failure(plan: Plan, index: int, name: str, case: Case, wrong: WrongAnswerError) -> Failure:
    board = f"{case.text()} flags={case.flags}"
    return Failure(plan.seed, index, name, board, wrong.call, wrong.expected, wrong.got)


def _shrunk(plan: Plan, index: int, name: str, case: Case, wrong: WrongAnswerError) -> Failure:
    def again(smaller: Case) -> WrongAnswerError | None:
        rng = Random(f"{plan.seed}/{index}/{name}")
        rng.random()
        try:
            with alarm(plan.limit):
                return _wrong(name, smaller, smaller.truth(), rng)
        except HangError:
            return None

    failure = _failure(plan, index, name, case, wrong)
    case, wrong = smallest(case, wrong, again)
    call = f"{wrong.call} expected {wrong.expected} got {wrong.got}"
    return replace(failure, smallest=f"{case.text()} flags={case.flags}", smallest_call=call)


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise HangError in the block after ``seconds``; compiled code ends first."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def side_by_side(plan: Plan, numbers: range, jobs: int) -> Generator[tuple[int, Tally], None, None]:
    """Examine positions in ``jobs`` processes; yield numbers and tallies as they come.

    A process that dies, or that does not answer because compiled code hangs, counts as a failure of
    the position under way.
    """
    left = iter(numbers)
    found: SimpleQueue[tuple[int, Tally] | None] = SimpleQueue()
    stopped = Event()

    def examine_next(worker: Worker) -> None:
        # `next` of an iterator of a range is atomic, so each number goes to one thread.
        while not stopped.is_set() and (index := next(left, None)) is not None:
            found.put((index, _examined(worker, plan, index)))
        found.put(None)

    with ExitStack() as stack:
        workers = [stack.enter_context(Worker("a process of positions")) for _ in range(jobs)]
        threads = stack.enter_context(ThreadPoolExecutor(jobs))
        # On leaving the stack, also when the generator is closed, `stopped` is set and the workers
        # are killed before the threads are joined: no thread goes on with what is not needed.
        for worker in workers:
            stack.callback(worker.kill)
            threads.submit(examine_next, worker)
        stack.callback(stopped.set)
        while jobs:
            each = found.get()
            if each is None:
                jobs -= 1
            else:
                yield each


def _examined(worker: Worker, plan: Plan, index: int) -> Tally:
    try:
        # The process of a hanging position is ended after three times the limit and a minute, in
        # which the process starts.
        found: Tally | None = worker.ask(3 * plan.limit + 60, examine_apart, plan, index)
        why = "no answer, and no end"
    except WorkerDiedError as died:
        found, why = None, f"the process ended: {died.how or died}"
    if found is not None:
        return found
    case = draw(Random(f"{plan.seed}/{index}"))
    late = WrongAnswerError("any", "an answer", why)
    return Tally(positions=1, failures=[_failure(plan, index, "process", case, late)])


def examine_apart(send: object, deadline: Deadline, plan: Plan, index: int) -> Tally:
    """Examine a position, as the job of a ``Worker``."""
    return examine(plan, index)
