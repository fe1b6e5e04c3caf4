#!/usr/bin/env python3
"""Cost of deriving an encoding: steps, bytes, and milliseconds of making and checking.

For every encoder whose clauses can be derived, and every sum that it expresses: at most half and
at most 3 of n, at most 1 of n, and weighted sums up to half of their total, with weights from 1 to
100. Made is what `satsweeper encode --proof` writes, clauses and derivation; checked is what
`satsweeper check` does first. CPU time of forked children, the least of several runs. Variables are
the auxiliary ones; a step adds one constraint.

Exit codes: 0 done; 1 a derivation is refused (printed), or bad input; 2 wrong usage; 130
interrupted, after printing what there is.

Examples: scripts/bench_derivations.py --encoders totalizer,adder
  scripts/bench_derivations.py --counts 100 --ones 100 --weighted 40 --update encodings/README.md
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from pbcnf.derivation.families import DERIVABLE
from pbcnf.encoders.table import ENCODERS
from satsweeper.processes.limits import Limits
from satsweeper.report.table import markdown_table
from satsweeper.show.progress import progress
from scripts.bench import machine
from scripts.bench.derivations import COLUMNS, Row, Sum, measure, sums
from scripts.frame.arguments import at_least, ended, names, names_of, parser_of, positive
from scripts.frame.pages import add_update, command_of, require_section, update

SECTION: Final = "derivations"
DERIVED: Final = [name for name in ENCODERS if name in DERIVABLE]


def rows(of: Sum, arguments: argparse.Namespace) -> Iterator[Row]:
    """Measure the encoders that express a sum."""
    limits = Limits(arguments.time_limit, memory=4 * 2**30)
    for name in arguments.encoders:
        found = measure(of, name, arguments.repeat, arguments.most_clauses, limits)
        if found is not None:
            yield Row(name, found)


def markdown(found: dict[str, list[Row]]) -> str:
    """Return a table for each sum, then a table of all rates."""
    parts = [
        f"**{title.capitalize()}**\n\n{_table(COLUMNS, [row.cells for row in held])}"
        for title, held in found.items()
    ]
    if len(found) > 1:
        rates = {title: {row.encoder: row.rate for row in held} for title, held in found.items()}
        measured = [name for name in DERIVED if any(of.get(name) for of in rates.values())]
        lines = [[f"`{name}`", *(of.get(name, "") for of in rates.values())] for name in measured]
        parts.append(f"**Steps, and bytes, per clause**\n\n{_table(['encoder', *found], lines)}")
    return "\n\n".join(parts)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return markdown_table(heads, rows, range(1, len(heads)))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and put them into a page if asked."""
    arguments = _arguments(argv)
    return ended("bench_derivations", lambda: _bench(arguments, argv))


def _bench(arguments: argparse.Namespace, argv: Sequence[str] | None) -> int:
    require_section(arguments.update, SECTION)
    wanted = sums(arguments.counts, arguments.ones, arguments.weighted)
    found: dict[str, list[Row]] = {}
    try:
        with progress("derivations", len(wanted)) as reach:
            for done, each in enumerate(wanted, start=1):
                found.setdefault(each.title, []).extend(rows(each, arguments))
                reach(done)
    except KeyboardInterrupt:
        print(markdown(found))
        raise
    print("\n".join(["```", *machine.lines(machine.describe()), "```", "", markdown(found)]))
    if arguments.update is not None:
        made_by = command_of("bench_derivations", argv)
        update(arguments.update, made_by, {SECTION: markdown(found)})
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = parser_of(__doc__)
    add = parser.add_argument
    add("--encoders", type=names_of(DERIVED), default=[*DERIVED], metavar="A,B",
        help="default: all")  # fmt: skip
    add("--counts", type=_sizes, default=[20, 50, 100, 200], metavar="N,N",
        help="inputs of at most half and at most 3; default: 20,50,100,200")  # fmt: skip
    add("--ones", type=_sizes, default=[100, 1000], metavar="N,N",
        help="inputs of at most 1; default: 100,1000")  # fmt: skip
    add("--weighted", type=_sizes, default=[20, 40, 80], metavar="N,N",
        help="inputs of weighted sums; default: 20,40,80")  # fmt: skip
    add("--repeat", type=positive, default=3, metavar="N", help="timed runs (%(default)s)")
    add("--most-clauses", type=positive, default=20_000, metavar="N",
        help="nothing larger is derived (%(default)s)")  # fmt: skip
    add("--time-limit", type=positive, default=60, metavar="S",
        help="CPU seconds of a run (%(default)s)")  # fmt: skip
    add_update(parser)
    return parser.parse_args(argv)


def _sizes(text: str) -> list[int]:
    """Numbers of inputs, none for an empty text."""
    return [at_least(8)(part) for part in names(text)]


if __name__ == "__main__":
    sys.exit(main())
