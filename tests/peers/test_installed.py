"""The other libraries, where they are installed, against published figures; and where not."""

import sys
from importlib.util import find_spec

import pytest

from pbcnf.audit import Kind, Property, audit_encoder
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
    [
        ("pindakaas", {"adder", "mixed_radix"}),
        ("rustsat", {"binary_adder"}),
        ("pypblib", set()),
        ("pysat", {"mtotalizer", "kmtotalizer"}),
        ("pbcnf_pysat", {"pb_adder"}),
    ],
)
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
