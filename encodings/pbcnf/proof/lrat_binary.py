"""Binary LRAT: ``a ID LITERALS 0 HINTS 0`` and ``d IDS 0``, numbers as in binary DRAT.

Writers disagree on identifiers: hints may be written like literals (2 i, or 2 i + 1 for a negative
one) and other identifiers as they are, or all as they are, or all doubled. Which it is shows in the
numbers: a hint names an earlier clause, so hints are doubled if one of them is not below its lemma;
else all are doubled if all are even. A wrong guess makes the checker refuse the proof, no more.
"""

from __future__ import annotations

from typing import TypeAlias

from pbcnf.proof.format_error import ProofFormatError, shown
from pbcnf.proof.integers import LARGEST
from pbcnf.proof.steps import Literals, LratAddition, LratDeletion, LratStep
from pbcnf.proof.varints import read_identifier, read_literals, read_numbers

_Raw: TypeAlias = tuple[int, Literals, list[int]]
"""Identifier (0: a deletion), literals and hints (or what is deleted), as numbers of the file."""


def parse_binary_lrat(data: bytes, source: str) -> list[LratStep]:
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
    return _steps(raw)


def _steps(raw: list[_Raw]) -> list[LratStep]:
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
