"""Standard output holds the answer alone, whatever libraries print, and colours where wanted."""

import json
import os
import pty
import re
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import pbcnf
import satsweeper
from satsweeper import __version__
from satsweeper.cli.main import COMMANDS, parser_of
from tests import commands
from tests.commands import EXAMPLES, call, python

STAND_IN = '''
"""{package}, which prints on import, when made and when run: by C, held back and at once, and
by Python."""

import ctypes
import sys

C = ctypes.CDLL(None)


def loud(what):
    C.puts(b"held " + what)
    C.write(1, b"direct " + what + b"\\n", len(what) + 8)
    print("python", what.decode(), flush=True)


sys.path.remove({folder!r})
this = sys.modules.pop("{package}")
import {package} as real

loud(b"import")
globals().update(vars(real))
sys.modules["{package}"] = this
sys.path.insert(0, {folder!r})
{changed}'''
CHANGED = {
    "pysolvers": """
def minisat22_new():
    loud(b"made")
    return real.minisat22_new()

def minisat22_solve(*arguments):
    loud(b"run")
    return real.minisat22_solve(*arguments)

def minisat22_solve_lim(*arguments):
    loud(b"run")
    return real.minisat22_solve_lim(*arguments)
""",
    "highspy": """
class Highs(real.Highs):
    def __init__(self):
        loud(b"made")
        super().__init__()

    def run(self):
        loud(b"run")
        return super().run()
""",
}
PRINTED, HELD = (
    {f"{how} {when}" for when in ("import", "made", "run") for how in ways}
    for ways in (("direct", "python"), ("held",))
)
"""The lines of the stand-in for a library; C's buffered lines are lost when a worker is ended."""


@pytest.fixture(params=CHANGED)
def loud(request, tmp_path, environment, monkeypatch):
    """Called, has commands load a library that prints in the place of one that does not."""
    package = request.param
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    folder = tmp_path / "loud"
    folder.mkdir()
    # Workers look beside our packages before where others are installed.
    for ours in (pbcnf, satsweeper):
        (folder / ours.__name__).symlink_to(Path(ours.__path__[0]))
    text = STAND_IN.format(package=package, folder=str(folder), changed=CHANGED[package])
    (folder / f"{package}.py").write_text(text)
    path = os.pathsep.join([str(folder), environment["PYTHONPATH"]])
    return lambda: monkeypatch.setitem(environment, "PYTHONPATH", path)


@pytest.fixture
def board(tmp_path):
    """A board that a solver of clauses is asked about first, and then a linear program."""
    path = tmp_path / "chessboard.txt"
    assert call("family", "chessboard_with_private_cells", "--size", 8, "-o", path).code == 0
    return path


@pytest.mark.parametrize(
    "words",
    [["classify", "--json"], ["classify", "--json", "--timeout", "50"], ["explain", "0,0"],
     ["certify", "-o", "certificate", "--json"], ["render", "-o", "-"]],
    ids=" ".join,
)  # fmt: skip
def test_what_a_library_prints_goes_to_standard_error(child, loud, board, tmp_path, words):
    command, *options = words
    quiet = child(command, board, *options, cwd=tmp_path)
    loud()
    ended = child(command, board, *options, cwd=tmp_path)
    assert ended.code == quiet.code == 0
    assert PRINTED <= set(ended.err.splitlines()) <= PRINTED | HELD
    assert without_seconds(ended.out) == without_seconds(quiet.out)


def without_seconds(out: str) -> Any:
    """An answer, without what differs from one run to the next."""
    try:
        found = json.loads(out)
    except ValueError:
        return out
    found.get("stats", {}).pop("seconds", None)
    return found


def test_what_a_library_prints_is_lost_where_standard_error_is_closed(child, loud, board):
    loud()
    ended = child("classify", "--json", board, stderr=None, preexec_fn=lambda: os.close(2))
    assert ended.code == 0
    assert json.loads(ended.out)["status"] == "consistent"


ENCODER = """
from itertools import combinations

print("on import")

def loud(n, lower, upper):
    print("when run")
    inputs = range(1, n + 1)
    some = [[-v for v in each] for each in combinations(inputs, upper + 1)]
    return n, some + [list(each) for each in combinations(inputs, n - lower + 1)]
"""


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize(
    "line",
    ["audit mine:loud --n 3", "compare random:5x5/5:seeds=0 --encodings direct,mine:loud -o sweep"],
)
def test_what_an_encoder_of_ones_own_prints_goes_to_standard_error(child, tmp_path, line, options):
    answers = []
    for name, source in {"quiet": ENCODER.replace("print(", "str("), "loud": ENCODER}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text(source)
        ended = child(*line.split(), *options, cwd=tmp_path / name)
        assert ended.code == 0
        answers.append(ended.out)
    assert {"on import", "when run"} <= set(ended.err.splitlines())
    assert answers[0] == answers[1] != ""


@pytest.mark.parametrize("how", ["a full disk", "a reader that has gone"])
def test_what_is_printed_is_lost_where_standard_error_takes_nothing(child, tmp_path, how):
    if how == "a full disk":
        if not Path("/dev/full").exists():
            pytest.skip("no device that is always full")
        nowhere = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, nowhere = os.pipe()
        os.close(reader)
    (tmp_path / "mine.py").write_text(ENCODER)
    ended = child("audit", "mine:loud", "--n", "3", "--json", cwd=tmp_path, stderr=nowhere)
    os.close(nowhere)
    assert (ended.code, ended.json["kept"]) == (0, True)


def test_a_solver_that_prints_is_known_by_what_it_can_do(loud, environment):
    def probed() -> str:
        code = "from satsweeper.solvers.probe import probe; print(probe('minisat22'))"
        printed = python("-c", code, env=environment, check=True).stdout
        (answer,) = (line for line in printed.splitlines() if line.startswith("Features("))
        return str(answer)

    quiet = probed()
    loud()
    assert probed() == quiet


FIRST_FILE = """
import os, sys
from satsweeper.processes.standard_output import reserve_stdout
reserve_stdout()
with open(sys.argv[1], "wb") as file:
    os.write(1, b"foreign")
    os.write(2, b"foreign")
    file.write(b"ours")
"""


def test_no_file_gets_the_number_of_a_standard_stream_that_is_closed(tmp_path):
    file, nowhere = tmp_path / "file", {"stdout": None, "stderr": None}
    python("-c", FIRST_FILE, file, preexec_fn=lambda: os.closerange(0, 3), **nowhere)
    assert file.read_bytes() == b"ours"


def closed(child, *words: object, **options: Any) -> Any:
    return child(*words, stdout=None, preexec_fn=lambda: os.close(1), **options)


@pytest.mark.parametrize(
    "line",
    ["classify BOARD", "explain BOARD 2,2", "advise expert.txt", "export BOARD", "lint FORMULA",
     "encode packing.opb", "sat FORMULA", "convert BOARD --to json", "render BOARD -o -",
     "families", "audit pairwise --n 3", "completion bash", "--help", "--version",
     "classify --help"],
)  # fmt: skip
def test_an_answer_or_help_that_cannot_be_printed_is_one_line_and_exit_code_1(
    child, line, tmp_path
):
    formula = tmp_path / "a.cnf"
    formula.write_text("p cnf 2 1\n1 2 0\n")
    given = {"BOARD": EXAMPLES / "wikipedia_corner.txt", "FORMULA": formula}
    words = [given.get(word, EXAMPLES / word if "." in word else word) for word in line.split()]
    assert closed(child, *words) == (1, "", "<stdout>: standard output is closed\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_help_for_a_full_disk_is_an_error_without_buffers_too(child, environment, monkeypatch):
    monkeypatch.setitem(environment, "PYTHONUNBUFFERED", "1")
    with open("/dev/full", "w") as full:
        ended = child("--help", stdout=full)
    assert (ended.code, "No space left" in ended.err) == (1, True)


@pytest.mark.parametrize("line", ["export -o a.cnf", "render -o a.svg"])
def test_a_command_that_prints_nothing_needs_no_standard_output(child, tmp_path, line):
    ended = closed(child, *line.split(), EXAMPLES / "wikipedia_corner.txt", cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert (tmp_path / line.split()[-1]).stat().st_size


def test_what_is_printed_is_encoded_as_python_was_told():
    told = commands.environment(PYTHONIOENCODING="utf-16-le")
    ended: Any = python("-m", "satsweeper", "--version", env=told, text=False)
    assert ended.stdout.decode("utf-16-le") == f"satsweeper {__version__}\n"


# Colours: where they are wanted, and nowhere else


ESCAPE = "\x1b["
BOARD = "lp_5x5.txt"

COLOURED = [
    f"classify {BOARD}", f"explain {BOARD} 0,3", f"odds {BOARD}", "audit direct --n 2",
    "report SWEEP", "simulate --boards 3x3/1 --games 20 --strategy random",
]  # fmt: skip


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweeps") / "sweep"
    words = ("--seeds", 1, "--solvers", "minisat22", "-o", folder)
    assert call("compare", EXAMPLES / "ilp_3x3.txt", *words).code == 0
    return folder


@pytest.fixture(params=COLOURED)
def arguments(request, sweep):
    paths = {"SWEEP": str(sweep), BOARD: str(EXAMPLES / BOARD)}
    return [paths.get(word, word) for word in request.param.split()]


@pytest.fixture(autouse=True)
def nothing_asked_for(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def timeless(text: str) -> str:
    return re.sub(r"\d+\.\d+ s\b", "T", text)


def test_colours_are_always_there_or_never_and_change_no_word(arguments, monkeypatch):
    auto, always = call(*arguments), call(*arguments, "--color", "always")
    assert ESCAPE not in auto.out
    assert ESCAPE in always.out
    assert timeless(plain(always.out)) == timeless(auto.out)
    monkeypatch.setenv("NO_COLOR", "1")
    assert ESCAPE in call(*arguments, "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR")
    forced = call(*arguments)
    assert ESCAPE in forced.out
    # In a file nothing is cut off, coloured or not.
    assert timeless(plain(forced.out)) == timeless(auto.out)
    assert ESCAPE not in call(*arguments, "--color", "never").out


def test_a_width_of_0_is_none_that_is_known(arguments, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    known = timeless(call(*arguments).out)
    monkeypatch.setenv("COLUMNS", "0")
    assert timeless(call(*arguments).out) == known


def on_a_terminal(arguments: list[str], environment: dict[str, str]) -> str:
    reader, writer = pty.openpty()
    python("-m", "satsweeper", *arguments, stdout=writer, env=environment, check=True)
    os.close(writer)
    text = b""
    with suppress(OSError):
        while part := os.read(reader, 65536):
            text += part
    os.close(reader)
    return text.decode()


@pytest.mark.parametrize(
    ("color", "variables", "coloured"),
    [("auto", {}, True), ("auto", {"NO_COLOR": "1"}, False),
     ("never", {"FORCE_COLOR": "1"}, False), ("always", {"NO_COLOR": "1"}, True)],
)  # fmt: skip
def test_a_terminal_gets_colours_unless_they_are_not_wanted(
    environment, color, variables, coloured
):
    found = environment | {"TERM": "xterm-256color"} | variables
    text = on_a_terminal(["classify", str(EXAMPLES / BOARD), "--color", color], found)
    # Green, yellow: NO_COLOR forbids colours, not what is bold.
    assert bool(re.search(r"\x1b\[[0-9;]*3[23]m", text)) is coloured
    assert (ESCAPE in text) is (color != "never")


OTHERS = [
    "engines", "certify BOARD -o FOLDER", "check FOLDER", "export BOARD -o FILE", "lint BOARD",
    "encode knapsack.opb -o FILE", "sat BOARD", "solve knapsack.opb",
    "decode BOARD --map BOARD BOARD", "convert BOARD --to json -o FILE", "compare BOARD --dry-run",
    "doctor --json", "completion bash", "advise covered_4x4.txt", "render BOARD -o FILE.svg",
    "game new FILE", "generate 5x5/3", "family ones --size 3 -o FILE", "families",
    "competition --list", "page", "rules C",
]  # fmt: skip


def test_every_command_that_prints_colours_can_be_told_not_to(tmp_path, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("satsweeper.solvers.probe.probe", lambda name, seconds: "not asked")
    # A game needs a terminal: its colours are tested where it is.
    coloured = {"play", *(line.split()[0] for line in COLOURED)}
    assert {*coloured, *(line.split()[0] for line in OTHERS)} == set(COMMANDS)
    paths = {word: str(tmp_path / word) for word in ("FILE", "FILE.svg", "FOLDER")}
    paths |= {path.name: str(path) for path in EXAMPLES.iterdir()} | {"BOARD": EXAMPLES / BOARD}
    for line in OTHERS:
        ended = call(*(paths.get(word, word) for word in line.split()))
        assert ESCAPE not in ended.out + ended.err
    options = {command: parser_of([command])[1][command].format_help() for command in COMMANDS}
    assert {command for command, text in options.items() if "--color" in text} == coloured
