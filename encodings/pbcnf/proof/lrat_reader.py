"""LRAT proofs read from text and from the binary form, and written as text.

A lemma is its identifier, its literals, 0, its hints, 0; a deletion is an identifier, ``d``, the
identifiers of the clauses, 0. A file with a zero byte is binary: ``a ID LITERALS 0 HINTS 0`` and
``d IDS 0``, numbers as in binary DRAT.

Writers of the binary form disagree on identifiers: hints may be written like literals (2 i, or
2 i + 1 for a negative one) and other identifiers as they are, or all as they are, or all doubled.
The numbers tell: a hint names an earlier clause, so hints are doubled if one of them is not below
its lemma; else all are doubled if all are even. A wrong guess makes the checker refuse the proof.

Reference: Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: Efficient certified RAT
verification, CADE 2017.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO, TypeAlias

from pbcnf.proof.format_error import ProofFormatError, shown
from pbcnf.proof.integers import (
    LARGEST,
    Integers,
    lines_of,
    read_identifier,
    read_literals,
    read_numbers,
)
from pbcnf.proof.steps import Literals, LratAddition, LratDeletion, LratStep

_Raw: TypeAlias = tuple[int, Literals, list[int]]
"""Identifier (0: a deletion), literals and hints (or what is deleted), as numbers of the file."""


def _binary(data: bytes, source: str) -> list[LratStep]:
    """Return the steps in order, their number as `line`. Raises ProofFormatError with the byte."""
    raw: list[_Raw] = []
    literals: Literals
    at = 0
    while at < len(data):
        start = data[at : at + 1]
        identifier, literals = 0, ()
        if start == b"a":
            identifier, at = read_identifier(data, at + 1, source)
            literals, at = read_literals(data, at, source)
        elif start == b"d":
            at += 1
        else:
            raise ProofFormatError(source, f"expected 'a' or 'd', not '{shown(start)}'", None, at)
        place = at
        numbers, at = read_numbers(data, at, source)
        if any(one > 2 * LARGEST + 1 for one in numbers):
            message = f"the number {max(numbers)} is no identifier"
            raise ProofFormatError(source, message, None, place)
        raw.append((identifier, literals, numbers))
    # Which of the three ways to write identifiers this is, the numbers tell: see the module.
    signed = any(hint >= own for own, _, hints in raw if own for hint in hints)
    double = not signed and not any(one & 1 for own, _, hints in raw for one in (own, *hints))
    by = 2 if double else 1
    steps: list[LratStep] = []
    newest = 1
    for line, (own, literals, numbers) in enumerate(raw, start=1):
        if not own:
            steps.append(LratDeletion(newest, tuple(one // by for one in numbers), line))
            continue
        hints = tuple(one // by for one in numbers)
        if signed:
            hints = tuple(-(one >> 1) if one & 1 else one >> 1 for one in numbers)
        newest = own // by
        steps.append(LratAddition(newest, literals, hints, line))
    return steps


def parse_lrat(data: bytes, source: str = "lrat") -> list[LratStep]:
    """Return the steps in order. Raises ProofFormatError with the line or the byte.

    >>> parse_lrat(b"9 1 -2 0 3 4 0\\n9 d 3 0\\n")[0]
    LratAddition(identifier=9, literals=(1, -2), hints=(3, 4), line=1)
    """
    if b"\0" in data:
        return _binary(data, source)
    integers = Integers(source, others=b"d")
    return [
        _step(integers.of(line, number), number, source) for number, line in lines_of(data, source)
    ]


def read_lrat(path: str | Path) -> list[LratStep]:
    """Read a file, uncompressed. Raises as `parse_lrat` does, and OSError."""
    return parse_lrat(Path(path).read_bytes(), str(path))


def write_lrat(steps: Iterable[LratStep], stream: IO[str]) -> None:
    """Write steps as text."""
    for step in steps:
        if isinstance(step, LratDeletion):
            words = [step.identifier, "d", *step.deleted, 0]
        else:
            words = [step.identifier, *step.literals, 0, *step.hints, 0]
        stream.write(" ".join(map(str, words)) + "\n")


def _step(words: list[int | None], line: int, source: str) -> LratStep:
    """Return the step of a line; None among the `words` stands for the letter d."""
    identifier, rest = words[0], words[1:]
    numbers = [word for word in rest if word is not None]
    if identifier is None or identifier <= 0:
        raise ProofFormatError(source, "a step begins with an identifier above 0", line)
    if rest[:1] == [None] and len(numbers) == len(rest) - 1:
        if numbers.count(0) != 1 or numbers[-1] or min(numbers) < 0:
            message = "a deletion is ID d IDS 0, identifiers above 0"
            raise ProofFormatError(source, message, line)
        return LratDeletion(identifier, tuple(numbers[:-1]), line)
    if len(numbers) != len(rest) or numbers.count(0) != 2 or numbers[-1]:
        raise ProofFormatError(source, "a lemma is ID LITERALS 0 HINTS 0", line)
    end = numbers.index(0)
    return LratAddition(identifier, tuple(numbers[:end]), tuple(numbers[end + 1 : -1]), line)
