"""Moves judged by what their player could see: certain, a guess and what it costs, or a mistake.

A guess costs the chance to win after the best move less the chance to win after the guess. Where
few layouts are left both are counted exactly. Elsewhere the cost is an estimate: how much likelier
another cell is to be free together with the safest cell of the next move. Of a guess that is
needless, because another cell is certain to be free, an upper bound is known: a player who is told
whether the guessed cells are free, and who loses only where they are mines, wins at least as often
as the best play, so the guess costs at most the chance of a mine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from pbcnf.wording import counted
from satsweeper.answers.classification import Verdict
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.errors import LimitError
from satsweeper.board.planes import indices
from satsweeper.count.odds import NoLayoutError, Odds, fraction, odds
from satsweeper.engines.classify import classify_with
from satsweeper.play.few_layouts import EFFORT, LAYOUTS, counted_codes, few_layouts_choices
from satsweeper.play.game import Action, Game, Minefield, Move
from satsweeper.play.kernel.grid import UNKNOWN, is_inside
from satsweeper.play.kernel.lookahead import CHANCE, SAFEST, VALUES, try_cell
from satsweeper.play.scratch import Scratch
from satsweeper.position import Position

if TYPE_CHECKING:
    from satsweeper.answers.classification import Classification
    from satsweeper.play.choice import Choice
    from satsweeper.play.kernel.grid import Bytes
    from satsweeper.puzzle.answers import PuzzleClassification
    from satsweeper.puzzle.odds.odds import PuzzleOdds

_TRIED: Final = 40
"""The most cells that an estimate tries as the best move."""
_ROUNDING: Final = 1e-9
"""Chances in doubles that differ by less are equal."""


class MoveKind(StrEnum):
    """The kinds of moves, by what the player could see."""

    FIRST = "first"
    """The first click, which is safe by convention."""
    CERTAIN = "certain"
    GUESS = "guess"
    """A guess, and no cell was certain to be free."""
    NEEDLESS = "needless"
    """A guess, although another cell was certain to be free."""
    MISTAKE = "mistake"
    """A mine was certain there."""
    FLAG = "flag"
    UNDO = "undo"
    OTHER = "other"


class WorthSource(StrEnum):
    """The ways in which worths of moves are found."""

    EXACT = "exact"
    """Chances to win of the best play, as fractions."""
    ESTIMATE = "estimate"
    """Chances to survive the move and the safest next one, in doubles."""
    BOUND = "bound"
    """1 for the best move, the chance to be free for the guess: the difference bounds the cost."""


class Worths(NamedTuple):
    """The worth of a guess, and the best move in its place."""

    source: WorthSource
    best_cell: Hashable
    best: Fraction | float
    played: Fraction | float

    @property
    def cost(self) -> float:
        """The chance to win that the guess gives away, 0 to 1: a hundredth is a point."""
        return max(0.0, float(self.best - self.played))


@dataclass(frozen=True, slots=True)
class Judged:
    """A move as it is judged.

    ``cells``: what it opens or flags. ``safe``: the chance that all of them are free; None if it
    was not counted. ``safest``: the chance of the cell that is least likely a mine. ``worths``: of
    a guess on squares without rules; None if they are not known.
    """

    kind: MoveKind
    cells: tuple[Hashable, ...] = ()
    safe: Fraction | None = None
    safest: Fraction | None = None
    worths: Worths | None = None

    @property
    def is_guess(self) -> bool:
        """Whether the game was lost or not by chance."""
        return self.kind in (MoveKind.GUESS, MoveKind.NEEDLESS)

    def as_json(self) -> dict[str, Any]:
        """The entries of a move in ``advise GAME --json``."""
        found: dict[str, Any] = {"kind": self.kind}
        if self.safe is not None:
            found["safe"] = fraction(self.safe)
        if self.safest is not None:
            found["safest"] = fraction(self.safest)
        if self.worths is not None:
            found["best"] = {"cell": self.worths.best_cell}
            if self.worths.source is WorthSource.EXACT:
                found["win"] = fraction(Fraction(self.worths.played))
                found["best"]["win"] = fraction(Fraction(self.worths.best))
            elif self.worths.source is WorthSource.ESTIMATE:
                found["next_safe"] = float(self.worths.played)
                found["best"]["next_safe"] = float(self.worths.best)
            found["cost"], found["cost_is"] = self.worths.cost, self.worths.source
        return found

    def sentence(self, what: str, percent: Callable[[Fraction], str]) -> str:
        """The move in words, without the outcome.

        Args:
            what: the move, as ``Open (3, 4)``.
            percent: how a chance is written.
        """
        if self.kind is MoveKind.CERTAIN:
            return f"{what}: certain."
        if self.kind is MoveKind.MISTAKE:
            return f"{what}: a mistake, there is a mine for certain."
        safe = self.safe
        mine = "" if safe is None else f", a mine with {percent(1 - safe)}"
        other = ", although other cells were certain" * (self.kind is MoveKind.NEEDLESS)
        least = ""
        if self.kind is MoveKind.GUESS and safe is not None and self.safest is not None:
            least = f"; the least chance is {percent(1 - self.safest)}" * (safe < self.safest)
        return f"{what}: a guess{mine}{other}{least}.{self.worth_sentence(percent)}"

    def flag_sentence(self, what: str, percent: Callable[[Fraction], str]) -> str:
        """A flag in words; arguments as ``sentence``."""
        if self.safe is None:
            return f"{what}."
        if self.safe in (0, 1):
            return f"{what}: {'a mistake, it is safe for certain' if self.safe else 'certain'}."
        return f"{what}: not certain, a mine with {percent(1 - self.safe)}."

    def worth_sentence(self, percent: Callable[[Fraction], str]) -> str:
        """The cost of the guess in words, after a blank; empty if nothing is known."""
        if self.worths is None:
            return ""
        source, cell = self.worths.source, self.worths.best_cell
        best, played = (percent(Fraction(worth)) for worth in self.worths[2:])
        cost = f"{100 * self.worths.cost:.1f} points"
        if source is WorthSource.BOUND:
            return f" It costs at most {cost}."
        if source is WorthSource.EXACT:
            if self.worths.cost < _SAME:
                return f" No move wins with more than its {best}."
            return f" It wins with {played}, {cell} with {best}: {cost} lost."
        if self.worths.cost < _SAME:
            return f" It and the next move are safe with {played}, no other with more."
        told = f"It and the next move are safe with {played}, {cell} and the next with {best}"
        return f" {told}: about {cost} lost."


_SAME: Final = 5e-4
"""A cost below this is none in words, as it would be written as 0.0 points."""


class Judge:
    """Judges moves by the positions before them; flags are no evidence of mines.

    Args:
        layouts: the most layouts for which chances to win are exact.
        effort: the most entries of the table of layouts that are read for one position.
    """

    def __init__(self, layouts: int = LAYOUTS, effort: int = EFFORT) -> None:
        self._limits = layouts, effort
        self._classified: tuple[Any, Any] = None, None
        self._counted: tuple[Any, Any] = None, None

    def move(self, game: Game, move: Move, *, promised: bool) -> Judged:
        """Judge a move of ``game`` that is not made yet.

        ``promised``: whether the first cell of the game is safe by convention.
        """
        cell = move.cell
        if cell is None:
            return Judged(MoveKind.UNDO)
        if move.action is Action.FLAG:
            if game.flags >> game.geometry.index(cell) & 1:
                return Judged(MoveKind.FLAG, (cell,))
            return self.flagged(game.position(flags=False), cell)
        if promised and game.start is None:
            return Judged(MoveKind.FIRST, (cell,))
        position = game.position(flags=False)
        if move.action is Action.OPEN:
            return self.opened(position, [cell])
        near = game.around(cell)
        waiting = indices(near & ~(game.flags | game.opened), game.geometry.size)
        assert game.layout is not None
        right = Minefield(game.layout, game.opened).position(near & game.flags)
        return self.opened(position, [game.geometry.cell(index) for index in waiting], right)

    def opened(
        self, position: Any, cells: Sequence[Hashable], right: Position | None = None
    ) -> Judged:
        """Judge a move that opens ``cells``.

        Args:
            position: the `Position` before the move, without flags, or the `Puzzle`.
            cells: the covered cells that the move opens, by name.
            right: of a chord the position with flags on the mines that the chord counts on.
        """
        found = self.classified(position)
        names, certain = tuple(cells), set(found.safe)
        if certain.issuperset(names):
            return Judged(MoveKind.CERTAIN, names)
        kind = MoveKind.NEEDLESS if certain else MoveKind.GUESS
        if not set(found.mines).isdisjoint(names):
            kind = MoveKind.MISTAKE
        counts = self.odds(position)
        if counts is None:
            return Judged(kind, names)
        mine: dict[Any, Fraction] = dict(counts.mine)
        after = None
        if len(names) == 1 or kind is MoveKind.MISTAKE or right is None:
            safe = 1 - max(mine[name] for name in names)
        else:
            # All cells of a chord are free where all flags that it counts on are mines.
            after = _odds_or_none(right)
            safe = Fraction(after.solutions, counts.solutions) if after else Fraction(0)
        if not safe:
            kind = MoveKind.MISTAKE
        worths = None
        if isinstance(counts, Odds):
            worths = worths_of_guess(counts, safe, names, after, *self._limits)
        return Judged(kind, names, safe, 1 - min(mine.values()), worths)

    def flagged(self, position: Any, cell: Hashable) -> Judged:
        """Judge a flag on ``cell``: ``safe`` is 0 if it is right for certain, 1 if it is wrong."""
        verdicts: Any = self.classified(position).verdict
        verdict = verdicts[cell]
        if verdict is not Verdict.UNKNOWN:
            return Judged(MoveKind.FLAG, (cell,), Fraction(verdict is Verdict.SAFE))
        counts: Any = self.odds(position)
        return Judged(MoveKind.FLAG, (cell,), None if counts is None else 1 - counts.mine[cell])

    def classified(self, position: Any) -> Classification | PuzzleClassification:
        """Return the verdicts of a position, kept for the next move."""
        if self._classified[0] != position:
            self._classified = position, classify_with(position, Options(flags="ignore"))
        found: Classification | PuzzleClassification = self._classified[1]
        return found

    def odds(self, position: Any) -> Odds | PuzzleOdds | None:
        """Return the odds of a position, kept for the next move; None if too hard to count."""
        if self._counted[0] != position:
            self._counted = position, _odds_or_none(position)
        counts: Odds | PuzzleOdds | None = self._counted[1]
        return counts


def _odds_or_none(position: Any) -> Any:
    """Return the odds of a position or a puzzle; None if it has no layout or takes too long."""
    try:
        if isinstance(position, Position):
            return odds(position)
        from satsweeper.puzzle.odds.odds import odds_of_puzzle

        return odds_of_puzzle(position, flags="ignore")
    except (LimitError, NoLayoutError):
        return None


def worths_of_guess(
    found: Odds,
    safe: Fraction,
    cells: Sequence[Hashable],
    after: Odds | None = None,
    layouts: int = LAYOUTS,
    effort: int = EFFORT,
) -> Worths | None:
    """Return the worth of a guess, and the best move in its place; None if nothing is known.

    Args:
        found: the odds of the position before the guess.
        safe: the chance that all ``cells`` are free.
        cells: what the guess opens.
        after: of several cells the odds of the position in which they are free, if there is any.
        layouts: the most layouts for which chances to win are exact.
        effort: the most entries of the table of layouts that are read.
    """
    position = found.position
    choices = few_layouts_choices(position, found, "ignore", layouts, effort)
    if choices:
        played = _played(choices, safe, cells, after, layouts, effort)
        if played is not None:
            best = choices[0]
            return Worths(WorthSource.EXACT, best.cell, best.win or Fraction(0), played)
    best_cell = found.safest()[0]
    if found.mine[best_cell] == 0 or not safe:
        return Worths(WorthSource.BOUND, best_cell, Fraction(1), safe)
    return _estimated(found, safe, cells)


def _played(
    choices: Sequence[Choice],
    safe: Fraction,
    cells: Sequence[Hashable],
    after: Odds | None,
    layouts: int,
    effort: int,
) -> Fraction | None:
    """Return the exact chance to win of a guess; None if the tree after a chord is too large."""
    if not safe:
        return safe
    if after is None:
        return next(choice.win for choice in choices if choice.cell == cells[0])
    # In the position after the chord its cells are certain to be free, so that the best play opens
    # them first: opening what is certain never loses anything.
    rest = few_layouts_choices(after.position, after, "trust", layouts, effort)
    return None if not rest else safe * (rest[0].win or Fraction(0))


def _estimated(found: Odds, safe: Fraction, cells: Sequence[Hashable]) -> Worths | None:
    """Return chances to survive two moves: of the guess, and of the cell with the largest chance.

    A chord that opens several cells is two moves and more: it survives them where all are free.
    """
    with counted_codes(found.position, found, "ignore") as counted:
        if counted is None:
            return None
        scratch, codes = counted
        played = float(safe)
        if len(cells) == 1:
            row, column = cast(Cell, cells[0])
            survived = _two_moves(scratch, codes, row * scratch.columns + column, found)
            if survived is None:
                return None
            played = survived
        best_cell, best = cells[0], played
        for cell in _tried(scratch, codes, found):
            chance = 1 - found.mine[cell]
            if chance <= best:
                # No later cell is safer, and no two moves are safer than the first of them.
                break
            both = _two_moves(scratch, codes, cell[0] * scratch.columns + cell[1], found)
            if both is not None and both > best + _ROUNDING:
                best_cell, best = cell, both
    return Worths(WorthSource.ESTIMATE, best_cell, best, played)


def _tried(scratch: Scratch, codes: Bytes, found: Odds) -> list[Cell]:
    """Return the safest cells, of those deep in the interior one for each number of neighbours.

    All neighbours of a cell deep in the interior are interior as well, so that such cells with
    equally many neighbours have equal prospects.
    """
    grid, deep, cells = scratch.grid, set(), []
    for index, code in enumerate(codes.tolist()):
        if code != UNKNOWN:
            continue
        if is_inside(grid, codes, index):
            near = grid.near[index].tolist()[: grid.degree[index]]
            if all(codes[other] == UNKNOWN and is_inside(grid, codes, other) for other in near):
                if len(near) in deep:
                    continue
                deep.add(len(near))
        cells.append(divmod(index, scratch.columns))
    return sorted(cells, key=lambda cell: (found.mine[cell], cell))[:_TRIED]


def _two_moves(scratch: Scratch, codes: Bytes, index: int, found: Odds) -> float | None:
    """Return the chance to survive a cell and the safest move after it; None if it is too wide."""
    lookahead, mines = scratch.candidates.lookahead, found.position.mines
    assert mines is not None
    lookahead.dead.fill(0)
    if try_cell(scratch.grid, codes, mines, scratch.moves.work, lookahead, index) < 0:
        return None
    seen = lookahead.seen
    # Where no cell is left that may be free, the game is won.
    return float(sum(seen[value, CHANCE] * (seen[value, SAFEST] or 1.0) for value in range(VALUES)))


@dataclass
class GuessSum:
    """The guesses and mistakes of a game summed up: luck and skill.

    ``judged``: the moves of the game; ``lost``: whether the last of them lost it.
    """

    judged: list[Judged] = field(default_factory=list)
    lost: bool = False

    @property
    def guesses(self) -> list[Judged]:
        """The moves on which luck decided."""
        return [each for each in self.judged if each.is_guess]

    @property
    def mistakes(self) -> int:
        """The number of moves that opened what was a mine for certain."""
        return sum(each.kind is MoveKind.MISTAKE for each in self.judged)

    @property
    def unlucky(self) -> bool:
        """Whether a guess lost the game."""
        return self.lost and self.judged[-1].is_guess

    @property
    def chance(self) -> Fraction:
        """The chance to survive all guesses, as each was counted when it was made."""
        chances = [each.safe for each in self.guesses if each.safe is not None]
        return prod(chances, start=Fraction(1))

    def cost(self, source: WorthSource) -> float:
        """Return the sum of the costs that come from ``source``."""
        worths = [each.worths for each in self.judged if each.worths is not None]
        return sum(worth.cost for worth in worths if worth.source is source)

    def as_json(self) -> dict[str, Any]:
        """The object ``sum`` of ``advise GAME --json``."""
        kinds = [each.kind for each in self.guesses]
        return {
            "guesses": len(kinds),
            "needless": kinds.count(MoveKind.NEEDLESS),
            "mistakes": self.mistakes,
            "survived": len(kinds) - self.unlucky,
            "expected": float(sum(each.safe or 0 for each in self.guesses)),
            "chance": fraction(self.chance),
            "cost": {str(source): self.cost(source) for source in WorthSource},
        }

    def sentences(self, percent: Callable[[Fraction], str]) -> str:
        """The guesses in words: how many, how likely it was to survive them, and what they cost."""
        many, told = len(self.guesses), []
        if many:
            made = f"{counted(many, 'move')} {'was a guess' if many == 1 else 'were guesses'}"
            chance = percent(self.chance)
            if self.unlucky:
                last = self.judged[-1].safe
                one = f", the last with {percent(last)}" if last is not None and many > 1 else ""
                told += [f"{made}; all of them together would have been safe with {chance}{one}."]
            else:
                were = "it was" if many == 1 else "they were"
                told += [f"{made}, and {were} safe: that happens with {chance}."]
        else:
            told += ["No move was a guess."]
        if self.mistakes:
            was = "was a mistake" if self.mistakes == 1 else "were mistakes"
            told += [f"{counted(self.mistakes, 'move')} {was}."]
        words = {
            WorthSource.EXACT: "{}",
            WorthSource.ESTIMATE: "about {} by the safety of two moves",
            WorthSource.BOUND: "at most {} where a cell was certain",
        }
        costs = {source: self.cost(source) for source in words}
        lost = [
            words[source].format(f"{100 * cost:.1f}")
            for source, cost in costs.items()
            if cost >= _SAME
        ]
        if many or self.mistakes:
            told += [f"Points lost: {', '.join(lost) or 'none'}."]
        return " ".join(told)
