"""scripts/environment.sh installs the tested versions: a stand-in for pip notes its arguments."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from scripts.lowest_versions import lowest_versions
from scripts.write_constraints import HEAD, markers_of, name_of, versions_in

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
TESTED = versions_in((ROOT / "scripts" / "constraints.txt").read_text("utf-8"))
PYTHON = f"""\
#!/usr/bin/env bash
case "$*" in
    *" pip "*) printf '%s\\n' "$*" >>"${{0%/*}}/asked" ;;
    *.py) exec {shlex.quote(sys.executable)} "$@" ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose environments have a Python that does nothing but note what pip is asked."""
    root = tmp_path / "a checkout ß"
    (root / "scripts").mkdir(parents=True)
    for name in ("environment.sh", "constraints.txt", "lowest_versions.py"):
        (root / "scripts" / name).write_bytes((ROOT / "scripts" / name).read_bytes())
    (root / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    for environment in (".venv", ".venv-oldest", ".venv-newest"):
        programs = root / environment / "bin"
        programs.mkdir(parents=True)
        (programs / "python").write_text(PYTHON)
        (programs / "satsweeper").write_text("")
        for program in programs.iterdir():
            program.chmod(0o755)
    for path in root.rglob("*"):
        os.utime(path, (1e9, 1e9))
    return root


def prepare(root: Path, *words: str, versions: str = "") -> "subprocess.CompletedProcess[str]":
    command = ["bash", "-c", '. "$0"; prepare "$@"', str(root / "scripts" / "environment.sh")]
    return subprocess.run(
        [*command, *words],
        env={**os.environ, "SATSWEEPER_VERSIONS": versions},
        cwd=root.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def asked(root: Path, environment: str = ".venv") -> list[str]:
    """The arguments of the installations into ``root / environment`` since the last call."""
    noted = root / environment / "bin" / "asked"
    lines = noted.read_text().splitlines() if noted.exists() else []
    noted.unlink(missing_ok=True)
    return lines


@pytest.mark.parametrize("extra", ["", "plot"])
def test_the_tested_versions_are_installed_and_build_the_project(
    checkout: Path, extra: str
) -> None:
    assert prepare(checkout, extra).returncode == 0
    building, project = asked(checkout)
    held = f"--constraint {checkout / 'scripts' / 'constraints.txt'}"
    assert building.endswith(f"{held} hatchling")
    what = f".[{extra}]" if extra else "."
    assert project.endswith(f"{held} --no-build-isolation -e {what}")


def test_nothing_is_installed_or_said_where_nothing_has_changed(checkout: Path) -> None:
    prepare(checkout, "dev")
    assert asked(checkout)
    again = prepare(checkout, "dev")
    assert (again.returncode, again.stdout, again.stderr, asked(checkout)) == (0, "", "", [])
    # All that runs the product alone needs is part of that.
    assert (prepare(checkout, "").stderr, asked(checkout)) == ("", [])


def test_a_failed_installation_is_shown_and_tried_again(checkout: Path) -> None:
    python = checkout / ".venv" / "bin" / "python"
    working = python.read_text()
    python.write_text(working.replace(";;", "; echo no such version; exit 1 ;;", 1))
    ended = prepare(checkout, "plot")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.splitlines()[1:] == [
        "no such version",
        f"SatSweeper: the installation into {checkout / '.venv'} failed",
    ]
    python.write_text(working)
    asked(checkout)
    # What could not be installed is not asked for with everything else from then on.
    assert prepare(checkout, "").returncode == 0
    assert [line.split()[-1] for line in asked(checkout)] == ["hatchling", "."]


@pytest.mark.parametrize("which", ["oldest", "newest"])
def test_other_versions_go_into_an_environment_of_their_own(checkout: Path, which: str) -> None:
    assert prepare(checkout, "dev", versions=which).returncode == 0
    assert asked(checkout) == []
    lines = asked(checkout, f".venv-{which}")
    assert len(lines) == 2
    lowest = checkout / f".venv-{which}" / "satsweeper" / "lowest.txt"
    for line in lines:
        if which == "oldest":
            assert f"--constraint {lowest} " in line
            assert lowest.read_text().splitlines() == lowest_versions(PROJECT)
        else:
            assert "--upgrade --upgrade-strategy eager" in line
            assert "--constraint" not in line


def test_a_module_in_the_current_folder_is_not_run(checkout: Path) -> None:
    script = (checkout / "scripts" / "environment.sh").read_text()
    started = re.findall(r'"\$(?:candidate|python|venv/bin/python)" (-\S*)', script)
    assert len(started) >= 6
    assert set(started) == {"-I"}


def required() -> list[Requirement]:
    extras = PROJECT["project"]["optional-dependencies"]
    lines = [*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"]]
    lines += [line for extra in extras.values() for line in extra]
    return [Requirement(line) for line in lines if not line.startswith("satsweeper[")]


def test_the_lowest_version_is_that_of_each_requirement() -> None:
    lowest = versions_in("\n".join(lowest_versions(PROJECT)))
    for requirement in required():
        [bound] = requirement.specifier
        assert (bound.operator, bound.version) == (">=", lowest[requirement.name])
    assert len(lowest) == len({requirement.name for requirement in required()})
    project = {"dependencies": ["rich"], "name": "x", "optional-dependencies": {}}
    with pytest.raises(ValueError, match=r"^pyproject.toml: 'rich' is not NAME>=VERSION$"):
        lowest_versions({"build-system": {"requires": []}, "project": project})


def test_every_package_that_is_asked_for_has_a_tested_version() -> None:
    for requirement in required():
        version = TESTED[name_of(requirement.name)]
        assert requirement.specifier.contains(version, prereleases=True), requirement
    peers = re.search(r'^peers="(.+)"$', (ROOT / "scripts" / "test").read_text(), re.MULTILINE)
    assert peers is not None
    wanted = {name_of(peer) for peer in [*peers[1].split(), "playwright"]}
    # There is none for a Python of today: its tests are skipped.
    assert wanted - TESTED.keys() <= {"pypblib"}


FILE = Path(__file__).parents[2] / "scripts" / "constraints.txt"


@pytest.mark.parametrize(
    ("requires", "markers"),
    [
        ("", []),
        (">=3.8", []),
        (">=3.11", []),
        (">=3.9,<4.0", []),
        ("!=3.9.7,>=3.8", []),
        (">=3.11.5", ['python_full_version >= "3.11.5"']),
        ("!=3.14.1,>=3.11", ['python_full_version != "3.14.1"']),
        (">=3.11,<3.14", ['python_full_version < "3.14"']),
        (">=3.12, !=3.13.*", ['python_full_version != "3.13.*"', 'python_full_version >= "3.12"']),
    ],
)
def test_a_version_is_pinned_just_where_its_package_allows(
    requires: str, markers: list[str]
) -> None:
    assert markers_of(requires) == markers
    line = Requirement(f"x==1; {' and '.join(markers)}") if markers else Requirement("x==1")
    for python in ("3.11.0", "3.11.2", "3.11.9", "3.12.3", "3.13.0", "3.14.0", "3.14.1"):
        held = line.marker is None or line.marker.evaluate({"python_full_version": python})
        assert held == SpecifierSet(requires).contains(python)


def test_the_file_has_a_version_of_each_package_and_names_no_place() -> None:
    text = FILE.read_text("utf-8")
    assert text.startswith(HEAD)
    lines = text.removeprefix(HEAD).splitlines()
    names = [Requirement(line).name for line in lines]
    assert names == sorted({name_of(name) for name in names})
    for line in lines:
        [pinned] = Requirement(line).specifier
        assert pinned.operator == "=="
        assert "@" not in line
