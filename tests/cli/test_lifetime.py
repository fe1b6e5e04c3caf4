"""The life of a command: its alarm, and signals that hold wherever they meet it."""

import signal
import subprocess
import sys
from argparse import Namespace
from time import monotonic
from unittest.mock import patch

import pytest

from satsweeper.cli.lifetime import (
    TimeIsUp,
    alarm,
    compiling_reported,
    due_to_time,
    ended_by,
    raise_after,
    silence,
    take_over,
)
from satsweeper.play.kernel import machine_code
from tests.commands import EXAMPLES, call, ended_quietly, python


def test_the_alarm_ends_a_block_that_never_ends():
    with pytest.raises(TimeIsUp), alarm(0.001, monotonic()):  # noqa: PT012
        while True:
            pass


def test_an_alarm_that_was_set_before_is_set_again():
    handler, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    signal.setitimer(signal.ITIMER_REAL, 10_000.0)
    try:
        with alarm(5_000.0, monotonic()):
            assert 5_000.0 < signal.getitimer(signal.ITIMER_REAL)[0] < 6_000.0
            take_over()
            assert signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 9_000.0
        assert signal.getsignal(signal.SIGALRM) == handler
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)


def test_what_an_interrupted_import_raises_is_told_from_other_errors():
    with ended_by():
        pass
    for first, expected in ((TimeIsUp(), True), (ValueError(), False)):
        error = RuntimeError("Error calling __set_name__")
        error.__context__ = first
        assert due_to_time(error) == expected
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


def test_an_import_that_the_alarm_breaks_off_in_other_words_is_the_limit():
    def run(arguments: object) -> None:
        try:
            while True:
                pass
        except TimeIsUp:
            raise ImportError("PyCapsule_Import could not import module") from None

    with patch("satsweeper.cli.classify.run", run):
        ended = call("classify", "--timeout", 0.01, "board")
    assert (ended.code, ended.err) == (124, "satsweeper classify: not done within 0.01 s\n")
    fails = patch("satsweeper.cli.classify.run", side_effect=ImportError("another one"))
    with fails, pytest.raises(ImportError, match="another one"):
        call("classify", "--timeout", 60, "board")


def test_that_functions_are_compiled_is_told_once_and_in_the_progress(capsys):
    with compiling_reported(Namespace(command="odd"), "trying") as name:
        assert name() == "trying"
        for tell in [*machine_code._TOLD] * 2:
            tell()
        assert name() == "trying (compiling)"
    assert capsys.readouterr().err == "satsweeper odd: compiling what takes long\n"


# Signals hold while a function computes that answers none: in time, with their own exit codes


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


@pytest.fixture
def begin(environment, foreground):
    def begun(*arguments: str) -> "subprocess.Popen[str]":
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [sys.executable, "-c", WORKING, *arguments]
        child: subprocess.Popen[str] = foreground(command, env=environment, **streams)
        assert child.stdout is not None
        assert child.stdout.readline() == "begins\n"
        return child

    return begun


def test_an_interrupt_or_a_limit_ends_compiled_work_and_other_signals_are_left_alone(begin):
    child = begin()
    child.send_signal(signal.SIGWINCH)
    child.send_signal(signal.SIGINT)
    ended_quietly(child)
    child = begin("4")
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (124, "", "satsweeper odd: not done within 4 s\n")


def test_an_alarm_in_a_finalizer_is_raised_after_it():
    """Python would print what a finalizer raises, which the warnings of this test would tell."""
    with alarm(60, monotonic()):
        Rings()
        with pytest.raises(TimeIsUp):
            signal.raise_signal(signal.SIGALRM)


class Rings:
    def __del__(self) -> None:
        signal.raise_signal(signal.SIGALRM)


# Ctrl-C while modules are imported, at every so many of them: one line and exit code 130


INTERRUPT = """
import signal, sys

class Interrupting:
    left = {at}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        cls.left -= 1
        if not cls.left:
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv = {argv}
from satsweeper.cli.start import main
sys.meta_path.insert(0, Interrupting)
sys.exit(main())
"""


def interrupted(code: int, *command: object) -> list[list[str]]:
    """The last line printed, for an interrupt at every twentieth import of a command.

    Every other ends with exit code 130; the first that comes too late, with this ``code``.
    """
    answers = []
    for at in range(1, 2000, 20):
        argv = ["satsweeper", *map(str, command)]
        process = python("-c", INTERRUPT.format(at=at, argv=argv))
        if process.returncode == code:
            return answers
        assert (process.returncode, process.stderr) == (130, "interrupted\n")
        answers.append(process.stdout.splitlines()[-1:])
    raise AssertionError("interrupted at every import")


@pytest.mark.parametrize(("name", "file"), [("classify", "expert.txt"), ("encode", "knapsack.opb")])
def test_an_interrupt_at_any_import_is_one_line(name, file):
    assert len(interrupted(0, name, EXAMPLES / file)) >= 3


@pytest.mark.parametrize("command", ["sat", "solve"])
def test_from_its_first_import_on_a_solver_answers_an_interrupt(tmp_path, command):
    """Before that the command line is read."""
    formula = tmp_path / "a.cnf"
    formula.write_text("p cnf 2 1\n1 2 0\n")
    answers = interrupted(10, command, formula)
    before = answers.count([])
    assert len(answers) - before >= 3
    # The last imports are those that show the answer, which is known by then and not lost.
    *earlier, last = answers[before:]
    assert answers[:before] == [[]] * before
    assert earlier == [["s UNKNOWN"]] * len(earlier)
    assert last in (["s UNKNOWN"], ["v 1 2 0"])


def test_an_interrupt_held_back_while_python_starts_is_one_line():
    held = (
        "import os, signal, sys\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})\n"
        "signal.raise_signal(signal.SIGINT)\n"
        "os.execv(sys.executable, [sys.executable, '-m', 'satsweeper', '--help'])\n"
    )
    process = python("-c", held)
    assert (process.returncode, process.stdout, process.stderr) == (130, "", "interrupted\n")
