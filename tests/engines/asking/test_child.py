"""An engine in a process of its own: its answers, its limit, its end, and its partial answer."""

import os
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from satsweeper import Position
from satsweeper.answers.options import Options
from satsweeper.engines.asking import child as module
from satsweeper.engines.asking.child import Child
from satsweeper.engines.parts.questions import OUT_OF_TIME
from satsweeper.engines.protocol import Engine, EngineAnswer, EngineRefusedError
from satsweeper.engines.table import find_engine

BOARD = Position.parse("01?\n12?\n???")
SOME = EngineAnswer("undecided", frozenset({(2, 2)}), frozenset(), decided=False)


def reply(classify: Callable[..., EngineAnswer], options: Options) -> list[Any]:
    """What a child sends that runs this engine, its reply at last."""
    engine = Engine("odd", True, "", None, lambda: classify)
    sent: list[Any] = []
    with patch.object(module, "find_engine", lambda name: engine):
        sent.append(module._reply(sent.append, 0.0, "odd", BOARD, options))
    return sent


def test_one_process_answers_board_after_board() -> None:
    with Child("enumeration") as child:
        for _ in range(2):
            reply = child.ask(BOARD, Options())
            assert (reply.kind, reply.why) == ("answered", "")
            assert reply.answer is not None
            assert reply.answer.safe == {(2, 2)}


def test_what_is_declined_is_handed_over_and_the_process_goes_on() -> None:
    with Child("brute_force") as child:
        reply = child.ask(Position.parse("?" * 23), Options())
        assert (reply.kind, reply.answer) == ("refused", None)
        assert "at most 22" in reply.why
        assert child.ask(BOARD, Options()).kind == "answered"


def test_a_process_that_is_late_is_ended_and_the_next_board_gets_a_new_one() -> None:
    with Child("single_clue") as child:
        child.ask(BOARD, Options())
        process = child._worker._process
        with patch("satsweeper.processes.worker.GRACE", -10.0):
            reply = child.ask(BOARD, Options(timeout=1.0))
        assert process.poll() is not None
        assert reply.kind == "answered"
        assert reply.answer == EngineAnswer(
            "undecided", frozenset(), frozenset(), False, (OUT_OF_TIME,)
        )
        again = child.ask(BOARD, Options(timeout=60.0)).answer
        assert again is not None
        assert OUT_OF_TIME not in again.notes


def test_a_process_that_dies_is_one_line_and_the_next_board_gets_a_new_one() -> None:
    with Child("single_clue") as child:
        child.ask(BOARD, Options())
        os.kill(child._worker._process.pid, 9)
        reply = child.ask(BOARD, Options())
        assert (reply.kind, reply.why) == (
            "failed",
            "engine single_clue ended unexpectedly (SIGKILL)",
        )
        assert child.ask(BOARD, Options()).kind == "answered"


def test_what_was_told_before_the_end_is_the_answer() -> None:
    def classify(position: Position, options: Options) -> EngineAnswer:
        if options.tell is not None:
            options.tell(SOME)
        return EngineAnswer("consistent", frozenset(), frozenset(), decided=True)

    partial, last = reply(classify, Options())
    assert (partial, last.kind) == (SOME, "answered")


def test_errors_of_an_engine_are_one_line() -> None:
    def classify(position: Position, options: Options) -> EngineAnswer:
        raise error

    error: Exception = EngineRefusedError("too large")
    assert reply(classify, Options())[0][::2] == ("refused", "too large")
    error = ZeroDivisionError("division\nby zero")
    (last,) = reply(classify, Options())
    assert (last.kind, last.why) == ("failed", "engine odd: ZeroDivisionError: division by zero")


@pytest.mark.parametrize("name", ["sat", "enumeration", "subset", "smt"])
def test_engines_tell_what_is_certain_so_far(name: str) -> None:
    told: list[EngineAnswer] = []
    with patch("satsweeper.engines.parts.questions._OFTEN", -1.0):
        try:
            answer = find_engine(name).load()(BOARD, Options(tell=told.append))
        except ImportError as error:
            pytest.skip(str(error))
    assert told
    assert all(partial.safe <= answer.safe and partial.notes for partial in told)
