"""``satsweeper family`` writes what its family says, in every form; ``families`` lists them."""

import io
import json
import lzma
from pathlib import Path

import pytest

from pbcnf.formats.problems import read_problem
from satsweeper import Position
from satsweeper.families.lattice import mines_on_torus, ones
from satsweeper.families.table import FAMILIES
from tests.commands import call


def printed(*words: object) -> bytes:
    """Standard output of a command."""
    ended = call(*words)
    assert ended.code == 0
    return ended.data


def test_a_board_is_text_with_its_answer_in_comments() -> None:
    text = printed("family", "ones", "--size", 5)
    assert Position.parse(text) == ones(5)
    head = text.decode().splitlines()[:2]
    assert head[0] == "; family: ones, size 5, seed 0"
    assert head[1].startswith("; answer: inconsistent: a mine adds as much to black clues")


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_is_written_and_read_again(name: str) -> None:
    family = FAMILIES[name]
    size = family.small[-1]
    data = printed("family", name, "--size", size, "--seed", 3)
    made = family.make(size, 3)
    if isinstance(made, Position):
        assert Position.parse(data) == made
    else:
        read = read_problem(io.BytesIO(data))
        assert (read.num_vars, read.names) == (made.num_vars, made.names)
        bounds = [(each.lits, each.lower) for each in made.constraints]
        assert len(read.constraints) == len(bounds)
    told = call("family", name, "--size", size, "--seed", 3, "--json").json
    assert (told["schema"], told["family"]) == ("satsweeper/family/1", name)
    assert (told["size"], told["seed"], told["of"]) == (size, 3, family.of)
    assert told["satisfiable"] is (told["status"] in ("consistent", "satisfiable"))
    assert told["satisfiable"] is family.satisfiable
    if isinstance(made, Position):
        assert (told["rows"], told["columns"]) == made.cells.shape
        assert told["covered"] + told["clues"] + len(made.flag_cells()) == made.cells.size
    else:
        assert (told["variables"], told["constraints"]) == (made.num_vars, len(made.constraints))


def test_certain_cells_are_told_in_the_object_and_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "safehole.json"
    told = call("family", "safehole", "--size", 6, "--seed", 2, "--json", "-o", file).json
    assert len(told["safe"]) == 8
    assert told["mines"] == []
    grid = call("classify", file, "--json").json["grid"]
    assert {grid[row][column] for row, column in told["safe"]} == {"S"}
    notes = json.loads(file.read_text())["notes"]
    assert all(str(tuple(cell)) in notes["answer"] for cell in told["safe"])


@pytest.mark.parametrize("ending", ["opb", "knf.gz", "lp", "mps", "opb.xz"])
def test_a_problem_is_written_in_every_format_of_constraints(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"torus.{ending}"
    ended = call("family", "torus_planted", "--size", 3, "--seed", 5, "-o", file)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "torus_planted, size 3, seed 5: problem, 27 variables, satisfiable\n"
    problem = read_problem(file)
    cells = {(row, column) for row in range(6) for column in range(6) if row % 2 or column % 2}
    values = {at + 1: cell in mines_on_torus(3, seed=5) for at, cell in enumerate(sorted(cells))}
    assert problem.num_vars == len(values)
    assert problem.holds({var if mine else -var for var, mine in values.items()})
    for flipped in values:
        changed = values | {flipped: not values[flipped]}
        assert not problem.holds({var if mine else -var for var, mine in changed.items()})


def test_the_clauses_of_a_board_are_those_that_export_writes(tmp_path: Path) -> None:
    board, ours, theirs = (tmp_path / name for name in ("board.txt", "ours.cnf", "theirs.cnf"))
    for file in (board, ours):
        assert call("family", "hall", "--size", 5, "--seed", 1, "-o", file).code == 0
    assert call("export", board, "-o", theirs).code == 0
    # Export leaves out clauses that are there already.
    one, two = (
        {line for line in file.read_text().splitlines() if line[0] not in "cp"}
        for file in (ours, theirs)
    )
    assert one == two


@pytest.mark.parametrize("name", ["ones", "torus"])
def test_clauses_have_the_answer_too(tmp_path: Path, name: str) -> None:
    file = tmp_path / "formula.cnf.xz"
    ended = call("family", name, "--size", 3, "-o", file)
    assert (ended.code, ended.err) == (0, "")
    text = lzma.decompress(file.read_bytes()).decode()
    assert f"c family: {name}, size 3, seed 0\n" in text
    assert call("sat", file).code == 20


def test_the_same_words_give_the_same_bytes_and_another_seed_others() -> None:
    words = ("family", "bump", "--size", 9, "--seed")
    assert printed(*words, 4) == printed(*words, 4)
    assert len({printed(*words, seed).split(b"\n", 2)[2] for seed in range(5)}) == 5


def test_families_are_listed_with_sizes_answers_and_reasons() -> None:
    ended = call("families")
    assert (ended.code, ended.err) == (0, "")
    told = call("families", "--json").json
    assert call("family").out == ended.out
    assert call("family", "--json").json == told
    assert told["schema"] == "satsweeper/families/1"
    assert [row["name"] for row in told["families"]] == list(FAMILIES)
    lines = ended.out.splitlines()
    for row in told["families"]:
        assert f"{row['name']}: {row['of']}, {row['status']}" in lines
        assert row["why"]
        assert row["grows"]
        size = row["size"]
        assert size["least"] <= min(size["small"]) <= max(size["small"]) <= size["most"]
        allowed = call("family", row["name"], "--size", size["least"] + size["step"], "--json")
        assert allowed.code == 0
        below = call("family", row["name"], "--size", size["least"] - 1, "--json")
        assert below.code == 2
    assert max(map(len, lines)) <= 90
    words = " ".join(ended.out.split())
    assert all(row["why"] in words for row in told["families"])
    assert all(each in words for row in told["families"] for each in row["decided_by"])
