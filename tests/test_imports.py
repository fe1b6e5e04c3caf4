"""What a start costs: help must not load what only a search needs."""

import os
import py_compile
from pathlib import Path

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


def test_the_help_of_no_command_loads_anything_heavy() -> None:
    code = (
        "import sys\n"
        "from satsweeper.cli.main import COMMANDS, parser_of\n"
        "helps = [each.format_help() for each in parser_of(COMMANDS)[1].values()]\n"
        "print(len(helps), *{name.partition('.')[0] for name in sys.modules})\n"
    )
    count, *held = python("-c", code).stdout.split()
    assert int(count) > 25
    assert set(held) & HEAVY == set()


def test_the_measure_sees_what_a_search_loads() -> None:
    board = str(ROOT / "examples" / "expert.txt")
    assert {"pysat", "satsweeper"} <= loaded(["classify", "--solver", "cadical195", board])
    assert {"numpy", "satsweeper"} <= loaded(["export", "--format", "cnf", "-o", "-", board])


def test_an_expert_board_needs_one_solver_and_nothing_else() -> None:
    held = loaded(["classify", "--json", str(ROOT / "examples" / "expert.txt")])
    assert held & HEAVY == {"pysolvers"}


@pytest.mark.parametrize("name", ["ilp_3x3", "wikipedia_corner", "minesweepr", "danamlund_8x8"])
def test_small_boards_are_classified_without_solver_and_arrays(name: str) -> None:
    held = loaded_modules(["classify", "--json", str(ROOT / "examples" / f"{name}.txt")])
    assert held & {"pysat", "numpy", "rich"} == set()
    assert {module for module in held if module.startswith("pbcnf")} <= LIGHT


def test_json_needs_no_terminal() -> None:
    board = str(ROOT / "examples" / "ilp_3x3.txt")
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
