"""Numbers of binary proofs: seven bits a byte, the lowest first, the highest bit set in all bytes
but the last. Literal l is the number 2 |l| + (1 if l < 0)."""

from __future__ import annotations

from pbcnf.proof.format_error import ProofFormatError
from pbcnf.proof.integers import LARGEST


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
