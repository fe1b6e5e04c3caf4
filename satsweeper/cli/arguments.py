"""The parsed arguments of a command: the board, the time left, values of options by name."""

import argparse
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, Final, Literal

from pbcnf.errors import printable
from satsweeper.cli.exit_codes import UsageError, usage_errors
from satsweeper.cli.lifetime import take_over
from satsweeper.cli.options import cell
from satsweeper.processes.deadline import Deadline

if TYPE_CHECKING:
    from satsweeper.position import Position, Total
    from satsweeper.puzzle.puzzle import Puzzle

_PRINTING: Final = 5e-7
"""Seconds that printing takes for each cell of the board."""


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


def source_name(board: str) -> str:
    """Return the name of the file ``board`` in messages: ``<stdin>`` for ``-``, else one line."""
    return "<stdin>" if board == "-" else printable(board)


def read_board_or_puzzle(
    arguments: argparse.Namespace, given: tuple[str | bytes, str] | None = None
) -> "Position | Puzzle":
    """Return the board in the file of the argument BOARD, with the total of ``--mines``.

    A board of other cells than squares, or with rules, is a `Puzzle`; ``--rules`` and
    ``--geometry``, where the command has them, replace those of the file. ``given``: the contents
    of the file, if they were read already, and its name.
    """
    from satsweeper.notation.board_file import board_data
    from satsweeper.puzzle.headers import may_hold_rules

    stated = _stated(arguments)
    data, source = given or board_data(arguments.board)
    mines = replaced(arguments.mines)
    if not stated and not may_hold_rules(data):
        # Nearly all boards are squares with plain clues, for which rules are not imported.
        from satsweeper.position import Position

        return Position.parse(data, source=source, mines=mines)
    from satsweeper.puzzle.puzzle import parse_board_or_puzzle

    return parse_board_or_puzzle(data, source, mines, stated)


def _stated(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the values of ``--rules`` and ``--geometry``. Raises UsageError for unknown names."""
    names = ("rules", "geometry")
    given = {name: getattr(arguments, name, None) for name in names}
    stated = {name: value for name, value in given.items() if value is not None}
    if stated:
        from satsweeper.puzzle.geometry.table import grid
        from satsweeper.puzzle.rules.kind import required

        with usage_errors():
            required(tuple(stated.get("rules", "").split()))
            grid(stated.get("geometry", "square"), 3, 3)
    return stated


def replaced(mines: int | Literal["unknown"] | None) -> "Total":
    """Return the total for `Position.read`: from --mines, or else from the board."""
    from satsweeper.position import KEEP

    return KEEP if mines is None else None if mines == "unknown" else mines


def cell_named(board: "Position | Puzzle", text: str, argument: str = "CELL") -> Any:
    """Return the cell that ``text``, the value of ``argument``, names.

    Raises UsageError for what is no ROW,COLUMN of squares, RuleError for no name of another cell.
    """
    from satsweeper.position import Position

    if isinstance(board, Position):
        try:
            return cell(text)
        except argparse.ArgumentTypeError as error:
            raise UsageError(f"argument {argument}: {error}") from None
    from satsweeper.puzzle.errors import RuleError

    names: dict[str, Hashable] = {}
    for each in board.geometry.cells:
        names[",".join(map(str, each)) if isinstance(each, tuple) else str(each)] = each
    found = names.get(text) or names.get(text.replace(" ", ""))
    if found is None:
        from pbcnf.wording import did_you_mean

        listed = [*names]
        hint = did_you_mean(text, listed) or f"; cells are called {listed[0]} to {listed[-1]}"
        raise RuleError(f"cell {text!r}: there is no such cell{hint}")
    return found
