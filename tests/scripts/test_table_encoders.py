"""The tables of encodings/README.md say what the encoders are now."""

from pathlib import Path

from pbcnf import ENCODERS
from scripts import table_encoders as script

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


def test_the_contract_table_says_which_bounds_an_encoder_expresses():
    table = rows(script.contract_table([("direct", "direct"), ("pairwise", "pairwise")]))
    assert [row[1] for row in table[2:]] == ["all", "0, 1, n-1, n"]


def test_a_property_that_fails_somewhere_is_named_by_the_kinds_that_have_it():
    def only_for_exactly(n, lower, upper):
        name = "knuth_counter" if lower == upper else "sequential_counter"
        from pbcnf.emission.dispatch import template

        found = template(name, n, lower, upper)
        return n + found.auxiliaries, found.clauses

    row = rows(script.contract_table([("mine", only_for_exactly)], upto=4))[2]
    assert row == ["`mine`", "all", "yes", "yes", "yes", "exactly, range", "-"]


def test_the_size_table_has_known_sizes():
    table = rows(script.size_table())
    head, found = table[0], {row[0].strip("`"): row for row in table[2:]}
    # C(8, 5) + C(8, 5) prime implicates; C(n, 2) pairs; k(n-k) auxiliaries, 4 k(n-k) clauses.
    assert found["direct"][head.index("exactly 4 of 8")] == "0 / 112"
    assert found["pairwise"][head.index("at most 1 of 100")] == "0 / 4 950"
    assert found["pairwise"][head.index("at most 10 of 100")] == "-"
    assert found["knuth_counter"][head.index("exactly 50 of 100")] == "2 500 / 10 000"


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
