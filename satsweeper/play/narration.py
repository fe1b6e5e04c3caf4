"""Games narrated move by move: certain moves, guesses and mistakes.

``narrate_strategy`` plays a game and narrates it; ``narrate_record`` narrates a recorded game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.errors import LimitError
from satsweeper.board.layout import Layout
from satsweeper.board.size import BoardSize
from satsweeper.count.odds import odds
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.efficiency import Efficiency
from satsweeper.play.game import Action, Game, Minefield, Move
from satsweeper.play.judgement import GuessSum, Judge, Judged, MoveKind
from satsweeper.play.playing import guess_at
from satsweeper.play.simulation.player import StrategyFaultError
from satsweeper.play.strategies.table import find_strategy
from satsweeper.play.until_stuck import UnsafeCellError, steps
from satsweeper.position import Position

SAFEST = "safest"


@dataclass(frozen=True)
class Moment:
    """The state of a game after a move; sets of cells are bit boards.

    ``mines`` are marked as proved, ``flags`` are the player's, ``hit`` are mines that were opened.
    ``fresh``: the cells that the move changed. ``guess``: the cell that was guessed; None if the
    move was no guess. ``sentence``: the move in words. ``guesses``: the number of guesses so far.
    ``judged``: the move as it is judged, of a recorded game.
    """

    layout: Layout
    opened: int
    mines: int
    flags: int
    hit: int
    fresh: int
    guess: Cell | None
    sentence: str
    guesses: int
    judged: Judged | None = None

    @property
    def mines_left(self) -> int:
        """The total less the cells that are marked, flagged or opened as mines."""
        marked = self.mines | self.flags | self.hit
        return self.layout.mines.bit_count() - marked.bit_count()


def narrate_strategy(
    board: BoardSize,
    strategy: str = SAFEST,
    *,
    first_click: FirstClick = FirstClick.SAFE,
    start: Cell = (0, 0),
    seed: int = 1,
    number: int = 0,
    go_on: bool = False,
) -> Iterator[Moment]:
    """Narrate the game that ``satsweeper.play.play`` plays with equal arguments.

    All certain cells are opened in one move.

    Args:
        board, strategy, first_click, start, seed, number: as for ``play``.
        go_on: whether the game continues after a mine is opened, with that mine marked.

    Raises:
        ValueError: as ``play``; raised by the call, before the first moment.
        StrategyFaultError: a strategy raised an exception, or named no covered cell.
        OddsLimitError, TooWideError: the chances of a position could not be counted.
    """
    layout = game_layout(board, start, first_click, seed, number)
    return _StrategyNarrator(layout, strategy, go_on).moments(start, first_click)


def narrate_record(game: Game, judge: Judge | None = None) -> Iterator[Moment]:
    """Narrate the moves of ``game``, each judged by what its player could see.

    A flag of the player is no evidence of a mine. Undone moves are narrated as well. The last
    sentence sums up the guesses and the clicks.

    Args:
        game: a game, which is not changed.
        judge: who judges the moves; by default one with the limits of `few_layouts_choices`.

    Raises:
        ValueError: no cell of ``game`` was ever opened.
    """
    if game.layout is None:
        raise ValueError("no cell is ever opened: there is nothing to show")
    return _RecordNarrator(game, game.layout, judge or Judge()).moments(game.moves)


class _StrategyNarrator:
    def __init__(self, layout: Layout, strategy: str, go_on: bool) -> None:
        self._name = strategy
        self._choose = find_strategy(strategy)
        self._field = Minefield(layout)
        self._geometry = layout.geometry
        self._mines = self._hit = self._guesses = self._moves = 0
        self._go_on = go_on

    def moments(self, start: Cell, first_click: FirstClick) -> Iterator[Moment]:
        """Yield a moment for each move, until the game is over."""
        yield self._moment(0, None, "Nothing is open.")
        if first_click is FirstClick.NONE:
            mines = self._field.layout.mines.bit_count()
            chance = Fraction(mines, self._field.covered.bit_count())
            yield self._open_guess(start, chance, "The first click is a guess")
        else:
            new = self._field.open(1 << self._geometry.index(start))
            yield self._moment(new, None, f"{_promised(start)}: {_opened(new.bit_count())}.")
        while not self._over:
            moment = self._certain()
            if moment is None:
                position = self._field.position(self._mines | self._hit)
                choose = self._safest if self._name == SAFEST else self._by_strategy
                moment = self._open_guess(*choose(position), "A guess, as no cell is certain")
            yield moment

    @property
    def _over(self) -> bool:
        return self._field.won or bool(self._hit and not self._go_on)

    def _certain(self) -> Moment | None:
        """Open and mark the certain cells; None if no cell is certain to be safe."""
        field, known = self._field, self._mines | self._hit
        step = next(steps(field, mines=known))
        how = "by clues one at a time" if step.by_rules else "by clues taken together"
        fresh = step.mines & ~known
        self._mines |= fresh
        if not step.safe:
            return None
        new = field.open(step.safe)
        if field.lost:
            raise UnsafeCellError(f"a mine was called safe, {how}")
        marked = f", {counted(fresh.bit_count(), 'mine')} marked" if fresh else ""
        return self._moment(
            new | fresh, None, f"Certain {how}: {_opened(new.bit_count())}{marked}."
        )

    def _safest(self, position: Position) -> tuple[Cell, Fraction]:
        """The cell that the strategy ``safest`` chooses, and its chance of a mine.

        The strategy itself would count all chances once more, in doubles.
        """
        found = odds(position)
        near = self._geometry.neighbours
        cell = min(found.safest(), key=lambda c: len(list(near(self._geometry.index(c)))))
        return cell, found.mine[cell]

    def _by_strategy(self, position: Position) -> tuple[Cell, Fraction]:
        try:
            (row, column), chance = guess_at(position, self._choose)
            return (int(row), int(column)), chance
        except LimitError:
            raise
        except Exception as error:
            # The strategy may be a user's function, which can raise any exception.
            why = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise StrategyFaultError(
                f"strategy {self._name!r} fails in move {self._moves}: {why}"
            ) from None

    def _open_guess(self, cell: Cell, chance: Fraction, how: str) -> Moment:
        field, bit = self._field, 1 << self._geometry.index(cell)
        self._guesses += 1
        new = field.open(bit)
        result = f"It is free: {_opened(new.bit_count())}."
        if field.exploded:
            # ``exploded`` is cleared, so that the field stays playable if the game goes on;
            # ``_hit`` keeps the mine, which positions then show as a flag.
            field.exploded = 0
            self._hit |= bit
            result = "It is a mine" + (", and the game goes on." if self._go_on else ".")
        return self._moment(new | bit, cell, f"{how}: {cell}, {chance_in_words(chance)}. {result}")

    def _moment(self, fresh: int, guess: Cell | None, sentence: str) -> Moment:
        field, hit, guesses = self._field, self._hit, self._guesses
        self._moves += 1
        if field.won:
            self._mines = field.layout.mines & ~hit
        if self._over:
            sentence += f" {_result(field.won, guesses, hit.bit_count())}"
        return Moment(
            field.layout, field.opened, self._mines, 0, hit, fresh, guess, sentence, guesses
        )


class _RecordNarrator:
    def __init__(self, game: Game, layout: Layout, judge: Judge) -> None:
        self._layout = layout
        self._promised = game.first_click is not FirstClick.NONE
        if game.given:
            self._game = Game.on(layout)
        else:
            self._game = Game(game.board, game.first_click, game.seed, game.number)
        self._judge = judge
        self._made: list[Judged] = []
        """The moves that are not taken back."""

    def moments(self, moves: list[Move]) -> Iterator[Moment]:
        """Yield a moment for each move."""
        game = self._game
        yield self._moment(0, "Nothing is open.", None)
        for move in moves:
            opened, flags = game.opened | game.exploded, game.flags
            # The move is judged on the position before, which the player saw.
            judged = self._judge.move(game, move, promised=self._promised)
            sentence = self._sentence(move, judged)
            if move.cell is None:
                game.undo()
                self._made.pop()
            else:
                self._made.append(judged)
                if move.action is Action.FLAG:
                    game.flag(move.cell)
                else:
                    opens = game.open if move.action is Action.OPEN else game.chord
                    sentence += f" {_opened(len(opens(move.cell)))}."
            if game.lost:
                sentence += " It was a mine."
            if game.lost or game.won:
                sentence += f" {_result(game.won, self._guesses, 0)}"
            if move is moves[-1]:
                sentence += f" {self._summed()}"
            fresh = opened ^ (game.opened | game.exploded) | flags ^ game.flags
            guess = move.cell if judged.is_guess else None
            yield self._moment(fresh, sentence, judged, guess)

    @property
    def _guesses(self) -> int:
        return sum(each.is_guess for each in self._made)

    def _sentence(self, move: Move, judged: Judged) -> str:
        """The move in words, before it is made."""
        cell = move.cell
        if cell is None:
            return "The last move is taken back."
        if move.action is Action.FLAG:
            if self._game.flags >> self._game.geometry.index(cell) & 1:
                return f"The flag on {cell} is taken away."
            return judged.flag_sentence(f"A flag on {cell}", _percent)
        if judged.kind is MoveKind.FIRST:
            return f"{_promised(cell)}."
        what = f"Open {cell}" if move.action is Action.OPEN else f"Open all round {cell}"
        return judged.sentence(what, _percent)

    def _summed(self) -> str:
        summed = GuessSum(self._made, self._game.lost).sentences(_percent)
        clicks = Efficiency.of(self._game)
        return summed if clicks is None else f"{summed} {clicks.sentence()}"

    def _moment(
        self, fresh: int, sentence: str, judged: Judged | None, guess: Cell | None = None
    ) -> Moment:
        game, many = self._game, self._guesses
        seen = self._layout, game.opened, 0, game.flags, game.exploded, fresh
        return Moment(*seen, guess, sentence, many, judged)


def chance_in_words(chance: Fraction) -> str:
    """The chance of a mine in words; an uncertain cell is never printed as 0 or 100 %.

    >>> chance_in_words(Fraction(1, 3)), chance_in_words(Fraction(1, 10**6))
    ('a mine with 33.3 %', 'a mine with less than 0.1 %')
    """
    return f"a mine with {_percent(chance)}"


def _percent(chance: Fraction) -> str:
    if 0 < chance < Fraction(1, 1000):
        return "less than 0.1 %"
    if Fraction(999, 1000) < chance < 1:
        return "more than 99.9 %"
    return f"{float(100 * chance):.1f} %"


def _promised(cell: Cell) -> str:
    return f"The first click, {cell}, is safe by convention"


def _opened(cells: int) -> str:
    return f"{counted(cells, 'cell')} opened"


def _result(won: bool, guesses: int, hits: int) -> str:
    """The result of a game in a sentence; ``hits``: the number of mines opened before the end."""
    made = "no guess" if not guesses else "1 guess" if guesses == 1 else f"{guesses} guesses"
    if not won:
        return f"Lost, with {made}."
    if hits:
        return f"All is open, with {made} and {counted(hits, 'mine')} hit."
    return f"Won, with {made}."
