"""Benchmark of classification: ours against PySAT loops, CP-SAT and ms_toollib, in one run.

Reads ``CLASS.ms.gz`` and ``CLASS.answers.gz`` from a directory. Every contender first answers every
position once in a forked child (time limit, peak memory, crashes); what it answered is then timed:
position by position, contenders in a new order each turn, from text in memory to verdict string.
Every verdict string is compared with the answer, or with the other contenders where there is none.

Exit codes: 0 all verdicts agree; 1 a difference (printed), or bad input; 2 wrong usage; 130
interrupted, after printing what there is.
"""

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from scripts.bench.contenders import Contender, find_contenders
from scripts.bench.large import (
    SIDES,
    Figures,
    growth,
    growth_table,
    large_table,
    measure_large,
    raw_large,
)
from scripts.bench.measure import time_all, try_out
from scripts.bench.output import console_of, say, show_machine, write_json
from scripts.bench.records import Record, class_names, draw, read_class
from scripts.bench.report import Section, raw, show
from scripts.frame.arguments import INTERRUPTED, above_zero, ended, names, parser_of, positive

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
    arguments = _parser().parse_args(argv)
    return ended("bench_classify", lambda: _bench(arguments))


def _bench(arguments: argparse.Namespace) -> int:
    contenders, skipped = find_contenders(
        arguments.contenders, arguments.encodings, arguments.solvers
    )
    classes = _read(arguments)
    console = console_of()
    manifest = show_machine(console)
    say(console, *(f"skipped: {name}: {reason}" for name, reason in skipped.items()))
    found = Findings()
    interrupted = False
    try:
        if arguments.large:
            _large(arguments, classes, contenders, found)
        else:
            _small(arguments, classes, contenders, found)
    except KeyboardInterrupt:
        interrupted = True
    wrong = show(console, found.sections, arguments.by_kind) if found.sections else False
    if found.large:
        console.print(large_table(found.large))
        wrong |= any(row.wrong for row in found.large)
        say(console, *(f"{row.id}: {row.note}" for row in found.large if row.note))
    if found.growth:
        console.print(growth_table(found.growth))
        wrong |= any(row.wrong for row in found.growth)
    if arguments.json is not None:
        options = {
            name: value for name, value in vars(arguments).items() if name not in ("json", "corpus")
        }
        about = manifest | {"options": options, "skipped": skipped, "interrupted": interrupted}
        about |= {"files": _digests(arguments.corpus, classes)}
        value = {"schema": "satsweeper/bench-classify/1", "manifest": about, **raw(found.sections)}
        value |= {"large": raw_large(found.large), "growth": raw_large(found.growth)}
        write_json(arguments.json, value)
    if interrupted:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    return 1 if wrong else 0


def _small(
    arguments: argparse.Namespace,
    classes: dict[str, list[Record]],
    contenders: list[Contender],
    found: Findings,
) -> None:
    """All trials first: no child is forked once contenders may have threads in this process."""
    questions = {"unknown": [False], "known": [True], "both": [False, True]}[arguments.total]
    for name, records in classes.items():
        for with_total in questions:
            chosen = [c for c in contenders if c.answers(with_total)]
            found.sections.append(Section(name, with_total, chosen, records))
    steps = 0
    for section in found.sections:
        for contender in section.contenders:
            steps += len(_share(contender, section.records, arguments))
        steps += len(section.records)
    with _progress(steps) as tick:
        for section in found.sections:
            for contender in section.contenders:
                section.trials[contender.name] = try_out(
                    contender,
                    _share(contender, section.records, arguments),
                    section.with_total,
                    arguments.time_limit,
                    tick,
                )
        for section in found.sections:
            time_all(
                section.contenders,
                section.records,
                section.with_total,
                section.trials,
                arguments.repeat,
                arguments.seed,
                arguments.cold,
                tick,
            )


def _large(
    arguments: argparse.Namespace,
    classes: dict[str, list[Record]],
    contenders: list[Contender],
    found: Findings,
) -> None:
    loop = any(contender.name == "pysat-loop" for contender in contenders)
    records = [record for part in classes.values() for record in part]
    biggest = max((r.rows * r.columns for r in records), default=0)
    grown = [r for r in records if r.rows * r.columns == biggest]
    with _progress(len(records) + len(grown) * (len(SIDES) + 1)) as tick:
        for record in records:
            found.large.append(measure_large(record, arguments.repeat, arguments.time_limit, loop))
            tick()
        for record in grown:
            found.growth += growth(record, arguments.repeat, tick)


def _share(
    contender: Contender, records: list[Record], arguments: argparse.Namespace
) -> list[Record]:
    """The positions that a contender gets."""
    return draw(records, arguments.slow_positions if contender.slow else None, arguments.seed)


def _read(arguments: argparse.Namespace) -> dict[str, list[Record]]:
    names = arguments.classes
    if names is None:
        names = ["h300", "h1000"] if arguments.large else class_names(arguments.corpus)
    found = {
        name: draw(
            read_class(arguments.corpus, name, arguments.kinds), arguments.limit, arguments.seed
        )
        for name in names
    }
    if not any(found.values()):
        raise ValueError(f"no positions of {arguments.classes or 'any class'} in the directory")
    return found


def _digests(corpus: Path, classes: dict[str, list[Record]]) -> dict[str, str]:
    """SHA-256 of the files that were read."""
    files = [corpus / f"{name}.{what}.gz" for name in classes for what in ("ms", "answers")]
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in files if f.exists()}


@contextmanager
def _progress(steps: int) -> Iterator[Callable[[], None]]:
    """A function that counts one step; a bar on standard error if that is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    columns = (TextColumn("classify"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # No refreshing thread: it would be measured, and must not exist when a child is forked.
    with Progress(*columns, console=console, auto_refresh=False, transient=True) as bar:
        task = bar.add_task("", total=steps)

        def tick() -> None:
            bar.advance(task)
            bar.refresh()

        yield tick


def _parser() -> argparse.ArgumentParser:
    parser = parser_of(__doc__, epilog=EXAMPLE)
    add = parser.add_argument
    add("corpus", type=Path, metavar="CORPUS_DIR", help="directory of CLASS.ms.gz files")
    add("--classes", type=names, metavar="A,B", help="default: all there are")
    add("--kinds", type=names, metavar="A,B", help="only positions of these kinds")
    add("--contenders", type=names, metavar="A,B", help="default: all but encodings and solvers")
    add("--encodings", type=names, default=[], metavar="A,B|all", help="add ours/ENCODING")
    add("--solvers", type=names, default=[], metavar="A,B|all", help="add ours/SOLVER")
    add("--total", choices=("unknown", "known", "both"), default="unknown")
    add("--cold", action="store_true", help="no untimed run before a timed one")
    add("--repeat", type=positive, default=5, metavar="N", help="timed repeats (%(default)s)")
    add("--limit", type=positive, metavar="N", help="positions a class, drawn at random")
    add("--slow-positions", type=positive, default=3, metavar="N", help="for cp-sat (%(default)s)")
    add("--seed", type=int, default=0, help="of the draws (%(default)s)")
    add("--time-limit", type=above_zero, default=20.0, metavar="S", help="a position (%(default)s)")
    add("--by-kind", action="store_true", help="a table per kind as well")
    add("--large", action="store_true", help="large boards instead; default classes h300, h1000")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
