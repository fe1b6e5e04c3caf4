"""Benchmark positions from a directory: ``CLASS.ms.gz`` and, where there is one, its answers."""

import gzip
import random
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from satsweeper.notation.corpus import read_corpus


@dataclass(frozen=True)
class Record:
    """A position as text, with its answers if they are known.

    ``text`` is what every contender gets: a comment, ``rows columns mines``, then the rows
    (``0``-``8`` clue, ``#`` covered). ``unknown`` and ``known`` are the verdicts without and with
    the total: ``rows * columns`` characters, row by row, ``S M ?`` for covered cells, ``.`` for
    clues.
    """

    id: str
    kind: str
    text: str
    rows: int
    columns: int
    unknown: str | None = None
    known: str | None = None

    def answer(self, with_total: bool) -> str | None:
        """The verdicts to compare with, if there are any."""
        return self.known if with_total else self.unknown


def class_names(directory: Path) -> list[str]:
    """The classes in a directory, smallest file first."""
    found = sorted(directory.glob("*.ms.gz"), key=lambda path: path.stat().st_size)
    return [path.name.removesuffix(".ms.gz") for path in found]


def read_class(directory: Path, name: str, kinds: Collection[str] | None = None) -> list[Record]:
    """The records of one class, of these kinds only if any are given.

    Raises ``ValueError`` for a file that is not in the format, ``OSError`` for one not there.
    """
    answers = _read_answers(directory / f"{name}.answers.gz")
    records = []
    for entry in read_corpus(directory / f"{name}.ms.gz"):
        unknown, known = answers.get(entry.id, (None, None))
        record = Record(entry.id, entry.kind, entry.text, entry.rows, entry.columns, unknown, known)
        for verdicts in (unknown, known):
            if verdicts is not None and len(verdicts) != record.rows * record.columns:
                raise ValueError(f"{name}.answers.gz: {record.id} has {len(verdicts)} verdicts")
        if kinds is None or record.kind in kinds:
            records.append(record)
    return records


def draw(records: list[Record], limit: int | None, seed: int) -> list[Record]:
    """At most ``limit`` of the records, drawn at random, in their old order."""
    if limit is None or len(records) <= limit:
        return records
    chosen = sorted(random.Random(seed).sample(range(len(records)), limit))
    return [records[k] for k in chosen]


def _read_answers(path: Path) -> dict[str, tuple[str | None, str | None]]:
    if not path.exists():
        return {}
    found: dict[str, tuple[str | None, str | None]] = {}
    with gzip.open(path, "rt", encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            fields = line.rstrip("\n").split("\t")
            if len(fields) != 3:
                raise ValueError(f"{path.name}, line {number}: {len(fields)} fields, not 3")
            unknown, known = (None if field == "-" else field for field in fields[1:])
            found[fields[0]] = (unknown, known)
    return found
