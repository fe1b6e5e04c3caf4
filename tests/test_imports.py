"""What a start costs: help loads nothing heavy, and the core answers without numpy."""

import json
import os
import py_compile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import pbcnf
from tests.commands import python

ROOT = Path(__file__).parents[1]
HEAVY = {"pysat", "pysolvers", "numpy", "rich", "networkx", "joblib", "shtab", "difflib"}
HEAVY |= {"multiprocessing"}
LIGHT = {"pbcnf", "pbcnf.errors", "pbcnf.late_imports", "pbcnf.shown"}
"""Modules of ``pbcnf`` that every value and error of ``satsweeper`` stands on."""


def loaded(arguments: list[str]) -> set[str]:
    """Return the packages that a child has loaded when the command has ended."""
    return {name.partition(".")[0] for name in loaded_modules(arguments)}


def loaded_modules(arguments: list[str]) -> set[str]:
    """Return the modules that a child has loaded when the command has ended."""
    code = (
        "import atexit, runpy, sys\n"
        "atexit.register(lambda: print('\\nLOADED', *sys.modules, file=sys.stderr))\n"
        f"sys.argv = ['satsweeper', *{arguments!r}]\n"
        "runpy.run_module('satsweeper', run_name='__main__')\n"
    )
    child = python("-c", code)
    line = next(line for line in child.stderr.splitlines() if line.startswith("LOADED "))
    return set(line.split()[1:])


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"], ["--version"], [], ["classify", "--help"], ["play", "--print-keys"],
        ["classify", "--mines", "x", "-"], ["explain", "-", "x"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_help_and_wrong_usage_load_nothing_heavy(arguments: list[str]) -> None:
    assert loaded(arguments) & HEAVY == set()


def test_a_simple_problem_is_solved_without_numpy_and_highs() -> None:
    code = (
        "import sys\n"
        "from pbcnf import read_problem\n"
        "from satsweeper.optimisation.run import solve\n"
        "print(*[solve(read_problem(name)).status.name for name in sys.argv[1:]])\n"
        "print({'numpy', 'highspy', 'ortools'} & {*sys.modules})\n"
    )
    files = [ROOT / "examples" / name for name in ("cover.wcnf", "committee.knf")]
    child = python("-c", code, *files)
    assert child.stdout.split() == ["OPTIMUM", "SATISFIABLE", "set()"], child.stderr


def test_the_help_of_no_command_loads_anything_heavy() -> None:
    code = (
        "import sys\n"
        "from satsweeper.cli.main import COMMANDS, parser_of\n"
        "helps = [each.format_help() for each in parser_of(COMMANDS)[1].values()]\n"
        "print(len(helps), *sys.modules)\n"
    )
    count, *held = python("-c", code).stdout.split()
    assert int(count) > 25
    assert set(held) & {*HEAVY, "satsweeper.notation.formats"} == set()


@pytest.mark.parametrize(
    ("command", "unused"),
    [("classify BOARD", {"dataclasses", "inspect", "rich"}), ("odds BOARD", {"rich"}),
     ("explain BOARD 9,23", {"rich"})],
)  # fmt: skip
def test_what_takes_long_to_load_is_not_loaded_for_an_answer_into_a_file(
    command: str, unused: set[str]
) -> None:
    board = str(ROOT / "examples" / "expert.txt")
    held = loaded([board if word == "BOARD" else word for word in command.split()])
    assert held & unused == set()


def test_the_measure_sees_what_a_search_loads() -> None:
    board = str(ROOT / "examples" / "expert.txt")
    assert {"pysat", "satsweeper"} <= loaded(["classify", "--solver", "cadical195", board])
    assert {"numpy", "satsweeper"} <= loaded(["export", "--format", "cnf", "-o", "-", board])


@pytest.mark.parametrize(
    "name", ["ilp_3x3", "wikipedia_corner", "minesweepr", "danamlund_8x8", "expert"]
)
def test_small_boards_are_classified_without_solver_and_arrays(name: str) -> None:
    held = loaded_modules(["classify", "--json", str(ROOT / "examples" / f"{name}.txt")])
    assert {module.partition(".")[0] for module in held} & HEAVY == set()
    assert {module for module in held if module.startswith("pbcnf")} <= LIGHT
    # Rules and geometries are for boards that have them.
    puzzle = {module for module in held if module.startswith("satsweeper.puzzle.")}
    assert puzzle <= {"satsweeper.puzzle.headers", "satsweeper.puzzle.errors"}


def test_json_and_boards_in_files_need_no_terminal() -> None:
    board = str(ROOT / "examples" / "ilp_3x3.txt")
    assert loaded(["classify", board]) & {"rich", "shutil", "tempfile"} == set()
    assert "rich" not in loaded(["classify", "--json", board])
    assert "rich" not in loaded(["explain", "--json", board, "0,2"])


def test_public_names_are_known_where_only_compiled_files_are_installed(tmp_path: Path) -> None:
    (tmp_path / "pbcnf").mkdir()
    for name in ("__init__", "late_imports", "literals"):
        source = ROOT / "encodings" / "pbcnf" / f"{name}.py"
        py_compile.compile(str(source), str(tmp_path / "pbcnf" / f"{name}.pyc"), doraise=True)
    code = "import pbcnf; print(pbcnf.MAX_VAR, *pbcnf.__all__)"
    child = python("-c", code, env={**os.environ, "PYTHONPATH": str(tmp_path)}, cwd=tmp_path)
    assert child.stdout.split() == [str(pbcnf.MAX_VAR), *vars(pbcnf)["__all__"]], child.stderr


# The core without arrays: no numpy on an expert board, and the same answers without it


CORPUS = ROOT / "tests" / "data" / "corpus" / "sample.txt"


@cache
def told(numpy: str) -> dict[str, Any]:
    """What a child of its own answers, with numpy "present", "absent" or "free" to be loaded."""
    child = python(ROOT / "tests" / "data" / "core_alone.py", numpy, CORPUS)
    assert child.returncode == 0, child.stderr
    found: dict[str, Any] = json.loads(child.stdout)
    return found


def test_the_core_loads_no_numpy_on_expert_boards() -> None:
    assert not told("free")["loaded"]


def test_the_core_answers_without_numpy_what_it_answers_with_it() -> None:
    assert told("present")["loaded"]
    with_it, without = told("present")["answers"], told("absent")["answers"]
    assert [what for what in with_it if without[what] != with_it[what]] == []


@pytest.mark.parametrize("total", ["known", "unknown"])
def test_the_verdicts_without_numpy_are_those_of_the_corpus(total: str, sample: Any) -> None:
    expected = {each.name: getattr(each, total) for each in sample}
    found = told("absent")["answers"][total]
    assert len(found) >= 12
    for name, (status, grid) in found.items():
        verdicts = "".join("." if cell in "012345678F" else cell for row in grid for cell in row)
        assert (status, verdicts) == ("consistent", expected[name]), name
