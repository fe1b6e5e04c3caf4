"""Signals hold while a function computes that answers none: in time, with their own exit codes."""

import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

WORKING = """
import hashlib, sys, threading
from argparse import Namespace
from satsweeper.cli.lifetime import compiled_work
from satsweeper.cli.lifetime import alarm, leave_at_interrupts, raise_interrupts
from time import monotonic, thread_time

def tell():
    # By then the main thread has had its turn many times.
    while thread_time() < 0.1:
        pass
    print("begins", flush=True)

leave_at_interrupts()
raise_interrupts()
limit = float(sys.argv[1]) if len(sys.argv) > 1 else None
with alarm(limit, monotonic()), compiled_work(Namespace(command="odd", time_limit=limit), "trying"):
    threading.Thread(target=tell, daemon=True).start()
    # Minutes in one call, which lets other threads run.
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)
print("ends")
"""

Begin = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def begin(environment: dict[str, str], foreground: Begin) -> Begin:
    def begun(*arguments: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", WORKING, *arguments]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        child = foreground(command, env=environment, **streams)
        assert child.stdout is not None
        assert child.stdout.readline() == "begins\n"
        return child

    return begun


def test_an_interrupt_ends_it(begin: Begin) -> None:
    child = begin()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (130, "", "interrupted\n")


def test_a_limit_ends_it(begin: Begin) -> None:
    child = begin("4")
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (124, "", "satsweeper odd: not done within 4 s\n")


def test_other_signals_are_left_alone(begin: Begin) -> None:
    child = begin()
    child.send_signal(signal.SIGWINCH)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[1] == "interrupted\n"
