"""Scripts run as a user runs them, and a corpus of positions."""

import gzip
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands import ROOT, python


@pytest.fixture(scope="session")
def run_script() -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run Python on a script, or with other arguments, in a process of its own.

    Scripts fork, which a process of tests with threads should not do.
    """

    def run(
        script: str, *arguments: object, first: Path | None = None, **more: str
    ) -> "subprocess.CompletedProcess[str]":
        program = script if script.startswith("-") else ROOT / "scripts" / f"{script}.py"
        paths = [first, ROOT / "encodings", ROOT, os.environ.get("PYTHONPATH")]
        own = {"PYTHONPATH": os.pathsep.join(str(path) for path in paths if path)}
        return python(program, *arguments, env=os.environ | own | more)

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
