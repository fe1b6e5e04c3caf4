"""Files are read as they stand, or refused in one line that says where and why."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from pbcnf.proof import (
    Addition,
    Cnf,
    Deletion,
    LratAddition,
    LratDeletion,
    ProofFormatError,
    parse_cnf,
    parse_drat,
    parse_lrat,
    read_cnf,
    read_drat,
    read_lrat,
    write_lrat,
)


def test_a_formula_keeps_order_repetitions_tautologies_and_empty_clauses() -> None:
    text = b"c p cnf 1 1\nc\n\np cnf 9 5\n2 1 2 0 1 -1 0\r\nc between\n3\n-4\t0\n0\n9 0"
    assert parse_cnf(text) == Cnf(9, ((2, 1, 2), (1, -1), (3, -4), (), (9,)))
    assert parse_cnf(b"p cnf 0 0\n") == Cnf(0, ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "f:1: expected 'p cnf VARIABLES CLAUSES', not ''"),
        (b"1 2 0\n", "f:1: expected 'p cnf VARIABLES CLAUSES', not '1 2 0'"),
        (b"c\np cnf 2\n", "f:2: expected 'p cnf VARIABLES CLAUSES', not 'p cnf 2'"),
        (b"p cnf 2 1\n1 3 0\n", "f:2: literal 3 is beyond the 2 variables of the header"),
        (b"p cnf 2 1\n1 2\n", "f:2: the last clause lacks its 0"),
        (b"p cnf 2 2\n1 2 0\n", "f: 1 clauses, but the header says 2"),
        (b"p cnf 2 0\n1 2 0\n", "f: 1 clauses, but the header says 0"),
        (b"p cnf 2 1\n1 +2 0\n", "f:2: '+2' is no integer from -2147483647 to 2147483647"),
        (b"p cnf 2 1\n1 02 0\n", "f:2: '02' is no integer from -2147483647 to 2147483647"),
        (b"p cnf 2 1\n1 -0\n", "f:2: '-0' is no integer from -2147483647 to 2147483647"),
        (b"p cnf 2 1\n1 2 0\n%\n0\n", "f:3: '%' is no integer from -2147483647 to 2147483647"),
        (b"p cnf 2 1\np cnf 2 1\n", "f:2: 'p' is no integer from -2147483647 to 2147483647"),
    ],
)
def test_what_is_wrong_with_a_formula_is_said_in_one_line(text: bytes, message: str) -> None:
    with pytest.raises(ProofFormatError) as error:
        parse_cnf(text, "f")
    assert str(error.value) == message


def test_a_proof_as_text_may_span_and_share_lines() -> None:
    assert parse_drat(b"c made\n1 -2 0 d 3\n4 0\r\n\n0\n0") == [
        Addition((1, -2), 2),
        Deletion((3, 4), 3),
        Addition((), 5),
        Addition((), 6),
    ]
    assert parse_drat(b"") == []


def as_binary(steps: list[Addition | Deletion]) -> bytes:
    data = bytearray()
    for step in steps:
        data += b"a" if isinstance(step, Addition) else b"d"
        for lit in (*step.literals, 0):
            number = 2 * abs(lit) + (lit < 0)
            while number > 127:
                data.append(number & 127 | 128)
                number >>= 7
            data.append(number)
    return bytes(data)


def test_binary_proofs_are_told_from_text_whatever_their_first_bytes_look_like() -> None:
    rng = random.Random(1)
    for _ in range(300):
        variables = rng.choice((5, 29, 300, 2**31 - 1))
        steps = [
            rng.choice((Addition, Deletion))(
                tuple(
                    rng.choice((1, -1)) * rng.randint(1, variables) for _ in range(rng.randrange(5))
                ),
                number,
            )
            for number in range(1, rng.randrange(2, 9))
        ]
        assert parse_drat(as_binary(steps)) == steps
    # Numbers in more bytes than they need, one of them with the zero byte that ends a step.
    padded = b"a\x82\x80\x00\x05\0a\x84\0\0d\x05\x80\0"
    assert parse_drat(padded) == [Addition((1, -2), 1), Addition((2,), 2), Deletion((-2,), 3)]
    # drat-trim takes both of these for what they are not.
    assert parse_drat(bytes([100, 32, 57, 0])) == [Deletion((16, -28), 1)]
    assert parse_drat(b"c z~{}|\n1 0\n") == [Addition((1,), 2)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"1 2\n3", "f:2: the last clause lacks its 0"),
        (b"1 0\nd", "f:2: the last clause lacks its 0"),
        (b"1 d 2 0\n", "f:1: 'd' may only stand before a clause"),
        (b"d d 2 0\n", "f:1: 'd' may only stand before a clause"),
        (b"1 x 0\n", "f:1: 'x' is no integer from -2147483647 to 2147483647"),
        (b"1 2147483648 0", "f:1: '2147483648' is no integer from -2147483647 to 2147483647"),
        (b"a\x02\x05", "f:1: 'a\\x02\\x05' is no integer from -2147483647 to 2147483647"),
        (b"a\x02\0a\x02", "f: byte 5: the proof is cut off"),
        (b"a\x02\0x\x02\0", "f: byte 3: expected 'a' or 'd', not 'x'"),
        (b"a\x01\0", "f: byte 1: the number 1 is no literal"),
        (b"a\xff\xff\xff\xff\xff\x01\0", "f: byte 1: a number of more than five bytes"),
        (b"a\xff\xff\xff\xff\x7f\0", "f: byte 1: the number 34359738367 is no literal"),
    ],
)
def test_what_is_wrong_with_a_proof_is_said_in_one_line(data: bytes, message: str) -> None:
    with pytest.raises(ProofFormatError) as error:
        parse_drat(data, "f")
    assert str(error.value) == message


def test_lrat_is_read_as_it_is_written() -> None:
    steps: list[LratAddition | LratDeletion] = [
        LratAddition(5, (1, -2), (3, -4, 2)),
        LratDeletion(5, (1, 2)),
        LratAddition(7, (), ()),
    ]
    stream = io.StringIO()
    write_lrat(steps, stream)
    assert stream.getvalue() == "5 1 -2 0 3 -4 2 0\n5 d 1 2 0\n7 0 0\n"
    read = parse_lrat(stream.getvalue().encode())
    assert read == [step._replace(line=line) for line, step in enumerate(steps, start=1)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"0 1 0 1 0", "a step begins with an identifier above 0"),
        (b"d 1 0", "a step begins with an identifier above 0"),
        (b"5", "a lemma is ID LITERALS 0 HINTS 0"),
        (b"5 1 0", "a lemma is ID LITERALS 0 HINTS 0"),
        (b"5 1 0 2 0 3 0", "a lemma is ID LITERALS 0 HINTS 0"),
        (b"5 1 0 2", "a lemma is ID LITERALS 0 HINTS 0"),
        (b"5 1 d 0 2 0", "a lemma is ID LITERALS 0 HINTS 0"),
        (b"5 d", "a deletion is ID d IDS 0, identifiers above 0"),
        (b"5 d -1 0", "a deletion is ID d IDS 0, identifiers above 0"),
        (b"5 d 1", "a deletion is ID d IDS 0, identifiers above 0"),
        (b"5 1 0 two 0", "'two' is no integer from -2147483647 to 2147483647"),
    ],
)
def test_what_is_wrong_with_lrat_is_said_in_one_line(line: bytes, message: str) -> None:
    with pytest.raises(ProofFormatError) as error:
        parse_lrat(b"c\n" + line, "f")
    assert str(error.value) == f"f:2: {message}"


def test_errors_of_files_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bad"
    path.write_bytes(b"1 x\n")
    for read in (read_cnf, read_drat, read_lrat):
        with pytest.raises(ProofFormatError) as error:
            read(path)
        assert str(error.value).startswith(f"{path}:1: ")
        assert "\n" not in str(error.value)


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
