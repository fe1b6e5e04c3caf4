"""``generate``: a board as it is drawn, or one that needs no guess."""

from collections.abc import Callable
from typing import Final

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.errors import Error
from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, game_layout, room, usual_start
from satsweeper.play.generation.board import GeneratedBoard, Strength

BUDGET: Final = 100
"""The default limit on the number of layouts that are drawn and changed."""


class BudgetError(Error):
    """No board without a guess was found within the budget; the message is one line."""


def generate(
    board: BoardSize | str,
    *,
    first_click: FirstClick | str = FirstClick.OPENING,
    start: Cell | None = None,
    seed: int = 1,
    number: int = 0,
    no_guess: bool = False,
    strength: Strength | str = Strength.COMPLETE,
    total: bool = True,
    budget: int = BUDGET,
    going_on: Callable[[], object] = lambda: None,
) -> GeneratedBoard:
    """Generate a board to play; equal arguments give equal boards on every machine.

    Without ``no_guess`` the result has the layout of game ``number`` of ``seed``, which
    ``simulate`` plays too. With ``no_guess``, a layout is changed where a player would have to
    guess, and played again from the start, until no move is a guess: such layouts are not equally
    likely. A first click without a promise would be a guess, so with ``no_guess`` the first cell
    never has a mine.

    Args:
        board: the size and the number of mines, as in ``30x16/99``.
        first_click: the promise about the cell that is opened first.
        start: the first cell, ``(row, column)``; if None, the first cell of ``simulate``.
        seed: draws the layouts.
        number: which board of the seed.
        no_guess: whether every move must be proved.
        strength: the logic that must prove every move.
        total: whether a proof may use the number of mines.
        budget: the most layouts to be drawn.
        going_on: called from time to time; an exception that this function raises ends the work.

    Raises:
        ValueError: no such board, first click or strength; too many mines for the first click.
        BudgetError: ``budget`` layouts were drawn, and none could be changed into such a board.

    >>> board = generate("9x9/10", seed=1, no_guess=True)
    >>> board.moves[0].total
    False
    """
    size = BoardSize.parse(board) if isinstance(board, str) else board
    click, logic = FirstClick(first_click), Strength(strength)
    first = usual_start(size, click) if start is None else start
    if not no_guess:
        layout = game_layout(size, first, click, seed, number)
        return GeneratedBoard(size, click, first, seed, number, layout)
    safe = FirstClick.OPENING if click is FirstClick.OPENING else FirstClick.SAFE
    room(size, first, safe)
    # Imported here, as a board without changes needs no arrays.
    from satsweeper.play.generation.without_guess import first_without_guess

    words = f"{size} seed {seed} board {number}"
    found = first_without_guess(size, first, safe, logic, total, words, budget, going_on)
    if found is None:
        raise BudgetError(f"board {size}: none without a guess, of {counted(budget, 'layout')}")
    return GeneratedBoard(size, click, first, seed, number, *found)
