"""What a strategy is: it names a covered cell of a position in which a guess is needed."""

from collections.abc import Callable

from satsweeper.board.codes import Cell
from satsweeper.play.view import View

Strategy = Callable[[View], Cell]
