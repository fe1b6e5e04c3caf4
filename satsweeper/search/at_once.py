"""A small board classified at once: rules and counts of its regions, without a session.

The verdicts are those of a session, whose steps for larger regions and for limits are left out.
"""

from typing import Final

from satsweeper.answers.classification import Classification, Stats, Status
from satsweeper.answers.options import Options
from satsweeper.count.board import NoLayoutError, count_board
from satsweeper.count.budget import CountingBudget
from satsweeper.position import Position

_SMALL: Final = 600
"""Bits of the largest board that is tried: an expert board has 496."""

_BOUND: Final = CountingBudget()

_SESSION_DEFAULTS: Final = (Options.solver, Options.encoding, Options.total_encoding)


def classify_square(position: Position, options: Options) -> Classification:
    """Classify at once if that is possible, otherwise by a session.

    ``options.tell`` is called with partial answers. Raises the errors of ``satsweeper.classify``.
    """
    found = None if options.plain else classify_at_once(position, options)
    if found is not None:
        return found
    # Imported late: a session takes longer to load than a small board to classify.
    from satsweeper.search.session import classify_by_session

    return classify_by_session(position, options)


def classify_at_once(position: Position, options: Options) -> Classification | None:
    """Return the verdicts of a small board with regions that are easy to count.

    None is the answer for any other board, for one without a layout, and for options that a session
    alone has: a named solver, an encoding, a time limit, partial answers.

    Args:
        position: the board.
        options: the options of the classification.
    """
    if (
        position.geometry.size > _SMALL
        or options.timeout is not None
        or options.tell is not None
        or (options.solver, options.encoding, options.total_encoding) != _SESSION_DEFAULTS
    ):
        return None
    view = position.view(options.flags)
    try:
        counted = count_board(view, (1, 1) if view.total is None else None, _BOUND, easy=True)
    except NoLayoutError:
        return None
    if counted is None:
        return None
    undecided, mines, boxes, _, interior, interior_cells, loose, constraints = counted
    covered = view.covered
    safe = covered & ~(undecided | mines)
    mines &= covered
    stats = Stats(
        by_rules=(safe | mines).bit_count(), constraints=constraints, total_asked=not loose
    )
    near = 0
    for cells, ways, whole in boxes:
        # No layout, or every layout, has a mine in these cells.
        certain = not ways or ways == whole
        if certain:
            stats.by_tables += len(cells)
        if certain or not loose:
            board = 0
            for cell in cells:
                board |= 1 << cell
            near |= board
            if certain and ways:
                mines |= board
            elif certain:
                safe |= board
    if interior_cells and not loose:
        ways, whole = interior
        if not ways:
            safe |= undecided & ~near
        elif ways == whole:
            mines |= undecided & ~near
    return Classification.of(
        view,
        Status.CONSISTENT,
        safe,
        mines,
        stats=stats,
        engine=options.engine,
        solver=options.solver,
        encoding=options.encoding,
    )
