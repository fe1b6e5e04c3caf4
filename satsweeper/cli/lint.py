"""Check a CNF file against the rules of the SAT Competition.

Every finding has a line and the rule that is broken; errors break the format, warnings are what
organisers clean up or tools stumble over. --hardness also runs MiniSat for a minute: an entry
should not be solved by then. Exit code 1 if there is an error.
"""

import argparse
import re
from collections.abc import Iterator
from dataclasses import asdict
from time import monotonic
from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.cli.exit_codes import DONE, FAILED, InputError, UsageError
from satsweeper.cli.files import opened, print_json, refuse_board
from satsweeper.cli.options import option, timeout
from satsweeper.cli.problem_source import refuse_problem
from satsweeper.processes.standard_output import print_answer
from satsweeper.show.progress import progress

EXAMPLE: Final = """\
example: satsweeper export examples/expert.txt -o ms_expert.cnf && satsweeper lint ms_expert.cnf
"""

_SHOWN: Final = 50
"""Largest number of findings that are printed."""
_MINUTE: Final = 60.0
"""Seconds that MiniSat gets for ``--hardness``."""
_NO_TEXT: Final = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
"""Control characters, which no text file holds; bytes above 127 are findings of `lint`."""


OPTIONS: Final = (
    option("file FILE", "CNF, may be .gz, .bz2, .xz; - is standard input"),
    option("--hardness", "run MiniSat (PySAT's) for a minute"),
    timeout("give up then (exit code 124)"),
    option("--json", "findings as one JSON object"),
)


def run(arguments: argparse.Namespace) -> int:
    """Print the findings in the file; return the exit code."""
    from pbcnf.formats.lint import RULES, lint

    stdin = arguments.file == "-"
    with progress("reading"):
        findings = list(lint(_lines(arguments.file), None if stdin else arguments.file))
    errors = sum(found.severity == "error" for found in findings)
    if errors:
        refuse_board(arguments.file, arguments.file, "cnf")
        refuse_problem(arguments.file, arguments.file)
    hardness = None
    if arguments.hardness:
        with progress("solving", _MINUTE):
            hardness = _hardness(arguments.file)
    if arguments.json:
        answer = {
            "schema": "satsweeper/lint/1",
            "errors": errors,
            "warnings": len(findings) - errors,
            "findings": [asdict(found) | {"severity": found.severity} for found in findings],
            "hardness": hardness,
        }
        print_json(answer)
    else:
        for found in findings[:_SHOWN]:
            place = "" if found.line is None else f"{found.line}:"
            rule = f"{found.rule}: {RULES[found.rule][1]}"
            print_answer(f"{arguments.file}:{place} {found.severity}: {found.message} [{rule}]")
        if len(findings) > _SHOWN:
            print_answer(f"... and {len(findings) - _SHOWN} more")
        print_answer(f"{counted(errors, 'error')}, {counted(len(findings) - errors, 'warning')}")
        if hardness is not None:
            print_answer(hardness["sentence"])
    return FAILED if errors else DONE


def _lines(file: str) -> Iterator[bytes]:
    """Yield the lines of ``file``; raise InputError at a control character, as in binary files."""
    from pbcnf.formats.compressed import decompressed_lines

    with opened(file, file) as stream:
        for number, line in enumerate(decompressed_lines(stream), start=1):
            if found := _NO_TEXT.search(line):
                what = f"byte 0x{line[found.start()]:02x} in column {found.start() + 1}"
                raise InputError(f"{file}:{number}: this is no text: {what}")
            yield line


def _hardness(file: str) -> dict[str, Any]:
    """Return whether MiniSat solves ``file`` within a minute, its seconds, and the conclusion."""
    from pbcnf.formats.error import FormatError
    from pbcnf.formats.read.dimacs import read_dimacs
    from satsweeper.solvers.output import Claim
    from satsweeper.solvers.solve_formula import solve_formula

    if file == "-":
        raise UsageError("--hardness reads the file twice: name a file, not standard input")
    try:
        with open(file, "rb") as stream:
            formula = read_dimacs(stream, file).formula
    except FormatError as error:
        raise InputError(f"{error} (no hardness of what is no formula)") from None
    start = monotonic()
    solved = solve_formula(formula, "minisat22", _MINUTE)
    seconds = monotonic() - start
    easy = solved.claim is not Claim.UNKNOWN
    if easy:
        sentence = (
            f"too easy for the competition: MiniSat says {solved.claim.value} after"
            f" {seconds:.2f} s, and should need more than {_MINUTE:.0f}"
        )
    else:
        sentence = (
            f"MiniSat does not solve it in {_MINUTE:.0f} s: hard enough, if your own solver needs"
            " less than an hour"
        )
    return {"solved": easy, "seconds": round(seconds, 3), "sentence": sentence}
