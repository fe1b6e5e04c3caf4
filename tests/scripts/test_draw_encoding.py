"""The script that draws encodings: the same bytes every time, one line for bad input."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.draw_encoding import main

ROOT = Path(__file__).parents[2]


def draw(*arguments: object, seed: str = "0") -> subprocess.CompletedProcess[str]:
    paths = [str(ROOT / "encodings"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "draw_encoding.py"), *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    texts = []
    for seed in ("1", "2"):
        for name in ("a.svg", "a.dot"):
            path = tmp_path / name
            done = draw("totalizer", "--n", 7, "--lower", 2, "--upper", 3, "-o", path, seed=seed)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            texts.append(path.read_bytes())
    assert texts[:2] == texts[2:]
    assert texts[0].startswith(b"<svg")


def test_without_a_file_dot_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["direct", "--n", "3", "--upper", "1"]) == 0
    assert capsys.readouterr().out.startswith("digraph encoding {")
