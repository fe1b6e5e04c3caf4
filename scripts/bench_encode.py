"""Benchmark of encoding: ours against PySAT and PBLib (C++), pindakaas and RustSAT (Rust).

Five parts: `clues`, many small constraints as on a large Minesweeper board in mid-game; `large`,
one constraint over many inputs; `single`, small constraints encoded one call at a time; `weighted`,
weighted sums, each with weights of its own; `solves`, many small problems, each built, encoded,
loaded into a solver and solved, with a column for each step. The others have four forms: clauses in
the memory of each side, as Python lists, in a live solver, in a DIMACS file. CPU time, everything
in children with a limit on time and memory. What our encodings count is compared with what `size`
says. With --update each part goes into a section of its own: `speed of clues`, and so on.

Exit codes: 0 done; 1 a count differs (printed), or bad input; 2 wrong usage; 130 interrupted, after
printing what there is.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from rich.console import Console

from satsweeper.processes.limits import Limits
from satsweeper.report.table import markdown_table
from scripts.bench import encode_contenders as contenders
from scripts.bench import encode_forms as encoding
from scripts.bench import output
from scripts.bench.encode_contenders import ours
from scripts.frame import arguments as frame

NOTES = """\
CPU time, user and system, median; every run in a forked child, in a new order each turn, garbage
collection off; a run over 2 s is not repeated. A cell: ours / the peer's (the peer's by ours: below
1 the peer is faster). From the constraints in each side's own input form to
  memory: clauses in the side's own memory: ours numpy arrays, RustSAT and pindakaas Rust's, PySAT
          and PBLib lists of Python ints (pindakaas' sum, a Python expression, is not counted);
  lists:  lists of Python ints;
  solver: PySAT's CaDiCaL with the clauses in it, for pindakaas the CaDiCaL that it brings along;
  file:   a DIMACS file, by the side's own writer where it has one."""


Maker = partial[encoding.Task]
"""Makes a task of a contender and a form, for a problem."""


class Row(NamedTuple):
    """Tasks of our encoder and of a peer, each a mapping form -> task; empty without a peer."""

    ours: Mapping[str, encoding.Task]
    peer: Mapping[str, encoding.Task]


@dataclass
class Section:
    """A table of a part of the benchmark; `unit` is the unit of its times, ms or µs."""

    title: str
    unit: str
    forms: Sequence[str]
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    part: str = ""

    @property
    def heads(self) -> list[str]:
        """The heads of the columns: two of text, the others of numbers."""
        return ["encoder", "peer", "variables", "clauses", *self.forms]

    def contenders(self) -> list[list[encoding.Task]]:
        """The tasks of each contender once, in the order of the forms."""
        both = [side for row in self.rows for side in row if side]
        return [list(side.values()) for side in {id(side): side for side in both}.values()]

    def tasks(self) -> list[encoding.Task]:
        """Return each task once."""
        return [task for tasks in self.contenders() for task in tasks]


def show(console: Console, section: Section, markdown: bool) -> None:
    """Print the table of `section`, and below it the contenders that failed."""
    if markdown:
        output.say(console, *in_markdown(section))
        return
    title = f"{section.title} ({section.unit})"
    console.print(output.table_of(title, section.heads, _rows(section, "{}"), texts=2))
    output.say(console, *_remarks(section))


def differences(sections: Sequence[Section]) -> Iterator[str]:
    """Yield a line for each of our encodings whose size differs from the prediction of `size`."""
    for section in sections:
        for task in section.tasks():
            if task.contender.side != contenders.OURS or not task.spent:
                continue
            if task.form in encoding.STEPS:  # their sums choose an encoder each
                continue
            size = contenders.size(task.contender.name, task.problem)
            if (task.variables, task.clauses) != (size.variables, size.clauses):
                made = f"{task.variables} variables and {task.clauses} clauses"
                said = f"where size() says {size.variables} and {size.clauses}"
                where = f"{task.contender.title}, {task.problem.name}, {task.form}"
                yield f"{where}: {made}, {said}"


def lost(sections: Sequence[Section]) -> Iterator[str]:
    """Yield a line for each row and form in which a peer is faster than our encoder."""
    for section in sections:
        for ours_by_form, peer in section.rows:
            for form, theirs in peer.items():
                ratio = _ratio(ours_by_form[form], theirs)
                if ratio is not None and ratio < 1:
                    name, title = ours_by_form[form].contender.name, theirs.contender.title
                    yield f"{section.title}: {name}, {title}, {form}: {ratio:.2g}x"


def raw(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """Return every figure as measured, before times and sizes are multiplied by `scale`."""
    return [
        {"part": section.part, "table": section.title, "problem": task.problem.name}
        | {"constraints": task.problem.count, "scale": task.scale, "form": task.form}
        | {"side": task.contender.side, "encoder": task.contender.name}
        | {"spent_ns": task.spent, "peak_kib": task.peak_kib}
        | {"variables": task.variables, "clauses": task.clauses, "failure": task.failure}
        for section in sections
        for task in section.tasks()
    ]


def in_markdown(section: Section) -> list[str]:
    """Return the lines of a table in Markdown, and below it the contenders that failed."""
    numbers = range(2, len(section.heads))
    table = markdown_table(section.heads, [*_rows(section, "**{}**")], numbers)
    heading = f"**{section.title}** ({section.unit})"
    return ["", heading, "", *table.splitlines(), "", *_remarks(section)]


def _rows(section: Section, strong: str) -> Iterator[list[str]]:
    factor = 1e3 if section.unit.startswith("µs") else 1.0
    for own, peer in section.rows:
        first = section.forms[0]
        yield [
            own[first].contender.name,
            peer[first].contender.title if peer else "-",
            *(f"{_count(own, what)} / {_count(peer, what)}" for what in ("variables", "clauses")),
            *(_cell(own[form], peer.get(form), factor, strong) for form in section.forms),
        ]


def _count(side: Mapping[str, encoding.Task], what: str) -> str:
    """Return a count from the first form that has it."""
    for task in side.values():
        value = getattr(task, what)
        if value is not None:
            return f"{value * task.scale:,.0f}"
    return "-"


def _cell(ours: encoding.Task, peer: encoding.Task | None, factor: float, strong: str) -> str:
    times = []
    for task in (ours, peer):
        ms = task.ms if task else None
        value = (ms or 0.0) * factor
        digits = 2 if value < 10 else 1 if value < 100 else 0
        times.append("-" if ms is None else f"{value:,.{digits}f}")
    ratio = _ratio(ours, peer)
    if ratio is None:
        return " / ".join(times)
    text = f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2g}x"
    return f"{' / '.join(times)} ({strong.format(text) if ratio < 1 else text})"


def _ratio(ours: encoding.Task, peer: encoding.Task | None) -> float | None:
    own, other = ours.ms, peer.ms if peer else None
    return other / own if own and other else None


def _remarks(section: Section) -> list[str]:
    lines = list(section.notes)
    for tasks in section.contenders():
        failed = [task for task in tasks if task.failure]
        if failed:
            forms = "" if len(failed) == len(tasks) else f", {', '.join(t.form for t in failed)}"
            lines.append(f"- {failed[0].contender.title}{forms}: {failed[0].failure}")
    return [*lines, ""] if lines else []


def _clues(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    whole = encoding.clues(arguments.clues, arguments.seed)
    part = encoding.sample(whole, arguments.sample, arguments.seed)
    scale = whole.count / part.count
    warm = encoding.single(3, 1, 5)
    inputs = sum(len(group.inputs) * group.n for group in whole.groups) / whole.count
    near, bounds = encoding.ungrouped(whole, arguments.seed)
    start = time.process_time_ns()
    shapes = len(list(encoding.group_by_shape(near, bounds)))
    grouping = (time.process_time_ns() - start) / 1e6
    our_task = partial(encoding.Task, problem=whole, warm=warm)
    peer_task = partial(encoding.Task, problem=part, warm=warm, scale=scale)
    section = _section(encoders, arguments.forms, our_task, peer_task)
    section.title += ", all of them"
    section.notes = [
        f"{inputs:.2f} covered neighbours a clue, {shapes} shapes (neighbours, mines), none of the"
        f" templates made before. Ours: all clues, sorted by shape (which takes {grouping:.0f} ms,"
        " not counted).",
        f"The others: a call a clue, {part.count:,} of them drawn at random, times {scale:.4g}.",
        "",
    ]
    yield section


def _large(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    """Yield the tables of large constraints, for each number of inputs by ascending bounds.

    A contender that exceeds a limit at one bound is not tried at larger bounds.
    """
    for n in arguments.sizes:
        over: dict[str, str] = {}
        few = n > 2000
        bounds: list[tuple[encoding.Kind, int]] = [("at most", max(n // 100, 2))]
        bounds += [] if few else [("at most", n // 10), ("at most", n // 2)]
        for kind, bound in [*bounds, ("exactly", n // 100 if few else n // 10)]:
            # A run first encodes another problem, untimed: of equal size with another bound, or a
            # smaller one.
            size, other = (1000, 10) if few else (n, bound + 1)
            problem, warm = (encoding.single(*of, 1, kind) for of in ((n, bound), (size, other)))
            task = partial(encoding.Task, problem=problem, warm=warm)
            section = _section(encoders, arguments.forms, task, task)
            for held in section.tasks():
                held.failure = over.get(held.contender.title)
            yield section
            for held in section.tasks():
                if held.failure:
                    over[held.contender.title] = f"not tried after {section.title}"


def _single(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    calls = arguments.calls
    bounds: tuple[tuple[encoding.Kind, int, int], ...] = (
        *(("at most", 1, 8), ("at most", 4, 8)),
        *(("exactly", 2, 4), ("exactly", 4, 8), ("exactly", 16, 32)),
    )
    for kind, bound, n in bounds:
        problem, warm = encoding.single(n, bound, calls, kind), encoding.single(n, bound, 5, kind)
        task = partial(encoding.Task, problem=problem, warm=warm, scale=1 / calls)
        yield _section(encoders, arguments.forms, task, task, "µs a call")


def _weighted(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    """Yield the tables of weighted sums: ten sums a run, or one if it has many clauses."""
    for n in arguments.weights:
        for many in (False, True) if n > 12 else (None,):
            names = [e for e in encoders if many in (None, e in contenders.MANY_CLAUSES)]
            count = 1 if many or n > 100 else 10
            problem = encoding.weighted(n, 1000, count, arguments.seed)
            warm = encoding.weighted(20 if many else n, 1000, count, arguments.seed + 1)
            task = partial(encoding.Task, problem=problem, warm=warm, scale=1 / count)
            section = _section(names, arguments.forms, task, task, "ms a sum")
            if section.rows:
                yield section


def _solves(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    """Yield the table of small problems: a column for each step."""
    problem, warm = (encoding.small(count, count) for count in (arguments.solves, 20))
    peer, *own = (
        {step: encoding.Task(side, step, problem, warm) for step in encoding.STEPS}
        for side in contenders.SOLVED
    )
    note = "Each: 12 variables, 3 counts, a sum of 8 weights of its own, a solver of its own."
    rows = [Row(side, {} if output.missing("pindakaas") else peer) for side in own]
    yield Section(problem.name, "ms", encoding.STEPS, rows, [note, ""])


def _section(
    encoders: Sequence[str], forms: Sequence[str], task: Maker, peer_task: Maker, unit: str = "ms"
) -> Section:
    """Return the table of our contenders, each with every peer that encodes by an equal method.

    A peer that belongs to several of our contenders is measured once.
    """
    problem, many = task.keywords["problem"], task is not peer_task
    section = Section(problem.name, unit, forms)
    made: dict[str, dict[str, encoding.Task]] = {}
    for name in encoding.apart(lambda: [e for e in encoders if contenders.measured(e, problem)]):
        own = {form: task(ours(name, many), form) for form in forms}
        peers = contenders.peers(name, problem)
        for peer in peers:
            if peer.title not in made:
                made[peer.title] = {form: peer_task(peer, form) for form in forms}
            section.rows.append(Row(own, made[peer.title]))
        if not peers:
            section.rows.append(Row(own, {}))
    return section


PARTS: Final = {
    "clues": _clues, "large": _large, "single": _single, "weighted": _weighted, "solves": _solves
}  # fmt: skip


SECTION = "speed of {}"
QUICK = {
    "clues": 2000, "sample": 500, "sizes": [60], "calls": 10, "weights": [20], "solves": 20,
    "repeat": 1,
}  # fmt: skip
PACKAGES = ("python-sat", "pindakaas", "rustsat", "pypblib", "numpy")
ENCODERS = tuple(dict.fromkeys((*contenders.COUNTING, *contenders.WEIGHTED)))
EXAMPLE = """examples:
  python scripts/bench_encode.py --parts clues --markdown
  python scripts/bench_encode.py --parts large --sizes 1000 --encoders totalizer,adder
  python scripts/bench_encode.py --quick"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = frame.parser_of(__doc__, epilog=EXAMPLE)
    add = parser.add_argument
    add("--parts", type=frame.names_of(PARTS), default=[*PARTS], metavar="A,B",
        help=f"of {','.join(PARTS)}; default: all")  # fmt: skip
    add("--forms", type=frame.names_of(encoding.FORMS), default=[*encoding.FORMS], metavar="A,B",
        help=f"of {','.join(encoding.FORMS)}; default: all")  # fmt: skip
    add("--encoders", type=frame.names_of(ENCODERS), default=[*ENCODERS], metavar="A,B",
        help="ours, with their namesakes; default: all")  # fmt: skip
    add("--clues", type=frame.positive, default=100_000, metavar="N", help="how many (%(default)s)")
    add("--sample", type=frame.positive, default=20_000, metavar="N",
        help="for the others, of them")  # fmt: skip
    add("--sizes", type=frame.sizes, default=[1000, 10_000], metavar="N,N", help="of `large`")
    add("--weights", type=frame.sizes, default=[8, 20, 40, 100, 200], metavar="N,N",
        help="of `weighted`")  # fmt: skip
    add("--calls", type=frame.positive, default=200, metavar="N", help="of `single` (%(default)s)")
    add("--solves", type=frame.positive, default=1000, metavar="N",
        help="small problems (%(default)s)")  # fmt: skip
    add("--repeat", type=frame.positive, default=5, metavar="N", help="runs of each (%(default)s)")
    add("--time-limit", type=frame.above_zero, default=60.0, metavar="S",
        help="CPU time of a step of a run (%(default)s)")  # fmt: skip
    add("--memory-limit", type=frame.above_zero, default=6.0, metavar="GB",
        help="a run (%(default)s)")  # fmt: skip
    add("--seed", type=int, default=0, help="of the board and the draws (%(default)s)")
    add("--quick", action="store_true", help="small numbers throughout, a few seconds")
    add("--markdown", action="store_true", help="tables in Markdown")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    frame.add_update(parser)
    arguments = parser.parse_args(argv)
    if arguments.quick:
        vars(arguments).update(QUICK)
    return frame.ended("bench_encode", lambda: _bench(arguments, argv))


def _bench(arguments: argparse.Namespace, argv: Sequence[str] | None) -> int:
    for part in arguments.parts:
        frame.require_section(arguments.update, SECTION.format(part))
    if reason := output.missing("pysat.card"):
        raise ValueError(reason)
    fence = ["```"] * arguments.markdown
    console = output.console_of(160)
    manifest = output.describe() | {"packages": output.versions_of(PACKAGES)}
    skipped = [
        f"{library}: {reason}"
        for library, (module, _) in contenders.PEERS.items()
        if (reason := output.missing(module))
    ]
    output.say(console, *fence, *output.lines(manifest), *(f"skipped: {line}" for line in skipped))
    output.say(console, *fence)
    limits = Limits(arguments.time_limit, memory=int(arguments.memory_limit * 2**30))
    sections: list[Section] = []
    interrupted = False
    try:
        for part in arguments.parts:
            for section in PARTS[part](arguments, arguments.encoders):
                section.part = part
                _refuse_too_large(section, limits)
                sections.append(section)
                try:
                    encoding.measure(section.contenders(), arguments.repeat, limits, arguments.seed)
                finally:
                    show(console, section, arguments.markdown)
    except KeyboardInterrupt:
        interrupted = True
    wrong = list(differences(sections))
    output.say(console, *fence, *NOTES.splitlines(), *fence)
    output.say(console, *(f"- faster: {line}" for line in lost(sections)))
    output.say(console, *(f"WRONG: {line}" for line in wrong))
    options = {k: v for k, v in vars(arguments).items() if k not in ("json", "update")}
    about = manifest | {"options": options, "skipped": skipped, "interrupted": interrupted}
    measured = {"results": raw(sections), "differences": wrong}
    output.write_json(arguments.json, "bench-encode/2", about, **measured)
    if arguments.update is not None and not interrupted:
        tables = {
            SECTION.format(part): "\n".join(
                line
                for section in sections
                if section.part == part
                for line in in_markdown(section)
            ).strip()
            for part in arguments.parts
        }
        frame.update(arguments.update, frame.command_of("bench_encode", argv), tables)
    if interrupted:
        raise KeyboardInterrupt
    return 1 if wrong else 0


def _refuse_too_large(section: Section, limits: Limits) -> None:
    """Mark tasks of ours as failed whose literals alone, as predicted, exceed the memory limit."""
    tasks = [[*row.ours.values()] for row in section.rows]
    found = encoding.apart(
        lambda: [contenders.size(of[0].contender.name, of[0].problem).literals for of in tasks]
    )
    for forms, literals in zip(tasks, found, strict=True):
        for task in forms:
            if task.failure is None and literals * 4 > (limits.memory or 0):
                task.failure = f"not within {encoding.words(limits)}: {literals:,} literals"


if __name__ == "__main__":
    sys.exit(main())
