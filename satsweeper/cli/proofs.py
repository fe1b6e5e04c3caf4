"""The file of ``--proof``: the proof of a game."""

import os

from satsweeper.cli.exit_codes import UsageError
from satsweeper.cli.files import STDOUT, require_writable


def check_proof(name: str | None, *others: str | None) -> None:
    """Refuse a proof that cannot be written, or would be in the place of another file."""
    if name is None:
        return
    if name == STDOUT:
        raise UsageError("--proof writes to a file, not to standard output")
    for other in others:
        if other not in (None, STDOUT) and os.path.realpath(name) == os.path.realpath(other):
            raise UsageError(f"--proof and another file are both {name}")
    require_writable(name)
