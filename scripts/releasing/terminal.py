"""A program on a pseudo-terminal, for programs that need a terminal."""

import os
import re
import select
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

_SECONDS = 120.0


def typed(
    command: Sequence[str], keys: str, fact: str, environment: Mapping[str, str], folder: Path
) -> tuple[int, str]:
    """Run a program on a terminal of 80x24, and type the keys once the fact is on it.

    Its exit code, and all that it wrote.

    Raises:
        subprocess.TimeoutExpired: it has not ended within two minutes.
    """
    import pty

    ours, theirs = pty.openpty()
    lines = {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**environment, **lines},
        cwd=folder,
        start_new_session=True,
    )
    os.close(theirs)
    said, waiting, deadline = "", True, monotonic() + _SECONDS
    try:
        # Reading fails when the other end is closed.
        with suppress(OSError):
            while process.poll() is None or select.select([ours], [], [], 0)[0]:
                if monotonic() > deadline:
                    raise subprocess.TimeoutExpired(command, _SECONDS)
                if select.select([ours], [], [], 0.1)[0]:
                    said += os.read(ours, 2**16).decode("utf-8", "replace")
                if waiting and re.search(fact, said):
                    os.write(ours, keys.encode())
                    waiting = False
        return process.wait(_SECONDS), said
    finally:
        process.kill()
        process.wait()
        os.close(ours)
