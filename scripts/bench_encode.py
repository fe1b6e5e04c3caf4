"""Benchmark of encoding: ours against PySAT's CardEnc (C++) and pindakaas (Rust), in one run.

Three parts: `clues`, 300,000 small constraints as on a large Minesweeper board in mid-game;
`large`, one constraint over many inputs; `single`, small constraints encoded one call at a time.
From constraints to clauses in memory, CPU time, everything in children with a limit on time and
memory. What our encodings count is compared with what `size` says.

Exit codes: 0 done; 1 a count differs (printed), or bad input; 2 wrong usage; 130 interrupted, after
printing what there is.
"""

import argparse
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from rich.console import Console

from satsweeper.processes.limits import Limits
from scripts.bench import machine
from scripts.bench.arguments import names
from scripts.bench.encode_contenders import (
    TABLE,
    Contender,
    missing,
    ours,
    peers,
    registered,
    size,
    stamped,
    suits,
)
from scripts.bench.encode_measure import Task, measure, words
from scripts.bench.encode_problems import (
    KINDS,
    clues,
    group_by_shape,
    large,
    sample,
    single,
    ungrouped,
)
from scripts.bench.encode_report import NOTES, Row, Section, differences, raw, show
from scripts.bench.report import write_json

INTERRUPTED = 130
PARTS = ("clues", "large", "single")
QUICK = {"clues": 2000, "sample": 500, "sizes": [60], "calls": 10, "repeat": 1}
EXAMPLE = """examples:
  python scripts/bench_encode.py --parts clues --markdown
  python scripts/bench_encode.py --parts large --sizes 1000 --encoders totalizer,knuth_counter
  python scripts/bench_encode.py --quick"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    arguments = _arguments(argv)
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    try:
        encoders = _chosen(arguments.encoders, TABLE, registered())
        parts = _chosen(arguments.parts, PARTS, PARTS)
    except ValueError as error:
        sys.stderr.write(f"bench_encode: {error}\n")
        return 1
    reason = missing("pysat.card")
    if reason:
        sys.stderr.write(f"bench_encode: {reason}\n")
        return 1
    manifest = machine.describe() | {"packages": _packages()}
    skipped = [f"pindakaas: {reason}"] if (reason := missing("pindakaas")) else []
    skipped += [f"{name}: not registered" for name in TABLE if name not in registered()]
    heading = [*machine.lines(manifest), *(f"skipped: {line}" for line in skipped)]
    _print(console, heading, arguments.markdown)
    limits = Limits(arguments.time_limit, memory=int(arguments.memory_limit * 2**30))
    sections: list[Section] = []
    interrupted = False
    try:
        for part in parts:
            for section in _PLANS[part](arguments, encoders):
                _refuse_too_large(section, limits)
                sections.append(section)
                try:
                    measure(section.tasks(), arguments.repeat, limits, arguments.seed)
                finally:
                    show(console, section, arguments.markdown)
    except KeyboardInterrupt:
        interrupted = True
    wrong = list(differences(sections))
    _print(console, NOTES.splitlines(), arguments.markdown)
    _print(console, [f"WRONG: {line}" for line in wrong], markdown=False)
    if arguments.json is not None:
        options = {name: value for name, value in vars(arguments).items() if name != "json"}
        about = manifest | {"options": options, "skipped": skipped, "interrupted": interrupted}
        value = {"schema": "satsweeper/bench-encode/1", "manifest": about, "results": raw(sections)}
        write_json(arguments.json, value | {"differences": wrong})
    if interrupted:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    return 1 if wrong else 0


def _clues(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    whole = clues(arguments.clues, arguments.seed)
    part = sample(whole, arguments.sample, arguments.seed)
    scale = whole.count / part.count
    warm = single(3, 1, 5)
    inputs = sum(len(group.inputs) * group.n for group in whole.groups) / whole.count
    near, bounds = ungrouped(whole, arguments.seed)
    start = time.process_time_ns()
    shapes = len(list(group_by_shape(near, bounds)))
    grouping = (time.process_time_ns() - start) / 1e6
    section = Section("clues", f"{whole.name}, all of them", "ms")
    section.notes = [
        f"{inputs:.2f} covered neighbours a clue, {shapes} shapes (neighbours, mines), none of the"
        f" templates made before. Ours: all clues, sorted by shape (which takes {grouping:.0f} ms,"
        " not counted).",
        f"The others: a call a clue, {part.count:,} of them drawn at random, times {scale:.4g}.",
        "",
    ]
    section.rows = _pairs(
        [ours(name, many=True) for name in encoders if suits(name, whole)],
        lambda contender: Task(contender, whole, warm),
        lambda contender: Task(contender, part, warm, scale),
        small=True,
    )
    yield section


def _large(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    """The smaller bounds first: who exceeds a limit there is not asked for the larger one."""
    for n in arguments.sizes:
        over: dict[tuple[str, str], str] = {}
        for bound in (n // 10, n // 2):
            for kind in KINDS:
                problem, warm = large(n, kind, bound), large(20, kind, 5)
                chosen = [ours(name, many=False) for name in encoders if suits(name, problem)]
                section = Section("large", problem.name, "ms")
                task = partial(Task, problem=problem, warm=warm)
                section.rows = _pairs(chosen, task, task, small=False)
                for held in section.tasks():
                    held.failure = over.get((held.contender.title, kind))
                yield section
                for held in section.tasks():
                    if held.failure:
                        over[held.contender.title, kind] = f"not tried after {problem.name}"


def _single(arguments: argparse.Namespace, encoders: list[str]) -> Iterator[Section]:
    calls = arguments.calls
    for n in (4, 8, 32):
        problem, warm = single(n, n // 2, calls), single(n, n // 2, 5)
        names = [name for name in encoders if suits(name, problem)]
        chosen = [maker(name) for name in names for maker in (partial(ours, many=False), stamped)]
        section = Section("single", f"{problem.name}, {calls} calls", "µs a call")
        section.notes = ["stamped: `pbcnf.instantiate` of a template that was made before.", ""]
        task = partial(Task, problem=problem, warm=warm, scale=1 / calls)
        section.rows = _pairs(chosen, task, task, small=n <= 8)
        yield section


_PLANS = {"clues": _clues, "large": _large, "single": _single}


def _pairs(
    chosen: Sequence[Contender],
    our_task: Callable[[Contender], Task],
    peer_task: Callable[[Contender], Task],
    small: bool,
) -> list[Row]:
    """Ours beside each namesake, which is measured once though it may occur twice."""
    rows = []
    made: dict[str, Task] = {}
    for contender in chosen:
        task = our_task(contender)
        others = [
            made.setdefault(peer.title, peer_task(peer)) for peer in peers(contender.name, small)
        ]
        rows += [Row(task, other) for other in others] or [Row(task, None)]
    return rows


def _refuse_too_large(section: Section, limits: Limits) -> None:
    """Ours, where the literals alone are more than the memory allowed: that is known before."""
    for row in section.rows:
        literals = size(row.ours.contender.name, row.ours.problem).literals
        if row.ours.failure is None and literals * 4 > (limits.memory or 0):
            row.ours.failure = f"not within {words(limits)}: {literals:,} literals"


def _print(console: Console, lines: Sequence[str], markdown: bool) -> None:
    for line in ["```", *lines, "```"] if markdown else lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _chosen(names: list[str] | None, known: Collection[str], usual: Sequence[str]) -> list[str]:
    """The names asked for that can be had, in the usual order; ValueError for an unknown one."""
    for name in names or ():
        if name not in known:
            raise ValueError(f"no {name!r} (there are {', '.join(known)})")
    return [name for name in usual if names is None or name in names]


def _packages() -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for name in ("python-sat", "pindakaas", "numpy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--parts", type=names, metavar="A,B", help=f"of {','.join(PARTS)}; default: all")
    add("--encoders", type=names, metavar="A,B", help="ours, with their namesakes; default: all")
    add("--clues", type=_at_least(1), default=300_000, metavar="N", help="how many (%(default)s)")
    add("--sample", type=_at_least(1), default=20_000, metavar="N", help="for the others, of them")
    add("--sizes", type=_sizes, default=[1000, 10_000], metavar="N,N", help="of `large`")
    add("--calls", type=_at_least(1), default=200, metavar="N", help="of `single` (%(default)s)")
    add("--repeat", type=_at_least(1), default=5, metavar="N", help="runs of each (%(default)s)")
    add(
        "--time-limit",
        type=_at_least(0.01, float),
        default=60.0,
        metavar="S",
        help="CPU time of a step of a run (%(default)s)",
    )
    add(
        "--memory-limit",
        type=_at_least(0.01, float),
        default=6.0,
        metavar="GB",
        help="a run (%(default)s)",
    )
    add("--seed", type=int, default=0, help="of the board and the draws (%(default)s)")
    add("--quick", action="store_true", help="small numbers throughout, a few seconds")
    add("--markdown", action="store_true", help="tables in Markdown")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    arguments = parser.parse_args(argv)
    if arguments.quick:
        vars(arguments).update(QUICK)
    return arguments


def _at_least(least: float, kind: Callable[[str], float] = int) -> Callable[[str], float]:
    def number(text: str) -> float:
        value = kind(text)
        if not least <= value < float("inf"):
            raise argparse.ArgumentTypeError(f"{least:g} at least")
        return value

    return number


def _sizes(text: str) -> list[int]:
    return [int(_at_least(20)(part)) for part in text.split(",")]


if __name__ == "__main__":
    sys.exit(main())
