"""Numbers of proofs: lines of decimal integers, and the bytes of binary formats.

In binary a number is seven bits a byte, the lowest first, the highest bit set in all bytes but the
last. Literal l is the number 2 |l| + (1 if l < 0).
"""

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


def read_number(data: bytes, at: int, source: str) -> tuple[int, int]:
    """Return the number that starts at a byte, and where it ends."""
    found = shift = 0
    for place in range(at, min(at + 5, len(data))):
        found |= (data[place] & 127) << shift
        shift += 7
        if data[place] < 128:
            return found, place + 1
    message = "the proof is cut off" if at + 5 > len(data) else "a number of more than five bytes"
    raise ProofFormatError(source, message, None, at)


def read_identifier(data: bytes, at: int, source: str) -> tuple[int, int]:
    """Return an identifier, above 0, and where it ends."""
    found, end = read_number(data, at, source)
    if not 0 < found <= 2 * LARGEST:
        raise ProofFormatError(source, f"the number {found} is no identifier", None, at)
    return found, end


def read_numbers(data: bytes, at: int, source: str) -> tuple[list[int], int]:
    """Return the numbers up to a zero, and where that ends."""
    found: list[int] = []
    while True:
        one, at = read_number(data, at, source)
        if not one:
            return found, at
        found.append(one)


def read_literals(data: bytes, at: int, source: str) -> tuple[tuple[int, ...], int]:
    """Return the literals up to a zero, and where that ends; signed hints are written like them."""
    found: list[int] = []
    start = at
    while at < len(data):
        one = data[at]
        if one < 128:
            at += 1
        else:
            one, at = read_number(data, at, source)
        if not one:
            return tuple(found), at
        if one == 1 or one > 2 * LARGEST + 1:
            raise ProofFormatError(source, f"the number {one} is no literal", None, start)
        found.append(-(one >> 1) if one & 1 else one >> 1)
        start = at
    raise ProofFormatError(source, "the proof is cut off", None, at)
