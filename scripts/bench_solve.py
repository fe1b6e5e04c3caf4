"""Optima and CPU time of `solve` beside PySAT's RC2 and OR-Tools' CP-SAT with one worker.

Problems are files, folders of files, and random ones: knapsacks, set covers, vertex covers, MaxSAT,
soft weighted sums and facility locations, a seed each. Every contender gets every problem in a
process of its own, within a limit of CPU time; the encoding counts for those that need it. Every
two optima must agree. --write keeps the random ones as files, for `satsweeper solve`.

Exit codes: 0 done; 1 optima differ (printed), or bad input; 2 wrong usage; 130 interrupted.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from pbcnf import read_problem
from pbcnf.errors import Error
from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits
from scripts.bench import machine
from scripts.frame.arguments import above_zero, ended, names_of, parser_of
from scripts.solving.problems import (
    CONTENDERS,
    KINDS,
    Measured,
    Named,
    drawn,
    measured,
    prepare,
    written,
)

EXAMPLE = """examples:
  python scripts/bench_solve.py --each 40 --size 12
  python scripts/bench_solve.py --each 2 --kinds max_sat:80,soft_sums:45,set_cover:28 --limit 10
  python scripts/bench_solve.py --each 0 FOLDER --limit 20"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    arguments = _arguments(argv)
    work = _write if arguments.write else _bench
    return ended("bench_solve", lambda: work(arguments))


def _bench(arguments: argparse.Namespace) -> int:
    names = arguments.contenders
    if not arguments.json:
        print(*machine.lines(machine.describe()), sep="\n")
        print(f"{'problem':44} {'optimum':>12} " + " ".join(f"{name:>12}" for name in names))
    prepare()
    wrong = agreed = 0
    for problem in _problems(arguments):
        found = {name: _run(name, problem, arguments.limit) for name in names}
        values = {each.value for each in found.values() if isinstance(each, Measured)}
        wrong += len(values) > 1
        agreed += len(values) == 1 and all(isinstance(f, Measured) for f in found.values())
        _show(arguments.json, problem.name, found, values)
    if not arguments.json:
        print(f"{agreed} problems solved by all with one optimum, {wrong} with different ones")
    return 1 if wrong else 0


def _run(name: str, problem: Named, limit: float) -> Measured | Ended:
    with Forked(measured, Limits(limit, memory=3 * 2**30)) as child:
        found: Measured | Ended = child.ask((name, problem.problem))
    return found


def _show(
    as_json: bool, name: str, found: dict[str, Measured | Ended], values: set[int | None]
) -> None:
    optimum = " != ".join(map(str, values)) if values else "?"
    if as_json:
        seconds = {who: f.seconds if isinstance(f, Measured) else None for who, f in found.items()}
        how = {who: str(f) for who, f in found.items() if isinstance(f, Ended)}
        print(json.dumps({"problem": name, "optimum": optimum, "cpu": seconds, "ended": how}))
    else:
        cells = [f"{f.seconds:.3f}" if isinstance(f, Measured) else str(f) for f in found.values()]
        shown = name if len(name) <= 44 else f"...{name[-41:]}"
        print(f"{shown:44} {optimum:>12} " + " ".join(f"{cell[:12]:>12}" for cell in cells))
    sys.stdout.flush()


def _problems(arguments: argparse.Namespace) -> Iterator[Named]:
    for path in arguments.problems:
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        for file in files:
            try:
                problem = read_problem(file)
            except (Error, ImportError, OSError) as error:
                sys.stderr.write(f"left out: {error}\n")
                continue
            if problem.objective is not None:
                yield Named(os.path.relpath(file, path) if path != file else file.name, problem)
    for kind, size in arguments.kinds:
        for place in range(arguments.each):
            yield drawn(kind, size or arguments.size, arguments.seed + place)


def _write(arguments: argparse.Namespace) -> int:
    arguments.write.mkdir(parents=True, exist_ok=True)
    for kind, size in arguments.kinds:
        for place in range(arguments.each):
            name, text = written(kind, size or arguments.size, arguments.seed + place)
            (arguments.write / name).write_text(text, "ascii")
            print(arguments.write / name)
    return 0


def _kinds(text: str) -> list[tuple[str, int | None]]:
    """Return kinds, each with its size if the text gives a size."""
    found: list[tuple[str, int | None]] = []
    for word in text.split(","):
        kind, colon, size = word.partition(":")
        if kind not in KINDS:
            raise argparse.ArgumentTypeError(f"unknown kind {kind!r} (known: {', '.join(KINDS)})")
        found.append((kind, _size(size) if colon else None))
    return found


def _size(text: str) -> int:
    if text.isascii() and text.isdigit() and 5 <= int(text) <= 10_000:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no size: 5 to 10000")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(__doc__, epilog=EXAMPLE)
    add = parser.add_argument
    add("problems", metavar="FILE", nargs="*", type=Path, help="files and folders")
    add("--each", metavar="N", type=int, default=10, help="of each kind (10)")
    add("--size", metavar="N", type=_size, default=15, help="of these (15)")
    add("--kinds", metavar="KIND:SIZE,...", type=_kinds, default=[(kind, None) for kind in KINDS],
        help=f"the kinds, also with a size of their own ({','.join(KINDS)})")  # fmt: skip
    add("--seed", metavar="N", type=int, default=1, help="of the first (1)")
    add("--write", metavar="DIR", type=Path, help="write the random problems there, and end")
    add("--contenders", metavar="NAMES", type=names_of(CONTENDERS), default=[*CONTENDERS],
        help=f"separated by commas ({','.join(CONTENDERS)})")  # fmt: skip
    add(
        "--limit",
        metavar="SECONDS",
        type=above_zero,
        default=60.0,
        help="CPU time of each run (60)",
    )
    add("--json", action="store_true", help="one JSON object a problem")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
