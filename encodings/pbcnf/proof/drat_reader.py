"""DRUP and DRAT proofs, text or binary.

Text: literals and a 0 for a lemma, ``d`` before them for a deletion; clauses may span and share
lines; lines beginning with ``c`` are comments. Binary: byte ``a`` or ``d``, the literals, a zero
byte; literal l is the number 2 |l| + (1 if l < 0), seven bits a byte, the lowest first, the highest
bit set in all bytes but the last.

A proof that holds a zero byte is binary: each of its steps ends with one, and text has none.
drat-trim guesses from the first twelve bytes, which can go wrong both ways. `line` of a step is
the line where it ends; in a binary proof, where drat-trim counts steps as well, its number from 1.

Reference: Wetzler, Heule, Hunt: DRAT-trim, SAT 2014; the README of drat-trim.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from pbcnf.proof.format_error import ProofFormatError, shown
from pbcnf.proof.gc_pause import gc_paused
from pbcnf.proof.integers import Integers, lines_of, read_literals
from pbcnf.proof.steps import Addition, Deletion, DratStep

_NUMBER: Final = re.compile(rb"[\x80-\xff]*[\0-\x7f]")


@gc_paused()
def parse_drat(data: bytes, source: str = "proof") -> list[DratStep]:
    """Return the steps in order. Raises ProofFormatError with the line or the byte.

    >>> parse_drat(b"1 -2 0\\nd 1 3 0\\n0\\n")[:2]
    [Addition(literals=(1, -2), line=1), Deletion(literals=(1, 3), line=2)]
    >>> parse_drat(bytes([97, 2, 5, 0]))
    [Addition(literals=(1, -2), line=1)]
    """
    return _binary(data, source) if b"\0" in data else _text(data, source)


def read_drat(path: str | Path) -> list[DratStep]:
    """Read a file, uncompressed. Raises as `parse_drat` does, and OSError."""
    return parse_drat(Path(path).read_bytes(), str(path))


def _text(data: bytes, source: str) -> list[DratStep]:
    integers = Integers(source, others=b"d")
    steps: list[DratStep] = []
    literals: list[int] = []
    kind: type[Addition] | type[Deletion] = Addition
    number = 1
    for number, line in lines_of(data, source):
        for lit in integers.of(line, number):
            if lit:
                literals.append(lit)
            elif lit == 0:
                steps.append(kind(tuple(literals), number))
                literals.clear()
                kind = Addition
            elif literals or kind is Deletion:
                raise ProofFormatError(source, "'d' may only stand before a clause", number)
            else:
                kind = Deletion
    if literals or kind is Deletion:
        raise ProofFormatError(source, "the last clause lacks its 0", number)
    return steps


def _binary(data: bytes, source: str) -> list[DratStep]:
    steps: list[DratStep] = []
    known: dict[bytes, int] = {}
    at = 0
    while at < len(data):
        start = data[at : at + 1]
        if start not in (b"a", b"d"):
            raise ProofFormatError(source, f"expected 'a' or 'd', not '{shown(start)}'", None, at)
        end = data.find(b"\0", at + 1)
        numbers = _NUMBER.findall(data, at + 1, max(end, at + 1))
        if end < 0 or data[end - 1] > 127:  # Cut off, or the zero byte ends a longer number.
            literals, at = read_literals(data, at + 1, source)
        else:
            try:
                literals, at = tuple([known[number] for number in numbers]), end + 1
            except KeyError:
                literals, at = read_literals(data, at + 1, source)
                known.update(zip(numbers, literals, strict=True))
        kind = Addition if start == b"a" else Deletion
        steps.append(kind(literals, len(steps) + 1))
    return steps
