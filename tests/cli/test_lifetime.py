"""The alarm of a command: it rings in the block alone, and gives back what was set before."""

import signal
from time import monotonic
from unittest.mock import patch

import pytest

from satsweeper.cli.lifetime import (
    TimeIsUp,
    alarm,
    due_to_time,
    ended_by,
    raise_after,
    silence,
    take_over,
)
from tests.commands import call


def ring_in_time() -> None:
    with alarm(0.001, monotonic()):
        while True:
            pass


def test_the_alarm_ends_a_block_that_never_ends():
    with pytest.raises(TimeIsUp):
        ring_in_time()


def test_an_alarm_that_was_set_before_is_set_again():
    handler, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    signal.setitimer(signal.ITIMER_REAL, 10_000.0)
    try:
        with alarm(5_000.0, monotonic()):
            assert signal.getitimer(signal.ITIMER_REAL)[0] < 6_000.0
            take_over()
            assert signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 9_000.0
        assert signal.getsignal(signal.SIGALRM) == handler
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)


def test_what_an_interrupted_import_raises_is_told_from_other_errors():
    def fail(first: BaseException) -> None:
        try:
            raise first
        except BaseException:
            raise RuntimeError("Error calling __set_name__") from None

    with ended_by():
        pass
    for first, expected in ((TimeIsUp(), True), (ValueError(), False)):
        with pytest.raises(RuntimeError) as caught:
            fail(first)
        assert due_to_time(caught.value) == expected
    assert due_to_time(TimeIsUp())


class Deaf:
    """Is signalled in its destructor, where an exception is lost."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGTERM)


def test_a_signal_that_is_lost_in_a_destructor_comes_again_and_then_no_more():
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGALRM)

    def signalled() -> None:
        Deaf()
        while True:
            pass

    with ended_by(signal.SIGTERM) as came:
        with patch("sys.unraisablehook", lambda lost: None), pytest.raises(TimeIsUp):
            signalled()
        silence()
        signal.raise_signal(signal.SIGTERM)
    assert came == [signal.SIGTERM] * 2
    assert due_to_time(ImportError("which knows nothing of it"))
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGALRM)) == before


def test_a_signal_that_is_lost_before_the_command_takes_over_comes_again():
    def signalled() -> None:
        Deaf()
        take_over()
        left = 2**26
        while left:
            left -= 1

    with ended_by(signal.SIGTERM):
        with patch("sys.unraisablehook", lambda lost: None), pytest.raises(TimeIsUp):
            signalled()
        silence()


def test_who_takes_over_is_ended_by_the_second_alarm_alone():
    def raise_after_a_while() -> None:
        with raise_after(0.6):
            while True:
                pass

    began = monotonic()
    with alarm(0.0, began):
        take_over()
        with pytest.raises(TimeIsUp):
            raise_after_a_while()
    # The first one would have come before that.
    assert monotonic() - began >= 0.6


def test_an_import_that_the_alarm_breaks_off_in_other_words_is_the_limit(monkeypatch):
    def run(arguments: object) -> None:
        try:
            while True:
                pass
        except TimeIsUp:
            raise ImportError("PyCapsule_Import could not import module") from None

    def fail(arguments: object) -> None:
        raise ImportError("another one")

    monkeypatch.setattr("satsweeper.cli.classify.run", run)
    ended = call("classify", "--timeout", 0.01, "board")
    assert (ended.code, ended.err) == (124, "satsweeper classify: not done within 0.01 s\n")
    monkeypatch.setattr("satsweeper.cli.classify.run", fail)
    with pytest.raises(ImportError, match="another one"):
        call("classify", "--timeout", 60, "board")
