"""Options of all commands that run sweeps: folder, processes, a cluster, scripts for job arrays."""

import argparse
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from satsweeper.cli.exit_codes import UsageError, input_errors
from satsweeper.cli.options import natural, option
from satsweeper.processes.limits import Limits
from satsweeper.processes.standard_output import print_answer

if TYPE_CHECKING:
    from satsweeper.compare.sweep.backends import Backend


def _shard(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    if all(part.isascii() and part.isdigit() and len(part) < 8 for part in (number, of)):
        return int(number), int(of)
    raise argparse.ArgumentTypeError(f"{text!r} is not I/N, as 1/8")


SWEEP: Final = (
    option("-o --output DIR", "a new folder, or one to go on with"),
    option("--resume", "go on with DIR, if it holds anything"),
    option("--jobs N", "processes (1)", default=1),
    option("--backend", "(processes)", choices=("processes", "dask"), default="processes"),
    option("--scheduler ADDRESS", "of Dask, as tcp://HOST:8786"),
    option("--shard I/N", "only this part of the jobs, from 1/N to N/N", type=_shard),
    option("--sbatch N", "print a script for sbatch, N shards in a job array, and run nothing",
           nargs="?", type=natural(least=1), const=0),
)  # fmt: skip
"""The folder of the results, and where the jobs run."""


def backend_named(arguments: argparse.Namespace) -> "Backend":
    """Return where the jobs run; raise UsageError for Dask without an address."""
    from satsweeper.compare.sweep.backends import Backend

    if arguments.backend == "dask" and arguments.scheduler is None:
        raise UsageError("--backend dask needs --scheduler ADDRESS")
    return Backend(arguments.backend, arguments.jobs, arguments.scheduler)


@contextmanager
def input_errors_in(folder: str | Path) -> Iterator[None]:
    """Turn an OSError about a file in the ``folder`` of the results into InputError."""
    try:
        yield
    except OSError as error:
        with input_errors(str(error.filename or folder)):
            raise


def print_script(
    arguments: argparse.Namespace, words: Sequence[str], jobs: int, limits: "Limits"
) -> None:
    """Print the script that ``--sbatch`` asks for.

    Args:
        arguments: the parsed arguments.
        words: the command line of the sweep, without its folder and shard.
        jobs: number of jobs of the sweep, or of the shard that ``arguments`` name.
        limits: limits of each job.
    """
    shards = arguments.sbatch or (arguments.shard[1] if arguments.shard else 0)
    if not shards:
        raise UsageError("--sbatch N, or --shard I/N with it: how many shards?")
    if arguments.output is None:
        raise UsageError("-o DIR is needed: the folder that the shards' folders go to")
    of = arguments.shard[1] if arguments.shard else 1
    most = -(-jobs * of // shards)
    script = sbatch_script(words, arguments.output, shards, most, arguments.jobs, limits)
    print_answer(script, end="")


def sbatch_script(
    arguments: Sequence[str], folder: str, shards: int, jobs: int, processes: int, limits: Limits
) -> str:
    """Return a script for ``sbatch``: a Slurm job array that runs a sweep in shards.

    Each task of the array runs one shard, with a folder of its own in ``folder``.

    Args:
        arguments: the words after ``satsweeper``, without the folder and the shard.
        folder: the folder of the whole sweep.
        shards: number of shards, which is the number of tasks of the array.
        jobs: number of jobs of the largest shard, for the time limit of a task.
        processes: number of cores of each task.
        limits: limits of each job.
    """
    command = shlex.join(["satsweeper", *arguments])
    inside = shlex.quote(f"{folder}/shard-") + '"$SLURM_ARRAY_TASK_ID"'
    lines = [
        "#!/bin/sh",
        "#SBATCH --job-name=satsweeper",
        f"#SBATCH --array=1-{shards}",
        f"#SBATCH --cpus-per-task={processes}",
    ]
    if limits.seconds is not None:
        minutes = ceil(jobs * limits.seconds / processes / 60) + 5
        lines.append(f"#SBATCH --time={minutes}  # minutes: if every job takes all of its time")
    if limits.memory is not None:
        mebibytes = ceil(limits.memory / 2**20) + 256
        lines.append(f"#SBATCH --mem-per-cpu={mebibytes}M")
    lines += [
        "# A task that is started again goes on where it was. When all have ended, this collects:",
        f"# {command} -o {shlex.quote(folder)} --resume",
        f'exec {command} --shard "$SLURM_ARRAY_TASK_ID"/{shards} -o {inside} --resume',
    ]
    return "\n".join(lines) + "\n"
