"""Records of games as JSON lines: the settings, then a move a line, to be replayed.

The first line gives the settings, the last line the status, and each line in between a move::

    {"schema": "satsweeper/record/1", "board": "9x9/10", "first_click": "safe", "seed": 7,
     "number": 0, "start": [0, 0], "layout": ["..*......", ...]}
    {"move": "open", "cell": [0, 0]}
    {"move": "flag", "cell": [0, 2]}
    {"move": "undo"}
    {"end": "in play", "moves": 3}

``move`` is ``open``, ``flag``, ``chord`` or ``undo``; ``end`` is ``won``, ``lost`` or ``in play``.
``layout`` has a ``*`` for each mine. A reader draws the layout again from the seed, so ``layout``
may be left out; if the entry is there, it must equal the layout drawn. A game on a given layout has
``"seed": null``. ``start`` is the first opened cell, ``null`` if there is none. A record without a
last line is the record of a game in play.
"""

import json
from typing import Any, Final

from pbcnf.wording import counted, unknown_name
from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.planes import board_of
from satsweeper.board.size import BoardSize, size_text
from satsweeper.notation.error import BoardError
from satsweeper.notation.grid import SLOW_CELLS, all_lines
from satsweeper.notation.header import shortened
from satsweeper.notation.json_board import check_names, check_schema, json_object
from satsweeper.play.draw import FirstClick, game_layout, rows_of
from satsweeper.play.game import Action, Game

SCHEMA: Final = "satsweeper/record/1"

_NEEDED: Final = ("schema", "board", "first_click", "seed", "number", "start")


def is_record(data: bytes | str) -> bool:
    """Whether the content of a file is a record, and not a board."""
    # The schema is the first entry: a head of 100 bytes is enough.
    return SCHEMA in str(data[:100])


def write_game(game: Game, *, layout: bool = True) -> bytes:
    """The record of a game, from which ``read_game`` makes the game again.

    Without ``layout`` the record shows no mines, though everybody can draw the layout again from
    the seed. The record of a game on a given layout always has the layout, and no seed.
    """
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "board": str(game.board),
        "first_click": FirstClick.NONE if game.given else game.first_click,
        "seed": None if game.given else game.seed,
        "number": game.number,
        "start": game.start,
    }
    if game.layout is not None and (layout or game.given):
        head["layout"] = rows_of(game.layout)
    lines = [head]
    for action, cell in game.moves:
        lines.append({"move": action} if cell is None else {"move": action, "cell": cell})
    lines.append({"end": game.status, "moves": len(game.moves)})
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode("ascii")


def read_game(data: bytes | str, source: str) -> Game:
    """Read the game of a record, replaying every move.

    Raises:
        BoardError: the fault and its place: ``data`` is no record, there is no such board, the
            layout differs from the layout of the seed, a move is not possible or changes nothing,
            or the last line differs from the status of the game.
    """
    lines = [line for line in all_lines(data, source) if line[1].strip()]
    if not lines:
        raise BoardError(source, message="no record: the file is empty")
    (first, head), moves = lines[0], lines[1:]
    game, start = _begun(json_object(head, "record", source, first), source, first)
    for at, text in moves:
        found = json_object(text, "move", source, at)
        if "end" in found:
            check_names(found, ("end", "moves"), (), source, at)
            for name, is_so in (("end", game.status), ("moves", len(game.moves))):
                if found[name] != is_so:
                    message = f"{name} {shortened(str(found[name]))}: by the moves it is {is_so}"
                    raise BoardError(source, at, None, message)
            if at != lines[-1][0]:
                raise BoardError(source, at, None, "moves follow the end")
        else:
            _make(game, found, source, at)
        if game.start not in (None, start):
            raise BoardError(
                source, at, None, f"the record says that {_in_words(start)} is opened first"
            )
    if game.start != start:
        raise BoardError(source, first, None, f"start {_in_words(start)}: no cell is ever opened")
    return game


def _begun(head: dict[str, Any], source: str, line: int) -> tuple[Game, Cell | None]:
    """The game of the first line of a record, and its first cell."""
    check_schema(head, SCHEMA, _NEEDED, ("layout",), source, line)
    try:
        if not isinstance(head["board"], str):
            raise ValueError(f"board {shortened(str(head['board']))}: a text such as 30x16/99")
        board = BoardSize.parse(head["board"])
        if board.rows * board.columns > SLOW_CELLS:
            raise ValueError(f"board {board}: {SLOW_CELLS} cells at most")
        if head["first_click"] not in list(FirstClick):
            shown = shortened(str(head["first_click"]))
            raise ValueError(unknown_name("first_click", shown, FirstClick))
        first_click = FirstClick(head["first_click"])
        seed, number = _integer(head, "seed"), _integer(head, "number")
        start = None if head["start"] is None else _cell(head["start"], board)
        given = _layout(head["layout"], board) if "layout" in head else None
        if seed is None:
            if given is None:
                raise ValueError("neither a seed nor a layout")
            if first_click is not FirstClick.NONE:
                what = "of a given layout nothing is promised"
                raise ValueError(f"first_click {first_click}: {what}")
            return Game.on(given), start
        game = Game(board, first_click, seed, number or 0)
        if given is not None:
            if start is None:
                why = "a layout is drawn when the first cell is opened"
                raise ValueError(f"{why}, and start is null")
            if given != game_layout(board, start, first_click, seed, number or 0):
                raise ValueError("the layout is not that of the seed")
        return game, start
    except ValueError as error:
        raise BoardError(source, line, None, str(error)) from None


def _make(game: Game, found: dict[str, Any], source: str, line: int) -> None:
    """Make the move of a line."""
    action = found.get("move")
    if action not in list(Action):
        message = f"move {shortened(str(action))}: there is {', '.join(Action)}"
        raise BoardError(source, line, None, message)
    check_names(found, ("move",) if action == Action.UNDO else ("move", "cell"), (), source, line)
    before = len(game.moves)
    try:
        if action == Action.UNDO:
            game.undo()
        else:
            cell = _cell(found["cell"], game.board)
            {Action.OPEN: game.open, Action.FLAG: game.flag, Action.CHORD: game.chord}[action](cell)
    except ValueError as error:
        raise BoardError(source, line, None, str(error)) from None
    if len(game.moves) == before:
        raise BoardError(source, line, None, f"{action} changes nothing here")


def _integer(head: dict[str, Any], name: str) -> int | None:
    value = head[name]
    if value is None and name == "seed":
        return None
    if type(value) is not int:
        raise ValueError(f"{name} {shortened(str(value))}: an integer is needed")
    return value


def _cell(found: object, board: BoardSize) -> Cell:
    if not (isinstance(found, list) and len(found) == 2 and all(type(x) is int for x in found)):
        raise ValueError(f"cell {shortened(str(found))}: [row, column] is needed")
    row, column = found
    if not (0 <= row < board.rows and 0 <= column < board.columns):
        raise ValueError(
            f"cell {row},{column}: the board is {size_text(board.rows, board.columns)}"
        )
    return row, column


def _layout(found: object, board: BoardSize) -> Layout:
    rows = found if isinstance(found, list) else []
    if len(rows) != board.rows or not all(
        isinstance(row, str) and len(row) == board.columns and not row.strip(".*") for row in rows
    ):
        size = f"{counted(board.rows, 'row')} of {board.columns}"
        raise ValueError(f"layout: {size} characters are needed, * a mine and . none")
    geometry = Square(board.rows, board.columns)
    cells = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "*"]
    mines = board_of(map(geometry.index, cells), geometry.size)
    if mines.bit_count() != board.mines:
        raise ValueError(f"layout: {counted(mines.bit_count(), 'mine')}, and the board is {board}")
    return Layout(geometry, mines)


def _in_words(cell: Cell | None) -> str:
    return "no cell" if cell is None else f"{cell[0]},{cell[1]}"
