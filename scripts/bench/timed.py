"""The least CPU times of positions of a corpus by side, and what benchmarks share around them."""

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from scripts.bench.records import Record, draw, read_class
from scripts.frame.arguments import names, positive


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


def percentile(times: Sequence[float], per_cent: int = 99) -> float:
    """Return the smallest time that `per_cent` % of all times do not exceed."""
    return sorted(times)[math.ceil(per_cent * len(times) / 100) - 1]


def ratios_of(times: Sequence[float], base: Sequence[float]) -> dict[str, float]:
    """Return times as multiples of the times of a base, position by position.

    ``median`` and ``p99``: of medians and 99th percentiles; ``typical``: the median over positions.
    """
    return {
        "median": median(times) / median(base),
        "p99": percentile(times) / percentile(base),
        "typical": median(a / b for a, b in zip(times, base, strict=True)),
    }


def times_of(times: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 99th percentile and the largest of milliseconds."""
    return median(times), percentile(times), max(times)


def add_corpus(
    parser: argparse.ArgumentParser, classes: Sequence[str], repeat: int, *, optional: bool = False
) -> None:
    """Add the arguments that choose positions of a corpus and say how often each is timed.

    Args:
        parser: gets the arguments.
        classes: the default of --classes.
        repeat: the default of --repeat; 0 for no such option.
        optional: the corpus is an option.
    """
    add = parser.add_argument
    name, kind = ("--corpus", "DIR") if optional else ("corpus", "CORPUS_DIR")
    add(name, type=Path, metavar=kind, help="directory of CLASS.ms.gz files")
    letters = ",".join("ABCDEF"[: len(classes)])
    add("--classes", type=names, default=list(classes), metavar=letters,
        help=f"default: {','.join(classes)}")  # fmt: skip
    add("--limit", type=positive, metavar="N", help="positions a class, drawn at random")
    add("--seed", type=int, default=0, help="of the draws and the orders (%(default)s)")
    if repeat:
        add("--repeat", type=positive, default=repeat, metavar="N",
            help="timed repeats (%(default)s)")  # fmt: skip
