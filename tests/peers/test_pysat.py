"""PySAT's encodings, as measured and published: which are weak, and PySAT's own traps."""

import pytest

from pbcnf.audit import Bound, Kind, Property, audit, audit_encoder
from satsweeper.peers import load


@pytest.fixture(scope="session")
def pysat():
    return load("pysat")


CARDINALITY = [
    "pairwise",
    "seqcounter",
    "sortnetwrk",
    "cardnetwrk",
    "bitwise",
    "ladder",
    "totalizer",
    "mtotalizer",
    "kmtotalizer",
    "itotalizer",
]


def failing(library, name, kind, prop, upto=6):
    rows = audit_encoder(library.encoders[name], upto, name).rows()
    return [str(case.bound) for row in rows if row.kind is kind for case, _ in row.failing(prop)]


def test_the_encodings_of_pysat_are_there_and_its_version(pysat):
    assert set(CARDINALITY) <= set(pysat.encoders)
    assert pysat.version


@pytest.mark.parametrize("name", ["mtotalizer", "kmtotalizer"])
def test_the_modulo_totalizers_miss_conflicts_in_7_and_forced_inputs_in_10_bounds(pysat, name):
    missed = failing(pysat, name, Kind.AT_MOST, Property.DETECTS, upto=7)
    unforced = failing(pysat, name, Kind.AT_MOST, Property.ARC_CONSISTENT, upto=7)
    assert (len(missed), missed[0]) == (7, "at most 2 of 5")
    assert (len(unforced), unforced[0]) == (10, "at most 2 of 4")


@pytest.mark.parametrize("name", ["mtotalizer", "kmtotalizer"])
def test_the_published_counter_examples_are_found(pysat, name):
    missed = audit(pysat.encoders[name], Bound((1,) * 5, 0, 2)).audit.failures
    assert missed[Property.DETECTS].inputs == (1, 3, 4)
    unforced = audit(pysat.encoders[name], Bound((1,) * 4, 0, 2)).audit.failures
    assert unforced[Property.ARC_CONSISTENT].inputs == (1, 3)
    assert unforced[Property.ARC_CONSISTENT].literal in (-2, -4)


@pytest.mark.parametrize(
    ("name", "unique"),
    [
        ("seqcounter", True),
        ("mtotalizer", True),
        ("kmtotalizer", True),
        ("totalizer", False),
        ("sortnetwrk", False),
        ("cardnetwrk", False),
    ],
)
def test_exactly_k_is_parsimonious_as_published(pysat, name, unique):
    several = failing(pysat, name, Kind.EXACTLY, Property.PARSIMONIOUS)
    assert (several == []) is unique


def test_inputs_that_no_clause_needs_are_counted(pysat):
    # PySAT itself gives 0 variables for at most 3 of 3.
    assert pysat.encoders["seqcounter"](3, 0, 3) == (3, [])


@pytest.mark.parametrize(
    ("name", "n", "lower", "upper"),
    [
        ("pairwise", 5, 0, 2),
        ("seqcounter", 5, 1, 3),
        ("seqcounter", 5, -1, 3),
        ("totalizer", 5, 0, 6),
        ("itotalizer", 5, 2, 5),
    ],
)
def test_a_bound_that_pysat_cannot_express_is_a_value_error(pysat, name, n, lower, upper):
    with pytest.raises(ValueError, match=r"of 5|at most only"):
        pysat.encoders[name](n, lower, upper)


def test_ours_are_there_under_pysats_names():
    grown = {"itotalizer_grown", "pb_conditionals"}
    assert {*CARDINALITY, "pb_best", "pb_adder", *grown} <= set(load("pbcnf_pysat").encoders)
