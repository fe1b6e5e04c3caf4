"""Trials in a child (verdicts, peak memory, time limit) and the interleaved timing after them."""

import gc
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits, memory_now, one_line, peak_memory
from scripts.bench.contenders import Contender
from scripts.bench.timed import Record

_SLOW: Final = 1_000_000_000
"""CPU nanoseconds of a trial above which a position is timed only once."""


@dataclass
class Result:
    """The result of a contender on a position.

    ``failure`` is the reason why there are no verdicts. ``trial_ns`` is the CPU time of the trial,
    ``times`` holds the CPU times of the timed repeats, in nanoseconds. ``unsteady``: a repeat gave
    other verdicts than the trial.
    """

    verdicts: str | None = None
    calls: int | None = None
    failure: str | None = None
    trial_ns: int = 0
    times: list[int] = field(default_factory=list)
    unsteady: bool = False


@dataclass
class Trial:
    """The trial of a contender on a class: results by record id, growth of peak memory in KiB."""

    results: dict[str, Result]
    peak_kib: int = 0


@dataclass
class Section:
    """A class of positions, with or without the total."""

    name: str
    with_total: bool
    contenders: list[Contender]
    records: list[Record]
    trials: dict[str, Trial] = field(default_factory=dict)

    def results(self) -> Iterator[tuple[Contender, Record, Result]]:
        """Yield all results."""
        for contender in self.contenders:
            if contender.name in self.trials:
                held = self.trials[contender.name].results
                yield from ((contender, r, held[r.id]) for r in self.records if r.id in held)


def try_out(
    contender: Contender,
    records: Sequence[Record],
    with_total: bool,
    limit: float,
    tick: Callable[[], None],
) -> Trial:
    """Run every position once in forked children, each for ``limit`` CPU seconds at most.

    Memory is the peak resident size of a child less its size before the first position. A child can
    use memory that this process has freed, so figures below some hundred KiB mean nothing.
    """
    trial = Trial({})
    timeouts = 0
    base: int | None = None
    with Forked(partial(_try, contender, with_total), Limits(seconds=limit)) as child:
        for record in records:
            peak = 0
            # A contender that exceeds the limit three times in a class is not tried further.
            if timeouts == 3:
                result = Result(failure=f"not tried after {timeouts} time-outs")
            else:
                found = child.ask(record)
                if isinstance(found, Ended):
                    late = found.how == "timeout"
                    timeouts += late
                    why = f"over {limit:g} s" if late else str(found)
                    result, peak = Result(failure=why), found.memory
                else:
                    result, peak, before = found
                    base = before if base is None else base
            trial.results[record.id] = result
            trial.peak_kib = max(trial.peak_kib, (peak - (base or peak)) // 1024)
            tick()
    return trial


def _try(contender: Contender, with_total: bool, record: Record) -> tuple[Result, int, int]:
    """Run a contender in the child; return its result, and peak and former memory in bytes."""
    result, before = Result(), memory_now()
    start = time.process_time_ns()
    try:
        answer = contender.run(record.text, with_total)
        result.verdicts, result.calls = answer.verdicts, answer.calls
    except Exception as error:
        result.failure = one_line(error)[:200]
    result.trial_ns = time.process_time_ns() - start
    return result, peak_memory(), before


def time_all(
    section: Section, repeats: int, seed: int, cold: bool, tick: Callable[[], None]
) -> None:
    """Add CPU times to the trials' results: position by position, contenders in changing order.

    Each turn draws a new order: in a fixed rotation each contender would always follow the same
    predecessor, whose effect on caches and freed memory can cost half of a contender's own time.
    Before each timed run the same contender runs on the same position untimed, to warm the caches;
    ``cold`` leaves this run out. Positions that a contender did not answer in its trial are left
    out for that contender. Garbage is collected before each position, and never during a
    measurement.
    """
    with_total, trials = section.with_total, section.trials
    for contender in section.contenders:
        for record in section.records:
            held = trials[contender.name].results.get(record.id)
            if held is not None and held.failure is None and held.trial_ns <= _SLOW:
                contender.run(record.text, with_total)
                break
    order = list(section.contenders)
    draw = random.Random(seed)
    for record in section.records:
        gc.collect()
        for turn in range(repeats):
            draw.shuffle(order)
            for contender in order:
                result = trials[contender.name].results.get(record.id)
                if result is None or result.failure is not None:
                    continue
                if not cold and result.trial_ns <= _SLOW:
                    contender.run(record.text, with_total)
                if turn == 0 or result.trial_ns <= _SLOW:
                    _time(contender, record.text, with_total, result)
        tick()


def _time(contender: Contender, text: str, with_total: bool, result: Result) -> None:
    run = contender.run
    gc.disable()
    try:
        start = time.process_time_ns()
        answer = run(text, with_total)
        end = time.process_time_ns()
    except Exception as error:
        if "keyboard interrupt" in str(error).lower():
            # PySAT reports Ctrl-C inside a solver by an exception with this text.
            raise KeyboardInterrupt from None
        result.failure = one_line(error)[:200]
        return
    finally:
        gc.enable()
    result.times.append(end - start)
    result.unsteady |= answer.verdicts != result.verdicts
