"""A release: what it says of itself agrees, its smoke test tries every command, and its edits."""

import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from satsweeper import __version__
from satsweeper.cli.main import COMMANDS
from scripts.releasing import environments
from scripts.releasing.environments import CannotPrepareError, prepare
from scripts.releasing.smoke import ROWS, Row
from scripts.releasing.trials import Installed, smoke, wanted

ROOT = Path(__file__).parents[2]
STATED = [
    "CHANGELOG.md",
    "CITATION.cff",
    "README.md",
    "pyproject.toml",
    *environments.VERSION_FILES,
]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with the files that state something."""
    for name in STATED:
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
def test_whatever_says_something_else_is_named(
    copy: Path, name: str, old: str, new: str, said: str
) -> None:
    assert environments.disagreements(copy) == []
    text = (copy / name).read_text("utf-8")
    assert old in text
    (copy / name).write_text(text.replace(old, new, 1), "utf-8")
    assert any(said in line for line in environments.disagreements(copy))


def test_a_new_version_is_written_wherever_one_is_stated(copy: Path) -> None:
    changelog = copy / "CHANGELOG.md"
    changelog.write_text(
        changelog.read_text("utf-8").replace("## Unreleased\n", "## Unreleased\n\n* New.\n")
    )
    assert environments.unreleased(copy)
    prepare(copy, "7.0.0", date(2099, 1, 2))
    assert environments.disagreements(copy) == []
    assert not environments.unreleased(copy)
    assert environments.version(copy) == "7.0.0"
    assert environments.releases(copy)[0] == ("7.0.0", "2099-01-02")
    assert "c satsweeper 7.0.0, solver x" in (copy / "docs" / "a.md").read_text()
    with pytest.raises(CannotPrepareError, match="nothing stands under Unreleased"):
        prepare(copy, "7.0.1", date(2099, 1, 3))


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


BUILD = Path(__file__).parents[2] / "scripts" / "build_page.py"


def build(folder: Path, **env: str) -> Any:
    command = [sys.executable, str(BUILD), "--cache", str(folder / "cache")]
    command += ["-o", str(folder / "page")]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_a_machine_without_npm_is_told_so(tmp_path: Path) -> None:
    ended = build(tmp_path, PATH=str(tmp_path))
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert "needs npm, which is not here" in ended.stderr
    assert not (tmp_path / "page").exists()


def test_a_file_that_is_not_what_it_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "pyodide-314.0.7.tgz").write_bytes(b"something else")
    ended = build(tmp_path, PATH=str(tmp_path))
    assert ended.returncode == 1
    assert "is not the file of page/versions.json" in ended.stderr
