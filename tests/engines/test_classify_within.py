"""A classification in a process of its own: its answers, its limit, and its end."""

from typing import Any

import pytest

from satsweeper import Position, Status, classify
from satsweeper.answers.options import Options
from satsweeper.engines.classify import classify_with, classify_within
from satsweeper.processes.worker import WorkerDiedError

PATIENCE = 60.0
BOARD = Position.parse("4 3 ?\n01?\n12?\n???\n??F\n")


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
def test_a_worker_answers_as_this_process_does(flags: Any, plain: bool) -> None:
    chosen = options(flags=flags, plain=plain)
    answer = classify_within(PATIENCE, BOARD, chosen)
    expected = classify_with(BOARD, chosen)
    assert answer.status is Status.CONSISTENT
    assert answer.grid() == expected.grid()
    assert answer.verdict == expected.verdict
    assert answer.counts == expected.counts


def test_a_worker_finds_an_inconsistent_board_and_says_why() -> None:
    answer = classify_within(PATIENCE, Position.parse("1?3\n???\n"), options())
    assert answer.status is Status.INCONSISTENT
    assert answer.conflict == classify(Position.parse("1?3\n???\n")).conflict


def test_a_worker_hands_over_what_is_wrong_with_the_options() -> None:
    with pytest.raises(ValueError, match="pairwise cannot express 2 <= sum of 5 inputs"):
        classify_within(PATIENCE, BOARD, options(encoding="pairwise"))
    with pytest.raises(ValueError, match="unknown solver 'none'"):
        classify_within(PATIENCE, BOARD, options(solver="none"))


@pytest.mark.parametrize(
    ("expression", "how"),
    [
        ("__import__('os').kill(__import__('os').getpid(), 11)", "ended unexpectedly (SIGSEGV)"),
        ("[][0]", "failed (IndexError: list index out of range)"),
        ("bytes(2**62)", "failed (MemoryError: )"),
    ],
)
def test_a_worker_that_crashes_is_one_line(
    expression: str, how: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(WorkerDiedError) as caught:
        classify_within(PATIENCE, BOARD, options(encoding=Trap(expression)))
    assert str(caught.value).replace("MemoryError:)", "MemoryError: )") == (
        f"solver 'minisat22' {how}"
    )
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(("flags", "last", "left"), [("trust", "??F", 7), ("ignore", "???", 8)])
def test_a_worker_that_never_answers_is_ended_at_its_limit(
    flags: Any, last: str, left: int
) -> None:
    # It sleeps where a solver would search: nothing but a signal ends it.
    trap = Trap("__import__('time').sleep(10 ** 6)")
    answer = classify_within(0.2, BOARD, options(encoding=trap, flags=flags))
    assert answer.status is Status.UNDECIDED
    assert answer.grid() == ["01?", "12?", "???", last]
    assert answer.counts == {"safe": 0, "mine": 0, "unknown": left}
