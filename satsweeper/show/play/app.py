"""The app: keys become moves and searches, and the results are drawn and put into sentences."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from signal import Signals
from time import monotonic
from typing import ClassVar, Final

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

from pbcnf.wording import counted
from satsweeper.board.errors import DefectError, Error
from satsweeper.show.play import searches
from satsweeper.show.play.board import BoardWidget
from satsweeper.show.play.drawing import Look
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.play.keys import ACTIONS, Keys
from satsweeper.show.play.pages import TextPage, manual
from satsweeper.show.play.searches import Hints, Job, SearchResult
from satsweeper.show.play.session import PAGES, STEPS, BoardSession

_LINES: Final = 5
"""The most lines of a message below the board; a longer message gets a page."""
_MAIN: Final = ("help", "open", "flag", "explain", "odds", "undo", "quit")
"""The actions whose keys are always in sight."""
_OPENING: Final = ("open", "step", "auto", "to_the_end")
"""The actions for which a board without guessing must be there."""
_LEAVING: Final = ("new", "again", *(each.name for each in ACTIONS if each.name[:6] == "level_"))
"""The actions that end a game, and so are done at the second press where one is in play."""
_LOW: Final = 8
"""The least height of a screen in which messages and keys have a line each."""
_PANEL: Final = 24
"""The width of the list of keys beside a board."""


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


class PlayApp(App[Signals | Error], inherit_bindings=False):
    """The app of the game. ``run`` returns None, the signal that ended the app, or an error.

    Args:
        session: the game to begin with.
        keys: the bindings from actions to keys.
        look: the style of drawing cells.
        asked: searches for hints, in a process of its own.
        strategy: the name of the strategy that guesses.
        clock: the time in seconds, for the time of a game; None: no time is shown.
    """

    TITLE = "satsweeper"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = "BoardWidget"
    BINDINGS: ClassVar = []
    CSS: ClassVar[str] = """
    Screen { background: ansi_default; color: ansi_default; layout: vertical; }
    Static { background: ansi_default; color: ansi_default; height: 1; }
    BoardWidget { background: ansi_default; color: ansi_default; }
    #status, #keys { text-style: reverse; }
    #said { height: auto; min-height: 1; }
    #panel { height: 1fr; content-align: left middle; }
    """

    def __init__(
        self,
        session: BoardSession,
        keys: Keys,
        look: Look,
        asked: Hints,
        strategy: str = "safest",
        clock: Callable[[], float] | None = monotonic,
    ) -> None:
        # The terminal's own colours are used, because people who need other colours set them there.
        super().__init__(ansi_color=True)
        self.session = session
        self.keys = keys
        self.look = look
        self.asked = asked
        self.strategy = strategy
        self.overlay = SearchResult()
        self.shown = ""
        """The name of the hints over the board; "" for none."""
        self.said = ""
        """The message below the board."""
        self.searching = ""
        """The goal of the running search; "" for none."""
        self._search = 0
        self._changes = 0
        self._key: str | None = None
        self._question = ""
        """The action that is done if its key is pressed once more; "" for none."""
        self._clock = clock
        self._ticked = 0.0
        """The time when the clock was looked at last."""
        self._number = 0
        """The number of the game after the last change."""
        self._spent: dict[int, float] = {}
        """Number of a game in which something was opened -> its seconds."""
        # The widgets are kept here, because a lookup on the screen fails while a TextPage is shown.
        self.board = BoardWidget(look, session)
        names = ("status", "panel", "keys", "said", "where")
        self.lines = {name: Static(id=name, markup=False) for name in names}

    def compose(self) -> ComposeResult:
        """The title, the board, the main keys, the message, and the cell of the cursor."""
        yield self.lines["status"]
        with Horizontal():
            yield self.board
            yield self.lines["panel"]
        for name in ("keys", "said", "where"):
            yield self.lines[name]

    def on_mount(self) -> None:
        """Draw, and start the clock and the process that searches."""
        keys = self.keys.of
        listed = [each for each in ACTIONS if each.short and each.name not in self.session.lacks]
        lines = [f"{keys[each.name][0]:>6}  {each.short}" for each in listed if keys[each.name]]
        self.lines["panel"].update("\n".join(lines))
        self.lines["panel"].styles.width = _PANEL
        self._show("")
        if self._clock:
            self._tick()
            self.set_interval(1, self._tick)
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
        asked, self._question = self._question, ""
        session = self.session
        leaving = action in _LEAVING and session.touched and not session.over
        if action is None:
            self._show(f"The key {key} does nothing; {self._key_of('help')} is help.")
        elif leaving and action not in (*session.lacks, asked):
            self._question = action
            self._show(f"This game is in play: {key} once more leaves it.")
        else:
            self._do(action)

    def on_board_widget_clicked(self, message: BoardWidget.Clicked) -> None:
        """Left opens, right flags, the middle button chords."""
        self.session.cursor, self._question = message.cell, ""
        self._do({1: "open", 2: "chord", 3: "flag"}.get(message.button, "open"))

    def on_board_widget_fitted(self) -> None:
        """Draw again after a change of size: another part of the board may be visible."""
        self._show(self.said)

    def on_search_ended(self, message: SearchEnded) -> None:
        """Pass the result of a search to its consumer, unless the search has been given up."""
        if message.number == self._search:
            self.searching = ""
            self._tick()
            if message.found is None:
                self._show("")
                return
            try:
                message.then(message.found)
            except DefectError as error:
                self.exit(error)

    def _do(self, action: str) -> None:
        session = self.session
        self._tick()
        if action in _OPENING and isinstance(session, GameSession) and session.undrawn:
            self._draw(session, action)
        elif action in STEPS:
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

    def _draw(self, session: GameSession, action: str) -> None:
        """Make the board without guessing, open the cell of the cursor, and do ``action``."""
        cell = session.cursor

        def drawn(found: SearchResult) -> None:
            if not found.whole:
                self._show(found.said)
                return
            session.lay(found.mines)
            self._acted(session.open(cell))
            if action != "open":
                self._do(action)

        if session.flags >> session.index(cell) & 1:
            self._show(session.open(cell))
        else:
            made = searches.without_guess
            self._ask("a board that needs no guess", made, drawn, *session.drawn_by)

    def _best(self) -> None:
        def there(found: SearchResult) -> None:
            if found.guess is not None:
                self.session.cursor = self.session.cell(found.guess)
            self._hinted("the odds", found)

        if self.shown == "the odds":
            there(self.overlay)
        else:
            self._ask("the odds", searches.odds, there)

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
        self._changes, number = self.session.changes, self.session.number
        if number > self._number:
            self._spent.pop(number, None)
        if self.session.touched:
            self._spent.setdefault(number, 0.0)
        self._number = number
        self.overlay, self.shown = SearchResult(), ""
        self._show(said or self.session.ended)

    def _show(self, said: str) -> None:
        """Draw everything, with the message ``said`` below the board; a long message is a page."""
        width, height = self.size.width or 1, self.size.height
        if len(said) > width * max(min(_LINES, height // 3), 1):
            self.push_screen(TextPage(said))
            said = f"{said[: max(width - 4, 0)]} ..."
        self.said = said
        session, lines = self.session, self.lines
        self.board.show(session, self.overlay)
        # The list of keys is there where the board would fit beside it even with odds.
        room = self.board.whole_width + _PANEL <= width
        lines["panel"].display = room and str(lines["panel"].content).count("\n") < height - 4
        # On a low screen, and where the board takes all lines but three, the keys are below the
        # board while there is no message.
        apart = height >= _LOW and session.size[0] != height - 3
        lines["keys"].display = apart
        self._title()
        keys = self._main_keys(width)
        lines["keys"].update(f"{keys:<{width}}")
        lines["said"].update(said if said or apart else keys)
        where = session.where(self.overlay)
        # On a narrow screen what the cell is matters more than where it is.
        shorter = where, where.partition(": ")[2], where.rpartition(", ")[2]
        lines["where"].update(next((each for each in shorter if len(each) <= width), where))

    def _tick(self) -> None:
        """Add the time since the last call to a game in play, and show the title."""
        if self._clock is None:
            return
        before, self._ticked = self._ticked, self._clock()
        if self.session.number in self._spent and not self.session.over:
            self._spent[self.session.number] += self._ticked - before
        self._title()

    def _title(self) -> None:
        """Show the board, mines left, flags, covered cells, time and status, as far as they fit."""
        session = self.session
        minutes, seconds = divmod(int(self._spent.get(session.number, 0)), 60)
        last = [f"{minutes}:{seconds:02}"] * (self._clock is not None) + [session.status]
        left = f"mines left {session.mines_left}"
        flags = counted(session.flags.bit_count(), "flag")
        seen = [self.board.shown] if self.board.shown else []
        choices = [
            [session.title, left, flags, f"{session.covered.bit_count()} covered", *last, *seen],
            [session.title, left, *last, *seen],
            [session.title, left, *last],
            [left, *last],
            [str(session.mines_left), *last],
        ]
        lines = ["  ".join(parts) for parts in choices]
        fitting = (line for line in lines if len(line) <= self.size.width)
        self.lines["status"].update(f"{next(fitting, lines[-1]):<{self.size.width}}")

    def _main_keys(self, width: int) -> str:
        """The keys of the main actions, with as many of the actions in words as fit."""
        short = {each.name: each.short for each in ACTIONS}
        bound = {name: self.keys.of[name] for name in _MAIN if self.keys.of[name]}
        keys = [(min(of, key=len), short[name]) for name, of in bound.items()]
        for words in range(len(keys), -1, -1):
            named = [f"{key} {what}" if n < words else key for n, (key, what) in enumerate(keys)]
            line = "  ".join(named)
            if len(line) <= width:
                return line
        return " ".join(named)

    def _key_of(self, action: str) -> str:
        """The first key of an action, for messages."""
        keys = self.keys.of[action]
        return keys[0] if keys else f"({action}: no key)"
