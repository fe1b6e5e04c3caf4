"""Benchmark of certificates: what certifying costs beside classifying, and what checking costs.

Reads ``CLASS.ms.gz`` from a directory. Every position, with its total and without: plain
classification (two questions a cell) and the default one; certify in memory, and with its folder
written; the check of that folder. CPU time in one process, the least of the repeats, in a new order
each turn. Ratios are to plain classification: of the medians of the class, of its 99th percentiles,
and the median over positions of the ratio of their times. ``--commands N`` also runs the commands
``classify``, ``classify --plain``, ``certify`` and ``check`` on N positions of each class, CPU time
of the whole process.

Exit codes: 0 certifying took at most 3 times as long as plain classification (medians and p99), and
no check of a board of up to 480 cells 1 s; 1 otherwise, or bad input; 2 wrong usage; 130
interrupted.
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from rich.table import Table

from satsweeper import Position, classify
from satsweeper.certificate.certify import certify
from satsweeper.checker.check import check
from satsweeper.show.progress import progress
from scripts.bench import timed
from scripts.bench.output import console_of, say, show_machine, table_of, write_json
from scripts.frame.arguments import ended, parser_of, positive

BASE: Final = "classify --plain"
IN_MEMORY: Final = "certify in memory"
CERTIFY: Final = "certify"
SIDES: Final = (BASE, "classify", IN_MEMORY, CERTIFY, "check")
TARGET: Final = 3.0
"""Target of certifying, as a multiple of the time of plain classification."""
TARGET_CHECK: Final = 1000.0
"""Target of checking in milliseconds, for a board of up to `EXPERT` cells."""
EXPERT: Final = 480
"""Number of cells of an expert board, 30 x 16."""


@dataclass
class CertifiedBoard(timed.Timed):
    """A position, with its total or without, and the size of its certificate."""

    cells: int
    with_total: bool
    lemmas: int = 0
    kilobytes: float = 0.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = parser_of(__doc__)
    add = parser.add_argument
    timed.add_corpus(parser, ("beg", "int", "exp"), 3)
    add("--commands", type=positive, default=0, metavar="N", help="also N runs of the commands")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    arguments = parser.parse_args(argv)
    return ended("bench_certify", lambda: _bench(arguments))


def _bench(arguments: argparse.Namespace) -> int:
    classes = timed.drawn_classes(arguments)
    console = console_of()
    manifest = show_machine(console)
    found: dict[str, list[CertifiedBoard]] = {}
    missed = []
    for name, records in classes.items():
        for with_total in (True, False):
            title = f"{name}, total {'known' if with_total else 'unknown'}"
            found[title] = measure(title, records, with_total, arguments)
            console.print(_table(title, found[title]))
            missed += misses(title, found[title])
        if arguments.commands:
            title = f"{name}, commands"
            found[title] = measure_commands(records[: arguments.commands])
            console.print(_table(title, found[title]))
    say(console, *(f"MISSED: {line}" for line in missed))
    listed = {
        title: {"ratios": ratios(rows), "positions": [vars(row) for row in rows]}
        for title, rows in found.items()
    }
    write_json(arguments.json, "bench-certify/1", manifest, classes=listed)
    return 1 if missed else 0


def measure(
    title: str, records: Sequence[timed.Record], with_total: bool, arguments: argparse.Namespace
) -> list[CertifiedBoard]:
    """Measure all sides of all positions, by turns."""
    rows = [CertifiedBoard(r.id, r.rows * r.columns, with_total) for r in records]
    rng = random.Random(arguments.seed)
    order = list(range(len(rows)))
    with TemporaryDirectory() as folder, progress(title, arguments.repeat * len(rows)) as reach:
        for turn in range(arguments.repeat):
            rng.shuffle(order)
            for done, at in enumerate(order, start=1):
                _measure_one(rows[at], records[at].text, Path(folder) / str(at), rng)
                reach(turn * len(rows) + done)
    return rows


def _measure_one(row: CertifiedBoard, text: str, folder: Path, rng: random.Random) -> None:
    def position() -> Position:
        # A new position each time: a used position keeps its bit planes.
        known = Position.parse(text)
        return Position(known.cells.copy(), known.mines if row.with_total else None)

    sides: dict[str, Callable[[Position], Any]] = {
        BASE: lambda given: classify(given, plain=True), "classify": classify, IN_MEMORY: certify,
        CERTIFY: lambda given: certify(given).write(folder),
    }  # fmt: skip
    for side in rng.sample(list(sides), len(sides)):
        found = row.take(side, partial(sides[side], position()))
        if side == IN_MEMORY:
            row.kilobytes = sum(map(len, found.files.values())) / 1000
    row.lemmas = row.take("check", lambda: check(folder, external=False)).lemmas


def measure_commands(records: Sequence[timed.Record]) -> list[CertifiedBoard]:
    """Return the CPU time of whole processes on ``records``, the least of two runs of each."""
    rows = []
    with TemporaryDirectory() as folder:
        board, certificate = Path(folder) / "board.txt", Path(folder) / "certificate"
        commands: dict[str, list[str | Path]] = {
            BASE: ["classify", "--plain", board],
            "classify": ["classify", board],
            CERTIFY: ["certify", board, "-o", certificate],
            "check": ["check", "--no-external", certificate],
        }
        for record in records:
            board.write_text(record.text, encoding="ascii")
            row = CertifiedBoard(record.id, record.rows * record.columns, True)
            for _ in range(2):
                for side, command in commands.items():
                    row.least(side, 1000 * timed.run_python([*timed.SATSWEEPER, *command]).cpu)
            rows.append(row)
    return rows


def ratios(rows: Sequence[CertifiedBoard]) -> dict[str, dict[str, float]]:
    """Return three ratios for each side, of its times to the times of plain classification.

    The ratios are that of the medians, that of the 99th percentiles, and the median of the ratios
    of all positions.
    """
    base = [row.ms[BASE] for row in rows]
    return {
        side: timed.ratios_of([row.ms[side] for row in rows], base)
        for side in SIDES
        if all(side in row.ms for row in rows)
    }


def misses(title: str, rows: Sequence[CertifiedBoard]) -> list[str]:
    """Return a line for each target that ``rows`` do not meet."""
    missed = [(what, ratio) for what, ratio in ratios(rows)[CERTIFY].items() if ratio > TARGET]
    late = [r for r in rows if r.cells <= EXPERT and r.ms["check"] >= TARGET_CHECK]
    return [
        *(f"{title}: certify takes {ratio:.2f} times as long ({what})" for what, ratio in missed),
        *(f"{title}: check of {row.id} takes {row.ms['check']:.0f} ms" for row in late),
    ]


def _table(title: str, rows: Sequence[CertifiedBoard]) -> Table:
    about = f"{title}, {len(rows)} positions"
    if any(row.kilobytes for row in rows):
        about += f"; {median(row.lemmas for row in rows):g} lemmas, "
        about += f"{median(row.kilobytes for row in rows):.0f} kB (medians)"
    heads = ("side", "median ms", "p99 ms", "max ms", "median ratio", "p99 ratio", "typical")
    lines = []
    for side, shares in ratios(rows).items():
        figures = (*timed.times_of([row.ms[side] for row in rows]), *shares.values())
        lines.append([side, *(f"{x:.2f}" for x in figures)])
    return table_of(about, heads, lines)


if __name__ == "__main__":
    sys.exit(main())
