"""Trials and timing of contenders in classification, judgement of their verdicts, tables."""

import gc
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product, zip_longest
from statistics import median
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.table import Table

from satsweeper.board.errors import one_line
from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits, memory_now, peak_memory
from scripts.bench.contenders import BASELINE, Answer, Contender
from scripts.bench.output import say, table_of
from scripts.bench.timed import Record, percentile

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


Tick = Callable[[], None]
"""Function that is called after each step."""


def try_out(
    contender: Contender, records: Sequence[Record], with_total: bool, limit: float, tick: Tick
) -> Trial:
    """Run every position once in forked children, each for ``limit`` CPU seconds at most.

    Memory is the peak resident size of a child less its size before the first position. A child can
    use memory that this process has freed, so figures below some hundred KiB mean nothing.
    """
    trial, timeouts = Trial({}), 0
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
    answer, result.trial_ns = _run(contender, record.text, with_total, result)
    if answer is not None:
        result.verdicts, result.calls = answer
    return result, peak_memory(), before


def _run(
    contender: Contender, text: str, with_total: bool, result: Result
) -> tuple[Answer | None, int]:
    """Return the answer of a contender, whose failure is put into ``result``; and CPU time."""
    answer = None
    start = time.process_time_ns()
    try:
        answer = contender.run(text, with_total)
    except Exception as error:
        if "keyboard interrupt" in str(error).lower():
            # PySAT reports Ctrl-C inside a solver by an exception with this text.
            raise KeyboardInterrupt from None
        result.failure = one_line(error)[:200]
    return answer, time.process_time_ns() - start


def time_all(section: Section, repeats: int, seed: int, cold: bool, tick: Tick) -> None:
    """Add CPU times to the trials' results: position by position, contenders in changing order.

    Each turn draws a new order: in a fixed rotation each contender would always follow the same
    predecessor, whose effect on caches and freed memory can cost half of a contender's own time.
    Before each timed run the same contender runs on the same position untimed, to warm the caches;
    ``cold`` leaves this run out. Positions that a contender did not answer in its trial are left
    out for that contender. Garbage is collected before each position, and never during a
    measurement.
    """
    with_total, trials = section.with_total, section.trials
    warmed = set()
    for contender, record, held in section.results():
        if contender.name not in warmed and held.failure is None and held.trial_ns <= _SLOW:
            contender.run(record.text, with_total)
            warmed.add(contender.name)
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
                    gc.disable()
                    answer, spent = _run(contender, record.text, with_total, result)
                    gc.enable()
                    if answer is not None:
                        result.times.append(spent)
                        result.unsteady |= answer.verdicts != result.verdicts
        tick()


_SHOWN = 6
"""Largest number of cells that a difference names."""


class Difference(NamedTuple):
    """Unexpected verdicts of a contender on a position.

    ``cells``: ``(row, column, expected, given)``; empty if the repeats gave different verdicts.
    ``against``: the source of the expected verdicts. ``judged``: whether the difference fails the
    benchmark.
    """

    id: str
    contender: str
    with_total: bool
    against: str
    cells: tuple[tuple[int, int, str, str], ...]
    judged: bool

    def __str__(self) -> str:
        total = "total known" if self.with_total else "total unknown"
        if not self.cells:
            return f"{self.id}: {self.contender} ({total}): not the same verdicts in every repeat"
        cells = ", ".join(
            f"({r}, {c}) {given} not {expected}" for r, c, expected, given in self.cells[:_SHOWN]
        )
        more = len(self.cells) - _SHOWN
        rest = f" and {more} more" if more > 0 else ""
        return f"{self.id}: {self.contender} ({total}), against {self.against}: {cells}{rest}"


@dataclass
class Judgement:
    """Differences, and the certain cells that incomplete contenders leave unknown.

    ``incomplete`` counts cells by ``(contender, record id)``. ``unchecked``: records that have no
    answer in the corpus and were answered by only one complete contender.
    """

    differences: list[Difference] = field(default_factory=list)
    incomplete: Counter[tuple[str, str]] = field(default_factory=Counter)
    unchecked: list[str] = field(default_factory=list)


def judge(section: Section) -> Judgement:
    """Compare all verdicts with the answers of the corpus, or of other contenders."""
    found = Judgement()
    # A contender may always or never use the total: only contenders that answered the same question
    # are compared with each other.
    for record, question in product(section.records, (False, True)):
        group = [c for c in section.contenders if c.question(section.with_total) is question]
        _judge_group(section, group, record, question, found)
    return found


def _judge_group(
    section: Section, group: Sequence[Contender], record: Record, question: bool, found: Judgement
) -> None:
    given = {}
    for contender in group:
        trial = section.trials.get(contender.name)
        result = trial.results.get(record.id) if trial else None
        if result is not None and result.verdicts is not None:
            given[contender.name] = result.verdicts
            if result.unsteady:
                about = record.id, contender.name, question
                found.differences.append(Difference(*about, "itself", (), contender.judged))
    expected, against = record.known if question else record.unknown, "the answer"
    if expected is None:
        complete = [c.name for c in group if c.complete and c.name in given]
        if not complete:
            return
        against = complete[0]
        expected = given[against]
        if len(complete) == 1:
            found.unchecked.append(f"{record.id} (total {'known' if question else 'unknown'})")
    for contender in group:
        verdicts = given.get(contender.name, expected)
        cells = []
        for place, (want, got) in enumerate(zip_longest(expected, verdicts, fillvalue="")):
            if got == "?" != want and not contender.complete:
                found.incomplete[contender.name, record.id] += 1
            elif want != got:
                cells.append((*divmod(place, record.columns), want, got))
        if cells:
            about = record.id, contender.name, question
            wrong = Difference(*about, against, tuple(cells), contender.judged)
            found.differences.append(wrong)


def table(section: Section, judgement: Judgement, kind: str | None = None) -> Table:
    """Return the table of a section, or of one kind of its positions."""
    records = [r for r in section.records if kind is None or r.kind == kind]
    best: dict[str, dict[str, float]] = {contender.name: {} for contender in section.contenders}
    for contender, record, result in section.results():
        if result.times:
            best[contender.name][record.id] = min(result.times) / 1e6
    rows = []
    for contender in section.contenders:
        trial = section.trials.get(contender.name)
        tried = [r for r in records if r.id in trial.results] if trial else []
        if trial is None or not tried:
            continue
        name = contender.name
        times = {r.id: best[name][r.id] for r in tried if r.id in best[name]}
        ratio = "-"
        if shared := [id_ for id_ in times if id_ in best.get(BASELINE, {})]:
            base = median(best[BASELINE][id_] for id_ in shared)
            of_base = median(times[id_] for id_ in shared) / base
            ratio = f"{of_base:,.0f}x" if of_base >= 100 else f"{of_base:.3g}x"
        ms = sorted(times.values())
        chosen = [median(ms), percentile(ms, 90), ms[-1]] if ms else []
        calls = [c for r in tried if (c := trial.results[r.id].calls) is not None]
        wrong = {d.id for d in judgement.differences if d.contender == name}
        left = sum(judgement.incomplete[name, r.id] for r in tried)
        asked_without = contender.question(section.with_total) and not section.with_total
        row = [f"{name} (with the total)" if asked_without else name]
        row += [f"{len(times)} of {len(tried)}" if len(times) < len(tried) else str(len(tried))]
        row += [f"{t:.3f}" if t < 10 else f"{t:,.1f}" for t in chosen] or ["-"] * 3
        row += [ratio, f"{median(calls):g}" if calls else "-", f"{trial.peak_kib / 1024:.1f}"]
        row += [str(sum(r.id in wrong for r in tried)), "-" if contender.complete else str(left)]
        rows.append([*row, str(sum(trial.results[r.id].failure is not None for r in tried))])
    heads = ("contender", "positions", "median", "p90", "max", "ratio", "calls", "peak")
    total = "known" if section.with_total else "unknown"
    what = f"{section.name} {kind}" if kind else section.name
    title = f"{what}, total {total}, {len(records)} positions"
    return table_of(title, (*heads, "wrong", "left", "failed"), rows)


NOTES = """\
CPU ms from text in memory to verdict string: all threads, minimum over the repeats of a position.
ratio: the median by that of pysat-loop on the same positions. calls: solver calls, median.
peak: growth of the resident size of a forked child over the class, MiB (0.0: what was free did).
wrong: positions with a wrong verdict. left: certain cells left unknown, of incomplete contenders.
failed: positions over the time limit, crashed or refused; the times leave them out."""


def show(console: Console, sections: Sequence[Section], by_kind: bool) -> bool:
    """Print tables, failures and differences; return whether a judged contender was wrong."""
    wrong = False
    for section in sections:
        if not section.trials:
            continue
        judgement = judge(section)
        kinds = dict.fromkeys(record.kind for record in section.records) if by_kind else ()
        for kind in (None, *kinds):
            console.print(table(section, judgement, kind))
        for contender, record, result in section.results():
            if result.failure is not None:
                say(console, f"failed: {record.id}: {contender.name}: {result.failure}")
        if judgement.unchecked:
            ids = ", ".join(judgement.unchecked)
            say(console, f"unchecked (no answer, one complete contender): {ids}")
        for difference in judgement.differences:
            say(console, f"{'WRONG' if difference.judged else 'wrong'}: {difference}")
            wrong |= difference.judged
    say(console, NOTES)
    return wrong


def raw(sections: Sequence[Section]) -> dict[str, Any]:
    """Return every figure: CPU times in nanoseconds, growth of peak memory in KiB."""
    rows, memory, differences = [], [], []
    for section in sections:
        where = {"class": section.name, "total": "known" if section.with_total else "unknown"}
        judgement = judge(section)
        rows += [
            where
            | {"id": record.id, "kind": record.kind, "contender": contender.name}
            | {"with_total": contender.question(section.with_total)}
            | {"times_ns": result.times, "trial_ns": result.trial_ns, "calls": result.calls}
            | {"left_unknown": judgement.incomplete[contender.name, record.id]}
            | {"failure": result.failure}
            for contender, record, result in section.results()
        ]
        memory += [
            where | {"contender": name, "peak_kib": trial.peak_kib}
            for name, trial in section.trials.items()
        ]
        differences += [where | difference._asdict() for difference in judgement.differences]
    return {"results": rows, "memory": memory, "differences": differences}
