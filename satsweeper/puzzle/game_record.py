"""Files of games on boards with rules, schema ``satsweeper/game/2``.

A file is a JSON object: ``rules``, ``geometry``, ``mines``, ``seed``; ``grid``, rows of cells with
blanks between them; and ``solution``, the rows with every safe cell open and ``*`` for mines, in
base64 so that nobody reads them by accident.

A cell of the grid is a clue, ``#`` covered, ``?`` covered and to be opened, ``!`` a flag, ``*`` a
mine that was opened.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple, Self

from satsweeper.notation.detect import unwrapped
from satsweeper.notation.error import BoardError
from satsweeper.notation.json_board import json_object
from satsweeper.notation.text import decoded
from satsweeper.position import KEEP, Total
from satsweeper.puzzle.clue import Clue, read_clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.fields import MOST_CELLS, Fields
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.headers import GAME
from satsweeper.puzzle.rules.kind import required
from satsweeper.puzzle.rules.table import parted, refuse_own

COVERED, CHOSEN, FLAG, EXPLODED = "#?!*"
_MARKS: Final = "# covered, ? to be opened, ! a flag"


class GameRecord(NamedTuple):
    """A game as its file has it; cells by number.

    ``clues``: the clue of every safe cell. ``marked``: one of the marks `COVERED`, `CHOSEN`,
    `FLAG`, `EXPLODED` -> the cells with it; all others are open.
    """

    geometry: Geometry
    rules: tuple[str, ...]
    mines: int
    clues: Mapping[int, Clue]
    marked: Mapping[str, frozenset[int]]
    seed: int

    @classmethod
    def read(
        cls, data: bytes | str, source: str, allowed: Collection[str] | None = ()
    ) -> GameRecord:
        """Read a file. Raises BoardError.

        ``allowed``: the rules ``MODULE:NAME`` that it may name; None: any.
        """
        found = json_object(decoded(unwrapped(data, source), source), "game", source)
        if found.get("schema") != GAME:
            raise BoardError(source, message=f"no game: an object of the schema {GAME!r}")
        try:
            return cls._of(found, allowed)
        except KeyError as error:
            raise BoardError(source, message=f"no entry {error}") from None
        except (ValueError, TypeError, AttributeError) as error:
            raise BoardError(source, message=str(error)) from None

    @classmethod
    def _of(cls, found: Mapping[str, Any], allowed: Collection[str] | None) -> Self:
        solution = [
            line.split()
            for line in b64decode(found["solution"], validate=True).decode().split("\n")
        ]
        rows = [line.split() for line in found["grid"]]
        columns = len(solution[0])
        if [*map(len, rows)] != [columns] * len(solution):
            size = f"{len(solution)} rows of {columns}"
            raise RuleError(f"the grid does not have the size of the solution, {size}")
        if columns * len(solution) > MOST_CELLS:
            raise RuleError(f"more than {MOST_CELLS} cells: a board with rules has no more")
        rules = tuple(str(found["rules"]).split())
        refuse_own(rules, allowed)
        required(rules)
        geometry = grid(found["geometry"], len(solution), columns)
        kinds = parted(rules)[1] or ("V",)
        texts = [text for line in solution for text in line]
        clues = {
            cell: read_clue(text, kinds) for cell, text in enumerate(texts) if text != EXPLODED
        }
        mines = found["mines"]
        if len(texts) - len(clues) != mines:
            raise RuleError(f"the solution has {len(texts) - len(clues)} mines, not {mines}")
        marked: dict[str, set[int]] = {mark: set() for mark in (COVERED, CHOSEN, FLAG, EXPLODED)}
        for cell, text in enumerate([text for line in rows for text in line]):
            place = geometry.cells[cell]
            if text == EXPLODED and cell in clues:
                raise RuleError(f"'*' at {place}: there is no mine")
            if text in marked:
                marked[text].add(cell)
            elif text != texts[cell]:
                raise RuleError(f"{text!r} at {place}: {_MARKS}; a clue is not to be changed")
        cells = {mark: frozenset(each) for mark, each in marked.items()}
        return cls(geometry, rules, mines, clues, cells, int(found["seed"]))

    @property
    def opened(self) -> dict[int, Clue]:
        """The clues of the open cells."""
        covered = frozenset().union(*self.marked.values())
        return {cell: clue for cell, clue in self.clues.items() if cell not in covered}

    def fields(self, mines: Total = KEEP, *, solved: bool = False) -> Fields:
        """Return the arguments of `Puzzle` for what a player sees; exploded mines are known ones.

        Args:
            mines: replaces the total.
            solved: whether every safe cell is open instead, and every other mine has a flag.
        """
        exploded = self.marked[EXPLODED]
        all_mines = frozenset(range(len(self.geometry))).difference(self.clues)
        return {
            "geometry": self.geometry,
            "rules": self.rules,
            "clues": dict(self.clues) if solved else self.opened,
            "flags": all_mines - exploded if solved else self.marked[FLAG],
            "shown": exploded,
            "mines": self.mines if mines is KEEP else mines,
        }
