"""An engine: a function from a position to verdicts, and a row with its promise and its needs."""

from collections.abc import Callable
from time import perf_counter
from typing import Final, NamedTuple

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.board.errors import Error, MissingError
from satsweeper.position import Position

Classify = Callable[[Position, Options], Classification]
"""An engine's function.

The statuses ``consistent`` and ``inconsistent`` are certain; ``consistent`` also means that every
cell without a certain verdict is proved unknown. Otherwise the status is ``undecided``.
"""


LEAST_SECONDS: Final = 0.001
"""The least time limit of a search, in seconds, after its deadline: 0 is not a valid limit."""


class EngineMissingError(MissingError, ImportError):
    """An engine needs a package that is not installed; the message names the extra, in one line."""


class EngineRefusedError(Error, ValueError):
    """An engine declines a position, because it would take too long by an estimate in advance."""


class Engine(NamedTuple):
    """A row of the table: an engine's function, its promise, its packages and its options."""

    name: str
    complete: bool
    """Whether the engine decides every cell, given time."""
    promise: str
    """A sentence about the verdicts that the engine finds and misses."""
    extra: str | None
    """The extra ``satsweeper[EXTRA]`` that installs the engine's packages."""
    load: Callable[[], Classify]
    """Imports the engine and returns its function; EngineMissingError without its package."""
    takes: tuple[str, ...] = ()
    """Fields of ``Options`` that this engine takes and not every engine does."""

    def classify(self, position: Position, options: Options) -> Classification:
        """Classify with this engine; ``stats.seconds`` does not include the engine's imports.

        Raises:
            EngineMissingError: a package of the engine is not installed, or cannot be loaded.
        """
        if options.engine != self.name:
            options = options.replaced(engine=self.name)
        try:
            function = self.load()
            started = perf_counter()
            found = function(position, options)
        except ImportError as error:
            if self.extra is None or isinstance(error, EngineMissingError):
                raise
            from pbcnf.wording import install_hint

            # A library's message may have several lines.
            message = str(error).partition("\n")[0]
            broken = f"a package of engine {self.name} is installed, but broken ({message})"
            hint = install_hint(f"satsweeper[{self.extra}]", again=True)
            raise EngineMissingError(f"{broken}: {hint}") from error
        found.stats.seconds = perf_counter() - started
        return found
