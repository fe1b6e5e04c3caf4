"""The app: keys become moves and searches, and the results are drawn and put into sentences."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from signal import Signals
from typing import ClassVar, Final

from textual import events
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from pbcnf.wording import counted
from satsweeper.board.errors import DefectError, Error
from satsweeper.show.play import searches
from satsweeper.show.play.board import BoardWidget
from satsweeper.show.play.drawing import SYMBOLS, Look, Overlay
from satsweeper.show.play.keys import ACTIONS, Keys
from satsweeper.show.play.searches import Hints, Job, SearchResult
from satsweeper.show.play.session import PAGES, STEPS, BoardSession

_LINES: Final = 5
"""The most lines of a message below the board; a longer message gets a page."""
_MEANINGS: Final = {
    "covered": "covered", "flag": "a flag", "wrong": "a flag where no mine is",
    "safe": "certainly safe", "certain mine": "certainly a mine", "mine": "a mine (at the end)",
    "exploded": "the mine that was opened",
}  # fmt: skip
_KEYS_WIDTH: Final = 22
"""The width of the column of keys in the help."""
_DOWN: Final = {"down", "j", "pagedown", "space"}
_UP: Final = {"up", "k", "pageup"}


class SearchEnded(Message):
    """The message at the end of a search.

    ``number``: the number of the search; ``then``: the function that gets the result ``found``;
    ``found``: None if the search was stopped.
    """

    def __init__(
        self, number: int, then: Callable[[SearchResult], None], found: SearchResult | None
    ) -> None:
        super().__init__()
        self.number = number
        self.then = then
        self.found = found


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


class PlayApp(App[Signals | Error], inherit_bindings=False):
    """The app of the game. ``run`` returns None, the signal that ended the app, or an error.

    Args:
        session: the game to begin with.
        keys: the bindings from actions to keys.
        look: the style of drawing cells.
        asked: searches for hints, in a process of its own.
        strategy: the name of the strategy that guesses.
    """

    TITLE = "satsweeper"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = "BoardWidget"
    BINDINGS: ClassVar = []
    CSS: ClassVar[str] = """
    Screen { background: ansi_default; color: ansi_default; layout: vertical; }
    Static { background: ansi_default; color: ansi_default; height: 1; }
    BoardWidget { background: ansi_default; color: ansi_default; }
    #status { text-style: bold; }
    #said { height: auto; min-height: 1; }
    """

    def __init__(
        self, session: BoardSession, keys: Keys, look: Look, asked: Hints, strategy: str = "safest"
    ) -> None:
        # The terminal's own colours are used, because people who need other colours set them there.
        super().__init__(ansi_color=True)
        self.session = session
        self.keys = keys
        self.look = look
        self.asked = asked
        self.strategy = strategy
        self.overlay = Overlay()
        self.shown = ""
        """The name of the hints over the board; "" for none."""
        self.said = ""
        """The message below the board."""
        self.searching = ""
        """The goal of the running search; "" for none."""
        self._search = 0
        self._changes = 0
        self._key: str | None = None
        # The widgets are kept here, because a lookup on the screen fails while a TextPage is shown.
        self.board = BoardWidget(look, session)
        self.lines = {name: Static(id=name, markup=False) for name in ("status", "said", "where")}

    def compose(self) -> ComposeResult:
        """The status, the board, the message, and the cell of the cursor."""
        yield self.lines["status"]
        yield self.board
        yield self.lines["said"]
        yield self.lines["where"]

    def on_mount(self) -> None:
        """Draw, and start the process that searches."""
        self._show(f"{self._key_of('help')} is help.")
        self.run_worker(self.asked.begin, thread=True, exit_on_error=False)
        if not self.is_headless and os.name == "posix":
            loop = asyncio.get_running_loop()
            for number in (Signals.SIGINT, Signals.SIGTERM, Signals.SIGHUP):
                loop.add_signal_handler(number, self.exit, number)

    def on_unmount(self) -> None:
        """End all searches."""
        self.asked.close()

    def on_key(self, event: events.Key) -> None:
        """Do the action of the key."""
        event.stop()
        event.prevent_default()
        if event.key == "ctrl+c":
            self.exit(Signals.SIGINT)
            return
        key = event.character if event.is_printable and event.character != " " else event.key
        action = self.keys.action(key or event.key, self._key)
        self._key = key
        if action is None:
            self._show(f"The key {key} does nothing; {self._key_of('help')} is help.")
        else:
            self._do(action)

    def on_board_widget_clicked(self, message: BoardWidget.Clicked) -> None:
        """Left opens, right flags, the middle button chords."""
        self.session.cursor = message.cell
        self._do({1: "open", 2: "chord", 3: "flag"}.get(message.button, "open"))

    def on_board_widget_fitted(self) -> None:
        """Draw again after a change of size: another part of the board may be visible."""
        self._show(self.said)

    def on_search_ended(self, message: SearchEnded) -> None:
        """Pass the result of a search to its consumer, unless the search has been given up."""
        if message.number == self._search:
            self.searching = ""
            if message.found is None:
                self._show("")
                return
            try:
                message.then(message.found)
            except DefectError as error:
                self.exit(error)

    def _do(self, action: str) -> None:
        session = self.session
        if action in STEPS:
            self._move(*STEPS[action])
        elif action in PAGES:
            view = self.board.viewport
            self._move(PAGES[action] * max((view.rows if view else 1) - 1, 1), 0)
        elif action in ("open", "chord"):
            self._acted(getattr(session, action)(session.cursor))
        elif action in ("undo", "again"):
            self._acted(getattr(session, action)())
        elif action == "new" or action.startswith("level_"):
            self._acted(session.next(None if action == "new" else int(action[-1])))
        else:
            getattr(self, f"_{action}")()

    def _move(self, down: int, right: int) -> None:
        self.session.move(down, right)
        self._show(self.said)

    def _flag(self) -> None:
        # A flag changes no open cell: hints stay valid, and a running search goes on.
        self._show(self.session.flag(self.session.cursor))

    def _around(self) -> None:
        self._show(self.session.around())

    def _stop(self) -> None:
        self._changed(f"Stopped searching for {self.searching}." if self.searching else "")

    def _help(self) -> None:
        self.push_screen(TextPage(manual(self.keys, self.session, self.look)))

    def _quit(self) -> None:
        self.exit()

    def _explain(self) -> None:
        cell = self.session.cursor
        if self.session.clue(cell) is not None:
            self._show("An open cell needs no reason: move to a covered one.")
        else:
            name = self.session.named(cell)
            what = f"the reason at {name}"
            self._ask(what, searches.why, partial(self._hinted, what), name)

    def _certain(self) -> None:
        self._toggle("certain cells", searches.certain)

    def _odds(self) -> None:
        self._toggle("the odds", searches.odds)

    def _toggle(self, what: str, job: Job) -> None:
        if self.shown == what:
            self._changed()
        else:
            self._ask(what, job, partial(self._hinted, what))

    def _hinted(self, what: str, found: SearchResult) -> None:
        self.shown = what
        self.overlay = found
        self._show(found.said)

    def _step(self) -> None:
        def stepped(found: SearchResult) -> None:
            if found.safe:
                self._changed(self.session.play_certain(found))
            else:
                guess = f" {self._key_of('auto')} guesses." if found.whole else ""
                self._show(found.said + guess)

        self._ask("a certain move", searches.certain, stepped)

    def _auto(self, opened: int = 0, *, to_the_end: bool = False) -> None:
        # Before the first cell is open all cells look alike, so ``strategy`` plays no part.
        strategy = "safest" if self.session.promised else self.strategy
        then = partial(self._played, opened, to_the_end=to_the_end)
        self._ask("a move", searches.move, then, strategy)

    def _to_the_end(self) -> None:
        self._auto(to_the_end=True)

    def _played(self, opened: int, found: SearchResult, *, to_the_end: bool) -> None:
        """Play all certain moves; a guess only if there was none, or to get to the end."""
        if not found.whole and not found.safe:
            self._show(found.said)
            return
        if found.safe or (opened and not to_the_end):
            before = self.session.covered.bit_count()
            said = self.session.play_certain(found)
            opened += before - self.session.covered.bit_count()
            stuck = not found.safe
            if stuck:
                said = f"Opened {counted(opened, 'cell')}, and now no cell is certain:"
                said += f" {self._key_of('auto')} guesses."
        else:
            stuck = not (to_the_end or self.session.promised)
            said = self.session.play_guess(found)
            opened += 1
        self._changed(said)
        if not (stuck or self.session.over):
            self._auto(opened, to_the_end=to_the_end)

    def _ask(
        self, what: str, job: Job, then: Callable[[SearchResult], None], *arguments: object
    ) -> None:
        """Search in a thread, and return at once."""
        if self.session.over:
            self._show(self.session.ended)
            return
        if self.searching:
            self._show(f"Still searching for {self.searching}: {self._key_of('stop')} stops it.")
            return
        self._search += 1
        self.searching = what
        self._show(f"Searching for {what} ...")
        number, position = self._search, self.session.position()

        def work() -> None:
            try:
                found = self.asked.ask(job, position, *arguments)
            except Error as error:
                found = SearchResult(said=str(error), whole=False)
            # The app may have given the search up meanwhile; ``number`` then differs from _search.
            self.post_message(SearchEnded(number, then, found))

        self.run_worker(work, thread=True)

    def _acted(self, said: str) -> None:
        if self.session.changes == self._changes:
            self._show(said)
        else:
            self._changed(said)

    def _changed(self, said: str = "") -> None:
        """After a move: end searches for the former position, and remove its hints."""
        if self.searching:
            self._search += 1
            self.searching = ""
            self.asked.stop()
        self._changes = self.session.changes
        self.overlay, self.shown = Overlay(), ""
        self._show(said or self.session.ended)

    def _show(self, said: str) -> None:
        """Draw everything, with the message ``said`` below the board; a long message is a page."""
        width, height = self.size.width or 1, self.size.height
        if len(said) > width * max(min(_LINES, height // 3), 1):
            self.push_screen(TextPage(said))
            said = f"{said[: max(width - 4, 0)]} ..."
        self.said = said
        self.board.show(self.session, self.overlay)
        status = [self.session.summary, self.board.shown]
        self.lines["status"].update("  ".join(part for part in status if part))
        self.lines["said"].update(said)
        self.lines["where"].update(self.session.where(self.overlay))

    def _key_of(self, action: str) -> str:
        """The first key of an action, for messages."""
        keys = self.keys.of[action]
        return keys[0] if keys else f"({action}: no key)"


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
            "Symbols: 1-8 mines around; .3 a mine with 30 to 40 %;",
            f"  {'; '.join(symbols[:4])};",
            f"  {'; '.join(symbols[4:])}",
            "[ ] is the cursor, ( ) a clue that forces a verdict; on a board too wide for",
            "brackets the cursor is reversed, and such clues are underlined.",
            "Rows and columns count from 0. Hints follow from the open cells alone.",
        ]
    )
