#!/usr/bin/env python3
"""The best encodings of clues, of the total and of large constraints; where defaults lose.

Makes its instances (boards opened at random, checkerboards, mutilated chessboards, parity lattices,
random regular problems, pigeonholes), runs a sweep a question into DIR, and prints tables, or
writes them between the markers of a file. Every contender of an instance runs beside the others,
in a drawn order. After an end of any kind the same command with --resume goes on, and repeats
nothing; with everything done it only writes the tables. All times are CPU seconds.

Examples: scripts/study_encodings.py -o study --quick
  scripts/study_encodings.py -o study --budget 40 --resume --update docs/encodings.md
  scripts/study_encodings.py -o study --parts clues,total --jobs 4
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.compare.job.job import Result
from satsweeper.compare.sweep.backends import BackendError
from satsweeper.compare.sweep.journal import JournalError, read_manifest
from satsweeper.compare.sweep.plan import RECORDS
from satsweeper.processes.limits import Limits
from scripts.frame import arguments as frame
from scripts.study import tables as study
from scripts.study.parts import PARTS, QUICK, Part

COMMAND: Final = "python scripts/study_encodings.py -o DIR --update docs/encodings.md"
SUMMARY: Final = "summary of the study"
SIZES: Final = "sizes and ranks"
SETTING: Final = "setting of the study"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the remaining jobs, and print or write the tables; return the exit code."""
    parser = frame.parser_of(__doc__)
    add = parser.add_argument
    add("-o", "--output", metavar="DIR", type=Path, required=True, help="results, a folder a part")
    add("--budget", metavar="MINUTES", type=frame.above_zero,
        help="stop after so long; exit code 124")  # fmt: skip
    add("--quick", action="store_true", help="the same on next to nothing")
    add("--resume", action="store_true", help="go on with DIR")
    add("--jobs", metavar="N", type=frame.positive, default=1, help="processes (1)")
    add("--parts", type=frame.names_of([part.name for part in PARTS]), metavar="NAMES",
        help=f"with commas, of: {', '.join(p.name for p in PARTS)}")  # fmt: skip
    frame.add_update(parser)
    arguments = parser.parse_args(argv)
    if arguments.update is not None and arguments.parts is not None:
        parser.error("--update: with all parts only, or the summary would be of some")
    known = {part.name: part for part in (QUICK if arguments.quick else PARTS)}
    arguments.parts = [known[name] for name in arguments.parts or known]
    errors = OSError, ValueError, JournalError, BackendError, study.WrongAnswerError
    hint = "; go on with --resume"
    return frame.ended("study_encodings", lambda: _study(arguments, argv), errors, hint)


def _study(arguments: argparse.Namespace, argv: Sequence[str] | None) -> int:
    budget = inf if arguments.budget is None else 60 * arguments.budget
    arguments.until = time.monotonic() + budget
    limit = 2.0 if arguments.quick else 4.0
    words = ["study_encodings.py", *(argv if argv is not None else sys.argv[1:])]
    found: dict[Part, Sequence[Result]] = {}
    try:
        for part in arguments.parts:
            folder = folder_of(arguments.output, part)
            found[part] = study.run_part(part, folder, Limits(seconds=limit), arguments, words)
    except study.SpentError as error:
        sys.stderr.write(f"study_encodings: time is spent: {error}; go on with --resume\n")
        return 124
    sections = {SUMMARY: study.summary_table(found, limit), SIZES: study.size_table(found, limit)}
    by_name = {part.name: results for part, results in found.items()}
    for part, results in found.items():
        text = study.part_tables(part, results, limit)
        if part.reduced and "total" in by_name:
            text += f"\n\n{study.on_the_same(by_name['total'], results, part.default)}"
        sections[section_of(part)] = text.strip()
    sections[SETTING] = setting(found, arguments.output)
    if arguments.update is not None:
        frame.update(arguments.update, COMMAND + " --quick" * arguments.quick, sections)
    else:
        print("\n\n".join(f"## {name}\n\n{text}" for name, text in sections.items()))
    return 0


def folder_of(output: Path, part: Part) -> Path:
    """Return the folder of the sweep of a part."""
    return output / part.name.replace(" ", "_")


def section_of(part: Part) -> str:
    """Return the name of the markers of a part's tables."""
    return f"study of {part.name}"


def setting(found: Mapping[Part, Sequence[Result]], output: Path) -> str:
    """Return versions, machines and dates from the manifests, and the CPU time of all jobs."""
    days: set[str] = set()
    machines: dict[str, None] = {}
    for part in found:
        manifest = read_manifest(folder_of(output, part), RECORDS.schema) or {}
        days |= {each["started"][:10] for each in (manifest, *manifest["resumed"])}
        machine = manifest["machine"]
        held = ", ".join(f"{name} {of or '-'}" for name, of in manifest["versions"].items())
        memory = "" if machine["memory"] is None else f", {machine['memory'] / 2**30:.0f} GiB"
        cores = f"{machine['cpu']}, {machine['cores']} cores{memory}"
        machines[f"- {held}; {cores}, {machine['os']}."] = None
    jobs = [result for results in found.values() for result in results]
    spent = sum(result.measured.encode + result.measured.solve for result in jobs)
    about = f"- {len(jobs)} jobs, {spent / 60:.1f} minutes of CPU time in encoding and solving,"
    about += " runs that were stopped included."
    return "\n".join([about, f"- Measured on {', '.join(sorted(days))}.", *machines])


if __name__ == "__main__":
    sys.exit(main())
