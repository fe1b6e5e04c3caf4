"""``classify``: the verdict of every covered cell of one position."""

from collections.abc import Callable
from typing import Literal

from satsweeper.answers.classification import Classification
from satsweeper.position import Position
from satsweeper.search.session import Session
from satsweeper.solvers.limit import Limit
from satsweeper.solvers.table import AUTO


def classify(
    position: Position,
    *,
    encoding: str = "direct",
    total_encoding: str = "totalizer",
    solver: str = AUTO,
    flags: Literal["trust", "ignore"] = "trust",
    plain: bool = False,
    timeout: float | None = None,
) -> Classification:
    """The verdict of every covered cell: safe, mine or unknown.

    Args:
        position: the board, with its total if that is known.
        encoding: the encoder of the clues (``pbcnf.ENCODERS``).
        total_encoding: the encoder of the total.
        solver: a name of ``satsweeper.solvers.table.SOLVERS``, ``external:`` and a program on
            PATH, or ``auto``: a fast one, and a strong one for what that does not settle at once.
            Naming an encoding or a solver also keeps small regions out of tables, so that what
            was named decides all that the rules leave.
        flags: whether flags are trusted to be mines, or ignored.
        plain: no rules, no reductions: one solver, two questions a cell; slow, an oracle.
        timeout: seconds after which the answer may be partial (status ``undecided``). Kept by
            budgets of conflicts, to which every solver but lingeling listens.

    Raises:
        ValueError: an unknown name, a solver that cannot do the job, or an encoding that cannot
            express a clue or would be too large.
        SolverFailedError: an external program gave no answer, or one that is wrong.

    >>> from satsweeper import Position, classify
    >>> result = classify(Position.parse("1??\\n12?\\n01?"))
    >>> result.verdict[0, 2], result.safe, result.counts
    (<Verdict.SAFE: 'safe'>, [(0, 2)], {'safe': 1, 'mine': 1, 'unknown': 2})
    """
    return classify_with(
        position,
        Limit(timeout),
        encoding=encoding,
        total_encoding=total_encoding,
        solver=solver,
        flags=flags,
        plain=plain,
    )


def classify_with(
    position: Position,
    limit: Limit,
    progress: Callable[[Classification], None] | None = None,
    *,
    encoding: str,
    total_encoding: str,
    solver: str,
    flags: Literal["trust", "ignore"],
    plain: bool,
) -> Classification:
    """``classify`` under a given limit, with partial answers on the way."""
    if plain:
        from satsweeper.search.plain import classify_plain

        return classify_plain(
            position,
            encoding=encoding,
            total_encoding=total_encoding,
            solver=solver,
            flags=flags,
            limit=limit,
        )
    with Session(
        position, encoding=encoding, total_encoding=total_encoding, solver=solver, flags=flags
    ) as session:
        return session.classify(limit, progress)
