"""Scripts run as a user runs them, and a corpus of positions."""

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def run_script() -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run Python on a script, or with other arguments, in a process of its own.

    Scripts fork, which a process of tests with threads should not do.
    """

    def run(
        script: str, *arguments: object, first: Path | None = None, **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        program = script if script.startswith("-") else str(ROOT / "scripts" / f"{script}.py")
        paths = [first, ROOT / "encodings", ROOT, os.environ.get("PYTHONPATH")]
        own = {"PYTHONPATH": os.pathsep.join(str(path) for path in paths if path)}
        return subprocess.run(
            [sys.executable, program, *map(str, arguments)],
            env=os.environ | own | environment,
            capture_output=True,
            text=True,
            timeout=200,
        )

    return run


@pytest.fixture
def corpus(sample: list[Any], tmp_path: Path) -> Path:
    """A folder with the classes ``exp`` and ``b8``, three positions each."""
    for name in ("exp", "b8"):
        records = [record for record in sample if record.name.startswith(f"{name}-")][:3]
        blocks = [f"; id={r.name} kind=any\n{r.text.replace('?', '#')}" for r in records]
        with gzip.open(tmp_path / f"{name}.ms.gz", "wt") as file:
            file.write("\n".join(blocks))
    return tmp_path
