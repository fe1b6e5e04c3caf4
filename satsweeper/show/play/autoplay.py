"""Automatic moves: all certain cells, or a guess; and sentences about them."""

from pbcnf.wording import counted
from satsweeper.play.first_click import FirstClick
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.play.searches import SearchResult
from satsweeper.show.play.words import ended
from satsweeper.show.sentences import percent


def play_certain(session: GameSession, found: SearchResult) -> str:
    """Open the safe cells and flag the mines.

    Raises:
        UnsafeCellError: a cell that was called safe had a mine.
    """
    before = session.covered.bit_count()
    session.play(found.safe, found.mines)
    opened = before - session.covered.bit_count()
    return f"Opened {counted(opened, 'cell')}: all were certain. {ended(session)}".strip()


def promised(session: GameSession) -> bool:
    """Whether the next click is the first, and safe by convention: no guess."""
    return session.game.start is None and session.game.first_click is not FirstClick.NONE


def play_guess(session: GameSession, found: SearchResult) -> str:
    """Open the safest cell; return a sentence with the chance of a mine."""
    assert found.guess is not None
    assert found.chance is not None
    game = session.game
    cell = game.geometry.cell(found.guess)
    begins = promised(session)
    session.play(0, found.mines)
    if game.flags >> found.guess & 1:
        session.flag(cell)
    session.open(cell)
    session.cursor = cell
    said = f"A guess, as no cell is certain: {cell}, a mine with {percent(found.chance)}."
    if begins:
        said = f"Opened {cell} to begin; first click: {game.first_click}."
    return f"{said} {ended(session)}".strip()
