"""The benchmark of certificates, run as a user runs it, on the sample."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts.bench_certify import BASE, CERTIFY, SIDES, CertifiedBoard, misses, ratios

ROOT = Path(__file__).parents[2]


def bench(*options: object) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT / "encodings"), str(ROOT)])
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "bench_certify.py"), *map(str, options)],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=200,
    )


@pytest.fixture
def corpus(sample: list[Any], tmp_path: Path) -> Path:
    records = [record for record in sample if record.name.startswith("exp-")][:4]
    blocks = [f"; id={r.name} kind=any\n{r.text.replace('?', '#')}" for r in records]
    with gzip.open(tmp_path / "exp.ms.gz", "wt") as file:
        file.write("\n".join(blocks))
    return tmp_path


def test_a_run_times_every_side_of_every_position(corpus: Path) -> None:
    options = ["--classes", "exp", "--repeat", 1, "--limit", 2, "--commands", 1]
    done = bench(corpus, *options, "--json", corpus / "out.json")
    # A target may be missed on a busy machine; what it measured is complete all the same.
    assert done.returncode in (0, 1), done.stderr
    assert (done.returncode == 1) is ("MISSED" in done.stdout)
    assert done.stderr == ""
    out = json.loads((corpus / "out.json").read_text())
    assert out["schema"] == "satsweeper/bench-certify/1"
    titles = [f"exp, {what}" for what in ("total known", "total unknown", "commands")]
    assert list(out["classes"]) == titles
    for title, each in out["classes"].items():
        commands = "commands" in title
        sides = set(SIDES) - ({"certify in memory"} if commands else set())
        assert set(each["ratios"]) == sides
        assert len(each["positions"]) == (1 if commands else 2)
        for row in each["positions"]:
            assert set(row["ms"]) == sides
            assert all(spent > 0 for spent in row["ms"].values())
        assert title in done.stdout


def test_ratios_are_of_medians_of_percentiles_and_of_single_positions() -> None:
    rows = [
        CertifiedBoard(str(n), 480, True, ms={BASE: base, CERTIFY: ours, "check": ours})
        for n, (ours, base) in enumerate([(1.0, 4.0), (2.0, 4.0), (9.0, 3.0)])
    ]
    assert ratios(rows)[CERTIFY] == {"median": 0.5, "p99": 2.25, "typical": 0.5}


def test_what_misses_a_target_is_said() -> None:
    fast = {BASE: 1.0, CERTIFY: 3.0, "check": 999.0}
    assert misses("class", [CertifiedBoard("a", 480, True, ms=fast)]) == []
    slow = {BASE: 1.0, CERTIFY: 3.1, "check": 1000.0}
    said = misses("class", [CertifiedBoard("a", 480, True, ms=slow)])
    assert said == [
        *[f"class: certify takes 3.10 times as long ({w})" for w in ("median", "p99", "typical")],
        "class: check of a takes 1000 ms",
    ]
    assert len(misses("class", [CertifiedBoard("a", 481, True, ms=slow)])) == 3
