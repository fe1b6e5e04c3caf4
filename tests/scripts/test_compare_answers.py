"""Answers of two versions compared: equal ones, a changed one, and files of proofs apart."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def compared(*options: object) -> subprocess.CompletedProcess[str]:
    script = ROOT / "scripts" / "compare_answers.py"
    command = [sys.executable, str(script), *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)


def test_a_checkout_answers_as_itself(tmp_path: Path) -> None:
    only = ("--only", "watchdog counter: ")
    done = compared("--against", ROOT, *only, "-o", tmp_path / "now.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("0 differ; 0 files of proofs differ\n")
    assert json.loads((tmp_path / "now.json").read_text())


def test_a_changed_answer_is_named_and_a_changed_proof_is_not_counted(tmp_path: Path) -> None:
    for name, answer, proof in (("old", "a 1", "p 5"), ("new", "b 2", "q 6")):
        content = {"command: x": answer, "proof: x | x.drat": proof, "command: y": "c 3"}
        (tmp_path / name).write_text(json.dumps(content))
    done = compared(tmp_path / "old", tmp_path / "new")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "command: x: 1 bytes -> 2 bytes",
        "may differ: proof: x | x.drat: 5 bytes -> 6 bytes",
        "1 answers equal, 1 differ; 1 files of proofs differ",
    ]
