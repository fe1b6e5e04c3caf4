"""A Slurm job array for a sweep in shards: a script that ``sbatch`` takes, only printed here."""

import shlex
from collections.abc import Sequence
from math import ceil

from satsweeper.processes.limits import Limits


def sbatch_script(
    arguments: Sequence[str], folder: str, shards: int, jobs: int, processes: int, limits: Limits
) -> str:
    """The script: one task of the array a shard, each with a folder of its own in ``folder``.

    Args:
        arguments: of ``satsweeper``, but for the folder and the shard.
        folder: of the whole sweep.
        shards: tasks of the array.
        jobs: of the largest shard; with the limit of time this gives the longest it can take.
        processes: cores of each task.
        limits: of each job.
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
