"""The searches for hints: jobs for ``Hints``, which get the position that a player sees."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from pbcnf.wording import counted
from satsweeper.board.codes import Cell
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.show.play.drawing import Overlay
from satsweeper.show.sentences import named, percent

_LEAST: Final = 0.001
"""Seconds that a search gets even if its deadline has come, as 0 is no limit that it takes."""
_NAMED: Final = 8
"""The most cells that a line names."""


@dataclass(frozen=True, slots=True)
class SearchResult(Overlay):
    """The hints that a search has found, and a sentence for the player.

    ``marks`` are the clues that force a verdict; ``guess`` is the safest cell where none is safe,
    with its ``chance`` of a mine; ``whole`` is False if a limit came first.
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
    """Find the cells that are safe or mines in every layout."""
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

    def tell(result: Classification) -> None:
        send(as_found(result))

    options = Options(flags="ignore", timeout=deadline.left(_LEAST), tell=tell)
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
    """Find the certain cells, and where none is safe, the guess of a strategy."""
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
    from satsweeper.play.guess import guess_at
    from satsweeper.play.strategies.table import find_strategy

    cell, chance = guess_at(position, find_strategy(strategy), flags="ignore")
    return SearchResult(guess=position.geometry.index(cell), chance=chance)


def why(
    send: Callable[[SearchResult], object], deadline: Deadline, position: Position, cell: Cell
) -> SearchResult:
    """Find the clues that force the verdict on ``cell``, or say that there is none."""
    from satsweeper.answers.classification import Status
    from satsweeper.search.session import Session
    from satsweeper.solvers.search_budget import SearchBudget

    bit = 1 << position.geometry.index(cell)
    with Session(position, flags="ignore") as session:
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
