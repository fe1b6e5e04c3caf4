"""``generate`` for boards with rules and geometries: drawn as they come, or without a guess."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from random import Random
from typing import Final, NamedTuple

from pbcnf.wording import counted
from satsweeper.board.errors import LimitError
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.play.certain_game import PuzzleTimeError
from satsweeper.puzzle.play.generated import GeneratedPuzzle
from satsweeper.puzzle.play.initial_clues import enough_given, with_given
from satsweeper.puzzle.play.layouts import DrawnLayout, LayoutSource
from satsweeper.puzzle.play.moves import play_certain
from satsweeper.puzzle.play.repair import LayoutRepair
from satsweeper.puzzle.play.shown import ShownLayout, shown_layout, values_everywhere
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
    deadline = Deadline.after(timeout)
    try:
        with LayoutSource(puzzle, deadline) as source:
            making = _Making(source, seed, number, budget, deadline)
            if style == "puzzle":
                return making.puzzle_given(given)
            clicks = _clicks(puzzle, first_click, start, no_guess)
            return making.without_guess(clicks) if no_guess else making.drawn(clicks)
    except PuzzleTimeError:
        raise PuzzleBudgetError(f"{_in_words(puzzle)}: none was found in time") from None


class Click(NamedTuple):
    """The promise of the first click, and the number of its cell."""

    promise: str
    cell: int

    def opens(self, puzzle: Puzzle) -> frozenset[int]:
        """Return the cells that are safe by the promise, and open after the click."""
        if self.promise == "none":
            return frozenset()
        near = puzzle.geometry.neighbours[self.cell] if self.promise == "opening" else ()
        return frozenset((self.cell, *near))


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
        last = (rows - 1) * columns
        # Under HN something follows from a clue with three neighbours at most.
        starts = [row * columns + column, 0, last + column, last]
    else:
        starts = [0]
    found = [Click(promise, cell) for promise in promises for cell in dict.fromkeys(starts)]
    return found if no_guess else found[:1] + [each for each in found[1:] if each.promise == "safe"]


class _Making(NamedTuple):
    """The making of one board: arguments as `generate_puzzle` has them."""

    source: LayoutSource
    seed: int
    number: int
    budget: int
    deadline: Deadline

    @property
    def _words(self) -> str:
        return f"{self.source.puzzle!r} seed {self.seed} board {self.number}"

    def drawn(self, clicks: list[Click]) -> GeneratedPuzzle:
        """Return a board as it is drawn, with the first click of ``clicks`` that has a layout."""
        click, free = next(self._room(clicks))
        for attempt, _, drawn, shown in self._layouts(free):
            # A layout in which a cell shows nothing is drawn anew.
            return self._made(shown, free, click, attempt, uniform=drawn.uniform, proved=False)
        raise self._nothing("in which all safe cells show something")

    def without_guess(self, clicks: list[Click]) -> GeneratedPuzzle:
        """Return a board on which all moves after one of the first clicks are certain."""
        tries = [
            (click, free, LayoutRepair(self.source, free, f"{self._words} {click}", self.deadline))
            for click, free in self._room(clicks)
        ]
        # Each first click has its turn, as some let no move follow, whatever the layout.
        for begin in range(0, self.budget, _TURN):
            for click, free, repair in tries:
                found = repair.search(range(begin, min(begin + _TURN, self.budget)))
                if found is not None:
                    return self._made(found.shown, free, click, found.attempts, found.changes)
        raise self._nothing("without a guess")

    def puzzle_given(self, given: int | None) -> GeneratedPuzzle:
        """Return a board that is solved from ``given`` clues; None: no more than are needed."""
        for attempt, random, drawn, shown in self._layouts():
            clues = shown.clues
            cells = enough_given(self.source.puzzle, clues, random, self.deadline)
            if given is not None:
                if not len(cells) <= given <= len(clues):
                    continue
                cells |= {*random.sample(sorted(clues.keys() - cells), given - len(cells))}
            uniform = drawn.uniform and given is None
            return self._made(shown, cells, None, attempt, uniform=uniform)
        what = "" if given is None else f" with {counted(given, 'clue')} at first"
        raise self._nothing(f"without a guess{what}")

    def _room(self, clicks: list[Click]) -> Iterator[tuple[Click, frozenset[int]]]:
        """Yield the first clicks that some layout allows, and the cells that they open.

        Raises RuleError if there is none.
        """
        some = False
        for click in clicks:
            free = click.opens(self.source.puzzle)
            if self.source.possible(free):
                some = True
                yield click, free
        if not some:
            safe = self.source.possible()
            raise self._no_layout(" with a safe first click there" if safe else "")

    def _layouts(
        self, free: frozenset[int] = frozenset()
    ) -> Iterator[tuple[int, Random, DrawnLayout, ShownLayout]]:
        """Yield layouts without a mine in ``free`` in which all safe cells show something.

        Each comes with its number, from 1, and the source that drew it. Raises RuleError if there
        is no layout.
        """
        for attempt in range(self.budget):
            if self.deadline.passed():
                raise PuzzleTimeError
            name = f"{self._words} attempt {attempt}"
            random = Random(name)
            drawn = self.source.draw(random, free)
            if drawn is None:
                raise self._no_layout()
            shown = shown_layout(self.source.puzzle, drawn.mines, name)
            if shown is not None:
                yield attempt + 1, random, drawn, shown

    def _made(
        self,
        shown: ShownLayout,
        given: frozenset[int],
        click: Click | None,
        attempts: int,
        changes: int = 0,
        *,
        uniform: bool = False,
        proved: bool = True,
    ) -> GeneratedPuzzle:
        """Return the board with the cells ``given`` open, with the moves if it is ``proved``."""
        puzzle = self.source.puzzle
        start = with_given(puzzle, shown.clues, given)
        moves = None
        if proved:
            play = play_certain(start, shown.clues, reasons=True, deadline=self.deadline)
            assert play.solved
            moves = play.moves
        style, promise, first = "puzzle", None, None
        if click is not None:
            style, promise, first = "click", click.promise, puzzle.geometry.cells[click.cell]
        return GeneratedPuzzle(
            start, shown.mines, shown.clues, shown.hidden, style, promise, first, self.seed,
            self.number, moves, attempts, changes, uniform,
        )  # fmt: skip

    def _no_layout(self, which: str = "") -> RuleError:
        puzzle = self.source.puzzle
        if not which and any(values_everywhere(puzzle)):
            which = " in which all safe cells show something"
        return RuleError(f"{_in_words(puzzle)}: no layout{which}")

    def _nothing(self, what: str) -> PuzzleBudgetError:
        layouts = counted(self.budget, "layout")
        return PuzzleBudgetError(f"{_in_words(self.source.puzzle)}: none {what}, of {layouts}")


def _in_words(puzzle: Puzzle) -> str:
    """Return the geometry, size, rules and total of a board."""
    return repr(puzzle).removeprefix("Puzzle(").removesuffix(")")
