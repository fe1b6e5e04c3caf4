"""Tables of documents say what encoders are now, and what simulations came to beside others."""

import json
import re
from itertools import product
from math import sqrt

import pytest

from pbcnf import ENCODERS
from satsweeper.board.size import BoardSize
from satsweeper.play.simulation.report import as_json
from satsweeper.play.simulation.run import read_simulation, simulate
from scripts import table_encoders as script
from scripts import table_sizes, table_win_rates
from scripts.bench.encode_contenders import BUYS, ROWS, SUMS
from scripts.table_win_rates import PUBLISHED, finished, merged, pooled
from tests.commands import ROOT

README = ROOT / "encodings" / "README.md"


def rows(table, begins=""):
    lines = [line for line in table.splitlines() if line.startswith(f"| {begins}")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def test_every_encoder_is_correct_and_as_large_as_predicted():
    # In the README, which is what the script writes: see the test of a stale file.
    _, names, text = README.read_text("utf-8").partition("| encoder | bounds | correct |")
    head, _, *found = rows(names + text.partition("\n\n")[0])
    assert [row[0].strip("`") for row in found] == list(ENCODERS)
    for row in found:
        assert (row[head.index("correct")], row[head.index("exact size")]) == ("yes", "yes")


def test_a_property_that_fails_somewhere_is_named_by_the_kinds_that_have_it():
    def only_for_exactly(n, lower, upper):
        name = "knuth_counter" if lower == upper else "sequential_counter"
        from pbcnf.emission.dispatch import template

        found = template(name, n, lower, upper)
        return n + found.auxiliaries, found.clauses

    row = rows(script.contract_table([("mine", only_for_exactly)], upto=4))[2]
    assert row == ["`mine`", "all", "yes", "yes", "yes", "exactly, range", "-"]


def test_a_stale_file_is_told_and_not_written_then_written(tmp_path, capsys):
    stale = tmp_path / "README.md"
    fresh = README.read_text("utf-8")
    text = fresh.replace("| yes |", "| no |", 1)
    stale.write_text(text, "utf-8")
    assert script.main([str(stale), "--check"]) == 1
    assert capsys.readouterr().err == "README.md is stale: run python scripts/table_encoders.py\n"
    assert stale.read_text("utf-8") == text
    assert script.main([str(stale)]) == 0
    # The tables in the README are those of the encoders now.
    assert stale.read_text("utf-8") == fresh, f"stale: run {script.COMMAND}"
    assert script.main([str(stale), "--check"]) == 0


def test_other_libraries_stand_in_a_table_with_their_versions():
    table = script.peers_table(["pysat"])
    assert table.startswith("Versions: pysat 1.")
    found = {row[0].strip("`"): row for row in rows(table)[2:]}
    assert found["pysat:kmtotalizer"][2:6] == ["yes", "no", "no", "exactly"]
    assert found["pysat:seqcounter"][2:6] == ["yes", "yes", "yes", "exactly"]


LINES = re.findall(
    r"^\| (.+?) \| `(\w+)` \| ([\d ]+) / ([\d ]+) \|(.*)\| (\d*) \|$",
    table_sizes.README.read_text("utf-8").partition(f"<!-- {table_sizes.SECTION}: ")[2],
    re.MULTILINE,
)


def number(text):
    return int(text.replace(" ", ""))


def test_every_row_shows_our_sizes_of_now_and_a_sentence_where_ours_is_larger():
    text = table_sizes.README.read_text("utf-8")
    assert len(LINES) == sum(len(row.sums) for row in ROWS)
    for title, encoder, variables, clauses, others, mark in LINES:
        own = number(variables), number(clauses)
        assert own == table_sizes.ours(encoder, SUMS[title]), (title, encoder)
        sizes = [tuple(map(number, cell.split("/"))) for cell in others.split("|") if "/" in cell]
        larger = any(own[0] > size[0] or own[1] > size[1] for size in sizes)
        assert bool(mark) == larger, (title, encoder)
        assert not larger or f"{mark}. `{encoder}`: {BUYS[encoder]}" in text


@pytest.mark.parametrize(
    ("encoder", "title", "clauses"),
    [
        # The least of PySAT 1.9.dev17, RustSAT 0.7.5, pindakaas 0.6.1 and pypblib 0.0.4.
        ("ladder", "1 of 100", 296), ("sequential_counter", "500 of 1000", 500_000),
        ("adder", "500 of 1000", 6_947), ("adder", "200 weights to 1000", 7_008),
        ("mixed_radix_sorter", "200 weights to 1000", 64_337),
        ("cardinality_network", "10 of 1000", 13_571),
        ("cardinality_network", "500 of 1000", 60_944),
        ("binary_merge", "40 weights to 1000", 4_215),
        ("binary_merge", "200 weights to 1000", 45_299),
    ],
)  # fmt: skip
def test_no_more_clauses_than_the_namesakes_of_other_libraries(encoder, title, clauses):
    assert encoder in ENCODERS
    assert table_sizes.ours(encoder, SUMS[title])[1] <= clauses


def test_the_same_arguments_give_the_same_bytes_and_dot_without_a_file(run_script, tmp_path):
    words, texts = ["totalizer", "--n", 7, "--lower", 2, "--upper", 3], []
    for seed, name in product("12", ("a.svg", "a.dot")):
        options = ["-o", tmp_path / name]
        done = run_script("draw_encoding", *words, *options, PYTHONHASHSEED=seed)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        texts.append((tmp_path / name).read_text())
    assert texts[:2] == texts[2:]
    assert texts[0].startswith("<svg")
    assert texts[1].startswith("digraph encoding {")
    assert run_script("draw_encoding", *words).stdout == texts[1]


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
    table = rows(section.split("| strategy here")[0])
    rates = [float(row[4]) for row in table[2:]]
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
    assert len({each._replace(given="", games=0) for each in PUBLISHED}) == len(PUBLISHED)


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


def test_strategies_of_two_folders_are_paired_on_their_common_layouts(document, tmp_path):
    first, later = tmp_path / "first", tmp_path / "later"
    simulate("8x8/10", "random", 60, folder=first, seed=5)
    simulate("8x8/10", ["safest"], 45, folder=later, seed=5)
    simulate("8x8/10", ["safest"], 45, folder=tmp_path / "else", seed=6)
    together = simulate("8x8/10", ["random", "safest"], 45, seed=5)
    results = tmp_path / "results.json"
    assert run("--add", first, later, tmp_path / "else", "--results", results, document) == 0
    pairs = [
        row for each in json.loads(results.read_text())["simulations"] for row in each["pairs"]
    ]
    [expected] = as_json(together)["pairs"]
    code = [read_simulation(each).manifest["code"] for each in (later, first)]
    digests = [code[0]["safest"], code[1]["random"]]
    assert pairs == [{**expected, "seed": 5, "code": digests}]


def test_games_of_several_seeds_by_the_same_code_are_counted_together(document, tmp_path):
    found, strategies = [], ["random", "safest"]
    for seed, games in ((3, 40), (4, 60)):
        found.append(simulate("8x8/10", strategies, games, seed=seed, folder=tmp_path / f"{seed}"))
    results = tmp_path / "results.json"
    assert run("--add", tmp_path / "3", tmp_path / "4", "--results", results, document) == 0
    section = document.read_text("utf-8").split("### 8x8/10, the first cell is safe")[1]
    ours = rows(section.split("###")[0], "**here**")
    assert [row[3] for row in ours] == ["100", "100"]
    for row in ours:
        won = sum(
            r.won for each in found for r in each.tables[0].runs if f"`{r.strategy}`" == row[1]
        )
        assert row[4] == f"{won:.2f}"
    [pair] = rows(section, "`safest` - `random`")
    pairs = [each.tables[0].pairs[0].pairs for each in found]
    assert pair[2] == "100"
    assert pair[5:7] == [f"{sum(e.first for e in pairs)}", f"{sum(e.second for e in pairs)}"]
    # By another version of the code, or by none that is known: rows of their own.
    kept = json.loads(results.read_text())["simulations"]
    [one, other] = [row for each in kept for row in each["runs"] if row["strategy"] == "safest"]
    changed = {**other, "code": ["another"]}
    unknown = [{k: v for k, v in row.items() if k != "code"} for row in (one, other)]
    assert len(pooled([one, other])) == 1
    assert pooled([one, changed]) == [one, changed]
    assert pooled(unknown) == unknown
