"""Compare encodings and solvers: every contender on every instance, written down as jobs end.

INSTANCE: a board, a corpus of boards, a problem of any format that encode reads (without its
objective), a folder of such files, or boards drawn at random:
random:COLUMNSxROWS/MINES:seeds=FIRST-LAST[:opened=SHARE], for an expert's
random:30x16/99:seeds=0-19. Contenders are all combinations of --encodings (of clues, or of a
problem's constraints), --total-encodings, --solvers and --orders of the literals. Encodings are
names of satsweeper audit, LIBRARY:NAME for those of other libraries, native for a solver's own
cardinality constraints, and MODULE:NAME for your own, its module in this folder or wherever Python
looks: a function (n, lower, upper) -> (variables, clauses) with the inputs 1 .. n and auxiliary
variables up to ``variables``, or an object or class as docs/add_an_encoder.md shows it. Where none
is named they are the first two of direct, totalizer, generalized_totalizer and adder that can
express every instance; a line says which are left out, and why.

DIR gets manifest.json (versions, machine, arguments), and results.jsonl with a line a job. After
an end of any kind, the same command with --resume goes on; jobs that are done are not repeated. The
jobs of an instance and seed follow one another in an order drawn for each, so that whatever drifts
meets all contenders alike. Two different verdicts on one instance, or a model that breaks it, end
the sweep (exit code 1); the instance is shrunk to a small witness, DIR/witness.txt. Encoders that
are not ours are audited for up to 5 inputs after a sweep that showed nothing (exit code 1).

A difference is claimed only after a correction for all comparisons of a task, so few instances and
many contenders can show none: then a warning says how many instances it takes, and --dry-run always
does. In the report "not enough instances" is that, and "no significant difference" is not.

--json prints {"schema": "satsweeper/compare-run/1", "folder", "jobs", "done", "statuses":
{STATUS: jobs}, "disagreement": null or {"line", "jobs", "witness"}, "faults": [LINE]}; with
--dry-run {"schema", "digest", "comparisons": [{"task", "part", "contenders", "instances",
"comparisons", "needed"}], "jobs": [{"id", "instance", "name", "task", "encoding", "total_encoding",
"solver", "order", "seed"}]}.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from satsweeper.cli.arguments import replaced, words_of
from satsweeper.cli.exit_codes import DONE, FAILED, InputError, UsageError, usage_errors
from satsweeper.cli.files import require_folder_for
from satsweeper.cli.options import JSON, names, natural, option
from satsweeper.cli.sweeping import SWEEP, backend_named, input_errors_in, print_script

if TYPE_CHECKING:
    from satsweeper.compare.sweep.plan import Axes
    from satsweeper.compare.sweep.run import Prepared

EXAMPLE = """examples:
  satsweeper compare random:16x16/40:seeds=0-19 --encodings direct,totalizer -o sweep
  satsweeper compare random:9x9/10:seeds=0-19 --encodings direct,native --solvers minicard -o native
  satsweeper compare examples/knapsack.opb --encodings adder --orders given,bandwidth -o orders
  satsweeper compare random:16x16/40:seeds=0-19 --encodings direct,totalizer -o shards --sbatch 8
"""


OPTIONS: Final = (
    option("instances INSTANCE", "see above; - is standard input", nargs="+"),
    option("--encodings NAMES", "(direct,totalizer; see above)"),
    option("--total-encodings NAMES", "(totalizer)", default="totalizer"),
    option("--solvers NAMES", "(minisat22,cadical195)", default="minisat22,cadical195"),
    option("--orders NAMES", "given, reversed, occurrence, proximity, bandwidth, random",
           default="given"),
    option("--seeds N", "seeds 0 to N-1; 0: as it is (3)", type=natural(least=1), default=3),
    option("--tasks NAMES", "classify, consistent, total of boards; solve of others"
           " (classify,solve)", default="classify,solve"),
    option("--mines N", "the total of boards, or 'unknown'"),
    option("--timeout TIME", "CPU time of a job (60)", default=60.0),
    option("--memory MB", "memory of a job's process (no limit)", type=natural(least=1)),
    option("--budget", "also find the least budget of conflicts"),
    *SWEEP,
    option("--dry-run", "say how many jobs there are, and run nothing"),
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Check everything, then run, and sum up."""
    from satsweeper.show.report import show_outcome, show_plan

    prepared = _prepared(arguments)
    if not (arguments.dry_run or arguments.output is None):
        require_folder_for(arguments.output)
    for each in [] if arguments.dry_run else prepared.planned:
        if not each.enough:
            print(
                f"satsweeper compare: warning: no difference can be shown: {each}", file=sys.stderr
            )
    if arguments.sbatch is not None:
        print_script(arguments, _arguments(arguments), len(prepared.jobs), prepared.limits)
        return DONE
    if arguments.dry_run:
        show_plan(prepared, arguments.jobs, arguments.json)
        return DONE
    if arguments.output is None:
        raise UsageError("-o DIR is needed: the folder that the results go to")
    from satsweeper.compare.sweep.run import run_prepared
    from satsweeper.show.progress import progress

    backend = backend_named(arguments)
    with input_errors_in(arguments.output), progress("compare", len(prepared.jobs)) as reach:
        compared = run_prepared(
            prepared,
            Path(arguments.output),
            backend,
            resume=arguments.resume,
            arguments=[*_arguments(arguments), "-o", arguments.output],
            reach=reach,
        )
    found = compared.disagreement
    for line in [str(found)] if found is not None else compared.faults:
        print(line, file=sys.stderr)
    show_outcome(arguments.output, prepared, compared, arguments.json)
    return DONE if found is None and not compared.faults else FAILED


def _prepared(arguments: argparse.Namespace) -> "Prepared":
    from satsweeper.compare.instances.files import load_instances
    from satsweeper.compare.sweep.choices import usual_encodings
    from satsweeper.compare.sweep.run import prepare
    from satsweeper.processes.limits import Limits

    memory = None if arguments.memory is None else arguments.memory * 2**20
    with usage_errors():
        axes = _axes(arguments)
        try:
            instances = load_instances(arguments.instances, replaced(arguments.mines))
        except ValueError as error:
            raise InputError(str(error)) from None
        if arguments.encodings is None:
            # Only encodings that can express the bounds of all instances become contenders.
            found, left_out = usual_encodings(instances, axes)
            for name, why in left_out.items():
                print(f"satsweeper compare: {name} is left out: {why}", file=sys.stderr)
            # The manifest then names the encodings, so that --resume compares the same ones.
            arguments.encodings = ",".join(found)
            axes = replace(axes, encodings=found)
        return prepare(
            instances,
            axes,
            limits=Limits(seconds=arguments.timeout, memory=memory),
            budget=arguments.budget,
            shard=arguments.shard,
        )


def _axes(arguments: argparse.Namespace) -> "Axes":
    """Return the contenders; raise ValueError for an unknown name, with the known names."""
    from pbcnf.constraints.order import LiteralOrder
    from pbcnf.wording import unknown_name
    from satsweeper.compare.job.contestants import contestant
    from satsweeper.compare.sweep.choices import USUAL, check_solver, check_task
    from satsweeper.compare.sweep.plan import Axes

    for order in names(arguments.orders):
        if order not in list(LiteralOrder):
            raise ValueError(unknown_name("order", order, LiteralOrder))
    encodings = names(arguments.encodings or ",".join(USUAL))
    for encoding in (*encodings, *names(arguments.total_encodings)):
        contestant(encoding)
    for solver in names(arguments.solvers):
        check_solver(solver)
    return Axes(
        tasks=tuple(map(check_task, names(arguments.tasks))),
        encodings=tuple(encodings),
        total_encodings=tuple(names(arguments.total_encodings)),
        solvers=tuple(names(arguments.solvers)),
        orders=tuple(map(LiteralOrder, names(arguments.orders))),
        seeds=arguments.seeds,
    )


def _arguments(arguments: argparse.Namespace) -> list[str]:
    """Return the command line of the sweep, without its folder and its shard."""
    contenders = ("encodings", "total_encodings", "solvers", "orders", "seeds", "tasks")
    words = ["compare", *arguments.instances, *words_of(arguments, *contenders)]
    words += ["--timeout", f"{arguments.timeout:g}", *words_of(arguments, "mines", "memory")]
    words += words_of(arguments, "jobs") if arguments.jobs > 1 else []
    return words + (["--budget"] if arguments.budget else [])
