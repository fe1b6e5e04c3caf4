"""Tables and raw figures of the encoding benchmark."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rich.console import Console

from satsweeper.report.table import markdown_table
from scripts.bench.encode_contenders import OURS, size
from scripts.bench.encode_measure import Task
from scripts.bench.output import say, table_of

NOTES = """\
CPU time, user and system, median; every run in a forked child, in a new order each turn, garbage
collection off; a run over 2 s is not repeated. A cell: ours / the peer's (the peer's by ours: below
1 the peer is faster). From the constraints in each side's own input form to
  memory: clauses in the side's own memory: ours numpy arrays, RustSAT and pindakaas Rust's, PySAT
          and PBLib lists of Python ints (pindakaas' sum, a Python expression, is not counted);
  lists:  lists of Python ints;
  solver: PySAT's CaDiCaL with the clauses in it, for pindakaas the CaDiCaL that it brings along;
  file:   a DIMACS file, by the side's own writer where it has one."""


class Row(NamedTuple):
    """Tasks of our encoder and of a peer, if there is a peer; form -> task."""

    ours: Mapping[str, Task]
    peer: Mapping[str, Task] | None


@dataclass
class Section:
    """A table; `unit` is ms or µs."""

    part: str
    title: str
    unit: str
    forms: Sequence[str]
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def contenders(self) -> list[list[Task]]:
        """The tasks of each contender once, in the order of the forms."""
        both = [side for row in self.rows for side in row if side is not None]
        return [list(side.values()) for side in {id(side): side for side in both}.values()]

    def tasks(self) -> list[Task]:
        """Return each task once."""
        return [task for tasks in self.contenders() for task in tasks]


def show(console: Console, section: Section, markdown: bool) -> None:
    """Print a table, and what did not succeed below it."""
    if markdown:
        say(console, *in_markdown(section))
        return
    title = f"{section.title} ({section.unit})"
    console.print(table_of(title, _header(section), _rows(section, "{}"), texts=2))
    say(console, *_remarks(section))


def differences(sections: Sequence[Section]) -> Iterator[str]:
    """Where our own encodings are not as large as `size` says."""
    for section in sections:
        for task in section.tasks():
            if task.contender.side != OURS or not task.spent:
                continue
            said = size(task.contender.name, task.problem)
            if (task.variables, task.clauses) != (said.variables, said.clauses):
                yield (
                    f"{task.contender.title}, {task.problem.name}, {task.form}: {task.variables}"
                    f" variables and {task.clauses} clauses, where size() says {said.variables} and"
                    f" {said.clauses}"
                )


def lost(sections: Sequence[Section]) -> Iterator[str]:
    """Where a peer is faster."""
    for section in sections:
        for ours, peer in section.rows:
            for form, other in (peer or {}).items():
                ratio = _ratio(ours[form], other)
                if ratio is not None and ratio < 1:
                    name, title = ours[form].contender.name, other.contender.title
                    yield f"{section.title}: {name}, {title}, {form}: {ratio:.2g}x"


def raw(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """Every figure as it was measured; times and sizes are to be multiplied by `scale`."""
    return [
        {"part": section.part, "table": section.title, "problem": task.problem.name}
        | {"constraints": task.problem.count, "scale": task.scale, "form": task.form}
        | {"side": task.contender.side, "encoder": task.contender.name}
        | {"spent_ns": task.spent, "peak_kib": task.peak_kib}
        | {"variables": task.variables, "clauses": task.clauses, "failure": task.failure}
        for section in sections
        for task in section.tasks()
    ]


def _header(section: Section) -> list[str]:
    return ["encoder", "peer", "variables", "clauses", *section.forms]


def in_markdown(section: Section) -> list[str]:
    """The lines of a table, and below it what did not succeed."""
    header = _header(section)
    numbers = [at for at, name in enumerate(header) if name not in ("encoder", "peer")]
    table = markdown_table(header, [*_rows(section, "**{}**")], numbers)
    heading = f"**{section.title}** ({section.unit})"
    return ["", heading, "", *table.splitlines(), "", *_remarks(section)]


def _rows(section: Section, strong: str) -> Iterator[list[str]]:
    factor = 1e3 if section.unit.startswith("µs") else 1.0
    for ours, peer in section.rows:
        first = section.forms[0]
        yield [
            ours[first].contender.name,
            "-" if peer is None else peer[first].contender.title,
            *(f"{_count(ours, what)} / {_count(peer, what)}" for what in ("variables", "clauses")),
            *(_cell(ours[form], (peer or {}).get(form), factor, strong) for form in section.forms),
        ]


def _count(side: Mapping[str, Task] | None, what: str) -> str:
    """Return a count from the first form that has it."""
    for task in (side or {}).values():
        value = getattr(task, what)
        if value is not None:
            return f"{value * task.scale:,.0f}"
    return "-"


def _cell(ours: Task, peer: Task | None, factor: float, strong: str) -> str:
    times = [_number(task.ms if task else None, factor) for task in (ours, peer)]
    ratio = _ratio(ours, peer)
    if ratio is None:
        return " / ".join(times)
    text = f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2g}x"
    return f"{' / '.join(times)} ({strong.format(text) if ratio < 1 else text})"


def _ratio(ours: Task, peer: Task | None) -> float | None:
    own, other = ours.ms, peer.ms if peer else None
    return other / own if own and other else None


def _number(ms: float | None, factor: float) -> str:
    if ms is None:
        return "-"
    value = ms * factor
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def _remarks(section: Section) -> list[str]:
    lines = list(section.notes)
    for tasks in section.contenders():
        failed = [task for task in tasks if task.failure]
        if failed:
            forms = "" if len(failed) == len(tasks) else f", {', '.join(t.form for t in failed)}"
            lines.append(f"- {failed[0].contender.title}{forms}: {failed[0].failure}")
    return [*lines, ""] if lines else []
