"""Boards under rules read from text and from JSON, by code that nothing else uses.

**Text.** Lines ``rules:``, ``geometry:``, ``mines:`` and ``columns:`` may stand before the rows,
once each; a row is its cells with blanks between them, or one word with a character for each cell,
unless ``columns: 1`` says that it is one. ``?`` (also ``.``, ``-``, ``#``, ``H``) is covered, ``F``
(also ``!``, ``*``) a flag, anything else a clue.

**JSON.** An object with ``schema``, ``geometry`` and what gives the geometry its size (`_SIZES`),
and perhaps with the names of `_PARTS`. A cell is the list of its coordinates, or in a graph its
name. Nothing else may be there, so that no part of a board is passed over.
"""

import json
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, Final, TypeVar

from satsweeper.checker.contents import is_integer, json_object
from satsweeper.checker.errors import WrongCertificateError, wrong_at
from satsweeper.checker.puzzle.board import (
    PuzzleBoard,
    PuzzleClue,
    PuzzleRegion,
    clue_of,
    clue_rules,
)
from satsweeper.checker.puzzle.grid import GEOMETRIES, Cubes, Graph, Grid, Hexagons

SCHEMA: Final = "satsweeper/board/2"
_HEADER: Final = re.compile(
    r"[ \t]*(rules|geometry|mines|columns)[ \t]*:[ \t]*(.*?)[ \t]*", re.IGNORECASE
)
_COVERED: Final = "?.-#H"
_FLAGS: Final = "F!*"
_MOST_CELLS: Final = 10_000
_MOST: Final = 10**6
"""The largest weight, and the most mines of a cell."""
_MOST_MINES: Final = 10**5
"""The most mines that all cells together can hold: each is a variable."""
_SIZES: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(GEOMETRIES, ("rows", "columns")),
    "cubes": ("layers", "rows", "columns"),
    "hexcells": ("cells",),
    "graph": ("neighbours",),
}
_PARTS: Final = {
    "rules", "mines", "clues", "flags", "opened", "shown", "dyed", "weights", "capacity", "regions",
}  # fmt: skip
_T = TypeVar("_T")


def read_puzzle_board(text: str, name: str = "board.txt") -> PuzzleBoard:
    """Return the board in ``text``, the content of the file ``name``: JSON if it begins with ``{``.

    Raises:
        WrongCertificateError: it is no board, or has rules that do not exist or do not combine.
    """
    if text.lstrip().startswith("{"):
        # Only names in messages, and those of cells, can be other characters than ASCII.
        plain = "".join(c if c < "\x80" else json.dumps(c)[1:-1] for c in text)
        return _JsonBoard(json_object(name, plain.encode("ascii")), name).board
    return _of_text(text, name)


def _of_text(text: str, name: str) -> PuzzleBoard:
    header: dict[str, str] = {}
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if not line.strip() or line.startswith((";", "# ")):
            continue
        found = None if rows else _HEADER.fullmatch(line)
        if found is not None:
            key = found[1].lower()
            if key in header:
                raise wrong_at(name, number, f"a second line {key!r}")
            header[key] = found[2]
            continue
        words = line.split()
        alone = len(words) == 1 and header.get("columns") != "1"
        rows.append((number, [*words[0]] if alone else words))
    if not rows or len(rows) * len(rows[0][1]) > _MOST_CELLS:
        raise WrongCertificateError(name, f"no board of 1 to {_MOST_CELLS} cells")
    width = len(rows[0][1])
    if header.get("columns", str(width)) != str(width):
        raise WrongCertificateError(name, f"the line 'columns' says otherwise than {width} cells")
    geometry, rules = header.get("geometry", "square"), tuple(header.get("rules", "").split())
    grid = _rows_and_columns(geometry, len(rows), width, name)
    of_clues = _refused(name, None, clue_rules, rules)
    clues, flags = [], set()
    for row, (number, words) in enumerate(rows):
        if len(words) != width:
            raise wrong_at(name, number, f"not {width} cells")
        for column, word in enumerate(words):
            cell = row * width + column
            # Under 2E the letters F and H are clues.
            is_letter = of_clues == ("2E",) and "A" <= word <= "I"
            if word in _FLAGS and not is_letter:
                flags.add(cell)
            elif word not in _COVERED or is_letter:
                clues.append(_refused(name, number, clue_of, cell, word, of_clues))
    total = header.get("mines", "?")
    mines = None if total in ("?", "unknown") else total
    if mines is not None and not re.fullmatch(r"[0-9]{1,9}", mines, re.ASCII):
        raise WrongCertificateError(name, f"{mines!r} is no number of mines")
    found_mines = _total(None if mines is None else int(mines), name, grid.size)
    return PuzzleBoard(grid, rules, tuple(clues), frozenset(flags), found_mines)


def _rows_and_columns(geometry: str, rows: int, columns: int, name: str) -> Grid:
    if geometry not in GEOMETRIES:
        raise WrongCertificateError(name, f"there is no geometry {geometry!r}")
    if geometry == "torus" and min(rows, columns) < 3:
        raise WrongCertificateError(name, "a torus has 3 rows and 3 columns at least")
    return Grid(geometry, rows, columns)


def _total(mines: int | None, name: str, most: int) -> int | None:
    if mines is None or 0 <= mines <= most:
        return mines
    raise WrongCertificateError(name, f"{mines} is no number of mines, 0 to {most}")


def _refused(name: str, line: int | None, read: Callable[..., _T], *arguments: Any) -> _T:
    """Return the result of ``read``, whose ValueError becomes a fault of the file ``name``."""
    try:
        return read(*arguments)
    except ValueError as error:
        raise wrong_at(name, line, str(error)) from None


class _JsonBoard:
    """The board of a JSON object, read part by part; ``name``: the file in messages."""

    def __init__(self, found: dict[str, Any], name: str) -> None:
        self._name = name
        geometry = found.get("geometry")
        if found.get("schema") != SCHEMA:
            raise self._wrong("schema", f"not {SCHEMA!r}")
        if not isinstance(geometry, str) or geometry not in _SIZES:
            raise self._wrong("geometry", "there is no such geometry")
        needed = {"schema", "geometry", *_SIZES[geometry]}
        for key in sorted((needed - found.keys()) | (found.keys() - needed - _PARTS)):
            raise self._wrong(
                key, "it is missing" if key in needed else "the schema has no such name"
            )
        self._grid = grid = self._geometry(geometry, found)
        self._numbers = {name: cell for cell, name in enumerate(grid.names)}
        if "dyed" in found:
            grid.mask = frozenset(self._cells(found, "dyed"))
        weights = {
            cell: self._number(each["weight"], "weight", -_MOST, _MOST)
            for cell, each in self._of_cells(found, "weights", {"weight"})
        }
        capacity = {
            cell: self._number(each["mines"], "capacity", 1, _MOST)
            for cell, each in self._of_cells(found, "capacity", {"mines"})
        }
        # What is 1 is what it would be without being said.
        grid.weights = {cell: weight for cell, weight in weights.items() if weight != 1}
        grid.capacity = {cell: most for cell, most in capacity.items() if most > 1}
        room = grid.size + sum(most - 1 for most in grid.capacity.values())
        if room > _MOST_MINES:
            raise self._wrong("capacity", f"{room} mines in all cells, {_MOST_MINES} at most")
        rules = self._texts(found.get("rules", []), "rules")
        of_clues = _refused(name, None, clue_rules, rules)
        mines = found.get("mines")
        self.board = PuzzleBoard(
            grid,
            rules,
            tuple(sorted(self._clues(found, of_clues))),
            frozenset(self._cells(found, "flags")),
            None if mines is None else self._number(mines, "mines", 0, room),
            frozenset(self._cells(found, "opened")),
            frozenset(self._cells(found, "shown")),
            tuple(sorted(self._regions(found))),
        )
        self._require_one_state()

    def _wrong(self, what: str, fault: str) -> WrongCertificateError:
        return WrongCertificateError(self._name, f"{what}: {fault}")

    def _require_one_state(self) -> None:
        board = self.board
        states = [board.opened, board.shown, board.flags]
        states.append(frozenset(clue.cell for clue in board.clues) - board.shown)
        if len(frozenset().union(*states)) < sum(map(len, states)):
            raise self._wrong("cells", "one is opened and flagged, or a mine and safe")

    def _geometry(self, geometry: str, found: dict[str, Any]) -> Grid:
        if geometry == "graph":
            return self._graph(found["neighbours"])
        if geometry == "hexcells":
            places = [self._place(each) for each in self._list(found["cells"], "cells")]
            taken = {*places}
            if not places or len(taken) < len(places):
                raise self._wrong("cells", "no place, or one that is there twice")
            if any((row + 1, column) in taken for row, column in places):
                raise self._wrong("cells", "two hexagons overlap")
            return Hexagons(places)
        sizes = [self._number(found[key], key, 1, _MOST_CELLS) for key in _SIZES[geometry]]
        if prod(sizes) > _MOST_CELLS:
            raise self._wrong("rows", f"more than {_MOST_CELLS} cells")
        if geometry == "cubes":
            return Cubes(*sizes)
        return _rows_and_columns(geometry, sizes[0], sizes[1], self._name)

    def _place(self, found: Any) -> tuple[int, int]:
        match found:
            case [row, column] if is_integer(row) and is_integer(column):
                return row, column
        raise self._wrong("cells", "not [row, column]")

    def _graph(self, found: Any) -> Graph:
        pairs = [*found.items()] if isinstance(found, dict) else found
        near: dict[Hashable, list[Hashable]] = {}
        for pair in self._list(pairs, "neighbours"):
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise self._wrong("neighbours", "not [cell, list of cells]")
            cell = self._called(pair[0])
            if cell in near:
                raise self._wrong("neighbours", f"a second cell {cell}")
            near[cell] = [self._called(each) for each in self._list(pair[1], "neighbours")]
        for cell, others in near.items():
            if len({*others}) < len(others) or cell in others:
                raise self._wrong("neighbours", f"of {cell}: each once, and not the cell itself")
            strange = [other for other in others if other not in near]
            if strange:
                raise self._wrong("neighbours", f"of {cell}: {strange[0]} is no cell")
        if not near:
            raise self._wrong("neighbours", "no cell")
        return Graph(near)

    def _called(self, found: Any, depth: int = 0) -> Hashable:
        """Return the name of a cell: a list is a tuple."""
        if isinstance(found, list) and depth < 50:
            return tuple([self._called(each, depth + 1) for each in found])
        # Names are printed: no line breaks, and nothing that a terminal would obey.
        if is_integer(found) or (isinstance(found, str) and found.isprintable()):
            return found  # type: ignore[no-any-return]
        raise self._wrong("cells", "a cell is printable text, an integer, or a list of these")

    def _cell(self, found: Any, what: str) -> int:
        name = self._called(found)
        if name not in self._numbers:
            raise self._wrong(what, f"{name}: there is no such cell")
        return self._numbers[name]

    def _cells(self, found: dict[str, Any], key: str) -> list[int]:
        """Return a list of cells, each once; an empty one if the name ``key`` is not there."""
        cells = [self._cell(each, key) for each in self._list(found.get(key, []), key)]
        if len({*cells}) < len(cells):
            raise self._wrong(key, "a cell is there twice")
        return cells

    def _of_cells(
        self, found: dict[str, Any], key: str, needed: set[str], more: Sequence[str] = ()
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the cell and the object of each entry of a list about cells, a cell once."""
        seen = set()
        for each in self._objects(found, key, {"cell", *needed}, more):
            cell = self._cell(each["cell"], key)
            if cell in seen:
                raise self._wrong(key, f"a second entry of {self._grid.names[cell]}")
            seen.add(cell)
            yield cell, each

    def _clues(
        self, found: dict[str, Any], of_clues: tuple[str, ...] | None
    ) -> Iterator[PuzzleClue]:
        for cell, each in self._of_cells(found, "clues", {"clue"}, ("rule",)):
            text = str(each["clue"]) if is_integer(each["clue"]) else each["clue"]
            if not isinstance(text, str):
                raise self._wrong("clues", "no text and no number")
            letters = of_clues
            if "rule" in each:
                own = self._texts(each["rule"], "rule")
                letters = _refused(self._name, None, clue_rules, own)
                if letters is None or not {*own} <= {*letters, "V"}:
                    raise self._wrong("rule", f"{' '.join(own)}: no rule of one clue")
            yield _refused(self._name, None, clue_of, cell, text, letters)

    def _regions(self, found: dict[str, Any]) -> Iterator[PuzzleRegion]:
        seen = set()
        for each in self._objects(found, "regions", {"name", "cells", "mines"}, ("arranged",)):
            name, arranged = each["name"], each.get("arranged", "")
            if not isinstance(name, str) or not name.isprintable() or name in seen:
                raise self._wrong("regions", "a name that is no printable text, or is there twice")
            if arranged not in ("", "together", "apart"):
                raise self._wrong("regions", "arranged: not together and not apart")
            seen.add(name)
            mines = self._number(each["mines"], "regions", 0, _MOST)
            yield PuzzleRegion(name, tuple(self._cells(each, "cells")), mines, arranged)

    def _objects(
        self, found: dict[str, Any], key: str, needed: set[str], more: Sequence[str]
    ) -> Iterator[dict[str, Any]]:
        for each in self._list(found.get(key, []), key):
            if not isinstance(each, dict) or not needed <= each.keys() <= {*needed, *more}:
                names = ", ".join(sorted({*needed, *more}))
                raise self._wrong(key, f"an entry that is no object with {names}")
            yield each

    def _list(self, found: Any, what: str) -> list[Any]:
        if not isinstance(found, list) or len(found) > _MOST_CELLS:
            raise self._wrong(what, f"no list of at most {_MOST_CELLS} entries")
        return found

    def _texts(self, found: Any, what: str) -> tuple[str, ...]:
        texts = self._list(found, what)
        if not all(isinstance(each, str) for each in texts):
            raise self._wrong(what, "not all entries are texts")
        return tuple(texts)

    def _number(self, found: Any, what: str, least: int, most: int) -> int:
        if not is_integer(found) or not least <= found <= most:
            raise self._wrong(what, f"no integer from {least} to {most}")
        return found  # type: ignore[no-any-return]
