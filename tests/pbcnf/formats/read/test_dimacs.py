import gzip
import io
import random
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbcnf import MAX_VAR, Formula, write_dimacs
from pbcnf.formats.digits import literals_and_zeros
from pbcnf.formats.error import FormatError
from pbcnf.formats.read import dimacs as dimacs_reader
from pbcnf.formats.read.dimacs import read_dimacs

DATA = Path(__file__).parents[3] / "data"
FILES = DATA / "malformed" / "dimacs"
REFUSED = dict(
    line.split(" | ", 1) for line in (DATA / "malformed_dimacs.txt").read_text("utf-8").splitlines()
)
TWO = (2, [[1, -2], [2]])
READ = {
    "satlib_percent": TWO, "crlf": TWO, "tabs_and_spaces": TWO, "byte_order_mark": TWO,
    "two_clauses_on_a_line": TWO, "clause_over_lines": TWO, "comments_anywhere": TWO,
    "latin1_comment": TWO, "no_variables_no_clauses": (0, []), "empty_clause": (2, [[1, -2], []]),
    "tautology_and_duplicate": (2, [[1, -1], [2, 2]]),
    "declared_variables_never_used": (MAX_VAR, [[1]]),
}  # fmt: skip


def path_of(name):
    return FILES / (name if "." in name else f"{name}.cnf")


def content(file):
    return file.formula.num_vars, list(file.formula.clauses())


def read(data, strict=True):
    data = data if isinstance(data, bytes) else data.encode()
    return read_dimacs(io.BytesIO(data), "f", strict=strict)


@pytest.mark.parametrize("name", REFUSED)
def test_a_malformed_file_is_refused_at_its_place(name):
    with pytest.raises(FormatError) as error, path_of(name).open("rb") as stream:
        read_dimacs(stream, "f")
    assert str(error.value).startswith(f"f:{REFUSED[name]}")
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("name", READ)
def test_an_unusual_file_is_read(name):
    with path_of(name).open("rb") as stream:
        assert content(read_dimacs(stream, "f")) == READ[name]
        assert not stream.closed


def test_every_file_has_its_expectation():
    named = {path_of(name) for name in [*REFUSED, *READ]}
    assert named == {path for path in FILES.iterdir() if path.name != ".gitattributes"}


def test_comments_are_kept_in_order():
    file = read((FILES / "comments_anywhere.cnf").read_bytes())
    assert file.comments == ("one", "two", "three", "four", "five", "")
    assert read((FILES / "latin1_comment.cnf").read_bytes()).comments == (r"h\xfctte",)
    assert file.notes == ()


def test_the_percent_of_satlib_is_noted_and_nothing_after_it_read():
    file = read(b"p cnf 1 1\n1 0\n%\n0\nwhatever \xff\n")
    assert file.notes == ("line 3: '%', nothing behind it was read",)


LENIENT = {
    b"p cnf 1 1\n1 3 0\n": (3, [[1, 3]], "variable 3, but 1 variable is declared"),
    b"p cnf 4 3\n1 0\n": (4, [[1]], "1 clause, but 3 are declared"),
    b"p cnf 4 1\n1 0\n2 0\n": (4, [[1], [2]], "2 clauses, but 1 is declared"),
    b"1 -2 0\n": (2, [[1, -2]], "no header: 'p cnf VARIABLES CLAUSES' is needed"),
}


@pytest.mark.parametrize("data", LENIENT)
def test_a_lenient_reader_notes_what_a_strict_one_refuses(data):
    num_vars, clauses, note = LENIENT[data]
    file = read(data, strict=False)
    assert (content(file), file.notes) == ((num_vars, clauses), (note,))
    with pytest.raises(FormatError):
        read(data)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_lenient_reader_refuses_what_is_no_clause(name):
    lenient = {"literal_beyond_declared_variables", "no_header", "fewer_clauses_than_declared"}
    lenient |= {"more_clauses_than_declared", "percent_before_the_last_clause"}
    data = path_of(name).read_bytes()
    if name in lenient:
        assert read(data, strict=False).notes
    else:
        with pytest.raises(FormatError):
            read(data, strict=False)


def test_huge_declared_numbers_need_no_memory():
    with pytest.raises(FormatError, match="ends after 1 of 999999999999999999 declared"):
        read(b"p cnf 1073741823 999999999999999999\n1 0\n")


def outcome(data, strict):
    try:
        file = read(data, strict)
    except FormatError as error:
        return str(error)
    return content(file), file.comments, file.notes, file.formula.num_literals


def both_ways(data):
    for strict in (True, False):
        fast = outcome(data, strict)
        # Without its fast path every line goes through the strict parser.
        with patch.object(dimacs_reader, "literals_and_zeros", lambda text: None):
            assert outcome(data, strict) == fast
    return fast


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=80) | st.text("012 -\n\r\t", max_size=80).map(str.encode))
@example(b"1 2 0\r")
@example(b"1 2 \r0\n")
@example(b"1 99999999\n1073741823 -1073741823 0\n")
@example(b"1073741824 0\n")
@example(b"-12345678 12345678 -123456789 100000000 0\n")
@example(b"- 1 0\n")
@example(b"00 0\n")
@example(b"1 2147483648 0")
@example(b"4294967297 0")
@example(b"-")
@example(b"1 2")
def test_fast_and_strict_parser_agree_on_any_text(text):
    for variables, clauses in [(2, 1), (MAX_VAR, 2)]:
        both_ways(b"p cnf %d %d\n" % (variables, clauses) + text)
    both_ways(text)


WORDS = st.one_of(
    st.integers(-30, 30).map(str),
    st.integers(-(2**31), 2**31).map(str),
    st.sampled_from(["0", "0", "0", "-0", "c", "\nc x\n", "\r\n", "007", "%", "1e5", "+3"]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(WORDS, st.sampled_from([" ", "\n", "\t", "  "])), max_size=60))
def test_fast_and_strict_parser_agree_on_words(words):
    text = "".join(word + blank for word, blank in words)
    both_ways(f"p cnf 30 {text.count(' 0')}\n{text}".encode())
    both_ways(f"p cnf {MAX_VAR} 5\n{text}".encode())


CLAUSES = st.lists(st.lists(st.integers(-MAX_VAR, MAX_VAR).filter(bool), max_size=4), max_size=12)


@settings(max_examples=100, deadline=None)
@given(CLAUSES, st.lists(st.text("abc p09 ", max_size=5), max_size=2))
def test_what_is_written_is_read_back(clauses, comments):
    formula = Formula(MAX_VAR)
    for clause in clauses:
        formula.add_clause(clause)
    stream = io.BytesIO()
    write_dimacs(formula, stream, comments)
    file = read(stream.getvalue())
    assert content(file) == (MAX_VAR, clauses)
    assert file.comments == tuple(comment.rstrip() for comment in comments)


def many(clauses, seed=0, variables=20_000_000):
    rng = np.random.default_rng(seed)
    widths = rng.integers(0, 6, clauses)
    return [(rng.integers(1, variables, w) * rng.choice([-1, 1], w)).tolist() for w in widths]


@pytest.mark.parametrize("blank", [" ", "\n", " \n", "\t", "\r\n"])
def test_large_files_are_read_across_pieces_of_any_kind(blank, monkeypatch):
    monkeypatch.setattr("pbcnf.formats.compressed._CHUNK", 5000)
    monkeypatch.setattr("pbcnf.formats.digits._SLICE", 900)
    clauses = many(4000)
    draw = random.Random(1)
    lines = [blank.join([*map(str, clause), "0"]) for clause in clauses]
    for _ in range(5):
        lines.insert(draw.randrange(len(lines)), "c a comment")
    data = f"p cnf 20000000 {len(clauses)}\n" + "\n".join(lines)
    assert content(read(data)) == (20_000_000, clauses)
    assert both_ways(data.encode())[0] == (20_000_000, clauses)
    assert content(read(gzip.compress(data.encode()))) == (20_000_000, clauses)


def test_an_error_far_behind_has_its_line_and_column(monkeypatch):
    monkeypatch.setattr("pbcnf.formats.compressed._CHUNK", 5000)
    lines = ["1 2 0"] * 9000
    lines[7654] = "1  2 x 0"
    with pytest.raises(FormatError) as error:
        read("p cnf 2 9000\n" + "\n".join(lines))
    assert str(error.value) == "f:7656:6: 'x' is no literal"
    with pytest.raises(FormatError) as error:
        read("p cnf 2 9001\n" + "1 2 0\n" * 9000 + "1 \n-2   \n\nc\n\n")
    assert str(error.value) == "f:9003:2: the last clause has no 0"


def test_a_long_clause_on_one_line():
    lits = [(-1) ** i * (i + 1) for i in range(300_000)]
    data = f"p cnf 300000 1\n{' '.join(map(str, lits))} 0\n"
    assert content(read(data)) == (300_000, [lits])
    assert content(read(data.replace(" 0\n", " 0 c\n"))) == (300_000, [lits])


def test_pysat_reads_the_same_clauses_where_it_can():
    from pysat.formula import CNF

    refused = {"satlib_percent", "byte_order_mark", "latin1_comment", "comments_anywhere"}
    refused |= {"two_clauses_on_a_line", "clause_over_lines"}
    for name in READ.keys() - refused:
        assert CNF(from_string=path_of(name).read_text()).clauses == READ[name][1], name


def test_numbers_of_every_length_are_values():
    edges = [10**k + d for k in range(10) for d in (-1, 0, 1)]
    values = [sign * v for v in edges if 0 <= v <= MAX_VAR for sign in (1, -1)] + [MAX_VAR]
    text = " ".join(map(str, values)).encode()
    assert literals_and_zeros(text).tolist() == values
    for wrong in (b"1073741824", b"-1073741824", b"9999999999", b"10000000000", b"1" * 30):
        assert literals_and_zeros(wrong) is None
