"""Ctrl-C while modules are imported, at every so many of them: one line and exit code 130.

Which module an interrupt meets is fixed by counting, not by a clock. numpy and other modules turn
an exception inside their import into one of their own.
"""

import subprocess
from pathlib import Path

import pytest

from tests.commands import EXAMPLES, python

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
COMMANDS = {
    "classify": ["expert.txt"],
    "encode": ["knapsack.opb"],
}
STEP = 60


def interrupted(at: int, command: list[str]) -> "subprocess.CompletedProcess[str]":
    program = INTERRUPT.format(at=at, argv=["satsweeper", *command])
    return python("-c", program)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupt_at_any_import_is_one_line(name: str) -> None:
    board, *options = COMMANDS[name]
    command = [name, str(EXAMPLES / board), *options]
    ended = 0
    for at in range(1, 2000, STEP):
        process = interrupted(at, command)
        if process.returncode == 0:
            break
        assert (process.returncode, process.stderr) == (130, "interrupted\n")
        ended += 1
    assert ended >= 3
    assert process.returncode == 0


@pytest.mark.parametrize("command", ["sat", "solve"])
def test_from_its_first_import_on_a_solver_answers_an_interrupt(
    tmp_path: Path, command: str
) -> None:
    """Before that the command line is read."""
    formula = tmp_path / "a.cnf"
    formula.write_text("p cnf 2 1\n1 2 0\n")
    answers = []
    for at in range(1, 2000, STEP):
        process = interrupted(at, [command, str(formula)])
        if process.returncode == 10:
            break
        assert (process.returncode, process.stderr) == (130, "interrupted\n")
        answers.append(process.stdout.splitlines()[-1:])
    assert process.returncode == 10
    before = answers.count([])
    assert len(answers) - before >= 3
    assert answers == [[]] * before + [["s UNKNOWN"]] * (len(answers) - before)


HELD = """
import os, signal, sys

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
signal.raise_signal(signal.SIGINT)
os.execv(sys.executable, [sys.executable, "-m", "satsweeper", "--help"])
"""


def test_an_interrupt_held_back_while_python_starts_is_one_line() -> None:
    process = python("-c", HELD)
    assert (process.returncode, process.stdout, process.stderr) == (130, "", "interrupted\n")
