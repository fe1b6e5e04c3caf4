"""Pages of text over the game: the help, and messages too long for a line below the board."""

from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from satsweeper.show.play.drawing import SYMBOLS, Look
from satsweeper.show.play.keys import ACTIONS, Keys
from satsweeper.show.play.session import BoardSession

_MEANINGS: Final = {
    "covered": "covered", "flag": "a flag", "wrong": "a flag where no mine is",
    "safe": "certainly safe", "certain mine": "certainly a mine", "mine": "a mine (at the end)",
    "exploded": "the mine that was opened",
}  # fmt: skip
_KEYS_WIDTH: Final = 22
"""The width of the column of keys in the help."""
_DOWN: Final = {"down", "j", "pagedown", "space"}
_UP: Final = {"up", "k", "pageup"}


class TextPage(Screen[None]):
    """A screen of text, which the arrows scroll and any other key closes."""

    BINDINGS: ClassVar = []
    CSS: ClassVar[str] = """
    TextPage { background: ansi_default; color: ansi_default; }
    TextPage VerticalScroll { scrollbar-size: 0 0; background: ansi_default; }
    TextPage Static { background: ansi_default; color: ansi_default; height: auto; }
    TextPage #foot { dock: bottom; height: 1; }
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self._left = False

    def compose(self) -> ComposeResult:
        """The text, and a line about the keys."""
        with VerticalScroll():
            yield Static(self.text, markup=False)
        yield Static(
            "arrows and Page Down scroll; any other key goes back", id="foot", markup=False
        )

    def on_key(self, event: events.Key) -> None:
        """Scroll or leave; no key reaches the game."""
        if event.key == "ctrl+c" or self._left:
            # Ctrl-C is for the app, and a page that is being left needs no further key.
            return
        event.stop()
        event.prevent_default()
        scroll = self.query_one(VerticalScroll)
        by = scroll.size.height - 1 if event.key in ("pagedown", "pageup", "space") else 1
        if event.key in _DOWN:
            scroll.scroll_relative(y=by, animate=False)
        elif event.key in _UP:
            scroll.scroll_relative(y=-by, animate=False)
        else:
            self._left = True
            self.dismiss()


def manual(keys: Keys, session: BoardSession, look: Look) -> str:
    """The help as lines of at most 80 characters, as long as no action has many keys."""
    actions = [each for each in ACTIONS if each.name not in session.lacks]
    spelled = {each: ", ".join(keys.of[each.name]) for each in actions}
    chords = ", the middle button chords" if "chord" not in session.lacks else ""
    lines = [f"{names:<{_KEYS_WIDTH}}{each.what}" for each, names in spelled.items() if names]
    symbols = [f"{SYMBOLS[kind][look.ascii]} {what}" for kind, what in _MEANINGS.items()]
    return "\n".join(
        [
            *session.about,
            "",
            *lines,
            f"{'mouse':<{_KEYS_WIDTH}}left opens, right flags{chords}",
            "",
            "Symbols: 1-8 mines around; .35 a mine with 35 to 36 %;",
            f"  {'; '.join(symbols[:4])};",
            f"  {'; '.join(symbols[4:])}",
            "[ ] is the cursor, ( ) a clue that forces a verdict, or the safest cell by the odds;",
            "on a board too wide for brackets the cursor is reversed, such clues underlined.",
            "Rows and columns count from 0. Hints follow from the open cells alone.",
        ]
    )
