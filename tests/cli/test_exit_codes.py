"""The same mistake has the same exit code in every command, in one line that says where."""

import errno
import os
import shutil
import sys
from unittest.mock import patch

import pytest

from satsweeper.cli.main import COMMANDS, parser_of
from tests.commands import EXAMPLES, call, refused

BOARD, PROBLEM = "wikipedia_corner.txt", "knapsack.opb"

READ = [
    "classify X", "explain X 2,2", "certify X -o NEW", "check X", "check CERTIFICATE --board X",
    "odds X", "export X --format cnf -o NEW", "lint X", "encode X --format cnf -o NEW", "sat X",
    "solve X", "decode X --map MAP OUT", "decode BOARD --map X OUT", "decode BOARD --map MAP X",
    "convert X --to json -o NEW", "compare X -o NEW", "report X", "engines --compare X",
    "game process X", "advise X", "page X", "play X", "render X -o NEW.svg", "play --keys X",
    "game solve X",
]  # fmt: skip
"""Commands that take the name X of something to read."""

WRITE = [
    "certify BOARD -o X", "export BOARD --format cnf -o X",
    "export BOARD --format cnf -o NEW --map X", "encode PROBLEM --format cnf -o X",
    "encode PROBLEM --format cnf -o NEW --map X", "encode PROBLEM --format cnf -o NEW --proof X",
    "solve PROBLEM --proof X", "solve PROBLEM --proof NEW --formula X",
    "convert BOARD --to json -o X", "game new X", "generate 5x5/3 --to json -o X",
    "family ones --size 3 --to text -o X", "families ones --size 3 --to text -o X",
    "play --record X", "render BOARD -o X", "report SWEEP --csv X", "report SWEEP --latex X",
    "report SWEEP --mkplot X", "simulate --boards 3x3/1 --games 1 -o X",
    "simulate --boards 3x3/1 --games 1 --csv X", "simulate --boards 3x3/1 --games 1 --html X",
    "compare ilp_3x3.txt --solvers minisat22 --seeds 1 -o X", "competition --count 1 --hard 0 -o X",
]  # fmt: skip
"""Commands that take the name X of something to write."""


@pytest.fixture(scope="module")
def things(tmp_path_factory):
    folder = tmp_path_factory.mktemp("things")
    board = EXAMPLES / BOARD
    made = [
        call("export", board, "--format", "cnf", "-o", folder / "FORMULA", "--map", folder / "MAP"),
        call("certify", board, "-o", folder / "CERTIFICATE"),
        call("compare", EXAMPLES / "ilp_3x3.txt", "--seeds", 1, "--solvers", "minisat22",
             "-o", folder / "SWEEP"),
    ]  # fmt: skip
    assert [ended.code for ended in made] == [0, 0, 0]
    (folder / "OUT").write_text("s UNKNOWN\n")
    (folder / "FOLDER").mkdir()
    (folder / "FILE").write_text("?\n")
    return folder


@pytest.fixture
def fail(things, tmp_path):
    """Call a command by its line, with ``x`` in the place of X; return what it complains of."""
    named = {"BOARD": EXAMPLES / BOARD, "PROBLEM": EXAMPLES / PROBLEM, "NEW": tmp_path / "new"}

    def run(code: int, line: str, x: object = "") -> str:
        def path(word: str) -> object:
            found = named.get(word, things / word)
            if found.exists() or word in named:
                return found
            return EXAMPLES / word if "." in word else word.replace("X", str(x))

        command, *words = line.split()
        # Standard output is none of the system's here.
        with patch("satsweeper.cli.main.abandon_stdout"):
            ended = refused(code, command, *map(path, words))
        assert "Traceback" not in ended.err
        assert not (tmp_path / "new").exists()
        return ended.err

    return run


def test_every_command_that_takes_files_is_asked():
    takes = {"BOARD", "FILE", "PROBLEM", "MAP", "OUTPUT", "INSTANCE", "DIR"}
    asked = {line.split()[0] for line in [*READ, *WRITE]}
    for command in COMMANDS:
        actions = parser_of([command])[1][command]._actions
        assert (command in asked) == any(action.metavar in takes for action in actions)


@pytest.mark.parametrize("line", READ)
def test_what_is_not_there_or_a_folder_for_a_file_or_a_file_for_a_folder_is_exit_code_1(
    fail, things, line
):
    for name in ("nothing", "FILE" if line in ("check X", "report X") else "FOLDER"):
        assert fail(1, line, things / name).startswith(str(things / name))


@pytest.mark.parametrize("line", WRITE)
def test_what_cannot_be_written_is_exit_code_1_and_named(fail, things, line):
    # A file where a folder is needed stops even those who may write anywhere.
    assert str(things / "FILE") in fail(1, line, things / "FILE" / "x")


NUMBERS = [
    "classify BOARD --timeout=X", "explain BOARD X", "certify BOARD -o NEW --timeout=X",
    "certify BOARD -o NEW --cell=X", "odds BOARD --max-width=X", "odds BOARD --density=X",
    "encode PROBLEM --max-clauses=X", "sat FORMULA --timeout=X", "solve PROBLEM --timeout=X",
    "solve PROBLEM --max-clauses=X", "decode BOARD --map MAP OUT --timeout=X",
    "convert BOARD --to danamlund --seed=X", "compare BOARD --seeds=X", "audit --n=X",
    "engines --limit=X", "competition -o NEW --weak-seconds=X", "family ones --size=X",
    "family bump --size=3 --seed=X", "play --seed=X", "play --size=X", "game new NEW --seed=X",
    "game new NEW --level=X", "game new NEW --size=X", "game new NEW --first-click=safe --start=X",
    "classify BOARD --mines=X", "classify BOARD --cap=X",
]  # fmt: skip


@pytest.mark.parametrize("line", NUMBERS)
@pytest.mark.parametrize("number", ["-1", "x", "", "1e400", "٣"])
def test_what_is_no_number_is_wrong_usage(fail, line, number):
    fail(2, line, number)


@pytest.mark.parametrize("cell", ["9,9", "0,0"], ids=["outside", "a clue"])
def test_a_cell_that_the_board_does_not_have_is_bad_input(fail, cell):
    said = fail(1, f"explain BOARD {cell}")
    assert said == fail(1, f"certify BOARD -o NEW --cell {cell}")
    assert said.startswith(f"{EXAMPLES / BOARD}: cell ({cell.replace(',', ', ')}) is ")


@pytest.mark.parametrize(
    "line",
    ["classify BOARD", "explain BOARD 2,2", "certify BOARD -o NEW", "odds BOARD",
     "export BOARD --format cnf -o NEW", "convert BOARD --to json -o NEW", "compare BOARD -o NEW"],
)  # fmt: skip
def test_more_mines_than_cells_are_bad_input(fail, line):
    said = f"{EXAMPLES / BOARD}: 1000 mines in 9 cells: the total is 0 to 9"
    assert fail(1, f"{line} --mines 1000").startswith(said)


@pytest.mark.parametrize(
    "line",
    ["classify BOARD --encoding", "certify BOARD -o NEW --encoding",
     "export BOARD --format cnf -o NEW --encoding", "compare BOARD -o NEW --encodings",
     "encode PROBLEM --format cnf -o NEW --cardinality"],
)  # fmt: skip
def test_an_encoder_that_cannot_express_it_is_wrong_usage(fail, line):
    said = fail(2, f"{line} pairwise")
    assert "pairwise" in said
    assert "cannot" in said


@pytest.mark.skipif(shutil.which("no_such_solver") is not None, reason="there is such a program")
@pytest.mark.parametrize(
    "line",
    ["classify BOARD --solver", "explain BOARD 2,2 --solver", "certify BOARD -o NEW --solver",
     "sat FORMULA --solver", "solve PROBLEM --solver", "compare BOARD -o NEW --solvers"],
)  # fmt: skip
def test_a_solver_that_is_not_there_is_wrong_usage(fail, line):
    said = "no program 'no_such_solver' on PATH (known:"
    assert said in fail(2, f"{line} external:no_such_solver")


@pytest.mark.parametrize(
    "line",
    ["classify BOARD --engine cp_sat", "audit --against rustsat",
     "compare BOARD --encodings rustsat:totalizer -o NEW", "export BOARD --format smt2 -o NEW",
     "encode PROBLEM --format smt2 -o NEW"],
)  # fmt: skip
def test_an_extra_that_is_missing_is_bad_luck_and_not_wrong_usage(fail, monkeypatch, line):
    monkeypatch.setattr("satsweeper.engines.table.find_spec", lambda package: None)
    for name in ("rustsat", "pysmt", "matplotlib"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "pip install" in fail(1, line)


NO_MEMORY = "satsweeper classify: not enough memory\n"


@pytest.mark.parametrize(
    ("error", "said"),
    [(OSError(errno.EMFILE, os.strerror(errno.EMFILE), "/a/b"), "/a/b: Too many open files\n"),
     (MemoryError(), NO_MEMORY),
     (ImportError("some.so: failed to map segment from shared object"), NO_MEMORY)],
)  # fmt: skip
def test_an_error_of_the_system_and_want_of_memory_are_one_line_wherever_they_come(error, said):
    fails = patch("satsweeper.cli.classify.read_board_or_puzzle", side_effect=error)
    with fails, patch("satsweeper.cli.main.abandon_stdout"):
        assert call("classify", EXAMPLES / BOARD) == (1, "", said, "")
