"""``satsweeper audit``: the table, the object, counter-examples and exit codes."""

import json
import sys
from itertools import pairwise

import pytest

from pbcnf import ENCODERS, Propagation
from pbcnf.audit import Bound, audit
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.pysat import card
from pbcnf.wording import install_hint
from satsweeper.peers import PEERS
from tests.commands import call

PROPERTIES = [
    "correct",
    "detects",
    "arc-consistent",
    "parsimonious",
    "exact size",
    "as recorded",
]


def table(out):
    """The rows of the table, as lists of cells."""
    lines = out.splitlines()
    starts = [0, *(lines[0].index(name) for name in ["bounds", "cases", *PROPERTIES]), None]
    cut = [slice(a, b) for a, b in pairwise(starts)]
    ends = next(i for i, line in enumerate([*lines, ": no in "]) if ": no in " in line)
    return [[line[part].strip() for part in cut] for line in lines[:ends]]


def test_the_table_has_a_row_for_every_kind_of_bound():
    ended = call("audit", "totalizer", "--n", 5)
    assert (ended.code, ended.err) == (0, "")
    rows = table(ended.out)
    assert rows[0] == ["encoder", "bounds", "cases", *PROPERTIES]
    assert [row[1] for row in rows[1:5]] == ["at most", "at least", "exactly", "range"]
    assert rows[1] == ["totalizer", "at most", "10", "yes", "yes", "yes", "no 9", "yes", "yes"]
    assert rows[3] == ["totalizer", "exactly", "10", *["yes"] * 6]


def test_every_no_has_its_first_counter_example_below_the_table():
    ended = call("audit", "pysat:kmtotalizer", "direct", "--n", 5)
    lines = ended.out.splitlines()
    assert (
        "pysat:kmtotalizer, at most, detects: no in 1 of 10 cases; at most 2 of 5, given 1 3 4: "
        "no completion, but no conflict by unit propagation" in lines
    )
    noes = sum(cell.startswith("no ") for row in table(ended.out) for cell in row[3:])
    assert noes > 5
    assert sum(": no in " in line for line in lines) == noes
    assert lines[-1] == "direct keeps what it claims."


def test_bounds_that_an_encoder_refuses_are_counted_apart():
    ended = call("audit", "pysat:pairwise", "--n", 4)
    rows = {row[1]: row for row in table(ended.out)}
    assert rows["at most"][2] == "5 (1 refused)"
    assert rows["range"][2:] == ["0 (4 refused)"] + ["-"] * 6
    assert rows["exactly"][-1] == "-"


def test_all_encoders_of_ours_are_audited_by_default_and_keep_their_claims():
    ended = call("audit", "--n", 3)
    assert (ended.code, ended.err) == (0, "")
    assert {row[0] for row in table(ended.out)} >= set(ENCODERS)
    for name in ENCODERS:
        assert f"{name} keeps what it claims." in ended.out.splitlines()


def test_json_says_the_same():
    ended = call("audit", "totalizer", "pysat:mtotalizer", "--n", 5, "--json")
    found = ended.json
    assert (found["schema"], found["n"], found["kept"]) == ("satsweeper/audit/1", 5, True)
    ours, theirs = found["encoders"]
    assert (ours["library"], ours["encoder"]) == ("pbcnf", "totalizer")
    assert (theirs["library"], theirs["encoder"]) == ("pysat", "mtotalizer")
    assert ours["breaches"] == theirs["breaches"] == []
    at_most = next(row for row in theirs["bounds"] if row["kind"] == "at most")
    assert (at_most["cases"], at_most["refused"]) == (10, 0)
    assert list(at_most["properties"]) == PROPERTIES
    assert at_most["properties"]["correct"] == {"holds": True, "failures": 0}
    assert at_most["properties"]["exact size"]["holds"] is None
    assert at_most["properties"]["detects"] == {
        "holds": False,
        "failures": 1,
        "first": {
            "n": 5,
            "lower": 0,
            "upper": 2,
            "problem": "no completion, but no conflict by unit propagation",
            "inputs": [1, 3, 4],
            "literal": None,
        },
    }


def test_a_counter_example_of_the_object_can_be_used_to_audit_again():
    found = call("audit", "pysat:kmtotalizer", "--n", 4, "--json").json["encoders"][0]
    at_most = next(row for row in found["bounds"] if row["kind"] == "at most")
    first = at_most["properties"]["arc-consistent"]["first"]
    bound = Bound((1,) * first["n"], first["lower"], first["upper"])
    from satsweeper.peers import load

    case = audit(load("pysat").encoders["kmtotalizer"], bound)
    assert [first["literal"]] == [
        why.literal for prop, why in case.audit.failures.items() if prop.value == "arc-consistent"
    ]


class Modest(Totalizer):
    """A totalizer that does not say how well it propagates."""

    propagation = Propagation.NONE


def test_more_than_is_claimed_is_told_and_no_failure(monkeypatch):
    monkeypatch.setattr("pbcnf.encoders.table.ENCODERS", {**ENCODERS, "modest": Modest()})
    ended = call("audit", "modest", "--n", 3)
    assert ended.code == 0
    assert ended.out.splitlines()[-3:] == [
        "modest keeps what it claims.",
        "modest has more than it claims, up to 3 inputs: detects in 106 cases, "
        "the first -1 to -1 of 0",
        "modest has more than it claims, up to 3 inputs: arc-consistent in 106 cases, "
        "the first -1 to -1 of 0",
    ]


class Boaster(Totalizer):
    """A totalizer that claims to be parsimonious everywhere."""

    def parsimonious(self, n, lower, upper):
        return True


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_a_claim_that_is_not_kept_is_exit_code_1(monkeypatch, options):
    monkeypatch.setattr("pbcnf.encoders.table.ENCODERS", {**ENCODERS, "boaster": Boaster()})
    ended = call("audit", "boaster", "--n", 3, *options)
    assert ended.code == 1
    if options:
        assert json.loads(ended.out)["kept"] is False
        assert ended.json["encoders"][0]["breaches"][0] == {
            "property": "parsimonious",
            "n": 3,
            "lower": -1,
            "upper": 1,
            "problem": "several models",
            "inputs": [-1, -2, -3],
            "literal": None,
        }
    else:
        assert ended.out.splitlines()[-1] == (
            "boaster does not keep what it claims in 8 cases: parsimonious, -1 to 1 of 3, "
            "given -1 -2 -3: several models"
        )


def test_a_wrong_encoder_of_ours_under_pysats_names_is_a_failure(monkeypatch):
    name = "pbcnf_pysat:itotalizer_grown"
    assert call("audit", name, "--n", 4).code == 0
    grow = card._Sum.grow
    monkeypatch.setattr(card._Sum, "grow", lambda *given: grow(*given)[1:])
    ended = call("audit", name, "--n", 4, "--json")
    assert (ended.code, json.loads(ended.out)["kept"]) == (1, False)


@pytest.mark.parametrize("name", sorted({*PEERS} - {"pbcnf_pysat"}))
def test_a_library_that_is_missing_is_one_line_with_its_package(monkeypatch, name):
    monkeypatch.delitem(sys.modules, f"satsweeper.peers.{name}", raising=False)
    monkeypatch.setitem(sys.modules, name, None)
    for module in [m for m in sys.modules if m.startswith(f"{name}.")]:
        monkeypatch.delitem(sys.modules, module)
    ended = call("audit", "direct", "--n", 1, "--against", name)
    assert (ended.code, ended.out) == (1, "")
    package = PEERS[name]
    assert ended.err == f"{name} is not installed: {install_hint(package)}\n"


def test_the_libraries_named_are_audited_after_ours():
    ended = call("audit", "direct", "--n", 2, "--against", "pysat")
    assert ended.code == 0
    names = [row[0] for row in table(ended.out)[1:] if row[0]]
    assert names[0] == "direct"
    assert "pysat:totalizer" in names


def test_encoders_of_parities_are_audited_by_their_names() -> None:
    ended = call("audit", "cut_4", "direct", "--n", 4, "--json")
    found = json.loads(ended.out)
    assert (ended.code, found["kept"]) == (0, True)
    cut, direct = ([row["kind"] for row in each["bounds"]] for each in found["encoders"])
    assert cut == ["parity"]
    assert direct[-1] == "parity"
    assert {"at most", "exactly"} < set(direct)
