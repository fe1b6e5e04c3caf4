"""The rows of the tables of options, one table a command; and the options that several share."""

import argparse
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from fractions import Fraction

    from satsweeper.board.size import BoardSize

_HOURS_MINUTES_SECONDS: Final = re.compile(
    "".join(rf"(?:([0-9]+(?:\.[0-9]+)?){unit})?" for unit in "hms"), re.ASCII
)


# Values of options.


def names(text: str) -> list[str]:
    """Parse names with commas between them; repeated names are dropped."""
    return list(dict.fromkeys(filter(None, text.split(","))))


def total(text: str) -> int | Literal["unknown"]:
    """Parse a total from the command line: a number of mines or ``unknown``."""
    if text == "unknown":
        return "unknown"
    if text.isascii() and text.isdigit() and len(text) < 20:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is neither a number of mines nor 'unknown'")


def natural(what: str = "number", least: int = 0) -> Callable[[str], int]:
    """Return a parser of natural numbers from ``least`` on; ``what`` names the number in errors."""
    above = f" above {least - 1}" if least else ""

    def parse(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 19 and int(text) >= least:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a {what}{above}")

    return parse


def duration(text: str) -> float:
    """Parse a time above 0 into seconds: a number, or hours, minutes and seconds.

    >>> [duration(text) for text in ("1.5", "90s", "5m", "1h30m")]
    [1.5, 90.0, 300.0, 5400.0]
    """
    try:
        seconds = float(text) if text.isascii() else 0.0
    except ValueError:
        parts = _HOURS_MINUTES_SECONDS.fullmatch(text)
        # Without a match the sum is empty: 0 seconds, which are refused below.
        found = (float(part or 0) for part in parts.groups()) if parts else ()
        seconds = sum(part * unit for part, unit in zip(found, (3600, 60, 1), strict=False))
    if not 0 < seconds < 1e9:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number of seconds above 0, nor a time as 90s, 5m, 1h30m"
        )
    return seconds


def cell(text: str) -> tuple[int, int]:
    """Parse ``ROW,COLUMN``, both counted from 0."""
    row, comma, column = text.partition(",")
    parts = (row.strip(), column.strip())
    if comma and all(re.fullmatch("-?[0-9]{1,9}", part) for part in parts):
        if "-" not in text:
            return int(parts[0]), int(parts[1])
        what = "is not on the board: rows and columns are counted from 0"
        raise argparse.ArgumentTypeError(f"{text!r} {what}")
    numbers = re.findall("[0-9]+", text)
    hint = f": write {','.join(numbers)}" if len(numbers) == 2 else ""
    if text.isdigit():
        hint = f": write a comma and no blank, as {text},{text}"
    raise argparse.ArgumentTypeError(f"{text!r} is not ROW,COLUMN (both counted from 0){hint}")


def board_size(text: str) -> "BoardSize":
    """Parse ``COLUMNSxROWS/MINES``, or the name of a board."""
    from satsweeper.play.presets import board_named

    try:
        return board_named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def level(text: str) -> int:
    """Parse the number of a board of ``play`` or ``game``."""
    if text in ("0", "1", "2", "3"):
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no level: 0 to 3; --size takes any other board")


def density(text: str) -> "Fraction":
    """Parse an exact number above 0 and below 1; raise ArgumentTypeError for others."""
    from fractions import Fraction

    try:
        found = Fraction(text) if len(text) < 50 and "e" not in text.lower() else Fraction(0)
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 and below 1")
    return found


# Options.


Option = tuple[tuple[str, ...], dict[str, Any]]
"""The arguments of ``add_argument`` for an argument or option: its names, and all else by name."""

_VALUES: Final = {
    "--jobs": natural(least=1), "--level": level, "--mines": total,
    "P": density, "R,C": cell, "ROW,COLUMN": cell, "TIME": duration,
}  # fmt: skip
"""Option, or else metavar -> the parser of its values, in every command."""


def option(names: str, help: str, **more: Any) -> Option:
    """Return a row of the table ``OPTIONS`` of a command.

    ``option("--seed N", "draws the layouts", type=natural(), default=1)``: the names of the option
    and its metavar in one string, its help, and more arguments of ``add_argument``. The type is
    left out for the options and metavars of `_VALUES`, which has their parsers. An option without
    metavar and choices takes no value: its attribute is True if the option is given.
    """
    *flags, last = names.split()
    if not last.startswith("-"):
        known = _VALUES.get(flags[-1]) or _VALUES.get(last)
        more = {"metavar": last, "type": known, **more}
        if known is duration:
            help = f"in seconds, or as 90s, 5m, 1h30m: {help}"
    else:
        flags.append(last)
        if "choices" not in more:
            more["action"] = "store_true"
    return tuple(flags), {"help": help, **more}


def add_options(
    parser: argparse._ActionsContainer, options: Iterable[Option | list[Option]]
) -> None:
    """Add ``options`` to ``parser``; of options in a list at most one may be given."""
    for each in options:
        if isinstance(each, list):
            add_options(parser.add_mutually_exclusive_group(), each)
        else:
            flags, more = each
            parser.add_argument(*flags, **more)


FLAGS: Final = option(
    "--flags",
    "flags are mines (default), or mean nothing",
    choices=("trust", "ignore"),
    default="trust",
)
BOARD: Final = (
    option("board BOARD", "a board file; - is standard input"),
    option("--mines N", "the total number of mines, flags included, or 'unknown'; overrides the"
           " file"),
    option("--rules LETTERS", 'rules, as "C W", in place of those of the file (satsweeper rules)'),
    option("--geometry NAME", "the geometry, in place of the file's (satsweeper rules)"),
    FLAGS,
)  # fmt: skip
"""The board and the options for reading it, as `read_board_or_puzzle` does."""
SOLVER: Final = option(
    "--solver NAME",
    "a PySAT solver; external:PROGRAM for one on PATH (cadical, minisat, cryptominisat5, picosat,"
    " clasp, kissat ...); or auto: minisat22, and cadical195 for what is hard (auto)",
    default="auto",
)
COLOR: Final = option(
    "--color",
    "colours: on a terminal, unless NO_COLOR is set (auto); always; never",
    choices=("auto", "always", "never"),
    default="auto",
)
JSON: Final = option("--json", "print one JSON object")
ORDER: Final = option(
    "--order",
    "order of literals before encoding (given)",
    choices=("given", "reversed", "occurrence", "proximity", "bandwidth"),
    default="given",
)
"""The members of ``pbcnf.LiteralOrder`` that need no seed."""
FIRST_CLICKS: Final = ("none", "safe", "opening", "windows")
"""Promises about the first click of a game."""
STRENGTHS: Final = ("single_clue", "subset", "complete")
"""Logics that may have to suffice on a board without guessing."""


def encodings(total: str = "totalizer") -> tuple[Option, Option]:
    """Return the encoders of clues and of the total; ``total``: the default of the latter."""
    chosen = "by size" if total == "auto" else total
    return (
        option("--encoding NAME", "encoder of the clues (direct)", default="direct"),
        option("--total-encoding NAME", f"of the total ({chosen})", default=total),
    )


def timeout(what: str = "give up then; nothing is written (exit code 124)") -> Option:
    """Return the time limit on the whole command: reading, working and printing.

    ``what`` tells in the help text what happens at the limit. An alarm keeps the limit, 0.3 s and
    5 % late (``satsweeper/cli/lifetime.py``), unless the command takes over (`take_over_time_left`)
    to print a partial answer.
    """
    # argparse reads ``%%`` as a percent sign.
    return option("--timeout TIME", f"{what}; it may come 0.3 s and 5 %% late", dest="time_limit")
