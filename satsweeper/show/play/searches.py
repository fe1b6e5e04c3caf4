"""The searches for hints: jobs for ``Hints``, which get the position that a player sees."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.play.draw import FirstClick
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.show.play.drawing import Overlay, ended
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.sentences import named, percent

_LEAST: Final = 0.001
"""The least limit in seconds that a search gets after its deadline, as a limit of 0 is invalid."""
_NAMED: Final = 8
"""The most cells that a sentence names."""


@dataclass(frozen=True, slots=True)
class SearchResult(Overlay):
    """The hints that a search has found, and a sentence for the player.

    ``marks`` are the clues that force a verdict; ``guess`` is the index of a cell to open where no
    cell is certain to be safe, and ``chance`` the chance of a mine there; ``said`` is the sentence;
    ``whole`` is False if the search ended at its limit before the result was complete.
    """

    guess: int | None = None
    chance: Fraction | None = None
    said: str = ""
    whole: bool = True


def start(send: object, deadline: Deadline) -> SearchResult:
    """Import the modules that the other jobs need."""
    return certain(lambda found: None, Deadline(), Position.parse("1??", mines=1))


def certain(
    send: Callable[[SearchResult], object], deadline: Deadline, position: Position
) -> SearchResult:
    """Find the cells that are safe or mines in every layout; ``send`` gets intermediate results."""
    from satsweeper.answers.classification import Classification, Status
    from satsweeper.answers.options import Options
    from satsweeper.engines.classify import classify_with

    def as_found(result: Classification) -> SearchResult:
        whole = result.status is not Status.UNDECIDED
        lists = [
            f"{counted(len(cells), noun)}: {named(cells, _NAMED)}."
            for noun, cells in (("safe cell", result.safe), ("mine", result.mines))
            if cells
        ]
        said = " ".join(lists) or "No cell is certain."
        if not whole:
            said = f"The limit came first; certain so far: {said}"
        return SearchResult(result.safe_board, result.mine_board, said=said, whole=whole)

    timeout = deadline.left(_LEAST)
    options = Options(flags="ignore", timeout=timeout, tell=lambda result: send(as_found(result)))
    return as_found(classify_with(position, options))


def odds(send: object, deadline: Deadline, position: Position) -> SearchResult:
    """Find the chance of a mine in every covered cell."""
    from satsweeper.count.budget import OddsLimitError
    from satsweeper.count.odds import odds as count

    try:
        found = count(position, flags="ignore", timeout=deadline.left(_LEAST))
    except OddsLimitError as error:
        return SearchResult(said=f"No odds: {error}.", whole=False)
    safest = found.safest()
    if not safest:
        return SearchResult(chances={}, said="No cell is covered.")
    index = position.geometry.index(safest[0])
    chance = found.by_index[index]
    said = f"Safe: {named(safest, _NAMED)}."
    if chance:
        noun = "Safest guesses" if len(safest) > 1 else "Safest guess"
        said = f"{noun}: {named(safest, _NAMED)}, a mine with {percent(chance)}."
    return SearchResult(chances=found.by_index, guess=index, chance=chance, said=said)


def move(
    send: Callable[[SearchResult], object],
    deadline: Deadline,
    position: Position,
    strategy: str = "safest",
) -> SearchResult:
    """Find the certain cells, and if no cell is safe, the guess of ``strategy``."""
    from satsweeper.play.playing import TooWideError

    found = certain(send, deadline, position)
    if found.safe or not found.whole:
        return found
    send(found)
    best = odds(send, deadline, position)
    if strategy != "safest" and best.guess is not None and best.chance:
        with suppress(TooWideError):
            best = _guess(position, strategy)
    return replace(found, guess=best.guess, chance=best.chance, said=best.said, whole=best.whole)


def _guess(position: Position, strategy: str) -> SearchResult:
    from satsweeper.play.playing import guess_at
    from satsweeper.play.strategies.table import find_strategy

    cell, chance = guess_at(position, find_strategy(strategy), flags="ignore")
    return SearchResult(guess=position.geometry.index(cell), chance=chance)


def why(
    send: Callable[[SearchResult], object], deadline: Deadline, position: Position, cell: Cell
) -> SearchResult:
    """Find the clues that force the verdict on ``cell``, or else the chance of a mine there."""
    from satsweeper.answers.classification import Status
    from satsweeper.search.session import PositionSession
    from satsweeper.solvers.search_budget import SearchBudget

    bit = 1 << position.geometry.index(cell)
    with PositionSession(position, flags="ignore") as session:
        result = session.classify(SearchBudget(deadline))
        known = SearchResult(result.safe_board & bit, result.mine_board & bit, whole=False)
        if known.safe or known.mines:
            noun = "safe" if known.safe else "a mine"
            send(replace(known, said=f"{cell} is {noun}; the limit came before the reason."))
        elif result.status is Status.UNDECIDED:
            return replace(known, said=f"{cell}: the limit came before a verdict.")
        explanation = session.explain(cell)
    if explanation.reason is not None:
        marks = frozenset(explanation.reason.clues)
        return replace(known, marks=marks, said=explanation.sentence, whole=True)
    said = f"{cell} is not certain: there are layouts with a mine there, and layouts without."
    send(replace(known, said=said))
    chances = odds(send, deadline, position).chances
    if chances is not None:
        said += f" A mine with {percent(chances[position.geometry.index(cell)])}."
    return SearchResult(said=said)


# Hints about a position, searched for in a process that can be ended at any moment. A search gets
# only the position that the player sees, and not the layout. Flags may be wrong, so the position
# has covered cells in their place.

Job = Callable[..., "SearchResult"]
"""A function of ``send`` (for intermediate results), a ``Deadline`` and a position."""

_START: Final = 120.0
"""Seconds that a process may take to start."""
_MOMENT: Final = 0.05
"""Seconds between two attempts to end a process that is about to start."""


class Hints:
    """Jobs in a separate process, each with a limit in seconds.

    Args:
        seconds: the limit of a job.
        first: a job that imports the modules of all other jobs when the process starts; its time
            does not count for the limit.
    """

    def __init__(self, seconds: float, first: Job) -> None:
        # Imported here, as the page in a browser imports this module and has no processes.
        from satsweeper.processes.worker import Worker

        self.seconds = seconds
        self._first = first
        self._worker = Worker("the search for hints")
        self._alone = threading.Lock()
        self._stopped = self._closed = False

    def begin(self) -> None:
        """Start the process, so that the first hint comes at once."""
        self.ask(self._first)

    def ask(self, job: Job, *arguments: object) -> SearchResult | None:
        """The result of a job within the limit; None if the job was stopped.

        Raises:
            WorkerDiedError: the process of the job ended without ``stop`` or ``close``.
        """
        from satsweeper.processes.worker import WorkerDiedError

        with self._alone:
            if self._closed:
                return None
            self._stopped = False
            try:
                if not self._worker.running:
                    self._worker.ask(_START, self._first)
                found: SearchResult | None = self._worker.ask(self.seconds, job, *arguments)
            except WorkerDiedError:
                if self._stopped:
                    return None
                raise
        return found or SearchResult(said=f"Nothing found within {self.seconds:g} s.", whole=False)

    def stop(self) -> None:
        """End the running job, from another thread."""
        if self._alone.locked():
            self._stopped = True
            self._worker.kill()

    def close(self) -> None:
        """End the running job, and run no further jobs."""
        self._closed = self._stopped = True
        # ``kill`` has no effect on a process that is only about to start, so repeat the call until
        # ``ask`` has returned.
        while not self._alone.acquire(timeout=_MOMENT):
            self._worker.kill()
        self._worker.end()
        self._alone.release()


# Automatic moves: all certain cells, or a guess; and sentences about them.


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
    """Whether the next click is the first one and safe by convention, hence no guess."""
    return session.game.start is None and session.game.first_click is not FirstClick.NONE


def play_guess(session: GameSession, found: SearchResult) -> str:
    """Open the cell ``found.guess``; return a sentence with the chance of a mine."""
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
