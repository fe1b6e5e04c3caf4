"""Benchmark of certificates of large boards: CPU time and memory of certifying and of checking.

Reads ``CLASS.ms.gz`` from a directory. Of every position: ``classify``, ``certify`` and ``check``
(without the checkers of others), each a command of its own: CPU seconds with its children, seconds
on the clock, peak memory of the process, and the size of the folder. The total is left out unless
``--total`` is given; ``--clauses`` certifies by clauses alone, ``--jobs`` is that of ``check``.

Exit codes: 0 done; 1 bad input, or a command failed; 2 wrong usage; 130 interrupted.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from rich.console import Console
from rich.table import Table

from scripts.bench.machine import describe, lines, names, positive
from scripts.bench.records import Record, draw, read_class
from scripts.bench.report import write_json

INTERRUPTED: Final = 130


@dataclass(frozen=True)
class Run:
    """A command: CPU and clock seconds, MiB of memory, MiB of the folder afterwards."""

    id: str
    command: str
    cpu: float
    seconds: float
    memory: float
    folder: float


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    arguments = _parser().parse_args(argv)
    console = Console()
    if not console.is_terminal:
        console = Console(width=140)
    runs = []
    try:
        manifest = describe()
        for line in lines(manifest):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        for name in arguments.classes:
            records = read_class(arguments.corpus, name)
            for record in draw(records, arguments.limit, arguments.seed):
                runs += measure(record, arguments)
                console.print(_table(runs[-3:]))
    except (ValueError, OSError, RuntimeError) as error:
        sys.stderr.write(f"bench_large_certificates: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    if arguments.json is not None:
        value = {"schema": "satsweeper/bench-large-certificates/1", "manifest": manifest}
        write_json(arguments.json, value | {"runs": [asdict(run) for run in runs]})
    return 0


def measure(record: Record, arguments: argparse.Namespace) -> list[Run]:
    """The three commands on one position."""
    with TemporaryDirectory() as place:
        board, folder = Path(place) / "board.txt", Path(place) / "certificate"
        board.write_text(record.text, encoding="ascii")
        total = [] if arguments.total else ["--mines", "unknown"]
        clauses = ["--clauses"] if arguments.clauses else []
        jobs = ["--jobs", str(arguments.jobs)]
        return [
            _run(record.id, folder, ["classify", str(board), *total]),
            _run(record.id, folder, ["certify", str(board), *total, *clauses, "-o", str(folder)]),
            _run(record.id, folder, ["check", "--no-external", str(folder), *jobs]),
        ]


def _run(name: str, folder: Path, words: Sequence[str]) -> Run:
    begin = time.perf_counter()
    child = os.posix_spawn(
        sys.executable, [sys.executable, "-Pm", "satsweeper", *words], os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )  # fmt: skip
    _, status, used = os.wait4(child, 0)
    seconds = time.perf_counter() - begin
    if os.waitstatus_to_exitcode(status):
        raise RuntimeError(f"{name}: {' '.join(words)}: exit code {status >> 8}")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    memory = used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    cpu = used.ru_utime + used.ru_stime
    return Run(name, words[0], cpu, seconds, memory, size / (1 << 20))


def _table(runs: Sequence[Run]) -> Table:
    table = Table(title=runs[0].id)
    for column in ("command", "CPU s", "s", "MiB", "folder MiB"):
        table.add_column(column, justify="left" if column == "command" else "right")
    for run in runs:
        figures = (run.cpu, run.seconds, run.memory, run.folder)
        table.add_row(run.command, *[f"{x:.1f}" for x in figures])
    return table


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("corpus", type=Path, metavar="CORPUS_DIR", help="directory of CLASS.ms.gz files")
    add("--classes", type=names, default=["h300"], metavar="A,B,C", help="default: h300")
    add("--limit", type=positive, metavar="N", help="positions a class, drawn at random")
    add("--seed", type=int, default=0, help="of the draws (%(default)s)")
    add("--total", action="store_true", help="with the total of the position")
    add("--clauses", action="store_true", help="prove all verdicts by clauses")
    add("--jobs", type=positive, default=1, metavar="N", help="processes of check (%(default)s)")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
