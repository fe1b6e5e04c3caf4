"""Engines in processes of their own: limits, ends, and who is reported to disagree with whom."""

import os
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from satsweeper import Position, classify
from satsweeper.answers.classification import Classification, Status
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.planes import board_of
from satsweeper.engines import compare as module
from satsweeper.engines.classify import classify_with, classify_within
from satsweeper.engines.compare import EngineOutcome, EngineProcess, compare, disagreements
from satsweeper.engines.parts.query_loop import OUT_OF_TIME
from satsweeper.engines.protocol import Engine, EngineRefusedError
from satsweeper.engines.table import find_engine
from satsweeper.processes.worker import WorkerDiedError

BOARD = Position.parse("01?\n12?\n???")


def answer_of(
    status: str, safe: tuple[Cell, ...] = (), *, has_layout: bool = False
) -> Classification:
    geometry = BOARD.geometry
    cells = board_of(map(geometry.index, safe), geometry.size)
    return Classification.of(BOARD.view(), Status(status), cells, has_layout=has_layout)


def reply(classify: Callable[..., Classification], options: Options) -> list[Any]:
    """The parts and the reply that a process with this engine sends."""
    engine = Engine("odd", True, "", None, lambda: classify)
    sent: list[Any] = []
    with patch.object(module, "find_engine", lambda name: engine):
        sent.append(module._reply(sent.append, 0.0, "odd", BOARD, options))
    return sent


def test_one_process_answers_board_after_board_and_hands_over_what_is_declined():
    with EngineProcess("brute_force") as process:
        for _ in range(2):
            reply = process.ask(BOARD, Options())
            assert (reply.kind, reply.why, reply.answer.safe) == ("answered", "", [(2, 2)])
            reply = process.ask(Position.parse("?" * 23), Options())
            assert (reply.kind, reply.answer) == ("refused", None)
            assert "at most 22" in reply.why


def test_a_process_that_is_late_or_dies_is_ended_and_the_next_board_gets_a_new_one():
    with EngineProcess("single_clue") as process:
        process.ask(BOARD, Options())
        started = process._worker._process
        with patch("satsweeper.processes.worker.GRACE", -10.0):
            reply = process.ask(BOARD, Options(timeout=1.0))
        assert started.poll() is not None
        assert reply.kind == "answered"
        found = reply.answer
        assert (found.status, found.safe, found.mines) == (Status.UNDECIDED, [], [])
        assert found.notes == (OUT_OF_TIME,)
        assert OUT_OF_TIME not in process.ask(BOARD, Options(timeout=60.0)).answer.notes
        # One that dies is one line.
        os.kill(process._worker._process.pid, 9)
        reply = process.ask(BOARD, Options())
        assert reply.why == "engine single_clue ended unexpectedly (SIGKILL)"
        assert (reply.kind, process.ask(BOARD, Options()).kind) == ("failed", "answered")


def test_what_was_told_before_the_end_is_the_answer():
    some = answer_of("undecided", ((2, 2),))

    def classify(position: Position, options: Options) -> Classification:
        if options.tell is not None:
            options.tell(some)
        return answer_of("consistent")

    partial, last = reply(classify, Options())
    assert (partial, last.kind) == (some, "answered")


def test_errors_of_an_engine_are_one_line():
    def classify(position: Position, options: Options) -> Classification:
        raise error

    error: Exception = EngineRefusedError("too large")
    assert reply(classify, Options())[0][::2] == ("refused", "too large")
    error = ZeroDivisionError("division\nby zero")
    (last,) = reply(classify, Options())
    assert (last.kind, last.why) == ("failed", "engine odd: ZeroDivisionError: division by zero")


@pytest.mark.parametrize("name", ["sat", "elimination", "enumeration", "subset", "smt"])
def test_engines_tell_what_is_certain_so_far(name):
    told: list[Classification] = []
    with patch("satsweeper.engines.parts.query_loop._OFTEN", -1.0):
        try:
            answer = find_engine(name).classify(BOARD, Options(tell=told.append))
        except ImportError as error:
            pytest.skip(str(error))
    assert told
    assert all(set(partial.safe) <= set(answer.safe) for partial in told)


def outcome(
    name: str,
    status: str = "consistent",
    safe: tuple[Cell, ...] = (),
    complete: bool = True,
    has_layout: bool = False,
) -> EngineOutcome:
    engine = Engine(name, complete, "", None, find_engine("sat").load)
    answer = answer_of(status, safe, has_layout=has_layout)
    return EngineOutcome("board", None, engine, answer, 0.0)


def test_engines_that_agree_are_not_reported():
    names = ("sat", "brute_force", "enumeration", "single_clue", "subset", "assumption")
    engines = [find_engine(name) for name in names]
    done: list[float] = []
    boards = [("corner", BOARD), ("none", Position.parse("1?3\n???", mines=2))]
    compared = compare(boards, engines, Options(timeout=60), done.append)
    for outcomes, (name, board) in zip(compared, boards, strict=True):
        assert {(o.kind, o.board, o.mines) for o in outcomes} == {("answered", name, board.mines)}
        assert [o.engine.name for o in outcomes] == list(names)
        assert [o.answer.engine for o in outcomes if o.answer] == list(names)
        assert disagreements(outcomes) == []
    assert done == list(range(1, 13))


def test_every_kind_of_disagreement_is_reported_and_no_other():
    truth = outcome("first", safe=((2, 2),))
    for wrong in (
        outcome("status", "inconsistent"),
        outcome("too_much", "undecided", safe=((2, 2), (2, 1)), complete=False),
        outcome("too_little"),
        outcome("incomplete_but_sure", complete=False),
    ):
        [found] = disagreements([truth, wrong])
        assert found.startswith(f"board: {wrong.engine.name}, first: ")
    impossible = outcome("first", "inconsistent")
    seen = outcome("sees_a_layout", "undecided", complete=False, has_layout=True)
    [found] = disagreements([impossible, seen])
    assert found == "board: sees_a_layout, first: consistent, inconsistent"

    # Less is none where nothing was settled.
    partial = outcome("partial", "undecided", complete=False)
    for other in (truth, partial, impossible):
        assert disagreements([other, partial]) == []


# A classification in a process of its own: its answers, its limit, and its end.

FLAGGED = Position.parse("4 3 ?\n01?\n12?\n???\n??F\n")


def options(**changes: Any) -> Options:
    return Options(**{"solver": "minisat22", **changes})


class Trap:
    """Becomes, in the worker, an encoder at whose first use an expression is evaluated."""

    def __init__(self, expression: str) -> None:
        self.expression = expression

    def __reduce__(self) -> tuple[Any, ...]:
        springs = f"lambda self, name: {self.expression}"
        sent = "lambda self: (str, ('trap',))"
        return eval, (f"type('Trap', (), {{'__getattr__': {springs}, '__reduce__': {sent}}})()",)


@pytest.mark.parametrize("flags", ["trust", "ignore"])
@pytest.mark.parametrize("plain", [False, True])
def test_a_worker_answers_as_this_process_does(flags, plain):
    chosen = options(flags=flags, plain=plain)
    answer = classify_within(60.0, FLAGGED, chosen)
    expected = classify_with(FLAGGED, chosen)
    assert answer.status is Status.CONSISTENT
    assert answer.grid() == expected.grid()
    assert (answer.verdict, answer.counts) == (expected.verdict, expected.counts)
    answer = classify_within(60.0, Position.parse("1?3\n???\n"), chosen)
    assert answer.status is Status.INCONSISTENT
    assert answer.conflict == classify(Position.parse("1?3\n???\n")).conflict
    for wrong, said in [
        ({"encoding": "pairwise"}, "pairwise cannot express 2 <= sum of 5 inputs"),
        ({"solver": "none"}, "unknown solver 'none'"),
    ]:
        with pytest.raises(ValueError, match=said):
            classify_within(60.0, FLAGGED, chosen.replaced(**wrong))


@pytest.mark.parametrize(
    ("expression", "how"),
    [
        ("__import__('os').kill(__import__('os').getpid(), 11)", "ended unexpectedly (SIGSEGV)"),
        ("[][0]", "failed (IndexError: list index out of range)"),
        ("bytes(2**62)", "failed (MemoryError: )"),
    ],
)
def test_a_worker_that_crashes_is_one_line(expression, how, capfd):
    with pytest.raises(WorkerDiedError) as caught:
        classify_within(60.0, FLAGGED, options(encoding=Trap(expression)))
    assert str(caught.value).replace("MemoryError:)", "MemoryError: )") == (
        f"solver 'minisat22' {how}"
    )
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(("flags", "last", "left"), [("trust", "??F", 7), ("ignore", "???", 8)])
def test_a_worker_that_never_answers_is_ended_at_its_limit(flags, last, left):
    # It sleeps where a solver would search: nothing but a signal ends it.
    trap = Trap("__import__('time').sleep(10 ** 6)")
    answer = classify_within(0.2, FLAGGED, options(encoding=trap, flags=flags))
    assert (answer.status, answer.grid()) == (Status.UNDECIDED, ["01?", "12?", "???", last])
    assert answer.counts == {"safe": 0, "mine": 0, "unknown": left}
    told = (answer.engine, answer.solver, answer.encoding, answer.notes)
    assert told == ("portfolio", "minisat22", trap, ())
