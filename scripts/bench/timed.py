"""The least CPU times of positions of a corpus by side, and what benchmarks share around them."""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from scripts.bench.machine import describe, lines, names, percentile, positive
from scripts.bench.records import Record, draw, read_class

INTERRUPTED: Final = 130


@dataclass
class Timed:
    """The least CPU milliseconds of the position ``id`` by side."""

    id: str
    ms: dict[str, float] = field(default_factory=dict, kw_only=True)

    def take(self, side: str, work: Callable[[], Any]) -> Any:
        """Return the value of ``work``, run once on the clock."""
        start = time.process_time_ns()
        found = work()
        self.least(side, (time.process_time_ns() - start) / 1e6)
        return found

    def least(self, side: str, spent: float) -> None:
        """Keep ``spent`` milliseconds if ``side`` has no smaller time."""
        self.ms[side] = min(spent, self.ms.get(side, spent))


def drawn_classes(arguments: argparse.Namespace) -> dict[str, list[Record]]:
    """Read the classes of a corpus that arguments name; ValueError for one without positions."""
    classes = {
        name: draw(read_class(arguments.corpus, name), arguments.limit, arguments.seed)
        for name in arguments.classes
    }
    if not all(classes.values()):
        raise ValueError("a class has no positions")
    return classes


def show_machine(console: Console) -> dict[str, Any]:
    """Print what figures depend on, and return it as plain values."""
    manifest = describe()
    for line in lines(manifest):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return manifest


def ratios_of(times: Sequence[float], base: Sequence[float]) -> dict[str, float]:
    """Return times as multiples of the times of a base, position by position.

    ``median`` and ``p99``: of medians and 99th percentiles; ``typical``: the median over positions.
    """
    return {
        "median": median(times) / median(base),
        "p99": percentile(times) / percentile(base),
        "typical": median(a / b for a, b in zip(times, base, strict=True)),
    }


def side_table(title: str, columns: Sequence[str]) -> Table:
    """Return a table with a column of sides and columns of numbers."""
    table = Table(title=title)
    table.add_column("side")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def times_of(times: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 99th percentile and the largest of milliseconds."""
    return median(times), percentile(times), max(times)


def add_corpus(
    parser: argparse.ArgumentParser, classes: Sequence[str], repeat: int, *, optional: bool = False
) -> None:
    """Add the arguments that choose positions of a corpus and say how often each is timed."""
    add = parser.add_argument
    name, kind = ("--corpus", "DIR") if optional else ("corpus", "CORPUS_DIR")
    add(name, type=Path, metavar=kind, help="directory of CLASS.ms.gz files")
    letters = ",".join("ABCDEF"[: len(classes)])
    add("--classes", type=names, default=list(classes), metavar=letters,
        help=f"default: {','.join(classes)}")  # fmt: skip
    add("--limit", type=positive, metavar="N", help="positions a class, drawn at random")
    add("--repeat", type=positive, default=repeat, metavar="N", help="timed repeats (%(default)s)")


def complain(name: str, error: Exception) -> int:
    """Print a line for an error of input, and return the exit code."""
    sys.stderr.write(f"{name}: {error}\n")
    return 1
