"""The document of win rates: what simulations came to, beside what others have published."""

import json
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

from satsweeper.board.size import BoardSize
from satsweeper.play.simulation.run import simulate
from scripts import table_win_rates
from scripts.table_win_rates import PUBLISHED, finished, merged

ROOT = Path(__file__).parents[2]


@pytest.fixture
def document(tmp_path):
    path = tmp_path / "win_rates.md"
    path.write_text((ROOT / "docs" / "win_rates.md").read_text("utf-8"), "utf-8")
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("played") / "games"
    return folder, simulate("8x8/10", ["random", "safest"], 40, folder=folder)


def run(*arguments):
    return table_win_rates.main([*map(str, arguments)])


def rows(text, begins):
    lines = [line for line in text.splitlines() if line.startswith(f"| {begins}")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_committed_document_is_that_of_the_committed_results():
    assert run("--check") == 0


def test_ours_stand_beside_the_published_ones_by_rate(document, played, tmp_path):
    folder, found = played
    results = tmp_path / "results.json"
    assert run("--add", folder, "--results", results, document) == 0
    text = document.read_text("utf-8")
    section = text.split("### 8x8/10, the first cell is safe")[1].split("###")[0]
    ours = rows(section, "**here**")
    assert {row[1] for row in ours} == {"`random`", "`safest`"}
    for row in ours:
        [run_found] = [r for r in found.tables[0].runs if f"`{r.strategy}`" == row[1]]
        assert row[2:5] == ["0,0", "40", f"{100 * run_found.won / 40:.2f}"]
    table = section.split("| strategy here")[0]
    lines = [line for line in table.splitlines() if line.count("|") == 7]
    rates = [float(line.split("|")[5]) for line in lines[2:]]
    assert rates == sorted(rates, reverse=True)
    [pair] = rows(section, "`safest` - `random`")
    assert pair[3] == f"{100 * found.tables[0].pairs[0].pairs.difference:+.2f}"
    # From the committed results alone the document is the same.
    assert run("--check", "--results", results, document) == 0
    assert run("--results", results, document) == 0
    assert document.read_text("utf-8") == text
    assert json.loads(results.read_text())["schema"] == "satsweeper/win-rates/1"


def test_every_published_figure_is_in_the_document_with_its_source():
    text = (ROOT / "docs" / "win_rates.md").read_text("utf-8")
    for each in PUBLISHED:
        assert [each.source.who, each.won] in [
            [r[0], r[4]] for r in rows(text, each.source.who) if len(r) > 4
        ]
        assert each.source.place in text


def test_published_uncertainties_are_those_of_so_many_games():
    known = [each for each in PUBLISHED if each.games and each.given.startswith("±")]
    assert len(known) >= 20
    for each in known:
        half = 1.96 * sqrt(each.rate * (1 - each.rate) / each.games)
        assert float(each.given[1:]) / 100 == pytest.approx(half, rel=0.08)


def test_published_figures_are_of_boards_that_there_are():
    assert all(str(BoardSize.parse(each.board)) == each.board for each in PUBLISHED)
    assert all(0 < each.rate < 1 for each in PUBLISHED)
    assert len({replace(each, given="", games=0) for each in PUBLISHED}) == len(PUBLISHED)


def test_of_the_same_run_the_one_with_more_games_is_kept_and_else_the_later(played, tmp_path):
    folder, _ = played
    first = finished(folder)
    simulate("8x8/10", "safest", 60, folder=tmp_path / "more")
    more = finished(tmp_path / "more")
    assert merged([first], [first]) == [first]
    both = merged([first], [more])
    assert both == merged([more], [first])[::-1]
    assert [[r["strategy"] for r in each["runs"]] for each in both] == [["random"], ["safest"]]
    assert [len(each["pairs"]) for each in both] == [1, 0]
    simulate("8x8/10", "safest", 60, seed=2, folder=tmp_path / "other")
    assert len(merged([first], [finished(tmp_path / "other")])[0]["runs"]) == 2


def test_what_is_not_finished_is_not_taken_in(document, tmp_path, played, capsys):
    folder, _ = played
    part = tmp_path / "part"
    part.mkdir()
    (part / "manifest.json").write_bytes((folder / "manifest.json").read_bytes())
    lines = (folder / "results.jsonl").read_text().splitlines(keepends=True)
    (part / "results.jsonl").write_text(lines[0])
    before = document.read_text("utf-8")
    results = tmp_path / "results.json"
    assert run("--add", part, "--results", results, document) == 1
    assert "20 games to come" in capsys.readouterr().err
    assert run("--add", tmp_path, "--results", results, document) == 1
    assert (document.read_text("utf-8"), results.exists()) == (before, False)


def test_a_stale_document_is_told(document, capsys):
    document.write_text(document.read_text("utf-8").replace("91.6949", "91.7949"), "utf-8")
    assert run("--check", document) == 1
    assert "is stale" in capsys.readouterr().err
