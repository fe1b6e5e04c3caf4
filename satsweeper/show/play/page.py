"""A page of text over the board: the help, or a reason that is too long for a few lines."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

_DOWN = {"down", "j", "pagedown", "space"}
_UP = {"up", "k", "pageup"}


class Page(Screen[None]):
    """Text that is read and put away; the arrows scroll it."""

    BINDINGS: ClassVar = []
    CSS: ClassVar[str] = """
    Page { background: ansi_default; color: ansi_default; }
    Page VerticalScroll { scrollbar-size: 0 0; background: ansi_default; }
    Page Static { background: ansi_default; color: ansi_default; height: auto; }
    Page #foot { dock: bottom; height: 1; }
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self._left = False

    def compose(self) -> ComposeResult:
        """The text, and how to leave it."""
        with VerticalScroll():
            yield Static(self.text, markup=False)
        yield Static(
            "arrows and Page Down scroll; any other key goes back", id="foot", markup=False
        )

    def on_key(self, event: events.Key) -> None:
        """Scroll or leave; no key reaches the game."""
        if event.key == "ctrl+c" or self._left:
            # The game answers.
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
