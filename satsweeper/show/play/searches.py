"""The searches for hints: jobs for ``Hints``, which get the position that a player sees.

It is a ``Position``, or a ``Puzzle`` where the game has rules or other cells than squares.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.board.errors import LimitError
from satsweeper.board.size import BoardSize
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.show.play.drawing import Overlay
from satsweeper.show.sentences import named, percent

if TYPE_CHECKING:
    from satsweeper.puzzle.puzzle import Puzzle

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


def start(send: object, deadline: Deadline, board: str = "1??\n") -> SearchResult:
    """Import the modules that the other jobs need for boards as the text ``board``."""
    from satsweeper.puzzle.puzzle import parse_board_or_puzzle

    return certain(lambda found: None, Deadline(), parse_board_or_puzzle(board, mines=1))


def _index(position: Position | Puzzle, name: Any) -> int:
    """Return the bit of a cell in bit boards."""
    if isinstance(position, Position):
        return position.geometry.index(name)
    return position.geometry.numbers[name]


def _bits(position: Position | Puzzle, names: Iterable[Hashable]) -> int:
    return sum(1 << _index(position, name) for name in names)


def certain(
    send: Callable[[SearchResult], object], deadline: Deadline, position: Position | Puzzle
) -> SearchResult:
    """Find the cells that are safe or mines in every layout; ``send`` gets intermediate results."""
    from satsweeper.answers.classification import Status
    from satsweeper.answers.options import Options
    from satsweeper.engines.classify import classify_with

    def as_found(result: Any) -> SearchResult:
        whole = result.status is not Status.UNDECIDED
        lists = [
            f"{counted(len(cells), noun)}: {named(cells, _NAMED)}."
            for noun, cells in (("safe cell", result.safe), ("mine", result.mines))
            if cells
        ]
        said = " ".join(lists) or "No cell is certain."
        if not whole:
            said = f"The limit came first; certain so far: {said}"
        safe, mines = (_bits(position, cells) for cells in (result.safe, result.mines))
        return SearchResult(safe, mines, said=said, whole=whole)

    timeout = deadline.left(_LEAST)
    options = Options(flags="ignore", timeout=timeout, tell=lambda result: send(as_found(result)))
    return as_found(classify_with(position, options))


def odds(send: object, deadline: Deadline, position: Position | Puzzle) -> SearchResult:
    """Find the chance of a mine in every covered cell; ``marks`` has a cell with the least chance.

    Of equal cells it is the first one beside a clue, or else the first.
    """
    left = deadline.left(_LEAST)
    apart, interior = 0, None
    try:
        if isinstance(position, Position):
            from satsweeper.count.odds import odds as count

            found = count(position, flags="ignore", timeout=left)
            chances, interior = found.by_index, found.interior
            safest: list[Any] = found.safest()
            if interior is not None and 0 < interior < 1:
                # A cell beside a clue is certain or in a region, and no interior cell.
                planes = position.planes
                apart = planes.covered & ~position.geometry.spread(planes.clues)
        else:
            from satsweeper.puzzle.odds.odds import odds_of_puzzle

            of_puzzle = odds_of_puzzle(position, flags="ignore", timeout=left)
            chances, safest = of_puzzle.by_cell, of_puzzle.safest()
    except LimitError as error:
        return SearchResult(said=f"No odds: {error}.", whole=False)
    if not safest:
        return SearchResult(chances={}, said="No cell is covered.")
    best = min(safest, key=lambda cell: apart >> _index(position, cell) & 1)
    index = _index(position, best)
    chance = chances[index]
    said = f"Safe: {named(safest, _NAMED)}."
    if chance:
        others = f"; {counted(len(safest) - 1, 'other')} as safe" if len(safest) > 1 else ""
        said = f"Safest guess: {best}, a mine with {percent(chance)}{others}."
    if apart and interior is not None and interior != chance:
        said += f" Away from the clues: {percent(interior)}."
    return SearchResult(
        chances=chances, marks=frozenset([best]), apart=apart, guess=index, chance=chance, said=said
    )


def move(
    send: Callable[[SearchResult], object],
    deadline: Deadline,
    position: Position | Puzzle,
    strategy: str = "safest",
) -> SearchResult:
    """Find the certain cells, and if no cell is safe, the guess of ``strategy``."""
    from satsweeper.play.playing import TooWideError

    found = certain(send, deadline, position)
    if found.safe or not found.whole:
        return found
    send(found)
    best = odds(send, deadline, position)
    guesses = best.guess is not None and best.chance and strategy != "safest"
    if guesses and isinstance(position, Position):
        with suppress(TooWideError):
            best = _guess(position, strategy)
    return replace(found, guess=best.guess, chance=best.chance, said=best.said, whole=best.whole)


def _guess(position: Position, strategy: str) -> SearchResult:
    from satsweeper.play.playing import guess_at
    from satsweeper.play.strategies.table import find_strategy

    cell, chance = guess_at(position, find_strategy(strategy), flags="ignore")
    return SearchResult(guess=position.geometry.index(cell), chance=chance)


def why(
    send: Callable[[SearchResult], object],
    deadline: Deadline,
    position: Position | Puzzle,
    cell: Any,
) -> SearchResult:
    """Find the clues that force the verdict on ``cell``, or else the chance of a mine there."""
    from satsweeper.answers.classification import Status, Verdict
    from satsweeper.engines.session import Session

    bit = 1 << _index(position, cell)
    early = f"{cell}: the limit came before a verdict."
    with Session(position, flags="ignore") as session:
        if isinstance(position, Position):
            from satsweeper.solvers.search_budget import SearchBudget

            result = session.classify(SearchBudget(deadline))
            known = SearchResult(result.safe_board & bit, result.mine_board & bit, whole=False)
            if known.safe or known.mines:
                noun = "safe" if known.safe else "a mine"
                send(replace(known, said=f"{cell} is {noun}; the limit came before the reason."))
            elif result.status is Status.UNDECIDED:
                return replace(known, said=early)
            explanation = session.explain(cell)
        else:
            try:
                explanation = session.explain(cell, deadline)
            except LimitError:
                return SearchResult(said=early, whole=False)
            safe, mine = (
                bit * (explanation.verdict is each) for each in (Verdict.SAFE, Verdict.MINE)
            )
            known = SearchResult(safe, mine, whole=False)
    if explanation.reason is not None:
        marks = frozenset(explanation.reason.clues)
        return replace(known, marks=marks, said=explanation.sentence, whole=True)
    said = f"{cell} is not certain: there are layouts with a mine there, and layouts without."
    send(replace(known, said=said))
    chances = odds(send, deadline, position).chances
    if chances is not None:
        said += f" A mine with {percent(chances[_index(position, cell)])}."
    return SearchResult(said=said)


def without_guess(
    send: object,
    deadline: Deadline,
    position: Position,
    first_click: str,
    start: Cell,
    seed: int,
    number: int,
    strength: str,
) -> SearchResult:
    """Find the mines of a board of the size of ``position`` that needs no guess from ``start`` on.

    The other arguments are those of ``satsweeper.play.generation.run.generate``.
    """
    from satsweeper.play.generation.run import BudgetError, generate

    assert position.mines is not None
    try:
        found = generate(
            BoardSize(position.rows, position.columns, position.mines),
            first_click=first_click,
            start=start,
            seed=seed,
            number=number,
            no_guess=True,
            strength=strength,
        )
    except BudgetError as error:
        return SearchResult(said=f"{error}.", whole=False)
    return SearchResult(mines=found.layout.mines)


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
