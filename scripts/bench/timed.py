"""Positions of a corpus, the least CPU times of each by side, and the cost of whole processes."""

import argparse
import gzip
import json
import math
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from satsweeper.notation.corpus import read_corpus
from scripts.frame.arguments import names, positive


class Record(NamedTuple):
    """A position as text, with its answers if they are known.

    ``text`` is the input of every contender: a comment, ``rows columns mines``, then the rows
    (``0``-``8`` clue, ``#`` covered). ``unknown`` and ``known`` are the verdicts without and with
    the total: ``rows * columns`` characters, row by row, ``S M ?`` for covered cells, ``.`` for
    clues; None if not known.
    """

    id: str
    kind: str
    text: str
    rows: int
    columns: int
    unknown: str | None = None
    known: str | None = None


def read_class(directory: Path, name: str, kinds: Collection[str] | None = None) -> list[Record]:
    """Return the records of one class; with ``kinds``, only records of given kinds.

    Raises ``ValueError`` for a file in another format, ``OSError`` for a missing file.
    """
    answers: dict[str, list[str | None]] = {}
    path = directory / f"{name}.answers.gz"
    lines = gzip.decompress(path.read_bytes()).decode("ascii").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        fields = line.split("\t")
        if len(fields) != 3:
            raise ValueError(f"{path.name}, line {number}: {len(fields)} fields, not 3")
        answers[fields[0]] = [None if field == "-" else field for field in fields[1:]]
    records = []
    for entry in read_corpus(directory / f"{name}.ms.gz"):
        found = answers.get(entry.id, [None, None])
        for verdicts in found:
            if verdicts is not None and len(verdicts) != entry.rows * entry.columns:
                raise ValueError(f"{path.name}: {entry.id} has {len(verdicts)} verdicts")
        if kinds is None or entry.kind in kinds:
            about = entry.id, entry.kind, entry.text, entry.rows, entry.columns
            records.append(Record(*about, *found))
    return records


def draw(records: list[Record], limit: int | None, seed: int) -> list[Record]:
    """Return at most ``limit`` of the records, drawn at random, in their old order."""
    if limit is None or len(records) <= limit:
        return records
    chosen = sorted(random.Random(seed).sample(range(len(records)), limit))
    return [records[k] for k in chosen]


_LAUNCHER: Final = """\
import json, os, subprocess, sys, time
out, *words = sys.argv[1:]
command = [sys.executable, *words]
with open(out, "wb") as stdout:
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=stdout)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - begin
child.returncode = os.waitstatus_to_exitcode(status)
print(json.dumps([child.returncode, usage.ru_utime + usage.ru_stime, seconds, usage.ru_maxrss]))
"""
"""A small process that starts the measured one: the peak memory of a child is at least the size of
its parent, so a small parent is needed."""


class Used(NamedTuple):
    """The cost of a process: CPU seconds, seconds on the clock, and KiB at the peak."""

    cpu: float
    seconds: float
    kib: int


def run_python(
    words: Sequence[str | Path],
    out: str | Path = os.devnull,
    environment: Mapping[str, str] | None = None,
    quiet: bool = False,
) -> Used:
    """Run Python with the arguments ``words`` and its standard output in the file ``out``.

    Raises:
        RuntimeError: the process ended with another exit code than 0.
    """
    command = [*map(str, [sys.executable, "-I", "-c", _LAUNCHER, out, *words])]
    own: dict[str, Any] = {"stderr": subprocess.DEVNULL} if quiet else {}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, **own)
    code, cpu, seconds, size = json.loads(done.stdout)
    if code:
        raise RuntimeError(f"{' '.join(map(str, words))}: exit code {code}")
    return Used(cpu, seconds, size // 1024 if sys.platform == "darwin" else size)


SATSWEEPER: Final = ("-Pm", "satsweeper")
"""The first arguments of Python for a command of satsweeper."""


@dataclass
class Timed:
    """The least CPU milliseconds of the position ``id`` by side."""

    id: str
    ms: dict[str, float] = field(default_factory=dict, kw_only=True)

    def take(self, side: str, work: Callable[[], Any]) -> Any:
        """Return the value of ``work``, called once, and record its CPU time for ``side``."""
        start = time.process_time_ns()
        found = work()
        self.least(side, (time.process_time_ns() - start) / 1e6)
        return found

    def least(self, side: str, spent: float) -> None:
        """Keep ``spent`` milliseconds if ``side`` has no smaller time."""
        self.ms[side] = min(spent, self.ms.get(side, spent))


def drawn_classes(arguments: argparse.Namespace) -> dict[str, list[Record]]:
    """Read the classes of a corpus that ``arguments`` name.

    Raises ValueError for a class without positions.
    """
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
    """Return ratios of ``times`` to the times ``base``, both position by position.

    ``median`` and ``p99`` are the ratios of medians and of 99th percentiles; ``typical`` is the
    median of the ratios of all positions.
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
        parser: the parser to which the arguments are added.
        classes: the default of --classes; without any it is None, all that there are.
        repeat: the default of --repeat; 0 leaves the option out.
        optional: whether the corpus is an option.
    """
    add = parser.add_argument
    name, kind = ("--corpus", "DIR") if optional else ("corpus", "CORPUS_DIR")
    add(name, type=Path, metavar=kind, help="directory of CLASS.ms.gz files")
    letters = ",".join("ABCDEF"[: len(classes) or 2])
    add("--classes", type=names, default=list(classes) or None, metavar=letters,
        help=f"default: {','.join(classes) or 'all there are'}")  # fmt: skip
    add("--limit", type=positive, metavar="N", help="positions a class, drawn at random")
    add("--seed", type=int, default=0, help="of the draws and the orders (%(default)s)")
    if repeat:
        add("--repeat", type=positive, default=repeat, metavar="N",
            help="timed repeats (%(default)s)")  # fmt: skip
