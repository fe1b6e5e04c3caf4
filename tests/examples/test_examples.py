"""Programs, problems and notebooks in examples/ run from anywhere and show what is right."""

import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from pbcnf import read_problem
from tests.boards import neighbours
from tests.commands import EXAMPLES, ROOT, python

BEGINNER = [
    line for line in (EXAMPLES / "danamlund_8x8.txt").read_text().split("\n") if "?" in line
]
CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
"""The environment of whoever has no checkout on the path."""


def clues(grid: list[str]) -> dict[tuple[int, int], int]:
    return {
        (r, c): int(sign) for r, row in enumerate(grid) for c, sign in enumerate(row) if sign <= "9"
    }


def near(grid: list[str], cell: tuple[int, int]) -> set[tuple[int, int]]:
    return {*neighbours(cell, (len(grid), len(grid[0])))}


def meets(grid: list[str], mines: set[tuple[int, int]]) -> bool:
    return all(len(mines & near(grid, cell)) == clue for cell, clue in clues(grid).items())


def layouts(grid: list[str], cells: list[tuple[int, int]]) -> list[set[tuple[int, int]]]:
    """All ways to place mines in these cells that meet the clues."""
    ways = product((False, True), repeat=len(cells))
    placed = ({cell for cell, mine in zip(cells, way, strict=True) if mine} for way in ways)
    return [mines for mines in placed if meets(grid, mines)]


def cells_of(grid: list[str], sign: str) -> list[tuple[int, int]]:
    return [(r, c) for r, row in enumerate(grid) for c, found in enumerate(row) if found == sign]


def classify_with_reasons(lines: list[str]) -> None:
    grid, sentences = lines[:8], lines[8:]
    shown = clues(BEGINNER)
    frontier = [cell for cell in cells_of(BEGINNER, "?") if shown.keys() & near(BEGINNER, cell)]
    found = layouts(BEGINNER, frontier)
    assert all(len(mines) <= 10 for mines in found)
    always, ever = set.intersection(*found), set.union(*found)
    assert set(cells_of(grid, "M")) == always
    assert set(cells_of(grid, "S")) == set(frontier) - ever
    certain = [(cell, "safe") for cell in cells_of(grid, "S")]
    certain += [(cell, "a mine") for cell in cells_of(grid, "M")]
    starts = [f"{cell} is {verdict}: " for cell, verdict in certain]
    assert all(s.startswith(start) for s, start in zip(sentences, starts, strict=True))


def session_in_play(lines: list[str]) -> None:
    grid = lines[-5:]
    assert not cells_of(grid, "?")
    assert not cells_of(grid, "S")
    assert len(cells_of(grid, "M")) == 3
    assert meets(grid, set(cells_of(grid, "M")))


def odds_of_every_cell(lines: list[str]) -> None:
    grid = ["01??", "12??", "????"]
    every = layouts(grid, cells_of(grid, "?"))
    expected = []
    for total in (None, 4):
        kept = [mines for mines in every if total in (None, len(mines))]
        chances = {
            cell: Fraction(sum(cell in mines for mines in kept), len(kept))
            for cell in cells_of(grid, "?")
        }
        least = min(chances.values())
        expected += [f"total {total}: {len(kept)} layouts"]
        expected += [f"  {cell}: {chance}" for cell, chance in chances.items()]
        expected += [f"  safest: {cell}" for cell, chance in chances.items() if chance == least]
    assert lines == expected


def encode_and_solve(lines: list[str]) -> None:
    queens = cells_of(lines[1:], "Q")
    assert len(lines[1:]) == len(queens) == 8
    for (row, column), (other, there) in combinations(queens, 2):
        assert row != other
        assert column != there
        assert abs(row - other) != abs(column - there)


def counter_in_a_live_solver(lines: list[str]) -> None:
    # The same graph, built in another way: pairs of five things, joined if they share none.
    pairs = [set(pair) for pair in combinations(range(5), 2)]
    edges = [(a, b) for a, b in combinations(range(10), 2) if not pairs[a] & pairs[b]]
    smallest = min(
        size
        for size in range(11)
        for cover in combinations(range(10), size)
        if all(a in cover or b in cover for a, b in edges)
    )
    sizes = [len(re.findall(r"\d+", line.partition(":")[2])) for line in lines[:-1]]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == smallest
    assert lines[-1] == f"at most {smallest - 1}: none"


def export_and_decode(lines: list[str]) -> None:
    mines = set(cells_of(lines[1:], "M"))
    assert len(mines) == 10
    assert mines <= set(cells_of(BEGINNER, "?"))
    assert meets(BEGINNER, mines)


def own_rule(lines: list[str]) -> None:
    every = list(product(range(3), range(4)))
    around = near(["????"] * 3, (1, 1))
    placed = (
        {cell for cell, mine in zip(every, way, strict=True) if mine}
        for way in product((False, True), repeat=12)
    )
    found = [
        mines
        for mines in placed
        if (1, 1) not in mines
        and len(mines & around) == 6
        and all(sum((row, column) in mines for column in range(4)) <= 2 for row in range(3))
    ]
    always, ever = set.intersection(*found), set.union(*found)
    assert (set(cells_of(lines[:3], "M")), always) == (always, {(1, 0), (1, 2)})
    assert set(cells_of(lines[:3], "S")) == set(every) - ever - {(1, 1)}
    assert [line.partition(" in every")[0] for line in lines[3:]] == [
        "(1, 0) is a mine", "(0, 3) is safe"
    ]  # fmt: skip


CLAIMS: list[Callable[[list[str]], None]] = [
    classify_with_reasons, session_in_play, odds_of_every_cell, encode_and_solve,
    counter_in_a_live_solver, export_and_decode, own_rule,
]  # fmt: skip


def test_every_program_has_a_claim():
    assert {claim.__name__ for claim in CLAIMS} == {path.stem for path in EXAMPLES.glob("*.py")}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_a_program_runs_and_what_it_prints_is_right(claim, tmp_path):
    child = python(EXAMPLES / f"{claim.__name__}.py", cwd=tmp_path, env=CLEAN)
    assert (child.returncode, child.stderr) == (0, "")
    claim(child.stdout.splitlines())
    assert list(tmp_path.iterdir()) == []


# Problems


FILES = sorted(EXAMPLES.glob("*.opb"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_examples_of_opb_use_what_every_reader_knows(path):
    header, *lines = path.read_text("ascii").splitlines()
    problem = read_problem(path, strict=True)
    declared = f"* #variable= {problem.num_vars} #constraint= {len(problem.constraints)}"
    assert header == declared
    statements = [line for line in lines if not line.startswith("*")]
    assert all(line.startswith(("min:", "+", "-")) and line.endswith(" ;") for line in statements)
    assert not any("<" in line or "max:" in line for line in statements)


@pytest.mark.skipif(shutil.which("clasp") is None, reason="clasp is not on PATH")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_clasp_finds_the_best_of_an_example(path):
    problem = read_problem(path)
    models = [
        {sign * var for var, sign in enumerate(signs, start=1)}
        for signs in product((1, -1), repeat=problem.num_vars)
    ]
    models = [model for model in models if problem.holds(model)]
    found = subprocess.run(["clasp", str(path)], capture_output=True, text=True).stdout.split("\n")
    if problem.objective is None:
        assert ("s SATISFIABLE" in found) is bool(models)
        return
    assert "s OPTIMUM FOUND" in found
    best = min(map(problem.objective.value, models))
    assert [line for line in found if line.startswith("o ")][-1] == f"o {best}"


# The notebooks show what they are stored with


SCRIPT = ROOT / "scripts" / "run_notebooks.py"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
FAMILIES = {"board_to_proof", "comparing_encodings", "modelling", "playing"}


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return python(SCRIPT, *arguments, cwd=folder, env=CLEAN)


def outputs(path: Path) -> list[dict[str, Any]]:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [output for cell in cells for output in cell.get("outputs", [])]


def shown(path: Path, kind: str) -> list[str]:
    found = [output.get("data", {}).get(kind) for output in outputs(path)]
    return [each if isinstance(each, str) else "".join(each) for each in found if each]


def test_there_are_four_and_each_is_named_in_the_examples():
    assert {path.stem for path in NOTEBOOKS} == FAMILIES
    text = (EXAMPLES / "README.md").read_text("utf-8")
    assert all(f"({path.name})" in text for path in NOTEBOOKS)


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_a_notebook_runs_and_shows_what_is_stored(name, tmp_path):
    ended = run("--check", name, folder=tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_stored_notebook_names_no_machine_no_version_and_no_time(path):
    text = path.read_text("utf-8")
    stored = json.loads(text)
    assert stored["metadata"] == {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    assert all(cell["metadata"].keys() <= {"tags"} for cell in stored["cells"])
    assert not re.search(r"/(?:home|root|tmp|Users)/|[A-Z]:\\\\| at 0x", text)
    assert path.stat().st_size < 300_000


def test_what_is_shown_is_drawn_and_said_in_characters_as_well():
    drawn = {path.stem: shown(path, "image/svg+xml") for path in NOTEBOOKS}
    pages = {path.stem: len(shown(path, "text/html")) for path in NOTEBOOKS}
    for drawing in (each for drawings in drawn.values() for each in drawings):
        ElementTree.fromstring(drawing)
    least = {"board_to_proof": 6, "comparing_encodings": 3, "playing": 4}
    assert all(len(drawn[name]) >= number for name, number in least.items())
    assert pages["comparing_encodings"] >= 4
    assert pages["modelling"] >= 2
    for output in (each for path in NOTEBOOKS for each in outputs(path)):
        assert output["output_type"] in ("execute_result", "stream")
        assert "text" in output or "text/plain" in output["data"]


def copy_of_script(folder: Path, source: str) -> Path:
    """The script with a notebook of its own: what is to be found wrong."""
    for name in ("encodings", "satsweeper"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("scripts", "examples"):
        (folder / name).mkdir()
    copy = folder / "scripts" / SCRIPT.name
    copy.write_bytes(SCRIPT.read_bytes())
    cell = {
        "cell_type": "code", "id": "c0", "metadata": {}, "source": source, "outputs": [],
        "execution_count": None,
    }  # fmt: skip
    meta = {"metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "examples" / "odd.ipynb").write_text(json.dumps({"cells": [cell], **meta}))
    return copy


@pytest.mark.parametrize(
    ("source", "said"),
    [("1 / 0", "a cell fails: ZeroDivisionError: division by zero"),
     ("1 + 1", "other kinds of output than are stored"), ("import os; os.getcwd()", "names "),
     ("open('left.txt', 'w').close()", "left behind: left.txt")],
    ids=["fails", "differs", "path", "file"],
)  # fmt: skip
@pytest.mark.slow
def test_what_is_wrong_with_a_notebook_is_one_line(source, said, tmp_path):
    ended = python(copy_of_script(tmp_path, source), "--check", "odd", env=None)
    assert ended.returncode == 1
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_unknown_notebook_is_one_line(tmp_path):
    ended = run("nothing_of_ours", folder=tmp_path)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "board_to_proof" in ended.stderr
