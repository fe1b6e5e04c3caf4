"""Growth on hard boards: sizes, factors, a run on next to nothing, and the published page."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from satsweeper.board.errors import DefectError
from satsweeper.competition.measurement import SolverRun
from satsweeper.families.table import FAMILIES
from scripts import bench_hard_boards
from scripts.bench import growth
from scripts.bench_hard_boards import growth_of

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "docs" / "hard_boards.md"
EMPTY = "before\n<!-- growth: nothing -->\n<!-- end of growth -->\nafter\n"


def point(family, contender, size, *seconds, verdicts=()):
    """A point with an answer in so many seconds; no seconds: it has none."""
    runs = [SolverRun("UNSATISFIABLE", each) for each in seconds] or [
        SolverRun("UNKNOWN", 5.0, "timeout")
    ]
    return growth.Measured(growth.Point(family, contender, size), tuple(runs), tuple(verdicts))


def growth_tables(text):
    """Family -> rows of its table, each by the heads."""
    [section] = re.findall(r"<!-- growth: .*? -->\n(.*)<!-- end of growth -->", text, re.DOTALL)
    [overview] = re.findall(r"\n(\| family .*?)\n\n", section, re.DOTALL)
    found = {}
    for name, body in re.findall(r"### Growth of `(\w+)`\n(.*?)(?=###|\Z)", section, re.DOTALL):
        lines = [line.strip("| ").split("|") for line in body.splitlines() if line[:1] == "|"]
        heads, _, *rows = [[cell.strip() for cell in line] for line in lines]
        found[name] = [dict(zip(heads, row, strict=True)) for row in rows]
        [line] = [line for line in overview.splitlines() if line.startswith(f"| `{name}` ")]
        sizes = [cell.strip() for cell in line.strip("| ").split("|")[1:]]
        assert [size.strip("+") for size in sizes if size != "-"] == [
            row["decided up to"] for row in found[name]
        ]
        assert [size.endswith("+") for size in sizes if size != "-"] == [
            row["not decided"] == "every size is" for row in found[name]
        ]
    return found


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """The folder of a quick run whose tables were written into a page."""
    pytest.importorskip("highspy")
    folder = tmp_path_factory.mktemp("growth")
    (folder / "page.md").write_text(EMPTY)
    run = ["-o", str(folder / "out"), "--quick", "--repetitions", "1"]
    assert bench_hard_boards.main([*run, "--update", str(folder / "page.md")]) == 0
    return folder


def test_a_quick_run_writes_every_contender_of_every_family(quick):
    text = (quick / "page.md").read_text("utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    found = growth_tables(text)
    assert list(found) == list(growth.QUICK)
    for name, rows in found.items():
        largest = str([*growth.QUICK[name].sizes()][-1])
        assert [row["contender"].split("`")[1] for row in rows] == [
            *growth.contenders_of(FAMILIES[name])
        ]
        assert {row["decided up to"] for row in rows} == {largest}
        assert {row["not decided"] for row in rows} == {"every size is"}


def test_a_run_goes_on_where_it_was_ended_and_repeats_nothing(quick, tmp_path):
    journal = (quick / "out" / "results.jsonl").read_bytes()
    lines = journal.splitlines(keepends=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_bytes((quick / "out" / "manifest.json").read_bytes())
    # The last line is torn off.
    (tmp_path / "out" / "results.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    run = ["-o", str(tmp_path / "out"), "--quick", "--repetitions", "1"]
    assert bench_hard_boards.main(run) == 0
    again = (tmp_path / "out" / "results.jsonl").read_bytes().splitlines(keepends=True)
    assert again[:-1] == lines[:-1]
    assert json.loads(again[-1])["id"] == json.loads(lines[-1])["id"]
    assert bench_hard_boards.main(run) == 0
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == b"".join(again)
    assert all(growth.measured_of(json.loads(line)).as_json() == json.loads(line) for line in lines)


def test_other_settings_are_refused_in_one_line(quick, tmp_path, capsys):
    run = ["-o", str(quick / "out"), "--quick", "--repetitions", "2"]
    assert bench_hard_boards.main(run) == 1
    assert "other settings" in capsys.readouterr().err
    (tmp_path / "page.md").write_text("no markers")
    update = ["-o", str(tmp_path / "out"), "--update", str(tmp_path / "page.md")]
    assert bench_hard_boards.main(update) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("contender", ["minisat22", "elimination", growth.SUMS])
def test_an_answer_that_is_not_the_family_s_ends_all_work(monkeypatch, contender):
    name = "torus" if contender == growth.SUMS else "ones"
    family = replace(FAMILIES[name], satisfiable=True)
    monkeypatch.setattr(growth, "FAMILIES", {name: family})
    with (
        growth.Measurer(growth.Setting(5.0, 1, 0)) as measurer,
        pytest.raises(DefectError, match="UNSATISF"),
    ):
        measurer.run(growth.Point(name, contender, 5))


def test_a_contender_that_is_late_or_gives_up_has_not_decided():
    with growth.Measurer(growth.Setting(0.05, 3, 0)) as measurer:
        late = measurer.run(growth.Point("ones", "minisat22", 12))
    assert (late.decided, late.runs[-1].reason) == (False, "timeout")
    with growth.Measurer(growth.Setting(5.0, 3, 0)) as measurer:
        # Linear programming alone finds these cells.
        gave_up = measurer.run(growth.Point("safehole", "elimination", 6))
        sat = measurer.run(growth.Point("planted", "glucose4", 5))
    assert [run.reason for run in gave_up.runs] == ["no answer"]
    assert [run.claim for run in sat.runs] == ["SATISFIABLE"] * 3


def test_growth_is_a_factor_for_two_more_with_the_interval_of_its_ends():
    # Twice as long for each 2 more, whatever the distance of the sizes.
    points = [point("ones", "sat", n, *[2.0 ** (n / 2) / 100] * 3) for n in (2, 4, 6, 10, 20)]
    found = growth_of(points)
    assert (found.first, found.last) == (6, 20)
    assert [found.factor, found.least, found.most] == pytest.approx([2.0] * 3)
    wide = growth_of([point("ones", "sat", 4, 0.1, 0.2, 0.4), point("ones", "sat", 6, 1, 2, 3)])
    assert [wide.factor, wide.least, wide.most] == pytest.approx([10, 2.5, 30])
    # What takes no time, and what has no answer, tells nothing.
    short = point("ones", "sat", 2, 0.001)
    assert growth_of([short, point("ones", "sat", 4, 0.1), point("ones", "sat", 6)]) is None


def test_sizes_grow_until_one_is_not_decided():
    ladders = {"torus": growth.Ladder(3, 7)}
    assert {each.size for each in growth.next_points(ladders, {})} == {3}
    ended = [point("torus", name, 3) for name in growth.ON_FORMULAS]
    found = {each.job: each for each in [*ended, point("torus", growth.SUMS, 3, 0.1)]}
    assert growth.next_points(ladders, found) == [growth.Point("torus", growth.SUMS, 5)]
    assert growth.steps_done(ladders, found) == 6 * 3 - 2
    found |= {(each := point("torus", growth.SUMS, n, 0.1)).job: each for n in (5, 7)}
    assert growth.next_points(ladders, found) == []


def test_the_published_page_names_what_there_is():
    text = PUBLISHED.read_text("utf-8")
    found = growth_tables(text)
    assert list(found) == list(growth.LADDERS)
    for name, rows in found.items():
        sizes = list(map(str, growth.LADDERS[name].sizes()))
        assert [row["contender"].split("`")[1] for row in rows] == [
            *growth.contenders_of(FAMILIES[name])
        ]
        for row in rows:
            assert row["decided up to"] in [*sizes, "none"]
            ends = row["decided up to"] == sizes[-1]
            assert ends is (row["not decided"] == "every size is")
