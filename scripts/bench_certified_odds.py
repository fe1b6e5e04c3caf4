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
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from rich.table import Table

from pbcnf.wording import counted
from satsweeper import Position, odds
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.odds.check import check_odds
from satsweeper.count.odds import NoLayoutError, digits, fraction
from satsweeper.show.progress import progress
from scripts.bench.output import console_of, say, show_machine, table_of
from scripts.bench.timed import Timed, add_corpus, drawn_classes, times_of
from scripts.frame.arguments import ended, parser_of

TARGETS: Final = {"certify": 20.0, "check": 40.0}
"""Target of certifying and of checking, as a multiple of the time of counting."""
SIDES: Final = ("odds", *TARGETS)


@dataclass
class CertifiedOdds(Timed):
    """A position: its times, and the size of the certificate of its odds."""

    pairs: int = 0
    recounted: bool = True
    kilobytes: float = 0.0

    def ratio(self, side: str) -> float:
        """Return the time of ``side`` as a multiple of the time of counting."""
        return self.ms[side] / self.ms["odds"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = parser_of(__doc__)
    parser.add_argument("boards", type=Path, nargs="*", metavar="BOARD", help="files of boards")
    add_corpus(parser, ("beg", "int", "exp"), 3, optional=True)
    arguments = parser.parse_args(argv)
    return ended("bench_certified_odds", lambda: _bench(arguments))


def _bench(arguments: argparse.Namespace) -> int:
    boards = {}
    for name, records in (drawn_classes(arguments) if arguments.corpus else {}).items():
        boards[name] = [(record.id, Position.parse(record.text)) for record in records]
    if arguments.boards:
        boards["boards"] = [(path.stem, Position.read(path)) for path in arguments.boards]
    console = console_of()
    show_machine(console)
    missed = []
    for (name, positions), with_total in product(boards.items(), (True, False)):
        title = f"{name}, total {'known' if with_total else 'unknown'}"
        try:
            rows = measure(title, positions, with_total, arguments.repeat)
        except ValueError as error:
            say(console, f"WRONG: {error}")
            return 1
        if rows:
            console.print(_table(title, rows))
        for row, (side, target) in product(rows, TARGETS.items()):
            if (ratio := row.ratio(side)) > target:
                missed.append(f"{title}: {side} of {row.id} takes {ratio:.1f} times as long")
    say(console, *(f"MISSED: {line}" for line in missed))
    return 1 if missed else 0


def measure(
    title: str, positions: Sequence[tuple[str, Position]], with_total: bool, repeat: int
) -> list[CertifiedOdds]:
    """Return the times of each of ``positions`` that has odds.

    ``with_total``: with the total known, and then without the positions that have no total. Raises
    ValueError if the odds that were checked are not the odds that were counted.
    """
    rows = []
    with TemporaryDirectory() as folder, progress(title, len(positions)) as reach:
        for done, (name, known) in enumerate(positions, start=1):
            row = CertifiedOdds(name)
            if known.mines is not None or not with_total:
                with suppress(NoLayoutError):
                    for _ in range(repeat):
                        _measure_one(row, known, with_total, Path(folder) / "c")
                    rows.append(row)
            reach(done)
    return rows


def _measure_one(row: CertifiedOdds, known: Position, with_total: bool, folder: Path) -> None:
    def position() -> Position:
        # A new position each time: a used position keeps its bit planes.
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


def _table(title: str, rows: Sequence[CertifiedOdds]) -> Table:
    whole = sum(row.recounted for row in rows)
    about = (
        f"{title}, {counted(len(rows), 'position')};"
        f" median {median(row.pairs for row in rows):g} pairs,"
        f" {median(row.kilobytes for row in rows):.1f} kB; {whole} wholly counted twice"
    )
    lines = []
    for side in SIDES:
        times, ratios = [row.ms[side] for row in rows], [row.ratio(side) for row in rows]
        figures = (*times_of(times), median(ratios), max(ratios))
        lines.append([side, *(f"{x:.2f}" for x in figures)])
    heads = ("side", "median ms", "p99 ms", "max ms", "median ratio", "largest ratio")
    return table_of(about, heads, lines)


if __name__ == "__main__":
    sys.exit(main())
