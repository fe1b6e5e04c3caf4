"""The table of board formats, and reading and writing by their names."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.notation.detect import detect, unwrapped
from satsweeper.notation.error import BoardError, CannotHoldError, printable
from satsweeper.notation.grid import MOST_LINES, SLOW_CELLS
from satsweeper.notation.record import Record
from satsweeper.notation.solution import HIDDEN, implied


@dataclass(frozen=True, slots=True)
class Format:
    """A format; ``holds`` and ``needs`` name parts of a record.

    A format that needs the total cannot hold an unknown one.
    """

    module: str
    summary: str
    holds: frozenset[str]
    needs: frozenset[str] = frozenset()
    binary: bool = False
    cell_by_cell: bool = False
    """Whether at most ``SLOW_CELLS`` cells are written."""


def _format(module: str, summary: str, holds: str, needs: str = "", **more: bool) -> Format:
    return Format(module, summary, frozenset(holds.split()), frozenset(needs.split()), **more)


FORMATS: Final = {
    "text": _format("text", "a row a line, header 'rows columns mines'", "view total"),
    "json": _format("json_board", "schema satsweeper/board/1", "view total layout notes"),
    "mine": _format("mine", "JSMinesweeper, a position", "view total layout", "total"),
    "mbf": _format("mbf", "a layout, binary", "total layout", "total layout", binary=True),
    "board": _format("toollib_board", "ms_toollib .board v0.1", "view total layout notes", "total"),
    "tatham": _format(
        "tatham", "a game ID of Simon Tatham's Mines",
        "view total layout", "total layout", cell_by_cell=True,
    ),
    "danamlund": _format(
        "danamlund", "game.txt with its encrypted solution",
        "view total layout", "total layout", cell_by_cell=True,
    ),
    "minesweepr": _format("minesweepr", "the ASCII of minesweepr", "view"),
}  # fmt: skip
"""Name of a format, as ``--from`` and ``--to`` take it -> format."""


def formats_holding(*parts: str) -> list[str]:
    """Return the names of the formats that hold all ``parts`` of a record."""
    return [name for name, each in FORMATS.items() if each.holds.issuperset(parts)]


def read_record(data: str | bytes, source: str = "<text>", name: str | None = None) -> Record:
    """Read a board in the format ``name``, or in the format that is detected.

    Raises:
        BoardError: with source, line and column for whatever is not a board.
        KeyError: there is no format ``name``.
    """
    if name is None or not FORMATS[name].binary:
        data = unwrapped(data, source)
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    found = name or detect(raw)
    read: Callable[[Any, str], Record] = _module(found).read
    try:
        return read(raw if FORMATS[found].binary else data, source)
    except MemoryError:
        raise BoardError(source, message="not enough memory for the board") from None


def write_record(record: Record, name: str) -> bytes:
    """Return ``record`` as a file in the format ``name``; `read_record` reads an equal board.

    Raises:
        CannotHoldError: the format has no way to write down a part of the record, or needs one
            that the record does not have. Nothing is left out silently.
        KeyError: there is no format ``name``.
    """
    chosen = FORMATS[name]
    if record.rows > MOST_LINES and name != "text":
        what = f"{name} cannot hold {counted(record.rows, 'row')}: {MOST_LINES} at most"
        raise CannotHoldError(what)
    if "layout" in chosen.needs and record.truth is None:
        unsure = counted(record.padded.count(HIDDEN), "covered cell")
        raise CannotHoldError(f"{name} needs the layout: what is below {unsure} is not told")
    if "total" in chosen.needs and record.mines is None:
        raise CannotHoldError(f"{name} cannot hold an unknown total: --mines N gives one")
    # All parts that would be lost are named at once. Leaving the total out can make the layout a
    # part (the flags imply it only with a total), so the loop ends when the format holds the rest.
    lost: dict[str, str] = {}
    rest = record
    while more := {k: what for k, what in _parts(rest).items() if k not in chosen.holds}:
        lost |= more
        for part in more:
            rest = rest.without(part)
    if lost:
        raise CannotHoldError(f"{name} cannot hold {', '.join(lost.values())}", *lost)
    cells = record.rows * record.columns
    if chosen.cell_by_cell and cells > SLOW_CELLS:
        what = f"{name} cannot hold {counted(cells, 'cell')}: {SLOW_CELLS} at most"
        raise CannotHoldError(what)
    write: Callable[[Record], bytes] = _module(name).write
    return write(record)


def _module(name: str) -> Any:
    return import_module(f"satsweeper.notation.{FORMATS[name].module}")


def _parts(record: Record) -> dict[str, str]:
    """Return the parts that ``record`` has beside the cells: part -> description for messages."""
    parts = {}
    shown = record.rows * record.columns - record.padded.count(HIDDEN)
    if shown:
        parts["view"] = f"opened cells and flags ({shown})"
    if record.mines is not None:
        parts["total"] = f"a total ({record.mines})"
    layout = record.solution
    if layout is not None and layout != implied(record.padded, record.mines):
        parts["layout"] = "the layout (which covered cells are mines)"
    if record.notes:
        parts["notes"] = f"notes ({', '.join(printable(key) for key, _ in record.notes)})"
    if record.marks:
        marks = ", ".join(f"{count} x {mark}" for mark, count in record.marks)
        parts["marks"] = f"marks ({marks})"
    return parts
