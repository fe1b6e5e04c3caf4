"""Tables and the raw figures of a benchmark."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from scripts.bench.contenders import BASELINE, Contender
from scripts.bench.measure import Result, Trial
from scripts.bench.output import say, table_of
from scripts.bench.records import Record
from scripts.bench.timed import percentile

_SHOWN = 6


@dataclass(frozen=True)
class Difference:
    """A contender's verdicts that are not the expected ones.

    ``cells``: ``(row, column, expected, given)``; none if the repeats gave different verdicts.
    ``against``: whose verdicts were expected. ``judged``: whether the run fails for it.
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

    ``incomplete`` counts cells by ``(contender, record id)``. ``unchecked``: records without an
    answer that one contender alone answered, with the question.
    """

    differences: list[Difference]
    incomplete: Counter[tuple[str, str]]
    unchecked: list[str]


def judge(
    contenders: Sequence[Contender],
    records: Sequence[Record],
    trials: dict[str, Trial],
    with_total: bool,
) -> Judgement:
    """Compare everything that was answered."""
    found = Judgement([], Counter(), [])
    for record in records:
        for question in (False, True):
            group = [c for c in contenders if c.question(with_total) is question]
            _judge_one(group, record, trials, question, found)
    return found


def _judge_one(
    group: Sequence[Contender],
    record: Record,
    trials: dict[str, Trial],
    question: bool,
    found: Judgement,
) -> None:
    given = {}
    for contender in group:
        result = trials[contender.name].results.get(record.id) if contender.name in trials else None
        if result is not None and result.verdicts is not None:
            given[contender.name] = result.verdicts
            if result.unsteady:
                found.differences.append(
                    Difference(record.id, contender.name, question, "itself", (), contender.judged)
                )
    expected, against = record.answer(question), "the answer"
    if expected is None:
        complete = [c for c in group if c.complete and c.name in given]
        if not complete:
            return
        against = complete[0].name
        expected = given[against]
        if len(complete) == 1:
            found.unchecked.append(f"{record.id} (total {'known' if question else 'unknown'})")
    for contender in group:
        verdicts = given.get(contender.name, expected)
        if verdicts == expected:
            continue
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
            found.differences.append(
                Difference(
                    record.id, contender.name, question, against, tuple(cells), contender.judged
                )
            )


NOTES = """\
CPU ms from text in memory to verdict string: all threads, minimum over the repeats of a position.
ratio: the median by that of pysat-loop on the same positions. calls: solver calls, median.
peak: growth of the resident size of a forked child over the class, MiB (0.0: what was free did).
wrong: positions with a wrong verdict. left: certain cells left unknown, of incomplete contenders.
failed: positions over the time limit, crashed or refused; the times leave them out."""


@dataclass
class Section:
    """A class of positions, with or without the total."""

    name: str
    with_total: bool
    contenders: list[Contender]
    records: list[Record]
    trials: dict[str, Trial] = field(default_factory=dict)

    def judgement(self) -> Judgement:
        """Verdicts against answers."""
        return judge(self.contenders, self.records, self.trials, self.with_total)

    def results(self) -> Iterator[tuple[Contender, Record, Result]]:
        """Yield all results."""
        for contender in self.contenders:
            if contender.name in self.trials:
                held = self.trials[contender.name].results
                for record in self.records:
                    if record.id in held:
                        yield contender, record, held[record.id]


def table(section: Section, judgement: Judgement, kind: str | None = None) -> Table:
    """The figures of a section, or of one kind of its positions."""
    records = [r for r in section.records if kind is None or r.kind == kind]
    total = "known" if section.with_total else "unknown"
    what = section.name + (f" {kind}" if kind else "")
    best = {
        contender.name: {
            record.id: result.best_ms
            for other, record, result in section.results()
            if other is contender and result.best_ms is not None
        }
        for contender in section.contenders
    }
    rows = [
        _row(contender, section, judgement, records, best)
        for contender in section.contenders
        if (held := section.trials.get(contender.name)) is not None
        and any(record.id in held.results for record in records)
    ]
    heads = ("contender", "positions", "median", "p90", "max", "ratio", "calls", "peak")
    title = f"{what}, total {total}, {len(records)} positions"
    return table_of(title, (*heads, "wrong", "left", "failed"), rows)


def _row(
    contender: Contender,
    section: Section,
    judgement: Judgement,
    records: Sequence[Record],
    best: dict[str, dict[str, float]],
) -> list[str]:
    trial = section.trials[contender.name]
    tried = [r for r in records if r.id in trial.results]
    times = {r.id: best[contender.name][r.id] for r in tried if r.id in best[contender.name]}
    shared = [id_ for id_ in times if id_ in best.get(BASELINE, {})]
    ratio = "-"
    if shared:
        base = median(best[BASELINE][id_] for id_ in shared)
        times_base = median(times[id_] for id_ in shared) / base
        ratio = f"{times_base:,.0f}x" if times_base >= 100 else f"{times_base:.3g}x"
    calls = [c for r in tried if (c := trial.results[r.id].calls) is not None]
    wrong = {d.id for d in judgement.differences if d.contender == contender.name}
    left = sum(judgement.incomplete[contender.name, r.id] for r in tried)
    name = contender.name
    if contender.question(section.with_total) and not section.with_total:
        name += " (with the total)"
    return [
        name,
        str(len(tried)) if len(times) == len(tried) else f"{len(times)} of {len(tried)}",
        *figures(sorted(times.values())),
        ratio,
        f"{median(calls):g}" if calls else "-",
        f"{trial.peak_kib / 1024:.1f}",
        str(sum(r.id in wrong for r in tried)),
        str(left) if not contender.complete else "-",
        str(sum(trial.results[r.id].failure is not None for r in tried)),
    ]


def figures(times: Sequence[float]) -> list[str]:
    """Median, 90th percentile (nearest rank) and maximum of ascending milliseconds, as text."""
    if not times:
        return ["-"] * 3
    chosen = median(times), percentile(times, 90), times[-1]
    return [f"{ms:.3f}" if ms < 10 else f"{ms:,.1f}" for ms in chosen]


def show(console: Console, sections: Sequence[Section], by_kind: bool) -> bool:
    """Print tables, failures and differences; whether a judged contender was wrong."""
    wrong = False
    for section in sections:
        if not section.trials:
            continue
        judgement = section.judgement()
        console.print(table(section, judgement))
        if by_kind:
            for kind in dict.fromkeys(record.kind for record in section.records):
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
    """Every figure: CPU times in nanoseconds, peak growth in KiB."""
    rows = []
    memory = []
    differences = []
    for section in sections:
        where = {"class": section.name, "total": "known" if section.with_total else "unknown"}
        judgement = section.judgement()
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
