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
from pbcnf.formats.writing import replacing
from satsweeper.processes.limits import Limits
from satsweeper.report.markdown import markdown_table
from satsweeper.show.progress import progress
from scripts.bench import machine
from scripts.bench.derivations import COLUMNS, Row, Sum, measure, sums
from scripts.bench.machine import names, positive
from scripts.measure_coverage import with_section

SECTION: Final = "derivations"
INTERRUPTED: Final = 130
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
    found: dict[str, list[Row]] = {}
    try:
        for name in arguments.encoders:
            if name not in DERIVED:
                raise ValueError(f"no derivation of {name!r} (of {', '.join(DERIVED)})")
        if arguments.update is not None:
            with_section(arguments.update.read_text("utf-8"), SECTION, "", "")
        wanted = sums(arguments.counts, arguments.ones, arguments.weighted)
        with progress("derivations", len(wanted)) as reach:
            for done, each in enumerate(wanted, start=1):
                held = found.setdefault(each.title, [])
                held.extend(rows(each, arguments))
                reach(done)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"bench_derivations: {error}\n")
        return 1
    except KeyboardInterrupt:
        print(markdown(found))
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    print("\n".join(["```", *machine.lines(machine.describe()), "```", "", markdown(found)]))
    if arguments.update is not None:
        words = " ".join(sys.argv[1:] if argv is None else argv)
        text = arguments.update.read_text("utf-8")
        command = f"python scripts/bench_derivations.py {words}"
        with replacing(arguments.update) as stream:
            stream.write(with_section(text, SECTION, command, markdown(found)).encode())
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--encoders", type=names, default=[*DERIVED], metavar="A,B", help="default: all")
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
    add("--update", type=Path, metavar="FILE", help="write the tables between the markers there")
    return parser.parse_args(argv)


def _sizes(text: str) -> list[int]:
    """Numbers of inputs, none for an empty text."""
    sizes = [int(part) for part in names(text)]
    if any(size < 8 for size in sizes):
        raise argparse.ArgumentTypeError("8 at least")
    return sizes


if __name__ == "__main__":
    sys.exit(main())
