"""Trials in a child (verdicts, peak memory, time limit) and the interleaved timing after them."""

import gc
import json
import os
import random
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from scripts.bench.contenders import Contender
from scripts.bench.records import Record

_SLOW: Final = 1_000_000_000
"""CPU nanoseconds of a trial above which a position is timed once only."""
_TIMEOUTS: Final = 3
"""A contender that exceeds the limit so often in a class is not asked further."""


@dataclass
class Result:
    """One contender on one position.

    ``failure`` says why there are no verdicts. ``trial_ns`` is the CPU time of the trial, ``times``
    those of the timed repeats, in nanoseconds. ``unsteady``: a repeat gave other verdicts.
    """

    verdicts: str | None = None
    calls: int | None = None
    failure: str | None = None
    trial_ns: int = 0
    times: list[int] = field(default_factory=list)
    unsteady: bool = False

    @property
    def best_ms(self) -> float | None:
        """Milliseconds of CPU, the minimum over the repeats."""
        return min(self.times) / 1e6 if self.times else None


@dataclass
class Trial:
    """One contender on one class: results by record id, growth of peak memory in KiB."""

    results: dict[str, Result]
    peak_kib: int = 0


def try_out(
    contender: Contender,
    records: Sequence[Record],
    with_total: bool,
    limit: float,
    tick: Callable[[], None],
) -> Trial:
    """Run every position once in forked children, each position for ``limit`` seconds at most.

    Memory is the peak resident size of the child (``ru_maxrss``) less its size after the fork. What
    the parent has freed can be used again, so that figures below some hundred KiB say nothing.
    """
    trial = Trial({})
    left = list(records)
    timeouts = 0
    while left:
        if timeouts == _TIMEOUTS:
            for record in left:
                trial.results[record.id] = Result(failure=f"not tried after {timeouts} time-outs")
                tick()
            break
        reason = _one_child(contender, left, with_total, limit, trial, tick)
        left = [record for record in left if record.id not in trial.results]
        if left and reason:
            trial.results[left[0].id] = Result(failure=reason)
            timeouts += reason.startswith("over")
            tick()
            left = left[1:]
    return trial


def _one_child(
    contender: Contender,
    records: Sequence[Record],
    with_total: bool,
    limit: float,
    trial: Trial,
    tick: Callable[[], None],
) -> str:
    """Run records until one kills the child or the limit does; why it ended, '' when all done."""
    sys.stdout.flush()
    sys.stderr.flush()
    gc.collect()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(contender, records, with_total, writing)
    os.close(writing)
    base_kib = 0
    reason = ""
    done = 0
    try:
        buffer = b""
        deadline = time.monotonic() + limit
        while True:
            ready, _, _ = select.select([reading], [], [], max(deadline - time.monotonic(), 0))
            if not ready:
                reason = f"over {limit:g} s"
                break
            data = os.read(reading, 1 << 20)
            if not data:
                break
            buffer += data
            *lines, buffer = buffer.split(b"\n")
            for line in lines:
                message: dict[str, Any] = json.loads(line)
                if "base" in message:
                    base_kib = message["base"]
                else:
                    record_id = message.pop("id")
                    trial.results[record_id] = Result(**message)
                    done += 1
                    tick()
                deadline = time.monotonic() + limit
    finally:
        os.close(reading)
        if reason or sys.exc_info()[0] is not None:
            os.kill(child, signal.SIGKILL)
        _, status, usage = os.wait4(child, 0)
    trial.peak_kib = max(trial.peak_kib, usage.ru_maxrss - base_kib)
    if not reason and done < len(records):
        code = os.waitstatus_to_exitcode(status)
        reason = f"crash ({signal.Signals(-code).name if code < 0 else f'exit code {code}'})"
    return reason


def _work(contender: Contender, records: Sequence[Record], with_total: bool, writing: int) -> None:
    """The child: a line of JSON per position; never returns."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        with os.fdopen(writing, "w") as out:
            base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            print(json.dumps({"base": base}), file=out, flush=True)
            for record in records:
                message: dict[str, Any] = {"id": record.id}
                start = time.process_time_ns()
                try:
                    answer = contender.run(record.text, with_total)
                    message |= {"verdicts": answer.verdicts, "calls": answer.calls}
                except Exception as error:
                    message["failure"] = f"{type(error).__name__}: {error}"[:200]
                message["trial_ns"] = time.process_time_ns() - start
                print(json.dumps(message), file=out, flush=True)
    except BaseException:
        os._exit(1)
    os._exit(0)


def time_all(
    contenders: Sequence[Contender],
    records: Sequence[Record],
    with_total: bool,
    trials: dict[str, Trial],
    repeats: int,
    seed: int,
    cold: bool,
    tick: Callable[[], None],
) -> None:
    """Add CPU times to the trials' results: position by position, contenders in changing order.

    Each turn draws a new order: in a plain rotation everyone keeps the same predecessor and pays
    for what it leaves behind (caches, freed memory), half its own time in one case. Each timed run
    follows an untimed one of the same contender on the same position, so that it is warm; ``cold``
    leaves that out, and a run finds the caches as another contender left them. Positions that a
    contender did not answer in its trial are left out for it. Garbage is collected before a
    position and not during a measurement.
    """
    for contender in contenders:
        for record in records:
            held = trials[contender.name].results.get(record.id)
            if held is not None and held.failure is None and held.trial_ns <= _SLOW:
                contender.run(record.text, with_total)
                break
    order = list(contenders)
    draw = random.Random(seed)
    for record in records:
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
            # How PySAT reports Ctrl-C inside a solver.
            raise KeyboardInterrupt from None
        result.failure = f"{type(error).__name__}: {error}"[:200]
        return
    finally:
        gc.enable()
    result.times.append(end - start)
    result.unsteady |= answer.verdicts != result.verdicts
