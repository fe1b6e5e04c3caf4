"""A game that a strategy plays, told move by move: all that is certain at once, or one guess."""

from collections.abc import Iterator
from fractions import Fraction

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.errors import LimitError
from satsweeper.board.size import BoardSize
from satsweeper.count.odds import odds
from satsweeper.engines.asking.classify import classify
from satsweeper.play.at_position import guess_at
from satsweeper.play.draw import game_layout
from satsweeper.play.first_click import FirstClick
from satsweeper.play.minefield import Minefield
from satsweeper.play.moments import Moment, chance_said, ended
from satsweeper.play.simulation.player import StrategyFaultError
from satsweeper.play.strategies.table import find_strategy
from satsweeper.play.until_stuck import UnsafeCellError
from satsweeper.position import Position
from satsweeper.reduce.single_clue import single_clue

SAFEST = "safest"


def told(
    board: BoardSize,
    strategy: str = SAFEST,
    *,
    first_click: FirstClick = FirstClick.SAFE,
    start: Cell = (0, 0),
    seed: int = 1,
    number: int = 0,
    go_on: bool = False,
) -> Iterator[Moment]:
    """The game that ``satsweeper.play.play`` plays with the same arguments, told.

    Args:
        board, strategy, first_click, start, seed, number: as of ``play``.
        go_on: mark a mine that is hit, and play on.

    Raises:
        ValueError: as ``play``, at once.
        StrategyFaultError: a strategy raised an exception, or named no covered cell.
        OddsLimitError, TooWideError: the chances of a position could not be counted.
    """
    return _Told(board, strategy, first_click, start, seed, number, go_on).moments()


class _Told:
    def __init__(
        self,
        board: BoardSize,
        strategy: str,
        first_click: FirstClick,
        start: Cell,
        seed: int,
        number: int,
        go_on: bool,
    ) -> None:
        self._name = strategy
        self._choose = find_strategy(strategy)
        self._safest = strategy == SAFEST
        self._field = Minefield(game_layout(board, start, first_click, seed, number))
        self._geometry = self._field.layout.geometry
        self._mines = self._hit = self._guesses = self._moves = 0
        self._go_on = go_on
        self._start = start
        self._promised = first_click is not FirstClick.NONE
        self._chance = Fraction(board.mines, board.rows * board.columns)

    def moments(self) -> Iterator[Moment]:
        """Each move, until the game is over."""
        yield self._moment(0, None, "Nothing is open.")
        yield self._first()
        while not self._over:
            yield self._certain() or self._guess()

    @property
    def _over(self) -> bool:
        return self._field.won or bool(self._hit and not self._go_on)

    def _first(self) -> Moment:
        cell = self._start
        if not self._promised:
            return self._dared(cell, self._chance, "The first click is a guess")
        new = self._field.open(1 << self._geometry.index(cell))
        said = f"The first click, {cell}, is safe by convention: {_opened(new)}."
        return self._moment(new, None, said)

    def _certain(self) -> Moment | None:
        """What is certain, opened and marked; None if no cell is certain to be safe."""
        field, geometry = self._field, self._geometry
        known = self._mines | self._hit
        rules = single_clue(geometry, field.opened, field.values, field.covered & ~known, known)
        safe = field.covered & ~(rules.undecided | rules.mines)
        how, mines = "by clues one at a time", rules.mines
        if not safe:
            found = classify(field.position(known))
            safe, how = found.safe_board, "by clues taken together"
            mines = known | found.mine_board
        fresh = mines & ~known
        self._mines |= fresh
        if not safe:
            return None
        new = field.open(safe)
        if field.lost:
            raise UnsafeCellError(f"a mine was called safe, {how}")
        marked = f", {counted(fresh.bit_count(), 'mine')} marked" if fresh else ""
        return self._moment(new | fresh, None, f"Certain {how}: {_opened(new)}{marked}.")

    def _guess(self) -> Moment:
        position = self._field.position(self._mines | self._hit)
        if self._safest:
            cell, chance = self._safest_of(position)
        else:
            cell, chance = self._named(position)
        return self._dared(cell, chance, "A guess, as no cell is certain")

    def _safest_of(self, position: Position) -> tuple[Cell, Fraction]:
        """As the strategy of that name, but without counting twice."""
        found = odds(position)
        near = self._geometry.neighbours
        cell = min(found.safest(), key=lambda c: len(list(near(self._geometry.index(c)))))
        return cell, found.mine[cell]

    def _named(self, position: Position) -> tuple[Cell, Fraction]:
        """The guess of a strategy, which may be anybody's."""
        try:
            (row, column), chance = guess_at(position, self._choose)
            return (int(row), int(column)), chance
        except LimitError:
            raise
        except Exception as error:
            why = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise StrategyFaultError(
                f"strategy {self._name!r} fails in move {self._moves}: {why}"
            ) from None

    def _dared(self, cell: Cell, chance: Fraction, how: str) -> Moment:
        field, bit = self._field, 1 << self._geometry.index(cell)
        self._guesses += 1
        new = field.open(bit)
        came = f"It is free: {_opened(new)}."
        if field.exploded:
            # Marked from here on, if the game goes on.
            field.exploded = 0
            self._hit |= bit
            came = "It is a mine" + (", and the game goes on." if self._go_on else ".")
        return self._moment(new | bit, cell, f"{how}: {cell}, {chance_said(chance)}. {came}")

    def _moment(self, fresh: int, guess: Cell | None, said: str) -> Moment:
        field = self._field
        self._moves += 1
        if field.won:
            self._mines = field.layout.mines & ~self._hit
        if self._over:
            said += f" {ended(field.won, self._guesses, self._hit.bit_count())}"
        return Moment(
            field.layout, field.opened, self._mines, 0, self._hit, fresh, guess, said, self._guesses
        )


def _opened(cells: int) -> str:
    return f"{counted(cells.bit_count(), 'cell')} opened"
