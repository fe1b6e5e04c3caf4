"""Console output and JSON files of benchmarks."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pbcnf.formats.writing import replacing
from scripts.bench.machine import describe, lines


def console_of(width: int = 140) -> Console:
    """Return a console for standard output, of ``width`` columns if that is no terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=width)


def say(console: Console, *texts: str) -> None:
    """Print lines as they are."""
    for text in texts:
        console.print(text, markup=False, highlight=False, soft_wrap=True)


def show_machine(console: Console) -> dict[str, Any]:
    """Print what figures depend on, and return it as plain values."""
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


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Write ``value`` all or nothing."""
    with replacing(path) as stream:
        stream.write(json.dumps(value, indent=1).encode() + b"\n")
