"""What is written: files that hold what was measured, and nothing of which nobody knows."""

import csv
import hashlib
import io
import json
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbcnf.formats.lint import lint
from pbcnf.formats.problems import read_problem
from satsweeper.board.errors import DefectError
from satsweeper.competition import tables
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


def write(open_: Open, track: str, folder: Path) -> dict[str, Any]:
    found = measured(open_, track)
    wish = Wish(track, len(found), 1, 0)
    return write_entry(folder, wish, Bar(track, 1.0, "cadical195", 1.0), found)


Written = tuple[str, Path, dict[str, Any]]


@pytest.fixture(scope="module", params=["sat", "pb", "counting"])
def written(request, measurer, tmp_path_factory) -> Written:
    folder = tmp_path_factory.mktemp("entry")
    return request.param, folder, write(measurer, request.param, folder)


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
        if not path.exists():
            continue
        words = [
            w for line in path.read_text().splitlines() if line[0] == "v" for w in line.split()
        ]
        lits = {int(word.replace("x", "")) for word in words if word not in ("v", "0")}
        assert read_problem(folder / row["file"]).holds(lits)


def test_numbers_of_models_are_those_that_trying_finds(written: Written) -> None:
    track, folder, content = written
    if track != "counting":
        assert not list(folder.rglob("*.count.txt"))
        return
    for row in content["instances"]:
        assert (
            folder / "instances" / f"{row['name']}.count.txt"
        ).read_text() == f"{row['models']}\n"
    tilings = next(row for row in content["instances"] if row["family"].startswith("chess"))
    assert tilings["models"] == "36"


def test_maps_are_read_by_decode_and_boards_are_boards(written: Written) -> None:
    _, folder, content = written
    for row in content["instances"]:
        start = folder / "instances" / row["name"]
        found = read_any_map(Path(f"{start}.map.json").read_bytes(), "map")
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


def test_what_an_earlier_entry_left_is_gone(measurer: Open, tmp_path: Path) -> None:
    write(measurer, "sat", tmp_path)
    found = measured(measurer, "sat")[:1]
    bar = Bar("sat", 1.0, "cadical195", 1.0)
    entry = write_entry(tmp_path, Wish("sat", 1, 0, 0), bar, found)
    assert entry["missing"] == []
    names = {path.name.partition(".")[0] for path in (tmp_path / "instances").iterdir()}
    assert names == {"ones_n5_s0"}
    stems = {path.stem for path in (tmp_path / "description").iterdir()}
    assert stems == {"ones", "references"}


def test_the_same_measurements_give_the_same_files(measurer: Open, tmp_path: Path) -> None:
    found = measured(measurer, "sat")
    bar = Bar("sat", 1.0, "cadical195", 1.0)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_entry(tmp_path / name, Wish("sat", 5, 1, 0), bar, found)
    one, two = ((tmp_path / name / "SHA256SUMS").read_text() for name in ("one", "two"))
    assert one == two


def test_an_instance_that_is_not_what_was_measured_is_not_written(measurer, tmp_path, bar):
    found = [replace(measured(measurer, "sat")[0], clauses=3)]
    with pytest.raises(DefectError, match="not the instance that was measured"):
        write_entry(tmp_path, Wish("sat", 1, 0, 0), bar, found)
    assert not (tmp_path / "SHA256SUMS").exists()


def test_a_model_that_was_changed_on_disk_is_not_written(measurer, tmp_path, bar):
    found = [replace(measured(measurer, "sat")[2], model="1")]
    with pytest.raises(DefectError, match="what was kept as a model is none"):
        write_entry(tmp_path, Wish("sat", 1, 0, 0), bar, found)


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (10**14, "1" + "0" * 14), (12345 * 10**20, "1.234e24"), (10**4000, "1.000e4000")],
)
def test_large_numbers_are_short(number: int, text: str) -> None:
    assert tables.shortened(number) == text


def test_seconds_that_were_not_enough_are_marked() -> None:
    late, said = SolverRun("UNKNOWN", 60.1, "timeout"), SolverRun("UNSATISFIABLE", 1.234)
    found = Measurement(Probe("ones_drawn", 9, 2), 7, 8, 9, late, said)
    assert tables.row("sat", found) == (
        "ones-drawn_n9_s2",
        "unsatisfiable",
        "7",
        "8",
        "> 60.1",
        "1.23",
    )
    assert tables.row("pb", found)[3] == "9"
