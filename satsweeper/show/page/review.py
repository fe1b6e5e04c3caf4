"""A game of the page looked back on: what each move was, and how lucky its guesses were."""

from __future__ import annotations

from typing import Any

from satsweeper.board.planes import indices
from satsweeper.play.efficiency import Efficiency
from satsweeper.play.game import Action, Move
from satsweeper.play.judgement import GuessSum, Judge, Judged, MoveKind
from satsweeper.processes.deadline import Deadline
from satsweeper.show.page.games import act, new_session, symbol
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.play.searches import odds
from satsweeper.show.play.session import BoardSession
from satsweeper.show.sentences import percent


def review(asked: dict[str, Any]) -> dict[str, Any]:
    """The ``game`` move by move, each judged by what the player could see before it.

    The answer has the ``rows`` before the first move; for each of the ``moves`` its ``kind``, a
    sentence (``said``), for a guess the chance to be ``safe`` and what it ``cost``, and the cells
    that ``changed``, with the new text of each; and a ``sentence`` about all guesses and clicks.
    """
    session = new_session(asked["game"])
    down, across = map(range, session.size)
    before = [[symbol(session, (row, column)) for column in across] for row in down]
    judge, moves, made = _PageJudge(session, asked["game"]), [], []
    first = ["".join(row) for row in before] if isinstance(session, GameSession) else before
    found: dict[str, Any] = {"rows": [list(row) for row in first]}
    for action in asked["actions"]:
        judged, told = judge.judged(action)
        seen = session.covered, session.flags
        said = act(session, action)
        # What is played by itself is told of by what it did.
        told = told or f"{said}{judged.worth_sentence(percent)}"
        changed = seen[0] ^ session.covered | seen[1] ^ session.flags | session.exploded
        if session.over:
            changed |= session.mines | session.flags
        cells = [session.cell(index) for index in indices(changed, changed.bit_length())]
        if judged.kind is not MoveKind.OTHER:
            made.append(judged)
        guessed = judged.is_guess and judged.safe is not None
        over = session.over and "You have" not in told
        moves.append({
            "kind": judged.kind,
            "said": f"{told} {_ended(session)}" if over else told,
            "safe": float(judged.safe or 0) if guessed else None,
            "cost": None if judged.worths is None else judged.worths.cost,
            "changed": [[*cell, symbol(session, cell)] for cell in cells],
        })  # fmt: skip
    sentence = GuessSum(made, session.status == "lost").sentences(percent)
    clicks = Efficiency.of(session.game) if isinstance(session, GameSession) else None
    if clicks is not None:
        sentence += f" {clicks.sentence()}"
    return found | {"moves": moves, "sentence": sentence}


def _ended(session: BoardSession) -> str:
    return "The game is won." if session.status == "won" else "It was a mine."


class _PageJudge:
    """Judges the actions of the page before they are made."""

    def __init__(self, session: BoardSession, game: dict[str, Any]) -> None:
        self.session = session
        self.whole = session.covered
        click = game.get("first_click", "none")
        # A game without guesses is one on a given layout, whose first cell is safe none the less.
        # Under rules the first cells are open before any move.
        first_is_safe = click != "none" or bool(game.get("no_guess"))
        self.first_is_safe = isinstance(session, GameSession) and first_is_safe
        self.judge = Judge()

    def judged(self, action: str) -> tuple[Judged, str]:
        """Judge an action, also in words; none where the answer to the action has them."""
        session, judge = self.session, self.judge
        other = Judged(MoveKind.OTHER), ""
        if session.over:
            return other
        # Nothing is open, and the first cell is safe by convention.
        promised = self.first_is_safe and session.covered == self.whole
        if action == "a":
            return self._by_itself(promised), ""
        row, column = map(int, action[1:].split("."))
        cell = row, column
        name, bit = session.named(cell), 1 << session.index(cell)
        flagged = bool(session.flags & bit)
        if action[0] == "f":
            if flagged:
                return Judged(MoveKind.FLAG, (name,)), f"The flag on {name} is taken away."
            judged = judge.flagged(session.position(), name)
            return judged, judged.flag_sentence(f"A flag on {name}", percent)
        if flagged:
            return other
        what = f"{name} is opened"
        move = Move(Action.OPEN, cell)
        if session.clue(cell) is not None:
            if not isinstance(session, GameSession):
                return other
            game, near = session.game, session.game.around(cell)
            waiting = near & session.covered & ~session.flags
            if not waiting or (near & session.flags).bit_count() != game[cell]:
                return other
            if waiting.bit_count() > 1:
                what = f"All around {name} is opened"
            move = Move(Action.CHORD, cell)
        if promised:
            return Judged(MoveKind.FIRST, (name,)), f"{name} is opened first, safe by convention."
        if isinstance(session, GameSession):
            judged = judge.move(session.game, move, promised=False)
        else:
            judged = judge.opened(session.position(), [name])
        return judged, judged.sentence(what, percent)

    def _by_itself(self, promised: bool) -> Judged:
        """Judge what is played by itself: all that is certain, else the safest guess."""
        position = self.session.position()
        if promised or self.judge.classified(position).safe:
            return Judged(MoveKind.CERTAIN)
        guess = odds(None, Deadline(), position).guess
        if guess is None:
            return Judged(MoveKind.OTHER)
        return self.judge.opened(position, [self.session.named(self.session.cell(guess))])
