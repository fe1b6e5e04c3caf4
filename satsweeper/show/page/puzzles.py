"""Boards of the page with rules, or of other cells than squares.

Such a board is an object ``{"text": ...}``, the text of a board file. The page shows the cells in
rows; in questions and answers a cell is its place there, ``[row, place in the row]``, whatever its
name on the board.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from satsweeper.answers.classification import Status, Verdict
from satsweeper.board.errors import LimitError
from satsweeper.count.odds import NoLayoutError
from satsweeper.puzzle.answers import PuzzleConflict, symbol
from satsweeper.puzzle.geometry.table import GRIDS
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.sentences import conflict_sentence
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.show.chances import odds_of
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
    refuse_own_rules(text)
    return Puzzle.parse(text, source="board")


def refuse_own_rules(text: str) -> None:
    """Raise ValueError for a board with rules ``MODULE:NAME``.

    A link may come from anybody, and such a rule would be imported and called.
    """
    bare = text.lstrip("\ufeff \t\r\n")
    if bare.startswith("{"):
        try:
            named = [*_named_in(json.loads(bare))]
        except ValueError:
            return
    else:
        heads = re.findall(r"^[ \t]*rules[ \t]*:(.*)$", text, re.IGNORECASE | re.MULTILINE)
        named = [word for head in heads for word in head.split()]
    own = next((name for name in named if ":" in name), None)
    if own is not None:
        raise ValueError(f"rule {own}: the page takes no rules of your own")


def _named_in(value: Any, key: str = "") -> Iterator[str]:
    """Yield all texts under the keys ``rules`` and ``rule`` of a value out of JSON."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _named_in(inner, key if key in ("rules", "rule") else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _named_in(inner, key)
    elif isinstance(value, str) and key in ("rules", "rule"):
        yield value


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

    Raises ValueError for a symbol that is no clue, and for a board that its text alone can change.
    """
    puzzle = puzzle_of(asked["board"])
    _require_text(puzzle)
    symbols = [symbol(puzzle, number) for number in range(len(puzzle.geometry))]
    if "cell" in asked:
        row, column = asked["cell"]
        symbols[arranged(puzzle.geometry).rows[row][column]] = asked["symbol"]
    mines = asked.get("mines", puzzle.mines)
    total = "?" if mines is None else mines
    columns = puzzle.columns
    lines = [f"geometry: {puzzle.geometry.name}", f"mines: {total}"]
    if puzzle.rules:
        lines.insert(0, f"rules: {' '.join(puzzle.rules)}")
    lines += [
        " ".join(symbols[start : start + columns]) for start in range(0, len(symbols), columns)
    ]
    text = "\n".join(lines) + "\n"
    return shown(_parsed(text), text)


def _require_text(puzzle: Puzzle) -> None:
    """Raise ValueError for a board with parts that text with rules does not hold."""
    parts = (puzzle.opened, puzzle.shown, puzzle.regions, puzzle.weights, puzzle.capacity)
    if puzzle.geometry.name not in GRIDS or any(parts) or puzzle.dyed is not None:
        raise ValueError("this board is changed in its own text, and pasted anew")


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
    answer = {"cell": [row, column], "verdict": str(found.verdict), "sentence": found.sentence}
    if found.reason is not None:
        reason = found.reason
        answer |= reason.as_json()
        answer |= {"clues": places.listed(reason.clues), "flags": places.listed(reason.flags)}
        return answer
    try:
        chance = odds_of(puzzle, flags).by_cell[number]
    except LimitError:
        return answer
    return answer | {"sentence": f"{found.sentence} A mine with {percent(chance)}."}


def odds(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the chances of a mine, as ``odds --json`` with places of the page and words."""
    puzzle = puzzle_of(asked["board"])
    places = _Places(puzzle)
    try:
        found = odds_of(puzzle, asked.get("flags", "trust"))
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
