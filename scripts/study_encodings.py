#!/usr/bin/env python3
"""The best encodings of clues, totals, counts and sums, what orders are worth; losing defaults.

Makes its instances (boards opened at random, checkerboards, boards without a layout, and the
problems of scripts/study/families.py), runs a sweep a question into DIR, and prints tables, or
writes them: the short ones between the markers of FILE, all others between those of the page beside
it whose name ends with _tables. Every contender of an instance runs beside the others, in a drawn
order. After an end of any kind the same command with --resume goes on, and repeats nothing; with
everything done it only writes the tables. With --budget it stops after so long, and the tables are
those of the instances that have all their results; exit code 124. All times are CPU seconds.

Examples: scripts/study_encodings.py -o study --quick
  scripts/study_encodings.py -o study --budget 40 --resume --update docs/encodings.md
  scripts/study_encodings.py -o study --parts clues,total --jobs 4
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.compare.sweep.backends import BackendError, Opening
from satsweeper.compare.sweep.journal import JournalError
from satsweeper.compare.sweep.run import Killable
from satsweeper.processes.limits import Limits
from scripts.frame import arguments as frame
from scripts.study import tables
from scripts.study.parts import PARTS, QUICK, Part, planned
from scripts.study.runs import SPENT, WrongAnswerError, add_options, deadline, measured_on, swept

COMMAND: Final = "python scripts/study_encodings.py -o DIR --update docs/encodings.md"
SUMMARY: Final = "summary of the study"
WORTH: Final = "worth of orders"
SPREAD: Final = "spread over orders and encoders"
SETTING: Final = "setting of the study"
TABLES: Final = "tables of the study"
NOTHING: Final = "Not measured yet."


def main(argv: Sequence[str] | None = None) -> int:
    """Run the remaining jobs, and print or write the tables; return the exit code."""
    parser = frame.parser_of(__doc__)
    add_options(parser)
    parser.add_argument("--parts", type=frame.names_of([part.name for part in PARTS]),
        metavar="NAMES", help=f"with commas, of: {', '.join(p.name for p in PARTS)}")  # fmt: skip
    arguments = parser.parse_args(argv)
    if arguments.update is not None and arguments.parts is not None:
        parser.error("--update: with all parts only, or the summary would be of some")
    known = {part.name: part for part in (QUICK if arguments.quick else PARTS)}
    arguments.parts = [known[name] for name in arguments.parts or known]
    errors = OSError, ValueError, JournalError, BackendError, WrongAnswerError
    return frame.ended("study_encodings", lambda: _study(arguments), errors, "; --resume")


def _study(arguments: argparse.Namespace) -> int:
    until, limits, code = deadline(arguments), Limits(seconds=2.0), 0
    measured: dict[str, tables.Answered] = {}
    for part in arguments.parts:
        plan = planned(part, limits)
        folder = folder_of(arguments.output, part)
        opening: Opening = partial(Killable, plan.sweep.instances, limits, plan.sweep.encoders)
        if part.reduced:
            opening = partial(nullcontext, tables.Reduced(plan.sweep.instances, limits))
        results, every = swept(part.name, plan.sweep, opening, folder, arguments, until)
        if not every:
            sys.stderr.write(f"study_encodings: {part.name}: time is spent; go on with --resume\n")
            code = SPENT
        found = tables.Answered.of(plan, results, 2.0)
        if found.results:
            measured[part.name] = found
    if not measured:
        return code
    every_part = [*measured.values()]
    folders = [folder_of(arguments.output, found.part) for found in every_part]
    results = [result for found in every_part for result in found.results]
    blocks = []
    for part in arguments.parts:
        blocks.append(f"## {part.title}\n\n{_of(measured, part.name, tables.part_tables)}")
        if part.reduced and {"total", part.name} <= measured.keys():
            blocks.append(tables.on_the_same(measured["total"], measured[part.name]))
    blocks.append(f"## Size and time\n\n{tables.size_table(every_part)}")
    sections = {SUMMARY: tables.summary_table(every_part)}
    sections[WORTH] = _of(measured, "order", tables.worth_table)
    sections[SPREAD] = _of(measured, "order", tables.spread_table)
    sections[SETTING] = measured_on(folders, results)
    rest = {TABLES: "\n\n".join(blocks)}
    if arguments.update is not None:
        page, command = arguments.update, COMMAND + " --quick" * arguments.quick
        frame.require_section(tables_page(page), TABLES)
        frame.update(page, command, sections)
        frame.update(tables_page(page), command, rest)
    else:
        print("\n\n".join(f"## {name}\n\n{text}" for name, text in (sections | rest).items()))
    return code


def _of(
    measured: Mapping[str, tables.Answered], name: str, table: Callable[[tables.Answered], str]
) -> str:
    return table(measured[name]) if name in measured else NOTHING


def tables_page(page: Path) -> Path:
    """Return the page of all tables that belongs to a page of conclusions."""
    return page.with_name(f"{page.stem}_tables{page.suffix}")


def folder_of(output: Path, part: Part) -> Path:
    """Return the folder of the sweep of a part."""
    return output / part.name.replace(" ", "_")


if __name__ == "__main__":
    sys.exit(main())
