"""Games of the page, described by their settings and actions, so that a link can hold them.

A game is ``{"board": "30x16/99", "first_click": "opening", "seed": 7, "no_guess": true, "start":
[r, c]}``, with ``start`` null while nothing is open; or ``{"id": GAME_ID}``. The actions are a list
of words: ``o3.4`` opens a cell or chords on a clue, ``f3.4`` sets or removes a flag, ``a`` opens
all certain cells until no cell is certain, or, if none was, opens the safest guess.
"""

from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.planes import indices
from satsweeper.board.size import BoardSize
from satsweeper.count.odds import odds
from satsweeper.notation.formats import read_record
from satsweeper.notation.solution import mines_of
from satsweeper.play.game import EXPLODED, Game
from satsweeper.search.session import PositionSession
from satsweeper.show.page.boards import MOST_CELLS, BoardTooLargeError
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.play.searches import SearchResult

_SYMBOLS: Final = {EXPLODED: "X", -1: "?", -2: "F", **{clue: str(clue) for clue in range(9)}}


class _CachedGame:
    """The game of the last question, so that a further action need not replay all actions."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.settings = game
        self.actions: list[str] = []
        self.sentences: list[str] = []
        """The sentence about each action."""
        self.session = GameSession(_game(game))
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
            self.sentences.append(_act(self.session, action))
            self.actions.append(action)
            self.changes.append(self.session.changes)
        return self.sentences[-1] if actions else ""


_last: _CachedGame | None = None


def play(asked: dict[str, Any]) -> dict[str, Any]:
    """The ``game`` after its ``actions``: the player's view, the mines left, and a sentence.

    Raises:
        BudgetError: no board without a guess was found.
        ValueError: no such board, or mines that do not fit.
    """
    global _last
    if _last is None or _last.settings != asked["game"]:
        _last = _CachedGame(asked["game"])
    # If an action raises, no half-made game stays in the cache.
    played, _last = _last, None
    said = played.reach(asked["actions"])
    _last = played
    session = played.session
    game = session.game
    rows, columns = game.board.rows, game.board.columns
    shown = [[_SYMBOLS[game[row, column]] for column in range(columns)] for row in range(rows)]
    if session.over:
        for index in indices(session.mines, game.geometry.size):
            row, column = game.geometry.cell(index)
            # A mine that is still covered gets a ``*``; flags and exploded mines keep their signs.
            shown[row][column] = {"?": "*"}.get(shown[row][column], shown[row][column])
    return {
        "rows": ["".join(row) for row in shown],
        "mines": game.board.mines,
        "mines_left": game.mines_left,
        "status": game.status,
        "said": said if "You have" in said else f"{said} {session.ended}".strip(),
    }


def _game(settings: dict[str, Any]) -> Game:
    if "id" in settings:
        record = read_record(settings["id"], "game ID", "tatham")
        assert record.truth is not None
        return Game.on(Layout(Square(record.rows, record.columns), mines_of(record.truth)))
    size = BoardSize.parse(settings["board"])
    if size.rows * size.columns > MOST_CELLS:
        raise BoardTooLargeError(f"{size}: the page draws {MOST_CELLS} cells at the most")
    first_click, seed, start = settings["first_click"], settings["seed"], settings["start"]
    if not settings["no_guess"] or start is None:
        return Game(size, first_click, seed)
    from satsweeper.play.generation.run import generate

    made = generate(size, first_click=first_click, start=tuple(start), seed=seed, no_guess=True)
    return Game.on(made.layout)


def _act(session: GameSession, action: str) -> str:
    if action == "a":
        return _auto(session)
    row, column = map(int, action[1:].split("."))
    cell: Cell = (row, column)
    if not session.on_board(cell):
        raise ValueError(f"{action!r}: there is no such cell")
    return {"o": session.open, "f": session.flag}[action[0]](cell)


def _auto(session: GameSession) -> str:
    """Play all certain moves until none is left; if no move was certain, the safest guess."""
    if session.over:
        return "The game is over."
    before = session.covered.bit_count()
    while not session.over:
        with PositionSession(session.position(), flags="ignore") as prover:
            found = prover.classify()
        if not found.safe_board:
            break
        said = session.play_certain(SearchResult(found.safe_board, found.mine_board))
    opened = before - session.covered.bit_count()
    if opened:
        return f"Opened {counted(opened, 'cell')}: {said.partition(': ')[2]}"
    chances = odds(session.position(), flags="ignore")
    guess = chances.safest()[0]
    index = session.game.geometry.index(guess)
    return session.play_guess(
        SearchResult(0, found.mine_board, guess=index, chance=chances.by_index[index])
    )
