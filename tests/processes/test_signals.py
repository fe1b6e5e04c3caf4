"""Signals that wait while a process is started."""

import signal

import pytest

from satsweeper.processes.signals import held


def test_a_signal_that_comes_meanwhile_is_raised_afterwards() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    started = []

    def start() -> None:
        with held(signal.SIGINT):
            signal.raise_signal(signal.SIGINT)
            started.append("a process")

    try:
        with pytest.raises(KeyboardInterrupt):
            start()
        assert started
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with held(signal.SIGINT):
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
