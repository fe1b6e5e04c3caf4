"""What an extra brings is installed on first use where ``scripts/run`` set up, and nowhere else."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pbcnf.wording import install_hint
from satsweeper.cli.extras import SETUP, wanted
from satsweeper.cli.main import COMMANDS
from tests.commands import call
from tests.docs.test_documents import parser_of

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_all_brings_everything_that_a_command_can_need() -> None:
    (every,) = EXTRAS["all"]
    assert sorted(re.findall(r"\w+", every)[1:]) == sorted(EXTRAS.keys() - {"all", "dev", "docs"})
    assert "satsweeper[all]" in EXTRAS["dev"]


@pytest.mark.parametrize(
    ("line", "extras"),
    [
        ("report sweep", []),
        ("report sweep --html page.html", ["plot"]),
        ("compare b.txt -o s --backend dask", ["cluster"]),
        ("compare b.txt -o s", []),
        ("classify b.txt", []),
        ("classify b.txt --engine cp_sat", ["cp"]),
        ("classify b.txt --engine nobody", []),
        ("engines", []),
        ("engines --compare b.txt --engine smt,lp,ilp", ["smt", "ilp"]),
        ("engines --compare b.txt", ["cp", "ilp", "scip", "smt"]),
        ("export b.txt --format smt2", ["smt"]),
        ("encode p.smt2.gz", ["smt"]),
        ("encode p.opb --format smt2", ["smt"]),
        ("encode p.opb", []),
        ("play", []),
        ("game solve game.txt", []),
        ("game solve game.txt --strategy safest", []),
        ("game solve game.txt --strategy exact", ["fast"]),
        ("generate 9x9/10", ["fast"]),
        ("render b.txt -o b.svg", []),
        ("render b.txt -o b.png", ["render"]),
        ("render b.txt -o - --format png", ["render"]),
        ("render --play 9x9/10 --strategy exact -o g.gif", ["fast", "render"]),
    ],
)
def test_what_a_command_needs_is_seen_in_its_arguments(line: str, extras: list[str]) -> None:
    command, *words = line.split()
    assert command in COMMANDS
    arguments = parser_of(command).parse_args(words)
    arguments.command = command
    assert wanted(arguments) == extras


@pytest.mark.parametrize(
    ("line", "extras"),
    [("", ["tui"]), ("--strategy exact", ["fast", "tui"]), ("--print-keys", [])],
)
def test_play_needs_textual_only_where_there_is_a_terminal(
    monkeypatch: pytest.MonkeyPatch, line: str, extras: list[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    arguments = parser_of("play").parse_args(line.split())
    arguments.command = "play"
    assert wanted(arguments) == extras


def run(folder: Path, setup: Path | None) -> "subprocess.CompletedProcess[str]":
    """A report with a page, in a process for which matplotlib is in ``folder`` or nowhere."""
    code = (
        "import sys\n"
        "class Elsewhere:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] == 'matplotlib' and not __import__('os').path.exists"
        f"({str(folder / 'installed')!r}):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Elsewhere())\n"
        "from satsweeper.engines import table\n"
        "import importlib.util as u\n"
        "found = u.find_spec\n"
        "def spec(name, *more):\n"
        "    try: return found(name, *more)\n"
        "    except ModuleNotFoundError: return None\n"
        "table.find_spec = spec\n"
        "from satsweeper.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    words = ["report", folder / "sweep", "--html", folder / "page.html", "--csv", folder / "t.csv"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop(SETUP, None)
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, words)],
        env=environment | ({} if setup is None else {SETUP: str(setup)}),
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_first_use_installs_the_extra_with_one_line(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = ["compare", "random:4x3/2:seeds=0-1", "--seeds", 1, "-o", tmp_path / "sweep"]
    assert call(*words).code == 0
    # Elsewhere than in a checkout nothing is installed, and all but the page is written.
    ended = run(tmp_path, None)
    assert (ended.returncode, ended.stdout) == (1, "")
    hint = install_hint("satsweeper[plot]")
    assert ended.stderr == f"--html: matplotlib is not installed: {hint}\n"
    assert (tmp_path / "t.csv").read_text().startswith("id,instance,")
    assert not (tmp_path / "page.html").exists()
    setup = tmp_path / "set up.sh"
    setup.write_text(f"prepare() {{ printf '%s %s' \"$@\" >'{tmp_path}/installed'; }}\n")
    ended = run(tmp_path, setup)
    assert (ended.returncode, ended.stderr) == (
        0,
        "satsweeper report: this needs matplotlib: installing the extra plot, this once\n",
    )
    assert (tmp_path / "installed").read_text() == "plot said"
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    again = run(tmp_path, setup)
    assert (again.returncode, again.stderr) == (0, "")
