"""One engine asked by name, and its answer as the classification that everybody prints."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from time import perf_counter, time
from typing import Final

from satsweeper.answers.classification import Classification, Conflict, Stats, Status
from satsweeper.board.codes import Cell
from satsweeper.board.planes import board_of
from satsweeper.engines.parts.questions import OUT_OF_TIME, Clock
from satsweeper.engines.protocol import (
    EngineAnswer,
    EngineMissingError,
    EngineOptions,
    EngineRefusedError,
)
from satsweeper.engines.table import find_engine
from satsweeper.position import Position
from satsweeper.solvers.protocol import SolverFailedError

Result = tuple[Classification, tuple[str, ...]]
"""A classification, and the engine's notes."""

_EFFORT: Final = 50_000
"""Conflicts that the search for the clues that clash may meet; ordinary boards need a few."""
_UNCONFIRMED: Final = (
    "which clues clash was not found out within the limit, so all are listed; that no layout "
    "exists is the engine's word"
)
_REDUCIBLE: Final = "the limit came before the clues that clash were as few as can be"


def classify_by(name: str, position: Position, options: EngineOptions) -> Result:
    """The classification by the engine of this name, and its notes.

    Engines see that clues clash, not which: that is found out by a search of our own.

    Raises:
        ValueError: an unknown name.
        EngineMissingError, EngineRefusedError: as the engine.
        SolverFailedError: an engine found no layout of a position that has one.
    """
    return _classify_by(name, position, options, None)


def classify_by_within(
    seconds: float, name: str, position: Position, options: EngineOptions
) -> Result:
    """``classify_by`` in a process that is ended half a second after the limit, if need be.

    Raises:
        WorkerDiedError: that process ended without an answer, or engine and search disagree.
    """
    from satsweeper.processes.worker import within

    find_engine(name).load()
    result: Result | Exception | None = within(seconds, name, _in_worker, name, position, options)
    if isinstance(result, Exception):
        raise result
    if result is None:
        nothing = EngineAnswer("undecided", frozenset(), frozenset(), False, (OUT_OF_TIME,))
        return _classification(name, position, options, nothing, seconds), nothing.notes
    return result


def _in_worker(
    send: Callable[[Result], object],
    deadline: float,
    name: str,
    position: Position,
    options: EngineOptions,
) -> Result | Exception:
    started = perf_counter()

    def tell(answer: EngineAnswer) -> None:
        seconds = perf_counter() - started
        send((_classification(name, position, options, answer, seconds), answer.notes))

    limited = replace(options, timeout=max(deadline - time(), 0.001), tell=tell)
    try:
        return _classify_by(name, position, limited, send)
    except (EngineMissingError, EngineRefusedError) as error:
        return error


def _classify_by(
    name: str,
    position: Position,
    options: EngineOptions,
    send: Callable[[Result], object] | None,
) -> Result:
    classify = find_engine(name).load()
    started = perf_counter()
    answer = classify(position, options)
    seconds = perf_counter() - started
    result = _classification(name, position, options, answer, seconds), answer.notes
    if answer.status != "inconsistent":
        return result
    if answer.conflict is not None:
        return _with_conflict(result, answer.conflict)
    from satsweeper.reasons.conflict import find_conflict, view_of, whole_conflict
    from satsweeper.solvers.limit import Limit

    clock = Clock(replace(options, timeout=_left(options, started), tell=None))
    view = view_of(position, options.flags == "trust")
    whole = whole_conflict(view)
    if send is not None:
        send(_with_conflict(result, whole, _UNCONFIRMED))
    proved = None
    if find_engine(name).extra == "ilp":
        from satsweeper.engines.parts.lp_conflict import find_lp_conflict

        proved = find_lp_conflict(position, replace(options, timeout=clock.left, tell=None))
        if proved is not None and proved.irreducible:
            return _with_conflict(result, proved)
    try:
        conflict = find_conflict(view, (), Limit(clock.left), _EFFORT)
    except SolverFailedError:
        raise SolverFailedError(
            f"engine {name} and our own search disagree: it finds no layout, and there is one"
        ) from None
    if conflict.irreducible:
        return _with_conflict(result, conflict)
    if proved is not None and conflict == whole:
        return _with_conflict(result, proved, _REDUCIBLE)
    return _with_conflict(result, conflict, _UNCONFIRMED if conflict == whole else _REDUCIBLE)


def _left(options: EngineOptions, started: float) -> float | None:
    if options.timeout is None:
        return None
    return max(options.timeout - (perf_counter() - started), 0.001)


def _with_conflict(result: Result, conflict: Conflict, *notes: str) -> Result:
    return replace(result[0], conflict=conflict), (*result[1], *notes)


def _classification(
    name: str, position: Position, options: EngineOptions, answer: EngineAnswer, seconds: float
) -> Classification:
    """The answer over the whole board.

    ``consistent`` promises that all other cells are unknown, so an answer that leaves cells open
    is ``undecided``, even if a layout was seen.
    """
    status = Status(answer.status)
    if status is Status.CONSISTENT and not answer.decided:
        status = Status.UNDECIDED
    planes, geometry = position.planes, position.geometry
    trusted = planes.flags if options.flags == "trust" else 0

    def board(cells: Iterable[Cell]) -> int:
        none = status is Status.INCONSISTENT
        return 0 if none else board_of([geometry.index(cell) for cell in cells], geometry.size)

    return Classification(
        status=status,
        geometry=geometry,
        codes=position.padded,
        mines_total=position.mines,
        covered=(planes.covered | planes.flags) & ~trusted,
        safe_board=board(answer.safe),
        mine_board=board(answer.mines),
        stats=Stats(seconds=seconds),
        engine=name,
        flags=options.flags,
    )
