"""A game of the page looked back on: what each move was, and how lucky its guesses were."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

from pbcnf.wording import counted
from satsweeper.board.planes import indices
from satsweeper.processes.deadline import Deadline
from satsweeper.show.page.games import act, new_session, symbol
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.play.searches import odds
from satsweeper.show.play.session import BoardSession
from satsweeper.show.sentences import percent


class Judged(NamedTuple):
    """A move in words; ``chance`` of a mine if it was a guess, else None."""

    sentence: str
    kind: str
    """``first``, ``certain``, ``guess``, ``mistake``, ``flag`` or ``other``."""
    chance: Fraction | None = None


def review(asked: dict[str, Any]) -> dict[str, Any]:
    """The ``game`` move by move, each judged by what the player could see before it.

    The answer has the ``rows`` before the first move; for each of the ``moves`` its ``kind``, a
    sentence (``said``), for a guess the chance to be ``safe``, and the cells that ``changed``, with
    the new text of each; and a ``sentence`` about all guesses.
    """
    session = new_session(asked["game"])
    down, across = map(range, session.size)
    before = [[symbol(session, (row, column)) for column in across] for row in down]
    judge, moves, chances = _Judge(session, asked["game"]), [], []
    first = ["".join(row) for row in before] if isinstance(session, GameSession) else before
    found: dict[str, Any] = {"rows": [list(row) for row in first]}
    for action in asked["actions"]:
        told = judge.judged(action)
        seen = session.covered, session.flags
        said = act(session, action)
        if not told.sentence:
            told = told._replace(sentence=said)
        changed = seen[0] ^ session.covered | seen[1] ^ session.flags | session.exploded
        if session.over:
            changed |= session.mines | session.flags
        cells = [session.cell(index) for index in indices(changed, changed.bit_length())]
        if told.chance is not None:
            chances.append((told.chance, session.status == "lost"))
        safe = None if told.chance is None else float(1 - told.chance)
        over = session.over and "You have" not in told.sentence
        ended = f" {_ended(session)}" if over else ""
        moves.append({
            "kind": told.kind, "said": told.sentence + ended, "safe": safe,
            "changed": [[*cell, symbol(session, cell)] for cell in cells],
        })  # fmt: skip
    return found | {"moves": moves, "sentence": _luck(chances)}


def _ended(session: BoardSession) -> str:
    return "The game is won." if session.status == "won" else "It was a mine."


def _luck(guesses: list[tuple[Fraction, bool]]) -> str:
    """The guesses of a game in a sentence: how many, and how likely it was to survive them."""
    if not guesses:
        return "No move was a guess."
    many = len(guesses)
    made = f"{counted(many, 'move')} {'was a guess' if many == 1 else 'were guesses'}"
    chance = prod((1 - chance for chance, _ in guesses), start=Fraction(1))
    if any(lost for _, lost in guesses):
        return f"{made}; all of them together would have been safe with {percent(chance)}."
    were = "it was" if many == 1 else "they were"
    return f"{made}, and {were} safe: that happens with {percent(chance)}."


class _Judge:
    """Judges moves by the odds of what is open; flags are no evidence."""

    def __init__(self, session: BoardSession, game: dict[str, Any]) -> None:
        self.session = session
        self.whole = session.covered
        click = game.get("first_click", "none")
        # A game without guesses is one on a given layout, whose first cell is safe none the less.
        self.first_is_safe = click != "none" or bool(game.get("no_guess"))
        self.known: tuple[int, dict[int, Fraction] | None] | None = None

    @property
    def promised(self) -> bool:
        """Whether nothing is open, and the first cell is safe by convention."""
        return self.first_is_safe and self.session.covered == self.whole

    def chances(self) -> dict[int, Fraction] | None:
        """The chance of a mine by the index of a cell; None if that takes too long to count."""
        covered = self.session.covered
        if self.known is None or self.known[0] != covered:
            found = odds(None, Deadline(), self.session.position())
            self.known = covered, None if found.chances is None else dict(found.chances)
        return self.known[1]

    def judged(self, action: str) -> Judged:
        """Judge an action that is not made yet."""
        session = self.session
        if session.over:
            return Judged("", "other")
        if action == "a":
            least = min((self.chances() or {0: Fraction(0)}).values())
            guess = 0 < least < 1 and not self.promised
            return Judged("", "guess" if guess else "certain", least if guess else None)
        row, column = map(int, action[1:].split("."))
        cell = row, column
        name, bit = session.named(cell), 1 << session.index(cell)
        if action[0] == "f":
            return self._flagged(name, bit)
        if self.promised:
            return Judged(f"{name} is opened first, safe by convention.", "first")
        waiting = bit
        if session.clue(cell) is not None:
            if not isinstance(session, GameSession):
                return Judged("", "other")
            near = session.game.around(cell)
            waiting = near & session.covered & ~session.flags
        elif session.flags & bit:
            return Judged("", "other")
        what = f"{name} is opened" if waiting == bit else f"All around {name} is opened"
        chances = self.chances()
        if chances is None:
            return Judged(f"{what}; its chance takes too long to count.", "other")
        of = [chances.get(index, Fraction(0)) for index in indices(waiting, waiting.bit_length())]
        worst = max(of, default=Fraction(0))
        if worst == 0:
            return Judged(f"{what}: certain.", "certain")
        if worst == 1:
            return Judged(f"{what}: a mistake, a mine was certain there.", "mistake")
        least = min(chances.values())
        better = " There were safe cells." if least == 0 else ""
        if 0 < least < worst:
            better = f" The least chance was {percent(least)}."
        chance = worst if len(of) == 1 else None
        return Judged(f"{what}: a guess, a mine with {percent(worst)}.{better}", "guess", chance)

    def _flagged(self, name: Any, bit: int) -> Judged:
        if self.session.flags & bit:
            return Judged(f"The flag on {name} is taken away.", "flag")
        chances = self.chances() or {}
        chance = chances.get(bit.bit_length() - 1)
        if chance is None:
            return Judged(f"A flag on {name}.", "flag")
        if chance == 1:
            return Judged(f"A flag on {name}: certain.", "flag")
        if chance == 0:
            return Judged(f"A flag on {name}: a mistake, it was safe for certain.", "flag")
        return Judged(f"A flag on {name}: not certain, a mine with {percent(chance)}.", "flag")
