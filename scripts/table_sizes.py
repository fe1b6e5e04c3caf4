#!/usr/bin/env python3
"""The table of encodings/README.md: sizes of our encoders and of four more libraries.

The same bounds go to every encoder of the same name or method: at most 1 of 100 inputs, at most 10
and 500 of 1000, and at most half the sum of weights drawn from 1 to 100 or 1000 (Python's
generator, seed 1). A row in which ours has more variables or more clauses than some other needs a
sentence that says what they buy (`BUYS`); a sentence that no row needs is refused as well.

Exit codes: 0 done; 1 a library or a sentence is missing, or one too many, or the table is stale
(--check); 2 wrong usage.

Example: scripts/table_sizes.py --check
"""

import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.report.table import markdown_table
from scripts.bench.encode_contenders import BUYS, PEERS, ROWS, SUMS, size
from scripts.bench.encode_forms import Problem
from scripts.frame.arguments import parser_of, write_tables

README = Path(__file__).resolve().parents[1] / "encodings" / "README.md"
COMMAND = "python scripts/table_sizes.py"
SECTION = "table of sizes beside others"
PACKAGES = dict(zip(PEERS, ("python-sat", "pindakaas", "rustsat", "pypblib"), strict=True))

Size: TypeAlias = tuple[int, int]
"""Numbers of auxiliary variables and of clauses."""


def ours(encoder: str, problem: Problem) -> Size:
    """Return the size that our encoder predicts."""
    predicted = size(encoder, problem)
    return predicted.variables, predicted.clauses


def theirs(library: str, name: str, problem: Problem) -> Size:
    """Return the size that the encoder ``name`` of ``library`` emits."""
    clauses = PEERS[library][1](name, problem, "lists")().made[1]
    used = {abs(lit) for clause in clauses for lit in clause}
    return sum(var > problem.num_vars for var in used), len(clauses)


def table() -> str:
    """Return the table and its sentences.

    Raises ValueError if a row lacks its sentence, or if a sentence belongs to no row.
    """
    lines = []
    needed: dict[str, None] = {}
    for row in ROWS:
        for title in row.sums:
            own, of = ours(row.encoder, SUMS[title]), row.namesakes.items()
            peers = {library: theirs(library, name, SUMS[title]) for library, name in of}
            # Some peer has fewer variables, or fewer clauses.
            larger = any(own[0] > peer[0] or own[1] > peer[1] for peer in peers.values())
            if larger:
                needed[row.encoder] = None
            cells = [_cell(peers.get(library)) for library in PEERS]
            mark = f"{list(needed).index(row.encoder) + 1}" if larger else ""
            lines.append([title, f"`{row.encoder}`", _cell(own), *cells, mark])
    found = markdown_table(["bound", "encoder", "ours", *PEERS, ""], lines)
    if needed.keys() != BUYS.keys():
        missing, idle = needed.keys() - BUYS.keys(), BUYS.keys() - needed.keys()
        raise ValueError(f"sentences missing: {sorted(missing)}; without a row: {sorted(idle)}")
    versions = ", ".join(f"{name} {version(package)}" for name, package in PACKAGES.items())
    sentences = [f"{i}. `{name}`: {BUYS[name]}" for i, name in enumerate(needed, start=1)]
    return "\n".join([f"Versions: {versions}.", "", found, "", *sentences])


def _cell(size: Size | None) -> str:
    return "-" if size is None else " / ".join(f"{value:,}".replace(",", " ") for value in size)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the table, or only check it; return the exit code."""
    errors = ImportError, OSError, ValueError
    return write_tables(
        parser_of(__doc__), README, COMMAND, lambda _: {SECTION: table()}, argv, errors
    )


if __name__ == "__main__":
    sys.exit(main())
