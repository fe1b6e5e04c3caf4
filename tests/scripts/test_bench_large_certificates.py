"""The benchmark of large certificates, run as a user runs it, on a small board."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def bench(*options: object) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT / "encodings"), str(ROOT)])
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "bench_large_certificates.py"), *map(str, options)],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=200,
    )


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    with gzip.open(tmp_path / "tiny.ms.gz", "wt") as file:
        file.write("; id=tiny-000 kind=any\n3 4 2\n1###\n12##\n01##\n")
    return tmp_path


def test_each_command_is_measured(corpus: Path) -> None:
    out = corpus / "out.json"
    done = bench(corpus, "--classes", "tiny", "--total", "--clauses", "--jobs", 2, "--json", out)
    assert (done.returncode, done.stderr) == (0, "")
    runs: list[Any] = json.loads(out.read_text())["runs"]
    assert [run["command"] for run in runs] == ["classify", "certify", "check"]
    assert all(run["id"] == "tiny-000" and run["cpu"] > 0 and run["memory"] > 1 for run in runs)
    assert runs[0]["folder"] == 0 < runs[1]["folder"] == runs[2]["folder"]
