"""The files of a certificate: exactly the needed files, by their hashes, in their one form.

No file outside of the folder is ever opened: the names are those that a certificate needs, never
names from the manifest, and links are refused. The limits on files and lines also hold for single
files, for example the proof of a game.
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, NoReturn

from satsweeper.checker.errors import WrongCertificateError, wrong_at

# The canonical form of the files of a certificate: a clause or a step a line, single blanks, no
# comments, no leading zeros, and no variable twice in a clause. Checkers of other projects read
# these formats more or less strictly; files in canonical form they read alike.

MOST_IN_LINE: Final = 2**26
"""Bytes of a line; the longest of a board of 1000 x 1000 cells had ten million."""

_NUMBER: Final = rb"(?:0|[1-9][0-9]{0,17})"
_LITERALS: Final = rb"(?:-?[1-9][0-9]{0,9} )*+0"
_SUMMAND: Final = rb"[+-]" + _NUMBER + rb" ~?x[1-9][0-9]{0,9} "


class _Form(NamedTuple):
    """Patterns of the first line and of all others, with line ends, and descriptions of both."""

    first: bytes
    other: bytes
    first_form: str
    other_form: str


_CNF: Final = _Form(
    rb"p cnf " + _NUMBER + b" " + _NUMBER + rb"\n",
    _LITERALS + rb"\n",
    "p cnf VARIABLES CLAUSES",
    "LITERALS 0",
)
_PROOF: Final = _Form(
    rb"pseudo-Boolean proof version 3\.0\n",
    # No word has a % or a semicolon.
    rb"(?:[!-$&-:<-~]{1,40} )++;\n",
    "pseudo-Boolean proof version 3.0",
    "a step and a semicolon, a blank between words",
)
_OPB: Final = _Form(
    rb"\* #variable= N #constraint= N #equal= N intsize= N\n".replace(b"N", _NUMBER),
    rb"(?:" + _SUMMAND + rb")*+(?:=|[<>]=) -?" + _NUMBER + rb" ;\n",
    "* #variable= N #constraint= N #equal= N intsize= N",
    "+WEIGHT xVARIABLE ... = NUMBER ;",
)
_FORMS: Final[Mapping[str, _Form]] = {
    "formula.cnf": _CNF,
    "refutation.cnf": _CNF,
    "refutation.drat": _Form(b"", rb"(?:d )?+" + _LITERALS + rb"\n", "", "LITERALS 0"),
    "refutation.lrat": _Form(
        b"",
        rb"[1-9][0-9]{0,9} (?:d (?:[1-9][0-9]{0,9} )*+0|" + _LITERALS + b" " + _LITERALS + rb")\n",
        "",
        "ID LITERALS 0 HINTS 0, or ID d IDS 0",
    ),
    "clues.opb": _OPB,
    "proof.opb": _OPB,
    "derivation.pbp": _PROOF,
    "sums.pbp": _PROOF,
    "circuits.txt": _Form(
        rb"satsweeper circuits 1\n",
        rb"(?:region|box|join|node)(?: (?:0|[1-9][0-9]{0,8}))++\n",
        "satsweeper circuits 1",
        "region, box, join or node, and numbers",
    ),
    "proof.pbp": _PROOF,
}  # fmt: skip


def check_form(name: str, content: bytes) -> None:
    """Refuse ``content``, the file ``name``, if it is not in the canonical form of its format.

    Files whose names are not in ``_FORMS`` are accepted as they are.

    Raises:
        WrongCertificateError: for the first line of another form.
    """
    form = _FORMS.get(name.rpartition("/")[2])
    if form is None:
        return
    # One pass over the whole file, without backtracking (possessive ``*+``): time is linear in the
    # file, whoever wrote it. Only a file that fails is looked at line by line.
    if re.fullmatch(form.first + b"(?:" + form.other + b")*+", content) and (
        len(content) <= MOST_IN_LINE or max(map(len, content.split(b"\n"))) <= MOST_IN_LINE
    ):
        return
    for number, line in enumerate(content.splitlines(keepends=True) or [b""], start=1):
        first = number == 1 and form.first
        if len(line) > MOST_IN_LINE:
            raise wrong_at(name, number, f"longer than {MOST_IN_LINE} bytes")
        if not re.fullmatch(form.first if first else form.other, line):
            wanted = form.first_form if first else form.other_form
            raise wrong_at(name, number, f"not as certificates are written: {wanted}")
    raise WrongCertificateError(name, "not as certificates are written")


def check_distinct(name: str, clauses: Iterable[Sequence[int]], what: str = "clause") -> None:
    """Refuse ``clauses`` of the file ``name`` in which a variable stands twice.

    Raises:
        WrongCertificateError: for the first clause with a repeated variable, called ``what``.
    """
    for number, clause in enumerate(clauses, start=1):
        if len(set(map(abs, clause))) < len(clause):
            raise WrongCertificateError(name, f"{what} {number}: a variable is there twice")


# Strict reader of JSON objects: texts that two readers could take differently are refused.


def json_object(name: str, content: bytes) -> dict[str, Any]:
    """The file ``name`` as a JSON object: ASCII, no name twice, all numbers integers.

    Raises:
        WrongCertificateError: ``content`` is no JSON object, or breaks one of these rules.
    """
    try:
        found = json.loads(
            content.decode("ascii"),
            object_pairs_hook=_without_repeats,
            parse_float=_no_integer,
            parse_constant=_no_integer,
        )
    except UnicodeDecodeError as error:
        raise WrongCertificateError(name, f"byte {error.start}: not ASCII") from None
    except (ValueError, RecursionError) as error:
        raise WrongCertificateError(name, f"no JSON: {error}") from None
    if not isinstance(found, dict):
        raise WrongCertificateError(name, "no JSON object")
    return found


def is_integer(found: object) -> bool:
    """Whether ``found`` is an integer of JSON; ``true`` is not, though an ``int`` of Python."""
    return type(found) is int


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} is there twice")
    return found


def _no_integer(word: str) -> NoReturn:
    raise ValueError(f"{word}, where an integer is expected")


MOST_BYTES: Final = 2**31
"""Limit on the bytes of a file; all files of a board of 1000 x 1000 cells had 240 million."""

_O_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_O_NONBLOCK: Final = getattr(os, "O_NONBLOCK", 0)


def read_files(folder: Path, manifest: str, hashes: object, needed: set[str]) -> dict[str, bytes]:
    """Return the files by name after comparing their hashes.

    Args:
        folder: holds the needed files, the manifest, and no other file.
        manifest: the name of the manifest.
        hashes: the entry ``files`` of the manifest: name -> SHA-256 in hexadecimal digits.
        needed: the names of all files but the manifest.

    Raises:
        WrongCertificateError: a file is missing, not needed or no regular file, or its hash or form
            is another one.
        OSError: a file cannot be read.
    """
    if not isinstance(hashes, dict):
        raise WrongCertificateError(manifest, "files: no object")
    # The manifest names exactly the needed files, and nothing else lies in the folder.
    for name in sorted(needed.symmetric_difference(hashes)):
        fault = "it is not named" if name in needed else "a certificate like this has no such file"
        raise WrongCertificateError(manifest, f"files: {name!r}: {fault}")
    for name in _all_below(folder):
        if name not in needed and name != manifest:
            raise WrongCertificateError(name, "the manifest does not name it")
    files = {}
    for name in sorted(needed):
        files[name] = read_regular(folder, name)
        if hashlib.sha256(files[name]).hexdigest() != hashes[name]:
            raise WrongCertificateError(name, "its hash is not that of the manifest")
        check_form(name, files[name])
    return files


def read_regular(folder: Path, name: str) -> bytes:
    """Return the content of the regular file ``name`` of at most MOST_BYTES.

    Raises WrongCertificateError for a missing file, a link, another kind of file, or a file that is
    too large; OSError if the file cannot be read.
    """
    try:
        with _opened(folder / name, name, links=False) as (file, size):
            return file.read(size)
    except FileNotFoundError:
        raise WrongCertificateError(name, "it is missing") from None


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines, with their ends, of the regular file ``path``; links are followed.

    A file that grows is read up to its size at the time of opening.

    Raises:
        WrongCertificateError: ``path`` is another kind of file, has more than MOST_BYTES, or a line
            of more than MOST_IN_LINE bytes.
        OSError: the file cannot be read.
    """
    with _opened(path, path.name, links=True) as (file, size):
        yield from _lines(file, size, path.name)


def read_named(path: Path) -> bytes:
    """Return the content of the regular file ``path``; raises what ``read_lines`` raises."""
    with _opened(path, path.name, links=True) as (file, size):
        # A line that is too long is refused before the whole file is in memory.
        for _ in _lines(file, size, path.name):
            pass
        file.seek(0)
        return file.read(size)


@contextmanager
def _opened(path: Path, name: str, *, links: bool) -> Iterator[tuple[IO[bytes], int]]:
    """Open a regular file of MOST_BYTES at most; ``links``: whether links are followed."""
    status = path.stat() if links else path.lstat()
    if not stat.S_ISREG(status.st_mode):
        raise WrongCertificateError(name, "no regular file")
    # The file may have become a link or a pipe meanwhile: the flags follow no link, and wait for no
    # writer of a pipe.
    descriptor = os.open(path, os.O_RDONLY | _O_NONBLOCK | (0 if links else _O_NOFOLLOW))
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise WrongCertificateError(name, "no regular file")
        if status.st_size > MOST_BYTES:
            raise WrongCertificateError(name, f"more than {MOST_BYTES} bytes")
        yield file, status.st_size


def _lines(file: IO[bytes], left: int, name: str) -> Iterator[bytes]:
    number = 0
    while line := file.readline(min(left, MOST_IN_LINE + 1)):
        number += 1
        left -= len(line)
        if len(line) > MOST_IN_LINE:
            raise wrong_at(name, number, f"longer than {MOST_IN_LINE} bytes")
        yield line


def _all_below(folder: Path) -> Iterator[str]:
    """Yield the names of everything below ``folder`` that is no folder, links included."""
    for where, folders, files in os.walk(folder):
        below = Path(where).relative_to(folder)
        for name in sorted(files):
            yield (below / name).as_posix()
        for name in sorted(folders):
            if (Path(where) / name).is_symlink():
                yield (below / name).as_posix()
