"""FRAT, and LRAT in bytes: read as they are meant, or refused in one line with the place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbcnf.proof import (
    Addition,
    Deletion,
    DratStep,
    LratAddition,
    LratStep,
    ProofFormatError,
    check_drat,
    check_lrat,
    parse_drat,
    parse_frat,
    parse_lrat,
    to_lrat,
)

Clauses = list[list[int]]


def coded(*numbers: int) -> bytes:
    data = bytearray()
    for number in numbers:
        while number > 127:
            data.append(number & 127 | 128)
            number >>= 7
        data.append(number)
    return bytes(data)


def signed(*numbers: int) -> bytes:
    return coded(*(2 * abs(number) + (number < 0) for number in numbers))


def plain(*numbers: int) -> bytes:
    return coded(*numbers)


def doubled(*numbers: int) -> bytes:
    return coded(*(2 * number for number in numbers))


def as_bytes(
    steps: list[LratStep], name: Callable[..., bytes], hint: Callable[..., bytes]
) -> bytes:
    data = b""
    for step in steps:
        if isinstance(step, LratAddition):
            data += b"a" + name(step.identifier) + signed(*step.literals, 0) + hint(*step.hints, 0)
        else:
            data += b"d" + name(*step.deleted, 0)
    return data


@pytest.mark.parametrize(
    ("name", "hint"), [(plain, signed), (plain, plain), (doubled, signed), (doubled, doubled)]
)
def test_lrat_in_bytes_is_read_however_identifiers_are_stored(
    name: Callable[..., bytes],
    hint: Callable[..., bytes],
    refuted: dict[str, Clauses],
    prove: Callable[..., bytes],
) -> None:
    for clauses in refuted.values():
        steps = to_lrat(clauses, parse_drat(prove("cadical195", clauses)))
        read = parse_lrat(as_bytes(steps, name, hint))
        assert [tuple(step)[1:-1] for step in read] == [tuple(step)[1:-1] for step in steps]
        assert check_lrat(clauses, read)
        assert not check_lrat(clauses[1:], read)


def test_hints_of_resolvents_are_read_from_bytes(formulas: object) -> None:
    text = b"5 4 1 0 0\n6 4 -1 0 -5 0\n7 2 0 1 2 0\n8 0 7 3 4 0\n"
    cnf = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    steps = parse_lrat(text)
    assert parse_lrat(as_bytes(steps, plain, signed)) == steps
    assert (
        check_lrat(cnf, steps).reason
        == check_lrat(cnf, parse_lrat(as_bytes(steps, plain, signed))).reason
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x\x02\0\0", "byte 0: expected 'a' or 'd', not 'x'"),
        (b"a\0\0\0", "byte 1: the number 0 is no identifier"),
        (b"a\x05\x01\0\0", "byte 2: the number 1 is no literal"),
        (b"a\x05\x02\0\x02", "byte 5: the proof is cut off"),
        (b"a\x05\x02\0", "byte 4: the proof is cut off"),
        (b"d\x05\0a\x80\x80\x80\x80\x80\x01", "byte 4: a number of more than five bytes"),
        (b"d\xff\xff\xff\xff\x7f\0", "byte 1: the number 34359738367 is no identifier"),
    ],
)
def test_what_is_wrong_with_lrat_in_bytes_is_said_in_one_line(data: bytes, message: str) -> None:
    with pytest.raises(ProofFormatError) as error:
        parse_lrat(data, "f")
    assert str(error.value) == f"f: {message}"


KINDS = "one of o, a, d, f, l, r"
FRAT = b"""c a comment
o 1 1 2 0
o 2 -1 2 0 o 3 1 -2 0
o 4 -1 -2 0
a 5 2 0 l 1 2 0
r 5 9 0
d 1 2 1 0
a 6
0
f 6 0
f 9 2 0
"""
STEPS: list[DratStep] = [Addition((2,), 5), Deletion((2, 1), 7), Addition((), 9)]


def test_frat_says_the_same_as_text_and_in_bytes() -> None:
    assert parse_frat(FRAT) == STEPS
    data = b"o" + coded(1) + signed(1, 2, 0) + b"a" + coded(300) + signed(2, 0)
    data += b"l" + signed(1, -2, 0) + b"r" + coded(5, 9, 0) + b"d" + coded(1) + signed(2, 1, 0)
    data += b"a" + coded(6, 0) + b"f" + coded(6, 0)
    assert [step.literals for step in parse_frat(data)] == [step.literals for step in STEPS]
    assert [step.line for step in parse_frat(data)] == [2, 5, 6]
    assert parse_frat(b"") == []


def test_frat_proves_nothing_by_its_own_original_clauses() -> None:
    cnf = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    assert check_drat(cnf, parse_frat(FRAT))
    assert not check_drat(cnf[:3], parse_frat(FRAT))
    assert not check_drat([[1, 2]], parse_frat(b"o 1 1 0\no 2 -1 0\nf 3 0\n"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a 5 2", "f:1: the last segment lacks its 0"),
        (b"a", "f:1: the last segment lacks its 0"),
        (b"c\n5 2 0", f"f:2: a segment begins with {KINDS}, not '5'"),
        (b"x 5 2 0", f"f:1: a segment begins with {KINDS}, not 'x'"),
        (b"a 5 l 2 0", "f:1: 'l' is no integer from -2147483647 to 2147483647"),
        (b"a 0\n", "f:1: 'a' is followed by an identifier above 0"),
        (b"d -4 1 0\n", "f:1: 'd' is followed by an identifier above 0"),
        (b"o 1 2 0\nl 1 0\n", "f:2: hints (l) stand behind a lemma only"),
        (b"r 1 2 3 0\n", "f:1: new identifiers (r) are pairs of numbers above 0"),
        (b"r 1 -2 0\n", "f:1: new identifiers (r) are pairs of numbers above 0"),
        (b"a\x05\x04\0x\x01", f"f: byte 4: a segment begins with {KINDS}, not 'x'"),
        (b"a\x05\x04\0l\x04", "f: byte 6: the proof is cut off"),
        (b"a\0\0", "f: byte 1: the number 0 is no identifier"),
        (b"o\x05\x04\0l\x04\0", "f: byte 4: hints (l) stand behind a lemma only"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_frat_is_said_in_one_line(data: bytes, message: str) -> None:
    with pytest.raises(ProofFormatError) as error:
        parse_frat(data, "f")
    assert str(error.value) == message
