import bz2
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import MAX_VAR, Formula
from pbcnf.formats.error import FormatError
from pbcnf.formats.read.wcnf import MOST_WEIGHT, read_wcnf
from pbcnf.formats.write.wcnf import write_wcnf


def read(data):
    return read_wcnf(io.BytesIO(data if isinstance(data, bytes) else data.encode()), "f")


def formula_of(num_vars, clauses):
    formula = Formula(num_vars)
    for clause in clauses:
        formula.add_clause(clause)
    return formula


def content(file):
    return file.hard.num_vars, list(file.hard.clauses()), list(file.soft)


NEW = b"c by hand\nh 1 -2 0\n7 2 0 c why\nh 3\n4 0\n1 -3 -4 0\n2 0\n"
EXPECTED = (4, [[1, -2], [3, 4]], [(7, (2,)), (1, (-3, -4)), (2, ())])


def test_the_form_of_2022_is_read():
    file = read(NEW)
    assert content(file) == EXPECTED
    assert (file.comments, file.notes) == (("by hand", "why"), ())
    assert content(read(bz2.compress(NEW.replace(b"\n", b"\r\n")))) == EXPECTED


def test_the_older_form_is_read_with_its_declared_variables():
    old = "p wcnf 9 5 11\n11 1 -2 0\n7 2 0\n11 3\n4 0\n1 -3 -4 0\n2 0\n"
    assert content(read(old)) == (9, *EXPECTED[1:])


def test_without_a_top_all_clauses_are_soft():
    assert content(read("p wcnf 3 2\n5 1 0\n9 -1 0\n")) == (3, [], [(5, (1,)), (9, (-1,))])


def test_what_is_written_is_the_plain_text():
    stream = io.BytesIO()
    write_wcnf(formula_of(3, [[1, -2], []]), [(7, [2]), (1, [])], stream, ["why"])
    assert stream.getvalue() == b"c why\nh 1 -2 0\nh 0\n7 2 0\n1 0\n"


def test_every_hard_clause_of_many_has_its_h():
    formula = Formula(999)
    rng = np.random.default_rng(0)
    formula.add_block(rng.integers(1, 1000, (30_000, 7)))
    formula.add_clause(range(1, 1000))
    stream = io.BytesIO()
    write_wcnf(formula, [], stream)
    assert stream.getvalue().count(b"h ") == 30_001
    assert list(read(stream.getvalue()).hard.clauses()) == list(formula.clauses())


LITS = st.integers(-9, 9).filter(bool) | st.sampled_from([MAX_VAR, -MAX_VAR])
CLAUSE = st.lists(LITS, max_size=4)
SOFT = st.lists(st.tuples(st.integers(1, 2**60), CLAUSE), max_size=6)


@settings(max_examples=60, deadline=None)
@given(st.lists(CLAUSE, max_size=6), SOFT, st.lists(st.text("ab h1", max_size=4), max_size=2))
def test_what_is_written_is_read_back(hard, soft, comments):
    stream = io.BytesIO()
    write_wcnf(formula_of(MAX_VAR, hard), soft, stream, comments)
    if not hard and not soft:
        with pytest.raises(FormatError, match=r"no clause and no header"):
            read(stream.getvalue())
        return
    file = read(stream.getvalue())
    assert list(file.hard.clauses()) == hard
    assert file.soft == tuple((weight, tuple(clause)) for weight, clause in soft)
    assert file.comments == tuple(comment.rstrip() for comment in comments)


def test_pysat_reads_what_we_write_and_we_read_what_pysat_writes():
    from pysat.formula import WCNF

    hard, soft = [[1, -2], [-1, 3, 2]], [(7, [2]), (12345678901, [-3, -1])]
    stream = io.StringIO()
    write_wcnf(formula_of(3, hard), soft, stream, ["a comment"])
    theirs = WCNF(from_string=stream.getvalue())
    assert (theirs.hard, theirs.soft, theirs.wght) == (hard, [c for _, c in soft], [7, 12345678901])
    text = io.StringIO()
    theirs.to_fp(text)
    assert content(read(text.getvalue())) == (3, hard, [(w, tuple(c)) for w, c in soft])


MALFORMED = {
    "an empty file": ("", " no clause and no header: a WCNF file is needed"),
    "only comments": ("c one\n", " no clause and no header"),
    "the header of plain CNF": ("p cnf 3 2\n", "1:1: 'p cnf 3 2' is the header of DIMACS CNF"),
    "two headers": ("p wcnf 1 0\np wcnf 1 0\n", "2:1: a second header"),
    "a header after clauses": ("h 1 0\np wcnf 1 1 5\n", "2:1: the header comes after 1 clause"),
    "a top of 0": ("p wcnf 1 1 0\n", "1:1: 'p wcnf 1 1 0' is no header"),
    "h behind a header": ("p wcnf 1 1 5\nh 1 0\n", "2:1: 'h' is no weight"),
    "a negative weight": ("-3 1 0\n", "1:1: '-3' is no weight"),
    "weight 0": ("h 1 0\n0 1 0\n", "2:1: '0' is no weight"),
    "a decimal weight": ("0.5 1 0\n", "1:1: '0.5' is no weight"),
    "an endless weight": (f"{'9' * 5000} 1 0\n", "1:1: '99999"),
    "weights that are too much together": (
        f"{MOST_WEIGHT} 1 0\n1 2 0\n",
        "2:1: weight 1: the soft clauses weigh more than 9223372036854775807 together",
    ),
    "a weight above the top": ("p wcnf 1 1 5\n6 1 0\n", "2:1: weight 6: more than 5, the weight"),
    "h without a blank": ("h1 0\n", "1:1: 'h1' is no weight"),
    "h alone at the end": ("h", "1:1: the last clause has no 0"),
    "no 0 at the end": ("h 1 0\n3 1 2\n", "2:5: the last clause has no 0"),
    "h within a clause": ("h 1 h 2 0\n", "1:5: 'h' is no literal"),
    "a literal beyond the declared": ("p wcnf 2 1\n1 3 0\n", "2:3: literal 3: 2 variables"),
    "fewer clauses than declared": ("p wcnf 2 2\n1 2 0\n", " the file ends after 1 of 2 declared"),
    "more clauses than declared": ("p wcnf 2 0\n1 2 0\n", "2:1: clause 1, but 0 are declared"),
    "a huge literal": ("h 1073741824 0\n", "1:3: literal 1073741824: 1073741823 variables can"),
}


@pytest.mark.parametrize("defect", MALFORMED)
def test_malformed_text_is_refused_at_its_place(defect):
    text, message = MALFORMED[defect]
    with pytest.raises(FormatError) as error:
        read(text)
    assert str(error.value).startswith(f"f:{message}")


@pytest.mark.parametrize(
    "soft",
    [
        [(0, [1])], [(-1, [1])], [(1.5, [1])], [(True, [1])], [(1, [3])], [(1, [0])],
        [(MOST_WEIGHT, [1]), (1, [2])],
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused_before_anything_is(soft):
    stream = io.BytesIO()
    with pytest.raises((TypeError, ValueError)):
        write_wcnf(Formula(2), soft, stream)
    assert stream.getvalue() == b""
