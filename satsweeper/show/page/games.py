"""Games of the page, described by their settings and actions, so that a link can hold them.

A game is ``{"board": "30x16/99", "first_click": "opening", "seed": 7, "no_guess": true, "start":
[r, c]}``, with ``start`` null while nothing is open; or ``{"id": GAME_ID}``. ``no_guess`` may also
be the logic that suffices: single_clue, subset, or complete, which is true. A game under rules has
``"rules": "C W"``, ``"geometry": "hexagonal"``, or both, and no ``start``, as the first cells are
open from the beginning; its ID is the file of a game. The actions are a list of words: ``o3.4``
opens a cell or chords on a clue, ``f3.4`` sets or removes a flag, ``a`` opens all certain cells
until no cell is certain, or, if none was, opens the safest guess.
"""

from dataclasses import replace
from typing import Any, cast

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.size import BoardSize
from satsweeper.notation.formats import read_record
from satsweeper.notation.solution import mines_of
from satsweeper.play.efficiency import Efficiency
from satsweeper.play.game import Game
from satsweeper.play.generation.board import Strength
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.headers import is_game
from satsweeper.puzzle.play.game import PuzzleGame
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import refuse_own
from satsweeper.show.page import puzzles
from satsweeper.show.page.boards import MOST_CELLS, BoardTooLargeError
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.play.puzzle_session import PuzzleGameSession
from satsweeper.show.play.searches import certain, odds
from satsweeper.show.play.session import BoardSession


class _CachedGame:
    """The game of the last question, so that a further action need not replay all actions."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.settings = game
        self.actions: list[str] = []
        self.sentences: list[str] = []
        """The sentence about each action."""
        self.session = new_session(game)
        self.changes = [0]
        """The number of changes of the board before the first action, and after each action."""

    def reach(self, actions: list[str]) -> str:
        """Undo and play until exactly ``actions`` have been made; return the last sentence."""
        # ``same``: the length of the common beginning of both lists, which need not be replayed.
        same = 0
        for done, wanted in zip(self.actions, actions, strict=False):
            if done != wanted:
                break
            same += 1
        while len(self.actions) > same:
            self.actions.pop()
            self.sentences.pop()
            self.changes.pop()
            # One action of the page may be several actions of the session, each one change.
            # ``undo`` takes one of them back, but counts as a change itself: correct the number.
            while self.session.changes > self.changes[-1]:
                before = self.session.changes
                self.session.undo()
                self.session.changes = before - 1
        for action in actions[same:]:
            self.sentences.append(act(self.session, action))
            self.actions.append(action)
            self.changes.append(self.session.changes)
        return self.sentences[-1] if actions else ""


_last: _CachedGame | None = None


def play(asked: dict[str, Any]) -> dict[str, Any]:
    """The ``game`` after its ``actions``: the player's view, the mines left, and a sentence.

    Of a game on squares that has ended also ``clicks``: the 3BV of the board, how much of it was
    ``done``, and the clicks that were made.

    Raises:
        PuzzleBudgetError: no board without a guess was found.
        ValueError: no such board, none without a guess, or mines that do not fit.
    """
    said = _reach(asked)
    session = reached(asked)
    down, across = map(range, session.size)
    rows = [[symbol(session, (row, column)) for column in across] for row in down]
    found = {
        "mines_left": session.mines_left,
        "status": session.status,
        "said": said if "You have" in said else f"{said} {session.ended}".strip(),
    }
    if isinstance(session, PuzzleGameSession):
        game = session.game
        seen = puzzles.shown(replace(game.seen, flags=game.flags), puzzles.text_of(game.seen))
        return found | {"rows": rows, "mines": game.puzzle.mines, "puzzle": seen["puzzle"]}
    game_of_squares = cast(GameSession, session).game
    clicks = Efficiency.of(game_of_squares) if session.over else None
    if clicks is not None:
        found["clicks"] = {
            "3bv": clicks.board.bbbv,
            "done": clicks.done,
            "clicks": sum(clicks.clicks),
        }
    return found | {
        "rows": ["".join(row) for row in rows],
        "mines": game_of_squares.board.mines,
    }


def _reach(asked: dict[str, Any]) -> str:
    """Play the ``game`` of a question up to its ``actions``; return the last sentence."""
    global _last
    if _last is None or _last.settings != asked["game"]:
        _last = _CachedGame(asked["game"])
    # If an action raises, no half-made game stays in the cache.
    played, _last = _last, None
    said = played.reach(asked["actions"])
    _last = played
    return said


def reached(asked: dict[str, Any]) -> BoardSession:
    """Return the session of the ``game`` of a question after its ``actions``."""
    _reach(asked)
    assert _last is not None
    return _last.session


def symbol(session: BoardSession, cell: Cell) -> str:
    """Return the text of a cell; in the end a covered mine is a ``*``, a wrong flag a ``W``."""
    bit, clue = 1 << session.index(cell), session.clue(cell)
    if clue is not None:
        return clue.replace(" ", "0")
    if session.exploded & bit:
        return "X"
    if session.flags & bit:
        return "W" if session.over and not session.mines & bit else "F"
    return "*" if session.over and session.mines & bit else "?"


def new_session(settings: dict[str, Any]) -> BoardSession:
    """Return the session of a game of the page in which nothing was done."""
    session = _session(settings)
    session.keys_told = False
    return session


def _session(settings: dict[str, Any]) -> BoardSession:
    if "id" in settings:
        if is_game(settings["id"]):
            return PuzzleGameSession(PuzzleGame.read(settings["id"], "game"))
        record = read_record(settings["id"], "game ID", "tatham")
        assert record.truth is not None
        layout = Layout(Square(record.rows, record.columns), mines_of(record.truth))
        return GameSession(Game.on(layout))
    size = BoardSize.parse(settings["board"])
    if size.rows * size.columns > MOST_CELLS:
        raise BoardTooLargeError(f"{size}: the page draws {MOST_CELLS} cells at the most")
    first_click, seed = settings["first_click"], settings["seed"]
    if settings.get("rules") or settings.get("geometry"):
        from satsweeper.puzzle.play.generate import generate_puzzle

        if settings["no_guess"] in (Strength.SINGLE_CLUE, Strength.SUBSET):
            raise ValueError("one or two clues suffice on boards of squares without rules alone")
        letters = tuple((settings.get("rules") or "").split())
        refuse_own(letters, ())
        geometry = grid(settings.get("geometry") or "square", size.rows, size.columns)
        puzzle = Puzzle(geometry, letters, mines=size.mines)
        made = generate_puzzle(
            puzzle, first_click=first_click, seed=seed, no_guess=bool(settings["no_guess"])
        )
        return PuzzleGameSession(PuzzleGame.of(made))
    start = settings["start"]
    if not settings["no_guess"] or start is None:
        return GameSession(Game(size, first_click, seed))
    from satsweeper.play.generation.run import BudgetError, generate

    logic = Strength.COMPLETE if settings["no_guess"] is True else settings["no_guess"]
    try:
        found = generate(
            size,
            first_click=first_click,
            start=tuple(start),
            seed=seed,
            no_guess=True,
            strength=logic,
        )
    except BudgetError as error:
        raise ValueError(
            f"{error}. Fewer mines do, a stronger logic, or a game in which guesses may be needed."
        ) from None
    return GameSession(Game.on(found.layout))


def act(session: BoardSession, action: str) -> str:
    """Make an action of the page; return the sentence about it."""
    if action == "a":
        return _auto(session)
    row, column = map(int, action[1:].split("."))
    cell: Cell = (row, column)
    if not session.on_board(cell):
        raise ValueError(f"{action!r}: there is no such cell")
    return {"o": session.open, "f": session.flag}[action[0]](cell)


def _auto(session: BoardSession) -> str:
    """Play all certain moves until none is left; if no move was certain, the safest guess."""
    if session.over:
        return "The game is over."
    before = session.covered.bit_count()
    while not session.over:
        found = certain(lambda part: None, Deadline(), session.position())
        if not found.safe:
            break
        said = session.play_certain(found)
    opened = before - session.covered.bit_count()
    if opened:
        return f"Opened {counted(opened, 'cell')}: {said.partition(': ')[2]}"
    guess = odds(None, Deadline(), session.position())
    return session.play_guess(replace(guess, mines=found.mines)) if guess.whole else guess.said
