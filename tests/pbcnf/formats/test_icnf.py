import gzip
import io
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import MAX_VAR, Formula
from pbcnf.formats.read.icnf import read_icnf
from pbcnf.formats.write.icnf import write_icnf
from tests.problem_files import formula_of
from tests.problem_files import read as read_with

read = partial(read_with, reader=read_icnf)


HAND_WRITTEN = b"""c by hand
p inccnf
1 -2 0
2 3
-4 0 c why
a 1 -3 0
a 0
"""


def test_clauses_cubes_and_comments_are_read():
    file = read(HAND_WRITTEN)
    assert (file.formula.num_vars, list(file.formula.clauses())) == (4, [[1, -2], [2, 3, -4]])
    assert (file.cubes, file.clauses_before) == (((1, -3), ()), (2, 2))
    assert (file.comments, file.notes) == (("by hand", "why"), ())


def test_compressed_crlf_and_a_byte_order_mark_are_read():
    data = gzip.compress(b"\xef\xbb\xbf" + HAND_WRITTEN.replace(b"\n", b"\r\n"))
    assert read(data).cubes == read(HAND_WRITTEN).cubes


def test_a_cube_is_asked_after_the_clauses_before_it():
    file = read("p inccnf\na 1 0\n1 2 0\na -1 0\n-2 0 a 3 0")
    assert (file.cubes, file.clauses_before) == (((1,), (-1,), (3,)), (0, 1, 2))
    assert (file.formula.num_vars, file.formula.num_clauses) == (3, 2)


LITS = st.integers(-9, 9).filter(bool) | st.sampled_from([MAX_VAR, -MAX_VAR])
CLAUSES = st.lists(st.lists(LITS, max_size=4), max_size=6)


@settings(max_examples=60, deadline=None)
@given(CLAUSES, CLAUSES, st.lists(st.text("ab 1p", max_size=4), max_size=2))
def test_what_is_written_is_read_back(clauses, cubes, comments):
    stream = io.BytesIO()
    write_icnf(formula_of(MAX_VAR, clauses), cubes, stream, comments)
    file = read(stream.getvalue())
    assert list(file.formula.clauses()) == clauses
    assert file.cubes == tuple(map(tuple, cubes))
    assert set(file.clauses_before) <= {len(clauses)}
    assert file.comments == tuple(comment.rstrip() for comment in comments)
    largest = max((abs(lit) for lits in [*clauses, *cubes] for lit in lits), default=0)
    assert file.formula.num_vars == largest


@pytest.mark.parametrize("cube", [[3], [0], [True], ["1"], [1.0]])
def test_a_cube_that_is_none_is_refused_before_anything_is_written(cube):
    stream = io.BytesIO()
    with pytest.raises((TypeError, ValueError)):
        write_icnf(Formula(2), [[1], cube], stream)
    assert stream.getvalue() == b""
