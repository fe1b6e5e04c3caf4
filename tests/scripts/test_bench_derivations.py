"""The benchmark of derivations, on sums of eight inputs."""

from pathlib import Path

import pytest

from pbcnf import ENCODERS
from pbcnf.encoders.protocol import WeightedEncoder
from pbcnf.proof.cutting_planes.error import ProofError
from scripts import bench_derivations
from scripts.bench_derivations import DERIVED, main

CHOSEN = ("product", "totalizer", "adder")
SMALL = ["--counts", "8", "--ones", "8", "--weighted", "8", "--repeat", "1"]


def tables(text: str) -> dict[str, dict[str, list[str]]]:
    """Title -> encoder -> the other cells of its row."""
    found: dict[str, dict[str, list[str]]] = {}
    for part in text.split("\n\n**")[1:]:
        title, _, rest = part.partition("**\n\n")
        rows = [line.strip("| ").split(" | ") for line in rest.splitlines()[2:]]
        found[title] = {row[0].strip("`"): row[1:] for row in rows}
    return found


def test_encoders_are_measured_on_every_sum_that_they_express(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert set(DERIVED) == set(ENCODERS)
    assert main([*SMALL, "--encoders", ",".join(CHOSEN)]) == 0
    found = tables(capsys.readouterr().out)
    assert set(found["At most 1 of 8"]) == set(CHOSEN)
    weighted = {name for name in CHOSEN if isinstance(ENCODERS[name], WeightedEncoder)}
    assert set(found["Half of 8 weights"]) == weighted
    counting = {name for name in CHOSEN if name in found["At most 4 of 8"]}
    assert weighted < counting < set(CHOSEN)
    for title, upper in [("At most 1 of 8", 1), ("At most 3 of 8", 3), ("At most 4 of 8", 4)]:
        for name, (clauses, variables, steps, rate, size_rate, *_) in found[title].items():
            size = ENCODERS[name].size(8, 0, upper)
            assert (int(clauses), int(variables)) == (size.clauses, size.variables)
            assert int(steps) >= int(clauses)
            assert rate == f"{int(steps) / int(clauses):.2f}"
            assert f"{rate}, {size_rate}" in found["Steps, and bytes, per clause"][name]


def test_what_is_too_large_is_named_and_tables_are_put_between_the_markers_of_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- derivations: old -->\nold\n<!-- end of derivations -->\nafter\n")
    options = ["--counts", "", "--weighted", "", "--ones", "20", "--most-clauses", "56"]
    options += ["--repeat", "1", "--encoders", "pairwise,product", "--update", str(page)]
    assert main(options) == 0
    found = tables(capsys.readouterr().out)["At most 1 of 20"]
    assert found["pairwise"][0] == "190: too many"
    assert found["product"][0] == "56"
    text = page.read_text()
    assert text.startswith("before\n<!-- derivations: python scripts/bench_derivations.py ")
    assert "| `product` |" in text
    assert text.endswith("<!-- end of derivations -->\nafter\n")


def test_a_derivation_that_is_refused_ends_the_benchmark(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: bytes) -> None:
        raise ProofError("proof.pbp", 3, "it does not follow")

    monkeypatch.setattr(bench_derivations, "check_encoding", refuse)
    assert main([*SMALL, "--encoders", "totalizer"]) == 1
    message = capsys.readouterr().err
    assert message.startswith("bench_derivations: totalizer, at most 4 of 8: ")
    assert message.endswith("it does not follow\n")
