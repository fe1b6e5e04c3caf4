"""What works here: said as it is, with commands that a shell takes."""

import os
import shlex
import sys
import tomllib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from satsweeper import __version__
from satsweeper.cli import doctor
from satsweeper.cli.doctor import examined
from satsweeper.solvers.programs import DIALECTS
from satsweeper.solvers.table import SOLVERS, Features
from tests.commands import call, python

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> dict[str, Features | str]:
    """Nothing is probed: every solver is found to be what the table says, unless changed."""
    answers: dict[str, Features | str] = dict(SOLVERS)
    monkeypatch.setattr("satsweeper.solvers.probe.probe", lambda name, seconds: answers[name])
    return answers


def test_all_of_it_is_true_here() -> None:
    ended = call("doctor", "--json")
    assert (ended.code, ended.err) == (0, "")
    found = ended.json
    assert (found["schema"], found["works"], found["faults"]) == ("satsweeper/doctor/1", True, [])
    assert found["versions"]["satsweeper"] == __version__
    assert found["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))
    versions = {each["name"]: each["version"] for each in found["packages"]}
    assert versions == {name: metadata.version(name) for name in versions}
    assert {"numpy", "python-sat", "networkx", "rich", "joblib"} <= versions.keys()
    features = {each["name"]: each["features"] for each in found["solvers"]}
    assert {name: Features(**row) for name, row in features.items()} == SOLVERS


def test_every_extra_of_the_project_is_there_with_what_it_brings(
    quick: dict[str, Features | str],
) -> None:
    extras = {each["name"]: each for each in call("doctor", "--json").json["extras"]}
    assert set(extras) <= set(PROJECT["optional-dependencies"]) <= doctor.BRINGS.keys()
    assert {"smt", "cp", "ilp", "plot", "scip", "cluster", "dev"} <= extras.keys()
    for name, each in extras.items():
        assert each["brings"] == doctor.BRINGS[name]
        # A shell must not take the brackets for a pattern.
        assert shlex.split(each["install"])[-1] == f"satsweeper[{name}]"
        assert f"'satsweeper[{name}]'" in each["install"]
    assert {"pysmt", "z3-solver"} == {each["name"] for each in extras["smt"]["packages"]}


def test_what_is_missing_is_missing(
    quick: dict[str, Features | str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = metadata.version

    def version(name: str) -> str:
        if name in {"highspy", "networkx"}:
            raise metadata.PackageNotFoundError(name)
        return known(name)

    monkeypatch.setattr(metadata, "version", version)
    ended = call("doctor")
    assert ended.code == 1
    assert "  ilp       missing    engines ilp, lp and lp_relaxation\n" in ended.out
    assert "  networkx: is not installed: " in ended.out
    assert "pip install 'networkx>=" in ended.out
    found = call("doctor", "--json").json
    assert not found["works"]
    assert [each["installed"] for each in found["extras"] if each["name"] == "ilp"] == [False]


def test_each_checker_is_named_once(
    quick: dict[str, Features | str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    names = [each["name"] for each in call("doctor", "--json").json["checkers"]]
    assert names == ["drat-trim", "cake_lpr", "veripb"]
    assert "drat-trim, cake_lpr, veripb" in " ".join(call("doctor").out.split())


def test_a_package_that_cannot_be_imported_is_a_fault(
    quick: dict[str, Features | str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    ended = call("doctor")
    assert ended.code == 1
    assert "networkx: cannot be imported: " in ended.out
    assert "Traceback" not in ended.out + ended.err


def test_a_solver_that_does_not_work_is_a_fault_if_it_is_a_default_one(
    quick: dict[str, Features | str],
) -> None:
    quick["lingeling"] = "the process of the probe ended without an answer (SIGILL)"
    ended = call("doctor")
    assert ended.code == 0
    assert "  lingeling does not: the process of the probe ended" in ended.out
    quick["minisat22"] = "a wrong model"
    ended = call("doctor")
    assert ended.code == 1
    assert "not everything that is needed works:\n  minisat22: a wrong model\n" in ended.out


def test_programs_on_the_path_are_asked(
    quick: dict[str, Features | str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # The formulas are x1 or x2 without x1, and x1 without x1.
    right = 'for f; do :; done; grep -q "1 2 0" "$f" || { echo "s UNSATISFIABLE"; exit 20; };'
    scripts = {
        "cadical": right + ' echo "s SATISFIABLE"; echo "v -1 2 0"; exit 10',
        "kissat": 'echo "s UNSATISFIABLE"; exit 20',
        "picosat": "exit 3",
    }
    for name, script in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), "/usr/bin", "/bin"]))
    monkeypatch.setattr("shutil.which", which_in(tmp_path))
    found = {each["name"]: each for each in call("doctor", "--json").json["programs"]}
    assert set(found) == set(DIALECTS)
    assert (found["cadical"]["works"], found["cadical"]["why"]) == (True, None)
    assert found["kissat"]["why"] == "it answers UNSATISFIABLE, where SATISFIABLE is right"
    assert not found["picosat"]["works"]
    assert (found["clasp"]["path"], found["clasp"]["works"]) == (None, False)


def which_in(folder: Path) -> Callable[[str], str | None]:
    """As ``shutil.which``, whatever else this machine has on its path."""
    return lambda name: str(folder / name) if (folder / name).is_file() else None


def test_all_of_play_is_compiled_beforehand_and_only_once() -> None:
    pytest.importorskip("numba")
    first = call("doctor", "--warm", "--json").json["compiled"]
    assert first["kept"] == first["functions"] > 0
    again = call("doctor", "--warm", "--json")
    assert (again.err, again.json["compiled"]) == ("", first)


def test_all_functions_of_play_are_counted_before_any_was_needed() -> None:
    pytest.importorskip("numba")
    sources = (ROOT / "satsweeper" / "play" / "kernel").glob("*.py")
    decorated = sum(source.read_text().count("\n@compiled\n") for source in sources)
    program = "from satsweeper.play.warm import kept; print(kept()['functions'])"
    assert int(python("-c", program).stdout) == decorated > 0


def test_a_terminal_of_80_columns_folds_nothing_but_commands(
    quick: dict[str, Features | str],
) -> None:
    lines = call("doctor").out.splitlines()
    assert [line for line in lines if len(line) > 79 and " -m pip install " not in line] == []


def test_once_the_time_is_over_no_solver_is_started(monkeypatch):
    started = []
    monkeypatch.setattr("satsweeper.solvers.probe.probe", lambda *asked: started.append(asked))
    solvers = examined(0)["solvers"]
    assert (started, {each["works"] for each in solvers}) == ([], {False})
    assert {each["why"] for each in solvers} == {"not tried: the time was over"}
