"""Tables and the raw figures of the benchmark of classification, and the judgement of verdicts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from scripts.bench.contenders import BASELINE, Contender
from scripts.bench.measure import Section
from scripts.bench.output import say, table_of
from scripts.bench.timed import Record, percentile

_SHOWN = 6
"""Largest number of cells that a difference names."""


@dataclass(frozen=True)
class Difference:
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
    for record in section.records:
        # A contender may always or never use the total: only contenders that answered the same
        # question are compared with each other.
        for question in (False, True):
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
                about = contender.name, question, "itself"
                unsteady = Difference(record.id, *about, (), contender.judged)
                found.differences.append(unsteady)
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
        for place in range(max(len(expected), len(verdicts))):
            want, got = expected[place : place + 1], verdicts[place : place + 1]
            if want == got:
                continue
            if got == "?" and not contender.complete:
                found.incomplete[contender.name, record.id] += 1
            else:
                cells.append((*divmod(place, record.columns), want, got))
        if cells:
            about = contender.name, question, against
            wrong = Difference(record.id, *about, tuple(cells), contender.judged)
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
        rows.append(
            [
                f"{name} (with the total)" if asked_without else name,
                str(len(tried)) if len(times) == len(tried) else f"{len(times)} of {len(tried)}",
                *([f"{t:.3f}" if t < 10 else f"{t:,.1f}" for t in chosen] or ["-"] * 3),
                ratio,
                f"{median(calls):g}" if calls else "-",
                f"{trial.peak_kib / 1024:.1f}",
                str(sum(r.id in wrong for r in tried)),
                str(left) if not contender.complete else "-",
                str(sum(trial.results[r.id].failure is not None for r in tried)),
            ]
        )
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
        for contender, record, result in section.results():
            rows.append(
                where
                | {"id": record.id, "kind": record.kind, "contender": contender.name}
                | {"with_total": contender.question(section.with_total)}
                | {"times_ns": result.times, "trial_ns": result.trial_ns, "calls": result.calls}
                | {"left_unknown": judgement.incomplete[contender.name, record.id]}
                | {"failure": result.failure}
            )
        memory += [
            where | {"contender": name, "peak_kib": trial.peak_kib}
            for name, trial in section.trials.items()
        ]
        differences += [where | vars(difference) for difference in judgement.differences]
    return {"results": rows, "memory": memory, "differences": differences}
