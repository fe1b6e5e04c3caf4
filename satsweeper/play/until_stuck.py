"""A game played by certain moves only, until the player is stuck.

At every position the single-clue rules go first; only where they find no safe cell, an engine
classifies the whole position. All cells that are found safe are opened at once. Verdicts of the
rules are kept from one position to the next, as bit boards; verdicts of an engine are not.

For engines that keep every verdict when a safe cell is opened (all but ``enumeration`` with a cap),
the rules do not change which cells are open in the end: an engine that classified each position
would open the same cells.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from satsweeper.answers.options import Options
from satsweeper.board.errors import DefectError
from satsweeper.board.facts import Facts
from satsweeper.engines.table import find_engine
from satsweeper.play.game import Minefield
from satsweeper.reduce.single_clue import single_clue

RULES = "single_clue"
"""The name of the engine that consists of the single-clue rules."""


class UnsafeCellError(DefectError):
    """An engine reported a mine as safe: a defect of the engine."""


@dataclass(frozen=True, slots=True)
class Step:
    """A position of a game after the single-clue rules, and the cells that are opened next.

    ``facts.undecided``: the covered cells without a verdict of the rules; ``safe``: the cells to be
    opened next, 0 at the end; ``mines``: all cells proved to be mines; both as bit boards.
    ``by_rules``: whether the rules found safe cells, so that no engine was needed.
    """

    facts: Facts
    safe: int
    mines: int
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
        field: the game; the cells of a step are opened when the next step is requested.
        engine: a name of ``satsweeper.engines.table.ENGINES``.
        total: whether the engine gets the number of mines.
        mines: covered cells that are known to be mines, as a bit board.
        options: options of the engine; a timeout may end the game early.

    Raises:
        ValueError: no such engine, or the game is lost.
        EngineMissingError: the package of the engine is not installed.
        EngineRefusedError: the engine declines a position.
        UnsafeCellError: the engine or the rules called a mine safe.
    """
    if field.lost:
        raise ValueError("the game is lost: there is nothing left to open")
    asked, options = find_engine(engine), options or Options()
    geometry = field.layout.geometry
    facts = Facts(geometry, field.opened, field.values, field.covered & ~mines, mines)
    while not field.won:
        found_by_rules = single_clue(*facts)
        facts = facts._replace(undecided=found_by_rules.undecided, mines=found_by_rules.mines)
        safe = field.covered & ~(facts.undecided | facts.mines)
        by_rules, proved = safe != 0, facts.mines
        if not safe and facts.undecided and engine != RULES:
            found = asked.classify(field.position(mines, total), options)
            safe, proved = found.safe_board, proved | found.mine_board
        yield Step(facts, safe, proved, by_rules)
        if not safe:
            return
        opened = field.open(safe)
        if field.lost:
            raise UnsafeCellError(f"{RULES if by_rules else engine} called a mine safe")
        facts = Facts(geometry, field.opened, field.values, facts.undecided & ~opened, facts.mines)
