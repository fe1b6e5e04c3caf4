"""The script for a job array asks for what its shards can take, and no more."""

import os
import subprocess

import pytest

from satsweeper.cli.sweeping import sbatch_script
from satsweeper.processes.limits import Limits

COMMAND = ["compare", "my boards/", "--encodings", "direct,totalizer"]


def directives(script: str) -> set[str]:
    return {
        line.removeprefix("#SBATCH ").partition(" ")[0]
        for line in script.splitlines()
        if line.startswith("#SBATCH ")
    }


def test_time_and_memory_follow_from_the_limits() -> None:
    limits = Limits(seconds=60.0, memory=2**30)
    script = sbatch_script(COMMAND, "out", 8, jobs=120, processes=4, limits=limits)
    assert directives(script) == {
        "--job-name=satsweeper",
        "--array=1-8",
        "--cpus-per-task=4",
        "--time=35",
        "--mem-per-cpu=1280M",
    }


def test_without_limits_nothing_is_promised() -> None:
    found = directives(sbatch_script(COMMAND, "out", 2, jobs=9, processes=1, limits=Limits()))
    assert not [line for line in found if line.startswith(("--time", "--mem"))]


@pytest.mark.parametrize("folder", ["out", "with space", "it's"])
def test_names_survive_the_shell(folder: str) -> None:
    script = sbatch_script(COMMAND, folder, 2, jobs=9, processes=1, limits=Limits())
    last = script.splitlines()[-1].replace("exec satsweeper", "printf '%s\\n'")
    environ = os.environ | {"SLURM_ARRAY_TASK_ID": "2"}
    words = subprocess.check_output(["/bin/sh", "-c", last], env=environ, text=True).splitlines()
    assert words == [*COMMAND, "--shard", "2/2", "-o", f"{folder}/shard-2", "--resume"]
