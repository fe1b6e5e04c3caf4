"""Files are read as they stand, or refused in one line that says where and why."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbcnf.proof import (
    Addition,
    Cnf,
    Deletion,
    DratStep,
    LratAddition,
    LratDeletion,
    ProofFormatError,
    check_drat,
    check_lrat,
    parse_cnf,
    parse_drat,
    parse_frat,
    parse_lrat,
    read_cnf,
    read_drat,
    read_lrat,
    to_lrat,
    write_lrat,
)
from tests.pbcnf.proof.formulas import random_lits, refuted, solver_proof


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


def doubled(*numbers: int) -> bytes:
    return coded(*(2 * number for number in numbers))


def as_bytes(steps, name: Callable[..., bytes], hint: Callable[..., bytes]) -> bytes:
    data = b""
    for step in steps:
        if isinstance(step, LratAddition):
            data += b"a" + name(step.identifier) + signed(*step.literals, 0) + hint(*step.hints, 0)
        else:
            data += b"d" + name(*step.deleted, 0)
    return data


def test_a_formula_keeps_order_repetitions_tautologies_and_empty_clauses() -> None:
    text = b"c p cnf 1 1\nc\n\np cnf 9 5\n2 1 2 0 1 -1 0\r\nc between\n3\n-4\t0\n0\n9 0"
    assert parse_cnf(text) == Cnf(9, ((2, 1, 2), (1, -1), (3, -4), (), (9,)))
    assert parse_cnf(b"p cnf 0 0\n") == Cnf(0, ())


def test_a_proof_as_text_may_span_and_share_lines() -> None:
    assert parse_drat(b"c made\n1 -2 0 d 3\n4 0\r\n\n0\n0") == [
        Addition((1, -2), 2), Deletion((3, 4), 3), Addition((), 5), Addition((), 6),
    ]  # fmt: skip
    assert parse_drat(b"") == []


def as_binary(steps: list[Addition | Deletion]) -> bytes:
    kinds = [b"a" if isinstance(step, Addition) else b"d" for step in steps]
    return b"".join(k + signed(*s.literals, 0) for k, s in zip(kinds, steps, strict=True))


def test_binary_proofs_are_told_from_text_whatever_their_first_bytes_look_like() -> None:
    rng = random.Random(1)
    for _ in range(300):
        variables = rng.choice((5, 29, 300, 2**31 - 1))
        steps = [
            rng.choice((Addition, Deletion))(random_lits(rng, variables, rng.randrange(5)), number)
            for number in range(1, rng.randrange(2, 9))
        ]
        assert parse_drat(as_binary(steps)) == steps
    # Numbers in more bytes than they need, one of them with the zero byte that ends a step.
    padded = b"a\x82\x80\x00\x05\0a\x84\0\0d\x05\x80\0"
    assert parse_drat(padded) == [Addition((1, -2), 1), Addition((2,), 2), Deletion((-2,), 3)]
    # drat-trim takes both of these for what they are not.
    assert parse_drat(bytes([100, 32, 57, 0])) == [Deletion((16, -28), 1)]
    assert parse_drat(b"c z~{}|\n1 0\n") == [Addition((1,), 2)]


def test_lrat_is_read_as_it_is_written() -> None:
    steps: list[LratAddition | LratDeletion] = [
        LratAddition(5, (1, -2), (3, -4, 2)), LratDeletion(5, (1, 2)), LratAddition(7, (), ()),
    ]  # fmt: skip
    stream = io.StringIO()
    write_lrat(steps, stream)
    assert stream.getvalue() == "5 1 -2 0 3 -4 2 0\n5 d 1 2 0\n7 0 0\n"
    read = parse_lrat(stream.getvalue().encode())
    assert read == [step._replace(line=line) for line, step in enumerate(steps, start=1)]


@pytest.mark.parametrize(
    ("name", "hint"), [(coded, signed), (coded, coded), (doubled, signed), (doubled, doubled)]
)
def test_lrat_in_bytes_is_read_however_identifiers_are_stored(name, hint) -> None:
    for clauses in refuted().values():
        steps = to_lrat(clauses, parse_drat(solver_proof("cadical195", clauses)))
        read = parse_lrat(as_bytes(steps, name, hint))
        assert [tuple(step)[1:-1] for step in read] == [tuple(step)[1:-1] for step in steps]
        assert check_lrat(clauses, read)
        assert not check_lrat(clauses[1:], read)


def test_hints_of_resolvents_are_read_from_bytes() -> None:
    text = b"5 4 1 0 0\n6 4 -1 0 -5 0\n7 2 0 1 2 0\n8 0 7 3 4 0\n"
    cnf = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    steps = parse_lrat(text)
    read = parse_lrat(as_bytes(steps, coded, signed))
    assert read == steps
    assert check_lrat(cnf, steps).reason == check_lrat(cnf, read).reason


FRAT = (
    b"c a comment\no 1 1 2 0\no 2 -1 2 0 o 3 1 -2 0\no 4 -1 -2 0\na 5 2 0 l 1 2 0\nr 5 9 0\n"
    b"d 1 2 1 0\na 6\n0\nf 6 0\nf 9 2 0\n"
)
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


KINDS = "one of o, a, d, f, l, r"
NO_INTEGER = "is no integer from -2147483647 to 2147483647"
LONG = "f: byte {}: a number of more than five bytes"
WRONG: dict[Callable[[bytes, str], object], dict[str, list[bytes]]] = {
    parse_cnf: {
        "f:1: expected 'p cnf VARIABLES CLAUSES', not ''": [b""],
        "f:1: expected 'p cnf VARIABLES CLAUSES', not '1 2 0'": [b"1 2 0\n"],
        "f:2: expected 'p cnf VARIABLES CLAUSES', not 'p cnf 2'": [b"c\np cnf 2\n"],
        "f:2: literal 3 is beyond the 2 variables of the header": [b"p cnf 2 1\n1 3 0\n"],
        "f:2: the last clause lacks its 0": [b"p cnf 2 1\n1 2\n"],
        "f: 1 clauses, but the header says 2": [b"p cnf 2 2\n1 2 0\n"],
        "f: 1 clauses, but the header says 0": [b"p cnf 2 0\n1 2 0\n"],
        f"f:2: '+2' {NO_INTEGER}": [b"p cnf 2 1\n1 +2 0\n"],
        f"f:2: '02' {NO_INTEGER}": [b"p cnf 2 1\n1 02 0\n"],
        f"f:2: '-0' {NO_INTEGER}": [b"p cnf 2 1\n1 -0\n"],
        f"f:3: '%' {NO_INTEGER}": [b"p cnf 2 1\n1 2 0\n%\n0\n"],
        f"f:2: 'p' {NO_INTEGER}": [b"p cnf 2 1\np cnf 2 1\n"],
    },
    parse_drat: {
        "f:2: the last clause lacks its 0": [b"1 2\n3", b"1 0\nd"],
        "f:1: 'd' may only stand before a clause": [b"1 d 2 0\n", b"d d 2 0\n"],
        f"f:1: 'x' {NO_INTEGER}": [b"1 x 0\n"],
        f"f:1: '2147483648' {NO_INTEGER}": [b"1 2147483648 0"],
        f"f:1: 'a\\x02\\x05' {NO_INTEGER}": [b"a\x02\x05"],
        "f: byte 5: the proof is cut off": [b"a\x02\0a\x02"],
        "f: byte 3: expected 'a' or 'd', not 'x'": [b"a\x02\0x\x02\0"],
        "f: byte 1: the number 1 is no literal": [b"a\x01\0"],
        LONG.format(1): [b"a\xff\xff\xff\xff\xff\x01\0"],
        "f: byte 1: the number 34359738367 is no literal": [b"a\xff\xff\xff\xff\x7f\0"],
    },
    parse_lrat: {
        "f:2: a step begins with an identifier above 0": [b"c\n0 1 0 1 0", b"c\nd 1 0"],
        "f:2: a lemma is ID LITERALS 0 HINTS 0": [
            b"c\n5", b"c\n5 1 0", b"c\n5 1 0 2 0 3 0", b"c\n5 1 0 2", b"c\n5 1 d 0 2 0",
        ],
        "f:2: a deletion is ID d IDS 0, identifiers above 0": [
            b"c\n5 d", b"c\n5 d -1 0", b"c\n5 d 1",
        ],
        f"f:2: 'two' {NO_INTEGER}": [b"c\n5 1 0 two 0"],
        "f: byte 0: expected 'a' or 'd', not 'x'": [b"x\x02\0\0"],
        "f: byte 1: the number 0 is no identifier": [b"a\0\0\0"],
        "f: byte 2: the number 1 is no literal": [b"a\x05\x01\0\0"],
        "f: byte 5: the proof is cut off": [b"a\x05\x02\0\x02"],
        "f: byte 4: the proof is cut off": [b"a\x05\x02\0"],
        LONG.format(4): [b"d\x05\0a" + 5 * b"\x80" + b"\x01"],
        f"f: byte 1: the number {2**35 - 1} is no identifier": [b"d\xff\xff\xff\xff\x7f\0"],
    },
    parse_frat: {
        "f:1: the last segment lacks its 0": [b"a 5 2", b"a"],
        f"f:2: a segment begins with {KINDS}, not '5'": [b"c\n5 2 0"],
        f"f:1: a segment begins with {KINDS}, not 'x'": [b"x 5 2 0"],
        f"f:1: 'l' {NO_INTEGER}": [b"a 5 l 2 0"],
        "f:1: 'a' is followed by an identifier above 0": [b"a 0\n"],
        "f:1: 'd' is followed by an identifier above 0": [b"d -4 1 0\n"],
        "f:2: hints (l) stand behind a lemma only": [b"o 1 2 0\nl 1 0\n"],
        "f:1: new identifiers (r) are pairs of numbers above 0": [b"r 1 2 3 0\n", b"r 1 -2 0\n"],
        f"f: byte 4: a segment begins with {KINDS}, not 'x'": [b"a\x05\x04\0x\x01"],
        "f: byte 6: the proof is cut off": [b"a\x05\x04\0l\x04"],
        "f: byte 1: the number 0 is no identifier": [b"a\0\0"],
        "f: byte 4: hints (l) stand behind a lemma only": [b"o\x05\x04\0l\x04\0"],
    },
}  # fmt: skip


@pytest.mark.parametrize("parse", WRONG)
def test_what_is_wrong_with_a_file_is_said_in_one_line(parse) -> None:
    for message, files in WRONG[parse].items():
        for data in files:
            with pytest.raises(ProofFormatError) as error:
                parse(data, "f")
            assert str(error.value) == message


def test_errors_of_files_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bad"
    path.write_bytes(b"1 x\n")
    for read in (read_cnf, read_drat, read_lrat):
        with pytest.raises(ProofFormatError, match=rf"\A{re.escape(str(path))}:1: .*\Z"):
            read(path)


@pytest.mark.parametrize("byte", [b"\x0b", b"\x0c", b"\r"])
def test_only_blanks_and_tabs_are_between_words(byte: bytes) -> None:
    for read, text in (
        (parse_cnf, b"c a%sb\r\np cnf 2 1\r\n1 \t2 0\r\n"),
        (parse_drat, b"c a%sb\n\n1 \t2 0\r\n"),
        (parse_lrat, b"c a%sb\n\n1 \t2 0 1 0 \r\n"),
    ):
        assert read(text % byte)
        with pytest.raises(ProofFormatError) as error:
            read((text % byte).replace(b"1 \t2", b"1 %s2" % byte), "f")
        assert (
            str(error.value) == f"f:3: byte 0x{byte[0]:02x}: only blanks and tabs are between words"
        )
