"""The instances that paths name: files of boards, corpora, problems and CNFs, and folders of files.

The content of a file decides its kind, or the ending of its name if that is a format of problems; a
file may be compressed (gzip, bzip2, xz). Problems are of every format that `pbcnf` reads. A corpus
is records of a line ``; id=NAME kind=FAMILY`` and a board (``notation/corpus.py``). Of a folder all
files at any depth are taken whose names end as in ``SUFFIXES``, in the order of their paths.
``random:...`` draws boards (``random_boards.py``).
"""

import io
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from pbcnf.formats.compressed import DamagedError, TooLargeError, decompressed_chunks
from pbcnf.formats.table import FORMATS
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.instances.random_boards import RANDOM, random_boards
from satsweeper.notation.board_file import board_data
from satsweeper.notation.corpus import is_corpus, read_corpus
from satsweeper.notation.error import BoardError, printable
from satsweeper.position import KEEP, Position, Total

_BOARDS: Final = (".txt", ".ms", ".json", ".mine", ".mbf", ".board", ".tatham", ".danamlund")
_PROBLEMS: Final = frozenset(row.name for row in FORMATS.values() if row.reader) | {"wbo", "xcnf"}
SUFFIXES: Final = frozenset((*_BOARDS, ".minesweepr", *(f".{name}" for name in _PROBLEMS)))
"""Endings of files that are taken from folders, without ``.gz``, ``.bz2`` and ``.xz``."""

_COMPRESSED: Final = frozenset((".gz", ".bz2", ".xz"))
_CLAUSES: Final = re.compile(rb"(?:c[^\n]*\n|\s)*+p[ \t]+(cnf\+|wcnf|cnf|knf)(?!\S)")
_XOR: Final = re.compile(rb"(?m)^x[ \t]*-?[0-9]")
_OPB: Final = re.compile(rb"(?m)\A\*[ \t]*#variable=|^[^;#\n]*x[0-9]+\s*[<>]?=\s*[-+]?[0-9]")
_OTHERS: Final = re.compile(
    rb"(?i:(?:\*[^\n]*\n|\s)*+(?:(?:min|max|soft)\s*:|\\|(?:min|max)im|(?:NAME|ROWS|OBJSENSE)(?!\S)))"
    rb"|(?:;[^\n]*\n|\s)*+\(|(?:[-0-9 \t\r\n]|c[^\n]*\n)*+^h[ \t]",
    re.MULTILINE,
)
"""The beginnings of LP, MPS and SMT-LIB, OPB without x1, x2, ..., and WCNF without a header."""


def load_instances(
    sources: Iterable[str | os.PathLike[str]], mines: Total = KEEP
) -> list[Instance]:
    """The instances of all sources, each content once, under the first name of the content.

    All instances are read and checked here, so that a bad file is known before any job begins.

    Args:
        sources: files, folders, or ``random:...``; ``-`` is standard input.
        mines: replaces the totals of boards, as in ``Position.read``.

    Raises:
        ValueError: one line about the first thing that is wrong: a file that cannot be read or is
            not what it should be, a folder without instances, no source at all.
    """
    found: dict[str, Instance] = {}
    for source in sources:
        for instance in _instances(os.fspath(source), mines):
            found.setdefault(instance.digest, instance)
    if not found:
        raise ValueError("no instances: name board files, problems, folders or random:...")
    return list(found.values())


def _instances(source: str, mines: Total) -> Iterator[Instance]:
    if source.startswith(RANDOM):
        for drawn in random_boards(source):
            if mines is KEEP:
                yield drawn
            else:
                position = Position.parse(drawn.text, source=drawn.name, mines=mines)
                yield Instance.of_board(position, drawn.name, drawn.family)
    elif os.path.isdir(source):
        paths = sorted(path for path in Path(source).rglob("*") if _taken(path, Path(source)))
        if not paths:
            raise ValueError(f"{printable(source)}: no instances in this folder")
        for path in paths:
            family = os.path.relpath(path.parent, source).replace(os.sep, "/")
            family = os.path.basename(os.path.abspath(source)) if family == "." else family
            yield from _file(str(path), mines, family)
    else:
        yield from _file(source, mines, "")


def _taken(path: Path, folder: Path) -> bool:
    if any(part.startswith(".") for part in path.relative_to(folder).parts) or not path.is_file():
        return False
    suffix = _suffix(path)
    return f".{suffix}" in SUFFIXES and (
        suffix != "json" or b'"satsweeper/board/' in _read(str(path))
    )


def _suffix(path: Path) -> str:
    """Return the suffix of ``path`` without its dot and without the suffix of compression."""
    name = path.with_suffix("") if path.suffix in _COMPRESSED else path
    return name.suffix[1:]


def _file(path: str, mines: Total, family: str) -> Iterator[Instance]:
    data = _read(path)
    clauses = _CLAUSES.match(data)
    if clauses or _OPB.search(data) or _OTHERS.match(data) or _suffix(Path(path)) in _PROBLEMS:
        cnf = clauses is not None and clauses[1] == b"cnf" and not _XOR.search(data)
        instance = Instance.of_text(
            InstanceKind.CNF if cnf else InstanceKind.PROBLEM, data, path, family
        )
        # An instance that cannot be read is refused before any job begins.
        try:
            _ = instance.formula() if cnf else instance.problem()
        except ImportError as error:
            raise ValueError(f"{printable(path)}: {error}") from None
        yield instance
    elif path != "-" and is_corpus(path):
        for record in read_corpus(path):
            try:
                position = Position.parse(record.text, source=path, mines=mines)
            except BoardError as error:
                # The error counts lines from the beginning of the record, not of the file.
                line = None if error.line is None else error.line + record.line - 1
                raise BoardError(path, line, error.column, error.message) from None
            yield Instance.of_board(position, record.id, record.kind or family)
    else:
        position = Position.parse(data, source=path, mines=mines)
        yield Instance.of_board(position, path, family)


def _read(path: str) -> bytes:
    """Return the content of a file, decompressed."""
    try:
        if path == "-":
            data = board_data(path)[0]
            raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        else:
            raw = Path(path).read_bytes()
        return b"".join(decompressed_chunks(io.BytesIO(raw)))
    except (OSError, DamagedError, TooLargeError, MemoryError) as error:
        why = getattr(error, "strerror", None) or error
        raise ValueError(f"{printable(path)}: {why}") from None
