"""Completion: what the shells themselves make of the scripts."""

import shutil
import subprocess
from pathlib import Path

import pytest

from pbcnf import ENCODERS
from satsweeper.cli.main import COMMANDS
from satsweeper.engines.table import ENGINES
from satsweeper.solvers.table import SOLVERS
from tests.commands import call

ROOT = Path(__file__).parents[2]

# As bash does when the tabulator is pressed behind the last word.
PRESS_TAB = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
called=$(complete -p satsweeper); called=${called##*-F }
"${called%% *}" satsweeper "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("completion")
    written = {}
    for shell in ("bash", "zsh", "fish"):
        ended = call("completion", shell)
        assert (ended.code, ended.err) == (0, "")
        written[shell] = folder / f"satsweeper.{shell}"
        written[shell].write_text(ended.out)
    return written


TYPED = [
    (["cla"], {"classify"}),
    ([""], set(COMMANDS)),
    (["classify", "--enc"], {"--encoding"}),
    (["classify", "--encoding", "total"], {"totalizer"}),
    (["export", "--total-encoding", ""], set(ENCODERS)),
    (["classify", "--engine", ""], set(ENGINES)),
    (["explain", "--solver", ""], {"auto", *SOLVERS}),
    (["classify", "--flags", "t"], {"trust"}),
    (["convert", "examples/expert.txt", "--to", "ta"], {"tatham"}),
    (["completion", ""], {"bash", "zsh", "fish"}),
    (["audit", "pairw"], {"pairwise"}),
    (["family", "torus_b"], {"torus_bump"}),
    (["classify", "examples/exper"], {"examples/expert.txt"}),
    (["sat", "examples/exper"], {"examples/expert.txt"}),
    (["decode", "--map", "examples/exper"], {"examples/expert.txt"}),
    (["check", "example"], {"examples"}),
    (["certify", "-o", "example"], {"examples"}),
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def said(value: list[str] | set[str]) -> str:
    """The same name for a test in every process."""
    return " ".join(value if isinstance(value, list) else sorted(value))


@pytest.mark.parametrize(("typed", "offered"), TYPED, ids=said)
def test_bash_offers_what_may_come_next(
    scripts: dict[str, Path], typed: list[str], offered: set[str]
) -> None:
    command = ["bash", "--norc", "-c", PRESS_TAB, "bash", scripts["bash"], "satsweeper", *typed]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stderr == ""
    assert set(ended.stdout.split()) == offered


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish")
@pytest.mark.parametrize(("typed", "offered"), TYPED[:11], ids=said)
def test_fish_offers_what_may_come_next(
    scripts: dict[str, Path], typed: list[str], offered: set[str]
) -> None:
    line = " ".join(["satsweeper", *typed])
    asked = f"source {scripts['fish']}; complete -C '{line}'"
    command = ["fish", "--no-config", "-c", asked]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = {row.partition("\t")[0] for row in ended.stdout.splitlines()}
    assert {each for each in found if not each.startswith("-") or typed[-1]} == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_script_names_all_commands_and_is_read_by_its_shell(
    scripts: dict[str, Path], shell: str
) -> None:
    text = scripts[shell].read_text()
    assert all(command in text for command in COMMANDS)
    if shutil.which(shell):
        subprocess.run([shell, "-n", scripts[shell]], check=True)
