"""LRAT proofs: as text one step a line, or binary.

A lemma is its identifier, its literals, 0, its hints, 0; a deletion is an identifier, ``d``, the
identifiers of the clauses, 0. A file with a zero byte is binary (`pbcnf.proof.lrat_binary`).
Reference: Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: Efficient certified RAT
verification, CADE 2017.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO

from pbcnf.proof.format_error import ProofFormatError
from pbcnf.proof.integers import Integers, lines_of
from pbcnf.proof.lrat_binary import parse_binary_lrat
from pbcnf.proof.steps import LratAddition, LratDeletion, LratStep


def parse_lrat(data: bytes, source: str = "lrat") -> list[LratStep]:
    """Return the steps in order. Raises ProofFormatError with the line or the byte.

    >>> parse_lrat(b"9 1 -2 0 3 4 0\\n9 d 3 0\\n")[0]
    LratAddition(identifier=9, literals=(1, -2), hints=(3, 4), line=1)
    """
    if b"\0" in data:
        return parse_binary_lrat(data, source)
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
    """None stands for the letter d."""
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
