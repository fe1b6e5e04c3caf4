"""Encoding measured in forked children: interleaved, CPU time, limits of time and memory."""

import gc
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any, Final

from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits, memory_now, peak_memory
from scripts.bench.encode_contenders import Contender
from scripts.bench.encode_forms import Problem

_SLOW: Final = 2_000_000_000
"""CPU nanoseconds of a first run above which there is no second."""


def words(limits: Limits) -> str:
    """As in "not within ..."."""
    return f"{limits.seconds:g} s / {(limits.memory or 0) / 2**30:g} GB"


def apart(work: Callable[[], Any]) -> Any:
    """Return the value of `work`, called in a child, so that measured encoders find no caches.

    Sizes, and whether an encoder takes some bounds, are found out like that.
    """
    with Forked(lambda _: work(), Limits()) as child:
        found = child.ask(None)
    if isinstance(found, Ended):
        raise RuntimeError(str(found))
    return found


@dataclass
class Task:
    """A contender on a problem, up to a form: `scale` times its figures are reported.

    `spent`: CPU nanoseconds. `failure`: why there are none.
    """

    contender: Contender
    form: str
    problem: Problem
    warm: Problem
    scale: float = 1.0
    spent: list[int] = field(default_factory=list)
    variables: int | None = None
    clauses: int | None = None
    peak_kib: int = 0
    failure: str | None = None

    @property
    def ms(self) -> float | None:
        """Median, scaled."""
        return median(self.spent) / 1e6 * self.scale if self.spent else None

    def again(self) -> bool:
        """Whether another run makes sense: the first ended, and soon."""
        return self.failure is None and not (self.spent and self.spent[0] > _SLOW)


def measure(tasks: Sequence[Sequence[Task]], repeats: int, limits: Limits, seed: int) -> None:
    """Run all tasks in turns, each turn in a new order, every run in a child of its own.

    `tasks` are the forms of each contender: where the first of them fails so do the others.

    A child begins where this process stands, so that nobody pays for what another left behind: it
    first encodes a problem like the real one, with another bound or other weights, then the real
    one once, with no garbage collection meanwhile.
    """
    order = list(tasks)
    draw = random.Random(seed)
    for _ in range(repeats):
        draw.shuffle(order)
        for forms in order:
            for task in forms:
                task.failure = task.failure or forms[0].failure
                if task.again():
                    _run(task, limits)


def _run(task: Task, limits: Limits) -> None:
    steps = _steps(task)
    allowed = replace(limits, memory=memory_now() + (limits.memory or 0))
    with Forked(lambda _: next(steps), allowed) as child:
        ended = child.ask(None)
        if isinstance(ended, Ended):
            task.failure = _reason(ended, limits)
            return
        base, spent, task.variables, task.clauses, peak = ended
        task.spent.append(spent)
    task.peak_kib = max(task.peak_kib, (peak - base) // 1024)


def _steps(task: Task) -> Iterator[Any]:
    """In the child: prepare and encode; CPU nanoseconds, what was made, and the peak of memory.

    Of the thread: the system counts those of the process in whole ticks while it limits them.
    Nothing is waited for between preparing and encoding, which would begin with cold caches.
    """
    prepare = task.contender.prepare
    prepare(task.warm, task.form)()
    run = prepare(task.problem, task.form)
    gc.collect()
    gc.disable()
    base, start = peak_memory(), time.thread_time_ns()
    result = run()
    spent = time.thread_time_ns() - start
    yield base, spent, result.variables, result.clauses, peak_memory()


def _reason(ended: Ended, limits: Limits) -> str:
    if ended.how in {"timeout", "memory"}:
        return f"not within {words(limits)}"
    return (ended.what or "")[:200] if ended.how == "error" else str(ended)
