"""Versions of packages that are installed; what a release says of itself, and its smoke test."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from satsweeper import __version__
from satsweeper.cli.main import COMMANDS
from scripts.frame.arguments import ran
from scripts.lowest_versions import lowest_versions
from scripts.releasing import environments
from scripts.releasing.smoke import ROWS, Row
from scripts.releasing.trials import Installed, smoke, wanted
from scripts.write_constraints import HEAD, markers_of, name_of, versions_in
from tests.commands import ROOT, python

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
    command = ["bash", "-c", '. "$0"; prepare "$@"', root / "scripts" / "environment.sh", *words]
    return ran(command, env={**os.environ, "SATSWEEPER_VERSIONS": versions}, cwd=root.parent)


def asked(root: Path, environment: str = ".venv") -> list[str]:
    """The arguments of the installations into ``root / environment`` since the last call."""
    noted = root / environment / "bin" / "asked"
    lines = noted.read_text().splitlines() if noted.exists() else []
    noted.unlink(missing_ok=True)
    return lines


@pytest.mark.parametrize("extra", ["", "plot"])
def test_the_tested_versions_are_installed_and_build_the_project(checkout, extra):
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
def test_a_version_is_pinned_just_where_its_package_allows(requires, markers):
    assert markers_of(requires) == markers
    line = Requirement(f"x==1; {' and '.join(markers)}") if markers else Requirement("x==1")
    for version in ("3.11.0", "3.11.2", "3.11.9", "3.12.3", "3.13.0", "3.14.0", "3.14.1"):
        held = line.marker is None or line.marker.evaluate({"python_full_version": version})
        assert held == SpecifierSet(requires).contains(version)


def test_the_file_has_a_version_of_each_package_and_names_no_place() -> None:
    text = (ROOT / "scripts" / "constraints.txt").read_text("utf-8")
    assert text.startswith(HEAD)
    lines = text.removeprefix(HEAD).splitlines()
    names = [Requirement(line).name for line in lines]
    assert names == sorted({name_of(name) for name in names})
    for line in lines:
        [pinned] = Requirement(line).specifier
        assert pinned.operator == "=="
        assert "@" not in line


STATED = ["CHANGELOG.md", "CITATION.cff", "README.md", "pyproject.toml"]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with the files that state something."""
    for name in (*STATED, *environments.VERSION_FILES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(f"```\nc satsweeper {__version__}, solver x\n```\n")
    return tmp_path


def test_version_changelog_citation_and_documents_agree() -> None:
    assert environments.disagreements(ROOT) == []


# fmt: off
SAID = [
    ("encodings/pbcnf/__init__.py", f'"{__version__}"', '"9.9.9"', "version 9.9.9, and"),
    ("CITATION.cff", f"version: {__version__}", "version: 9.9.9", "CITATION.cff: version 9.9.9"),
    ("CITATION.cff", "date-released: 2", "date-released: 1", "CITATION.cff: released 1"),
    ("CITATION.cff", "license: MIT", "license: BSD", "license BSD, not MIT"),
    ("CITATION.cff", "title: ", "title: A", "the title is not that"),
    ("CHANGELOG.md", "## Unreleased", "## Soon", "the first heading is not"),
    ("CHANGELOG.md", f"## {__version__}", "## 9.9.9", "the newest version is 9.9.9"),
    ("CHANGELOG.md", "\n\n### ", "\n### ", "a heading with no empty line before it"),
    ("README.md", "Python 3.11 or later", "Python 3.9 or later", "README.md: Python 3.9"),
    ("README.md", "'.[all]'", "'.[everything]'", "there is no extra 'everything'"),
    ("docs/a.md", __version__, "9.9.9", "docs/a.md: shows 9.9.9"),
    ("pyproject.toml", ",render]", "]", "the extra 'render' is not in 'all'"),
]
# fmt: on


@pytest.mark.parametrize(("name", "old", "new", "said"), SAID)
def test_whatever_says_something_else_is_named(copy, name, old, new, said):
    assert environments.disagreements(copy) == []
    text = (copy / name).read_text("utf-8")
    assert old in text
    (copy / name).write_text(text.replace(old, new, 1), "utf-8")
    assert any(said in line for line in environments.disagreements(copy))


def test_a_new_version_is_written_wherever_one_is_stated(copy: Path) -> None:
    changelog = copy / "CHANGELOG.md"
    text = changelog.read_text("utf-8").replace("## Unreleased\n", "## Unreleased\n\n* New.\n")
    changelog.write_text(text)
    assert environments.unreleased(copy)
    environments.prepare(copy, "7.0.0", date(2099, 1, 2))
    assert environments.disagreements(copy) == []
    assert not environments.unreleased(copy)
    assert environments.version(copy) == "7.0.0"
    assert environments.releases(copy)[0] == ("7.0.0", "2099-01-02")
    assert "c satsweeper 7.0.0, solver x" in (copy / "docs" / "a.md").read_text()
    with pytest.raises(environments.FailedError, match="nothing stands under Unreleased"):
        environments.prepare(copy, "7.0.1", date(2099, 1, 3))


@pytest.mark.parametrize("extras", [frozenset(), frozenset({"all", "tui", "render"})])
def test_the_smoke_test_tries_every_command(extras: frozenset[str]) -> None:
    tried = {row.command for row in ROWS if wanted(row, extras)}
    assert tried - {""} == set(COMMANDS)


def test_a_row_that_does_not_come_true_is_named() -> None:
    where = Installed(Path(sys.prefix), frozenset(), __version__, environment={"PYTHONPATH": ""})
    asks = "import sys; print(sys.stdin.isatty()); input()"
    rows = [
        Row(("-c", "print('told'); raise SystemExit(3)"), "told", 3, program="python"),
        Row(("-c", "print('told')"), "told", 3, program="python"),
        Row(("-c", "print('told')"), "said", program="python"),
        Row(("-c", asks), "True", program="python", keys="x\n"),
    ]
    told = [line for line in smoke(where, rows) if line.startswith("python ")]
    assert [line.rpartition(": ")[0].partition("; ")[0] for line in told] == [
        """python -c 'print('"'"'told'"'"')': exit code 0, not 3""",
        """python -c 'print('"'"'told'"'"')': nothing in what it said is 'said'""",
    ]


@pytest.mark.parametrize(
    ("fetched", "message"),
    [("", "needs npm, which is not here"), ("else", "is not the file of page/versions.json")],
)
def test_a_page_is_not_built_without_npm_or_with_another_file(tmp_path, fetched, message):
    (tmp_path / "cache").mkdir()
    if fetched:
        (tmp_path / "cache" / "pyodide-314.0.7.tgz").write_text(fetched)
    options = ["--cache", tmp_path / "cache", "-o", tmp_path / "page"]
    ended = python(ROOT / "scripts" / "build_page.py", *options, env={"PATH": str(tmp_path)})
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert message in ended.stderr
    assert not (tmp_path / "page").exists()
