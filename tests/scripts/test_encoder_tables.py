"""The tables of encodings/README.md say what the encoders are now."""

import re
from pathlib import Path

import pytest

from pbcnf import ENCODERS
from scripts import table_encoders as script
from scripts import table_sizes
from scripts.bench.encode_contenders import BUYS, ROWS, SUMS
from scripts.draw_encoding import main

ROOT = Path(__file__).parents[2]
README = ROOT / "encodings" / "README.md"


def rows(table):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]


def test_the_tables_in_the_readme_are_those_of_the_encoders_now():
    text = README.read_text("utf-8")
    assert script.with_tables(text) == text, f"stale: run {script.COMMAND}"


def test_every_encoder_is_correct_and_as_large_as_predicted():
    table = rows(script.contract_table((name, name) for name in ENCODERS))
    head, found = table[0], {row[0].strip("`"): row for row in table[2:]}
    assert list(found) == list(ENCODERS)
    for row in found.values():
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
    assert stale.read_text("utf-8") == script.with_tables(text) != text
    assert script.main([str(stale), "--check"]) == 0


def test_other_libraries_stand_in_a_table_with_their_versions():
    table = script.peers_table(["pysat"])
    assert table.startswith("Versions: pysat 1.")
    found = {row[0].strip("`"): row for row in rows(table)[2:] if row}
    assert found["pysat:kmtotalizer"][2:6] == ["yes", "no", "no", "exactly"]
    assert found["pysat:seqcounter"][2:6] == ["yes", "yes", "yes", "exactly"]


LINES = re.findall(
    r"^\| (.+?) \| `(\w+)` \| ([\d ]+) / ([\d ]+) \|(.*)\| (\d*) \|$",
    table_sizes.README.read_text("utf-8").partition(f"<!-- {table_sizes.SECTION}: ")[2],
    re.MULTILINE,
)


def number(text):
    return int(text.replace(" ", ""))


def test_every_row_is_there_and_shows_our_sizes_of_now():
    assert len(LINES) == sum(len(row.sums) for row in ROWS)
    for title, encoder, variables, clauses, *_ in LINES:
        now = table_sizes.ours(encoder, SUMS[title])
        assert now == (number(variables), number(clauses)), (title, encoder)


def test_no_row_in_which_ours_is_larger_is_without_a_sentence():
    text = table_sizes.README.read_text("utf-8")
    for title, encoder, variables, clauses, others, mark in LINES:
        own = number(variables), number(clauses)
        sizes = [tuple(map(number, cell.split("/"))) for cell in others.split("|") if "/" in cell]
        larger = any(own[0] > size[0] or own[1] > size[1] for size in sizes)
        assert bool(mark) == larger, (title, encoder)
        assert not larger or f"{mark}. `{encoder}`: {BUYS[encoder]}" in text


@pytest.mark.parametrize(
    ("encoder", "title", "clauses"),
    [
        # The least of PySAT 1.9.dev17, RustSAT 0.7.5, pindakaas 0.6.1 and pypblib 0.0.4.
        ("ladder", "1 of 100", 296),
        ("sequential_counter", "500 of 1000", 500_000),
        ("adder", "500 of 1000", 6_947),
        ("adder", "200 weights to 1000", 7_008),
        ("mixed_radix_sorter", "200 weights to 1000", 64_337),
        ("cardinality_network", "10 of 1000", 13_571),
        ("cardinality_network", "500 of 1000", 60_944),
        ("binary_merge", "40 weights to 1000", 4_215),
        ("binary_merge", "200 weights to 1000", 45_299),
    ],
)
def test_no_more_clauses_than_the_namesakes_of_other_libraries(encoder, title, clauses):
    assert encoder in ENCODERS
    assert table_sizes.ours(encoder, SUMS[title])[1] <= clauses


def test_the_same_arguments_give_the_same_bytes(run_script, tmp_path):
    texts = []
    for seed in ("1", "2"):
        for name in ("a.svg", "a.dot"):
            path = tmp_path / name
            words = ["totalizer", "--n", 7, "--lower", 2, "--upper", 3, "-o", path]
            done = run_script("draw_encoding", *words, PYTHONHASHSEED=seed)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            texts.append(path.read_bytes())
    assert texts[:2] == texts[2:]
    assert texts[0].startswith(b"<svg")


def test_without_a_file_dot_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["direct", "--n", "3", "--upper", "1"]) == 0
    assert capsys.readouterr().out.startswith("digraph encoding {")
