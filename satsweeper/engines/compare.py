"""Comparison of engines on equal boards: verdicts, time, and disagreements.

Each engine has a process that answers one board after the other. A process that exceeds the time
limit is ended, the engine's last partial answer is used, and the next board gets a new process. The
time of starting a process and of importing the engine's packages is not counted.

A disagreement is a defect of an engine: two complete engines settle a board differently, or an
incomplete engine has a certain verdict that a complete engine contradicts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple, Self

from satsweeper.answers.classification import Classification, Status
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.errors import one_line
from satsweeper.board.planes import indices
from satsweeper.engines.parts.query_loop import OUT_OF_TIME
from satsweeper.engines.protocol import Engine, EngineMissingError, EngineRefusedError
from satsweeper.engines.table import find_engine
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.worker import Worker, WorkerDiedError

ReplyKind = Literal["answered", "refused", "missing", "failed"]

_START: Final = 120.0
"""The time limit, in seconds, of starting a process and importing the engine's packages."""


class EngineReply(NamedTuple):
    """An engine's answer to one board, or the reason ``why`` there is no answer.

    ``seconds``: the time of the answer, without the start of the process.
    """

    kind: ReplyKind
    answer: Classification | None
    why: str
    seconds: float


class EngineProcess:
    """The process of one engine, started at the first board; a context manager that ends it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._worker = Worker(f"engine {name}")

    def ask(self, position: Position, options: Options) -> EngineReply:
        """Return the reply to one board, half a second after ``options.timeout`` at the latest."""
        started = perf_counter()
        try:
            if not self._worker.running:
                missing = self._worker.ask(_START, _missing, self.name)
                if missing is None:
                    missing = f"engine {self.name} did not start within {_START:.0f} s"
                if missing:
                    self._worker.end()
                    return EngineReply("missing", None, missing, 0.0)
            started = perf_counter()
            reply = self._worker.ask(options.timeout, _reply, self.name, position, options)
        except WorkerDiedError as error:
            return EngineReply("failed", None, str(error), perf_counter() - started)
        if isinstance(reply, EngineReply):
            return reply
        if reply is None:
            view = position.view(options.flags)
            reply = Classification.of(
                view, Status.UNDECIDED, engine=self.name, notes=(OUT_OF_TIME,)
            )
        return EngineReply("answered", reply, "", perf_counter() - started)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._worker.end()


def _missing(send: object, deadline: Deadline, name: str) -> str:
    """Load an engine, in the worker; return the message of a missing package, "" if none is."""
    try:
        # An engine imports its packages at its first call, which must not count as solving time.
        find_engine(name).load()(Position.parse("1?"), Options())
    except EngineMissingError as error:
        return str(error)
    return ""


def _reply(
    send: Callable[[object], None],
    deadline: Deadline,
    name: str,
    position: Position,
    options: Options,
) -> EngineReply:
    """Answer one board, in the worker; partial answers of the engine are passed to ``send``."""
    engine = find_engine(name)
    started = perf_counter()
    try:
        answer = engine.classify(position, options.replaced(tell=send))
        return EngineReply("answered", answer, "", answer.stats.seconds)
    except EngineRefusedError as error:
        return EngineReply("refused", None, str(error), perf_counter() - started)
    except Exception as error:
        why = f"engine {name}: {one_line(error)}"
        return EngineReply("failed", None, why, perf_counter() - started)


@dataclass(frozen=True)
class EngineOutcome:
    """The reply of one engine to one board."""

    board: str
    mines: int | None
    """The total, if it is known."""
    engine: Engine
    answer: Classification | None
    seconds: float
    why: str = ""
    """The reason, where there is no answer."""
    kind: ReplyKind = "answered"

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the answer, or that time ran out if a complete engine left cells open."""
        if self.answer is None:
            return ()
        late = self.engine.complete and not _decided(self.answer)
        return self.answer.notes or ((OUT_OF_TIME,) if late else ())

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``engines --compare --json`` prints."""
        found: dict[str, Any] = {
            "board": self.board,
            "mines": self.mines,
            "engine": self.engine.name,
            "kind": self.kind,
        }
        if self.answer is None:
            return found | {"why": self.why}
        counts = self.answer.counts
        return found | {
            "status": said_status(self.answer),
            "decided": _decided(self.answer),
            "counts": {"safe": counts["safe"], "mine": counts["mine"]},
            "notes": list(self.notes),
            "seconds": self.seconds,
        }


def said_status(answer: Classification) -> str:
    """Return the status that the comparison prints: "consistent" whenever a layout was checked."""
    return "consistent" if answer.has_layout else str(answer.status)


def compare(
    boards: Sequence[tuple[str, Position]],
    engines: Sequence[Engine],
    options: Options,
    reach: Callable[[float], object] | None = None,
) -> list[list[EngineOutcome]]:
    """Return the outcomes of all engines, board by board.

    Each engine has its own process, so that ``options.timeout`` is kept even if the engine never
    reads the clock; one process runs at a time. ``reach`` is called with the number of outcomes
    so far.
    """
    found: list[list[EngineOutcome]] = [[] for _ in boards]
    done = 0
    for engine in engines:
        with EngineProcess(engine.name) as process:
            for outcomes, (name, position) in zip(found, boards, strict=True):
                reply = process.ask(position, options)
                outcomes.append(EngineOutcome(name, position.mines, engine, **reply._asdict()))
                done += 1
                if reach is not None:
                    reach(done)
    return found


def disagreements(outcomes: Sequence[EngineOutcome]) -> list[str]:
    """Return the contradictions between engines about one board, a sentence each.

    The reference is the answer of the first complete engine that has settled the board.
    """
    settled = [o for o in outcomes if o.engine.complete and o.answer and _decided(o.answer)]
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


def _decided(answer: Classification) -> bool:
    return answer.status is not Status.UNDECIDED


def _problem(truth: Classification, answer: Classification, settled: bool) -> str | None:
    """Return how ``answer`` contradicts the settled ``truth``, or None.

    ``settled``: whether ``answer`` is of a complete engine that settled the board as well.
    """
    inconsistent = truth.status is Status.INCONSISTENT
    if said_status(answer) == ("consistent" if inconsistent else "inconsistent"):
        return f"{said_status(answer)}, {said_status(truth)}"
    if inconsistent:
        return "not seen to be inconsistent" if settled and answer.status != truth.status else None
    wrong = answer.safe_board & ~truth.safe_board | answer.mine_board & ~truth.mine_board
    if wrong:
        return f"certain without reason of {_cells(truth, wrong)}"
    if _decided(answer):
        missed = truth.safe_board & ~answer.safe_board | truth.mine_board & ~answer.mine_board
        if missed:
            return f"unknown without reason {_cells(truth, missed)}"
    return None


def _cells(truth: Classification, board: int) -> list[Cell]:
    return [truth.geometry.cell(i) for i in indices(board, truth.geometry.size)[:5]]
