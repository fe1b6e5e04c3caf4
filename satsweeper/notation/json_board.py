"""Boards as JSON, schema ``satsweeper/board/1``: every part of a record in one object.

``rows``, ``columns``, ``mines`` (``null`` if unknown) and ``grid`` (row strings of ``0``-``8``,
``?`` covered, ``F`` flag) are needed; ``layout`` (row strings, ``*`` a mine, ``.`` none),
``first_click`` (``[row, column]``) and ``notes`` (an object of strings) may follow.

>>> board = '{"schema": "satsweeper/board/1", "rows": 1, "columns": 2, "mines": null, '
>>> read(board + '"grid": ["1?"]}', "b.json").reading.cells.tolist()
[[1, -1]]
"""

import json
from collections.abc import Collection
from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.board.codes import COVERED, FLAG, PADDING
from satsweeper.board.size import size_text
from satsweeper.notation.error import BoardError, CannotHoldError
from satsweeper.notation.grid import SLOW_CELLS, Alphabet
from satsweeper.notation.header import shortened
from satsweeper.notation.record import Record, checked
from satsweeper.notation.solution import MINE, mines_of, solved
from satsweeper.notation.symbols import DIGITS, INVALID, TO_TEXT, refusal, to_text
from satsweeper.notation.text import decoded

# Strict reader of JSON objects: no name twice, no NaN, and errors with line and column.


def json_object(text: str, what: str, source: str, line: int | None = None) -> dict[str, Any]:
    """Return the JSON object in ``text``.

    ``what``: the name of the object in messages; ``line``: its line in ``source``, if ``source``
    has an object a line. Raises ``BoardError``.
    """
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        message = f"no JSON: {error.msg}"
        at = error.lineno if line is None else line
        raise BoardError(source, at, error.colno, message) from None
    except RecursionError:
        message = f"JSON nested too deeply to be a {what}"
        raise BoardError(source, line, None, message) from None
    except ValueError as error:
        # Python's own message about a number of thousands of digits names a setting.
        digits = "integer string conversion" in str(error)
        message = "a number of thousands of digits" if digits else str(error)
        raise BoardError(source, line, None, message) from None
    if not isinstance(found, dict):
        raise BoardError(source, line, None, f"a {what} is a JSON object")
    return found


def check_schema(
    found: dict[str, Any],
    schema: str,
    needed: Collection[str],
    optional: Collection[str],
    source: str,
    line: int | None = None,
) -> None:
    """Refuse another schema, a missing name, and a name that the schema does not have.

    Raises ``BoardError``.
    """
    if found.get("schema") != schema:
        message = f"schema {shortened(str(found.get('schema')))}: this reads {schema}"
        if schema == SCHEMA:
            message += ", and of boards of any shape satsweeper/board/2"
        raise BoardError(source, line, None, message)
    check_names(found, needed, optional, source, line)


def check_names(
    found: dict[str, Any],
    needed: Collection[str],
    optional: Collection[str],
    source: str,
    line: int | None = None,
) -> None:
    """Raise ``BoardError`` for a missing name, and for a name that the schema does not have."""
    for name in needed:
        if name not in found:
            raise BoardError(source, line, None, f"{name!r} is missing")
    for name in found:
        if name not in needed and name not in optional:
            message = f"{shortened(name)!r}: the schema has no such name"
            raise BoardError(source, line, None, message)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"{shortened(twice)!r} stands twice in one object")
    return found


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


SCHEMA: Final = "satsweeper/board/1"

MOST_BYTES: Final = 2**24
"""Limit on the size of a file, which is held in memory as objects."""

_NEEDED: Final = ("schema", "rows", "columns", "mines", "grid")
_OPTIONAL: Final = ("layout", "first_click", "notes")
_GRID: Final = Alphabet(
    {**DIGITS, "?": COVERED, "F": FLAG},
    "a cell is 0-8, ? (covered) or F (flag)",
)
_LAYOUT: Final = Alphabet({".": COVERED, "*": FLAG}, "a cell is * (mine) or .")
_TO_LAYOUT = to_text({**dict.fromkeys(DIGITS.values(), "."), MINE: "*"})


def read(data: bytes | str, source: str) -> Record:
    """Read a board in JSON; raises ``BoardError``."""
    if len(data) > MOST_BYTES:
        raise BoardError(
            source, message=f"{counted(len(data), 'byte')} of JSON: the limit is {MOST_BYTES}"
        )
    board = json_object(decoded(data, source), "board", source)
    check_schema(board, SCHEMA, _NEEDED, _OPTIONAL, source)
    rows, columns = _integer(board, "rows", source), _integer(board, "columns", source)
    if rows < 1 or columns < 1 or rows * columns > SLOW_CELLS:
        what = f"one of each at least, and {SLOW_CELLS} cells at most"
        raise BoardError(source, message=f"rows {rows}, columns {columns}: {what}")
    mines = None if board["mines"] is None else _integer(board, "mines", source)
    if mines is not None and not 0 <= mines <= rows * columns:
        what = f"mines {mines}: the total is 0 to {rows * columns}, or null for unknown"
        raise BoardError(source, message=what)
    padded = _rows(board, "grid", (rows, columns), _GRID, source)
    solution = None
    if "layout" in board:
        layout = _rows(board, "layout", (rows, columns), _LAYOUT, source)
        solution = solved(mines_of(layout), rows, columns)
    first = board.get("first_click")
    if first is not None:
        if not (isinstance(first, list) and len(first) == 2 and all(type(x) is int for x in first)):
            raise BoardError(source, message="first_click: [row, column]")
        if not (0 <= first[0] < rows and 0 <= first[1] < columns):
            raise BoardError(source, message=f"first_click {first}: off the board")
        first = first[0], first[1]
    notes = board.get("notes", {})
    if not isinstance(notes, dict) or not all(isinstance(note, str) for note in notes.values()):
        raise BoardError(source, message="notes: an object of strings")
    record = Record(padded, columns, mines, solution, tuple(notes.items()), first=first)
    return checked(record, None, source)


def write(record: Record) -> bytes:
    """Return the JSON, a line for each row; ``CannotHoldError`` for a board that is too large."""
    board: dict[str, Any] = {
        "schema": SCHEMA,
        "rows": record.rows,
        "columns": record.columns,
        "mines": record.mines,
        "grid": record.padded.translate(TO_TEXT).decode("ascii").split(),
    }
    if record.solution is not None:
        board["layout"] = record.solution.translate(_TO_LAYOUT).decode("ascii").split()
    if record.first is not None:
        board["first_click"] = list(record.first)
    if record.notes:
        board["notes"] = dict(record.notes)
    text = json.dumps(board, indent=0, ensure_ascii=True).encode("ascii") + b"\n"
    if len(text) > MOST_BYTES or record.rows * record.columns > SLOW_CELLS:
        size = f"{size_text(record.rows, record.columns)} cells"
        what = f"{size}: {SLOW_CELLS} cells and {MOST_BYTES} bytes at most"
        raise CannotHoldError(f"json cannot hold {what}")
    return text


def _integer(board: dict[str, Any], name: str, source: str) -> int:
    value = board[name]
    if type(value) is not int:
        raise BoardError(source, message=f"{name}: {shortened(repr(value))} is no integer")
    if not -(10**9) <= value <= 10**9:
        raise BoardError(source, message=f"{name}: {shortened(str(value))} is beyond any limit")
    return value


def _rows(
    board: dict[str, Any], name: str, size: tuple[int, int], alphabet: Alphabet, source: str
) -> bytes:
    rows, columns = size
    lines = board[name]
    if not isinstance(lines, list) or len(lines) != rows:
        found = f"{name} has {len(lines)}" if isinstance(lines, list) else f"{name} is no list"
        what = f"the board says {counted(rows, 'row')}, {found}"
        raise BoardError(source, message=what)
    parts = []
    for row, line in enumerate(lines):
        if not isinstance(line, str) or len(line) != columns:
            found = counted(len(line), "cell") if isinstance(line, str) else "no string"
            what = f"{name}, row {row}: {found}: every row has {columns}"
            if isinstance(line, str) and all(len(str(each)) == len(line) for each in lines):
                what = f"the board says {counted(columns, 'column')}, {name} has {len(line)}"
            raise BoardError(source, message=what)
        codes = line.encode("ascii", "ignore").translate(alphabet.table)
        if len(codes) != columns or INVALID in codes:
            at = next(i for i, c in enumerate(line) if c not in alphabet.codes)
            what = f"{name}, row {row}, column {at}: {refusal(line[at], alphabet.allowed)}"
            raise BoardError(source, message=what)
        parts.append(codes + bytes([PADDING]))
    return b"".join(parts)
