"""The session: rules on bit boards, tables of small regions, one incremental SAT solver.

Promise: complete, with the total or without. ``classify`` runs it with help (``portfolio``) unless
told otherwise.
Boards made to be hard for resolution take it exponential time, mutilated chessboards for one.

The session also narrows down which clues of an impossible board clash, which on such boards may
take longer than finding out that they do.
"""

from satsweeper.answers.classification import Classification, Status
from satsweeper.answers.options import Options
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.position import Position
from satsweeper.search.classify import classify_by_session


def classify(position: Position, options: Options) -> EngineAnswer:
    """What ``satsweeper.classify`` says."""
    tell = options.tell
    progress = None if tell is None else lambda partial: tell(_answer(partial))
    return _answer(classify_by_session(position, options, progress))


def _answer(result: Classification) -> EngineAnswer:
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
