"""The programs and problems in examples/ run from anywhere and are right."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest

from pbcnf import read_problem
from tests.commands import python

EXAMPLES = Path(__file__).parents[2] / "examples"
BEGINNER = [
    line for line in (EXAMPLES / "danamlund_8x8.txt").read_text().split("\n") if "?" in line
]


def around(grid: list[str], row: int, column: int) -> list[tuple[int, int]]:
    return [
        (r, c)
        for r, c in product(range(row - 1, row + 2), range(column - 1, column + 2))
        if (r, c) != (row, column) and 0 <= r < len(grid) and 0 <= c < len(grid[0])
    ]


def clues(grid: list[str]) -> dict[tuple[int, int], int]:
    return {
        (r, c): int(sign) for r, row in enumerate(grid) for c, sign in enumerate(row) if sign <= "9"
    }


def meets(grid: list[str], mines: set[tuple[int, int]]) -> bool:
    shown = clues(grid)
    return all(len(mines & set(around(grid, *cell))) == clue for cell, clue in shown.items())


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
    frontier = [
        cell for cell in cells_of(BEGINNER, "?") if shown.keys() & set(around(BEGINNER, *cell))
    ]
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


CLAIMS: list[Callable[[list[str]], None]] = [
    classify_with_reasons, session_in_play, odds_of_every_cell, encode_and_solve,
    counter_in_a_live_solver, export_and_decode,
]  # fmt: skip


def test_every_program_has_a_claim():
    assert {claim.__name__ for claim in CLAIMS} == {path.stem for path in EXAMPLES.glob("*.py")}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_a_program_runs_and_what_it_prints_is_right(claim, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    child = python(EXAMPLES / f"{claim.__name__}.py", cwd=tmp_path, env=environment)
    assert (child.returncode, child.stderr) == (0, "")
    claim(child.stdout.splitlines())
    assert list(tmp_path.iterdir()) == []


# Test_opb


FILES = sorted((Path(__file__).parents[2] / "examples").glob("*.opb"))


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
