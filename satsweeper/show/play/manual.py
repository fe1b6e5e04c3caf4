"""The help: every action with its keys, and what the symbols mean."""

from satsweeper.show.play.drawing import SYMBOLS, Look
from satsweeper.show.play.keys import ACTIONS, Keys
from satsweeper.show.play.sitting import Sitting

_SYMBOLS = {
    "covered": "covered",
    "flag": "a flag",
    "wrong": "a flag where no mine is",
    "safe": "certainly safe",
    "certain mine": "certainly a mine",
    "mine": "a mine (at the end)",
    "exploded": "the mine that was opened",
}
_WIDTH = 22


def manual(keys: Keys, sitting: Sitting, look: Look) -> str:
    """The help as lines of at most 80 characters, as long as no action has many keys."""
    game = sitting.game
    lines = [f"{spelled(keys, a.name):<{_WIDTH}}{a.what}" for a in ACTIONS if keys.of[a.name]]
    symbols = [f"{SYMBOLS[kind][look.ascii]} {what}" for kind, what in _SYMBOLS.items()]
    seed = "on a given layout" if game.seed is None else f"seed {game.seed}, game {game.number}"
    return "\n".join(
        [
            f"Minesweeper, {game.board}, first click: {game.first_click}, {seed}",
            "",
            *lines,
            f"{'mouse':<{_WIDTH}}left opens, right flags, the middle button chords",
            "",
            "Symbols: 1-8 mines around; .3 a mine with 30 to 40 %;",
            f"  {'; '.join(symbols[:4])};",
            f"  {'; '.join(symbols[4:])}",
            "[ ] is the cursor, ( ) a clue that forces a verdict; on a board too wide for",
            "brackets the cursor is reversed, and such clues are underlined.",
            "Rows and columns count from 0. Hints follow from the open cells alone.",
        ]
    )


def spelled(keys: Keys, action: str) -> str:
    """The keys of an action in words: ``space, f``."""
    return ", ".join(keys.of[action])
