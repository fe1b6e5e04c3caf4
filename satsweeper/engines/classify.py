"""``classify``: verdicts of a position by any engine.

Each row of the table of engines has one function. `classify` checks the options and calls the
function; `classify_with` expects checked options; `classify_within` runs `classify_with` in a
process that can be ended. If an engine reports a contradiction without the clashing clues, these
functions search for the clues.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, overload

from satsweeper.answers.classification import Classification, Conflict, Stats, Status
from satsweeper.answers.options import PORTFOLIO, SESSION, Options
from satsweeper.board.facts import Flags
from satsweeper.engines.protocol import (
    LEAST_SECONDS,
    Engine,
    EngineMissingError,
    EngineRefusedError,
)
from satsweeper.engines.table import SESSION_OPTIONS, check_options, find_engine
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.errors import RuleError
from satsweeper.search.at_once import classify_square

if TYPE_CHECKING:
    from satsweeper.puzzle.answers import PuzzleClassification
    from satsweeper.puzzle.puzzle import Puzzle

_EFFORT: Final = 50_000
"""The most conflicts of the search for clashing clues; ordinary boards need a few."""
_HARD_BOARDS: Final = {"elimination", "scip"}
"""Engines for boards on which a search for clashing clues fails: sums are tried as well."""
_UNCONFIRMED: Final = (
    "which clues clash was not found out within the limit, so all are listed; that no layout "
    "exists is the engine's word"
)
_REDUCIBLE: Final = "the limit came before the clues that clash were as few as can be"


@overload
def classify(
    board: Position,
    *,
    engine: str = ...,
    encoding: str = ...,
    total_encoding: str = ...,
    solver: str = ...,
    flags: Flags = ...,
    plain: bool = ...,
    timeout: float | None = ...,
    cap: int | None = ...,
) -> Classification: ...


@overload
def classify(
    board: Puzzle,
    *,
    engine: str = ...,
    encoding: str = ...,
    total_encoding: str = ...,
    solver: str = ...,
    flags: Flags = ...,
    plain: bool = ...,
    timeout: float | None = ...,
) -> PuzzleClassification: ...


def classify(
    board: Position | Puzzle,
    *,
    engine: str = PORTFOLIO,
    encoding: str = "direct",
    total_encoding: str = "totalizer",
    solver: str = "auto",
    flags: Flags = "trust",
    plain: bool = False,
    timeout: float | None = None,
    cap: int | None = None,
) -> Classification | PuzzleClassification:
    """Return the verdict of every covered cell: safe, mine or unknown.

    Args:
        board: the board, with its total if that is known; a `Puzzle` is a board of any shape under
            any rules, which the session alone takes.
        engine: a name of ``satsweeper.engines.table.ENGINES``. ``portfolio`` and ``sat`` are the
            session, with and without linear algebra; all other engines take ``flags`` and
            ``timeout`` alone, ``enumeration`` ``cap`` as well. Certain verdicts of an incomplete
            engine are certain; if the engine leaves cells open, the status is ``undecided``.
        encoding: the encoder of the clues (``pbcnf.ENCODERS``).
        total_encoding: the encoder of the total.
        solver: a name of ``satsweeper.solvers.table.SOLVERS``, ``external:`` and a program on
            PATH, or ``auto``: a fast solver, and a strong solver for regions that the fast solver
            does not settle quickly. If a solver is named, or an encoding other than the defaults,
            small regions are not tabulated: all cells that the rules leave open go through that
            encoding and solver.
        flags: whether flags are trusted to be mines, or ignored.
        plain: whether to use one solver and two questions for each cell, without rules and
            reductions; slow, an oracle.
        timeout: seconds after which the answer may be partial (status ``undecided``); None: no
            limit. The session reads the clock and gives solvers budgets of conflicts, which
            lingeling and external programs do not obey. Other engines read the clock between
            questions, so that the setup for a large board may exceed the limit. ``classify_within``
            enforces the limit by a separate process.
        cap: for ``enumeration`` only: regions of more cells are skipped.

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
    options = _checked(engine, encoding, total_encoding, solver, flags, plain, timeout, cap)
    if options.by_session and isinstance(board, Position):
        return classify_square(board, options)
    return classify_with(board, options)


@lru_cache(maxsize=64, typed=True)
def _checked(*values: Any) -> Options:
    """Return the options ``values``, in the order of `Options`; ValueError as of `classify`."""
    options = Options(*values)
    check_options(options)
    return options


@overload
def classify_with(board: Position, options: Options) -> Classification: ...


@overload
def classify_with(board: Puzzle, options: Options) -> PuzzleClassification: ...


def classify_with(
    board: Position | Puzzle, options: Options
) -> Classification | PuzzleClassification:
    """Classify with checked options; ``options.tell`` is called with partial answers."""
    if not isinstance(board, Position):
        return _classify_puzzle(board, options)
    position = board
    engine = find_engine(options.engine)
    found = engine.classify(position, options)
    if found.status is not Status.INCONSISTENT or found.conflict is not None:
        return found
    left = None if options.timeout is None else options.timeout - found.stats.seconds
    return _with_conflict(position, options, Deadline.after(left), engine, found)


def _classify_puzzle(puzzle: Puzzle, options: Options) -> PuzzleClassification:
    _check_any_board(options)
    if options.plain:
        from satsweeper.puzzle.naive import classify_naive

        return classify_naive(puzzle, options)
    from satsweeper.puzzle.session import classify_puzzle

    tell = options.tell

    def told(part: PuzzleClassification) -> None:
        if tell is not None:
            tell(part.replaced(engine=options.engine))

    found = classify_puzzle(
        puzzle,
        solver=options.solver,
        encoding=options.encoding,
        total_encoding=options.total_encoding,
        flags=options.flags,
        timeout=options.timeout,
        progress=None if tell is None else told,
    )
    return found.replaced(engine=options.engine)


def _check_any_board(options: Options) -> None:
    """Raise EngineRefusedError for an engine that takes squares with plain clues only."""
    if find_engine(options.engine).takes != SESSION_OPTIONS:
        known = f"boards with rules or other cells than squares are for {PORTFOLIO} and {SESSION}"
        raise EngineRefusedError(f"engine {options.engine} takes squares with plain clues; {known}")


@overload
def classify_within(seconds: float | None, board: Position, options: Options) -> Classification: ...


@overload
def classify_within(
    seconds: float | None, board: Puzzle, options: Options
) -> PuzzleClassification: ...


def classify_within(
    seconds: float | None, board: Position | Puzzle, options: Options
) -> Classification | PuzzleClassification:
    """Return the answer of `classify_with`, run in a process that is ended after the limit.

    The process is ended half a second after ``seconds`` at the latest; then the last partial answer
    is returned, with status ``undecided``. With ``seconds`` None no process is started.

    Raises:
        WorkerDiedError: the process ended without an answer, or engine and search disagree.
        ValueError, EngineMissingError, EngineRefusedError: see ``classify``.
    """
    if seconds is None:
        return classify_with(board, options)
    from satsweeper.engines.parts.query_loop import OUT_OF_TIME
    from satsweeper.processes.worker import within
    from satsweeper.solvers.programs import EXTERNAL

    started = perf_counter()
    engine = find_engine(options.engine)
    if isinstance(board, Position):
        engine.load()
    else:
        _check_any_board(options)
    by_session = engine.takes == SESSION_OPTIONS
    name = options.solver if by_session else engine.name
    found: Classification | PuzzleClassification | Exception | None = within(
        seconds, name, _in_worker, board, options, external=name.startswith(EXTERNAL)
    )
    if isinstance(found, Exception):
        raise found
    took = perf_counter() - started
    if found is None and not isinstance(board, Position):
        from satsweeper.puzzle.answers import nothing_proved

        stats = Stats(seconds=took)
        return nothing_proved(board, options, stats)
    if found is None:
        assert isinstance(board, Position)
        return Classification.of(
            board.view(options.flags),
            Status.UNDECIDED,
            stats=Stats(seconds=took),
            engine=engine.name,
            solver=options.solver if by_session else "",
            encoding=options.encoding if by_session else "",
            notes=() if by_session else (OUT_OF_TIME,),
        )
    if found.status is Status.UNDECIDED:
        found.stats.seconds = took
    return found


def _in_worker(
    send: Callable[[object], object],
    deadline: Deadline,
    board: Any,
    options: Options,
) -> Classification | PuzzleClassification | Exception:
    limited = options.replaced(timeout=deadline.left(LEAST_SECONDS), tell=send)
    try:
        found: Classification | PuzzleClassification = classify_with(board, limited)
        return found
    except (EngineMissingError, EngineRefusedError, RuleError) as error:
        return error


def _with_conflict(
    position: Position,
    options: Options,
    deadline: Deadline,
    engine: Engine,
    found: Classification,
) -> Classification:
    """Return ``found``, an inconsistent answer of ``engine``, with the clues that clash.

    ``deadline``: of the search for these clues; at the deadline all clues are listed, with a note.
    """
    from satsweeper.reasons.conflict import find_conflict, whole_conflict
    from satsweeper.solvers.protocol import SolverFailedError

    view = position.view(options.flags)
    whole = whole_conflict(view)
    if options.tell is not None:
        options.tell(_noted(found, whole, _UNCONFIRMED))
    # For engines with HiGHS, a conflict is first sought by the linear relaxation, with exact
    # proofs.
    proved = None
    if engine.extra == "ilp":
        from satsweeper.engines.parts.weak_duality import find_lp_conflict

        proved = find_lp_conflict(
            position, options.replaced(timeout=deadline.left(LEAST_SECONDS), tell=None)
        )
        if proved is not None and proved.irreducible:
            return found.replaced(conflict=proved)
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
        return found.replaced(conflict=conflict)
    if proved is not None and conflict == whole:
        return _noted(found, proved, _REDUCIBLE)
    return _noted(found, conflict, _UNCONFIRMED if conflict == whole else _REDUCIBLE)


def _noted(found: Classification, conflict: Conflict, note: str) -> Classification:
    return found.replaced(conflict=conflict, notes=(*found.notes, note))
