"""Name maps, read strictly: of exported boards and of encoded problems, told by their schemas."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pbcnf.formats.error import FormatError
from pbcnf.literals import MAX_VAR
from satsweeper.board.codes import Cell
from satsweeper.board.size import size_text

_SCHEMA: Final = "satsweeper/map/1"
T = TypeVar("T")
PROBLEM_MAP: Final = "satsweeper/problem-map/1"
"""The schema of what ``encode --map`` writes."""


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


@dataclass(frozen=True)
class ProblemMap:
    """What the variables of a problem are called: variable i at place i - 1.

    ``variables``: the largest variable of the formula, auxiliary ones included.
    """

    names: tuple[str, ...] = field(repr=False)
    variables: int


def read_map(text: bytes, source: str) -> NameMap:
    """Read what ``export --map`` writes.

    Raises FormatError for anything else: no JSON, another schema, a cell that is not on the board
    or has two variables, numbers that are none.
    """
    found = _loaded(text, source)
    if found.get("schema") != _SCHEMA:
        raise FormatError(source, message=f"no map of a board: its schema is not {_SCHEMA!r}")
    return _made(_map, found, source)


def read_any_map(text: bytes, source: str) -> NameMap | ProblemMap:
    """Read what ``export --map`` or ``encode --map`` writes. Raises FormatError as ``read_map``."""
    found = _loaded(text, source)
    if found.get("schema") == PROBLEM_MAP:
        return _made(_problem_map, found, source)
    return read_map(text, source)


def _loaded(text: bytes, source: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, error.colno, f"no JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(source, message=f"no JSON: {error}") from None
    return found if isinstance(found, dict) else {}


def _made(make: Callable[[dict[str, Any]], T], found: dict[str, Any], source: str) -> T:
    try:
        return make(found)
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
        raise _WrongError(f"{where}: no cell of a board of {size_text(rows, columns)}")

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
    largest = max(largest, _last_auxiliary(found))
    seen: set[Cell] = set()
    for each in (*cells.values(), *flags):
        if each in seen:
            raise _WrongError(f"the cell at {each} is named twice")
        seen.add(each)
    return NameMap(rows, columns, mines, frozenset(flags), cells, largest)


def _problem_map(found: dict[str, Any]) -> ProblemMap:
    variables = _of(found, "variables", dict)
    names = [variables.get(str(number)) for number in range(1, len(variables) + 1)]
    if None in names:
        number = names.index(None) + 1
        raise _WrongError(f"variables: {number} is missing, and there are {len(names)}")
    if not all(isinstance(name, str) for name in names):
        raise _WrongError("variables: a name is no text")
    if len(set(names)) < len(names):
        raise _WrongError("variables: a name is given twice")
    return ProblemMap(tuple(names), max(len(names), _last_auxiliary(found)))


def _last_auxiliary(found: dict[str, Any]) -> int:
    largest = 0
    for auxiliaries in _of(found, "auxiliaries", list):
        if not isinstance(auxiliaries, dict):
            raise _WrongError("auxiliaries: no range of variables")
        largest = max(largest, _number(auxiliaries, "last", 1, MAX_VAR))
    return largest


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
