"""Encoders of one's own: found where one works, and their mistakes told in one line."""

import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pbcnf.formula import Formula
from satsweeper.compare.job.contestants import contestant
from satsweeper.peers.audit import subjects
from satsweeper.peers.user_encoder import SIGNATURE, EncoderFaultError, FunctionEncoder, own_encoder
from tests.commands import call, python

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
def folder(tmp_path: Path) -> Path:
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


def test_the_module_is_found_in_the_current_folder_by_both_commands(folder: Path) -> None:
    name = "own_encoders_here:right"
    ended = run(folder, "audit", name, "--n", "4")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert f"{name} keeps what it claims." in ended.stdout.splitlines()
    ended = run(folder, "compare", *SMALL, "--encodings", f"direct,{name}", "-o", "sweep")
    assert ended.returncode == 0
    assert ended.stdout.startswith("4 of 4 jobs: 4 sat\n")


def test_an_encoder_of_ones_own_that_is_wrong_fails_its_audit(folder: Path) -> None:
    ended = run(folder, "audit", "own_encoders_here:too_few", "--n", "3")
    assert (ended.returncode, ended.stderr) == (1, "")
    assert "own_encoders_here:too_few does not keep what it claims" in ended.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("here:other", f"a function must be {SIGNATURE}, not other(lits, bound)"),
        ("here:raising", "KeyError: 'my\\nfault'"),
        ("here:leaving", "SystemExit: 3"),
        ("here:beyond", "5 is no literal of 2 variables"),
        ("here:zero", "0 is no literal of 2 variables"),
        ("here:fraction", "1.5 is no literal of 2 variables"),
        ("here:flat", "the clauses are no list of lists of literals"),
        ("here:nothing", f"it must be {SIGNATURE}, and returned None"),
        ("here:fewer", "the number of variables, 1, must be one from 2 on"),
        ("here:Sized", "AttributeError: 'int' object has no attribute"),
        ("here:Short", "it must be encode(lits, lower, upper, sink), not encode(lits, sink)"),
        ("here:Wanting", "missing 1 required positional argument: 'what'"),
        ("here:Nameless", "its name is no str"),
        ("here:constant", f"and is no function {SIGNATURE}"),
        ("here:missing", "no attribute 'missing'"),
        ("broken:f", "SyntaxError: invalid syntax"),
        ("ending:f", "SystemExit: 5"),
        ("nowhere:f", "No module named 'own_encoders_nowhere'"),
    ],
)
def test_what_is_wrong_is_one_line_and_the_same_in_both_commands(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    name = f"own_encoders_{name}"
    commands: list[list[object]] = [
        ["audit", name, "--n", 3],
        ["compare", *SMALL, "--encodings", f"direct,{name}", "-o", "sweep"],
    ]
    for words in commands:
        ended = call(*words)
        assert ended.code in (1, 2)
        assert ended.out == ""
        assert ended.err.count("\n") == 1
        assert message in ended.err
        assert name.partition(":")[0] in ended.err
    assert not (folder / "sweep").exists()
    for module in [each for each in sys.modules if each.startswith("own_encoders_")]:
        del sys.modules[module]


def test_what_goes_wrong_only_in_jobs_is_their_result(folder: Path) -> None:
    encodings = "direct,own_encoders_here:Late"
    ended = run(folder, "compare", *SMALL, "--encodings", encodings, "-o", "sweep")
    assert ended.returncode == 0
    assert "Traceback" not in ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[0] == "4 of 4 jobs: 2 error, 2 sat"
    assert lines[1].startswith("own_encoders_here:Late/totalizer/minisat22: errors in 2, the first")
    assert lines[1].endswith("RuntimeError: only now")
    assert run(folder, "report", "sweep").returncode == 0


def test_the_clauses_of_a_function_stand_over_the_literals_that_are_asked_about() -> None:
    def one_more(n: int, lower: int, upper: int) -> tuple[int, list[list[int]]]:
        return n + 1, [[-1, n + 1], [-n, -(n + 1)]]

    formula = Formula(9)
    FunctionEncoder("mine", one_more).encode([4, -7, 2], 0, 1, formula)
    assert [list(clause) for clause in formula.clauses()] == [[-4, 10], [-2, -10]]

    def far(n: int, lower: int, upper: int) -> tuple[int, list[list[int]]]:
        return n, [[-n - 1]]

    with pytest.raises(EncoderFaultError, match="-4 is no literal of 3 variables"):
        FunctionEncoder("mine", far).encode([4, -7, 2], 0, 1, formula)


def test_comparing_and_auditing_find_the_same_encoder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(folder)
    name = "own_encoders_here:right"
    found: list[Any] = [contestant(name), subjects([name])[0].encoder, own_encoder(name)]
    n = 4
    for encoder in found:
        formula = Formula(n)
        encoder.encode(range(1, n + 1), 1, 2, formula)
        clauses = [list(clause) for clause in formula.clauses()]
        for bits in product((False, True), repeat=n):
            meets = all(any(bits[abs(lit) - 1] == (lit > 0) for lit in each) for each in clauses)
            assert meets == (1 <= sum(bits) <= 2)
    del sys.modules["own_encoders_here"]
