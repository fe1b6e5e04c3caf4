"""Every script runs from any folder, with this checkout's packages, installed or not."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "scripts").glob("*.py"))
FOLDERS = [
    ROOT,
    ROOT / "scripts",
    ROOT / "encodings",
    ROOT / "examples",
    ROOT / "scripts" / "bench",
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_finds_what_it_imports(script: Path) -> None:
    # Without site there is no installed project, only what other packages are there.
    packages = Path(np.__file__).parents[1]
    place = FOLDERS[SCRIPTS.index(script) % len(FOLDERS)]
    ended = subprocess.run(
        [sys.executable, "-S", os.path.relpath(script, place), "--help"],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(packages)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "usage: " in ended.stdout


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 12
    assert all(folder.is_dir() for folder in FOLDERS)
