"""Boards of the page, read from every notation and written in every notation.

A board of the page is an object ``{"rows": ["1?F", ...], "mines": 4}``; ``mines`` is null if the
total is unknown. A board with rules, or of other cells than squares, is one of ``page.puzzles``.
"""

from base64 import b64decode, b64encode
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from typing import Any, Final

from satsweeper.answers.classification import Status
from satsweeper.board.errors import LimitError
from satsweeper.board.facts import Flags
from satsweeper.board.size import size_text
from satsweeper.count.budget import OddsLimitError
from satsweeper.count.odds import NoLayoutError
from satsweeper.count.odds import odds as count
from satsweeper.export.formula import BoardProblem, formula_of
from satsweeper.export.puzzle import PuzzleProblem
from satsweeper.notation.detect import detect, unwrapped
from satsweeper.notation.error import BoardError
from satsweeper.notation.formats import read_record, write_record
from satsweeper.notation.text import decoded
from satsweeper.position import Position
from satsweeper.puzzle.formats import PUZZLE_FORMATS, write_puzzle, wrong_format
from satsweeper.puzzle.headers import format_of, is_game
from satsweeper.puzzle.play.game import PuzzleGame
from satsweeper.puzzle.puzzle import Puzzle, parse_board_or_puzzle
from satsweeper.search.session import PositionSession
from satsweeper.show.page import puzzles
from satsweeper.show.sentences import clash_sentence, percent

MOST_CELLS: Final = 10_000
"""The most cells of a board that the page draws."""
_SYMBOLS: Final = {254: "F", 255: "?", **{clue: str(clue) for clue in range(9)}}
_SIGNS: Final = str.maketrans({
    **dict.fromkeys("\u2691\u2690\U0001f6a9\u26f3", "F"),
    **dict.fromkeys("\u25a2\u25a1\u25a0\u2b1c\u2b1b\u00b7\u2588", "?"),
    "\ufe0f": "",
})  # fmt: skip
"""Signs of flags and covered cells in pasted boards; the last one only asks for colours."""


class BoardTooLargeError(LimitError):
    """A board with more cells than the page draws."""


def position_of(board: dict[str, Any]) -> Position:
    """The position of a board of the page without rules; raises ``BoardError``."""
    return Position.parse(_text(board), source="board", format="text")


def read(asked: dict[str, Any]) -> dict[str, Any]:
    """The board in the entry ``text`` or ``base64`` of a question, in any notation.

    The answer has the ``rows``, the total (``mines``) and the ``format``; and if the file has the
    mines, the game ID (``id``) under which the board can be played, else null. The file of a game
    under rules is its own ID; a level of Hexcells has none.

    Raises:
        BoardError: the input is no board.
        BoardTooLargeError: the board has more cells than the page draws.
    """
    source = asked.get("name", "board")
    if "base64" in asked:
        return _read(b64decode(asked["base64"]), source)
    try:
        return _read(asked["text"].encode(), source)
    except BoardError:
        tidy = _tidied(asked["text"])
        if tidy == asked["text"]:
            raise
        with suppress(BoardError):
            return _read(tidy.encode(), source)
        raise


def _tidied(text: str) -> str:
    """Return a pasted text without fences, tables and spaces, with the signs of a board's text."""
    rows = []
    for line in text.translate(_SIGNS).splitlines():
        cells = line.replace("|", " ").split()
        if cells and not line.startswith("```") and set(line) - set("|-+: "):
            rows.append(cells)
    if len({len(cells) for cells in rows}) > 1 or any(
        len(cell) > 1 for row in rows for cell in row
    ):
        return "\n".join(" ".join(cells) for cells in rows)
    return "\n".join("".join(cells) for cells in rows)


def _read(raw: bytes, source: str) -> dict[str, Any]:
    try:
        name = detect(raw)
        record = read_record(raw, source, name)
    except BoardError:
        # A board with rules, or none at all.
        text = decoded(unwrapped(raw, source), source)
        board = parse_board_or_puzzle(text, source)
        if isinstance(board, Puzzle):
            _check_cells(len(board.geometry), f"{len(board.geometry)} cells")
            game = PuzzleGame.read(text) if is_game(text) else None
            hides = game is None and format_of(text) != "hexcells"
            found = puzzles.shown(board, text if hides else puzzles.text_of(board))
            return found | {"id": game and game.written(indent=None)}
        name, record = "text", read_record(board.text(), source, "text")
    _check_cells(record.rows * record.columns, size_text(record.rows, record.columns))
    # Each row of the padded codes ends with one code of padding.
    signs = "".join(_SYMBOLS.get(code, " ") for code in record.padded)
    rows = [signs[at : at + record.columns] for at in range(0, len(signs), record.columns + 1)]
    found = {"rows": rows, "mines": record.mines, "format": name, "id": None}
    if record.truth is not None and record.mines is not None:
        bare = replace(record.without("view"), notes=(), marks=(), first=None)
        found["id"] = write_record(bare, "tatham").decode().strip()
    return found


def _check_cells(cells: int, what: str) -> None:
    if cells > MOST_CELLS:
        raise BoardTooLargeError(f"{what}: the page draws {MOST_CELLS} cells at the most")


def write(asked: dict[str, Any]) -> dict[str, Any]:
    """The ``board`` in the notation ``format``, as ``base64``; ``id``, a game ID, adds the mines.

    Raises:
        CannotHoldError: the notation cannot hold a part of the board, or needs a part that the
            board has not.
    """
    if "text" in asked["board"]:
        puzzle, to = puzzles.puzzle_of(asked["board"]), asked["format"]
        if to not in PUZZLE_FORMATS:
            raise wrong_format(puzzle, to)
        return {"base64": b64encode(write_puzzle(puzzle, to).encode()).decode()}
    record = read_record(_text(asked["board"]), "board", "text")
    if asked.get("id"):
        game = read_record(asked["id"], "game ID", "tatham")
        record = replace(record, mines=game.mines, solution=game.truth)
    data = write_record(record, asked["format"])
    return {"base64": b64encode(data).decode()}


def _text(board: dict[str, Any]) -> str:
    rows, mines = board["rows"], board["mines"]
    total = "?" if mines is None else mines
    return "\n".join([f"{len(rows)} {len(rows[0]) if rows else 0} {total}", *rows, ""])


# Verdicts, odds and reasons for the page, in the objects that commands print with ``--json``.


def classify(asked: dict[str, Any]) -> dict[str, Any]:
    """The verdicts of a ``board``, or the clues that clash; ``flags``: trust (default) or ignore.

    The answer is the object of ``classify --json``; an inconsistent board adds a ``sentence``.
    """
    if "text" in asked["board"]:
        return puzzles.classify(asked)
    flags: Flags = asked.get("flags", "trust")
    with PositionSession(position_of(asked["board"]), flags=flags, beyond=True) as session:
        found = session.classify()
    answer = found.as_json()
    if found.conflict is not None:
        answer["sentence"] = clash_sentence(found)
    return answer


def odds(asked: dict[str, Any]) -> dict[str, Any]:
    """The chances of a mine in the covered cells of a ``board``, as ``odds --json``.

    Each cell also has ``said``: its chance in words. A board without a layout has an empty list of
    cells. If counting takes too long, the answer has the entry ``error``.
    """
    if "text" in asked["board"]:
        return puzzles.odds(asked)
    try:
        found = count(position_of(asked["board"]), flags=asked.get("flags", "trust"))
    except NoLayoutError:
        return {"solutions": "0", "cells": []}
    except OddsLimitError as error:
        return {"error": f"no odds: {error}"}
    words = {id(chance): percent(chance) for chance in found.distinct()}
    answer = found.as_json()
    for cell, chance in zip(answer["cells"], found.by_index.values(), strict=True):
        cell["said"] = words[id(chance)]
    answer["safest"] = [list(cell) for cell in found.safest()]
    return answer


def explain(asked: dict[str, Any]) -> dict[str, Any]:
    """The reason for the verdict on the ``cell`` of a ``board``, as ``explain --json``.

    The sentence about a cell that is not certain also gives the chance of a mine, if known. On an
    inconsistent board the answer is that of ``classify``.
    """
    if "text" in asked["board"]:
        return puzzles.explain(asked)
    position, flags = position_of(asked["board"]), asked.get("flags", "trust")
    row, column = asked["cell"]
    with PositionSession(position, flags=flags, beyond=True) as session:
        found = session.classify()
        if found.status is Status.INCONSISTENT:
            return classify(asked)
        explanation = session.explain((row, column))
    answer = explanation.as_json()
    if explanation.reason is None:
        cell = explanation.cell
        sentence = f"{cell} is not certain: it is a mine in some layouts and safe in others."
        with suppress(OddsLimitError):
            chance = count(position, flags=flags).mine[cell]
            sentence += f" A mine with {percent(chance)}."
        answer["sentence"] = sentence
    return answer


# A board of the page as a file for solvers, with the map from variables to cells.

FORMATS: Final = ("cnf", "icnf", "opb")
"""The formats that the page writes; the command line writes more."""


def export(asked: dict[str, Any]) -> dict[str, Any]:
    """The ``board`` in a ``format``, one of ``FORMATS``, as ``export`` writes it.

    In CNF the total is encoded by ``adder``, which needs no numpy. The answer has the ``text`` of
    the file, and as ``map`` the object that ``export --map`` writes.
    """
    board, flags = asked["board"], asked.get("flags", "trust")
    format, stream = asked["format"], BytesIO()
    if format not in FORMATS:
        raise ValueError(f"the page writes no {format}: {', '.join(FORMATS)}")
    exported: BoardProblem | PuzzleProblem
    if "text" in board:
        exported = PuzzleProblem.of(
            puzzles.puzzle_of(board),
            format=format,
            encoding="direct",
            total_encoding="adder",
            flags=flags,
        )
        exported.write(stream)
    else:
        position = position_of(board)
        exported = (
            BoardProblem.of(position, flags)
            if format == "opb"
            else formula_of(position, flags=flags, total_encoding="adder")
        )
        exported.write(stream, format)
    return {"text": stream.getvalue().decode("ascii"), "map": exported.as_json()}
