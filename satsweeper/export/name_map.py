"""The name map of an exported board, schema ``satsweeper/map/1``, read strictly."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pbcnf.formats.error import FormatError
from pbcnf.literals import MAX_VAR
from satsweeper.board.codes import Cell

_SCHEMA: Final = "satsweeper/map/1"


@dataclass(frozen=True)
class NameMap:
    """Which variable is which cell of a board of this size.

    ``mines`` and ``flags``: the total and the trusted flags that the formula was made with.
    ``variables``: the largest variable of the formula, auxiliary ones included.
    """

    rows: int
    columns: int
    mines: int | None
    flags: frozenset[Cell]
    cells: Mapping[int, Cell] = field(repr=False)
    variables: int


def read_map(text: bytes, source: str) -> NameMap:
    """Read what ``export --map`` writes.

    Raises FormatError for anything else: no JSON, another schema, a cell that is not on the board
    or has two variables, numbers that are none.
    """
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, error.colno, f"no JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(source, message=f"no JSON: {error}") from None
    schema = found.get("schema") if isinstance(found, dict) else None
    if schema != _SCHEMA:
        raise FormatError(source, message=f"no map of a board: its schema is not {_SCHEMA!r}")
    try:
        return _map(found)
    except _WrongError as error:
        raise FormatError(source, message=str(error)) from None


class _WrongError(Exception):
    """What is wrong with a map."""


def _map(found: dict[str, Any]) -> NameMap:
    rows, columns = (_number(found, key, 1, 2**31) for key in ("rows", "columns"))
    mines = found.get("mines")
    if mines is not None:
        mines = _number(found, "mines", 0, rows * columns)

    def cell(given: object, where: str) -> Cell:
        match given:
            case [int(row), int(column)] if 0 <= row < rows and 0 <= column < columns:
                return row, column
        raise _WrongError(f"{where}: no cell of a board of {rows} x {columns}")

    flags = [cell(each, "flags") for each in _of(found, "flags", list)]
    cells: dict[int, Cell] = {}
    largest = 0
    for name, role in _of(found, "variables", dict).items():
        if not (name.isascii() and name.isdigit() and len(name) < 11 and name[0] != "0"):
            raise _WrongError(f"variables: {name!r} is no variable")
        variable = int(name)
        if variable > MAX_VAR or not isinstance(role, dict):
            raise _WrongError(f"variables: {name!r} is no variable with a role")
        largest = max(largest, variable)
        if "cell" in role:
            cells[variable] = cell(role["cell"], f"variable {name}")
    for auxiliaries in _of(found, "auxiliaries", list):
        if not isinstance(auxiliaries, dict):
            raise _WrongError("auxiliaries: no range of variables")
        largest = max(largest, _number(auxiliaries, "last", 1, MAX_VAR))
    seen: set[Cell] = set()
    for each in (*cells.values(), *flags):
        if each in seen:
            raise _WrongError(f"the cell at {each} is named twice")
        seen.add(each)
    return NameMap(rows, columns, mines, frozenset(flags), cells, largest)


def _number(found: dict[str, Any], key: str, least: int, most: int) -> int:
    value = found.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _WrongError(f"{key}: no number from {least} to {most}")
    return value


def _of(found: dict[str, Any], key: str, kind: type) -> Any:
    value = found.get(key)
    if not isinstance(value, kind):
        raise _WrongError(f"{key}: missing, or not what it should be")
    return value
