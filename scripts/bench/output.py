"""Console output and JSON files of benchmarks."""

import json
import os
import platform
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.table import Table

from pbcnf.formats.writing import replacing
from satsweeper.compare.sweep.journal import machine
from satsweeper.version import __version__


def console_of(width: int = 140) -> Console:
    """Return a console for standard output, of ``width`` columns unless on a terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=width)


def say(console: Console, *texts: str) -> None:
    """Print ``texts`` line by line, without markup and line breaks of rich."""
    for text in texts:
        console.print(text, markup=False, highlight=False, soft_wrap=True)


def show_machine(console: Console) -> dict[str, Any]:
    """Print the manifest of `describe`, on which figures depend, and return it."""
    manifest = describe()
    say(console, *lines(manifest))
    return manifest


def table_of(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1
) -> Table:
    """Return a table whose first columns, ``texts`` of them, are text, and the others numbers."""
    table = Table(title=title, title_justify="left")
    for at, head in enumerate(heads):
        table.add_column(head, justify="left" if at < texts else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def write_json(path: Path | None, schema: str, manifest: dict[str, Any], **values: Any) -> None:
    """Write a JSON object, unless ``path`` is None; if writing fails, the file stays as it was."""
    if path is not None:
        value = {"schema": f"satsweeper/{schema}", "manifest": manifest, **values}
        with replacing(path) as stream:
            stream.write(json.dumps(value, indent=1).encode() + b"\n")


PACKAGES: Final = ("satsweeper", "python-sat", "numpy", "ortools", "ms_toollib", "rich")


def describe() -> dict[str, Any]:
    """Return the manifest of a run: date, versions, processor, load and its speed."""
    held = machine()
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": versions_of(PACKAGES), "processor": held["cpu"] or held["architecture"],
        "processors": held["cores"], "load": [round(load, 2) for load in os.getloadavg()],
        "numpy_pass_ms": round(numpy_pass(), 2),
    }  # fmt: skip


def lines(manifest: dict[str, Any]) -> list[str]:
    """Return the manifest as the first lines of a report."""
    packages = ", ".join(f"{name} {held or '-'}" for name, held in manifest["packages"].items())
    load = " ".join(f"{load:.2f}" for load in manifest["load"])
    return [
        f"{manifest['date']}, {manifest['python']}, {packages}",
        f"{manifest['processor']}, {manifest['processors']} processors, load {load}",
        f"numpy-pass (nine shifted additions, four times, 1000x1000 int8): "
        f"{manifest['numpy_pass_ms']:.2f} ms CPU",
    ]


def numpy_pass(repeats: int = 7) -> float:
    """Return the least CPU milliseconds of computing all neighbour sums of a board four times.

    The board has 1000x1000 int8 cells, and its sums take nine shifted additions. The figure
    measures the speed of a machine, to compare figures of two machines.
    """
    board = (np.arange(1002 * 1002, dtype=np.int64) % 7 == 0).reshape(1002, 1002).astype(np.int8)
    sums = np.empty((1000, 1000), np.int8)
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time_ns()
        for _ in range(4):
            sums[:] = 0
            for r in range(3):
                for c in range(3):
                    sums += board[r : r + 1000, c : c + 1000]
        best = min(best, (time.process_time_ns() - start) / 1e6)
    return best


def missing(package: str) -> str | None:
    """Import a package before measurements; return why it cannot be used, or None."""
    try:
        import_module(package)
    except ImportError as error:
        return f"{package} is not installed ({error})"
    return None


def versions_of(packages: Iterable[str]) -> dict[str, str | None]:
    """Return the installed version of each package, None for one that is missing."""
    found: dict[str, str | None] = dict.fromkeys(packages)
    for name in found:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    if "satsweeper" in found:
        found["satsweeper"] = __version__
    return found
