"""The installation: ``doctor``, extras on first use, completion in shells, ``page``."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from pbcnf import ENCODERS
from pbcnf.wording import install_hint
from satsweeper import __version__
from satsweeper.cli import doctor
from satsweeper.cli.doctor import examined
from satsweeper.cli.extras import SETUP, wanted
from satsweeper.cli.main import COMMANDS
from satsweeper.engines.table import ENGINES
from satsweeper.solvers.programs import DIALECTS
from satsweeper.solvers.table import SOLVERS, Features
from tests.commands import ROOT, call, done, python
from tests.docs.test_documents import parser_of

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


@pytest.fixture
def quick(monkeypatch):
    """Nothing is probed: every solver is found to be what the table says, unless changed."""
    answers: dict[str, Features | str] = dict(SOLVERS)
    monkeypatch.setattr("satsweeper.solvers.probe.probe", lambda name, seconds: answers[name])
    return answers


def test_all_of_it_is_true_here():
    found = done("doctor", "--json").json
    assert (found["schema"], found["works"], found["faults"]) == ("satsweeper/doctor/1", True, [])
    assert found["versions"]["satsweeper"] == __version__
    assert found["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))
    versions = {each["name"]: each["version"] for each in found["packages"]}
    assert versions == {name: metadata.version(name) for name in versions}
    assert {"numpy", "python-sat", "networkx", "rich", "joblib"} <= versions.keys()
    features = {each["name"]: each["features"] for each in found["solvers"]}
    assert {name: Features(**row) for name, row in features.items()} == SOLVERS


@pytest.mark.usefixtures("quick")
def test_every_extra_of_the_project_is_there_with_what_it_brings():
    extras = {each["name"]: each for each in call("doctor", "--json").json["extras"]}
    assert set(extras) <= set(EXTRAS) <= doctor.BRINGS.keys()
    assert {"smt", "cp", "ilp", "plot", "scip", "cluster", "dev"} <= extras.keys()
    for name, each in extras.items():
        assert each["brings"] == doctor.BRINGS[name]
        # A shell must not take the brackets for a pattern.
        assert shlex.split(each["install"])[-1] == f"satsweeper[{name}]"
        assert f"'satsweeper[{name}]'" in each["install"]
    assert {"pysmt", "z3-solver"} == {each["name"] for each in extras["smt"]["packages"]}


@pytest.mark.usefixtures("quick")
def test_what_is_missing_is_missing_and_what_cannot_be_imported_is_a_fault(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    ended = call("doctor")
    assert (ended.code, "networkx: cannot be imported: " in ended.out) == (1, True)
    assert "Traceback" not in ended.out + ended.err
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


@pytest.mark.usefixtures("quick")
def test_each_checker_is_named_once(monkeypatch):
    monkeypatch.setenv("PATH", "")
    names = [each["name"] for each in call("doctor", "--json").json["checkers"]]
    assert names == ["drat-trim", "cake_lpr", "veripb"]
    assert "drat-trim, cake_lpr, veripb" in " ".join(call("doctor").out.split())


def test_a_solver_that_does_not_work_is_a_fault_if_it_is_a_default_one(quick):
    quick["lingeling"] = "the process of the probe ended without an answer (SIGILL)"
    ended = done("doctor")
    assert "  lingeling does not: the process of the probe ended" in ended.out
    quick["minisat22"] = "a wrong model"
    ended = call("doctor")
    assert ended.code == 1
    assert "not everything that is needed works:\n  minisat22: a wrong model\n" in ended.out


@pytest.mark.usefixtures("quick")
def test_programs_on_the_path_are_asked(monkeypatch, tmp_path):
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
    # Whatever else this machine has on its path.
    there = {name: str(tmp_path / name) for name in scripts}
    monkeypatch.setattr("shutil.which", there.get)
    found = {each["name"]: each for each in call("doctor", "--json").json["programs"]}
    assert set(found) == set(DIALECTS)
    assert (found["cadical"]["works"], found["cadical"]["why"]) == (True, None)
    assert found["kissat"]["why"] == "it answers UNSATISFIABLE, where SATISFIABLE is right"
    assert not found["picosat"]["works"]
    assert (found["clasp"]["path"], found["clasp"]["works"]) == (None, False)


def test_all_of_play_is_compiled_beforehand_and_only_once():
    pytest.importorskip("numba")
    sources = (ROOT / "satsweeper" / "play" / "kernel").glob("*.py")
    decorated = sum(source.read_text().count("\n@compiled\n") for source in sources)
    # All functions are counted before any of them was needed.
    program = "from satsweeper.play.warm import kept; print(kept()['functions'])"
    assert int(python("-c", program).stdout) == decorated > 0
    first = call("doctor", "--warm", "--json").json["compiled"]
    assert first["kept"] == first["functions"] == decorated
    again = call("doctor", "--warm", "--json")
    assert (again.err, again.json["compiled"]) == ("", first)


@pytest.mark.usefixtures("quick")
def test_a_terminal_of_80_columns_folds_nothing_but_commands():
    lines = call("doctor").out.splitlines()
    assert [line for line in lines if len(line) > 79 and " -m pip install " not in line] == []


def test_once_the_time_is_over_no_solver_is_started(monkeypatch):
    started = []
    monkeypatch.setattr("satsweeper.solvers.probe.probe", lambda *asked: started.append(asked))
    found = [(each["works"], each["why"]) for each in examined(0)["solvers"]]
    assert (started, {*found}) == ([], {(False, "not tried: the time was over")})


# What an extra brings is installed on first use where ``scripts/run`` set up, and nowhere else


def test_all_brings_everything_that_a_command_can_need():
    (every,) = EXTRAS["all"]
    assert sorted(re.findall(r"\w+", every)[1:]) == sorted(EXTRAS.keys() - {"all", "dev", "docs"})
    assert "satsweeper[all]" in EXTRAS["dev"]


def needed(line: str) -> list[str]:
    """The extras that a command needs."""
    command, *words = line.split()
    arguments = parser_of(command).parse_args(words)
    arguments.command = command
    return wanted(arguments)


@pytest.mark.parametrize(
    ("line", "extras"),
    [("report sweep", []), ("report sweep --html page.html", ["plot"]),
     ("compare b.txt -o s --backend dask", ["cluster"]), ("compare b.txt -o s", []),
     ("classify b.txt", []), ("classify b.txt --engine cp_sat", ["cp"]),
     ("classify b.txt --engine nobody", []), ("engines", []),
     ("engines --compare b.txt --engine smt,lp,ilp", ["smt", "ilp"]),
     ("engines --compare b.txt", ["cp", "ilp", "scip", "smt"]),
     ("export b.txt --format smt2", ["smt"]), ("encode p.smt2.gz", ["smt"]),
     ("encode p.opb --format smt2", ["smt"]), ("encode p.opb", []), ("play", []),
     ("game solve game.txt", []), ("game solve game.txt --strategy safest", []),
     ("game solve game.txt --strategy exact", ["fast"]), ("generate 9x9/10", ["fast"]),
     ("solve examples/packing.opb --strategy linear", []), ("solve examples/packing.opb", []),
     ("render b.txt -o b.svg", []), ("render b.txt -o b.png", ["render"]),
     ("render b.txt -o - --format png", ["render"]),
     ("render --play 9x9/10 --strategy exact -o g.gif", ["fast", "render"])],
)  # fmt: skip
def test_what_a_command_needs_is_seen_in_its_arguments(line, extras):
    assert needed(line) == extras


def test_play_needs_textual_only_where_there_is_a_terminal(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert needed("play") == ["tui"]
    assert needed("play --strategy exact") == ["fast", "tui"]
    assert needed("play --print-keys") == []


WITHOUT_MATPLOTLIB = """
import importlib.util, os, sys
class Elsewhere:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "matplotlib" and not os.path.exists({installed!r}):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Elsewhere())
from satsweeper.engines import table
def spec(name, *more):
    try:
        return importlib.util.find_spec(name, *more)
    except ModuleNotFoundError:
        return None
table.find_spec = spec
from satsweeper.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def run(folder: Path, setup: Path | None) -> "subprocess.CompletedProcess[str]":
    """A report with a page, in a process for which matplotlib is in ``folder`` or nowhere."""
    words = ["report", folder / "sweep", "--html", folder / "page.html", "--csv", folder / "t.csv"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop(SETUP, None)
    environment |= {} if setup is None else {SETUP: str(setup)}
    code = WITHOUT_MATPLOTLIB.format(installed=str(folder / "installed"))
    return python("-c", code, *words, env=environment)


def test_the_first_use_installs_the_extra_with_one_line(tmp_path):
    pytest.importorskip("matplotlib")
    words = ["compare", "random:4x3/2:seeds=0-1", "--seeds", 1, "-o", tmp_path / "sweep"]
    assert call(*words).code == 0
    # Elsewhere than in a checkout nothing is installed, and all but the page is written.
    ended = run(tmp_path, None)
    said = f"--html: matplotlib is not installed: {install_hint('satsweeper[plot]')}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", said)
    assert (tmp_path / "t.csv").read_text().startswith("id,instance,")
    assert not (tmp_path / "page.html").exists()
    setup = tmp_path / "set up.sh"
    setup.write_text(f"prepare() {{ printf '%s %s' \"$@\" >'{tmp_path}/installed'; }}\n")
    ended = run(tmp_path, setup)
    said = "satsweeper report: this needs matplotlib: installing the extra plot, this once\n"
    assert (ended.returncode, ended.stderr) == (0, said)
    assert (tmp_path / "installed").read_text() == "plot said"
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    again = run(tmp_path, setup)
    assert (again.returncode, again.stderr) == (0, "")


# Completion: what the shells themselves make of the scripts


# As bash does when the tabulator is pressed behind the last word.
PRESS_TAB = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
called=$(complete -p satsweeper); called=${called##*-F }
"${called%% *}" satsweeper "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    written = {shell: folder / f"satsweeper.{shell}" for shell in ("bash", "zsh", "fish")}
    for shell, file in written.items():
        file.write_text(done("completion", shell).out)
    return written


TYPED = [
    (["cla"], {"classify"}), ([""], set(COMMANDS)), (["classify", "--enc"], {"--encoding"}),
    (["classify", "--encoding", "total"], {"totalizer"}),
    (["export", "--total-encoding", ""], set(ENCODERS)),
    (["classify", "--engine", ""], set(ENGINES)), (["explain", "--solver", ""], {"auto", *SOLVERS}),
    (["classify", "--flags", "t"], {"trust"}),
    (["convert", "examples/expert.txt", "--to", "ta"], {"tatham"}),
    (["completion", ""], {"bash", "zsh", "fish"}), (["audit", "biman"], {"bimander"}),
    (["family", "torus_b"], {"torus_bump"}),
    (["classify", "examples/exper"], {"examples/expert.txt"}),
    (["sat", "examples/exper"], {"examples/expert.txt"}),
    (["decode", "--map", "examples/exper"], {"examples/expert.txt"}),
    (["check", "example"], {"examples"}), (["certify", "-o", "example"], {"examples"}),
]  # fmt: skip


def said(value: list[str] | set[str]) -> str:
    """The same name for a test in every process."""
    return " ".join(value if isinstance(value, list) else sorted(value))


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(("typed", "offered"), TYPED, ids=said)
def test_bash_offers_what_may_come_next(scripts, typed, offered):
    command = ["bash", "--norc", "-c", PRESS_TAB, "bash", scripts["bash"], "satsweeper", *typed]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stderr == ""
    assert set(ended.stdout.split()) == offered


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish")
@pytest.mark.parametrize(("typed", "offered"), TYPED[:11], ids=said)
def test_fish_offers_what_may_come_next(scripts, typed, offered):
    line = " ".join(["satsweeper", *typed])
    asked = f"source {scripts['fish']}; complete -C '{line}'"
    command = ["fish", "--no-config", "-c", asked]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = {row.partition("\t")[0] for row in ended.stdout.splitlines()}
    assert {each for each in found if not each.startswith("-") or typed[-1]} == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_script_names_all_commands_and_is_read_by_its_shell(scripts, shell):
    text = scripts[shell].read_text()
    assert all(command in text for command in COMMANDS)
    if shutil.which(shell):
        subprocess.run([shell, "-n", scripts[shell]], check=True)


# ``page`` on the command line: where the page is, and serving it for a while


def test_the_page_is_named_or_served_until_the_time_is_over_on_a_port(tmp_path):
    (tmp_path / "built.json").write_text("{}")
    assert call("page", tmp_path) == (0, f"{tmp_path}\n", "", "")
    ended = done("page", "--serve", "--timeout", 0.01, tmp_path)
    assert ended.out.startswith("http://127.0.0.1:")
    wrong = call("page", "--serve", "--port", 70_000, tmp_path)
    assert wrong == (1, "", "port 70000: ports are 0 to 65535\n", "")
