"""``classify``: the one way to ask for verdicts, whichever engine finds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Final

from satsweeper.answers.classification import Classification, Conflict, Stats, Status
from satsweeper.answers.options import PORTFOLIO, SESSIONS, Options
from satsweeper.board.planes import board_of
from satsweeper.board.view import Flags
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.search.classify import classify_by_session
from satsweeper.solvers.programs import EXTERNAL
from satsweeper.solvers.protocol import SolverFailedError

if TYPE_CHECKING:
    from satsweeper.engines.protocol import Engine, EngineAnswer

Send = Callable[[Classification], object]

_LEAST: Final = 0.001
"""Seconds that a search gets even if its deadline has come, as 0 is no limit that it takes."""
_EFFORT: Final = 50_000
"""Conflicts that the search for the clues that clash may meet; ordinary boards need a few."""
_HARD_BOARDS: Final = {"elimination", "scip"}
"""Engines for boards on which that search would meet them in vain."""
_UNCONFIRMED: Final = (
    "which clues clash was not found out within the limit, so all are listed; that no layout "
    "exists is the engine's word"
)
_REDUCIBLE: Final = "the limit came before the clues that clash were as few as can be"


def classify(
    position: Position,
    *,
    engine: str = PORTFOLIO,
    encoding: str = "direct",
    total_encoding: str = "totalizer",
    solver: str = "auto",
    flags: Flags = "trust",
    plain: bool = False,
    timeout: float | None = None,
    cap: int | None = None,
) -> Classification:
    """The verdict of every covered cell: safe, mine or unknown.

    Args:
        position: the board, with its total if that is known.
        engine: how, a name of ``satsweeper.engines.table.ENGINES``. All but ``portfolio`` and
            ``sat``, the session with and without help where search fails, take ``flags``,
            ``timeout`` and ``cap`` alone. What an incomplete engine is certain of is certain; if it
            leaves cells open the status is ``undecided``.
        encoding: the encoder of the clues (``pbcnf.ENCODERS``).
        total_encoding: the encoder of the total.
        solver: a name of ``satsweeper.solvers.table.SOLVERS``, ``external:`` and a program on
            PATH, or ``auto``: a fast one, and a strong one for what that does not settle at once.
            Naming an encoding or a solver also keeps small regions out of tables, so that what
            was named decides all that the rules leave.
        flags: whether flags are trusted to be mines, or ignored.
        plain: no rules, no reductions: one solver, two questions a cell; slow, an oracle.
        timeout: seconds after which the answer may be partial (status ``undecided``). The session
            looks at the clock, and gives solvers budgets of conflicts, to which all but lingeling
            listen; other engines look at it between questions, so on a large board setting one
            up may take longer. ``classify_within`` keeps it whatever happens, in a process of
            its own.
        cap: ``enumeration`` only: regions of more cells are left alone.

    Raises:
        ValueError: an unknown name, a solver that cannot do the job, an encoding that cannot
            express a clue or would be too large, an option that the engine does not have.
        EngineMissingError: the engine needs a package that is not installed.
        EngineRefusedError: the engine declines the position, as it would take too long.
        SolverFailedError: an external program gave no answer, or one that is wrong.

    >>> from satsweeper import Position, classify
    >>> result = classify(Position.parse("1??\\n12?\\n01?"))
    >>> result.verdict[0, 2], result.safe, result.counts
    (<Verdict.SAFE: 'safe'>, [(0, 2)], {'safe': 1, 'mine': 1, 'unknown': 2})
    >>> classify(Position.parse("1??\\n12?\\n01?"), engine="subset").grid()
    ['1MS', '12?', '01?']
    """
    return classify_with(
        position,
        Options(engine, encoding, total_encoding, solver, flags, plain, timeout, cap),
    )


def classify_with(position: Position, options: Options, send: Send | None = None) -> Classification:
    """``classify`` with its options as one value; ``send`` gets partial answers on the way."""
    options.check()
    if options.engine in SESSIONS:
        # Not as an engine's sets of cells: a board may have millions.
        return classify_by_session(position, options, send)
    from satsweeper.engines.table import find_engine

    engine = find_engine(options.engine)
    find = engine.load()
    started, deadline = perf_counter(), Deadline.after(options.timeout)

    def told(answer: EngineAnswer) -> Classification:
        return _classification(position, options, answer, perf_counter() - started)

    tell = None if send is None else lambda answer: send(told(answer))
    answer = find(position, replace(options, tell=tell))
    found = told(answer)
    if answer.status != "inconsistent":
        return found
    if answer.conflict is not None:
        return replace(found, conflict=answer.conflict)
    return _with_conflict(position, options, deadline, engine, found, send)


def classify_within(seconds: float | None, position: Position, options: Options) -> Classification:
    """``classify_with`` in a process that is ended half a second after the limit, if need be.

    Without a limit (None) no process is started.

    What was proved until then is the answer, its status ``undecided``.

    Raises:
        WorkerDiedError: that process ended without an answer, or engine and search disagree.
        ValueError, EngineMissingError, EngineRefusedError: as ``classify``.
    """
    if seconds is None:
        return classify_with(position, options)
    from satsweeper.engines.parts.questions import OUT_OF_TIME
    from satsweeper.processes.worker import within

    options.check()
    started = perf_counter()
    name = options.solver
    if options.engine not in SESSIONS:
        from satsweeper.engines.table import find_engine

        find_engine(name := options.engine).load()
    found: Classification | Exception | None = within(
        seconds, name, _in_worker, position, options, external=name.startswith(EXTERNAL)
    )
    if isinstance(found, Exception):
        raise found
    took = perf_counter() - started
    if found is not None:
        if found.status is Status.UNDECIDED:
            found.stats.seconds = took
        return found
    if options.engine not in SESSIONS:
        from satsweeper.engines.protocol import EngineAnswer

        nothing = EngineAnswer("undecided", frozenset(), frozenset(), False, (OUT_OF_TIME,))
        return _classification(position, options, nothing, took)
    return Classification.of(
        position.view(options.flags),
        Status.UNDECIDED,
        stats=Stats(seconds=took),
        solver=options.solver,
        encoding=options.encoding,
    )


def _in_worker(
    send: Send, deadline: Deadline, position: Position, options: Options
) -> Classification | Exception:
    from satsweeper.engines.protocol import EngineMissingError, EngineRefusedError

    limited = replace(options, timeout=deadline.left(_LEAST))
    try:
        return classify_with(position, limited, send)
    except (EngineMissingError, EngineRefusedError) as error:
        return error


def _with_conflict(
    position: Position,
    options: Options,
    deadline: Deadline,
    engine: Engine,
    found: Classification,
    send: Send | None,
) -> Classification:
    """Name the clues that clash: engines see that some do, not which."""
    from satsweeper.reasons.conflict import find_conflict, whole_conflict

    view = position.view(options.flags)
    whole = whole_conflict(view)
    if send is not None:
        send(_noted(found, whole, _UNCONFIRMED))
    proved = None
    if engine.extra == "ilp":
        from satsweeper.engines.parts.lp_conflict import find_lp_conflict

        left = replace(options, timeout=deadline.left(_LEAST), tell=None)
        proved = find_lp_conflict(position, left)
        if proved is not None and proved.irreducible:
            return replace(found, conflict=proved)
    try:
        if engine.name in _HARD_BOARDS:
            from satsweeper.reasons.linear_conflict import find_either_way

            conflict = find_either_way(view, (), deadline, search=True)
        else:
            conflict = find_conflict(view, (), deadline, _EFFORT)
    except SolverFailedError:
        raise SolverFailedError(
            f"engine {engine.name} and our own search disagree: it finds no layout, and there"
            " is one"
        ) from None
    if conflict.irreducible:
        return replace(found, conflict=conflict)
    if proved is not None and conflict == whole:
        return _noted(found, proved, _REDUCIBLE)
    return _noted(found, conflict, _UNCONFIRMED if conflict == whole else _REDUCIBLE)


def _noted(found: Classification, conflict: Conflict, note: str) -> Classification:
    return replace(found, conflict=conflict, notes=(*found.notes, note))


def _classification(
    position: Position, options: Options, answer: EngineAnswer, seconds: float
) -> Classification:
    """An engine's answer over the whole board.

    ``consistent`` promises that all other cells are unknown, so an answer that leaves cells open
    is ``undecided``, even if a layout was seen.
    """
    status = Status(answer.status)
    if status is Status.CONSISTENT and not answer.decided:
        status = Status.UNDECIDED
    geometry = position.geometry
    safe, mines = (
        board_of([geometry.index(cell) for cell in cells], geometry.size)
        for cells in (answer.safe, answer.mines)
    )
    return Classification.of(
        position.view(options.flags),
        status,
        safe,
        mines,
        stats=Stats(seconds=seconds),
        engine=options.engine,
        notes=answer.notes,
    )
