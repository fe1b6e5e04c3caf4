"""The cost of a program in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

_LAUNCHER: Final = """\
import json, os, subprocess, sys, time
out, *words = sys.argv[1:]
command = [sys.executable, *words]
with open(out, "wb") as stdout:
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=stdout)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - begin
child.returncode = os.waitstatus_to_exitcode(status)
print(json.dumps([child.returncode, usage.ru_utime + usage.ru_stime, seconds, usage.ru_maxrss]))
"""
"""A small process in between: a child's peak size counts from its parent's size on."""


class Used(NamedTuple):
    """The cost of a process: CPU seconds, seconds on the clock, and KiB at the peak."""

    cpu: float
    seconds: float
    kib: int


def run_python(
    words: Sequence[str | Path],
    out: str | Path = os.devnull,
    environment: Mapping[str, str] | None = None,
    quiet: bool = False,
) -> Used:
    """Run Python with the arguments ``words`` and its standard output in the file ``out``.

    Raises:
        RuntimeError: it ended with another exit code than 0.
    """
    command = [sys.executable, "-I", "-c", _LAUNCHER, out, *words]
    done = subprocess.run(
        list(map(str, command)),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if quiet else None,
        check=True,
    )
    code, cpu, seconds, size = json.loads(done.stdout)
    if code:
        raise RuntimeError(f"{' '.join(map(str, words))}: exit code {code}")
    return Used(cpu, seconds, size // 1024 if sys.platform == "darwin" else size)


SATSWEEPER: Final = ("-Pm", "satsweeper")
"""The first arguments of Python for a command of satsweeper."""
