"""Games: the share of safe cells that each method opens, and the sizes of groups of cells."""

from dataclasses import dataclass
from typing import Final

from satsweeper import odds
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.groups import groups
from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.game import Minefield
from satsweeper.play.until_stuck import Step, steps, until_stuck
from satsweeper.processes.deadline import Deadline


@dataclass(frozen=True)
class Method:
    """An engine as a player; ``claim`` the share of safe cells it is said to open, in per cent."""

    name: str
    engine: str
    total: bool = False
    cap: int | None = None
    claim: tuple[int, int] | None = None


METHODS: Final = {
    method.name: method
    for method in (
        Method("single_clue", "single_clue", claim=(30, 50)),
        Method("subset", "subset", claim=(60, 70)),
        Method("subset+total", "subset", total=True, claim=(60, 70)),
        Method("enumeration15", "enumeration", cap=15),
        Method("assumption", "assumption"),
        Method("sat", "sat"),
        Method("sat+total", "sat", total=True),
    )
}
"""``+total``: told the number of mines. ``15``: leaves groups of more than 15 cells alone."""

DEFAULT: Final = tuple(name for name in METHODS if name != "subset+total")
"""The others: taking the whole board as one more set costs a second for some positions."""

STARTS: Final[tuple[tuple[FirstClick, Cell], ...]] = (
    (FirstClick.SAFE, (0, 0)),
    (FirstClick.OPENING, (3, 3)),
)

CLAIMED_BOARD: Final = "30x16/99"
"""The board the claims are about."""

LIMITS: Final = (15, 20)
"""Cells of a group: the cap of one published program, and what another says is rarely exceeded."""

RARELY: Final = 0.05
"""The share up to which something is called rare here; the claim itself gives no number."""


@dataclass(frozen=True)
class Seen:
    """A position of a game played to its end, certain moves first, else the safest guess.

    ``undecided``: cells of the largest group that single-clue rules leave; ``covered``: cells of
    the largest group if cells those rules decide count as well.
    """

    stuck: bool
    """Whether the rules name no safe cell here."""
    guessed: bool
    """Whether a guess was made before."""
    undecided: int
    covered: int


@dataclass(frozen=True)
class Record:
    """The outcome of a game: ``shares`` of safe cells by method, games ``won`` by method."""

    shares: tuple[float, ...]
    won: tuple[bool, ...]
    seen: tuple[Seen, ...]
    won_with_guesses: bool


@dataclass(frozen=True)
class Plan:
    """Settings of all games of a table; without ``groups`` no game is played to its end."""

    board: BoardSize
    first_click: FirstClick
    first: Cell
    methods: tuple[str, ...]
    seed: int
    groups: bool = True


def play(plan: Plan, number: int) -> Record:
    """Play game ``number``: every method on a common layout, and the game to its end."""
    layout = game_layout(plan.board, plan.first, plan.first_click, plan.seed, number)
    drawn = Minefield(layout)
    drawn.open(1 << layout.geometry.index(plan.first))
    shares, won = [], []
    for name in plan.methods:
        method = METHODS[name]
        game = Minefield(layout, drawn.opened)
        options = Options(cap=method.cap)
        until_stuck(game, method.engine, total=method.total, options=options)
        shares.append(game.opened.bit_count() / layout.free.bit_count())
        won.append(game.won)
    seen = _to_the_end(drawn) if plan.groups else []
    return Record(tuple(shares), tuple(won), tuple(seen), drawn.won)


def play_apart(send: object, deadline: Deadline, plan: Plan, numbers: range) -> list[Record]:
    """Play the games ``numbers`` of ``plan``, as the job of a ``Worker``."""
    return [play(plan, number) for number in numbers]


def _to_the_end(game: Minefield) -> list[Seen]:
    seen: list[Seen] = []
    guessed = False
    while True:
        seen += [_seen(game, step, guessed) for step in steps(game, "sat")]
        if game.won:
            return seen
        guess = odds(game.position()).safest()[0]
        game.open(1 << game.layout.geometry.index(guess))
        guessed = True
        if game.lost:
            return seen


def _seen(game: Minefield, step: Step, guessed: bool) -> Seen:
    geometry, clues = game.layout.geometry, step.facts.clues
    undecided, covered = (
        max(map(int.bit_count, groups(geometry, clues, cells)), default=0)
        for cells in (step.facts.undecided, game.covered)
    )
    return Seen(not step.by_rules, guessed, undecided, covered)
