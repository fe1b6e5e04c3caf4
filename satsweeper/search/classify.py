"""The verdicts of one position by the session, or by its slow oracle."""

from collections.abc import Callable

from satsweeper.answers.classification import Classification
from satsweeper.answers.options import PORTFOLIO, Options
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.search.session import Session
from satsweeper.solvers.search_budget import SearchBudget


def classify_by_session(
    position: Position,
    options: Options,
    progress: Callable[[Classification], object] | None = None,
) -> Classification:
    """The verdict of every covered cell, as far as the time limit lets it be found.

    ``progress`` is called with partial answers on the way. Raises as ``satsweeper.classify``.
    """
    limit = SearchBudget(Deadline.after(options.timeout))
    if options.plain:
        from satsweeper.search.plain import classify_plain

        return classify_plain(position, options, limit)
    with Session(
        position,
        encoding=options.encoding,
        total_encoding=options.total_encoding,
        solver=options.solver,
        flags=options.flags,
        beyond=options.engine == PORTFOLIO,
    ) as session:
        return session.classify(limit, progress)
