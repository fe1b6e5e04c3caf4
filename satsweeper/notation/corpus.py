"""Many positions in one file: records with a blank line between them, plain or gzip.

A record is a line ``; id=NAME kind=KIND``, then a board as ``text.py`` reads it, with its header
``rows columns mines``; further lines that begin with ``;`` are comments.
"""

import gzip
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from satsweeper.notation.error import BoardError

_HEAD: Final = re.compile(r";\s*id=(\S+)\s+kind=(\S+)")
_GZIP: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class CorpusRecord:
    """A position of a corpus: ``text`` is the whole record, ``line`` its first line, from 1."""

    id: str
    kind: str
    text: str
    rows: int
    columns: int
    line: int


def is_corpus(path: str | Path) -> bool:
    """Whether the file ``path`` begins as a corpus does; raises ``OSError`` if unreadable."""
    with Path(path).open("rb") as file:
        start = file.read(2)
        file.seek(0)
        if start != _GZIP:
            return _HEAD.match(file.read(1000).decode("ascii", "replace")) is not None
        try:
            with gzip.open(file) as inner:
                return _HEAD.match(inner.read(1000).decode("ascii", "replace")) is not None
        except (EOFError, gzip.BadGzipFile, zlib.error):
            return False


def read_corpus(path: str | Path) -> list[CorpusRecord]:
    """Return the records of the corpus ``path`` in order; the boards are not parsed.

    Raises:
        BoardError: the file is not a corpus.
        OSError: the file cannot be read.
    """
    source = str(path)
    raw = Path(path).read_bytes()
    try:
        text = (gzip.decompress(raw) if raw.startswith(_GZIP) else raw).decode("ascii")
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError):
        raise BoardError(source, message="neither ASCII text nor gzip of it") from None
    records = []
    line = 1
    for block in text.replace("\r\n", "\n").split("\n\n"):
        start = line + len(block) - len(block.lstrip("\n"))
        line += block.count("\n") + 2
        block = block.strip("\n")
        if not block:
            continue
        head, _, rest = block.partition("\n")
        match = _HEAD.match(head)
        size = rest.partition("\n")[0].split()
        if match is None or len(size) != 3 or not all(s.isdigit() for s in size[:2]):
            message = f"no '; id=... kind=...' and 'rows columns mines' before {head[:40]!r}"
            raise BoardError(source, start, None, message)
        records.append(
            CorpusRecord(match[1], match[2], block + "\n", int(size[0]), int(size[1]), start)
        )
    return records
