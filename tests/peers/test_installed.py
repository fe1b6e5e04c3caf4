"""The other libraries, where they are installed, against published figures; and where not.

Of PySAT's encodings it is measured and published which are weak; and PySAT has traps of its own.
"""

import sys
from importlib.util import find_spec

import pytest

from pbcnf.audit import Bound, Kind, Property, audit, audit_encoder
from satsweeper.peers import PEERS, PeerMissingError, load


def library(name):
    pytest.importorskip(name, exc_type=ImportError)
    return load(name)


def failing(found, name, kind, prop, upto=6):
    rows = audit_encoder(found.encoders[name], upto, name).rows()
    return [str(case.bound) for row in rows if row.kind is kind for case, _ in row.failing(prop)]


def not_arc_consistent(found):
    names = set()
    for name, encoder in found.encoders.items():
        contract = audit_encoder(encoder, 6, name)
        assert contract.breaches() == [], name
        assert any(row.cases for row in contract.rows() if row.kind is Kind.AT_MOST), name
        if any(row.failing(Property.ARC_CONSISTENT) for row in contract.rows()):
            names.add(name)
    return names


@pytest.mark.parametrize(
    ("name", "weak"),
    [("pindakaas", {"adder", "mixed_radix"}), ("rustsat", {"binary_adder"}), ("pypblib", set()),
     ("pysat", {"mtotalizer", "kmtotalizer"}), ("pbcnf_pysat", {"pb_adder"})],
)  # fmt: skip
def test_every_encoding_is_correct_and_all_but_these_are_arc_consistent(name, weak):
    if name == "pysat" and find_spec("pindakaas"):
        weak = {*weak, "pb_adder", "pb_mixedradix"}
    assert not_arc_consistent(load(name) if "pysat" in name else library(name)) == weak


def test_pindakaas_adder_and_mixed_radix_miss_conflicts():
    found = library("pindakaas")
    assert failing(found, "adder", Kind.AT_MOST, Property.DETECTS)[0] == "at most 2 of 6"
    assert failing(found, "mixed_radix", Kind.AT_MOST, Property.DETECTS)[0] == "at most 2 of 5"
    assert failing(found, "adder", Kind.EXACTLY, Property.PARSIMONIOUS) == []
    assert failing(found, "watchdog_local", Kind.EXACTLY, Property.PARSIMONIOUS) != []


def test_the_adder_of_rustsat_misses_conflicts_even_of_at_most_none():
    found = library("rustsat")
    assert "0 to 0 of 4" in failing(found, "binary_adder", Kind.TRIVIAL, Property.DETECTS)
    assert failing(found, "binary_adder", Kind.AT_MOST, Property.DETECTS)[0] == "at most 1 of 4"
    assert failing(found, "totalizer", Kind.EXACTLY, Property.PARSIMONIOUS) == []


def test_ranges_are_audited_where_a_library_has_them():
    found = library("pypblib")
    rows = {row.kind: row for row in audit_encoder(found.encoders["amk_card"], 5).rows()}
    assert rows[Kind.RANGE].refused == 0
    assert rows[Kind.RANGE].holds(Property.ARC_CONSISTENT) is True


@pytest.mark.parametrize("name", sorted({*PEERS} - {"pbcnf_pysat"}))
def test_a_library_that_is_not_installed_is_named_with_its_package(name, monkeypatch):
    monkeypatch.delitem(sys.modules, f"satsweeper.peers.{name}", raising=False)
    for module in [m for m in sys.modules if m.split(".")[0] == name]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(PeerMissingError, match=f"^{name} is not installed: .* -m pip install "):
        load(name)


def test_a_library_that_cannot_be_loaded_is_one_line(monkeypatch):
    def broken(module):
        raise ImportError("libfoo.so.1: no such file")

    monkeypatch.setattr("satsweeper.peers.import_module", broken)
    with pytest.raises(PeerMissingError, match=r"^rustsat cannot be imported: libfoo\.so\.1"):
        load("rustsat")


@pytest.fixture(scope="session")
def pysat():
    return load("pysat")


CARDINALITY = [
    "pairwise", "seqcounter", "sortnetwrk", "cardnetwrk", "bitwise", "ladder", "totalizer",
    "mtotalizer", "kmtotalizer", "itotalizer",
]  # fmt: skip


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
    [("seqcounter", True), ("mtotalizer", True), ("kmtotalizer", True), ("totalizer", False),
     ("sortnetwrk", False), ("cardnetwrk", False)],
)  # fmt: skip
def test_exactly_k_of_pysat_is_parsimonious_as_published(pysat, name, unique):
    several = failing(pysat, name, Kind.EXACTLY, Property.PARSIMONIOUS)
    assert (several == []) is unique


def test_inputs_that_no_clause_needs_are_counted(pysat):
    # PySAT itself gives 0 variables for at most 3 of 3.
    assert pysat.encoders["seqcounter"](3, 0, 3) == (3, [])


@pytest.mark.parametrize(
    ("name", "n", "lower", "upper"),
    [("pairwise", 5, 0, 2), ("seqcounter", 5, 1, 3), ("seqcounter", 5, -1, 3),
     ("totalizer", 5, 0, 6), ("itotalizer", 5, 2, 5)],
)  # fmt: skip
def test_a_bound_that_pysat_cannot_express_is_a_value_error(pysat, name, n, lower, upper):
    with pytest.raises(ValueError, match=r"of 5|at most only"):
        pysat.encoders[name](n, lower, upper)


def test_ours_are_there_under_pysats_names():
    grown = {"itotalizer_grown", "pb_conditionals"}
    assert {*CARDINALITY, "pb_best", "pb_adder", *grown} <= set(load("pbcnf_pysat").encoders)
