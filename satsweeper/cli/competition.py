"""An entry to a competition: instances chosen by measuring, and all that goes with them.

Instances are members of families, whose answer is known by an argument, and questions: a board with
a cell held to a verdict that it cannot have. Sizes grow until MiniSat 2.2 (PySAT's) has no answer
within --weak-seconds and the strong solver has one within --strong-seconds; each run is a process
of its own, and seconds are of CPU time. The bar: --count instances, --hard of them solved by the
strong solver alone, of several families, satisfiable and unsatisfiable ones. Where that cannot be
had, what there is is written and the exit code is 1. So it is, and nothing is written, when any
answer contradicts an argument.

Tracks: sat (.cnf.xz), pb (.opb.xz; see below) and counting (.cnf.xz with "c t mc", boards without
a total; the weak counter forbids model after model by MiniSat, the strong one is that of odds; the
number of models is told beside the file).

DIR gets instances/ (each with its name map, its board, its model or its number of models),
description/ (each family in LaTeX and Markdown, references.bib), README.md, times.csv, times.md,
entry.json and SHA256SUMS; manifest.json and results.jsonl are the measurements. No two instances
have the same clauses. After an end of any kind the same command goes on, with another --count or
--hard as well. The choice depends on the measurements and --seed alone, --jobs aside; what is
measured depends on the machine. Measuring takes hours at 60 s and 600 s: --timeout ends it in time,
and the files say what was measured and what was not.

The track pb draws from folders instead: without --count and --hard every family gets a folder of
--each instances, DEC-LIN/NAME (decisions), OPT-LIN/NAME (an objective) or WBO/NAME (soft
constraints), and nothing is measured. No two files have the same constraints. DIR gets
description/, README.md, entry.json, MD5SUMS (of the files without .xz) and SHA256SUMS. With --count
or --hard the instances of pb are those of sat, measured as clauses.

--json prints {"schema": "satsweeper/entry/1", "track", "count", "hard", "seed", "weak",
"weak_seconds", "strong", "strong_seconds", "missing": [what the bar asks for and is not there],
"measured", "unsolved" (measured ones that neither solved), "unmeasured": [series of which nothing
was measured], "instances": [{"file", "sha256", "name", "family", "series", "size", "seed",
"status", "why", "models", "variables", "clauses", "constraints", "grade" (easy or hard), "weak",
"strong": {"claim", "seconds", "reason"}, "confirmed"}]}; of folders {"schema":
"satsweeper/pb-entry/1", "track", "each", "seed", "measured": 0, "missing", "domains": [{"category",
"domain", "family", "instances"}], "instances": [{"file", "category", "domain", "family", "series",
"size", "seed", "status", "optimum" (null: not known, or a decision), "why", "variables",
"constraints", "equations", "intsize", "md5", "constraints_md5", "sha256"}]}; with --list {"schema":
"satsweeper/competition-list/1", "series": [{"name", "family", "status", "why", "seeded",
"category" (of pb alone)}]}.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from satsweeper.cli.arguments import take_over_time_left
from satsweeper.cli.exit_codes import DONE, FAILED, LIMIT_REACHED, UsageError, usage_errors
from satsweeper.cli.files import print_json, require_folder_for
from satsweeper.cli.lifetime import TimeIsUp, raise_after
from satsweeper.cli.options import JSON, natural, option, timeout
from satsweeper.cli.sweeping import input_errors_in
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.standard_output import print_answer

if TYPE_CHECKING:
    from satsweeper.competition.measurement import Measurement
    from satsweeper.competition.measuring import Bar
    from satsweeper.competition.selection import Wish

EXAMPLE: Final = """\
examples:
  satsweeper competition --count 2 --hard 1 --weak-seconds 0.05 --strong-seconds 2 -o entry
  satsweeper competition --track pb --each 15 -o folders
  satsweeper competition --track counting --list
"""


OPTIONS: Final = (
    option("--track NAME", "sat, pb, counting (sat)", default="sat"),
    option("--count N", "instances, chosen by measuring (20)", type=natural(least=1)),
    option("--hard N", "that the strong solver alone solves (half of them)", type=natural()),
    option("--each N", "pb: instances in a folder for each family (15)", type=natural(least=1)),
    option("-o --output DIR", "a new folder, or one to go on with"),
    option("--seed S", "draws what is tried first (0)", type=natural(), default=0),
    option("--weak-seconds TIME", "of the weak solver (60)", default=60.0),
    option("--strong NAME",
           "a PySAT solver, or external:PROGRAM on PATH (cadical195); not for counting"),
    option("--strong-seconds TIME", "of the strong solver (600)", default=600.0),
    option("--jobs N", "processes (1)", default=1),
    option("--list", "say what the track chooses from, and measure nothing"),
    timeout("end then, with what was measured so far (exit code 124)"),
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Measure and choose instances, write the entry, and print a summary; return the exit code."""
    from pbcnf.wording import unknown_name
    from satsweeper.competition.instance import TRACKS

    if arguments.track not in TRACKS:
        raise UsageError(unknown_name("track", arguments.track, TRACKS))
    if arguments.list:
        _list(arguments.track, arguments.json)
        return DONE
    deadline = Deadline.after(take_over_time_left(arguments))
    measured_words = [
        each for each in ("count", "hard", "strong") if getattr(arguments, each) is not None
    ]
    if arguments.each is not None and (arguments.track != "pb" or measured_words):
        why = f"--{measured_words[0]} measures" if measured_words else "its track is pb"
        raise UsageError(f"--each makes folders without measuring: {why}")
    if arguments.track == "pb" and not measured_words:
        return _write_folders(arguments, deadline)
    arguments.count = arguments.count or 20
    from satsweeper.competition.measuring import Bar
    from satsweeper.competition.selection import Wish
    from satsweeper.competition.solving import ELIMINATION
    from satsweeper.solvers.protocol import SolverError
    from satsweeper.solvers.table import STRONG, features

    hard = -(-arguments.count // 2) if arguments.hard is None else arguments.hard
    if hard > arguments.count:
        raise UsageError(f"--hard {hard} is more than --count {arguments.count}")
    wish = Wish(arguments.track, arguments.count, hard, arguments.seed)
    strong = arguments.strong or STRONG
    if arguments.track == "counting":
        if arguments.strong is not None:
            raise UsageError("--strong names no counter: the track counting has its own")
        strong = ELIMINATION
    else:
        with usage_errors(SolverError):
            features(strong)
    bar = Bar(arguments.track, arguments.weak_seconds, strong, arguments.strong_seconds)
    if arguments.output is None:
        raise UsageError("-o DIR is needed: the folder of the entry")
    require_folder_for(arguments.output)
    measured, late = _measured(arguments, wish, bar, deadline)
    from satsweeper.competition.entry import write_entry
    from satsweeper.show.progress import progress

    with input_errors_in(arguments.output), progress("writing"):
        entry = write_entry(Path(arguments.output), wish, bar, measured)
    _say(arguments, entry, late)
    if not entry["missing"]:
        return DONE
    return LIMIT_REACHED if late else FAILED


def _write_folders(arguments: argparse.Namespace, deadline: Deadline) -> int:
    """Write a folder for each family, and print a summary; return the exit code."""
    from satsweeper.certificate.folder import FolderTakenError
    from satsweeper.competition.domains import domains, unfinished, write_domains
    from satsweeper.show.progress import progress

    if arguments.output is None:
        raise UsageError("-o DIR is needed: the folder of the entry")
    require_folder_for(arguments.output)
    folder, each = Path(arguments.output), arguments.each or 15
    late = False
    try:
        with (
            usage_errors(FolderTakenError),
            raise_after(deadline.left()),
            input_errors_in(folder),
            progress("writing", each * len(domains())) as show,
        ):

            def reach(written: int) -> None:
                show(written)
                if deadline.passed():
                    raise TimeIsUp

            entry = write_domains(folder, each, arguments.seed, reach=reach)
    except TimeIsUp:
        if not folder.is_dir():
            raise
        entry, late = unfinished(folder, each, arguments.seed), True
    if arguments.json:
        print_json(entry)
    else:
        _say_folders(arguments.output, entry, late)
    if not entry["missing"] and not late:
        return DONE
    return LIMIT_REACHED if late else FAILED


def _say_folders(folder: str, entry: dict[str, Any], late: bool) -> None:
    from pbcnf.wording import counted

    rows, there = entry["domains"], len(entry["instances"])
    print_answer(
        *(f"{row['category']}/{row['domain']}: {row['instances']}" for row in rows),
        f"{folder}: {counted(there, 'instance')} in {counted(len(rows), 'folder')};"
        " nothing was measured",
    )
    if late:
        print_answer(
            "the time is over: the same command goes on, and writes descriptions and lists"
        )
    elif entry["missing"]:
        print_answer(f"there are no more: {'; '.join(entry['missing'])}")


def _measured(
    arguments: argparse.Namespace, wish: "Wish", bar: "Bar", deadline: Deadline
) -> tuple[list["Measurement"], bool]:
    """Return the measurements, and whether the time limit ended the measuring."""
    from satsweeper.certificate.folder import FolderTakenError
    from satsweeper.compare.sweep.backends import load
    from satsweeper.competition.run import measure_into, measurements_in
    from satsweeper.show.progress import progress

    load()
    folder = Path(arguments.output)
    try:
        with (
            usage_errors(FolderTakenError),
            raise_after(deadline.left()),
            input_errors_in(folder),
            progress("measuring", wish.hard) as show,
        ):

            def reach(hard: float) -> None:
                show(min(hard, wish.hard))
                if deadline.passed():
                    raise TimeIsUp

            return measure_into(folder, wish, bar, arguments.jobs, reach=reach), False
    except TimeIsUp:
        if not folder.is_dir():
            raise
        return measurements_in(folder), True


def _list(track: str, as_json: bool) -> None:
    from satsweeper.competition.domains import CATEGORIES, domains
    from satsweeper.competition.instance import series_of

    listed = domains() if track == "pb" else series_of(track)
    rows = [
        {
            "name": each.name,
            "family": each.family.name,
            "status": "satisfiable" if each.satisfiable else "unsatisfiable",
            "why": each.why,
            "seeded": each.seeded,
            **({"category": CATEGORIES[each.family.goal]} if track == "pb" else {}),
        }
        for each in listed.values()
    ]
    if as_json:
        print_json({"schema": "satsweeper/competition-list/1", "series": rows})
    else:
        print_answer(*(f"{row['name']}: {row['status']}: {row['why']}" for row in rows))


def _say(arguments: argparse.Namespace, entry: dict[str, Any], late: bool) -> None:
    from pbcnf.wording import counted

    if arguments.json:
        print_json(entry)
        return
    rows = entry["instances"]
    hard = sum(row["grade"] == "hard" for row in rows)
    print_answer(
        *(f"{row['file']}: {row['status']}, {row['grade']}" for row in rows),
        f"{arguments.output}: {counted(len(rows), 'instance')}, {hard} of them hard;"
        f" {counted(entry['measured'], 'measurement')}",
    )
    if entry["missing"]:
        why = "the time is over" if late else "there are no more to be measured"
        print_answer(f"short of the bar, as {why}: {'; '.join(entry['missing'])}")
