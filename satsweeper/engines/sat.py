"""The session: rules on bit boards, tables of small regions, one incremental SAT solver.

Promise: complete, with the total or without, and what ``classify`` runs unless told otherwise.
Boards made to be hard for resolution take it exponential time, mutilated chessboards for one.

The session also narrows down which clues of an impossible board clash, which on such boards may
take longer than finding out that they do.
"""

from typing import TYPE_CHECKING

from satsweeper.engines.protocol import EngineAnswer, EngineOptions
from satsweeper.position import Position

if TYPE_CHECKING:
    from satsweeper.answers.classification import Classification


def classify(position: Position, options: EngineOptions) -> EngineAnswer:
    """What ``satsweeper.classify`` says."""
    from satsweeper.search.classify import classify_with
    from satsweeper.solvers.limit import Limit

    tell = options.tell
    return _answer(
        classify_with(
            position,
            Limit(options.timeout),
            None if tell is None else lambda partial: tell(_answer(partial)),
            encoding="direct",
            total_encoding="totalizer",
            solver="auto",
            flags=options.flags,
            plain=False,
        )
    )


def _answer(result: "Classification") -> EngineAnswer:
    from satsweeper.answers.classification import Status

    if result.status is Status.INCONSISTENT:
        return EngineAnswer(
            "inconsistent", frozenset(), frozenset(), decided=True, conflict=result.conflict
        )
    decided = result.status is Status.CONSISTENT
    return EngineAnswer(
        "consistent" if decided else "undecided",
        frozenset(result.safe),
        frozenset(result.mines),
        decided=decided,
        notes=() if decided else ("the time was over before every cell was settled",),
    )
