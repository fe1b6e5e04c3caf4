#!/usr/bin/env python3
"""docs/win_rates.md: our win rates beside every published one, each with its convention.

Ours are kept in docs/win_rates.json, from which the document is made again. --add takes what
finished simulations (satsweeper simulate ... -o FOLDER) came to into that file; of two runs of one
strategy on the same board, first click and seed the one with more games is kept, or else the later.
What is around the markers of the document is left alone.

Examples: scripts/table_win_rates.py
  scripts/table_win_rates.py --add FOLDER ANOTHER
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from pbcnf.formats.writing import replacing
from satsweeper.compare.sweep.journal import JournalError
from scripts.frame.arguments import ended, parser_of
from scripts.frame.pages import with_section
from scripts.win_rates.results import finished, merged, read_results, write_results
from scripts.win_rates.tables import sections, setting, sources

DOCS: Final = Path(__file__).resolve().parents[1] / "docs"
COMMAND: Final = "python scripts/table_win_rates.py"


def main(argv: Sequence[str] | None = None) -> int:
    """Take in what is added, and write the tables, or only check them."""
    parser = parser_of(__doc__)
    add = parser.add_argument
    add("--add", metavar="FOLDER", nargs="+", type=Path, default=[], help="finished simulations")
    add("--results", metavar="FILE", type=Path, default=DOCS / "win_rates.json",
        help="(docs/win_rates.json)")  # fmt: skip
    add("--check", action="store_true", help="write nothing; 1 if a table is stale")
    add("file", nargs="?", type=Path, default=DOCS / "win_rates.md", help="(docs/win_rates.md)")
    arguments = parser.parse_args(argv)
    errors = OSError, ValueError, JournalError
    return ended("table_win_rates", lambda: _write(arguments), errors)


def _write(arguments: argparse.Namespace) -> int:
    simulations = read_results(arguments.results)
    if arguments.add:
        simulations = merged(simulations, [finished(folder) for folder in arguments.add])
    old = new = arguments.file.read_text("utf-8")
    for name, content in (
        ("win rates", sections(simulations)),
        ("setting of the games", setting(simulations)),
        ("sources of win rates", sources()),
    ):
        new = with_section(new, name, COMMAND, content)
    if arguments.check:
        if new != old:
            sys.stderr.write(f"{arguments.file.name} is stale: run {COMMAND}\n")
        return int(new != old)
    if arguments.add:
        write_results(arguments.results, simulations)
    with replacing(arguments.file) as stream:
        stream.write(new.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
