"""``audit``: the table, the object, counter-examples; and encoders of one's own."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pbcnf import ENCODERS, Propagation
from pbcnf.audit import Bound, audit
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.formula import Formula
from pbcnf.pysat import card
from pbcnf.wording import install_hint
from satsweeper.compare.job.contestants import contestant
from satsweeper.peers import PEERS, load
from satsweeper.peers.audit import subjects
from satsweeper.peers.user_encoder import SIGNATURE, EncoderFaultError, FunctionEncoder, own_encoder
from tests import oracles
from tests.commands import call, done, python

PROPERTIES = [
    "correct", "detects", "arc-consistent", "parsimonious", "exact size", "as recorded"
]  # fmt: skip


def table(out):
    """The rows of the table, as lists of cells."""
    lines = out.splitlines()
    starts = [0, *(lines[0].index(name) for name in ["bounds", "cases", *PROPERTIES]), None]
    cut = [slice(a, b) for a, b in pairwise(starts)]
    ends = next(i for i, line in enumerate([*lines, ": no in "]) if ": no in " in line)
    return [[line[part].strip() for part in cut] for line in lines[:ends]]


def test_the_table_has_a_row_for_every_kind_of_bound_and_counts_those_refused_apart():
    rows = table(done("audit", "totalizer", "--n", 5).out)
    assert rows[0] == ["encoder", "bounds", "cases", *PROPERTIES]
    assert [row[1] for row in rows[1:5]] == ["at most", "at least", "exactly", "range"]
    assert rows[1] == ["totalizer", "at most", "10", "yes", "yes", "yes", "no 9", "yes", "yes"]
    assert rows[3] == ["totalizer", "exactly", "10", *["yes"] * 6]
    refusing = {row[1]: row for row in table(call("audit", "pysat:pairwise", "--n", 4).out)}
    assert refusing["at most"][2] == "5 (1 refused)"
    assert refusing["range"][2:] == ["0 (4 refused)"] + ["-"] * 6
    assert refusing["exactly"][-1] == "-"


def test_every_no_has_its_first_counter_example_below_the_table():
    *lines, last = call("audit", "pysat:kmtotalizer", "direct", "--n", 5).out.splitlines()
    assert (
        "pysat:kmtotalizer, at most, detects: no in 1 of 10 cases; at most 2 of 5, given 1 3 4: "
        "no completion, but no conflict by unit propagation" in lines
    )
    noes = sum(cell.startswith("no ") for row in table("\n".join(lines)) for cell in row[3:])
    assert noes > 5
    assert sum(": no in " in line for line in lines) == noes
    assert last == "direct keeps what it claims."


def test_all_encoders_of_ours_are_audited_by_default_and_libraries_after_ours_if_named():
    ended = done("audit", "--n", 3)
    assert {row[0] for row in table(ended.out)} >= set(ENCODERS)
    assert {f"{name} keeps what it claims." for name in ENCODERS} <= {*ended.out.splitlines()}
    ended = call("audit", "direct", "--n", 2, "--against", "pysat")
    names = [row[0] for row in table(ended.out)[1:] if row[0]]
    assert (ended.code, names[0], "pysat:totalizer" in names) == (0, "direct", True)


def test_json_says_the_same():
    found = call("audit", "totalizer", "pysat:mtotalizer", "--n", 5, "--json").json
    assert (found["schema"], found["n"], found["kept"]) == ("satsweeper/audit/1", 5, True)
    named = [[row[key] for key in ("library", "encoder", "breaches")] for row in found["encoders"]]
    assert named == [["pbcnf", "totalizer", []], ["pysat", "mtotalizer", []]]
    at_most = next(row for row in found["encoders"][1]["bounds"] if row["kind"] == "at most")
    assert (at_most["cases"], at_most["refused"]) == (10, 0)
    assert list(at_most["properties"]) == PROPERTIES
    assert at_most["properties"]["correct"] == {"holds": True, "failures": 0}
    assert at_most["properties"]["exact size"]["holds"] is None
    first = {
        "n": 5, "lower": 0, "upper": 2, "inputs": [1, 3, 4], "literal": None,
        "problem": "no completion, but no conflict by unit propagation",
    }  # fmt: skip
    assert at_most["properties"]["detects"] == {"holds": False, "failures": 1, "first": first}


def test_a_counter_example_of_the_object_can_be_used_to_audit_again():
    found = call("audit", "pysat:kmtotalizer", "--n", 4, "--json").json["encoders"][0]
    at_most = next(row for row in found["bounds"] if row["kind"] == "at most")
    first = at_most["properties"]["arc-consistent"]["first"]
    bound = Bound((1,) * first["n"], first["lower"], first["upper"])
    failures = audit(load("pysat").encoders["kmtotalizer"], bound).audit.failures
    again = [why.literal for prop, why in failures.items() if prop.value == "arc-consistent"]
    assert again == [first["literal"]]


def test_more_than_is_claimed_is_told_and_a_claim_that_is_not_kept_is_exit_code_1(monkeypatch):
    class Modest(Totalizer):
        propagation = Propagation.NONE

    class Boaster(Totalizer):
        def parsimonious(self, n, lower, upper):
            return True

    own = {"modest": Modest(), "boaster": Boaster()}
    monkeypatch.setattr("pbcnf.encoders.table.ENCODERS", {**ENCODERS, **own})
    more = "modest has more than it claims, up to 3 inputs: "
    assert done("audit", "modest", "--n", 3).out.splitlines()[-3:] == [
        "modest keeps what it claims.",
        f"{more}detects in 106 cases, the first -1 to -1 of 0",
        f"{more}arc-consistent in 106 cases, the first -1 to -1 of 0",
    ]
    ended = call("audit", "boaster", "--n", 3)
    assert ended.code == 1
    assert ended.out.splitlines()[-1] == (
        "boaster does not keep what it claims in 8 cases: parsimonious, -1 to 1 of 3, "
        "given -1 -2 -3: several models"
    )
    ended = call("audit", "boaster", "--n", 3, "--json")
    assert (ended.code, ended.json["kept"]) == (1, False)
    assert ended.json["encoders"][0]["breaches"][0] == {
        "property": "parsimonious", "n": 3, "lower": -1, "upper": 1, "problem": "several models",
        "inputs": [-1, -2, -3], "literal": None,
    }  # fmt: skip
    name = "pbcnf_pysat:itotalizer_grown"
    assert call("audit", name, "--n", 4).code == 0
    grow = card._Sum.grow
    monkeypatch.setattr(card._Sum, "grow", lambda *given: grow(*given)[1:])
    ended = call("audit", name, "--n", 4, "--json")
    assert (ended.code, ended.json["kept"]) == (1, False)


@pytest.mark.parametrize("name", sorted({*PEERS} - {"pbcnf_pysat"}))
def test_a_library_that_is_missing_is_one_line_with_its_package(monkeypatch, name):
    monkeypatch.delitem(sys.modules, f"satsweeper.peers.{name}", raising=False)
    monkeypatch.setitem(sys.modules, name, None)
    for module in [m for m in sys.modules if m.startswith(f"{name}.")]:
        monkeypatch.delitem(sys.modules, module)
    said = f"{name} is not installed: {install_hint(PEERS[name])}\n"
    assert call("audit", "direct", "--n", 1, "--against", name) == (1, "", said, "")


def test_encoders_of_parities_are_audited_by_their_names():
    ended = call("audit", "cut_4", "direct", "--n", 4, "--json")
    assert (ended.code, ended.json["kept"]) == (0, True)
    cut, direct = ([row["kind"] for row in each["bounds"]] for each in ended.json["encoders"])
    assert (cut, direct[-1]) == (["parity"], "parity")
    assert {"at most", "exactly"} < set(direct)


# Encoders of one's own: found where one works, and their mistakes told in one line


MODULE = """
from itertools import combinations
from pbcnf.encoders.cardinality.direct import Direct

def right(n, lower, upper):
    inputs = range(1, n + 1)
    some = [[-v for v in each] for each in combinations(inputs, upper + 1)]
    return n, some + [list(each) for each in combinations(inputs, n - lower + 1)]

def too_few(n, lower, upper):
    return n, right(n, lower, upper)[1][1:]

def other(lits, bound): return []
def raising(n, lower, upper): raise KeyError("my\\nfault")
def leaving(n, lower, upper): raise SystemExit(3)
def beyond(n, lower, upper): return n, [[n + 3, -1]]
def zero(n, lower, upper): return n, [[0]]
def fraction(n, lower, upper): return n, [[1.5]]
def flat(n, lower, upper): return n, [1, 2]
def nothing(n, lower, upper): return None
def fewer(n, lower, upper): return n - 1, [[1]]

class Late(Direct):
    def encode(self, lits, lower, upper, sink):
        raise RuntimeError("only now")

class Sized(Direct):
    def size(self, n, lower, upper):
        return 3

class Short(Direct):
    def encode(self, lits, sink):
        pass

class Wanting(Direct):
    def __init__(self, what):
        pass

class Nameless:
    def encode(self, lits, lower, upper, sink): pass
    def size(self, n, lower, upper): pass
    def parsimonious(self, n, lower, upper): pass

constant = 7
"""
SMALL = ["random:5x5/5:seeds=0-1", "--seeds", "1", "--solvers", "minisat22"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "own_encoders_here.py").write_text(MODULE)
    (tmp_path / "own_encoders_broken.py").write_text("def f(:\n")
    (tmp_path / "own_encoders_ending.py").write_text("import sys; sys.exit(5)\n")
    return tmp_path


def run(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """The command in the folder of the module, which is on no path of Python."""
    code = "import sys; from satsweeper.cli.main import main; sys.exit(main(sys.argv[1:]))"
    # What -c puts first is the current folder, which a console script does not have.
    code = f"import sys; sys.path.remove('')\n{code}"
    return python("-c", code, *words, cwd=folder)


def test_the_module_is_found_in_the_current_folder_by_both_commands_and_may_fail_its_audit(folder):
    name = "own_encoders_here:right"
    ended = run(folder, "audit", name, "--n", "4")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert f"{name} keeps what it claims." in ended.stdout.splitlines()
    ended = run(folder, "compare", *SMALL, "--encodings", f"direct,{name}", "-o", "sweep")
    assert ended.returncode == 0
    assert ended.stdout.startswith("4 of 4 jobs: 4 sat\n")
    ended = run(folder, "audit", "own_encoders_here:too_few", "--n", "3")
    assert (ended.returncode, ended.stderr) == (1, "")
    assert "own_encoders_here:too_few does not keep what it claims" in ended.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [("here:other", f"a function must be {SIGNATURE}, not other(lits, bound)"),
     ("here:raising", "KeyError: 'my\\nfault'"), ("here:leaving", "SystemExit: 3"),
     ("here:beyond", "5 is no literal of 2 variables"),
     ("here:zero", "0 is no literal of 2 variables"),
     ("here:fraction", "1.5 is no literal of 2 variables"),
     ("here:flat", "the clauses are no list of lists of literals"),
     ("here:nothing", f"it must be {SIGNATURE}, and returned None"),
     ("here:fewer", "the number of variables, 1, must be one from 2 on"),
     ("here:Sized", "AttributeError: 'int' object has no attribute"),
     ("here:Short", "it must be encode(lits, lower, upper, sink), not encode(lits, sink)"),
     ("here:Wanting", "missing 1 required positional argument: 'what'"),
     ("here:Nameless", "its name is no str"), ("here:constant", f"and is no function {SIGNATURE}"),
     ("here:missing", "no attribute 'missing'"), ("broken:f", "SyntaxError: invalid syntax"),
     ("ending:f", "SystemExit: 5"), ("nowhere:f", "No module named 'own_encoders_nowhere'")],
)  # fmt: skip
def test_what_is_wrong_is_one_line_and_the_same_in_both_commands(
    folder, monkeypatch, name, message
):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    name = f"own_encoders_{name}"
    compared = ("compare", *SMALL, "--encodings", f"direct,{name}", "-o", "sweep")
    for ended in (call("audit", name, "--n", 3), call(*compared)):
        assert ended.code in (1, 2)
        assert (ended.out, ended.err.count("\n")) == ("", 1)
        assert message in ended.err
        assert name.partition(":")[0] in ended.err
    assert not (folder / "sweep").exists()
    for module in [each for each in sys.modules if each.startswith("own_encoders_")]:
        del sys.modules[module]


def test_what_goes_wrong_only_in_jobs_is_their_result(folder):
    encodings = "direct,own_encoders_here:Late"
    ended = run(folder, "compare", *SMALL, "--encodings", encodings, "-o", "sweep")
    assert ended.returncode == 0
    assert "Traceback" not in ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[0] == "4 of 4 jobs: 2 error, 2 sat"
    assert lines[1].startswith("own_encoders_here:Late/totalizer/minisat22: errors in 2, the first")
    assert lines[1].endswith("RuntimeError: only now")
    assert run(folder, "report", "sweep").returncode == 0


def test_the_clauses_of_a_function_stand_over_the_literals_that_are_asked_about():
    formula = Formula(9)
    mine = FunctionEncoder("mine", lambda n, *_: (n + 1, [[-1, n + 1], [-n, -(n + 1)]]))
    mine.encode([4, -7, 2], 0, 1, formula)
    assert [list(clause) for clause in formula.clauses()] == [[-4, 10], [-2, -10]]
    far = FunctionEncoder("mine", lambda n, *_: (n, [[-n - 1]]))
    with pytest.raises(EncoderFaultError, match="-4 is no literal of 3 variables"):
        far.encode([4, -7, 2], 0, 1, formula)


def test_comparing_and_auditing_find_the_same_encoder(folder, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    name = "own_encoders_here:right"
    found: list[Any] = [contestant(name), subjects([name])[0].encoder, own_encoder(name)]
    for encoder in found:
        formula = Formula(4)
        encoder.encode(range(1, 5), 1, 2, formula)
        few = [bits for bits in oracles.assignments(4) if 1 <= sum(bits) <= 2]
        assert oracles.models(formula.clauses(), 4) == few
    del sys.modules["own_encoders_here"]
