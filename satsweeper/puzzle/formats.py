"""Puzzles in the formats that hold them: text, JSON, levels of Hexcells."""

from __future__ import annotations

from typing import Final

from pbcnf.wording import counted
from satsweeper.answers.classification import Status
from satsweeper.notation.detect import unwrapped
from satsweeper.position import KEEP, Position, Total
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.game_record import GameRecord
from satsweeper.puzzle.headers import format_of, is_game, may_hold_rules
from satsweeper.puzzle.hexcells import Level, read_level, require_holdable
from satsweeper.puzzle.json_board import json_text
from satsweeper.puzzle.puzzle import Puzzle, parse_board_or_puzzle
from satsweeper.puzzle.session import PuzzleSession

PUZZLE_FORMATS: Final = {
    "text": "lines 'rules:', 'geometry:' and 'mines:', then a row a line",
    "json": "schema satsweeper/board/2: boards of any geometry with all their parts",
    "hexcells": "Hexcells level v1: hexagons, numbers of lines, and the solution",
}
"""Name of a format, as ``--from`` and ``--to`` take it -> what it holds."""


def read_puzzle_file(
    data: str | bytes, source: str, name: str | None = None, mines: Total = KEEP
) -> Puzzle | Level | GameRecord | Position | None:
    """Read a board that only these formats hold.

    Args:
        data: the board.
        source: the name of the board in messages.
        name: a name of `PUZZLE_FORMATS`; None: as the content says.
        mines: replaces the total.

    Returns a level with its solution unless it has another total, a game with its own; a `Position`
    for squares with plain clues below lines such as ``rules: V``; None for a board in a format of
    positions.

    Raises BoardError with source, line and column.
    """
    content = format_of(unwrapped(data, source))
    if "hexcells" in (name, content) and name in (None, "hexcells"):
        level = read_level(data, source)
        if mines in (KEEP, len(level.solution)):
            return level
    elif name not in (None, content) or not may_hold_rules(data):
        return None
    elif is_game(data):
        return GameRecord.read(data, source)
    found = parse_board_or_puzzle(data, source, mines)
    if isinstance(found, Position) and content == "json":
        # Schema 1, which may have more than a position, such as a layout.
        return None
    return found


def write_puzzle(board: Puzzle | Level, name: str) -> str:
    """Return a board in the format ``name`` of `PUZZLE_FORMATS`.

    Raises RuleError for what the format cannot hold. A level has a solution: of a puzzle without
    one it is the only layout, and more than one layout is refused.
    """
    if isinstance(board, Level):
        if name == "hexcells":
            return board.text()
        board = Puzzle(**board.fields())
    if name == "text":
        return board.text()
    return json_text(board) if name == "json" else level_of(board).text()


def level_of(puzzle: Puzzle) -> Level:
    """Return a puzzle as a level with its only solution.

    Raises RuleError for what a level cannot hold, and for several solutions or none.
    """
    require_holdable(puzzle)
    with PuzzleSession(puzzle) as session:
        found = session.classify()
    if found.status is Status.INCONSISTENT:
        raise RuleError("a level has a solution, and the board has no layout")
    if found.unknown:
        open_cells = counted(len(found.unknown), "cell")
        raise RuleError(f"a level has one solution, and {open_cells} may be safe or a mine")
    mines = [puzzle.geometry.numbers[cell] for cell in found.mines]
    return Level.of(puzzle, puzzle.shown.union(mines))


def wrong_format(puzzle: Puzzle | Level, name: str) -> RuleError:
    """Return the error that the format ``name`` holds squares with plain clues only."""
    geometry = puzzle.geometry.name
    rules = "" if isinstance(puzzle, Level) else "".join(f" {each}" for each in puzzle.rules)
    board = f"geometry {geometry}{', rules' * bool(rules)}{rules}"
    return RuleError(
        f"{name} holds squares with plain clues, and the board has {board}:"
        f" {', '.join(PUZZLE_FORMATS)} may hold it"
    )
