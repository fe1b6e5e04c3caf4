r"""Levels of Hexcells: 38 lines, with what is shown at the beginning, and with the solution.

The lines are ``Hexcells level v1``, the title, the author, two lines of text, and 33 lines of 33
pairs of characters. The first of a pair: ``.`` nothing, ``o`` a black cell (safe), ``x`` a blue
cell (a mine), ``O`` and ``X`` those that are open at the beginning, and ``\ | /`` the number of a
line of cells that goes down right, down, or down left. The second: ``.`` no number, ``+`` a number,
``c`` a number of consecutive mines, ``n`` of mines that are not consecutive.

A black cell counts the mines among the six around it, where holes break what is consecutive; a blue
one those up to two steps away; a line those of its cells, where holes do not break. The numbers are
not in the file: they follow from the solution. A `Puzzle` of a level has the numbers of open cells
and of lines, and the total, and nothing else of the solution.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

from pbcnf.wording import counted
from satsweeper.notation.detect import unwrapped
from satsweeper.notation.error import BoardError
from satsweeper.notation.header import shortened
from satsweeper.notation.text import decoded
from satsweeper.position import KEEP, Total
from satsweeper.puzzle.clue import Clue, Region
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.fields import Fields, Shown
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.hexcells import EIGHTEEN, hexcells
from satsweeper.puzzle.headers import LEVEL
from satsweeper.puzzle.rules.clues.runs import runs
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.table import OWN_LETTERS

SIZE: Final = 33
"""The lines of cells, and the pairs of a line."""
Place = tuple[int, int]
"""The line and the pair, from 0."""

Pair = tuple[str, str]
"""The two characters at a place."""

_LINES: Final = {
    "\\": (1, "the line down right of"),
    "|": (0, "the column below"),
    "/": (-1, "the line down left of"),
}
"""Symbol of a line -> how many columns it goes to the right a row, and its name."""
_NAME: Final = re.compile(r"(.+) \(([0-9]+), ([0-9]+)\)")
_KINDS: Final = {"+": "V", "c": "HC", "n": "HN"}
_SECOND: Final = {letters: second for second, letters in _KINDS.items()} | {"HB": "+", ".": "."}
_ARRANGED: Final = {"+": "", "c": "together", "n": "apart"}


@dataclass(frozen=True)
class Level:
    """A level with its solution: the pair of characters at each place that is not empty."""

    pairs: Mapping[Place, Pair]
    title: str = ""
    author: str = ""
    texts: tuple[str, str] = ("", "")

    @classmethod
    def of(
        cls,
        puzzle: Shown,
        solution: Collection[int],
        hidden: Mapping[int, str] | None = None,
        title: str = "",
        author: str = "",
    ) -> Self:
        r"""Return the level of a puzzle with hexagons, numbers of lines and a solution.

        Args:
            puzzle: the board, of the geometry hexcells.
            solution: the mines, by number of the cell.
            hidden: covered cell -> its second character, what it shows when it is opened; else a
                number for black cells and nothing for blue ones.
            title: one line.
            author: one line.

        Raises RuleError for what a level cannot hold, and for another solution than the puzzle's.
        """
        if any(not text.isprintable() for text in (title, author)):
            raise RuleError("title and author: a line of printable characters each")
        require_holdable(puzzle)
        geometry = puzzle.geometry
        pairs: dict[Place, Pair] = {}
        for number, place in enumerate(_places(geometry)):
            mine = number in solution
            clue = puzzle.clues.get(number)
            if number in puzzle.opened or number in puzzle.shown or clue is not None:
                letters = "." if clue is None else " ".join(clue.kind.letters)
                first = "X" if number in puzzle.shown else "O"
                second = _SECOND.get(letters, "")
            else:
                first = "x" if mine else "o"
                second = (hidden or {}).get(number, "." if mine else "+")
            if second not in ("+", ".") if mine else second not in (".", "+", "c", "n"):
                raise RuleError(f"a level cannot hold what cell {place} shows")
            pairs[place] = first, second
        for region in puzzle.regions:
            place, symbol = _marker(region)
            if pairs.get(place):
                raise RuleError(f"a level cannot hold {region.name}: {place} is taken")
            second = {how: symbol for symbol, how in _ARRANGED.items()}[region.arranged]
            pairs[place] = symbol, second
        level = cls(pairs, title, author)
        level._require(puzzle, solution)
        return level

    def _require(self, puzzle: Shown, solution: Collection[int]) -> None:
        """Raise RuleError unless a puzzle shows the numbers that a solution gives."""
        try:
            found = self.fields()
        except BoardError as error:
            raise RuleError(f"another solution than the puzzle's: {error.message}") from None
        if self.solution != frozenset(solution) or found["shown"] != puzzle.shown:
            raise RuleError("another solution than the puzzle's: open cells differ")
        if found["mines"] != puzzle.mines:
            raise RuleError(f"a level tells the total, {found['mines']}: the puzzle {puzzle.mines}")
        for cell, clue in found["clues"].items():
            if clue != puzzle.clues[cell]:
                where = f"{clue.text()} at {self.geometry.cells[cell]}"
                raise RuleError(f"another solution than the puzzle's: it has {where}")
        if {*found["regions"]} != {*puzzle.regions}:
            wrong = next(each for each in puzzle.regions if each not in found["regions"])
            raise RuleError(f"another solution than the puzzle's, by {wrong.name}")

    @cached_property
    def geometry(self) -> Geometry:
        """The hexagons. Raises RuleError where they overlap."""
        return hexcells(place for place, pair in self.pairs.items() if pair[0] in "oOxX")

    @cached_property
    def solution(self) -> frozenset[int]:
        """The mines, by number of the cell."""
        numbers = self.geometry.numbers
        return frozenset(numbers[place] for place, pair in self.pairs.items() if pair[0] in "xX")

    def fields(
        self, source: str = "<level>", mines: Total = KEEP, also: Iterable[int] = ()
    ) -> Fields:
        """Return the arguments of `Puzzle` for the part of the level that a player sees.

        Args:
            source: the name of the level in messages.
            mines: replaces the total.
            also: cells that the player has opened or marked since the beginning, by number.

        Raises BoardError for numbers whose second character does not fit the solution.
        """
        opened, shown, clues = set(), set(), {}
        numbers = self.geometry.numbers
        after = {*also}
        for place, (first, _) in sorted(self.pairs.items()):
            if first not in "oOxX":
                continue
            cell = numbers[place]
            clue = self._clue(place, source)
            if first not in "OX" and cell not in after:
                continue
            if clue is not None:
                clues[cell] = clue
            if cell in self.solution:
                shown.add(cell)
            elif clue is None:
                opened.add(cell)
        return {
            "geometry": self.geometry,
            "rules": (OWN_LETTERS,),
            "clues": clues,
            "opened": frozenset(opened),
            "shown": frozenset(shown),
            "regions": tuple(self._lines(source)),
            "mines": len(self.solution) if mines is KEEP else mines,
        }

    def _clue(self, place: Place, source: str) -> Clue | None:
        first, second = self.pairs[place]
        if second == ".":
            return None
        numbers = self.geometry.numbers
        cell = numbers[place]
        if first in "xX":
            row, column = place
            near = [numbers.get((row + down, column + right)) for down, right in EIGHTEEN]
            return Clue(clue_kind(("HB",)), sum([other in self.solution for other in near]))
        circle = [other in self.solution for other in self.geometry.ring(cell)]
        _require_arranged(second, len(runs(circle)) < 2, place, source)
        return Clue(clue_kind((_KINDS[second],)), sum(circle))

    def _lines(self, source: str) -> Iterable[Region]:
        for place, (symbol, second) in sorted(self.pairs.items()):
            if symbol not in _LINES or second == ".":
                continue
            cells = _cells_of(self.geometry, symbol, place)
            if not cells:
                raise BoardError(source, *_where(place), f"a line {symbol!r} without cells")
            mines = [at for at, cell in enumerate(cells) if cell in self.solution]
            together = not mines or mines[-1] - mines[0] == len(mines) - 1
            _require_arranged(second, together, place, source)
            name = f"{_LINES[symbol][1]} ({place[0]}, {place[1]})"
            yield Region(name, cells, len(mines), _ARRANGED[second])

    def text(self) -> str:
        """Return the 38 lines, as `read_level` reads them.

        Raises RuleError for a place beyond the 33 lines and pairs.
        """
        for place in self.pairs:
            if not all(0 <= at < SIZE for at in place):
                raise RuleError(f"a level has lines and pairs 0 to {SIZE - 1}: no place {place}")
        rows = [
            "".join(["".join(self.pairs.get((row, column), "..")) for column in range(SIZE)])
            for row in range(SIZE)
        ]
        return "\n".join([LEVEL, self.title, self.author, *self.texts, *rows]) + "\n"


def read_level(data: str | bytes, source: str = "<text>") -> Level:
    """Return the level in a text; indented lines and code fences are read as well.

    Raises BoardError with source, line and column for a text that is no level.
    """
    text = decoded(unwrapped(data, source), source)
    written = text.split("\n")
    lines = [line.strip() for line in written]
    start = next((at for at, line in enumerate(lines) if line == LEVEL), None)
    if start is None:
        raise BoardError(source, message=f"no level: no line {LEVEL!r}")
    while lines[-1] == "":
        lines.pop()
    rows = lines[start + 5 :]
    if len(rows) != SIZE:
        what = f"{counted(len(lines) - start, 'line')}: title, author, two texts, {SIZE} of cells"
        raise BoardError(source, start + 1, 1, f"a level of {what} are needed below the first")
    pairs: dict[Place, Pair] = {}
    for row, line in enumerate(rows):
        number = start + 6 + row
        indent = written[number - 1].index(line)
        if len(line) != 2 * SIZE:
            what = f"line of {counted(len(line), 'character')}: {SIZE} pairs are needed"
            raise BoardError(source, number, indent + 1, what)
        for column in range(SIZE):
            pair = line[2 * column : 2 * column + 2]
            if pair == "..":
                continue
            fault = _fault(pair)
            if fault:
                raise BoardError(source, number, indent + 2 * column + 1, fault)
            pairs[row, column] = pair[0], pair[1]
    title, author, first, second = lines[start + 1 : start + 5]
    level = Level(pairs, title, author, (first, second))
    try:
        cells = len(level.geometry)
        if not cells:
            raise BoardError(source, message="a level without cells")
        level.fields(source)
    except RuleError as error:
        raise BoardError(source, message=str(error)) from None
    except BoardError as error:
        # The places of a level are those of its 33 lines without what stands before them.
        if error.line is None or error.column is None:
            raise
        number = start + 5 + error.line
        indent = written[number - 1].index(lines[number - 1])
        raise BoardError(source, number, indent + error.column, error.message) from None
    return level


def _fault(pair: str) -> str:
    """Return the fault of a pair, "" for none."""
    first, second = pair[0], pair[1]
    if pair == "??":
        return "'??': a position without its solution, which does not tell any number"
    if first not in ".oOxX\\|/":
        return f"{shortened(pair)!r}: the first is one of . o O x X \\ | /"
    if second not in ".+cn":
        return f"{shortened(pair)!r}: the second is one of . + c n"
    if first == ".":
        return f"{pair!r}: a place without a cell has no number"
    if first in "xX" and second in "cn":
        return f"{pair!r}: a blue cell has a number, +, or none"
    return ""


def _require_arranged(second: str, together: bool, place: Place, source: str) -> None:
    """Raise BoardError if ``second`` says the opposite of whether mines are ``together``."""
    if second in ("c", "n") and together is not (second == "c"):
        found = "consecutive" if together else "not consecutive"
        raise BoardError(source, *_where(place), f"{second!r}: the blue cells are {found}")


def _where(place: Place) -> tuple[int, int]:
    return place[0] + 1, 2 * place[1] + 1


def _cells_of(geometry: Geometry, symbol: str, place: Place) -> tuple[int, ...]:
    """Return the cells of the line that begins at ``place``, in order."""
    right = _LINES[symbol][0]
    last = max([row for row, _ in _places(geometry)], default=0)
    steps = range(1, last - place[0] + 1)
    found = [geometry.numbers.get((place[0] + far, place[1] + far * right)) for far in steps]
    return tuple([cell for cell in found if cell is not None])


def _places(geometry: Geometry) -> list[Place]:
    return [(cell[0], cell[1]) for cell in geometry.cells if isinstance(cell, tuple)]


def _marker(region: Region) -> tuple[Place, str]:
    """Return the place and the symbol of the number of a line. Raises RuleError for others."""
    found = _NAME.fullmatch(region.name)
    symbol = next((each for each, (_, name) in _LINES.items() if found and found[1] == name), None)
    if found is None or symbol is None:
        raise RuleError(f"a level cannot hold the region {region.name}: no line of cells")
    return (int(found[2]), int(found[3])), symbol


def require_holdable(puzzle: Shown) -> None:
    """Raise RuleError for a board with parts that a level has no place for."""
    if puzzle.geometry.name != "hexcells":
        raise RuleError(f"a level has hexagons (hexcells), no geometry {puzzle.geometry.name!r}")
    rules = {*puzzle.rules} - {OWN_LETTERS, "V"}
    parts = {
        "rules": rules,
        "flags": puzzle.flags,
        "dyed cells": puzzle.dyed,
        "weights": puzzle.weights,
        "capacities": puzzle.capacity,
    }
    lost = [name for name, part in parts.items() if part]
    if lost:
        raise RuleError(f"a level cannot hold {', '.join(lost)}: JSON can")
