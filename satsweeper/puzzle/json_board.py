"""Boards of any geometry as JSON, schema ``satsweeper/board/2``.

One object; all but ``schema``, ``geometry`` and the geometry's own names may be left out:

* ``geometry``: a grid of `geometry.table.GRIDS` with ``rows`` and ``columns``; ``cubes`` with
  ``layers``, too; ``hexcells`` with ``cells``, the places of the hexagons; ``graph`` with
  ``neighbours``: an object, cell -> list of cells, or a list of ``[cell, list of cells]``.
* ``rules``: letters of rules. ``mines``: the total, or ``null``.
* ``clues``: objects ``{"cell": ..., "clue": "12"}``; ``"rule": ["2X"]``, where the clue has rules
  other than the board's.
* ``flags``, ``opened``, ``shown``, ``dyed``: lists of cells. ``weights``: objects ``{"cell": ...,
  "weight": 2}``. ``capacity``: objects ``{"cell": ..., "mines": 2}``.
* ``regions``: objects ``{"name": "row 1", "cells": [...], "mines": 2}``, ``"arranged"`` as
  `Region` says.

A cell is ``[row, column]``, in space ``[layer, row, column]``; in a graph its name, text, an
integer, or a list of these, which is a tuple.

>>> graph = {"schema": SCHEMA, "geometry": "graph", "neighbours": {"a": ["b"], "b": []}}
>>> fields_of(graph)["geometry"].cells
('a', 'b')
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final

from pbcnf.wording import counted, unknown_name
from satsweeper.notation.error import BoardError
from satsweeper.notation.header import shortened
from satsweeper.notation.json_board import check_schema
from satsweeper.position import KEEP, Total
from satsweeper.puzzle.board import chequered
from satsweeper.puzzle.clue import Clue, Region, read_clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.fields import MOST_CELLS, Fields, Shown
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.geometry.hexcells import hexcells
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import GRIDS, grid
from satsweeper.puzzle.headers import SCHEMA
from satsweeper.puzzle.rules.kind import required
from satsweeper.puzzle.rules.table import OWN_LETTERS, parted, refuse_own

_SIZES: Final = {
    **dict.fromkeys(GRIDS, ("rows", "columns")),
    "cubes": ("layers", "rows", "columns"),
    "hexcells": ("cells",),
    "graph": ("neighbours",),
}
"""Geometry -> the names of what gives its size."""
_OPTIONAL: Final = (
    "rules", "mines", "clues", "flags", "opened", "shown", "dyed", "weights", "capacity", "regions",
)  # fmt: skip
_MOST: Final = 10**6
"""The largest weight, and the most mines of a cell."""


class _FaultError(Exception):
    """A fault at a path such as ``clues[3].cell``."""


def fields_of(
    board: dict[str, Any],
    source: str = "<object>",
    mines: Total = KEEP,
    allowed: Collection[str] | None = (),
) -> Fields:
    """Return the board in an object of the schema; raises BoardError.

    ``allowed``: the rules ``MODULE:NAME`` that it may name; None: any.
    """
    name = board.get("geometry")
    known = isinstance(name, str) and name in _SIZES
    sizes = _SIZES[name] if known and isinstance(name, str) else ()
    check_schema(
        board, SCHEMA, ("schema", "geometry", *sizes), _OPTIONAL if known else board, source
    )
    try:
        if not isinstance(name, str) or not known:
            raise _FaultError(f"geometry: {unknown_name('geometry', _shown(name), _SIZES)}")
        return _fields(board, _geometry(name, board), mines, allowed)
    except _FaultError as fault:
        raise BoardError(source, message=str(fault)) from None


def _fields(
    board: dict[str, Any], geometry: Geometry, mines: Total, allowed: Collection[str] | None
) -> Fields:
    rules = tuple(_texts(board.get("rules", []), "rules"))
    try:
        refuse_own(rules, allowed)
        required(rules)
    except RuleError as error:
        raise _FaultError(f"rules: {error}") from None
    kinds = parted(rules)[1]
    reader = _Cells(geometry)
    total = mines if mines is not KEEP else board.get("mines")
    if total is not None:
        _natural(total, "mines", 0, _MOST * MOST_CELLS)
    found: Fields = {
        "geometry": geometry,
        "rules": rules,
        "mines": total,
        "clues": dict(_clues(board, reader, kinds, allowed)),
        "weights": dict(_values(board, reader, "weights", "weight", -_MOST)),
        "capacity": dict(_values(board, reader, "capacity", "mines", 1)),
        "regions": tuple(_regions(board, reader)),
    }
    # A variable for each mine that fits: a few lines must not fill the memory.
    fitting = sum(found["capacity"].values())
    if fitting > _MOST:
        raise _FaultError(f"capacity: {fitting} mines in all, where {_MOST} at most are possible")
    for name in ("flags", "opened", "shown", "dyed"):
        if name in board:
            found[name] = frozenset(reader.several(board[name], name))
    return found


def _geometry(name: str, board: dict[str, Any]) -> Geometry:
    sizes = _SIZES[name]
    try:
        if name == "graph":
            return graph(dict(_neighbours(board["neighbours"])))
        if name == "hexcells":
            return hexcells(_places(board["cells"]))
        counts = [_natural(board[size], size, 1, MOST_CELLS) for size in sizes]
        cells = 1
        for count in counts:
            cells *= count
        _limit(cells, ", ".join(sizes))
        return cubes(*counts) if name == "cubes" else grid(name, *counts)
    except RuleError as error:
        raise _FaultError(f"{', '.join(sizes)}: {error}") from None


def _limit(cells: int, path: str) -> None:
    if not 1 <= cells <= MOST_CELLS:
        raise _FaultError(f"{path}: {counted(cells, 'cell')}, where 1 to {MOST_CELLS} are possible")


def _places(value: Any) -> list[tuple[int, int]]:
    places = []
    for at, place in enumerate(_list(value, "cells", MOST_CELLS)):
        path = f"cells[{at}]"
        row, column = _list(place, path, 2) if isinstance(place, list) and len(place) == 2 else (
            None, None
        )  # fmt: skip
        if type(row) is not int or type(column) is not int:
            raise _FaultError(f"{path}: {_shown(place)}: [row, column]")
        places.append((row, column))
    _limit(len(places), "cells")
    return places


def _neighbours(value: Any) -> list[tuple[Hashable, list[Hashable]]]:
    pairs = [*value.items()] if isinstance(value, dict) else _list(value, "neighbours", MOST_CELLS)
    _limit(len(pairs), "neighbours")
    found: dict[Hashable, list[Hashable]] = {}
    for at, pair in enumerate(pairs):
        path = f"neighbours[{at}]"
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise _FaultError(f"{path}: {_shown(pair)}: [cell, list of cells]")
        if isinstance(value, dict):
            path = f"neighbours.{shortened(pair[0])}"
        name = _name(pair[0], path)
        if name in found:
            raise _FaultError(f"{path}: a second cell {_shown(pair[0])}")
        near = _list(pair[1], path, MOST_CELLS)
        found[name] = [_name(each, f"{path}[{place}]") for place, each in enumerate(near)]
    return [*found.items()]


def _name(value: Any, path: str) -> Hashable:
    """Return the name of a cell: lists are tuples."""
    if isinstance(value, list):
        return tuple([_name(each, path) for each in value])
    if type(value) is int:
        return value
    if isinstance(value, str):
        return _printable(value, path)
    raise _FaultError(f"{path}: {_shown(value)}: a cell is text, an integer, or a list of these")


def _printable(name: str, path: str) -> str:
    # Names are printed: no line breaks, and nothing that a terminal would obey.
    if not name.isprintable():
        raise _FaultError(f"{path}: {_shown(name)}: a name has characters that can be printed")
    return name


class _Cells:
    """The cells of a geometry by what JSON calls them."""

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry

    def one(self, value: Any, path: str) -> int:
        """Return the number of a cell."""
        name = _name(value, path)
        if name not in self._geometry.numbers:
            raise _FaultError(f"{path}: {_shown(value)}: there is no such cell")
        return self._geometry.numbers[name]

    def several(self, value: Any, path: str) -> list[int]:
        """Return the numbers of cells, each once."""
        found: dict[int, None] = {}
        for at, each in enumerate(_list(value, path, MOST_CELLS)):
            cell = self.one(each, f"{path}[{at}]")
            if cell in found:
                raise _FaultError(f"{path}[{at}]: a second {_shown(each)}")
            found[cell] = None
        return [*found]

    def objects(
        self, board: dict[str, Any], name: str, needed: Sequence[str], more: Sequence[str] = ()
    ) -> Iterable[tuple[int, dict[str, Any], str]]:
        """Yield the cell, the object and the path of the objects of a list, a cell once."""
        found = set()
        for path, each in _objects(board, name, ("cell", *needed), more):
            cell = self.one(each["cell"], f"{path}.cell")
            if cell in found:
                raise _FaultError(f"{path}.cell: a second {_shown(each['cell'])}")
            found.add(cell)
            yield cell, each, path


def _clues(
    board: dict[str, Any],
    reader: _Cells,
    kinds: tuple[str, ...],
    allowed: Collection[str] | None,
) -> Iterable[tuple[int, Clue]]:
    for cell, each, path in reader.objects(board, "clues", ("clue",), ("rule",)):
        text = each["clue"]
        if type(text) is int:
            text = str(text)
        if not isinstance(text, str):
            raise _FaultError(f"{path}.clue: {_shown(text)}: text or a number")
        letters = kinds
        if "rule" in each:
            letters = tuple(_texts(each["rule"], f"{path}.rule"))
            if OWN_LETTERS in letters:
                raise _FaultError(f"{path}.rule: # is no rule of a clue")
        try:
            refuse_own(letters, None if letters is kinds else allowed)
            if parted(letters)[0]:
                raise RuleError(f"{' '.join(parted(letters)[0])}: no rule of clues")
            yield cell, read_clue(text, letters)
        except RuleError as error:
            raise _FaultError(f"{path}: {error}") from None


def _values(
    board: dict[str, Any], reader: _Cells, name: str, of: str, least: int
) -> Iterable[tuple[int, int]]:
    for cell, each, path in reader.objects(board, name, (of,)):
        yield cell, _natural(each[of], f"{path}.{of}", least, _MOST)


def _regions(board: dict[str, Any], reader: _Cells) -> Iterable[Region]:
    for path, each in _objects(board, "regions", ("name", "cells", "mines"), ("arranged",)):
        name, arranged = each["name"], each.get("arranged", "")
        if not isinstance(name, str):
            raise _FaultError(f"{path}.name: {_shown(name)} is no text")
        if arranged not in ("", "together", "apart"):
            raise _FaultError(f'{path}.arranged: {_shown(arranged)}: "together" or "apart"')
        cells = tuple(reader.several(each["cells"], f"{path}.cells"))
        name = _printable(name, f"{path}.name")
        yield Region(name, cells, _natural(each["mines"], f"{path}.mines", 0, _MOST), arranged)


def _objects(
    board: dict[str, Any], name: str, needed: Sequence[str], more: Sequence[str] = ()
) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield the path and the object of each entry of the list ``name``."""
    for at, each in enumerate(_list(board.get(name, []), name, MOST_CELLS)):
        path = f"{name}[{at}]"
        if not isinstance(each, dict):
            raise _FaultError(f"{path}: {_shown(each)} is no object")
        for key in needed:
            if key not in each:
                raise _FaultError(f"{path}.{key} is missing")
        for key in each:
            if key not in needed and key not in more:
                raise _FaultError(f"{path}.{shortened(key)}: the schema has no such name")
        yield path, each


def _list(value: Any, path: str, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise _FaultError(f"{path}: {_shown(value)} is no list")
    if len(value) > most:
        raise _FaultError(f"{path}: {len(value)} entries, {most} at most")
    return value


def _texts(value: Any, path: str) -> list[str]:
    for at, each in enumerate(_list(value, path, 100)):
        if not isinstance(each, str):
            raise _FaultError(f"{path}[{at}]: {_shown(each)} is no text")
    found: list[str] = value
    return found


def _natural(value: Any, path: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise _FaultError(f"{path}: {_shown(value)}: an integer from {least} to {most}")
    return value


def _shown(value: Any) -> str:
    return shortened(json.dumps(value, ensure_ascii=False))


def json_board(board: Shown) -> dict[str, Any]:
    """Return the object of a board; `fields_of` reads it to an equal board.

    Raises RuleError for cells whose names JSON does not hold, and for a geometry of one's own.
    """
    geometry = board.geometry
    names = [_written(cell) for cell in geometry.cells]
    found: dict[str, Any] = {"schema": SCHEMA, "geometry": geometry.name}
    found |= _written_size(geometry, names)
    try:
        same = geometry.name in _SIZES and _geometry(geometry.name, found) == geometry
    except _FaultError as fault:
        raise RuleError(f"JSON cannot hold the geometry: {fault}") from None
    if not same:
        raise RuleError(f"JSON cannot hold the geometry {geometry.name!r}, which is none of ours")
    found |= {"rules": list(board.rules), "mines": board.mines}
    kinds = parted(board.rules)[1] or ("V",)
    clues = []
    for cell, clue in sorted(board.clues.items()):
        each = {"cell": names[cell], "clue": clue.text()}
        if clue.kind.letters != kinds:
            each["rule"] = list(clue.kind.letters)
        if read_clue(each["clue"], clue.kind.letters) != clue:
            raise RuleError(f"JSON cannot hold the clue {clue.text()!r} at {geometry.cells[cell]}")
        clues.append(each)

    def listed(cells: Iterable[int]) -> list[Any]:
        return [names[cell] for cell in sorted(cells)]

    def valued(values: Mapping[int, int], of: str) -> list[dict[str, Any]]:
        return [{"cell": names[cell], of: value} for cell, value in sorted(values.items())]

    parts: dict[str, Any] = {
        "clues": clues,
        "flags": listed(board.flags),
        "opened": listed(board.opened),
        "shown": listed(board.shown),
        "weights": valued(board.weights, "weight"),
        "capacity": valued(board.capacity, "mines"),
        "regions": [
            {"name": name, "cells": [names[cell] for cell in cells], "mines": mines}
            | ({"arranged": arranged} if arranged else {})
            for name, cells, mines, arranged in board.regions
        ],
    }
    found |= {name: part for name, part in parts.items() if part}
    if board.dyed is not None and board.dyed != chequered(geometry):
        found["dyed"] = listed(board.dyed)
    return found


def _written_size(geometry: Geometry, names: list[Any]) -> dict[str, Any]:
    if geometry.shape:
        return dict(zip(("layers", "rows", "columns")[-len(geometry.shape):], geometry.shape,
                        strict=True))  # fmt: skip
    if geometry.name == "hexcells":
        return {"cells": names}
    pairs = [
        (name, [names[other] for other in near])
        for name, near in zip(names, geometry.neighbours, strict=True)
    ]
    texts = all(isinstance(name, str) for name in names)
    return {"neighbours": dict(pairs) if texts else [list(pair) for pair in pairs]}


def _written(cell: Hashable) -> Any:
    """Return the name of a cell as JSON has it."""
    if isinstance(cell, tuple):
        return [_written(each) for each in cell]
    if isinstance(cell, str) or type(cell) is int:
        return cell
    raise RuleError(f"JSON cannot hold the cell {cell!r}: text, integers and tuples of these")


def json_text(board: Shown) -> str:
    """Return a board as JSON text, a line for each name."""
    dumps: Callable[[Any], str] = json.dumps
    lines = [f"{dumps(name)}: {dumps(value)}" for name, value in json_board(board).items()]
    return "{" + ",\n ".join(lines) + "}\n"
