"""The benchmark of DIMACS files, run as a user runs it, with small numbers."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def bench(*options: object) -> subprocess.CompletedProcess[str]:
    paths = [str(ROOT / "encodings"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "bench_dimacs.py"), *map(str, options)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in paths if path)},
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_a_quick_run_measures_both_parts_and_both_sides(tmp_path: Path) -> None:
    done = bench("--quick", "--json", tmp_path / "out.json")
    assert (done.returncode, done.stderr) == (0, "")
    out = json.loads((tmp_path / "out.json").read_text())
    assert out["schema"] == "satsweeper/bench-dimacs/1"
    assert out["times_faster"].keys() == {"read", "write"}
    assert [side["part"] for side in out["results"]] == ["read", "read", "write", "write"]
    assert all(len(side["seconds"]) == 1 and side["seconds"][0] > 0 for side in out["results"])
    ours, theirs = out["results"][:2]
    assert ours["counted"] == theirs["counted"] == {"clauses": 20_000, "literals": 60_000}
    assert all(side["counted"]["bytes"] > 100_000 for side in out["results"][2:])
    assert "pysat CardEnc + to_file, 300 of 1,082 clues" in done.stdout
