"""Write a board in another format: named by --to, or else by the ending of the file to write.
The format that it is in is found by its own header or content; every command that takes a board
reads all of these:

  text        a row a line, first line 'rows columns mines'
  json        schema satsweeper/board/1: everything below in one object
  mine        .mine of JSMinesweeper: cells, flags, total, known mines
  mbf         .mbf, binary: a layout, nothing opened; at most 255 x 255
  board       .board v0.1 of ms_toollib: view, layout, notes
  tatham      a game ID of Simon Tatham's Mines: a layout and the first click
  danamlund   game.txt of danamlund's minesweeper: cells, and the layout encrypted
  minesweepr  the ASCII of minesweepr: cells, no total
  hexcells    Hexcells level v1: hexagons with the numbers of lines, and the solution

A board with rules, or of other cells than squares, is written as text with lines rules:, geometry:
and mines:, as json with schema satsweeper/board/2, or as hexcells; a level's solution is carried
along, or else is the only layout of the board. A file of game new --rules is read, too.

A file that tells the layout is read as what the player sees: an .mbf file as a board with all cells
covered, a game ID as the cells that its first click opens. The layout is carried along for formats
that hold one. What the new format cannot hold is an error, and nothing is written: --drop leaves it
out. Comments, the cell of the first click and the key of an encrypted layout are no part of a board
and kept only where the new format has a place for them; of flags on cells that are known not to be
mines and of question marks, a position keeps that the cells are covered.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from satsweeper.cli.arguments import refuse_options, replaced, source_name
from satsweeper.cli.exit_codes import DONE, InputError, UsageError
from satsweeper.cli.files import STDOUT, check_written, output
from satsweeper.cli.options import option, timeout
from satsweeper.processes.standard_output import stdout_is_terminal

if TYPE_CHECKING:
    from satsweeper.notation.record import Record

EXAMPLE: Final = """\
examples:
  satsweeper convert examples/expert.txt -o expert.mine
  satsweeper convert examples/minesweepr.txt --to json
  satsweeper convert examples/expert.txt --to minesweepr --drop total
  satsweeper convert examples/flower.hexcells --to json
"""

FORMATS: Final = ("text", "json", "mine", "mbf", "board", "tatham", "danamlund", "minesweepr")
LEVEL: Final = "hexcells"
"""The format that holds no board of squares."""
PARTS: Final = ("flags", "layout", "marks", "notes", "total", "view")
_NONE: Final[frozenset[int]] = frozenset()
_EMPTY: Final[dict[str, dict[str, Any]]] = {
    "flags": {"flags": _NONE},
    "total": {"mines": None},
    "view": {"clues": {}, "flags": _NONE, "opened": _NONE, "shown": _NONE},
}
"""Part of a board with rules -> the arguments of `Puzzle` that leave it out."""


def _seed(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 12 and int(text) < 2**31:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to {2**31 - 1}")


OPTIONS: Final = (
    option("board BOARD", "a board file; - is standard input"),
    option("--to FORMAT", "the format to write (as FILE is named)", choices=(*FORMATS, LEVEL)),
    option("--from FORMAT", "the format of BOARD (found by its content)",
           choices=(*FORMATS, LEVEL), dest="source"),
    option("-o --output FILE", "- is standard output (default)", default=STDOUT),
    option("--mines N",
           "the total number of mines, flags included, or 'unknown'; overrides the file"),
    option("--solution", "show the layout: every mine flagged, every other cell open"),
    option("--drop PART", "leave out: view (opened cells and flags), flags, layout (where the mines"
           " are), total, notes (author, ...) or marks (question marks, ...); may be repeated",
           choices=PARTS, action="append", default=[]),
    option("--unmasked", "tatham: the layout is not to be hidden"),
    option("--seed N", "danamlund: encrypts the layout (BOARD's own, or 1)", type=_seed),
    timeout(),
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Read, apply the changes, write."""
    from satsweeper.notation.board_file import board_data
    from satsweeper.notation.error import BoardError, CannotHoldError
    from satsweeper.notation.formats import FORMATS as TABLE
    from satsweeper.notation.formats import formats_holding, read_record

    arguments.to = board_format(arguments.output, arguments.to, (*FORMATS, LEVEL))
    check_written(arguments.board, {"-o": arguments.output})
    stdout = arguments.output == STDOUT
    binary = arguments.to in TABLE and TABLE[arguments.to].binary
    if binary and stdout and stdout_is_terminal():
        raise UsageError(f"{arguments.to} is binary and not for a terminal: -o FILE")
    try:
        data, source = board_data(arguments.board)
        written = _puzzle(arguments, data, source)
        if written is None:
            if arguments.source == LEVEL or arguments.to == LEVEL:
                raise InputError(f"{source_name(arguments.board)}: {LEVEL} holds no squares")
            record = read_record(data, source, arguments.source)
            if arguments.mines is not None:
                total = None if arguments.mines == "unknown" else arguments.mines
                record = record.with_total(total)
            written = _record(arguments, record)
    except BoardError:
        raise
    except CannotHoldError as error:
        drops = " ".join(f"--drop {part}" for part in error.drops)
        hint = f": {drops} writes the rest" if drops else ""
        if able := formats_holding(*error.drops) if drops else []:
            hint += f"; {', '.join(able)} {'holds' if len(able) == 1 else 'hold'} all"
        raise InputError(f"{source_name(arguments.board)}: {error}{hint}") from None
    except ValueError as error:
        raise InputError(f"{source_name(arguments.board)}: {error}") from None
    with output(arguments.output) as stream:
        stream.write(written)
    return DONE


def _record(arguments: argparse.Namespace, record: "Record") -> bytes:
    """Return a record in the format to write, with the changes of the options."""
    from satsweeper.notation.formats import write_record

    if arguments.solution:
        record = record.solved()
    for part in arguments.drop:
        record = record.without(part)
    if arguments.seed is not None:
        record = replace(record, seed=arguments.seed)
    return write_record(replace(record, masked=not arguments.unmasked), arguments.to)


def _puzzle(arguments: argparse.Namespace, data: str | bytes, source: str) -> bytes | None:
    """Return a board with rules or of other cells in the format to write; None for others."""
    from satsweeper.puzzle.headers import may_hold_rules

    if arguments.source != LEVEL and not may_hold_rules(data):
        return None
    from satsweeper.notation.record import Record
    from satsweeper.position import Position
    from satsweeper.puzzle.formats import (
        PUZZLE_FORMATS,
        read_puzzle_file,
        write_puzzle,
        wrong_format,
    )
    from satsweeper.puzzle.game_record import GameRecord
    from satsweeper.puzzle.hexcells import Level
    from satsweeper.puzzle.puzzle import Puzzle
    from satsweeper.puzzle.reading import is_plain, to_position

    mines = replaced(arguments.mines)
    found = read_puzzle_file(data, source, arguments.source, mines)
    truth: Position | None = None
    if isinstance(found, GameRecord):
        seen, solved = (found.fields(mines, solved=how) for how in (arguments.solution, True))
        if is_plain(seen):
            found, truth = to_position(seen, source), to_position(solved, source)
        elif (
            arguments.to not in ("text", "json") or arguments.solution or "layout" in arguments.drop
        ):
            found = Puzzle(**seen)
        else:
            # No other format of such boards has a place for what the game knows.
            what = f"{arguments.to} cannot hold the layout (which covered cells are mines)"
            raise InputError(f"{source}: {what}: --drop layout writes the rest")
    else:
        refuse_options(arguments, ("solution",), "games, and squares with plain clues")
    if found is None or isinstance(found, Position):
        if found is None or arguments.to == LEVEL:
            return None
        record = Record(found.padded, found.columns, found.mines)
        if truth is not None:
            record = replace(
                record, solution=Record(truth.padded, truth.columns, truth.mines).truth
            )
        return _record(arguments, record)
    refuse_options(arguments, ("unmasked", "seed"), "squares with plain clues")
    if arguments.to not in PUZZLE_FORMATS:
        raise wrong_format(found, arguments.to)
    for part in arguments.drop:
        if isinstance(found, Level):
            found = Puzzle(**found.fields(source))
        found = replace(found, **_EMPTY.get(part, {}))
    return write_puzzle(found, arguments.to).encode()


def board_format(output: str, given: str | None, named: Sequence[str] = FORMATS) -> str:
    """Return the format of a board to write; UsageError if no format or two are named.

    Args:
        output: the name of the file to write, whose ending may name a format.
        given: the value of ``--to``; None if not given.
        named: the formats that the message lists if neither ``output`` nor ``given`` names one.
    """
    from pbcnf.errors import EncodingError
    from pbcnf.formats.table import ending

    try:
        named_by_file = ending(output)
    except EncodingError as error:
        raise UsageError(f"-o {error}") from None
    if given is None:
        # Two formats end with .txt: text, and danamlund's game.txt, which --to must name.
        given = "text" if named_by_file == "txt" else named_by_file
        if given not in (*FORMATS, *named):
            raise UsageError(f"-o {output}: the name says no format; --to does: {', '.join(named)}")
    elif named_by_file in (*FORMATS, LEVEL) and named_by_file != given:
        raise UsageError(
            f"-o {output}: the name says {named_by_file}, and the format is to be {given}"
        )
    return given
