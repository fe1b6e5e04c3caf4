"""How what a search found comes back to the app: as a message."""

from collections.abc import Callable

from textual.message import Message

from satsweeper.show.play.found import Found


class Came(Message):
    """What a search found, None if it was stopped, and what to do with it."""

    def __init__(self, number: int, then: Callable[[Found], None], found: Found | None) -> None:
        super().__init__()
        self.number = number
        self.then = then
        self.found = found
