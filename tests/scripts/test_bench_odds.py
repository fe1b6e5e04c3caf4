"""The benchmark of odds, run as a user runs it, on the sample."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts.bench_odds import ComparedOdds, ratios

ROOT = Path(__file__).parents[2]


def bench(*options: object, first: Path | None = None) -> subprocess.CompletedProcess[str]:
    # A process of its own: the script forks, which a test process with threads should not.
    paths = [first, ROOT / "encodings", ROOT, os.environ.get("PYTHONPATH")]
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "bench_odds.py"), *map(str, options)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(str(p) for p in paths if p)},
        capture_output=True,
        text=True,
        timeout=200,
    )


@pytest.fixture
def corpus(sample: list[Any], tmp_path: Path) -> Path:
    for name in ("exp", "b8"):
        records = [record for record in sample if record.name.startswith(f"{name}-")][:4]
        texts = [record.text.replace("?", "#") for record in records]
        blocks = [f"; id={r.name} kind=any\n{t}" for r, t in zip(records, texts, strict=True)]
        with gzip.open(tmp_path / f"{name}.ms.gz", "wt") as file:
            file.write("\n".join(blocks))
    return tmp_path


def test_a_run_times_both_sides_and_compares_every_chance(corpus: Path) -> None:
    pytest.importorskip("ms_toollib")
    done = bench(corpus, "--repeat", 1, "--limit", 3, "--json", corpus / "out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WRONG" not in done.stdout
    out = json.loads((corpus / "out.json").read_text())
    assert out["schema"] == "satsweeper/bench-odds/1"
    assert set(out["classes"]) == {"exp", "b8"}
    for each in out["classes"].values():
        assert set(each["ratios"]) == {"cold", "warm", "again"}
        assert len(each["positions"]) == 3
        for row in each["positions"]:
            assert set(row["ms"]) == {"cold", "warm", "again", "onboard", "csp"}
            assert row["difference"] < 1e-9
            assert not row["failure"]


def test_ratios_are_of_medians_of_percentiles_and_of_single_positions() -> None:
    rows = [
        ComparedOdds(
            str(n), "any", ms={"cold": ours, "warm": ours, "again": ours, "onboard": theirs}
        )
        for n, (ours, theirs) in enumerate([(1.0, 4.0), (2.0, 4.0), (9.0, 3.0)])
    ]
    rows.append(ComparedOdds("no answer", "any", ms={"cold": 100.0}))
    assert ratios(rows)["cold"] == {"median": 0.5, "p99": 2.25, "typical": 0.5}
    assert ratios(rows[3:]) == {}


def test_a_corpus_without_totals_is_refused_in_one_line(corpus: Path) -> None:
    with gzip.open(corpus / "b8.ms.gz", "wt") as file:
        file.write("; id=b8-known kind=any\n1 3 1\n#1#\n\n; id=b8-open kind=any\n1 3 ?\n#1#\n")
    done = bench(corpus, "--classes", "b8")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "bench_odds: b8.ms.gz: b8-open has no total: odds are compared with the total known\n"
    )


def test_without_ms_toollib_there_is_nothing_to_compare(corpus: Path) -> None:
    (corpus / "ms_toollib.py").write_text("raise ImportError('not here')")
    done = bench(corpus, first=corpus)
    assert (done.returncode, done.stderr) == (1, "bench_odds: not here\n")
