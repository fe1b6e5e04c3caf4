"""Benchmark of encoding: ours against PySAT and PBLib (C++), pindakaas and RustSAT (Rust).

Four parts: `clues`, many small constraints as on a large Minesweeper board in mid-game; `large`,
one constraint over many inputs; `single`, small constraints encoded one call at a time; `weighted`,
weighted sums, each with weights of its own. Four forms: clauses in the memory of each side, as
Python lists, in a live solver, in a DIMACS file. CPU time, everything in children with a limit on
time and memory. What our encodings count is compared with what `size` says.

Exit codes: 0 done; 1 a count differs (printed), or bad input; 2 wrong usage; 130 interrupted, after
printing what there is.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from satsweeper.processes.limits import Limits
from scripts.bench import machine
from scripts.bench.encode_contenders import COUNTING, WEIGHTED, missing, size
from scripts.bench.encode_forms import FORMS
from scripts.bench.encode_measure import apart, measure, words
from scripts.bench.encode_parts import PARTS
from scripts.bench.encode_peers import PEERS
from scripts.bench.encode_report import NOTES, Section, differences, in_markdown, lost, raw, show
from scripts.bench.output import console_of, say, write_json
from scripts.frame.arguments import (
    INTERRUPTED,
    above_zero,
    at_least,
    ended,
    names_of,
    parser_of,
    positive,
)
from scripts.frame.pages import add_update, command_of, require_section, update

SECTION = "speed"
QUICK = {"clues": 2000, "sample": 500, "sizes": [60], "calls": 10, "weights": [20], "repeat": 1}
PACKAGES = ("python-sat", "pindakaas", "rustsat", "pypblib", "numpy")
ENCODERS = tuple(dict.fromkeys((*COUNTING, *WEIGHTED)))
EXAMPLE = """examples:
  python scripts/bench_encode.py --parts clues --markdown
  python scripts/bench_encode.py --parts large --sizes 1000 --encoders totalizer,adder
  python scripts/bench_encode.py --quick"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    arguments = _arguments(argv)
    return ended("bench_encode", lambda: _bench(arguments, argv))


def _bench(arguments: argparse.Namespace, argv: Sequence[str] | None) -> int:
    require_section(arguments.update, SECTION)
    if reason := missing("pysat.card"):
        raise ValueError(reason)
    fence = ["```"] * arguments.markdown
    console = console_of(160)
    manifest = machine.describe() | {"packages": machine.versions_of(PACKAGES)}
    skipped = [
        f"{library}: {reason}"
        for library, (module, _) in PEERS.items()
        if (reason := missing(module))
    ]
    say(console, *fence, *machine.lines(manifest), *(f"skipped: {line}" for line in skipped))
    say(console, *fence)
    limits = Limits(arguments.time_limit, memory=int(arguments.memory_limit * 2**30))
    sections: list[Section] = []
    interrupted = False
    try:
        for part in arguments.parts:
            for section in PARTS[part](arguments, arguments.encoders):
                _refuse_too_large(section, limits)
                sections.append(section)
                try:
                    measure(section.contenders(), arguments.repeat, limits, arguments.seed)
                finally:
                    show(console, section, arguments.markdown)
    except KeyboardInterrupt:
        interrupted = True
    wrong = list(differences(sections))
    say(console, *fence, *NOTES.splitlines(), *fence)
    say(console, *(f"- faster: {line}" for line in lost(sections)))
    say(console, *(f"WRONG: {line}" for line in wrong))
    if arguments.json is not None:
        options = {
            name: value for name, value in vars(arguments).items() if name not in ("json", "update")
        }
        about = manifest | {"options": options, "skipped": skipped, "interrupted": interrupted}
        value = {"schema": "satsweeper/bench-encode/2", "manifest": about, "results": raw(sections)}
        write_json(arguments.json, value | {"differences": wrong})
    if arguments.update is not None and not interrupted:
        tables = "\n".join(line for section in sections for line in in_markdown(section))
        made_by = command_of("bench_encode", argv)
        update(arguments.update, made_by, {SECTION: tables.strip()})
    if interrupted:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    return 1 if wrong else 0


def _refuse_too_large(section: Section, limits: Limits) -> None:
    """Ours, where the literals alone are more than the memory allowed: that is known before."""
    tasks = [[*row.ours.values()] for row in section.rows]
    sizes = [(forms[0].contender.name, forms[0].problem) for forms in tasks]
    found = apart(lambda: [size(*of).literals for of in sizes])
    for forms, literals in zip(tasks, found, strict=True):
        for task in forms:
            if task.failure is None and literals * 4 > (limits.memory or 0):
                task.failure = f"not within {words(limits)}: {literals:,} literals"


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(__doc__, epilog=EXAMPLE)
    add = parser.add_argument
    add("--parts", type=names_of(PARTS), default=[*PARTS], metavar="A,B",
        help=f"of {','.join(PARTS)}; default: all")  # fmt: skip
    add("--forms", type=names_of(FORMS), default=[*FORMS], metavar="A,B",
        help=f"of {','.join(FORMS)}; default: all")  # fmt: skip
    add("--encoders", type=names_of(ENCODERS), default=[*ENCODERS], metavar="A,B",
        help="ours, with their namesakes; default: all")  # fmt: skip
    add("--clues", type=positive, default=100_000, metavar="N", help="how many (%(default)s)")
    add("--sample", type=positive, default=20_000, metavar="N", help="for the others, of them")
    add("--sizes", type=_sizes, default=[1000, 10_000], metavar="N,N", help="of `large`")
    add("--weights", type=_sizes, default=[8, 20, 40, 200], metavar="N,N", help="of `weighted`")
    add("--calls", type=positive, default=200, metavar="N", help="of `single` (%(default)s)")
    add("--repeat", type=positive, default=5, metavar="N", help="runs of each (%(default)s)")
    add("--time-limit", type=above_zero, default=60.0, metavar="S",
        help="CPU time of a step of a run (%(default)s)")  # fmt: skip
    add("--memory-limit", type=above_zero, default=6.0, metavar="GB", help="a run (%(default)s)")
    add("--seed", type=int, default=0, help="of the board and the draws (%(default)s)")
    add("--quick", action="store_true", help="small numbers throughout, a few seconds")
    add("--markdown", action="store_true", help="tables in Markdown")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    add_update(parser)
    arguments = parser.parse_args(argv)
    if arguments.quick:
        vars(arguments).update(QUICK)
    return arguments


def _sizes(text: str) -> list[int]:
    return [int(at_least(8)(part)) for part in text.split(",")]


if __name__ == "__main__":
    sys.exit(main())
