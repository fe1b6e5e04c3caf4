"""Boards of the page with rules, or of other cells than squares.

Such a board is an object ``{"text": ...}``, the text of a board file, in JSON where no other text
holds the board. As links hold it, it has nothing but what a player sees: of a level of Hexcells and
of the file of a game it leaves the solution out. The page shows the cells in rows; in questions and
answers a cell is its place there, ``[row, place in the row]``, whatever its name on the board.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from satsweeper.answers.classification import Status, Verdict
from satsweeper.board.errors import LimitError
from satsweeper.count.odds import NoLayoutError
from satsweeper.puzzle.answers import PuzzleConflict, symbol
from satsweeper.puzzle.clue import read_clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.odds.odds import odds_of_puzzle
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import OWN_LETTERS
from satsweeper.puzzle.sentences import conflict_sentence
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.show.picture.arrangement import Arrangement, arranged
from satsweeper.show.picture.puzzles import draw_puzzle
from satsweeper.show.picture.scene import TileKind
from satsweeper.show.sentences import percent

_LETTERS: Final = {Verdict.SAFE: "S", Verdict.MINE: "M", Verdict.UNKNOWN: "?"}


def puzzle_of(board: dict[str, Any]) -> Puzzle:
    """Return the puzzle of a board of the page; raises ``BoardError``."""
    return _parsed(board["text"])


@lru_cache(maxsize=8)
def _parsed(text: str) -> Puzzle:
    return Puzzle.parse(text, source="board")


def shown(puzzle: Puzzle, text: str) -> dict[str, Any]:
    """Return a board for drawing.

    The entry ``rows`` has the text of each cell, ``puzzle`` the rest: ``text``, the size of the
    whole in cells, ``lines`` and ``labels`` around the cells, the ``caption``, and for each cell in
    ``cells`` its place and form, the ``sign`` of an opened one, and all that a label says.
    """
    scene = draw_puzzle(puzzle)
    plan = scene.arrangement
    assert plan is not None
    (west, north), _ = plan.box
    named = len(puzzle.geometry.shape) != 2

    def cell(number: int, tile: Any) -> dict[str, Any]:
        x, y = plan.places[number]
        found = {
            "x": round(x - west, 3), "y": round(y - north, 3), "form": str(tile.form),
            "sign": tile.glyph, "letters": tile.letters, "note": tile.note, "dyed": tile.dyed,
            "mine": tile.kind is TileKind.SHOWN,
        }  # fmt: skip
        return found | ({"name": str(puzzle.geometry.cells[number])} if named else {})

    tiles = scene.boards[0][1]
    return {
        "rows": [[symbol(puzzle, number) for number in row] for row in plan.rows],
        "mines": puzzle.mines,
        "format": "text with rules",
        "id": None,
        "puzzle": {
            "text": text,
            "size": [round(plan.width, 3), round(plan.height, 3)],
            "cells": [
                [cell(number, tile) for number, tile in zip(row, drawn, strict=True)]
                for row, drawn in zip(plan.rows, tiles, strict=True)
            ],
            "labels": [
                [round(x - west - 0.2 * ends, 3), round(y - north, 3), text]
                for (x, y), text, _, ends in plan.labels
            ],
            "lines": [
                [[round(x - west, 3), round(y - north, 3)] for x, y in line] for line in plan.lines
            ],
            "caption": scene.caption,
        },
    }


def edit(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the board for drawing after a change: ``symbol`` in ``cell``, or the total ``mines``.

    A symbol is ``?`` for a covered cell, ``F`` for a flag, or the text of a clue; where clues have
    rules of their own, digits alone are a clue of rule V.

    Raises ValueError for a symbol that is no clue.
    """
    puzzle = puzzle_of(asked["board"])
    if "mines" in asked:
        puzzle = replace(puzzle, mines=asked["mines"])
    if "cell" in asked:
        row, column = asked["cell"]
        here, text = arranged(puzzle.geometry).rows[row][column], asked["symbol"]
        parts: dict[str, Any] = {
            "clues": {cell: clue for cell, clue in puzzle.clues.items() if cell != here},
            **{name: getattr(puzzle, name) - {here} for name in ("flags", "opened", "shown")},
        }
        if text == "F":
            parts["flags"] |= {here}
        elif text != "?":
            own = OWN_LETTERS in puzzle.clue_rules and text.isdigit()
            parts["clues"][here] = read_clue(text, ("V",) if own else puzzle.clue_rules)
        puzzle = replace(puzzle, **parts)
    return shown(puzzle, text_of(puzzle))


def text_of(puzzle: Puzzle) -> str:
    """Return the text of a board, JSON where no other text can hold it."""
    try:
        return puzzle.text()
    except RuleError:
        return json.dumps(puzzle.as_json(), separators=(",", ":"))


class _Places:
    """Where the cells of a board stand on the page."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.numbers = puzzle.geometry.numbers
        self.rows: Arrangement = arranged(puzzle.geometry)
        self.of = {
            number: [row, column]
            for row, numbers in enumerate(self.rows.rows)
            for column, number in enumerate(numbers)
        }

    def listed(self, names: Iterable[Hashable]) -> list[list[int]]:
        """Return the places of cells with these names."""
        return [self.of[self.numbers[name]] for name in names]

    def grid(self, letters: Mapping[int, str]) -> list[list[str]]:
        """Return a text for each cell, row by row; empty where there is none."""
        return [[letters.get(number, "") for number in row] for row in self.rows.rows]


def places(puzzle: Puzzle) -> dict[int, list[int]]:
    """Return the place of each cell, by number."""
    return _Places(puzzle).of


def _conflict(places: _Places, puzzle: Puzzle, found: PuzzleConflict) -> dict[str, Any]:
    conflict = found.as_json()
    conflict |= {"clues": places.listed(found.clues), "flags": places.listed(found.flags)}
    return {"conflict": conflict, "sentence": conflict_sentence(puzzle, found)}


def classify(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the verdicts, or what clashes, as ``classify --json`` with places of the page."""
    puzzle = puzzle_of(asked["board"])
    with PuzzleSession(puzzle, flags=asked.get("flags", "trust")) as session:
        found = session.classify()
    places, answer = _Places(puzzle), found.as_json()
    if found.conflict is not None:
        return answer | _conflict(places, puzzle, found.conflict)
    letters = {number: _LETTERS[verdict] for number, verdict in found.by_cell.items()}
    return answer | {"grid": places.grid(letters)}


def explain(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the reason for the verdict on a cell; on an inconsistent board what `classify` says.

    The sentence about a cell that is not certain also gives the chance of a mine, if known.
    """
    puzzle, flags = puzzle_of(asked["board"]), asked.get("flags", "trust")
    places = _Places(puzzle)
    row, column = asked["cell"]
    number = places.rows.rows[row][column]
    with PuzzleSession(puzzle, flags=flags) as session:
        if session.classify().status is Status.INCONSISTENT:
            return classify(asked)
        found = session.explain(puzzle.geometry.cells[number])
    answer: dict[str, Any] = {"cell": [row, column], "verdict": str(found.verdict)}
    answer["sentence"] = found.sentence
    if found.reason is not None:
        reason = found.reason
        answer |= reason.as_json()
        answer |= {"clues": places.listed(reason.clues), "flags": places.listed(reason.flags)}
        return answer
    for kind, rows in (("mine", found.mine_layout), ("safe", found.safe_layout)):
        letters = dict(enumerate(sign for row in rows or () for sign in row))
        answer.setdefault("witnesses", {})[kind] = places.grid(letters)
    try:
        chance = odds_of_puzzle(puzzle, flags=flags).by_cell[number]
    except LimitError:
        return answer
    return answer | {"sentence": f"{found.sentence} A mine with {percent(chance)}."}


def odds(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the chances of a mine, as ``odds --json`` with places of the page and words."""
    puzzle = puzzle_of(asked["board"])
    places = _Places(puzzle)
    try:
        found = odds_of_puzzle(puzzle, flags=asked.get("flags", "trust"))
    except NoLayoutError:
        return {"solutions": "0", "cells": []}
    except LimitError as error:
        return {"error": str(error)}
    cells = [
        {"cell": places.of[number], "mine": str(chance), "value": float(chance),
         "said": percent(chance)}
        for number, chance in found.by_cell.items()
    ]  # fmt: skip
    return found.as_json() | {"cells": cells, "safest": places.listed(found.safest())}
