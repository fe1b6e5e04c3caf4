"""What is written: files that hold what was measured, and nothing of which nobody knows."""

import csv
import hashlib
import io
import json
import lzma
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbcnf.formats.lint import lint
from pbcnf.formats.problems import read_problem
from pbcnf.formula import Formula
from satsweeper.board.errors import DefectError
from satsweeper.competition import measuring, tables
from satsweeper.competition.entry import write_entry
from satsweeper.competition.measurement import Measurement, Probe, SolverRun
from satsweeper.competition.measuring import Bar, Measurer
from satsweeper.competition.selection import Wish
from satsweeper.export.name_map import NameMap, read_any_map
from satsweeper.position import Position

Open = Callable[..., Measurer]
PROBES = {
    "sat": ["ones/5/0", "safehole_asked/5/1", "planted/4/0", "torus/3/0", "regular/8/2"],
    "counting": ["planted/4/1", "chessboard_with_private_cells/4/0", "checkerboard/8/3"],
}
PROBES["pb"] = PROBES["sat"]


def measured(open_: Open, track: str) -> list[Measurement]:
    jobs = [each.split("/") for each in PROBES[track]]
    with open_(track, weak=20, strong=10**6) as measurer:
        return [measurer.run(Probe(name, int(size), int(seed))) for name, size, seed in jobs]


Written = tuple[str, Path, dict[str, Any]]


@pytest.fixture(scope="module", params=["sat", "pb", "counting"])
def written(request, measurer, tmp_path_factory) -> Written:
    folder, found = tmp_path_factory.mktemp("entry"), measured(measurer, request.param)
    wish, bar = Wish(request.param, len(found), 1, 0), Bar(request.param, 1.0, "cadical195", 1.0)
    return request.param, folder, write_entry(folder, wish, bar, found)


def test_checksums_are_those_of_all_files(written: Written) -> None:
    _, folder, content = written
    listed = dict(
        reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines()
    )
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert set(listed) == there - {"SHA256SUMS"}
    for name, said in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == said
    for row in content["instances"]:
        assert listed[row["file"]] == row["sha256"]
    assert json.loads((folder / "entry.json").read_text()) == content


def test_the_readme_says_what_there_is_and_the_command_that_writes_it_again(written) -> None:
    track, folder, content = written
    text = (folder / "README.md").read_text()
    number = len(content["instances"])
    assert text.startswith(f"# {number} instances of ")
    assert f"--track {track} --count {number} --hard 1 --seed 0 --weak-seconds 1" in text
    assert "licence" in text


def test_files_keep_the_rules_of_their_competition(written: Written) -> None:
    track, folder, content = written
    for row in content["instances"]:
        path = folder / row["file"]
        text = lzma.decompress(path.read_bytes())
        if track == "pb":
            assert path.name.endswith(".opb.xz")
            assert text.startswith(f"* #variable= {read_problem(path).num_vars} #con".encode())
            continue
        assert list(lint(io.BytesIO(text), path.name)) == []
        assert f"p cnf {row['variables']} {row['clauses']}\n".encode() in text
        assert text.startswith(b"c t mc\n") is (track == "counting")


def test_the_answer_is_told_beside_a_file_and_not_in_it(written: Written) -> None:
    track, folder, content = written
    for row in content["instances"]:
        text = lzma.decompress((folder / row["file"]).read_bytes()).lower()
        assert b"satisfiable" not in text
        assert b"consistent" not in text
        assert row["why"]
        assert len(row["confirmed"]) >= 1
        model = folder / "instances" / f"{row['name']}.model.txt"
        assert model.exists() is (row["status"] == "satisfiable" and track != "counting")
        assert (row["models"] is None) is (track != "counting")


def test_models_satisfy_what_is_in_the_files(written: Written) -> None:
    _, folder, content = written
    for row in content["instances"]:
        path = folder / "instances" / f"{row['name']}.model.txt"
        text = path.read_text() if path.exists() else ""
        words = " ".join(re.findall("^v(.*)$", text, re.MULTILINE)).replace("x", "").split()
        lits = {int(word) for word in words if word != "0"}
        assert not text or read_problem(folder / row["file"]).holds(lits)


def test_a_measurement_has_the_md5_of_the_clauses_without_comments(measurer: Open) -> None:
    (first, *_) = measured(measurer, "sat")
    text = b"p cnf 3 2\n-1 2 0\n3 0\n"
    assert re.fullmatch("[0-9a-f]{32}", first.digest)
    formula = Formula(3)
    formula.add_clause([-1, 2])
    formula.add_clause([3])
    assert measuring._digest(formula) == hashlib.md5(text).hexdigest()


def test_numbers_of_models_are_those_that_trying_finds(written: Written) -> None:
    track, folder, content = written
    if track != "counting":
        assert not list(folder.rglob("*.count.txt"))
        return
    for row in content["instances"]:
        path = folder / "instances" / f"{row['name']}.count.txt"
        assert path.read_text() == f"{row['models']}\n"
    tilings = next(row for row in content["instances"] if row["family"].startswith("chess"))
    assert tilings["models"] == "36"


def test_maps_are_read_by_decode_and_boards_are_boards(written: Written) -> None:
    track, folder, content = written
    for row in content["instances"]:
        start = folder / "instances" / row["name"]
        told = Path(f"{start}.map.json").read_bytes()
        found, said = read_any_map(told, "map"), json.loads(told)
        # Files of pseudo-Boolean constraints have no auxiliary variables.
        named = len(said["variables"]) + sum(
            a["last"] - a["first"] + 1 for a in said["auxiliaries"]
        )
        inputs = read_problem(folder / row["file"]).num_vars
        assert named == (inputs if track == "pb" else row["variables"])
        board = Path(f"{start}.board.txt")
        assert board.exists() is isinstance(found, NameMap)
        if isinstance(found, NameMap):
            position = Position.parse(board.read_text())
            assert (position.rows, position.columns) == (found.rows, found.columns)
            assert set(found.cells.values()) <= set(position.covered_cells())


def test_times_are_told_once_for_each_instance(written: Written) -> None:
    _, folder, content = written
    rows = list(csv.DictReader(io.StringIO((folder / "times.csv").read_text())))
    assert [row["name"] for row in rows] == [row["name"] for row in content["instances"]]
    assert {row["weak_claim"] for row in rows} >= {"UNKNOWN"}
    text = (folder / "times.md").read_text()
    assert all(f"| {row['name']} |" in text for row in content["instances"])
    assert all(row["why"] in text for row in content["instances"])


def test_the_same_measurements_give_the_same_files_and_what_an_earlier_entry_left_is_gone(
    measurer, tmp_path, bar
):
    found, sums = measured(measurer, "sat"), []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_entry(tmp_path / name, Wish("sat", 5, 1, 0), bar, found)
        sums.append((tmp_path / name / "SHA256SUMS").read_text())
    assert sums[0] == sums[1]
    entry = write_entry(tmp_path / "one", Wish("sat", 1, 0, 0), bar, found[:1])
    assert entry["missing"] == []
    names = {path.name.partition(".")[0] for path in (tmp_path / "one" / "instances").iterdir()}
    assert names == {"ones_n5_s0"}
    stems = {path.stem for path in (tmp_path / "one" / "description").iterdir()}
    assert stems == {"ones", "references"}


def test_an_instance_that_was_not_measured_or_a_changed_model_is_not_written(
    measurer, tmp_path, bar
):
    found = measured(measurer, "sat")
    for wrong, message in (
        (replace(found[0], clauses=3), "not the instance that was measured"),
        (replace(found[2], model="1"), "what was kept as a model is none"),
    ):
        with pytest.raises(DefectError, match=message):
            write_entry(tmp_path, Wish("sat", 1, 0, 0), bar, [wrong])
        assert not (tmp_path / "SHA256SUMS").exists()


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (10**14, "1" + "0" * 14), (12345 * 10**20, "1.234e24"), (10**4000, "1.000e4000")],
)
def test_large_numbers_are_short(number: int, text: str) -> None:
    assert tables.shortened(number) == text


def test_seconds_that_were_not_enough_are_marked() -> None:
    late, said = SolverRun("UNKNOWN", 60.1, "timeout"), SolverRun("UNSATISFIABLE", 1.234)
    found = Measurement(Probe("ones_drawn", 9, 2), 7, 8, 9, late, said)
    row = tables.row("sat", found)
    assert " ".join(row) == "ones-drawn_n9_s2 unsatisfiable 7 8 > 60.1 1.23"
    assert tables.row("pb", found)[3] == "9"
