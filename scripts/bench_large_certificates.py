"""Benchmark of certificates of large boards: CPU time and memory of certifying and of checking.

Reads ``CLASS.ms.gz`` from a directory. Of every position: ``classify``, ``certify`` and ``check``
(without the checkers of others), each a command of its own: CPU seconds with its children, seconds
on the clock, peak memory of the process, and the size of the folder. The total is left out unless
``--total`` is given; ``--clauses`` certifies by clauses alone, ``--jobs`` is that of ``check``.

Exit codes: 0 done; 1 bad input, or a command failed; 2 wrong usage; 130 interrupted.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from scripts.bench.output import console_of, show_machine, table_of, write_json
from scripts.bench.timed import SATSWEEPER, Record, add_corpus, drawn_classes, run_python
from scripts.frame.arguments import ended, parser_of, positive


class Run(NamedTuple):
    """A run of a command on a position.

    ``cpu`` and ``seconds`` are CPU and wall-clock seconds, ``memory`` is the peak in MiB, and
    ``folder`` the size of the certificate after the command in MiB.
    """

    id: str
    command: str
    cpu: float
    seconds: float
    memory: float
    folder: float


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = parser_of(__doc__)
    add = parser.add_argument
    add_corpus(parser, ("h300",), 0)
    add("--total", action="store_true", help="with the total of the position")
    add("--clauses", action="store_true", help="prove all verdicts by clauses")
    add("--jobs", type=positive, default=1, metavar="N", help="processes of check (%(default)s)")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    arguments = parser.parse_args(argv)
    errors = ValueError, OSError, RuntimeError
    return ended("bench_large_certificates", lambda: _bench(arguments), errors)


def _bench(arguments: argparse.Namespace) -> int:
    console = console_of()
    manifest = show_machine(console)
    runs = []
    heads = ("command", "CPU s", "s", "MiB", "folder MiB")
    for record in chain.from_iterable(drawn_classes(arguments).values()):
        new = measure(record, arguments)
        rows = [(run.command, *(f"{x:.1f}" for x in run[2:])) for run in new]
        console.print(table_of(record.id, heads, rows))
        runs += new
    listed = [run._asdict() for run in runs]
    write_json(arguments.json, "bench-large-certificates/1", manifest, runs=listed)
    return 0


def measure(record: Record, arguments: argparse.Namespace) -> list[Run]:
    """Return the runs of classify, certify and check on one position."""
    runs = []
    with TemporaryDirectory() as place:
        board, folder = Path(place) / "board.txt", Path(place) / "certificate"
        board.write_text(record.text, encoding="ascii")
        total = [] if arguments.total else ["--mines", "unknown"]
        clauses = ["--clauses"] if arguments.clauses else []
        commands: tuple[list[str | Path], ...] = (
            ["classify", board, *total],
            ["certify", board, *total, *clauses, "-o", folder],
            ["check", "--no-external", folder, "--jobs", str(arguments.jobs)],
        )
        for words in commands:
            used = run_python([*SATSWEEPER, *words])
            size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            sizes = used.kib / 1024, size / (1 << 20)
            runs.append(Run(record.id, str(words[0]), used.cpu, used.seconds, *sizes))
    return runs


if __name__ == "__main__":
    sys.exit(main())
