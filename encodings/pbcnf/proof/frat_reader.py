"""FRAT proofs, text or binary, read as what they say in DRAT.

A segment is a letter and numbers that end with 0: ``o ID LITERALS 0`` an original clause, ``a`` a
lemma, perhaps with ``l HINTS 0`` behind it, ``d`` a deletion, ``f`` a clause that is left at the
end, ``r OLD NEW ... 0`` new identifiers. As text, lines beginning with ``c`` are comments.
Lemmas and deletions are what a checker needs that propagates itself: it takes the original clauses
from the formula, never from the proof, and clauses by their literals. So ``o`` and ``f`` prove
nothing and are passed over; hints, too. Everything is held to the format.

Reference: Baek, Carneiro, Heule: A flexible proof format for SAT solver-elaborator communication,
TACAS 2021, LMCS 2022.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

from pbcnf.proof.format_error import ProofFormatError, shown
from pbcnf.proof.integers import Integers, lines_of, read_identifier, read_literals, read_numbers
from pbcnf.proof.steps import Addition, Deletion, DratStep

_KINDS: Final = "oadflr"


_Segment: TypeAlias = tuple[str, tuple[int, ...], int | None, int | None]
"""Letter, numbers (for o, a, d and f the identifier first), line and offset."""


def parse_frat(data: bytes, source: str = "frat") -> list[DratStep]:
    """Return lemmas and deletions in order. Raises ProofFormatError with the line or the byte.

    >>> parse_frat(b"o 1 1 2 0\\no 2 -1 2 0\\na 3 2 0 l 1 2 0\\nd 1 2 1 0\\nf 3 2 0\\n")
    [Addition(literals=(2,), line=3), Deletion(literals=(2, 1), line=4)]
    """
    segments = _binary(data, source) if b"\0" in data else _text(data, source)
    steps: list[DratStep] = []
    before = ""
    for count, (kind, numbers, line, offset) in enumerate(segments, start=1):
        if kind == "l" and before != "a":
            raise ProofFormatError(source, "hints (l) stand behind a lemma only", line, offset)
        if kind == "r" and (len(numbers) % 2 or any(one < 0 for one in numbers)):
            message = "new identifiers (r) are pairs of numbers above 0"
            raise ProofFormatError(source, message, line, offset)
        if kind not in "lr" and (not numbers or numbers[0] < 0):
            message = f"'{kind}' is followed by an identifier above 0"
            raise ProofFormatError(source, message, line, offset)
        place = count if line is None else line
        if kind == "a":
            steps.append(Addition(numbers[1:], place))
        elif kind == "d":
            steps.append(Deletion(numbers[1:], place))
        before = kind
    return steps


def read_frat(path: str | Path) -> list[DratStep]:
    """Read a file, uncompressed. Raises as `parse_frat` does, and OSError."""
    return parse_frat(Path(path).read_bytes(), str(path))


def _text(data: bytes, source: str) -> Iterator[_Segment]:
    integers = Integers(source)
    kind = ""
    numbers: list[int] = []
    line = 1
    for line, text in lines_of(data, source):
        for word in text.split():
            letter = word.decode("latin-1")
            if letter in _KINDS and not kind:
                kind = letter
                continue
            if not kind:
                message = f"a segment begins with one of {', '.join(_KINDS)}, not '{shown(word)}'"
                raise ProofFormatError(source, message, line)
            (found,) = integers.of(word, line)
            if found:
                numbers.append(found)
            else:
                yield kind, tuple(numbers), line, None
                kind, numbers = "", []
    if kind:
        raise ProofFormatError(source, "the last segment lacks its 0", line)


def _binary(data: bytes, source: str) -> Iterator[_Segment]:
    at = 0
    while at < len(data):
        start, kind = at, data[at : at + 1].decode("latin-1")
        at += 1
        first: tuple[int, ...] = ()
        if kind in "oadf":
            one, at = read_identifier(data, at, source)
            first = (one,)
        if kind == "r":
            pairs, at = read_numbers(data, at, source)
            rest = tuple(pairs)
        elif kind in _KINDS:
            rest, at = read_literals(data, at, source)
        else:
            letter = shown(data[start : start + 1])
            message = f"a segment begins with one of {', '.join(_KINDS)}, not '{letter}'"
            raise ProofFormatError(source, message, None, start)
        yield kind, first + rest, None, start
