"""The results of a sweep of ``satsweeper compare``: tables in the terminal, and files.

DIR holds results.jsonl and manifest.json. Wrong answers come first, and the exit code is 1; whoever
gave them is ranked apart and compared with nobody. A sweep that is not finished is reported as far
as it went. Each task says how many instances its comparisons need: with fewer there are "not enough
instances", with as many "no significant difference" means that they showed none.

--html writes one page that needs nothing else (extra: plot), --csv a row a job, --latex a table a
task, --mkplot one JSON file a contender: NAME-CONTENDER.json for NAME.json, or into a folder.
--json prints one object instead of tables: {"schema": "satsweeper/report/1", "jobs", "done",
"complete", "torn", "repeated", "disagreements": [...], "wrong": [...], "faults": [...], "tasks":
[{"task", "part", "instances", "seeds", "timeout", "comparisons", "instances_needed", "smallest_p",
"enough", "contenders": [...], "virtual_best", "pairs": [{"measure", "first", "second", "verdict",
"significant", "better", "ratio", "interval", "p", "p_sign", "p_holm", "smallest_p", "instances",
...}], "growth": [...]}], "manifest"}.
"""

import argparse
import os
from typing import TYPE_CHECKING, Final

from pbcnf.errors import printable
from satsweeper.cli.exit_codes import DONE, FAILED, InputError, UsageError
from satsweeper.cli.files import STDOUT, check_outputs, output, print_json
from satsweeper.cli.options import COLOR, JSON, option, timeout
from satsweeper.show.progress import progress

if TYPE_CHECKING:
    from satsweeper.compare.report.findings import Findings

EXAMPLE = """examples:
  satsweeper compare random:9x9/10:seeds=0-19 --encodings direct,totalizer -o sweep
  satsweeper report sweep
  satsweeper report sweep --by-family --html sweep.html --csv sweep.csv
  satsweeper report sweep --mkplot plots/ --latex table.tex
"""

_FILES = ("html", "csv", "latex", "mkplot")


OPTIONS: Final = (
    option("folder DIR", "the folder of a sweep"),
    option("--by-family", "a section for each family of instances"),
    option("--html FILE", "one page with tables and plots"),
    option("--csv FILE", "a row a job"),
    option("--latex FILE", "a table a task; no package needed"),
    option("--mkplot FILE", "JSON for mkplot, a file a contender"),
    timeout("give up then (exit code 124)"),
    COLOR,
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Read, compute, write the files, print."""
    from satsweeper.compare.report.findings import findings
    from satsweeper.compare.report.sweep_folder import read_sweep_folder

    # Files that cannot be written are refused before the first one is written.
    named = {name: getattr(arguments, name) for name in _FILES if getattr(arguments, name)}
    if arguments.mkplot == STDOUT:
        raise UsageError("--mkplot writes several files: name one, or a folder")
    if arguments.json:
        named["json"] = STDOUT
    check_outputs(named, arguments.folder)
    try:
        with progress("reading"):
            sweep = read_sweep_folder(arguments.folder)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{printable(arguments.folder)}: {why}") from None
    with progress("report"):
        found = findings(sweep, by_family=arguments.by_family)
    _write(arguments, found)
    if arguments.json:
        from satsweeper.compare.report.file_formats import as_json

        print_json(as_json(found))
    elif STDOUT not in [getattr(arguments, name) for name in _FILES]:
        from satsweeper.show.report import show_report
        from satsweeper.show.terminal import console_for

        show_report(found, console_for(arguments.color))
    return FAILED if not found.trustworthy else DONE


def _write(arguments: argparse.Namespace, found: "Findings") -> None:
    if arguments.csv:
        from satsweeper.compare.report.file_formats import write_csv

        with output(arguments.csv) as stream:
            write_csv(found.sweep.results, stream)
    if arguments.latex:
        from satsweeper.compare.report.file_formats import latex

        with output(arguments.latex) as stream:
            stream.write(latex(found).encode("ascii"))
    if arguments.mkplot:
        from pbcnf.formats.writing import write_json
        from satsweeper.compare.report.file_formats import mkplot_files

        for name, content in mkplot_files(found).items():
            with output(_mkplot_name(arguments.mkplot, name)) as stream:
                write_json(content, stream)
    if arguments.html:
        from satsweeper.compare.report.page import page
        from satsweeper.report.figures import PlottingMissingError

        command = ["satsweeper", "report", arguments.folder, "--html", arguments.html]
        try:
            text = page(found, command + ["--by-family"] * arguments.by_family)
        except PlottingMissingError as error:
            raise InputError(f"--html: {error}") from None
        with output(arguments.html) as stream:
            stream.write(text.encode("utf-8", "replace"))


def _mkplot_name(file: str, contender: str) -> str:
    if os.path.isdir(file) or file.endswith(os.sep):
        os.makedirs(file, exist_ok=True)
        return os.path.join(file, f"{contender}.json")
    stem, end = os.path.splitext(file)
    return f"{stem}-{contender}{end or '.json'}"
