"""Arguments, counting and table of the scripts that change certificates at random."""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from rich.console import Console
from rich.table import Table

from satsweeper.checker.errors import WrongCertificateError
from satsweeper.show.progress import progress
from scripts.frame.arguments import parser_of, positive

OUTCOMES: Final = ("rejected", "harmless", "FALSE", "FAILED")

Outcome = tuple[str, str, str]
"""The change, the outcome, and why."""

_Originals = TypeVar("_Originals")
_Found = TypeVar("_Found")


def judged(
    check: Callable[[], _Found], false_claim: Callable[[_Found], str | None]
) -> tuple[str, str]:
    """Return the outcome of ``check``, and why; ``false_claim`` judges what is accepted."""
    try:
        found = check()
    except WrongCertificateError as error:
        return "rejected", str(error)
    except Exception as error:
        return "FAILED", f"{type(error).__name__}: {error}"
    claim = false_claim(found)
    return ("harmless", "") if claim is None else ("FALSE", claim)


def run(
    description: str | None,
    make: Callable[[random.Random, int, Path], _Originals],
    mutate: Callable[[_Originals, Path, random.Random], Outcome],
    argv: Sequence[str] | None,
    of: str = "boards",
) -> int:
    """Change certificates as often as the arguments say, and print the outcomes.

    Args:
        description: the help.
        make: certificates of so many random things, in a folder.
        mutate: change one, check it, judge what is accepted.
        argv: the arguments; None for those of the process.
        of: what is certified, in the plural.

    Returns:
        0 no false claim was accepted; 1 one was, or the checker failed; 130 interrupted.
    """
    arguments = _parser(description, of).parse_args(argv)
    rng = random.Random(arguments.seed)
    found: Counter[tuple[str, str]] = Counter()
    complaints: list[str] = []
    try:
        with TemporaryDirectory() as name, progress("mutations", arguments.count) as reach:
            originals = make(rng, getattr(arguments, of), Path(name))
            for done in range(arguments.count):
                kind, outcome, why = mutate(originals, Path(name), rng)
                found[kind, outcome] += 1
                if outcome in ("FALSE", "FAILED"):
                    complaints.append(f"mutation {done} of {kind}: {outcome}: {why}")
                reach(done + 1)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 130
    console = Console()
    console.print(_table(found))
    for complaint in complaints:
        console.print(complaint, markup=False, soft_wrap=True)
    return 1 if complaints else 0


def _table(found: Counter[tuple[str, str]]) -> Table:
    table = Table(title=f"{found.total()} mutations", show_footer=True)
    table.add_column("what was changed", footer="all")
    for outcome in OUTCOMES:
        total = sum(n for (_, each), n in found.items() if each == outcome)
        table.add_column(outcome, justify="right", footer=str(total))
    for name in sorted({name for name, _ in found}):
        table.add_row(name, *(str(found[name, outcome]) for outcome in OUTCOMES))
    return table


def _parser(description: str | None, of: str) -> argparse.ArgumentParser:
    parser = parser_of(description)
    add = parser.add_argument
    add("--count", type=positive, default=1000, metavar="N", help="mutations (%(default)s)")
    add(f"--{of}", type=positive, default=40, metavar="N", help=f"random {of} (%(default)s)")
    add("--seed", type=int, default=0, help=f"of {of} and mutations (%(default)s)")
    return parser
