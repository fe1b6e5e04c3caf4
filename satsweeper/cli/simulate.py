"""Play games by strategies, all on equal layouts, and count wins, with intervals.

Every strategy plays every game of every board under every promise of the first click. Game N of a
seed has the same layout for all of them, so the difference of two strategies is known far better
than their rates: every two are compared in pairs.

Boards are squares without rules. One is COLUMNSxROWS/MINES, or beginner (9x9/10), intermediate
(16x16/40), expert (30x16/99), insane (78x21/450). The first click promises nothing (none), that its
cell is safe (safe), or its neighbours, too (opening); windows is safe in the way of that game,
which moves a mine away: its layouts are not equally likely. The first click is the corner 0,0, and
with opening 2,2, on expert 3,3, as in published figures; elsewhere with --start. STRATEGY is a name
of the table or MODULE:NAME for your own, its module in this folder or wherever Python looks: a
function from a view of the position to a cell that depends on nothing else.

The figures depend on boards, strategies, promises, games and seed alone, not on --jobs, --backend
or interruptions; seconds (CPU, without compiling) differ. --width W ends the games of a board when
no interval is wider, looked at every 100 games: a fixed-width rule, under which intervals of 95 %
hold what they are for as often as they say only in the limit.

With -o DIR every game is kept: DIR gets manifest.json (versions, machine, arguments, a digest of
the code of each strategy), and results.jsonl with a line for 20 games of a board. After an end of
any kind, the same command with --resume goes on, with more --games as well, and takes over shards
that were played into folders inside DIR; games by another version of a strategy are refused.

--json prints {"schema": "satsweeper/simulate/1", "seed", "games", "width", "narrow", "shard",
"complete", "runs": [{"board", "first_click", "start": [R, C], "strategy", "games", "won", "rate",
"interval": [LOW, HIGH], "guesses", "won_without_guess", "won_without_guess_interval", "seconds",
"unsafe", "narrow_enough"}], "pairs": [{"board", "first_click", "start", "strategy", "against",
"games", "both", "only_strategy", "only_against", "neither", "difference", "interval", "p"}]}. Rates
are from 0 to 1, guesses and seconds those of a game on average; "unsafe" counts cells that were
called safe and were not: it stays 0, or the exit code is 1.
"""

import argparse
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from satsweeper.cli.arguments import take_over_time_left, words_of
from satsweeper.cli.exit_codes import DONE, FAILED, LIMIT_REACHED, UsageError, usage_errors
from satsweeper.cli.files import (
    STDOUT,
    check_outputs,
    output,
    print_json,
    require_folder_for,
    require_writable,
)
from satsweeper.cli.lifetime import TimeIsUp, compiling_reported, raise_after, say_compiling
from satsweeper.cli.options import COLOR, JSON, names, natural, option, timeout
from satsweeper.cli.sweeping import SWEEP, backend_named, input_errors_in, print_script
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.limits import Limits

if TYPE_CHECKING:
    from satsweeper.play.simulation.plan import Plan
    from satsweeper.play.simulation.run import Simulation

EXAMPLE = """examples:
  satsweeper simulate --boards 5x5/4 --strategy random,safest --games 100
  satsweeper simulate --boards 5x5/3 --first-click safe,opening --games 40 -o played --csv rates.csv
  satsweeper simulate --boards 5x5/3 --first-click safe,opening --games 60 -o played --resume
  satsweeper simulate --boards expert --strategy safest --games 100000 -o shards --sbatch 8
"""


def _width(text: str) -> float:
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = 0.0
    if text.isascii() and 0 < share < 1:
        return share
    raise argparse.ArgumentTypeError(f"{text!r} is no width, as 0.01 or 1% for one point")


OPTIONS: Final = (
    option("--boards BOARDS", "with commas (expert)", default="expert"),
    option("--strategy NAMES", "with commas (safest)", default="safest"),
    option("--first-click NAMES", "none, safe, opening, windows; with commas (safe)",
           default="safe"),
    option("--start R,C", "the first click (0,0; opening: see above)"),
    option("--games N", "of each board (1000)", type=natural(least=1), default=1000),
    option("--seed S", "draws the layouts (1)", type=natural(), default=1),
    option("--width W", "end when no interval is wider, as 0.01 or 1%% for one point", type=_width),
    option("--narrow", "which intervals --width is about (all)",
           choices=("all", "rates", "differences"), default="all"),
    *SWEEP,
    option("--csv FILE", "a row for each strategy and board"),
    option("--html FILE", "one page with tables and plots"),
    timeout("end then, with the games played so far (exit code 124)"),
    COLOR,
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Check everything, then play, and sum up."""
    deadline = Deadline.after(take_over_time_left(arguments))
    plan = _plan(arguments)
    named = {name: getattr(arguments, name) for name in ("csv", "html")}
    check_outputs({**named, "json": STDOUT if arguments.json else None}, arguments.output)
    require_writable(*named.values())
    if arguments.sbatch is not None:
        if plan.width is not None:
            raise UsageError("--width takes games in their order: none for shards")
        print_script(arguments, _words(arguments), plan.jobs(arguments.shard), Limits())
        return DONE
    if arguments.shard is not None and arguments.output is None:
        raise UsageError("-o DIR is needed: the folder that the shard's results go to")
    if arguments.html:
        from satsweeper.report.figures import check_plotting

        check_plotting()
    if arguments.output is not None:
        require_folder_for(arguments.output)
    elif arguments.resume:
        raise UsageError("--resume needs -o DIR, the folder to go on with")
    # Without --output the results are kept in a temporary folder.
    kept = TemporaryDirectory() if arguments.output is None else nullcontext(arguments.output)
    with kept as folder:
        found, late = _played(arguments, plan, Path(folder), deadline)
    _write(arguments, found)
    if found.unsafe:
        return FAILED
    return LIMIT_REACHED if late and not found.complete else DONE


def _plan(arguments: argparse.Namespace) -> "Plan":
    """Return the plan of the simulation.

    Raises UsageError for an unknown name, and for a board whose mines and first click do not fit.
    """
    from satsweeper.play.presets import board_named
    from satsweeper.play.simulation.plan import Plan, first_click_named
    from satsweeper.play.simulation.run import jobs_of, settings_of
    from satsweeper.play.strategies.table import find_strategy

    strategies = names(arguments.strategy)
    with usage_errors():
        for name in strategies:
            find_strategy(name)
        plan = Plan(
            settings_of(
                [board_named(name) for name in names(arguments.boards)],
                [first_click_named(name) for name in names(arguments.first_click)],
                arguments.start,
            ),
            tuple(strategies),
            arguments.games,
            arguments.seed,
            arguments.width,
            arguments.narrow,
        )
        if arguments.shard is not None:
            jobs_of(plan, arguments.shard)
    return plan


def _played(
    arguments: argparse.Namespace, plan: "Plan", folder: Path, deadline: Deadline
) -> tuple["Simulation", bool]:
    """Return the games that were played, and whether the time limit ended the simulation."""
    from satsweeper.compare.sweep.backends import Backend, load
    from satsweeper.compare.sweep.journal import MANIFEST
    from satsweeper.play.simulation.player import StrategyFaultError
    from satsweeper.play.simulation.run import read_simulation, run_plan, unplayed
    from satsweeper.show.progress import progress

    backend = backend_named(arguments)
    load()
    batches = plan.jobs(arguments.shard)
    try:
        with (
            raise_after(deadline.left()),
            input_errors_in(folder),
            compiling_reported(arguments, "simulate") as name,
            progress(name, batches) as show,
        ):

            def reach(done: float) -> None:
                show(done)
                if deadline.passed() and done < batches:
                    raise TimeIsUp

            found = run_plan(
                plan,
                folder,
                backend,
                shard=arguments.shard,
                resume=arguments.resume,
                arguments=_arguments(arguments),
                reach=reach,
                tell=None if backend == Backend() else partial(say_compiling, "simulate"),
            )
    except (TimeIsUp, ImportError, StrategyFaultError) as error:
        # If the alarm comes during an import of a strategy, another error may be raised.
        if not isinstance(error, TimeIsUp) and not deadline.passed():
            raise
        if (folder / MANIFEST).exists():
            return read_simulation(folder), True
        # The time was over before the first result was written.
        return unplayed(plan, arguments.shard, _arguments(arguments)), True
    return found, False


def _write(arguments: argparse.Namespace, found: "Simulation") -> None:
    if arguments.csv:
        from satsweeper.play.simulation.report import write_csv

        with output(arguments.csv) as stream:
            write_csv(found, stream)
    if arguments.html:
        from satsweeper.play.simulation.report import page

        # The page names the command that makes it again from the folder, if there is a folder.
        resumed = [] if arguments.output is None else [*_arguments(arguments), "--resume"]
        part = [] if found.shard is None else ["--shard", "{}/{}".format(*found.shard)]
        command = ["satsweeper", *resumed, *part, "--html", arguments.html] if resumed else []
        text = page(found, command)
        with output(arguments.html) as stream:
            stream.write(text.encode("utf-8", "replace"))
    if arguments.json:
        from satsweeper.play.simulation.report import as_json

        print_json(as_json(found))
    elif STDOUT not in (arguments.csv, arguments.html):
        from satsweeper.show.table import show_simulation
        from satsweeper.show.terminal import console_for

        show_simulation(found, console_for(arguments.color))


def _arguments(arguments: argparse.Namespace) -> list[str]:
    """Return the command line that gives equal figures, without the shard."""
    where = [] if arguments.output is None else ["-o", arguments.output]
    return [*_words(arguments), *where]


def _words(arguments: argparse.Namespace) -> list[str]:
    plan = ("boards", "strategy", "first_click", "games", "seed")
    words = ["simulate", *words_of(arguments, *plan)]
    if arguments.start is not None:
        words += ["--start", "{},{}".format(*arguments.start)]
    if arguments.width is not None:
        words += ["--width", f"{arguments.width:g}", "--narrow", arguments.narrow]
    return words + (words_of(arguments, "jobs") if arguments.jobs > 1 else [])
