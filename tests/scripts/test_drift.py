"""scripts/drift.py names the version that brings each failure, and never fails itself."""

import shlex
import sys
from pathlib import Path
from time import monotonic

import pytest

from scripts import drift
from scripts.drift import Environment, Run, folders, report, results
from tests.commands import ROOT
from tests.test_house import DOORS, PACKAGES

FOUND = """\
<testsuites><testsuite>
<testcase file="tests/linear/test_a.py" classname="tests.linear.test_a" name="test_a"/>
<testcase file="tests/linear/test_a.py" classname="tests.linear.test_a" name="test_b[x - 1]">
<failure message="assert 1 == 2">in site-packages/highspy/highs.py</failure></testcase>
<testcase file="tests/linear/test_a.py" classname="tests.linear.test_a" name="test_c">
<skipped message="no"/></testcase>
<testcase file="tests/linear/test_a.py" classname="tests.linear.test_a" name="test_d">
<error message="in a fixture"/></testcase>
<testcase classname="" name="tests.solvers.test_b"><error message="not collected"/></testcase>
</testsuite></testsuites>
"""


class Scripted:
    """An environment in which a test fails while a package has a version other than the tested one.

    Args:
        folder: where notes are made.
        failing: the tests, and the package whose installed version breaks each.
        untold: why nothing could be installed, or nothing.
    """

    which = "newest"

    def __init__(self, folder: Path, failing: dict[str, str], untold: str = "") -> None:
        self.folder = folder
        self.failing = failing
        self.untold = untold
        self.log = folder / "newest.log"
        self.there = {"highspy": "1.17.0", "rich": "16.0.0", "numpy": "2.4.6"}
        (folder / "satsweeper").mkdir()

    def prepare(self) -> str:
        return self.untold

    def versions(self) -> dict[str, str]:
        return dict(self.there)

    def put(self, package: str, version: str) -> bool:
        self.there[package] = version
        return True

    def run(self, *selected: str) -> Run:
        moved = {name for name, version in self.there.items() if version != TESTED[name]}
        failed = [test for test, package in self.failing.items() if {package} & (moved | {"?"})]
        failed = [test for test in failed if test in selected or "-n" in selected]
        return Run(10 if "-n" in selected else 0, tuple(failed))


TESTED = {"highspy": "1.16.0", "rich": "15.0.0", "numpy": "2.4.6"}


@pytest.fixture(autouse=True)
def constraints(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for folder in ("scripts", "tests"):
        (tmp_path / folder).mkdir()
    lines = "".join(f"{name}=={version}\n" for name, version in TESTED.items())
    (tmp_path / "scripts" / "constraints.txt").write_text(lines)
    monkeypatch.setattr(drift, "ROOT", tmp_path)


def test_each_failure_is_told_with_the_version_that_brings_it(tmp_path: Path) -> None:
    failing = {"t::a": "highspy", "t::b": "rich", "t::c": "?", "t::d": "highspy"}
    there = Scripted(tmp_path, failing)
    assert list(report(there, ())) == [
        "newest: 4 of 14 tests failed, and 4 of these when they were run again: newest.log",
        "  highspy 1.17.0 (tested: 1.16.0): t::a, t::d",
        "  rich 16.0.0 (tested: 15.0.0): t::b",
        "  by no one version alone: t::c",
    ]
    # Each version is put back, and the environment is whole.
    assert there.versions() == {"highspy": "1.17.0", "rich": "16.0.0", "numpy": "2.4.6"}
    assert not (tmp_path / "satsweeper" / "installing").exists()


@pytest.mark.parametrize(
    ("untold", "line"),
    [
        ("", "newest: all 10 tests passed"),
        ("ERROR: no such version", "newest: could not be installed: ERROR: no such version"),
    ],
)
def test_what_passes_or_cannot_be_installed_is_a_line(tmp_path, untold, line):
    assert list(report(Scripted(tmp_path, {}, untold), ())) == [line]


def test_what_failed_before_the_time_was_over_is_told(tmp_path, monkeypatch):
    there = Scripted(tmp_path, {})
    monkeypatch.setattr(there, "run", lambda *_: Run(3, ("t::a", "t::b"), "not done in time"))
    assert list(report(there, ())) == [
        "newest: not done in time", "  failed until then: t::a, t::b"
    ]  # fmt: skip


def test_results_name_the_tests_that_failed_and_the_files_that_could_not_be_read(tmp_path):
    (tmp_path / "found.xml").write_text(FOUND)
    found = results(tmp_path / "found.xml")
    assert found.passed == 1
    assert found.failed == (
        "tests/linear/test_a.py::test_b[x - 1]",
        "tests/linear/test_a.py::test_d",
        "tests/solvers/test_b.py",
    )
    assert "site-packages/highspy/highs.py" in found.shown


def environment(root: Path, deadline: float) -> Environment:
    """An environment whose Python is this one; a test that passes and one that fails are there."""
    there = Environment("oldest", deadline)
    there.python.parent.mkdir(parents=True)
    there.python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    there.python.chmod(0o755)
    (root / "tests" / "test_two.py").write_text(
        "import warnings\n"
        "def test_passes():\n    warnings.warn('old', DeprecationWarning)\n"
        "def test_fails():\n    assert 0\n"
    )
    (root / "pytest.ini").write_text("[pytest]\nmarkers = slow\nfilterwarnings = error\n")
    return there


def test_pytest_is_run_and_what_it_says_is_kept(tmp_path: Path) -> None:
    there = environment(tmp_path, monotonic() + 600)
    assert there.run("tests")[:3] == (1, ("tests/test_two.py::test_fails",), "")
    assert "1 failed, 1 passed" in (tmp_path / "build" / "drift" / "oldest.log").read_text()
    assert there.run("tests", "--nonsense").trouble.startswith("pytest ended with exit code 4: ")


def test_the_tests_of_every_door_are_among_those_that_are_run(monkeypatch):
    monkeypatch.setattr(drift, "ROOT", ROOT)
    found = folders()
    assert all((ROOT / folder).is_dir() for folder in found)
    for door in {*DOORS.values()} - {"satsweeper.show"}:
        package, *parts = door.split(".")
        assert package in PACKAGES
        mirrored = "/".join(["tests", *(["pbcnf"] if package == "pbcnf" else []), *parts[:-1]])
        assert any(f"{mirrored}/".startswith(f"{folder}/") for folder in found), door
    assert "tests/show" in found
