"""Moves that the game makes by itself: what is certain, or one guess; and what it says of them."""

from pbcnf.wording import counted
from satsweeper.play.first_click import FirstClick
from satsweeper.show.chance import percent
from satsweeper.show.play.found import Found
from satsweeper.show.play.sitting import Sitting
from satsweeper.show.play.words import ended


def play_certain(sitting: Sitting, found: Found) -> str:
    """Open the safe cells and flag the mines.

    Raises:
        UnsafeCellError: a cell that was called safe had a mine.
    """
    before = sitting.covered.bit_count()
    sitting.play(found.safe, found.mines)
    opened = before - sitting.covered.bit_count()
    return f"Opened {counted(opened, 'cell')}: all were certain. {ended(sitting)}".strip()


def promised(sitting: Sitting) -> bool:
    """Whether the next click is the first, and safe by convention: no guess."""
    return sitting.game.start is None and sitting.game.first_click is not FirstClick.NONE


def play_guess(sitting: Sitting, found: Found) -> str:
    """Open the safest cell, and say how likely that was to go wrong."""
    assert found.guess is not None
    assert found.chance is not None
    game = sitting.game
    cell = game.geometry.cell(found.guess)
    begins = promised(sitting)
    sitting.play(0, found.mines)
    if game.flags >> found.guess & 1:
        sitting.flag(cell)
    sitting.open(cell)
    sitting.cursor = cell
    said = f"A guess, as no cell is certain: {cell}, a mine with {percent(found.chance)}."
    if begins:
        said = f"Opened {cell} to begin; first click: {game.first_click}."
    return f"{said} {ended(sitting)}".strip()
