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

from scripts.lowest_versions import lowest_versions
from scripts.write_constraints import name_of, versions_in

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


def changed(path: Path) -> None:
    """Changed a day after all else."""
    os.utime(path, (path.stat().st_atime, 4e9))


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


@pytest.mark.parametrize("name", ["pyproject.toml", "scripts/constraints.txt"])
def test_what_is_to_be_installed_has_changed_and_every_extra_follows(
    checkout: Path, name: str
) -> None:
    prepare(checkout, "")
    prepare(checkout, "plot")
    asked(checkout)
    changed(checkout / name)
    ended = prepare(checkout, "")
    assert ended.stderr == (
        "SatSweeper: bringing .venv up to date (half a minute or so, this once)\n"
    )
    assert [line.split()[-1] for line in asked(checkout)] == ["hatchling", ".[plot]"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([""], "installing into .venv (half a minute or so, this once)"),
        (["plot", "said"], ""),
        (["dev"], "installing what the extra dev needs into .venv (some minutes, this once)"),
    ],
)
def test_a_line_on_standard_error_comes_before_the_wait_unless_somebody_has_said_so(
    checkout: Path, words: list[str], line: str
) -> None:
    ended = prepare(checkout, *words)
    shown = f"SatSweeper: {line}\n" if line else ""
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", shown)
    assert len(asked(checkout)) == 2


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


def test_the_lowest_versions_go_into_an_environment_of_their_own(checkout: Path) -> None:
    assert prepare(checkout, "dev", versions="oldest").returncode == 0
    assert asked(checkout) == []
    lowest = checkout / ".venv-oldest" / "satsweeper" / "lowest.txt"
    for line in asked(checkout, ".venv-oldest"):
        assert f"--constraint {lowest} " in line
    assert lowest.read_text().splitlines() == lowest_versions(PROJECT)


def test_the_newest_versions_go_into_an_environment_of_their_own(checkout: Path) -> None:
    assert prepare(checkout, "dev", versions="newest").returncode == 0
    assert asked(checkout) == []
    lines = asked(checkout, ".venv-newest")
    assert len(lines) == 2
    for line in lines:
        assert "--upgrade --upgrade-strategy eager" in line
        assert "--constraint" not in line


def test_versions_that_nobody_knows_are_refused(checkout: Path) -> None:
    ended = prepare(checkout, "", versions="best")
    assert (ended.returncode, asked(checkout)) == (1, [])
    assert ended.stderr == "SATSWEEPER_VERSIONS=best is not known: oldest, newest or nothing\n"


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
