"""The same mistake has the same exit code in every command, in one line that says where."""

import errno
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from satsweeper.cli.main import COMMANDS, parser_of
from tests.commands import EXAMPLES, call

Call = Callable[..., Any]
ANSWER = "OUT"
BOARD, PROBLEM = "wikipedia_corner.txt", "knapsack.opb"

READ = {
    "classify": ["X"],
    "explain": ["X", "2,2"],
    "certify": ["X", "-o", "NEW"],
    "check": ["X"],
    "check --board": ["CERTIFICATE", "--board", "X"],
    "odds": ["X"],
    "export": ["X", "--format", "cnf", "-o", "NEW"],
    "lint": ["X"],
    "encode": ["X", "--format", "cnf", "-o", "NEW"],
    "sat": ["X"],
    "solve": ["X"],
    "decode": ["X", "--map", "MAP", ANSWER],
    "decode --map": [BOARD, "--map", "X", ANSWER],
    "decode OUTPUT": [BOARD, "--map", "MAP", "X"],
    "convert": ["X", "--to", "json", "-o", "NEW"],
    "compare": ["X", "-o", "NEW"],
    "report": ["X"],
    "engines": ["--compare", "X"],
    "game process": ["process", "X"],
    "advise": ["X"],
    "page": ["X"],
    "play": ["X"],
    "render": ["X", "-o", "NEW.svg"],
    "play --keys": ["--keys", "X"],
    "game solve": ["solve", "X"],
}
"""Where a command takes the name X of something to read."""

WRITE = {
    "certify": [BOARD, "-o", "X"],
    "export": [BOARD, "--format", "cnf", "-o", "X"],
    "export --map": [BOARD, "--format", "cnf", "-o", "NEW", "--map", "X"],
    "encode": [PROBLEM, "--format", "cnf", "-o", "X"],
    "encode --map": [PROBLEM, "--format", "cnf", "-o", "NEW", "--map", "X"],
    "encode --proof": [PROBLEM, "--format", "cnf", "-o", "NEW", "--proof", "X"],
    "solve": [PROBLEM, "--proof", "X"],
    "solve --formula": [PROBLEM, "--proof", "NEW", "--formula", "X"],
    "convert": [BOARD, "--to", "json", "-o", "X"],
    "game": ["new", "X"],
    "generate": ["5x5/3", "--to", "json", "-o", "X"],
    "family": ["ones", "--size", "3", "--to", "text", "-o", "X"],
    "families": ["ones", "--size", "3", "--to", "text", "-o", "X"],
    "play --record": ["--record", "X"],
    "render": [BOARD, "-o", "X"],
    "report --csv": ["SWEEP", "--csv", "X"],
    "report --latex": ["SWEEP", "--latex", "X"],
    "report --mkplot": ["SWEEP", "--mkplot", "X"],
    "simulate": ["--boards", "3x3/1", "--games", "1", "-o", "X"],
    "simulate --csv": ["--boards", "3x3/1", "--games", "1", "--csv", "X"],
    "simulate --html": ["--boards", "3x3/1", "--games", "1", "--html", "X"],
    "compare": ["ilp_3x3.txt", "--solvers", "minisat22", "--seeds", "1", "-o", "X"],
    "competition": ["--count", "1", "--hard", "0", "-o", "X"],
}
"""Where it takes the name X of something to write."""


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("things")
    board = EXAMPLES / BOARD
    made = [
        call("export", board, "--format", "cnf", "-o", folder / "FORMULA", "--map", folder / "MAP"),
        call("certify", board, "-o", folder / "CERTIFICATE"),
        call("compare", EXAMPLES / "ilp_3x3.txt", "--seeds", 1, "--solvers", "minisat22",
             "-o", folder / "SWEEP"),
    ]  # fmt: skip
    assert [ended.code for ended in made] == [0, 0, 0]
    (folder / ANSWER).write_text("s UNKNOWN\n")
    (folder / "FOLDER").mkdir()
    (folder / "FILE").write_text("?\n")
    return folder


@pytest.fixture
def fail(things: Path, tmp_path: Path) -> Callable[[str, Sequence[str], object], Any]:
    """Call a command with X for one of its words."""

    def run(command: str, words: Sequence[str], x: object = "") -> Any:
        def path(word: str) -> object:
            if word == "X":
                return x
            if word == "NEW":
                return tmp_path / "new"
            found = things / word
            return found if found.exists() else EXAMPLES / word if "." in word else word

        # Standard output is none of the system's here.
        with patch("satsweeper.cli.main.abandon_stdout"):
            ended = call(command.partition(" ")[0], *map(path, words))
        assert ended.out == ""
        assert ended.err.count("\n") == 1
        assert "Traceback" not in ended.err
        assert not (tmp_path / "new").exists()
        return ended

    return run


def test_every_command_that_takes_files_is_asked() -> None:
    takes = {"BOARD", "FILE", "PROBLEM", "MAP", "OUTPUT", "INSTANCE", "DIR"}
    asked = {name.partition(" ")[0] for name in [*READ, *WRITE]}
    for command in COMMANDS:
        actions = parser_of([command])[1][command]._actions
        assert (command in asked) == any(action.metavar in takes for action in actions)


@pytest.mark.parametrize("command", READ)
def test_what_is_not_there_is_exit_code_1_and_named(fail: Call, things: Path, command: str) -> None:
    ended = fail(command, READ[command], things / "nothing")
    assert ended.code == 1
    assert ended.err.startswith(str(things / "nothing"))


@pytest.mark.parametrize("command", READ)
def test_a_folder_for_a_file_and_a_file_for_a_folder_are_exit_code_1(
    fail: Call, things: Path, command: str
) -> None:
    wrong = things / ("FILE" if command in {"check", "report"} else "FOLDER")
    ended = fail(command, READ[command], wrong)
    assert ended.code == 1
    assert ended.err.startswith(str(wrong))


@pytest.mark.parametrize("command", WRITE)
def test_what_cannot_be_written_is_exit_code_1_and_named(
    fail: Call, things: Path, command: str
) -> None:
    # A file where a folder is needed stops even those who may write anywhere.
    wrong = things / "FILE" / "x"
    ended = fail(command, WRITE[command], wrong)
    assert ended.code == 1
    assert str(things / "FILE") in ended.err


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("classify", [BOARD, "--timeout=X"]),
        ("explain", [BOARD, "X"]),
        ("certify", [BOARD, "-o", "NEW", "--timeout=X"]),
        ("certify --cell", [BOARD, "-o", "NEW", "--cell=X"]),
        ("odds", [BOARD, "--max-width=X"]),
        ("odds --density", [BOARD, "--density=X"]),
        ("encode", [PROBLEM, "--max-clauses=X"]),
        ("sat", ["FORMULA", "--timeout=X"]),
        ("solve", [PROBLEM, "--timeout=X"]),
        ("solve --max-clauses", [PROBLEM, "--max-clauses=X"]),
        ("decode", [BOARD, "--map", "MAP", ANSWER, "--timeout=X"]),
        ("convert", [BOARD, "--to", "danamlund", "--seed=X"]),
        ("compare", [BOARD, "--seeds=X"]),
        ("audit", ["--n=X"]),
        ("engines", ["--limit=X"]),
        ("competition --weak-seconds", ["-o", "NEW", "--weak-seconds=X"]),
        ("family --size", ["ones", "--size=X"]),
        ("family --seed", ["bump", "--size=3", "--seed=X"]),
        ("play --seed", ["--seed=X"]),
        ("play --size", ["--size=X"]),
        ("game --seed", ["new", "NEW", "--seed=X"]),
        ("game --level", ["new", "NEW", "--level=X"]),
        ("game --size", ["new", "NEW", "--size=X"]),
        ("game --start", ["new", "NEW", "--first-click=safe", "--start=X"]),
        ("classify --mines", [BOARD, "--mines=X"]),
        ("classify --cap", [BOARD, "--cap=X"]),
    ],
)
@pytest.mark.parametrize("number", ["-1", "x", "", "1e400", "٣"])
def test_what_is_no_number_is_wrong_usage(
    fail: Call, command: str, words: list[str], number: str
) -> None:
    ended = fail(command, [word.replace("X", number) if "X" in word else word for word in words])
    assert ended.code == 2


@pytest.mark.parametrize("cell", ["9,9", "0,0"], ids=["outside", "a clue"])
def test_a_cell_that_the_board_does_not_have_is_bad_input(fail: Call, cell: str) -> None:
    asked = [fail("explain", [BOARD, cell]), fail("certify", [BOARD, "-o", "NEW", "--cell", cell])]
    assert [ended.code for ended in asked] == [1, 1]
    assert asked[0].err == asked[1].err
    assert asked[0].err.startswith(f"{EXAMPLES / BOARD}: cell ({cell.replace(',', ', ')}) is ")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("classify", [BOARD]),
        ("explain", [BOARD, "2,2"]),
        ("certify", [BOARD, "-o", "NEW"]),
        ("odds", [BOARD]),
        ("export", [BOARD, "--format", "cnf", "-o", "NEW"]),
        ("convert", [BOARD, "--to", "json", "-o", "NEW"]),
        ("compare", [BOARD, "-o", "NEW"]),
    ],
)
def test_more_mines_than_cells_are_bad_input(fail: Call, command: str, words: list[str]) -> None:
    ended = fail(command, [*words, "--mines", "1000"])
    assert ended.code == 1
    said = f"{EXAMPLES / BOARD}: 1000 mines in 9 cells: the total is 0 to 9"
    assert ended.err.startswith(said)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("classify", [BOARD, "--encoding", "pairwise"]),
        ("certify", [BOARD, "-o", "NEW", "--encoding", "pairwise"]),
        ("export", [BOARD, "--format", "cnf", "-o", "NEW", "--encoding", "pairwise"]),
        ("encode", [PROBLEM, "--format", "cnf", "-o", "NEW", "--cardinality", "pairwise"]),
        ("compare", [BOARD, "-o", "NEW", "--encodings", "pairwise"]),
    ],
)
def test_an_encoder_that_cannot_express_it_is_wrong_usage(
    fail: Call, command: str, words: list[str]
) -> None:
    ended = fail(command, words)
    assert ended.code == 2
    assert "pairwise" in ended.err
    assert "cannot" in ended.err


@pytest.mark.skipif(shutil.which("no_such_solver") is not None, reason="there is such a program")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("classify", [BOARD]),
        ("explain", [BOARD, "2,2"]),
        ("certify", [BOARD, "-o", "NEW"]),
        ("sat", ["FORMULA"]),
        ("solve", [PROBLEM]),
        ("compare", [BOARD, "-o", "NEW"]),
    ],
)
def test_a_solver_that_is_not_there_is_wrong_usage(
    fail: Call, command: str, words: list[str]
) -> None:
    option = "--solvers" if command == "compare" else "--solver"
    ended = fail(command, [*words, option, "external:no_such_solver"])
    assert ended.code == 2
    assert "no program 'no_such_solver' on PATH (known:" in ended.err


def test_an_extra_that_is_missing_is_bad_luck_and_not_wrong_usage(
    fail: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satsweeper.engines.table.find_spec", lambda package: None)
    for name in ("rustsat", "pysmt", "matplotlib"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    for command, words in {
        "classify": [BOARD, "--engine", "cp_sat"],
        "audit": ["--against", "rustsat"],
        "compare": [BOARD, "--encodings", "rustsat:totalizer", "-o", "NEW"],
        "export": [BOARD, "--format", "smt2", "-o", "NEW"],
        "encode": [PROBLEM, "--format", "smt2", "-o", "NEW"],
    }.items():
        ended = fail(command, words)
        assert ended.code == 1
        assert "pip install" in ended.err


def test_an_error_of_the_system_is_named_with_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), "/some/where")

    monkeypatch.setattr("satsweeper.cli.classify.read_board", refuse)
    with patch("satsweeper.cli.main.abandon_stdout"):
        ended = call("classify", EXAMPLES / BOARD)
    assert (ended.code, ended.err) == (1, "/some/where: Too many open files\n")


@pytest.mark.parametrize(
    "error", [MemoryError(), ImportError("some.so: failed to map segment from shared object")]
)
def test_want_of_memory_is_one_line_wherever_it_comes(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*arguments: object) -> None:
        raise error

    monkeypatch.setattr("satsweeper.cli.classify.read_board", fail)
    ended = call("classify", EXAMPLES / BOARD)
    assert (ended.code, ended.err) == (1, "satsweeper classify: not enough memory\n")
