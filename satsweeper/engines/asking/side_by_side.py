"""Engines beside one another on the same boards: what each finds, in what time, and who disagrees.

A disagreement is a defect: two complete engines that settle a board differently, or an incomplete
one that is certain of something that a complete one denies.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from satsweeper.answers.options import Options
from satsweeper.engines.asking.child import Child, Kind
from satsweeper.engines.protocol import Engine, EngineAnswer
from satsweeper.position import Position


@dataclass(frozen=True)
class Outcome:
    """What became of one board with one engine; ``why`` there is no answer, if there is none."""

    board: str
    mines: int | None
    """The total, if it is known."""
    engine: Engine
    answer: EngineAnswer | None
    seconds: float
    why: str = ""
    kind: Kind = "answered"

    def as_json(self) -> dict[str, Any]:
        """The object that ``engines --compare --json`` prints."""
        found: dict[str, Any] = {
            "board": self.board,
            "mines": self.mines,
            "engine": self.engine.name,
            "kind": self.kind,
        }
        if self.answer is None:
            return found | {"why": self.why}
        return found | {
            "status": self.answer.status,
            "decided": self.answer.decided,
            "counts": {"safe": len(self.answer.safe), "mine": len(self.answer.mines)},
            "notes": list(self.answer.notes),
            "seconds": self.seconds,
        }


def compare(
    boards: Sequence[tuple[str, Position]],
    engines: Sequence[Engine],
    options: Options,
    reach: Callable[[float], object] | None = None,
) -> list[list[Outcome]]:
    """The outcomes of all engines, board by board.

    Each engine has a process of its own, so that ``options.timeout`` is kept whatever it does;
    one runs at a time. ``reach`` is told how many outcomes there are.
    """
    found: list[list[Outcome]] = [[] for _ in boards]
    done = 0
    for engine in engines:
        with Child(engine.name) as child:
            for outcomes, (name, position) in zip(found, boards, strict=True):
                reply = child.ask(position, options)
                outcomes.append(
                    Outcome(
                        name,
                        position.mines,
                        engine,
                        reply.answer,
                        reply.seconds,
                        reply.why,
                        reply.kind,
                    )
                )
                done += 1
                if reach is not None:
                    reach(done)
    return found


def disagreements(outcomes: Sequence[Outcome]) -> list[str]:
    """What engines contradict each other about one board, a sentence each.

    The first complete engine that has settled the board is what the others are held against.
    """
    settled = [o for o in outcomes if o.engine.complete and o.answer and o.answer.decided]
    if not settled:
        return []
    first = settled[0]
    found = []
    for other in outcomes:
        if other.answer and other is not first and first.answer:
            problem = _problem(first.answer, other.answer, other in settled)
            if problem:
                found.append(f"{other.board}: {other.engine.name}, {first.engine.name}: {problem}")
    return found


def _problem(truth: EngineAnswer, answer: EngineAnswer, settled: bool) -> str | None:
    opposite = {"consistent": "inconsistent", "inconsistent": "consistent"}
    if answer.status == opposite[truth.status]:
        return f"{answer.status}, {truth.status}"
    if truth.status == "inconsistent":
        return "not seen to be inconsistent" if settled and answer.status != truth.status else None
    wrong = (answer.safe - truth.safe) | (answer.mines - truth.mines)
    if wrong:
        return f"certain without reason of {sorted(wrong)[:5]}"
    if answer.decided:
        missed = (truth.safe - answer.safe) | (truth.mines - answer.mines)
        if missed:
            return f"unknown without reason {sorted(missed)[:5]}"
    return None
