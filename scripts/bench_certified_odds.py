"""Benchmark of certified odds: what certifying and checking cost beside counting.

Reads ``CLASS.ms.gz`` from a directory, and boards from files. Every position, with its total and
without: counting (``odds``, the memory of regions emptied), certifying with a new folder written,
and the check of that folder. CPU time in one process, the least of the repeats. The odds that the
check has counted are compared with those of ``odds``.

Exit codes: 0 certifying took at most 20 times as long as counting, checking at most 40 times; 1
otherwise, or odds that differ, or bad input; 2 wrong usage; 130 interrupted.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from rich.console import Console
from rich.table import Table

from pbcnf.wording import counted
from satsweeper import Position, odds
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.odds.check import check_odds
from satsweeper.count.counts import forget_regions
from satsweeper.count.odds import NoLayoutError, digits, fraction
from satsweeper.show.progress import progress
from scripts.bench.arguments import names, percentile, positive
from scripts.bench.machine import describe, lines
from scripts.bench.records import draw, read_class

TARGETS: Final = {"certify": 20.0, "check": 40.0}
"""How many times as long as counting each may take."""
SIDES: Final = ("odds", *TARGETS)
INTERRUPTED: Final = 130


@dataclass
class Timed:
    """One position: least CPU milliseconds by side, and what the certificate holds."""

    id: str
    ms: dict[str, float] = field(default_factory=dict)
    pairs: int = 0
    recounted: bool = True
    kilobytes: float = 0.0

    def take(self, side: str, work: Callable[[], Any]) -> Any:
        """Run it once on the clock."""
        start = time.process_time_ns()
        found = work()
        spent = (time.process_time_ns() - start) / 1e6
        self.ms[side] = min(spent, self.ms.get(side, spent))
        return found

    def ratio(self, side: str) -> float:
        """To counting."""
        return self.ms[side] / self.ms["odds"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    arguments = _parser().parse_args(argv)
    console = Console(width=140)
    try:
        boards = {
            name: [
                (record.id, Position.parse(record.text))
                for record in draw(read_class(arguments.corpus, name), arguments.limit, 0)
            ]
            for name in (arguments.classes if arguments.corpus else ())
        }
        if arguments.boards:
            boards["boards"] = [(path.stem, Position.read(path)) for path in arguments.boards]
    except (ValueError, OSError) as error:
        sys.stderr.write(f"bench_certified_odds: {error}\n")
        return 1
    for line in lines(describe()):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    missed = []
    try:
        for name, positions in boards.items():
            for with_total in (True, False):
                title = f"{name}, total {'known' if with_total else 'unknown'}"
                rows = measure(title, positions, with_total, arguments.repeat)
                if rows:
                    console.print(_table(title, rows))
                missed += [
                    f"{title}: {side} of {row.id} takes {row.ratio(side):.1f} times as long"
                    for row in rows
                    for side, target in TARGETS.items()
                    if row.ratio(side) > target
                ]
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    except ValueError as error:
        console.print(f"WRONG: {error}", markup=False, soft_wrap=True)
        return 1
    for line in missed:
        console.print(f"MISSED: {line}", markup=False, soft_wrap=True)
    return 1 if missed else 0


def measure(
    title: str, positions: Sequence[tuple[str, Position]], with_total: bool, repeat: int
) -> list[Timed]:
    """All positions that have odds, and a total where it is to be known.

    Raises ValueError where what was checked is not what was counted.
    """
    rows = []
    with TemporaryDirectory() as folder, progress(title, len(positions)) as reach:
        for done, (name, known) in enumerate(positions, start=1):
            row = Timed(name)
            try:
                if known.mines is not None or not with_total:
                    for _ in range(repeat):
                        _measure_one(row, known, with_total, Path(folder) / "c")
                    rows.append(row)
            except NoLayoutError:
                pass
            reach(done)
    return rows


def _measure_one(row: Timed, known: Position, with_total: bool, folder: Path) -> None:
    def position() -> Position:
        # A new one each time: an old one has its planes ready.
        forget_regions()
        return Position(known.cells.copy(), known.mines if with_total else None)

    given = position()
    whole = row.take("odds", lambda: odds(given))
    given = position()
    certificate = certify_odds(given)
    given = position()
    row.take("certify", lambda: certify_odds(given).write(folder))
    found = row.take("check", lambda: check_odds(folder))
    shutil.rmtree(folder)
    row.pairs, row.recounted = found.pairs, found.recounted == found.regions
    row.kilobytes = sum(map(len, certificate.files.values())) / 1000
    if found.solutions != digits(whole.solutions) or found.chances != {
        cell: fraction(mine) for cell, mine in whole.mine.items()
    }:
        raise ValueError(f"the odds of {row.id}")


def _table(title: str, rows: Sequence[Timed]) -> Table:
    whole = sum(row.recounted for row in rows)
    about = (
        f"{title}, {counted(len(rows), 'position')};"
        f" median {median(row.pairs for row in rows):g} pairs,"
        f" {median(row.kilobytes for row in rows):.1f} kB; {whole} wholly counted twice"
    )
    table = Table(title=about)
    for column in ("side", "median ms", "p99 ms", "max ms", "median ratio", "largest ratio"):
        table.add_column(column, justify="left" if column == "side" else "right")
    for side in SIDES:
        times, ratios = [row.ms[side] for row in rows], [row.ratio(side) for row in rows]
        figures = (median(times), percentile(times), max(times), median(ratios), max(ratios))
        table.add_row(side, *[f"{x:.2f}" for x in figures])
    return table


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("boards", type=Path, nargs="*", metavar="BOARD", help="files of boards")
    add("--corpus", type=Path, metavar="DIR", help="directory of CLASS.ms.gz files")
    add("--classes", type=names, default=["beg", "int", "exp"], metavar="A,B,C",
        help="default: beg,int,exp")  # fmt: skip
    add("--limit", type=positive, metavar="N", help="positions a class, drawn at random")
    add("--repeat", type=positive, default=3, metavar="N", help="timed repeats (%(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
