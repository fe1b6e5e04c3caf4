"""Options that several commands share, and the board that these options describe."""

import argparse
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, Literal

from pbcnf.errors import printable
from satsweeper.cli.exit_codes import UsageError, usage_errors
from satsweeper.cli.lifetime import take_over
from satsweeper.processes.deadline import Deadline

if TYPE_CHECKING:
    from fractions import Fraction

    from satsweeper.board.size import BoardSize
    from satsweeper.position import Position, Total

DURATION: Final = "in seconds, or as 90s, 5m, 1h30m"
"""The forms of a time on the command line, for help texts."""
_LATE: Final = "it may come 0.3 s and 5 %% late"
"""The delay of a command's alarm (``satsweeper/cli/lifetime.py``), for help texts; argparse reads
``%%`` as a percent sign."""
_HOURS_MINUTES_SECONDS: Final = re.compile(
    "".join(rf"(?:([0-9]+(?:\.[0-9]+)?){unit})?" for unit in "hms"), re.ASCII
)
_PRINTING: Final = 5e-7
"""Seconds that printing takes for each cell of the board."""


def adder(container: argparse._ActionsContainer) -> Callable[..., None]:
    """Return a function that adds arguments to ``container``, a parser or a group of a parser.

    ``add("--seed N", "draws the layouts", type=natural(), default=1)`` adds an option: its names
    and its metavar in one string, its help, and more arguments of ``add_argument``. An option
    without metavar and choices takes no value: its attribute is True if the option is given.
    """

    def add(names: str, help: str, **more: Any) -> None:
        *flags, last = names.split()
        if not last.startswith("-"):
            more["metavar"] = last
        else:
            flags.append(last)
            if "choices" not in more:
                more["action"] = "store_true"
        container.add_argument(*flags, help=help, **more)

    return add


def add_board(parser: argparse.ArgumentParser) -> None:
    """Add the board and the options for reading it."""
    add = adder(parser)
    add("board BOARD", "a board file; - is standard input")
    add(
        "--mines N",
        "the total number of mines, flags included, or 'unknown'; overrides the file",
        type=total,
        default=None,
    )
    add(
        "--flags",
        "flags are mines (default), or mean nothing",
        choices=("trust", "ignore"),
        default="trust",
    )


def add_encodings(parser: argparse.ArgumentParser, total: str = "totalizer") -> None:
    """Add the encoders of clues and of the total; ``total`` is the default encoder of the total."""
    add = adder(parser)
    add("--encoding NAME", "encoder of the clues (direct)", default="direct")
    chosen = "by size" if total == "auto" else total
    add("--total-encoding NAME", f"of the total ({chosen})", default=total)


def add_solver(parser: argparse.ArgumentParser) -> None:
    """Add the solver."""
    adder(parser)(
        "--solver NAME",
        "a PySAT solver; external:PROGRAM for one on PATH (cadical, minisat, cryptominisat5, "
        "picosat, clasp, kissat ...); or auto: minisat22, and cadical195 for what is hard (auto)",
        default="auto",
    )


def add_timeout(parser: argparse.ArgumentParser, what: str = "") -> None:
    """Add the time limit on the whole command: reading, working and printing.

    ``what`` tells in the help text what happens at the limit. An alarm keeps the limit, 0.3 s and
    5 % late, unless the command takes over (``take_over_time_left``) to print a partial answer.
    """
    adder(parser)(
        "--timeout TIME",
        f"{DURATION}: {what or 'give up then; nothing is written (exit code 124)'}; {_LATE}",
        dest="time_limit",
        type=duration,
    )


def add_color(parser: argparse.ArgumentParser) -> None:
    """Add the option for colours."""
    adder(parser)(
        "--color",
        "colours: on a terminal, unless NO_COLOR is set (auto); always; never",
        choices=("auto", "always", "never"),
        default="auto",
    )


def take_over_time_left(arguments: argparse.Namespace, cells: int = 0) -> float | None:
    """End the alarm and return the seconds left, a limit that the command itself keeps from now on.

    Returns None without a limit.

    Args:
        arguments: the arguments of the command, with ``time_limit`` and ``started``.
        cells: number of cells that will be printed; the time of printing is subtracted.
    """
    take_over()
    limit: float | None = arguments.time_limit
    if limit is None:
        return None
    return Deadline.after(limit - _PRINTING * cells, arguments.started).left()


def refuse_options(arguments: argparse.Namespace, names: Iterable[str], what: str) -> None:
    """Raise UsageError if an option of ``names`` is given; such options are for ``what`` alone."""
    for name in names:
        if getattr(arguments, name) not in (None, False):
            raise UsageError(f"--{name.replace('_', '-')} is for {what}")


def names(text: str) -> list[str]:
    """Parse names with commas between them; repeated names are dropped."""
    return list(dict.fromkeys(filter(None, text.split(","))))


def values_of(arguments: argparse.Namespace, *options: str) -> dict[str, Any]:
    """Return the values of ``options`` by name, as keyword arguments of functions."""
    return {name: getattr(arguments, name) for name in options}


def words_of(arguments: argparse.Namespace, *options: str) -> list[str]:
    """Return the words of ``options`` on the command line; options that are not given have none."""
    words: list[str] = []
    for name, value in values_of(arguments, *options).items():
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


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
    """Parse ``COLUMNSxROWS/MINES``."""
    from satsweeper.board.size import BoardSize

    try:
        return BoardSize.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def level(text: str) -> int:
    """Parse the number of a level of ``satsweeper.play.game``."""
    if text in ("0", "1", "2", "3"):
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no level: 0 to 3; --size takes any other board")


def source_name(board: str) -> str:
    """Return the name of the file ``board`` in messages: ``<stdin>`` for ``-``, else one line."""
    return "<stdin>" if board == "-" else printable(board)


def read_board(arguments: argparse.Namespace) -> "Position":
    """Return the position in the file of the argument BOARD, with the total of ``--mines``."""
    from satsweeper.position import Position

    return Position.read(arguments.board, mines=replaced(arguments.mines))


def replaced(mines: int | Literal["unknown"] | None) -> "Total":
    """Return the total for `Position.read`: from --mines, or else from the board."""
    from satsweeper.position import KEEP

    return KEEP if mines is None else None if mines == "unknown" else mines


def check_names(arguments: argparse.Namespace) -> None:
    """Refuse unknown encodings and solvers before any work is done."""
    from satsweeper.solvers.table import line_up

    with usage_errors():
        line_up(arguments.solver)
        if (arguments.encoding, arguments.total_encoding) != ("direct", "totalizer"):
            from satsweeper.search.frontier import check_encodings

            check_encodings(arguments.encoding, arguments.total_encoding)


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
