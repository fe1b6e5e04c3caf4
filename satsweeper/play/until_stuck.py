"""A game played by certain moves only, until the player is stuck.

At every position the single-clue rules go first; only where they name no safe cell is an engine
asked, about the whole position as it lies there. All cells that are called safe are opened at once.
What the rules proved is kept from one position to the next, on bit boards; what an engine says is
what it says afresh.

For engines that lose no verdict when a cell is opened (all but ``enumeration`` with a cap) it makes
no difference that the rules go first: the same cells are open in the end as if the engine itself
had been asked at each position.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from satsweeper.answers.options import Options
from satsweeper.board.errors import DefectError
from satsweeper.board.facts import Facts
from satsweeper.engines.table import find_engine
from satsweeper.play.minefield import Minefield
from satsweeper.reduce.single_clue import single_clue

RULES = "single_clue"
"""The name of the engine that consists of the single-clue rules."""


class UnsafeCellError(DefectError):
    """An engine reported a mine as safe: a defect of the engine."""


@dataclass(frozen=True, slots=True)
class Step:
    """A position of a game after the single-clue rules, and the cells that are opened next.

    ``facts.undecided`` are the covered cells that they leave; ``safe`` the cells that are opened
    next, 0 at the end; ``by_rules`` whether it is the rules that call them safe.
    """

    facts: Facts
    safe: int
    by_rules: bool


def until_stuck(
    field: Minefield,
    engine: str = "sat",
    *,
    total: bool = True,
    mines: int = 0,
    options: Options | None = None,
) -> None:
    """Open cells that an engine reports as safe until it reports none; arguments as ``steps``."""
    for _ in steps(field, engine, total=total, mines=mines, options=options):
        pass


def steps(
    field: Minefield,
    engine: str = "sat",
    *,
    total: bool = True,
    mines: int = 0,
    options: Options | None = None,
) -> Iterator[Step]:
    """Yield every position until the engine is stuck or the game is won, before cells are opened.

    Args:
        field: its cells are opened as this goes on; nothing is opened before the first.
        engine: a name of ``satsweeper.engines.table.ENGINES``.
        total: whether the engine is told the number of mines.
        mines: covered cells that are known to be mines, as a bit board.
        options: for the engine; a timeout in them may end the game early.

    Raises:
        ValueError: no such engine, or the game is lost.
        EngineMissingError: its package is not installed.
        EngineRefusedError: it declines a position.
        UnsafeCellError: it called a mine safe.
    """
    if field.lost:
        raise ValueError("the game is lost: there is nothing left to open")
    asked, options = find_engine(engine), options or Options()
    geometry = field.layout.geometry
    facts = Facts(geometry, field.opened, field.values, field.covered & ~mines, mines)
    while not field.won:
        facts = _by_rules(facts)
        safe = field.covered & ~(facts.undecided | facts.mines)
        by_rules = safe != 0
        if not safe and facts.undecided and engine != RULES:
            safe = asked.classify(field.position(mines, total), options).safe_board
        yield Step(facts, safe, by_rules)
        if not safe:
            return
        opened = field.open(safe)
        if field.lost:
            raise UnsafeCellError(f"{RULES if by_rules else engine} called a mine safe")
        facts = Facts(geometry, field.opened, field.values, facts.undecided & ~opened, facts.mines)


def _by_rules(facts: Facts) -> Facts:
    found = single_clue(*facts)
    return Facts(facts.geometry, facts.clues, facts.values, found.undecided, found.mines)
