"""A game that was played, told move by move: what was certain, what was a guess, what a mistake."""

from collections.abc import Iterator

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification, Verdict
from satsweeper.board.codes import Cell
from satsweeper.board.layout import Layout
from satsweeper.board.planes import board_of
from satsweeper.count.bound import OddsLimitError
from satsweeper.count.odds import odds
from satsweeper.engines.asking.classify import classify
from satsweeper.play.first_click import FirstClick
from satsweeper.play.game import Action, Game, Move
from satsweeper.play.moments import Moment, chance_said, ended


def retold(game: Game) -> Iterator[Moment]:
    """The moves of a game, each judged by what its player could see: his flags prove nothing.

    What was undone is told as well. Raises ``ValueError`` for a game in which nothing was opened.
    """
    if game.layout is None:
        raise ValueError("no cell is ever opened: there is nothing to show")
    return _Retold(game, game.layout).moments()


class _Retold:
    def __init__(self, game: Game, layout: Layout) -> None:
        self._moves = game.moves
        self._layout = layout
        self._promised = game.first_click is not FirstClick.NONE
        if game.seed is None:
            self._game = Game.on(layout)
        else:
            self._game = Game(game.board, game.first_click, game.seed, game.number)
        self._guesses = 0
        self._known: tuple[int, Classification] | None = None

    def moments(self) -> Iterator[Moment]:
        """Each move."""
        yield self._moment(0, None, "Nothing is open.")
        for move in self._moves:
            yield self._told(move)

    def _told(self, move: Move) -> Moment:
        game, cell = self._game, move.cell
        before = game.opened | game.exploded, game.flags
        if cell is None:
            game.undo()
            said, guess = "The last move is taken back.", False
        elif move.action is Action.FLAG:
            said, guess = self._flagged(cell), False
            game.flag(cell)
        else:
            said, guess = self._judged(move, cell)
            opened = game.open(cell) if move.action is Action.OPEN else game.chord(cell)
            said += f" {counted(len(opened), 'cell')} opened."
        fresh = (before[0] ^ (game.opened | game.exploded)) | before[1] ^ game.flags
        self._guesses += guess
        if game.lost:
            said += " It was a mine."
        if game.lost or game.won:
            said += f" {ended(game.won, self._guesses, 0)}"
        return self._moment(fresh, cell if guess else None, said)

    def _judged(self, move: Move, cell: Cell) -> tuple[str, bool]:
        """What is said of opening cells, and whether that was a guess."""
        game = self._game
        if game.start is None and self._promised:
            return f"The first click, {cell}, is safe by convention.", False
        found = self._classified()
        cells = [cell] if move.action is Action.OPEN else self._around(cell)
        verdicts = [found.verdict[each] for each in cells]
        what = f"Open {cell}" if move.action is Action.OPEN else f"Open all round {cell}"
        if all(verdict is Verdict.SAFE for verdict in verdicts):
            return f"{what}: certain.", False
        if Verdict.MINE in verdicts:
            return f"{what}: a mistake, there is a mine for certain.", False
        other = "" if not found.safe else ", although other cells were certain"
        chance = f", {self._chance(cell)}" if len(cells) == 1 else ""
        return f"{what}: a guess{chance}{other}.", True

    def _flagged(self, cell: Cell) -> str:
        if self._game.flags >> self._game.geometry.index(cell) & 1:
            return f"The flag on {cell} is taken away."
        verdict = self._classified().verdict[cell]
        if verdict is Verdict.MINE:
            return f"A flag on {cell}: certain."
        if verdict is Verdict.SAFE:
            return f"A flag on {cell}: a mistake, it is safe for certain."
        return f"A flag on {cell}: not certain, {self._chance(cell)}."

    def _classified(self) -> Classification:
        opened = self._game.opened
        if self._known is None or self._known[0] != opened:
            self._known = opened, classify(self._game.position(flags=False))
        return self._known[1]

    def _chance(self, cell: Cell) -> str:
        try:
            return chance_said(odds(self._game.position(flags=False)).mine[cell])
        except OddsLimitError:
            return "a mine with a chance that takes too long to count"

    def _around(self, cell: Cell) -> list[Cell]:
        game, geometry = self._game, self._game.geometry
        around = board_of(geometry.neighbours(geometry.index(cell)), geometry.size)
        waiting = around & ~(game.flags | game.opened)
        return [geometry.cell(i) for i in range(geometry.size) if waiting >> i & 1]

    def _moment(self, fresh: int, guess: Cell | None, said: str) -> Moment:
        game = self._game
        return Moment(
            self._layout,
            game.opened,
            0,
            game.flags,
            game.exploded,
            fresh,
            guess,
            said,
            self._guesses,
        )
