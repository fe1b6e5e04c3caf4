"""``generate`` for boards with rules and geometries: drawn as they come, or without a guess."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product
from random import Random
from typing import Final

from pbcnf.wording import counted
from satsweeper.board.errors import LimitError
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.play.generated import GeneratedPuzzle
from satsweeper.puzzle.play.initial_clues import enough_given, with_given
from satsweeper.puzzle.play.layouts import LayoutSource
from satsweeper.puzzle.play.certain_game import PuzzleTimeError
from satsweeper.puzzle.play.moves import play_certain
from satsweeper.puzzle.play.repair import LayoutRepair
from satsweeper.puzzle.play.shown import HiddenChoices, Layout, all_clues, hidden_choices
from satsweeper.puzzle.puzzle import Puzzle

BUDGET: Final = 100
"""The default limit on the number of layouts that are drawn and changed."""
_TURN: Final = 2
"""The number of layouts that are drawn for a first click before the next has its turn."""
STYLES: Final = ("click", "puzzle")
CLICKS: Final = ("none", "safe", "opening")
"""The promises of a first click."""


class PuzzleBudgetError(LimitError):
    """No board was found within the budget or the time."""


def generate_puzzle(
    puzzle: Puzzle,
    *,
    style: str = "click",
    no_guess: bool = False,
    first_click: str | None = None,
    start: Hashable | None = None,
    given: int | None = None,
    seed: int = 1,
    number: int = 0,
    budget: int = BUDGET,
    timeout: float | None = None,
) -> GeneratedPuzzle:
    """Generate a board to play; equal arguments give equal boards.

    Args:
        puzzle: the board with nothing open: a geometry, rules, and a total.
        style: "click": a cell is opened first, and under "opening" its neighbours with it;
            "puzzle": some clues are open at first, and every move from there is certain.
        no_guess: whether every move after the first click must be certain.
        first_click: the promise about the first cell, of `CLICKS`; None: "opening" where a layout
            allows that and moves follow, else "safe". With ``no_guess`` "none" is "safe".
        start: the name of the first cell; None: one near the first corner.
        given: the number of clues that are open at first; None: so few that none can be left out.
        seed: draws everything.
        number: which board of the seed.
        budget: the most layouts to be drawn.
        timeout: seconds.

    Raises:
        RuleError: no layout has this total under these rules, or none the promised cells free; a
            board that lacks what a rule needs.
        PuzzleBudgetError: nothing was found within the budget or the time.

    >>> from satsweeper.puzzle.geometry.table import grid
    >>> board = Puzzle(grid("hexagonal", 4, 4), mines=3)
    >>> generate_puzzle(board, no_guess=True).moves is None
    False
    """
    words = f"{puzzle!r} seed {seed} board {number}"
    deadline = Deadline.after(timeout)
    try:
        with LayoutSource(puzzle) as source:
            if style == "puzzle":
                return _puzzle(source, given, seed, number, words, budget, deadline)
            clicks = _clicks(puzzle, first_click, start, no_guess)
            make = _without_guess if no_guess else _drawn
            return make(source, clicks, seed, number, words, budget, deadline)
    except PuzzleTimeError:
        raise PuzzleBudgetError(f"{_in_words(puzzle)}: none was found in time") from None


Click = tuple[str, int]
"""The promise of the first click, and the number of its cell."""


def _clicks(
    puzzle: Puzzle, first_click: str | None, start: Hashable | None, no_guess: bool
) -> list[Click]:
    """Return first clicks to try, one after the other; what is stated is in all of them."""
    geometry = puzzle.geometry
    if first_click == "none" and no_guess:
        first_click = "safe"
    promises = ["opening", "safe"] if first_click is None else [first_click]
    if start is not None:
        if start not in geometry.numbers:
            raise RuleError(f"first click {start}: there is no such cell")
        starts = [geometry.numbers[start]]
    elif len(geometry.shape) == 2:
        rows, columns = geometry.shape
        row, column = min(2, rows - 1), min(2, columns - 1)
        # Where clues look upwards alone nothing follows from the first rows.
        starts = [row * columns + column, 0, (rows - 1) * columns + column]
    else:
        starts = [0]
    found = [(promise, cell) for promise in promises for cell in dict.fromkeys(starts)]
    return found if no_guess else found[:1] + [each for each in found[1:] if each[0] == "safe"]


def _promised(puzzle: Puzzle, click: Click) -> frozenset[int]:
    promise, cell = click
    if promise == "none":
        return frozenset()
    near = puzzle.geometry.neighbours[cell] if promise == "opening" else ()
    return frozenset((cell, *near))


def _room(source: LayoutSource, clicks: list[Click]) -> Iterator[tuple[Click, frozenset[int]]]:
    """Yield the first clicks that some layout allows, and the cells that they open.

    Raises RuleError if there is none.
    """
    some = False
    for click in clicks:
        free = _promised(source.puzzle, click)
        if source.possible(free):
            some = True
            yield click, free
    if not some:
        which = " with a safe first click there" if source.possible() else ""
        raise RuleError(f"{_in_words(source.puzzle)}: no layout{which}")


def _drawn(
    source: LayoutSource,
    clicks: list[Click],
    seed: int,
    number: int,
    words: str,
    budget: int,
    deadline: Deadline,
) -> GeneratedPuzzle:
    (promise, cell), free = next(_room(source, clicks))
    for attempt in range(budget):
        name = f"{words} attempt {attempt}"
        drawn = source.draw(Random(name), free)
        assert drawn is not None
        shown = _shown(source.puzzle, drawn.mines, name)
        if shown is not None:
            hidden, clues = shown
            return GeneratedPuzzle(
                with_given(source.puzzle, clues, free), drawn.mines, clues, hidden, "click",
                promise, source.puzzle.geometry.cells[cell], seed, number, None, attempt + 1, 0,
                # A layout in which a cell shows nothing is drawn anew.
                drawn.uniform,
            )  # fmt: skip
        if deadline.passed():
            raise PuzzleTimeError
    raise _nothing(source.puzzle, budget, "in which all safe cells show something")


def _without_guess(
    source: LayoutSource,
    clicks: list[Click],
    seed: int,
    number: int,
    words: str,
    budget: int,
    deadline: Deadline,
) -> GeneratedPuzzle:
    puzzle = source.puzzle
    tries = [
        (promise, cell, free, LayoutRepair(source, free, f"{words} {promise} {cell}", deadline))
        for (promise, cell), free in _room(source, clicks)
    ]
    # Each first click has its turn, as some let no move follow, whatever the layout.
    turns = [range(begin, min(begin + _TURN, budget)) for begin in range(0, budget, _TURN)]
    for numbers, (promise, cell, free, repair) in product(turns, tries):
        found = repair.search(numbers)
        if found is None:
            continue
        start = with_given(puzzle, found.clues, free)
        play = play_certain(start, found.clues, reasons=True, deadline=deadline)
        assert play.solved
        return GeneratedPuzzle(
            start, found.layout, found.clues, found.hidden, "click", promise,
            puzzle.geometry.cells[cell], seed, number, play.moves, found.attempts, found.changes,
            uniform=False,
        )  # fmt: skip
    raise _nothing(puzzle, budget, "without a guess")


def _puzzle(
    source: LayoutSource,
    given: int | None,
    seed: int,
    number: int,
    words: str,
    budget: int,
    deadline: Deadline,
) -> GeneratedPuzzle:
    puzzle = source.puzzle
    for attempt in range(budget):
        name = f"{words} attempt {attempt}"
        random = Random(name)
        drawn = source.draw(random)
        if drawn is None:
            raise RuleError(f"{_in_words(puzzle)}: no layout")
        shown = _shown(puzzle, drawn.mines, name)
        if shown is None:
            continue
        hidden, clues = shown
        cells = enough_given(puzzle, clues, random, deadline)
        if given is not None:
            if not len(cells) <= given <= len(clues):
                continue
            rest = sorted(clues.keys() - cells)
            cells |= {*random.sample(rest, given - len(cells))}
        start = with_given(puzzle, clues, cells)
        play = play_certain(start, clues, reasons=True, deadline=deadline)
        assert play.solved
        return GeneratedPuzzle(
            start, drawn.mines, clues, hidden, "puzzle", None, None, seed, number, play.moves,
            attempt + 1, 0, drawn.uniform and given is None,
        )  # fmt: skip
    what = "" if given is None else f" with {counted(given, 'clue')} at first"
    raise _nothing(puzzle, budget, f"without a guess{what}")


def _shown(
    puzzle: Puzzle, layout: Layout, seed: str
) -> tuple[HiddenChoices, dict[int, Clue]] | None:
    hidden = hidden_choices(puzzle, layout, seed)
    clues = None if hidden is None else all_clues(puzzle, layout, hidden)
    return None if hidden is None or clues is None else (hidden, clues)


def _nothing(puzzle: Puzzle, budget: int, what: str) -> PuzzleBudgetError:
    layouts = counted(budget, "layout")
    return PuzzleBudgetError(f"{_in_words(puzzle)}: none {what}, of {layouts}")


def _in_words(puzzle: Puzzle) -> str:
    """Return the geometry, size, rules and total of a board."""
    return repr(puzzle).removeprefix("Puzzle(").removesuffix(")")
