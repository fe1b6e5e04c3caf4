"""What a check finds: an answer that is wrong, with the call that gave it."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class HangError(BaseException):
    """A position took too long; no ``Exception``, so that nothing on the way takes it for one."""

    call = ""
    """What was asked, if that is known."""


class WrongAnswerError(Exception):
    """A wrong answer: the call, what is true, and what was said."""

    def __init__(self, call: str, expected: object, got: object) -> None:
        super().__init__(call, expected, got)
        self.call = call
        self.expected = str(expected)
        self.got = str(got)


def attempt(call: str, work: Callable[[], T]) -> T:
    """What the work returns; an exception of it is wrong."""
    try:
        return work()
    except HangError as late:
        late.call = call
        raise
    except Exception as error:
        got = f"{type(error).__name__}: {error}".replace("\n", " ")
        raise WrongAnswerError(call, "an answer", got) from error


def refused(call: str, kind: type[Exception], work: Callable[[], object]) -> None:
    """Hold the work to an exception of this kind."""
    try:
        found = work()
    except kind:
        return
    except HangError as late:
        late.call = call
        raise
    except Exception as error:
        raise WrongAnswerError(call, kind.__name__, f"{type(error).__name__}: {error}") from error
    raise WrongAnswerError(call, kind.__name__, found)


def same(call: str, expected: object, got: object) -> None:
    """Hold an answer to what is true."""
    if expected != got:
        raise WrongAnswerError(call, expected, got)
