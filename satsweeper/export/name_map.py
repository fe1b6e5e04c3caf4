"""Name maps of exported boards and of encoded problems, and their strict readers."""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pbcnf.emission.whole_problems import Encoded
from pbcnf.formats.error import FormatError
from pbcnf.literals import MAX_VAR
from satsweeper.board.codes import Cell
from satsweeper.board.size import size_text

BOARD_MAP: Final = "satsweeper/map/1"
"""Schema of the map that ``export --map`` writes."""
PROBLEM_MAP: Final = "satsweeper/problem-map/1"
"""Schema of the map that ``encode --map`` writes."""
T = TypeVar("T")


@dataclass(frozen=True)
class NameMap:
    """The cell of each variable of an exported board, and the size of the board.

    Args:
        rows: number of rows of the board.
        columns: number of columns of the board.
        mines: the total of the formula, flags included; None if the total is unknown.
        flags: the flags that the formula takes for mines.
        cells: variable -> its cell.
        variables: the largest variable of the formula, auxiliary variables included.
    """

    rows: int
    columns: int
    mines: int | None
    flags: frozenset[Cell]
    cells: Mapping[int, Cell] = field(repr=False)
    variables: int


@dataclass(frozen=True)
class PuzzleMap:
    """The cell of each variable of an exported board of any shape, under any rules.

    Args:
        geometry: the name of its geometry.
        rows: number of rows of the board.
        columns: number of columns of the board.
        rules: the letters of its rules.
        mines: the total of the formula, flags included; None if the total is unknown.
        flags: names of the flagged cells that the formula takes for mines.
        cells: variable -> the name of its cell, and the number of mines at which it is true.
        variables: the largest variable of the formula, auxiliary variables included.
    """

    geometry: str
    rows: int
    columns: int
    rules: tuple[str, ...]
    mines: int | None
    flags: frozenset[Hashable]
    cells: Mapping[int, tuple[Hashable, int]] = field(repr=False)
    variables: int


@dataclass(frozen=True)
class ProblemMap:
    """The names of the variables of an encoded problem, variable i at place i - 1.

    ``variables``: the largest variable of the formula, auxiliary ones included.
    """

    names: tuple[str, ...] = field(repr=False)
    variables: int


def read_map(text: bytes, source: str) -> NameMap:
    """Read the map of a board, which ``export --map`` wrote.

    ``source`` names the map in messages. Raises FormatError for a text that is no JSON, for another
    schema, for a cell that is not on the board or has two variables, and for a number out of range.
    """
    found = _loaded(text, source)
    if found.get("schema") != BOARD_MAP:
        raise FormatError(source, message=f"no map of a board: its schema is not {BOARD_MAP!r}")
    return _made(_map, found, source)


def read_any_map(text: bytes, source: str) -> NameMap | PuzzleMap | ProblemMap:
    """Read a map of ``export --map`` or ``encode --map``; raise FormatError as `read_map` does.

    A map of ``export`` with a geometry is of a board of any shape, under any rules.
    """
    found = _loaded(text, source)
    if found.get("schema") == PROBLEM_MAP:
        return _made(_problem_map, found, source)
    if found.get("schema") == BOARD_MAP and "geometry" in found:
        return _made(_puzzle_map, found, source)
    return read_map(text, source)


def renumbered(found: Mapping[str, Any], new: Mapping[int, int]) -> dict[str, Any]:
    """Return the board's map ``found`` with variable v renamed to ``new[v]``.

    Cells of variables that ``new`` does not hold are listed as ``free``.
    """
    cells = {int(old): cell for old, cell in found["variables"].items()}
    variables = {str(new[old]): cell for old, cell in cells.items() if old in new}
    free = [cell for old, cell in cells.items() if old not in new]
    return {**found, "variables": variables, "free": free}


def auxiliary_ranges(encoded: Iterable[Encoded]) -> list[dict[str, Any]]:
    """Return the ranges of auxiliary variables of all constraints, as maps list them."""
    return [
        {
            "first": constraint.first_auxiliary,
            "last": constraint.last_auxiliary,
            "constraint": constraint.number,
            "kind": constraint.kind.value,
            "encoding": constraint.encoder,
        }
        for constraint in encoded
        if constraint.size.variables
    ]


def _loaded(text: bytes, source: str) -> dict[str, Any]:
    """Return the JSON object in ``text``; an empty one if the JSON is no object."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, error.colno, f"no JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(source, message=f"no JSON: {error}") from None
    return found if isinstance(found, dict) else {}


def _made(make: Callable[[dict[str, Any]], T], found: dict[str, Any], source: str) -> T:
    """Return ``make(found)``, with defects of the map raised as FormatError of ``source``."""
    try:
        return make(found)
    except _WrongError as error:
        raise FormatError(source, message=str(error)) from None


class _WrongError(Exception):
    """Raised with the first defect of a map."""


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
    roles = _roles(found)
    cells = {
        variable: cell(role["cell"], f"variable {variable}")
        for variable, role in roles.items()
        if "cell" in role
    }
    largest = max([0, *roles, _last_auxiliary(found)])
    _require_distinct([(each, 1) for each in (*cells.values(), *flags)])
    return NameMap(rows, columns, mines, frozenset(flags), cells, largest)


def _puzzle_map(found: dict[str, Any]) -> PuzzleMap:
    rows, columns = (_number(found, key, 1, 2**31) for key in ("rows", "columns"))
    mines = found.get("mines")
    if mines is not None:
        mines = _number(found, "mines", 0, 2**31)
    rules = _of(found, "rules", list)
    if not all(isinstance(letters, str) for letters in rules):
        raise _WrongError("rules: no list of letters")
    flags = [_named(each, "flags") for each in _of(found, "flags", list)]
    roles = _roles(found)
    cells = {
        variable: (_named(role["cell"], f"variable {variable}"), role.get("mines", 1))
        for variable, role in roles.items()
        if "cell" in role
    }
    _require_distinct([*cells.values(), *[(flag, 1) for flag in flags]])
    return PuzzleMap(
        _of(found, "geometry", str),
        rows,
        columns,
        tuple(rules),
        mines,
        frozenset(flags),
        cells,
        max([0, *roles, _last_auxiliary(found)]),
    )


def _named(given: object, where: str) -> Hashable:
    """Return the name of a cell: a number, a text, or the tuple of a list of numbers."""
    if isinstance(given, list) and all(type(each) is int for each in given):
        return tuple(given)
    if isinstance(given, str) or type(given) is int:
        return given
    raise _WrongError(f"{where}: no name of a cell")


def _roles(found: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """Return variable -> its role in the map ``found``."""
    roles: dict[int, dict[str, Any]] = {}
    for name, role in _of(found, "variables", dict).items():
        if not (name.isascii() and name.isdigit() and len(name) < 11 and name[0] != "0"):
            raise _WrongError(f"variables: {name!r} is no variable")
        if int(name) > MAX_VAR or not isinstance(role, dict):
            raise _WrongError(f"variables: {name!r} is no variable with a role")
        roles[int(name)] = role
    return roles


def _require_distinct(cells: Iterable[tuple[Hashable, int]]) -> None:
    """Raise _WrongError if a cell has two variables of one number of mines, or is a flag too."""
    seen: set[tuple[Hashable, int]] = set()
    for each in cells:
        if each in seen:
            raise _WrongError(f"the cell at {each[0]} is named twice")
        seen.add(each)


def _problem_map(found: dict[str, Any]) -> ProblemMap:
    variables = _of(found, "variables", dict)
    # An object of n keys in which none of 1 .. n is missing has no further key.
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
    """Return the largest auxiliary variable of the map ``found``; 0 without any."""
    largest = 0
    for auxiliaries in _of(found, "auxiliaries", list):
        if not isinstance(auxiliaries, dict):
            raise _WrongError("auxiliaries: no range of variables")
        largest = max(largest, _number(auxiliaries, "last", 1, MAX_VAR))
    return largest


def _number(found: dict[str, Any], key: str, least: int, most: int) -> int:
    """Return the integer ``found[key]``; raise _WrongError unless in ``least`` .. ``most``."""
    value = found.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _WrongError(f"{key}: no number from {least} to {most}")
    return value


def _of(found: dict[str, Any], key: str, kind: type) -> Any:
    """Return ``found[key]``; raise _WrongError if the value is missing or not of type ``kind``."""
    value = found.get(key)
    if not isinstance(value, kind):
        raise _WrongError(f"{key}: missing, or not what it should be")
    return value
