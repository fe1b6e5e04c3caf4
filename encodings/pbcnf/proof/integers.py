"""Lines of decimal integers, which is what all the text formats here are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pbcnf.proof.format_error import ProofFormatError, shown

LARGEST: Final = 2**31 - 1
"""The largest variable, as in drat-trim; identifiers are held to it as well."""

_OTHER_BLANK: Final = re.compile(rb"[\x0b\x0c\r]")
_INTEGER: Final = re.compile(rb"-?[1-9][0-9]{0,9}|0")


class Integers:
    """A reader of words; it knows the words that it has seen."""

    def __init__(self, source: str, others: bytes = b"") -> None:
        """Name the file in errors; `others` are words to leave alone, read as None."""
        self.source = source
        self._seen: dict[bytes, int | None] = dict.fromkeys(others.split())

    def of(self, line: bytes, number: int) -> list[int | None]:
        """Return the integers of a line. Raises ProofFormatError for any other word."""
        words = line.split()
        try:
            return [self._seen[word] for word in words]
        except KeyError:
            return [self._read(word, number) for word in words]

    def _read(self, word: bytes, number: int) -> int | None:
        if word in self._seen:
            return self._seen[word]
        if not _INTEGER.fullmatch(word) or not -LARGEST <= int(word) <= LARGEST:
            message = f"'{shown(word)}' is no integer from -{LARGEST} to {LARGEST}"
            raise ProofFormatError(self.source, message, number)
        return self._seen.setdefault(word, int(word))


def lines_of(data: bytes, source: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are neither empty nor comments (``c``), with their numbers from 1.

    Only blanks and tabs are between words, and a carriage return only at the end of a line. Raises
    ProofFormatError for what Python would take for a blank as well.
    """
    if any(byte in data for byte in (b"\x0b", b"\x0c", b"\r")):
        _refuse_other_blanks(data, source)
    for number, line in enumerate(data.split(b"\n"), start=1):
        words = line.strip(b" \t\r")
        if words and words[:1] != b"c":
            yield number, words


def _refuse_other_blanks(data: bytes, source: str) -> None:
    for number, line in enumerate(data.split(b"\n"), start=1):
        words = line.strip(b" \t\r")
        found = None if words[:1] == b"c" else _OTHER_BLANK.search(words)
        if found is not None:
            message = f"byte 0x{found[0][0]:02x}: only blanks and tabs are between words"
            raise ProofFormatError(source, message, number)
