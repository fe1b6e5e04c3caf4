"""The core without arrays: no numpy on an expert board, and the same answers without it."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "tests" / "data" / "corpus" / "sample.txt"


@cache
def told(numpy: str) -> dict[str, Any]:
    """What a child of its own answers, with numpy "present", "absent" or "free" to be loaded."""
    child = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "data" / "core_alone.py"), numpy, str(CORPUS)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "encodings"), str(ROOT)])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    found: dict[str, Any] = json.loads(child.stdout)
    return found


def test_the_core_loads_no_numpy_on_expert_boards() -> None:
    assert not told("free")["loaded"]


def test_the_core_answers_without_numpy_what_it_answers_with_it() -> None:
    assert told("present")["loaded"]
    with_it, without = told("present")["answers"], told("absent")["answers"]
    assert {what: without[what] == with_it[what] for what in with_it} == dict.fromkeys(
        with_it, True
    )


@pytest.mark.parametrize("total", ["known", "unknown"])
def test_the_verdicts_without_numpy_are_those_of_the_corpus(total: str, sample: Any) -> None:
    expected = {each.name: getattr(each, total) for each in sample}
    found = told("absent")["answers"][total]
    assert len(found) >= 12
    for name, (status, grid) in found.items():
        verdicts = "".join("." if cell in "012345678F" else cell for row in grid for cell in row)
        assert (status, verdicts) == ("consistent", expected[name]), name
