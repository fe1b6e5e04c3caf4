"""DIMACS as it is read, written and linted; flat arrays; formulas that write themselves."""

import gzip
import io
import json
import tempfile
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbcnf import MAX_VAR, Cardinality, EncodingError, Formula, dimacs, encode, write_dimacs
from pbcnf.formats.digits import literals_and_zeros
from pbcnf.formats.error import FormatError
from pbcnf.formats.lint import RULES, lint
from pbcnf.formats.read import dimacs as dimacs_reader
from pbcnf.formats.read.dimacs import read_dimacs
from pbcnf.formats.read.wcnf import read_wcnf
from tests.problem_files import formula_of
from tests.problem_files import read as read_with

DATA = Path(__file__).parents[2] / "data"
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
    return read_with(data, reader=partial(read_dimacs, strict=strict))


LENIENTLY_READ = {
    "literal_beyond_declared_variables", "no_header", "fewer_clauses_than_declared",
    "more_clauses_than_declared", "percent_before_the_last_clause",
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_malformed_file_is_refused_at_its_place_even_leniently_if_it_holds_no_clauses(name):
    data = path_of(name).read_bytes()
    with pytest.raises(FormatError) as error:
        read(data)
    assert str(error.value).startswith(f"f:{REFUSED[name]}")
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 200
    if name in LENIENTLY_READ:
        assert read(data, strict=False).notes
    else:
        with pytest.raises(FormatError):
            read(data, strict=False)


@pytest.mark.parametrize("name", READ)
def test_an_unusual_file_is_read(name):
    with path_of(name).open("rb") as stream:
        assert content(read_dimacs(stream, "f")) == READ[name]
        assert not stream.closed


def test_every_file_has_its_expectation():
    named = {path_of(name) for name in [*REFUSED, *READ]}
    assert named == {path for path in FILES.iterdir() if path.name != ".gitattributes"}


def test_comments_are_kept_in_order_and_the_percent_of_satlib_is_noted():
    file = read((FILES / "comments_anywhere.cnf").read_bytes())
    assert (file.comments, file.notes) == (("one", "two", "three", "four", "five", ""), ())
    assert read((FILES / "latin1_comment.cnf").read_bytes()).comments == (r"h\xfctte",)
    # Nothing behind the percent sign is read.
    file = read(b"p cnf 1 1\n1 0\n%\n0\nwhatever \xff\n")
    assert file.notes == ("line 3: '%', nothing behind it was read",)


@pytest.mark.parametrize(
    ("data", "found", "note"),
    [("p cnf 1 1\n1 3 0\n", (3, [[1, 3]]), "variable 3, but 1 variable is declared"),
     ("p cnf 4 3\n1 0\n", (4, [[1]]), "1 clause, but 3 are declared"),
     ("p cnf 4 1\n1 0\n2 0\n", (4, [[1], [2]]), "2 clauses, but 1 is declared"),
     ("1 -2 0\n", (2, [[1, -2]]), "no header: 'p cnf VARIABLES CLAUSES' is needed")],
)  # fmt: skip
def test_a_lenient_reader_notes_what_a_strict_one_refuses(data, found, note):
    file = read(data, strict=False)
    assert (content(file), file.notes) == (found, (note,))
    with pytest.raises(FormatError):
        read(data)


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


@pytest.mark.parametrize("blank", [" ", "\n", " \n", "\t", "\r\n"])
def test_large_files_are_read_across_pieces_of_any_kind(blank, monkeypatch):
    monkeypatch.setattr("pbcnf.formats.compressed._CHUNK", 5000)
    monkeypatch.setattr("pbcnf.formats.digits._SLICE", 900)
    rng, most = np.random.default_rng(0), 20_000_000
    widths = rng.integers(0, 6, 4000)
    clauses = [(rng.integers(1, most, w) * rng.choice([-1, 1], w)).tolist() for w in widths]
    lines = [blank.join([*map(str, clause), "0"]) for clause in clauses]
    for at in rng.integers(0, 4000, 5):
        lines.insert(at, "c a comment")
    data = f"p cnf 20000000 {len(clauses)}\n" + "\n".join(lines)
    assert both_ways(data.encode())[0] == (20_000_000, clauses)
    assert content(read(gzip.compress(data.encode()))) == (20_000_000, clauses)


def test_an_error_far_behind_has_its_line_and_column(monkeypatch):
    monkeypatch.setattr("pbcnf.formats.compressed._CHUNK", 5000)
    lines = ["1 2 0"] * 9000
    lines[7654] = "1  2 x 0"
    with pytest.raises(FormatError) as error:
        read("p cnf 2 9000\n" + "\n".join(lines))
    assert str(error.value) == "f:7656:6: 'x' is no literal"
    with pytest.raises(FormatError, match=r"^f:9003:2: the last clause has no 0$"):
        read("p cnf 2 9001\n" + "1 2 0\n" * 9000 + "1 \n-2   \n\nc\n\n")


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


def parse(text):
    """Read DIMACS the plain way: (variables, clauses)."""
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    _, _, num_vars, num_clauses = lines[0].split(" ")
    assert lines[0] == f"p cnf {num_vars} {num_clauses}"
    clauses = [[int(word) for word in line.split(" ")] for line in lines[1:]]
    assert all(clause.index(0) == len(clause) - 1 for clause in clauses)
    assert len(clauses) == int(num_clauses)
    return int(num_vars), [clause[:-1] for clause in clauses]


VARIABLES = st.one_of(
    st.integers(1, 12), st.integers(1, MAX_VAR), st.sampled_from([10**k for k in range(10)])
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(st.tuples(VARIABLES, st.booleans()), max_size=4), max_size=12),
    st.sampled_from([20, 1000, 999_999, MAX_VAR]),
    st.lists(st.text("abc p09 ", max_size=5), max_size=2),
)
def test_what_is_written_is_what_was_added_and_read_back(clauses, num_vars, comments):
    clauses = [[(-v if sign else v) for v, sign in c if v <= num_vars] for c in clauses]
    stream = io.BytesIO()
    write_dimacs(formula_of(num_vars, clauses), stream, comments)
    file = read(stream.getvalue())
    assert parse(stream.getvalue().decode()) == content(file) == (num_vars, clauses)
    assert file.comments == tuple(comment.rstrip() for comment in comments)


@pytest.mark.parametrize("num_vars", [9, 10, 99, 12_345, 999_999, 1_000_000])
def test_every_number_of_digits_is_written_from_blocks(num_vars):
    rng = np.random.default_rng(num_vars)
    edges = [10**k + d for k in range(8) for d in (-1, 0, 1) if 1 <= 10**k + d <= num_vars]
    lits = np.array([*edges, num_vars, *rng.integers(1, num_vars + 1, 70_000)])
    lits = np.concatenate([lits, -lits])
    lits = np.concatenate([lits, np.ones(num_vars % 7 * 3 + 3 - len(lits) % 3, dtype=int)])
    formula = Formula(num_vars)
    formula.add_block(lits[: len(lits) // 3 * 3].reshape(-1, 3))
    # Nearly a million variables are looked up in a table only if as many literals follow.
    formula.add_block(np.full((100_000 if num_vars == 999_999 else 10_000, 10), -num_vars))
    formula.add_clause([1])
    assert parse(dimacs(formula)) == (num_vars, list(formula.clauses()))


def test_the_header_counts_allocated_variables_and_clauses():
    formula = Formula(num_vars=7)
    assert dimacs(formula) == "p cnf 7 0\n"
    formula.add_clause([])
    formula.add_block(np.zeros((2, 0), dtype=np.int32))
    formula.add_clause([-7, 1])
    assert dimacs(formula) == "p cnf 7 4\n0\n0\n0\n-7 1 0\n"


def test_binary_and_text_streams_get_the_same_with_a_line_for_each_comment():
    formula, comments = formula_of(3, [[1, -3]]), ["one\ntwo", "", "three"]
    expected = "c one\nc two\nc\nc three\np cnf 3 1\n1 -3 0\n"
    binary, packed = io.BytesIO(), io.BytesIO()
    write_dimacs(formula, binary, comments)
    with gzip.open(packed, "wb") as stream:
        write_dimacs(formula, stream, comments)
    with tempfile.TemporaryFile("w+") as file:
        for text in io.StringIO(), file:
            write_dimacs(formula, text, comments)
            text.seek(0)
            assert text.read() == expected
    assert binary.getvalue() == gzip.decompress(packed.getvalue()) == expected.encode()


def test_a_comment_that_could_mislead_a_reader_is_refused_before_anything_is_written():
    stream = io.BytesIO()
    for comment in "p cnf 3 2", "see\nthe p cnf line", "p  cnf", "h\xfctte":
        with pytest.raises(ValueError, match=r"p cnf|ASCII"):
            write_dimacs(Formula(1), stream, comments=["fine", comment])
        assert stream.getvalue() == b""


FLAT = st.lists(st.integers(-5, 5), max_size=12)


@given(FLAT, st.sampled_from([np.int8, np.int32, np.int64]), st.booleans())
def test_a_flat_array_adds_the_clauses_between_its_zeros(values, kind, owned):
    flat = np.array([*values, 0], dtype=kind)
    formula = Formula(5)
    formula.add_clause([5])
    if owned:
        flat.flags.writeable = False
    formula.add_flat(flat)
    formula.add_clause([])
    if not owned:
        flat[:] = 9
    words = " ".join(map(str, ["", *values, 0, ""])).split(" 0")[:-1]
    expected = [[5], *([int(word) for word in clause.split()] for clause in words), []]
    assert list(formula.clauses()) == expected
    assert sorted(c for block in formula.blocks() for c in block.tolist()) == sorted(expected)
    assert formula.num_clauses == len(expected)
    assert formula.num_literals == sum(map(len, expected))


def test_a_flat_array_that_holds_no_clauses_is_refused_and_nothing_added():
    formula = Formula(5)
    for flat, error in [
        ([1, 2], "no 0"), ([6, 0], "variable 6 is not allocated"),
        ([-6, 0], "variable 6 is not allocated"), ([-(2**31), 0], "outside the range"),
        ([2**32 + 1, 0], "outside the range"), ([1.0, 0], "integers is needed"),
        ([True, False], "integers is needed"), ([[1, 0]], "integers is needed"),
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=error):
            formula.add_flat(np.array(flat))
    formula.add_flat(np.empty(0, np.int32))
    assert (formula.num_clauses, list(formula.blocks())) == (0, [])


@pytest.fixture
def formula():
    formula = Formula(5)
    encode(Cardinality(range(1, 6), lower=1, upper=2), formula, encoder="totalizer")
    return formula


def test_a_formula_is_written_as_its_clauses_and_declared_variables(formula, tmp_path):
    assert formula.write(tmp_path / "f.cnf", comments=["one or two of five"]) is None
    text = (tmp_path / "f.cnf").read_text()
    assert text.startswith(f"c one or two of five\np cnf {formula.num_vars} {len(formula)}\n")
    formula.write(str(tmp_path / "f.cnf.xz"))
    with open(tmp_path / "f.cnf.xz", "rb") as stream:
        read = read_dimacs(stream, "f").formula
    assert (read.num_vars, list(read)) == (formula.num_vars, list(formula))


@pytest.mark.parametrize("name", ["f.icnf", "f.pmc", "f.wcnf", "f.xcnf"])
def test_every_format_of_clauses_keeps_them(formula, tmp_path, name):
    formula.write(tmp_path / name)
    if name == "f.wcnf":
        with open(tmp_path / name, "rb") as stream:
            written = list(read_wcnf(stream, name).hard)
    else:
        lines = (tmp_path / name).read_text().splitlines()
        rows = [line.split() for line in lines if line[0] not in "cp"]
        written = [list(map(int, row[:-1])) for row in rows]
    assert sorted(map(sorted, written)) == sorted(map(sorted, formula))


def test_a_name_of_no_such_format_is_refused_and_nothing_written(formula, tmp_path):
    for name, message in {
        "f.opb": "f.opb: opb is no format of clauses; these are: cnf, xcnf, icnf, pmc, wcnf",
        "f.txt": "unknown format 'txt'", "f": "the name says no format; known: cnf, ",
        "f.cnf.zst": ".zst is not supported",
    }.items():  # fmt: skip
        with pytest.raises(EncodingError, match=message):
            formula.write(tmp_path / name)
        assert list(tmp_path.iterdir()) == []
    # A folder that is not there is named with the file that was asked for.
    path = tmp_path / "missing" / "f.cnf"
    with pytest.raises(FileNotFoundError) as caught:
        formula.write(path)
    assert caught.value.filename == path


GOOD = "c a comment\np cnf 3 2\n1 -2 0\n2 3 0\n"


def found(text: str | bytes, name: str | None = None) -> list[tuple[str, int | None]]:
    data = text if isinstance(text, bytes) else text.encode()
    return [(finding.rule, finding.line) for finding in lint(data.splitlines(keepends=True), name)]


def test_a_good_file_breaks_no_rule() -> None:
    assert found(GOOD, "minesweeper_3x3-m2_7.cnf.xz") == []
    # Python's hashes of -1 and -2 are equal.
    assert found("p cnf 2 4\n-1 0\n-2 0\n1 0\n2 0\n") == []


DEFECTS = [line.split(" | ") for line in (DATA / "lint.txt").read_text("utf-8").splitlines()]
"""A line is a case: the defect | the text as JSON | each rule that it breaks, and the line."""


@pytest.mark.parametrize(("_", "text", "rules"), DEFECTS, ids=[case[0] for case in DEFECTS])
def test_each_defect_is_named_at_its_line(_, text, rules) -> None:
    expected = [rule.split(":") for rule in rules.split()]
    assert found(json.loads(text)) == [(rule, int(at) or None) for rule, at in expected]


def test_every_rule_has_a_defect_that_breaks_it() -> None:
    broken = {rule.split(":")[0] for *_, rules in DEFECTS for rule in rules.split()}
    assert broken == RULES.keys() - {"name"}


@pytest.mark.parametrize(
    "name", ["expert.cnf", "Family_a_1.cnf.xz", "family_a_1.cnf.gz", "family_a_1.txt"]
)
def test_another_name_than_family_parameters_seed_is_a_warning(name: str) -> None:
    (finding,) = lint(GOOD.encode().splitlines(keepends=True), f"folder/{name}")
    assert (finding.rule, finding.severity) == ("name", "warning")


LITS = st.lists(st.sampled_from([1, -1, 2, -2, 3, -3]), min_size=1, max_size=3)


@settings(max_examples=100, deadline=None)
@given(st.lists(LITS, min_size=1, max_size=6))
def test_what_we_write_breaks_only_what_its_clauses_break(clauses: list[list[int]]) -> None:
    rules = {rule for rule, _ in found(dimacs(formula_of(3, clauses)))}
    sets = [frozenset(clause) for clause in clauses]
    assert ("distinct" in rules) == any(len(s) < len(c) for s, c in zip(sets, clauses, strict=True))
    assert ("opposite" in rules) == any(-lit in s for s in sets for lit in s)
    assert ("duplicate" in rules) == (len(set(sets)) < len(sets))
    assert ("nbvar" in rules) == (len({abs(lit) for s in sets for lit in s}) < 3)
    assert rules <= {"distinct", "opposite", "duplicate", "nbvar"}


def test_clauses_whose_hashes_as_sets_are_equal_are_two() -> None:
    # Python's hashes of such sets of two; found in a formula of 40,000 clauses.
    one, other = (-1529, -1530), (-17985, -17986)
    lines = [b"p cnf 17986 2\n", *(b"%d %d 0\n" % clause for clause in (one, other))]
    assert "duplicate" not in {found.rule for found in lint(lines)}
