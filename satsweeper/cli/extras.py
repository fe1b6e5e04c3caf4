"""Extras of the environment that ``scripts/run`` made: installed when a command first needs one.

``scripts/run`` sets the variable `SETUP` to the file that installs packages into its environment.
Without the variable nothing is installed, and the command itself prints which package is missing
and how to install the package.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from typing import Final

from satsweeper.processes.standard_output import stdout_is_terminal

SETUP: Final = "SATSWEEPER_SETUP"
"""The variable that holds the path of ``scripts/environment.sh``."""
_COUNTS_MUCH: Final = {"advise", "generate", "simulate"}
"""Commands that need machine code to count fast."""
_PLAY: Final = {"game", "play", "render"}
"""Commands that need it for all strategies but one."""
_INSTALL: Final = '. "$0"; prepare "$1" said'
"""Program of bash that installs the extra ``$1`` by the functions of the file ``$0``."""


def wanted(arguments: argparse.Namespace) -> list[str]:
    """Return the extras that a command needs, as far as its arguments tell."""
    return list(dict.fromkeys(_wanted(arguments)))


def _wanted(arguments: argparse.Namespace) -> Iterator[str]:
    given = vars(arguments)
    if given.get("html") is not None:
        yield "plot"
    if given.get("backend") == "dask":
        yield "cluster"
    command = given.get("command")
    strategic = command in _PLAY and given.get("strategy") not in (None, "safest")
    if command in _COUNTS_MUCH or strategic:
        yield "fast"
    if "smt2" in (given.get("format"), given.get("to")) or ".smt2" in str(given.get("problem", "")):
        yield "smt"
    if given.get("command") == "render":
        picture = f".{given['format']}" if given["format"] else given["output"]
        if picture.endswith((".png", ".gif", ".webp")):
            yield "render"
    # `play` without a terminal is refused, so its extra is not installed then.
    if given.get("print_keys") is False and stdout_is_terminal():
        yield "tui"
    # Listing the engines, without --compare, imports no engine and needs no extra.
    if given.get("engine", "sat") not in ("sat", "portfolio") and given.get("compare", True):
        from satsweeper.engines.table import ENGINES

        names = [name for name in given["engine"].split(",") if name] or list(ENGINES)
        yield from (e.extra for name in names if (e := ENGINES.get(name)) and e.extra)


def provide(arguments: argparse.Namespace) -> bool:
    """Install missing extras if `SETUP` is set; return whether any extra was missing."""
    setup = os.environ.get(SETUP)
    extras = wanted(arguments) if setup is not None else []
    if setup is None or not extras:
        return False
    from satsweeper.engines.table import missing

    lacking = {extra: packages for extra in extras if (packages := missing(extra))}
    for extra, packages in lacking.items():
        sys.stderr.write(
            f"satsweeper {arguments.command}: this needs {' and '.join(packages)}: installing the"
            f" extra {extra}, this once\n"
        )
        sys.stderr.flush()
        # A failed installation prints its own error, and then the command names the missing
        # package.
        subprocess.run(
            ["bash", "-c", _INSTALL, setup, extra], stdin=subprocess.DEVNULL, check=False
        )
    invalidate_caches()
    return bool(lacking)
