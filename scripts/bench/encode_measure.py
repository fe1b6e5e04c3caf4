"""Encoding measured in forked children: interleaved, CPU time, limits of time and memory."""

import gc
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any, Final

from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits
from satsweeper.processes.memory import memory_now, peak_memory
from scripts.bench.encode_contenders import Contender
from scripts.bench.encode_problems import Problem

_SLOW: Final = 2_000_000_000
"""CPU nanoseconds of a first run above which there is no second."""
_LIST_BYTES: Final = 72
"""Memory of a clause as a Python list, at the very least: a list of two known ints."""


def words(limits: Limits) -> str:
    """As in "not within ..."."""
    return f"{limits.seconds:g} s / {(limits.memory or 0) / 2**30:g} GB"


@dataclass
class Task:
    """One contender on one problem, as it is measured: `scale` times it is what is reported.

    `encode_ns` and `lists_ns`: CPU nanoseconds from the constraints to the contender's own form of
    the clauses, and to Python lists of ints. `failure` and `lists_failure`: why there are none.
    """

    contender: Contender
    problem: Problem
    warm: Problem
    scale: float = 1.0
    encode_ns: list[int] = field(default_factory=list)
    lists_ns: list[int] = field(default_factory=list)
    variables: int | None = None
    clauses: int | None = None
    peak_kib: int = 0
    failure: str | None = None
    lists_failure: str | None = None

    @property
    def encode_ms(self) -> float | None:
        """Median, scaled."""
        return median(self.encode_ns) / 1e6 * self.scale if self.encode_ns else None

    @property
    def lists_ms(self) -> float | None:
        """Median, scaled."""
        return median(self.lists_ns) / 1e6 * self.scale if self.lists_ns else None

    def again(self) -> bool:
        """Whether another run makes sense: the first ended, and soon."""
        return self.failure is None and not (self.encode_ns and self.encode_ns[0] > _SLOW)


def measure(tasks: Sequence[Task], repeats: int, limits: Limits, seed: int) -> None:
    """Run all tasks in turns, each turn in a new order, every run in a child of its own.

    A child begins where this process stands, so that nobody pays for what another left behind: it
    first encodes a small problem of the same kind, then the real one once, with no garbage
    collection meanwhile.
    """
    order = list(tasks)
    draw = random.Random(seed)
    for _ in range(repeats):
        draw.shuffle(order)
        for task in order:
            if task.again():
                _run(task, limits)


def _run(task: Task, limits: Limits) -> None:
    steps = _steps(task)
    allowed = replace(limits, memory=memory_now() + (limits.memory or 0))
    with Forked(lambda _: next(steps), allowed) as child:
        encoded = child.ask(None)
        if isinstance(encoded, Ended):
            task.failure = _reason(encoded, limits)
            return
        base, spent, task.variables, task.clauses, peak = encoded
        task.encode_ns.append(spent)
        lists = Ended("memory", None, 0.0, peak)
        if (task.clauses or 0) * _LIST_BYTES <= (limits.memory or 0):
            lists = child.ask(None)
        if isinstance(lists, Ended):
            task.lists_failure, peak = _reason(lists, limits), max(peak, lists.memory)
        else:
            more, task.clauses, peak = lists
            task.lists_ns.append(spent if task.contender.gives_lists else spent + more)
    task.peak_kib = max(task.peak_kib, (peak - base) // 1024)


def _steps(task: Task) -> Iterator[Any]:
    """In the child: prepare and encode, then make lists; CPU nanoseconds of each, and the peak.

    Of the thread: the system counts those of the process in whole ticks while it limits them.
    Nothing is waited for between preparing and encoding, which would begin with cold caches.
    """
    prepare = task.contender.prepare
    prepare(task.warm)().lists()
    run = prepare(task.problem)
    gc.collect()
    gc.disable()
    base, start = peak_memory(), time.thread_time_ns()
    result = run()
    spent = time.thread_time_ns() - start
    yield base, spent, result.variables, result.clauses, peak_memory()
    start = time.thread_time_ns()
    lists = result.lists()
    yield time.thread_time_ns() - start, len(lists), peak_memory()


def _reason(ended: Ended, limits: Limits) -> str:
    if ended.how in {"timeout", "memory"}:
        return f"not within {words(limits)}"
    return (ended.what or "")[:200] if ended.how == "error" else str(ended)
