"""Benchmark of classification: ours against PySAT loops, CP-SAT and ms_toollib, in one run.

Reads ``CLASS.ms.gz`` and ``CLASS.answers.gz`` from a directory. Every contender first answers every
position once in a forked child (time limit, peak memory, crashes); what it answered is then timed:
position by position, contenders in a new order each turn, from text in memory to verdict string.
Every verdict string is compared with the answer, or with the other contenders where there is none.

Exit codes: 0 all verdicts agree; 1 a difference (printed), or bad input; 2 wrong usage; 130
interrupted, after printing what there is.
"""

import argparse
import gc
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from satsweeper import Position, classify
from scripts.bench import contenders as approaches
from scripts.bench.contenders import Contender
from scripts.bench.measure import Section, Tick, raw, show, time_all, try_out
from scripts.bench.output import console_of, say, show_machine, table_of, write_json
from scripts.bench.timed import SATSWEEPER, Record, Timed, add_corpus, draw, read_class, run_python
from scripts.frame.arguments import above_zero, ended, names, parser_of, positive

SIDES: Final = (100, 200, 300, 500)
"""Sides of the squares cut out of a board to measure the growth of the time."""


Classes = dict[str, list[Record]]


@dataclass
class Figures:
    """A position, and the least CPU milliseconds over the repeats.

    ``parse_ms``: text to position; ``classify_ms``: position to classification; ``grid_ms``:
    classification to rows of text. ``process_ms`` and ``process_kib``: CPU time and peak resident
    size of the command in a process of its own. ``loop_ms``: time of pysat-loop, measured, or
    scaled up from ``loop_cells`` of its ``loop_all`` cells. ``wrong``: number of wrong verdicts.
    """

    id: str
    cells: int
    parse_ms: float = 0.0
    classify_ms: float = 0.0
    grid_ms: float = 0.0
    sat_calls: int = 0
    process_ms: float | None = None
    process_kib: int | None = None
    loop_ms: float | None = None
    loop_cells: int = 0
    loop_all: int = 0
    wrong: int = 0
    note: str = ""


def in_process(record: Record, repeats: int) -> Figures:
    """Return the times of parsing, classifying and writing ``record``, each timed separately.

    The first run, whose verdicts are compared, is not timed.
    """
    found = Figures(record.id, record.rows * record.columns)
    if record.unknown is not None:
        found.wrong = _differ(approaches.ours(record.text, False).verdicts, record.unknown)
    timed = Timed(record.id)
    for _ in range(repeats):
        gc.collect()
        gc.disable()
        position = timed.take("parse", lambda: Position.parse(record.text, mines=None))
        answer = timed.take("classify", partial(classify, position))
        timed.take("grid", answer.grid)
        gc.enable()
        found.sat_calls = answer.stats.sat_calls
    found.parse_ms, found.classify_ms, found.grid_ms = timed.ms.values()
    return found


def whole_process(record: Record, found: Figures) -> None:
    """Measure ``python -m satsweeper classify --json FILE`` in a child process, into ``found``.

    The start of Python is included.
    """
    with tempfile.TemporaryDirectory() as folder:
        board, out = Path(folder) / "board.txt", Path(folder) / "out.json"
        board.write_text(record.text, "ascii")
        words = "classify", "--json", "--mines", "unknown", board
        try:
            runs = [run_python([*SATSWEEPER, *words], out) for _ in range(2)]
        except RuntimeError as error:
            found.note = f"the command failed: {error}"
            return
        found.process_ms = min(run.cpu for run in runs) * 1e3
        found.process_kib = runs[-1].kib
        grid: list[str] = json.loads(out.read_text("utf-8"))["grid"]
        if record.unknown is not None:
            found.wrong += _differ("".join(grid).translate(approaches.DOTS), record.unknown)


def pysat_loop_capped(record: Record, limit: float, found: Figures) -> None:
    """Measure pysat-loop for ``limit`` seconds of CPU time, into ``found``.

    If the limit ends the loop, the time of all cells is scaled up from the cells that were done.
    """
    from pysat.solvers import Solver

    start = time.process_time()
    board = approaches.read_board(record.text)
    x = approaches.variables(board, False)
    found.loop_all = len(x)
    with Solver(name="cadical153") as solver:
        clauses = approaches.direct_clauses(board, x)
        while block := list(islice(clauses, 10_000)):
            solver.append_formula(block)
            if time.process_time() - start > limit:
                return
        solver.solve()
        ready = time.process_time()
        cells = iter(x.items())
        while batch := list(islice(cells, 20)):
            verdict = approaches.two_per_cell(solver, [v for _, v in batch])
            found.loop_cells += len(batch)
            if record.unknown is not None:
                for cell, v in batch:
                    r, c = board.place(cell)
                    found.wrong += record.unknown[r * board.columns + c] != verdict[v]
            if time.process_time() - start > limit:
                break
        spent = time.process_time() - ready
    scale = found.loop_all / found.loop_cells if found.loop_cells else 1.0
    found.loop_ms = (ready - start + spent * scale) * 1e3


def growth(record: Record, repeats: int, tick: Tick) -> list[Figures]:
    """Return the figures of squares of growing size cut from one position, and of the position.

    A square is the top left of the board; its outer ring is covered, so that every clue of the
    square still counts all its mines.
    """
    parts, (*_, lines) = [], approaches.read_lines(record.text)
    for side in (side for side in SIDES if side < min(record.rows, record.columns)):
        inner = ["#" + line[1 : side - 1] + "#" for line in lines[1 : side - 1]]
        text = "\n".join([f"{side} {side} ?", "#" * side, *inner, "#" * side, ""])
        parts.append(Record(f"{record.id} cut to {side}", record.kind, text, side, side))
    found = []
    for part in [*parts, record]:
        found.append(in_process(part, repeats))
        tick()
    return found


def large_table(rows: Sequence[Figures]) -> Table:
    """Return the table of large boards: times in this process, of a process, and of pysat-loop."""
    lines = []
    for row in rows:
        times = row.parse_ms, row.classify_ms, row.grid_ms
        loop = "over" if row.loop_all else "-"
        if row.loop_ms is not None:
            loop = f"{'about ' if row.loop_cells < row.loop_all else ''}{row.loop_ms:,.0f}"
        line = [row.id, *(f"{ms:,.1f}" for ms in times), str(row.sat_calls)]
        line += ["-" if row.process_ms is None else f"{row.process_ms:,.0f}"]
        line += ["-" if row.process_kib is None else f"{row.process_kib / 1024:,.0f}", loop]
        line += ["-" if row.loop_ms is None else f"{sum(times) / row.loop_ms:.2g}x", str(row.wrong)]
        lines.append(line)
    heads = ("position", "parse", "classify", "grid", "calls", "process", "peak MiB", "pysat-loop")
    title = "large boards, total unknown, CPU ms"
    return table_of(title, (*heads, "ratio", "wrong"), lines)


def growth_table(rows: Sequence[Figures]) -> Table:
    """Return the table of the times of classification by the number of cells."""
    lines = []
    for row in rows:
        each = row.classify_ms * 1e6 / row.cells
        figures = (f"{row.cells:,}", f"{row.classify_ms:,.2f}", f"{each:,.0f}", str(row.sat_calls))
        lines.append([row.id, *figures])
    heads = ("position", "cells", "ms", "ns a cell", "calls")
    return table_of("growth with the cells, classify only", heads, lines)


def _differ(given: str, expected: str) -> int:
    return sum(a != b for a, b in zip(given, expected, strict=True)) if given != expected else 0


EXAMPLE = """examples:
  python scripts/bench_classify.py corpus --classes exp,int --by-kind
  python scripts/bench_classify.py corpus --classes exp --contenders ours --solvers all --limit 20
  python scripts/bench_classify.py corpus --large --time-limit 20
contenders: ours, ours-known, plain, pysat-loop, pysat-loop-minisat22, pysat-cardenc, cp-sat,
  ms_toollib-deduction, ms_toollib-probability, ours/ENCODING, ours/SOLVER"""


@dataclass
class Findings:
    """Findings of a run so far."""

    sections: list[Section] = field(default_factory=list)
    large: list[Figures] = field(default_factory=list)
    growth: list[Figures] = field(default_factory=list)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = parser_of(__doc__, epilog=EXAMPLE)
    add = parser.add_argument
    add_corpus(parser, (), 5)
    add("--kinds", type=names, metavar="A,B", help="only positions of these kinds")
    add("--contenders", type=names, metavar="A,B", help="default: all but encodings and solvers")
    add("--encodings", type=names, default=[], metavar="A,B|all", help="add ours/ENCODING")
    add("--solvers", type=names, default=[], metavar="A,B|all", help="add ours/SOLVER")
    add("--total", choices=("unknown", "known", "both"), default="unknown")
    add("--cold", action="store_true", help="no untimed run before a timed one")
    add("--slow-positions", type=positive, default=3, metavar="N", help="for cp-sat (%(default)s)")
    add("--time-limit", type=above_zero, default=20.0, metavar="S", help="a position (%(default)s)")
    add("--by-kind", action="store_true", help="a table per kind as well")
    add("--large", action="store_true", help="large boards instead; default classes h300, h1000")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    arguments = parser.parse_args(argv)
    return ended("bench_classify", lambda: _bench(arguments))


def _bench(arguments: argparse.Namespace) -> int:
    contenders, skipped = approaches.find_contenders(
        arguments.contenders, arguments.encodings, arguments.solvers
    )
    classes = _read(arguments)
    console = console_of()
    manifest = show_machine(console)
    say(console, *(f"skipped: {name}: {reason}" for name, reason in skipped.items()))
    found = Findings()
    interrupted = False
    try:
        (_large if arguments.large else _small)(arguments, classes, contenders, found)
    except KeyboardInterrupt:
        interrupted = True
    wrong = show(console, found.sections, arguments.by_kind) if found.sections else False
    for rows, table in ((found.large, large_table), (found.growth, growth_table)):
        if rows:
            console.print(table(rows))
            say(console, *(f"{row.id}: {row.note}" for row in rows if row.note))
            wrong |= any(row.wrong for row in rows)
    if arguments.json is not None:
        # The manifest holds no paths but the names of the files that were read, and their digests.
        read = [arguments.corpus / f"{n}.{what}.gz" for n in classes for what in ("ms", "answers")]
        options = {k: v for k, v in vars(arguments).items() if k not in ("json", "corpus")}
        about = manifest | {"options": options, "skipped": skipped, "interrupted": interrupted}
        about |= {"files": {f.name: sha256(f.read_bytes()).hexdigest() for f in read if f.exists()}}
        figures = {"large": [*map(asdict, found.large)], "growth": [*map(asdict, found.growth)]}
        write_json(arguments.json, "bench-classify/1", about, **raw(found.sections), **figures)
    if interrupted:
        raise KeyboardInterrupt
    return 1 if wrong else 0


def _small(
    arguments: argparse.Namespace, classes: Classes, contenders: list[Contender], found: Findings
) -> None:
    """Try every contender in forked children, then time the answers in this process.

    All trials come first: contenders may start threads in this process, and a process with threads
    must not be forked.
    """
    questions = {"unknown": [False], "known": [True], "both": [False, True]}[arguments.total]
    for name, records in classes.items():
        for with_total in questions:
            # A contender that never uses the total is in no table of answers with the total.
            chosen = [c for c in contenders if c.total is not False or not with_total]
            found.sections.append(Section(name, with_total, chosen, records))
    most, seed = arguments.slow_positions, arguments.seed
    trials = [
        (section, contender, draw(section.records, most if contender.slow else None, seed))
        for section in found.sections
        for contender in section.contenders
    ]
    steps = sum(len(records) for *_, records in trials)
    steps += sum(len(section.records) for section in found.sections)
    with _progress(steps) as tick:
        for section, contender, share in trials:
            section.trials[contender.name] = try_out(
                contender, share, section.with_total, arguments.time_limit, tick
            )
        for section in found.sections:
            time_all(section, arguments.repeat, seed, arguments.cold, tick)


def _large(
    arguments: argparse.Namespace, classes: Classes, contenders: list[Contender], found: Findings
) -> None:
    """Measure each position with the total unknown, and squares cut from the largest positions."""
    loop = any(contender.name == approaches.BASELINE for contender in contenders)
    records = [record for part in classes.values() for record in part]
    biggest = max((r.rows * r.columns for r in records), default=0)
    grown = [r for r in records if r.rows * r.columns == biggest]
    with _progress(len(records) + len(grown) * (len(SIDES) + 1)) as tick:
        for record in records:
            figures = in_process(record, arguments.repeat)
            whole_process(record, figures)
            if loop:
                pysat_loop_capped(record, arguments.time_limit, figures)
            found.large.append(figures)
            tick()
        for record in grown:
            found.growth += growth(record, arguments.repeat, tick)


def _read(arguments: argparse.Namespace) -> Classes:
    names = arguments.classes
    if names is None and arguments.large:
        names = ["h300", "h1000"]
    elif names is None:
        # Classes in ascending order of the sizes of their files.
        files = sorted(arguments.corpus.glob("*.ms.gz"), key=lambda path: path.stat().st_size)
        names = [path.name.removesuffix(".ms.gz") for path in files]
    found = {}
    for name in names:
        records = read_class(arguments.corpus, name, arguments.kinds)
        found[name] = draw(records, arguments.limit, arguments.seed)
    if not any(found.values()):
        raise ValueError(f"no positions of {arguments.classes or 'any class'} in the directory")
    return found


@contextmanager
def _progress(steps: int) -> Iterator[Tick]:
    """Yield a function that counts one step, shown by a bar if standard error is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    columns = (TextColumn("classify"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # No thread refreshes the bar: its CPU time would be measured, and a process with threads must
    # not be forked.
    with Progress(*columns, console=console, auto_refresh=False, transient=True) as bar:
        task = bar.add_task("", total=steps)

        def tick() -> None:
            bar.advance(task)
            bar.refresh()

        yield tick


if __name__ == "__main__":
    sys.exit(main())
