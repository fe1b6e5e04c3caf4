"""Instances for others: families, entries to competitions, and ``lint`` of formulas."""

import gzip
import hashlib
import io
import json
import lzma
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbcnf.formats.problems import read_problem
from satsweeper import Position
from satsweeper.cli.lifetime import TimeIsUp
from satsweeper.competition.measurement import Measurement, Probe, SolverRun
from satsweeper.competition.measuring import WEAK, Measurer
from satsweeper.competition.solving import Answered, enumerate_models, solve
from satsweeper.families.lattice import mines_on_torus, ones
from satsweeper.families.table import FAMILIES
from satsweeper.processes.limits import Ended
from tests.commands import EXAMPLES, call, done, refused


class Direct:
    """Runs tasks here; MiniSat is late on formulas of more than 60 variables, others on 200."""

    def run(self, task: Any, seconds: float, external: bool = False) -> Any:
        if task.func in (solve, enumerate_models):
            solver, formula = task.args
            if formula.num_vars > (60 if solver == WEAK else 200):
                return Ended("timeout", None, seconds)
        return task()

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def direct(monkeypatch):
    monkeypatch.setattr("satsweeper.competition.run.Measurer", partial(Measurer, runs=Direct))


@pytest.mark.usefixtures("direct")
@pytest.mark.parametrize("track", ["sat", "pb", "counting"])
def test_an_entry_is_written_and_told(tmp_path, track):
    folder = tmp_path / "entry"
    words = ("competition", "--track", track, "--count", 4, "-o", folder)
    content = done(*words, "--json").json
    assert (content["schema"], content["track"]) == ("satsweeper/entry/1", track)
    rows = content["instances"]
    assert len(rows) == 4
    assert sum(row["grade"] == "hard" for row in rows) >= 2
    assert all((folder / row["file"]).is_file() for row in rows)
    if track != "counting":
        assert {row["status"] for row in rows} == {"satisfiable", "unsatisfiable"}
    again = call(*words)
    assert again.code == 0
    assert again.out.splitlines()[-1].startswith(f"{folder}: 4 instances, ")
    assert (folder / "entry.json").read_text() == json.dumps(content, indent=1) + "\n"


@pytest.mark.usefixtures("direct")
def test_formulas_of_an_entry_pass_lint_and_models_are_read_back_onto_boards(tmp_path):
    rows = call("competition", "--count", 6, "-o", tmp_path, "--json").json["instances"]
    for row in rows:
        assert call("lint", tmp_path / row["file"]).out == "0 errors, 0 warnings\n"
    boards = [tmp_path / "instances" / row["name"] for row in rows]
    parts = ("board.txt", "model.txt")
    boards = [each for each in boards if all(Path(f"{each}.{part}").exists() for part in parts)]
    assert boards
    for each in boards:
        done("decode", f"{each}.board.txt", "--map", f"{each}.map.json", f"{each}.model.txt")


def test_what_can_not_be_had_is_told_and_the_rest_is_written(tmp_path, monkeypatch):
    class Easy(Direct):
        def run(self, task: Any, seconds: float, external: bool = False) -> Any:
            late = task.func is solve and task.args[1].num_vars > 100
            return Ended("timeout", None, seconds) if late else task()

    monkeypatch.setattr("satsweeper.competition.run.Measurer", partial(Measurer, runs=Easy))
    ended = call("competition", "--count", 4, "-o", tmp_path)
    assert ended.code == 1
    assert ended.out.splitlines()[-1] == (
        "short of the bar, as there are no more to be measured:"
        " 0 of 2 that the strong solver alone solves; these of 0 of at least 2 families"
    )
    assert (tmp_path / "SHA256SUMS").exists()


def test_an_answer_against_an_argument_ends_it_and_nothing_is_written(tmp_path, monkeypatch):
    class Wrong(Direct):
        def run(self, task: Any, seconds: float, external: bool = False) -> Any:
            return Answered(SolverRun("UNSATISFIABLE", 0.1)) if task.func is solve else ""

    monkeypatch.setattr("satsweeper.competition.run.Measurer", partial(Measurer, runs=Wrong))
    ended = refused(1, "competition", "--count", 4, "-o", tmp_path)
    assert "a solver says UNSATISFIABLE; by argument it is SATISFIABLE" in ended.err
    assert not (tmp_path / "instances").exists()


def test_what_was_measured_in_time_is_kept_and_gone_on_with(tmp_path, monkeypatch):
    class Slow(Measurer):
        left = 3

        def run(self, job: Probe) -> Measurement:
            if not Slow.left:
                raise TimeIsUp
            Slow.left -= 1
            return super().run(job)

    monkeypatch.setattr("satsweeper.competition.run.Measurer", partial(Slow, runs=Direct))
    ended = call("competition", "--count", 4, "-o", tmp_path, "--timeout", 1000)
    assert ended.code == 124
    assert ended.out.splitlines()[-1].startswith("short of the bar, as the time is over: ")
    assert (tmp_path / "results.jsonl").read_text().count("\n") == 3
    assert (tmp_path / "SHA256SUMS").exists()
    Slow.left = 10**6
    assert call("competition", "--count", 4, "-o", tmp_path).code == 0


def test_the_limit_of_time_holds_while_a_solver_runs(child, tmp_path):
    ended = child("competition", "-o", tmp_path / "entry", "--timeout", 2)
    assert ended.code == 124
    assert "the time is over" in ended.out or "not done within 2 s" in ended.err


def test_two_processes_measure_what_one_does(child, tmp_path):
    found = []
    # Small instances, which no limit comes near.
    for jobs in (1, 2):
        words = ("--count", 1, "--hard", 0, "--jobs", jobs, "-o", tmp_path / str(jobs))
        assert child("competition", *words).code == 0
        lines = (tmp_path / str(jobs) / "results.jsonl").read_text().splitlines()
        found.append({json.loads(line)["id"] for line in lines})
    assert found[0] == found[1]
    assert len(found[0]) == 4


@pytest.mark.usefixtures("direct")
def test_measurements_for_another_bar_are_not_mixed(tmp_path):
    assert call("competition", "--count", 2, "-o", tmp_path).code == 0
    ended = refused(2, "competition", "--count", 2, "--seed", 1, "-o", tmp_path)
    assert "was measured with seed 0, not 1" in ended.err


def test_the_series_of_a_track_are_listed():
    told = call("competition", "--list", "--json").json
    assert told["schema"] == "satsweeper/competition-list/1"
    rows = {row["name"]: row["status"] for row in told["series"]}
    assert (rows["safehole"], rows["safehole_asked"]) == ("satisfiable", "unsatisfiable")
    lines = call("competition", "--list", "--track", "counting").out.splitlines()
    assert [": satisfiable: " in line for line in lines] == [True] * 5


# ``satsweeper export --competition``: three files that belong together


def test_the_command_writes_three_files_that_belong_together(tmp_path):
    arguments = ["--competition", "-o", tmp_path, "--seed", "7", "--family", "tiny"]
    ended = call("export", "-", *arguments, board="2 3 1\n1??\n?1?\n")
    assert (ended.code, "far too easy" in ended.out) == (0, True)
    (cnf,) = tmp_path.glob("*.cnf.xz")
    assert cnf.name == "tiny_3x2-m1-direct-pairwise_7.cnf.xz"
    text = lzma.decompress(cnf.read_bytes())
    about, names = (
        json.loads((tmp_path / f"{cnf.name[:-7]}.{end}").read_text())
        for end in ("json", "map.json")
    )
    assert (about["file"], about["sha256"]) == (cnf.name, hashlib.sha256(text).hexdigest())
    assert (about["seed"], about["status"], about["mines"]) == ("7", "satisfiable", 1)
    assert about["variables"] == len(names["variables"]) + sum(
        aux["last"] - aux["first"] + 1 for aux in names["auxiliaries"]
    )
    assert f"p cnf {about['variables']} {about['clauses']}\n".encode() in text


def test_the_folder_of_an_entry_is_made_for_a_board_and_for_nothing_else(tmp_path):
    folder = tmp_path / "new" / "entries"
    refused(1, "export", tmp_path / "none.txt", "--competition", "-o", folder)
    assert list(tmp_path.iterdir()) == []
    assert call("export", EXAMPLES / "expert.txt", "--competition", "-o", folder).code == 0
    assert len(list(folder.iterdir())) == 3
    (entry,) = folder.glob("*.cnf.xz")
    assert call("lint", entry) == (0, "0 errors, 0 warnings\n", "", "")


# ``satsweeper family`` writes what its family says, in every form; ``families`` lists them


def test_a_board_is_text_with_its_answer_in_comments():
    text = done("family", "ones", "--size", 5).data
    assert Position.parse(text) == ones(5)
    head = text.decode().splitlines()[:2]
    assert head[0] == "; family: ones, size 5, seed 0"
    assert head[1].startswith("; answer: inconsistent: a mine adds as much to black clues")


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_is_written_and_read_again(name):
    family = FAMILIES[name]
    size = family.small[-1]
    made, words = family.make(size, 3), ("family", name, "--size", size, "--seed", 3)
    data, told = done(*words).data, call(*words, "--json").json
    assert (told["schema"], told["family"]) == ("satsweeper/family/1", name)
    assert (told["size"], told["seed"], told["of"]) == (size, 3, family.of)
    assert told["satisfiable"] is (told["status"] in ("consistent", "satisfiable"))
    assert told["satisfiable"] is family.satisfiable
    if isinstance(made, Position):
        assert Position.parse(data) == made
        assert (told["rows"], told["columns"]) == made.cells.shape
        assert told["covered"] + told["clues"] + len(made.flag_cells()) == made.cells.size
    else:
        read = read_problem(io.BytesIO(data))
        assert (read.num_vars, read.names) == (made.num_vars, made.names)
        assert len(read.constraints) == len(made.constraints)
        assert (told["variables"], told["constraints"]) == (made.num_vars, len(made.constraints))


def test_an_optimum_is_told_and_a_total_is_kept(tmp_path):
    for name, optimum in (("most_dominoes", 6), ("soft_clues", 1), ("fewest_mines", None)):
        told = call("family", name, "--size", 4, "--json").json
        assert (told["satisfiable"], told["optimum"]) == (True, optimum)
    assert (
        "* answer: optimum 6: a domino covers" in done("family", "most_dominoes", "--size", 4).out
    )
    assert call("family", "tiles_of_wrong_total", "--size", 3, "-o", tmp_path / "b.txt").code == 0
    assert call("classify", tmp_path / "b.txt").code == 20
    assert call("family", "tiles_of_wrong_total", "--size", 3, "-o", tmp_path / "b.cnf").code == 0
    assert call("sat", tmp_path / "b.cnf").code == 20


def test_certain_cells_are_told_in_the_object_and_in_the_file(tmp_path):
    file = tmp_path / "safehole.json"
    told = call("family", "safehole", "--size", 6, "--seed", 2, "--json", "-o", file).json
    assert (len(told["safe"]), told["mines"]) == (8, [])
    grid = call("classify", file, "--json").json["grid"]
    assert {grid[row][column] for row, column in told["safe"]} == {"S"}
    notes = json.loads(file.read_text())["notes"]
    assert all(str(tuple(cell)) in notes["answer"] for cell in told["safe"])


@pytest.mark.parametrize("ending", ["opb", "knf.gz", "lp", "mps", "opb.xz"])
def test_a_problem_is_written_in_every_format_of_constraints(tmp_path, ending):
    file = tmp_path / f"torus.{ending}"
    ended = done("family", "torus_planted", "--size", 3, "--seed", 5, "-o", file)
    assert ended.out == "torus_planted, size 3, seed 5: problem, 27 variables, satisfiable\n"
    problem = read_problem(file)
    cells = {(row, column) for row in range(6) for column in range(6) if row % 2 or column % 2}
    values = {at + 1: cell in mines_on_torus(3, seed=5) for at, cell in enumerate(sorted(cells))}
    assert problem.num_vars == len(values)
    assert problem.holds({var if mine else -var for var, mine in values.items()})
    for flipped in values:
        changed = values | {flipped: not values[flipped]}
        assert not problem.holds({var if mine else -var for var, mine in changed.items()})


def test_the_clauses_of_a_board_are_those_that_export_writes(tmp_path):
    board, ours, theirs = (tmp_path / name for name in ("board.txt", "ours.cnf", "theirs.cnf"))
    for file in (board, ours):
        assert call("family", "hall", "--size", 5, "--seed", 1, "-o", file).code == 0
    assert call("export", board, "-o", theirs).code == 0
    # Export leaves out clauses that are there already.
    files = (file.read_text().splitlines() for file in (ours, theirs))
    one, two = ({line for line in lines if line[0] not in "cp"} for lines in files)
    assert one == two


@pytest.mark.parametrize("name", ["ones", "torus"])
def test_clauses_have_the_answer_too(tmp_path, name):
    file = tmp_path / "formula.cnf.xz"
    done("family", name, "--size", 3, "-o", file)
    assert f"c family: {name}, size 3, seed 0\n" in lzma.decompress(file.read_bytes()).decode()
    assert call("sat", file).code == 20


def test_the_same_words_give_the_same_bytes_and_another_seed_others():
    made = [done("family", "bump", "--size", 9, "--seed", seed).data for seed in (*range(5), 4)]
    assert made[4] == made[5]
    assert len({data.split(b"\n", 2)[2] for data in made}) == 5


def test_families_are_listed_with_sizes_answers_and_reasons():
    ended = done("families")
    told = call("families", "--json").json
    assert call("family").out == ended.out
    assert call("family", "--json").json == told
    assert told["schema"] == "satsweeper/families/1"
    assert [row["name"] for row in told["families"]] == list(FAMILIES)
    lines, words = ended.out.splitlines(), " ".join(ended.out.split())
    assert max(map(len, lines)) <= 90
    for row in told["families"]:
        assert f"{row['name']}: {row['of']}, {row['status']}" in lines
        assert row["grows"]
        assert all(text and text in words for text in (row["why"], *row["decided_by"]))
        size = row["size"]
        assert size["least"] <= min(size["small"]) <= max(size["small"]) <= size["most"]
        for at, code in ((size["least"] + size["step"], 0), (size["least"] - 1, 2)):
            assert call("family", row["name"], "--size", at, "--json").code == code


# ``satsweeper lint``: findings with line and rule, and an honest word on hardness


def test_every_finding_has_its_line_and_its_rule(tmp_path):
    bad = tmp_path / "bad.cnf"
    bad.write_text("p cnf 3 3\n1 -2 0\n1 1 0\nc late\n")
    ended = call("lint", bad)
    assert (ended.code, ended.err) == (1, "")
    lines = ended.out.splitlines()
    assert f"{bad}:3: error: a literal is there twice [distinct: " in lines[1]
    assert f"{bad}:4: error: a comment after the header [comments-first: " in lines[2]
    assert lines[-1] == "4 errors, 1 warning"
    answer = call("lint", bad, "--json").json
    assert (answer["schema"], answer["errors"], answer["warnings"]) == ("satsweeper/lint/1", 4, 1)
    assert {finding["rule"]: finding["line"] for finding in answer["findings"]} == {
        "name": None, "distinct": 3, "comments-first": 4, "nbclauses": None, "nbvar": None
    }  # fmt: skip
    assert answer["hardness"] is None


def test_a_clean_file_is_read_compressed_or_from_standard_input_and_ends_in_0(tmp_path):
    text, path = "p cnf 2 1\n1 -2 0\n", tmp_path / "tiny_2_7.cnf"
    path.write_bytes(gzip.compress(text.encode()))
    clean = (0, "0 errors, 0 warnings\n", "", "")
    assert call("lint", path) == call("lint", "-", board=text) == clean


def test_an_easy_instance_is_called_too_easy_and_what_is_no_formula_is_not(tmp_path):
    path = tmp_path / "tiny_2_7.cnf"
    path.write_text("p cnf 2 2\n1 -2 0\n2 0\n")
    easy = "too easy for the competition: MiniSat says SATISFIABLE"
    assert easy in done("lint", path, "--hardness").out
    path.write_text("hello\n")
    refused(1, "lint", path, "--hardness")
    path.write_bytes(b"p cnf 1 1\n1 \0\xff\xfe\x01" + Random(1).randbytes(2048))
    said = f"{path}:2: this is no text: byte 0x00 in column 3\n"
    assert call("lint", path) == (1, "", said, "")
