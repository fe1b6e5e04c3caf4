"""The app: keys become moves and searches, and what comes of them is drawn and said."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from signal import Signals
from typing import ClassVar, Final

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Static

from pbcnf.wording import counted
from satsweeper.board.codes import MAX_CLUE
from satsweeper.board.errors import DefectError, Error
from satsweeper.play.levels import LEVELS
from satsweeper.show.play import searches, words
from satsweeper.show.play.autoplay import play_certain, play_guess, promised
from satsweeper.show.play.board import Board
from satsweeper.show.play.came import Came
from satsweeper.show.play.drawing import Look, Overlay
from satsweeper.show.play.found import Found
from satsweeper.show.play.hints import Asked, Job
from satsweeper.show.play.keys import Keys
from satsweeper.show.play.manual import manual
from satsweeper.show.play.page import Page
from satsweeper.show.play.sitting import PAGES, STEPS, Sitting

_LEVELS: Final = tuple(LEVELS.values())
_LINES: Final = 5
"""Lines of a message that are shown below the board; a longer one gets a page."""


class PlayApp(App[Signals | Error], inherit_bindings=False):
    """The game. ``run`` returns None, the signal that ended it, or what failed.

    Args:
        sitting: the game to begin with.
        keys: what they do.
        look: how cells are drawn.
        asked: who searches for hints.
        strategy: who guesses.
    """

    TITLE = "satsweeper"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = "Board"
    BINDINGS: ClassVar = []
    CSS: ClassVar[str] = """
    Screen { background: ansi_default; color: ansi_default; layout: vertical; }
    Static { background: ansi_default; color: ansi_default; height: 1; }
    Board { background: ansi_default; color: ansi_default; }
    #status { text-style: bold; }
    #said { height: auto; min-height: 1; }
    """

    def __init__(
        self, sitting: Sitting, keys: Keys, look: Look, asked: Asked, strategy: str = "safest"
    ) -> None:
        # The terminal's own colours: whoever needs other ones has set them there.
        super().__init__(ansi_color=True)
        self.sitting = sitting
        self.keys = keys
        self.look = look
        self.asked = asked
        self.strategy = strategy
        self.overlay = Overlay()
        self.shown = ""
        """What the hints over the board are; "" for none."""
        self.said = ""
        """What is said below the board."""
        self.searching = ""
        """What is searched for now; "" for nothing."""
        self._search = 0
        self._changes = 0
        self._key: str | None = None
        # A page may lie over them: they are not looked up on the screen.
        self.board = Board(look, sitting)
        self.lines = {name: Static(id=name, markup=False) for name in ("status", "said", "where")}

    def compose(self) -> ComposeResult:
        """The status, the board, what is said, and what the cursor is on."""
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
        """Nobody waits for a search any more."""
        self.asked.close()

    def on_key(self, event: events.Key) -> None:
        """Do what the key means."""
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

    def on_board_clicked(self, message: Board.Clicked) -> None:
        """Left opens, right flags, the middle button chords."""
        self.sitting.cursor = message.cell
        self._do({1: "open", 2: "chord", 3: "flag"}.get(message.button, "open"))

    def on_board_fitted(self) -> None:
        """Another part of the board may be seen now."""
        self._show(self.said)

    def on_came(self, message: Came) -> None:
        """Go on with what a search found, unless nobody waits for it any more."""
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
        sitting = self.sitting
        if action in STEPS:
            self._move(*STEPS[action])
        elif action in PAGES:
            view = self.board.viewport
            self._move(PAGES[action] * max((view.rows if view else 1) - 1, 1), 0)
        elif action in ("open", "chord"):
            self._acted(getattr(sitting, action)(sitting.cursor))
        elif action in ("undo", "again"):
            self._acted(getattr(sitting, action)())
        elif action == "new" or action.startswith("level_"):
            sitting.next(sitting.game.board if action == "new" else _LEVELS[int(action[-1])])
            self._changed()
        else:
            getattr(self, f"_{action}")()

    def _move(self, down: int, right: int) -> None:
        self.sitting.move(down, right)
        self._show(self.said)

    def _flag(self) -> None:
        # A flag tells nothing new: hints stay, and searches go on.
        self._show(self.sitting.flag(self.sitting.cursor))

    def _around(self) -> None:
        self._show(words.around(self.sitting))

    def _stop(self) -> None:
        what = f"Stopped searching for {self.searching}." if self.searching else ""
        self._changed(what)

    def _help(self) -> None:
        self.push_screen(Page(manual(self.keys, self.sitting, self.look)))

    def _quit(self) -> None:
        self.exit()

    def _explain(self) -> None:
        cell = self.sitting.cursor
        if self.sitting.codes[self.sitting.game.geometry.index(cell)] <= MAX_CLUE:
            self._show("An open cell needs no reason: move to a covered one.")
        else:
            what = f"the reason at {cell}"
            self._ask(what, searches.why, partial(self._hinted, what), cell)

    def _certain(self) -> None:
        self._toggle("certain cells", searches.certain)

    def _odds(self) -> None:
        self._toggle("the odds", searches.odds)

    def _toggle(self, what: str, job: Job) -> None:
        if self.shown == what:
            self._changed()
        else:
            self._ask(what, job, partial(self._hinted, what))

    def _hinted(self, what: str, found: Found) -> None:
        self.shown = what
        self.overlay = Overlay(found.safe, found.mines, found.chances, found.marks)
        self._show(found.said)

    def _step(self) -> None:
        self._ask("a certain move", searches.certain, self._stepped)

    def _stepped(self, found: Found) -> None:
        if found.safe:
            self._changed(play_certain(self.sitting, found))
        else:
            guess = f" {self._key_of('auto')} guesses." if found.whole else ""
            self._show(found.said + guess)

    def _auto(self, opened: int = 0) -> None:
        self._ask_move(partial(self._played, opened, to_the_end=False))

    def _to_the_end(self, opened: int = 0) -> None:
        self._ask_move(partial(self._played, opened, to_the_end=True))

    def _ask_move(self, then: Callable[[Found], None]) -> None:
        # Nothing tells two cells apart before the first one is open.
        strategy = "safest" if promised(self.sitting) else self.strategy
        self._ask("a move", searches.move, then, strategy)

    def _played(self, opened: int, found: Found, *, to_the_end: bool) -> None:
        """Play all that is certain; a guess only if nothing was, or to get to the end."""
        if not found.whole and not found.safe:
            self._show(found.said)
            return
        if found.safe or (opened and not to_the_end):
            before = self.sitting.covered.bit_count()
            said = play_certain(self.sitting, found)
            opened += before - self.sitting.covered.bit_count()
            stuck = not found.safe
            if stuck:
                said = f"Opened {counted(opened, 'cell')}, and now no cell is certain:"
                said += f" {self._key_of('auto')} guesses."
        else:
            stuck = not (to_the_end or promised(self.sitting))
            said = play_guess(self.sitting, found)
            opened += 1
        self._changed(said)
        if not (stuck or self.sitting.over):
            (self._to_the_end if to_the_end else self._auto)(opened)

    def _ask(self, what: str, job: Job, then: Callable[[Found], None], *arguments: object) -> None:
        """Search in a thread; nothing here waits for it."""
        if self.sitting.over:
            self._show(words.ended(self.sitting))
            return
        if self.searching:
            self._show(f"Still searching for {self.searching}: {self._key_of('stop')} stops it.")
            return
        self._search += 1
        self.searching = what
        self._show(f"Searching for {what} ...")
        position = self.sitting.position()
        work = partial(self._work, self._search, then, job, position, *arguments)
        self.run_worker(work, thread=True)

    def _work(
        self, number: int, then: Callable[[Found], None], job: Job, *arguments: object
    ) -> None:
        try:
            found = self.asked.ask(job, *arguments)
        except Error as error:
            found = Found(said=str(error), whole=False)
        self.post_message(Came(number, then, found))

    def _acted(self, said: str) -> None:
        if self.sitting.changes == self._changes:
            self._show(said)
        else:
            self._changed(said)

    def _changed(self, said: str = "") -> None:
        """After a move: searches for the position before it end, and its hints go."""
        if self.searching:
            self._search += 1
            self.searching = ""
            self.asked.stop()
        self._changes = self.sitting.changes
        self.overlay, self.shown = Overlay(), ""
        self._show(said or words.ended(self.sitting))

    def _show(self, said: str) -> None:
        """Draw everything; what is said stays below the board, or is a page if it is long."""
        width, height = self.size.width or 1, self.size.height
        if len(said) > width * max(min(_LINES, height // 3), 1):
            self.push_screen(Page(said))
            said = f"{said[: max(width - 4, 0)]} ..."
        self.said = said
        self.board.show(self.sitting, self.overlay)
        status = [words.status(self.sitting), self.board.shown]
        self.lines["status"].update("  ".join(part for part in status if part))
        self.lines["said"].update(said)
        self.lines["where"].update(words.where(self.sitting, self.overlay))

    def _key_of(self, action: str) -> str:
        """How to name what an action is done with."""
        keys = self.keys.of[action]
        return keys[0] if keys else f"({action}: no key)"
