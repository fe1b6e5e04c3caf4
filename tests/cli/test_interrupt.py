"""Ctrl-C, and what must not be left behind: no traceback, no process that goes on searching."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from satsweeper.solvers.table import SOLVERS
from tests import problem_files
from tests.boards import rows_of
from tests.commands import PATIENCE, alive, ended_quietly, living, stat, until

solvers = pytest.mark.parametrize(
    "solver",
    [pytest.param(name, marks=[] if name in ("minisat22", "lingeling") else pytest.mark.slow)
     for name in SOLVERS],
)  # fmt: skip
SEARCHING = 0.9
"""Seconds of CPU time after which a process must be searching: to start takes a third of it."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def cpu_seconds(pid: int) -> float:
    fields = stat(pid)
    ticks = int(fields[11]) + int(fields[12]) if fields else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def worker_of(command: "subprocess.Popen[str]") -> int:
    """The worker of a command, once it is being started."""
    found: list[int] = []

    def words(pid: int) -> bytes:
        return Path(f"/proc/{pid}/cmdline").read_bytes()

    def look() -> list[int]:
        assert command.poll() is None
        for pid in living(1, command.pid):
            with suppress(FileNotFoundError, ProcessLookupError):
                # Started anew, or a copy of the command.
                started = b"satsweeper.processes.worker" in words(pid)
                if started or words(pid) == words(command.pid):
                    found.append(pid)
        return found

    until(look, "the start of a worker")
    return found[0]


def searching_worker_of(command: "subprocess.Popen[str]") -> int:
    worker = worker_of(command)
    until(lambda: cpu_seconds(worker) > SEARCHING, "a worker that searches")
    return worker


def began(process: "subprocess.Popen[str]") -> None:
    until(lambda: cpu_seconds(process.pid) > SEARCHING or process.poll() is not None, "a search")
    assert process.poll() is None


@solvers
def test_an_interrupted_search_ends_quietly_and_with_a_limit_leaves_no_worker(start, hard, solver):
    words = ("classify", "--engine", "sat", "--json", "--solver", solver, hard)
    process = start(*words)
    began(process)
    process.send_signal(signal.SIGINT)
    ended_quietly(process)
    process = start(*words, "--timeout", 100)
    worker = searching_worker_of(process)
    process.send_signal(signal.SIGINT)
    ended_quietly(process)
    until(lambda: not alive(worker), "the end of the worker")


def test_an_interrupted_search_for_a_reason_ends_quietly(start, tmp_path):
    """On a board so large that it takes seconds to find out what is certain at all."""
    draw = np.random.default_rng(1)
    mines = draw.random((1000, 1000)) < 0.3
    open_cells = ~mines & (draw.random((1000, 1000)) < 0.6)
    open_cells[0, 0] = False
    board = tmp_path / "large.txt"
    board.write_text(rows_of(mines, open_cells))
    process = start("explain", board, "0,0")
    began(process)
    process.send_signal(signal.SIGINT)
    ended_quietly(process)


@pytest.mark.parametrize("when", [worker_of, searching_worker_of])
def test_ctrl_c_reaches_every_process_of_a_terminal_and_is_quiet_all_the_same(start, hard, when):
    process = start("classify", "--engine", "sat", "--timeout", 100, hard, start_new_session=True)
    worker = when(process)
    os.killpg(process.pid, signal.SIGINT)
    ended_quietly(process)
    until(lambda: not alive(worker), "the end of the worker")


@pytest.mark.parametrize(
    ("solver", "number"), [("minisat22", signal.SIGKILL), ("lingeling", signal.SIGTERM)]
)
def test_a_worker_does_not_outlive_a_command_that_is_killed(start, hard, solver, number):
    process = start("classify", "--engine", "sat", "--timeout", 100, "--solver", solver, hard)
    worker = searching_worker_of(process)
    process.send_signal(number)
    assert process.wait(timeout=PATIENCE) == -number
    until(lambda: not alive(worker), "the end of the worker")


def test_a_limit_that_is_reached_leaves_no_worker(start, hard):
    process = start("classify", "--engine", "sat", "--timeout", 2, "--solver", "lingeling", hard)
    worker = worker_of(process)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 124
    assert not alive(worker)


def test_a_worker_that_is_killed_from_outside_is_one_line(start, hard):
    process = start("classify", "--engine", "sat", "--json", "--timeout", 100, hard)
    os.kill(searching_worker_of(process), signal.SIGKILL)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, "")
    assert err == "solver 'auto' ended unexpectedly (SIGKILL)\n"


@pytest.fixture(scope="module")
def pigeons(tmp_path_factory):
    """Fourteen pigeons in thirteen holes, as clauses: no solver by clauses is done in minutes."""
    path = tmp_path_factory.mktemp("formulas") / "pigeons.cnf"
    path.write_text(problem_files.pigeons(13))
    return path


LIMITED = ["sat", "--timeout", "100", "--solver", "minisat22"]
ENDED = {
    "SIGINT": (130, "interrupted\n", "interrupted"), "SIGTERM": (0, "", "SIGTERM"),
    "SIGHUP": (0, "", "SIGHUP"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "name", "group"),
    [(["sat"], "SIGINT", True), (["sat"], "SIGTERM", False), (LIMITED, "SIGINT", False),
     (LIMITED, "SIGHUP", True), (["solve"], "SIGINT", False), (["solve"], "SIGTERM", True),
     (["solve", "--json"], "SIGHUP", False), (["solve", "--json"], "SIGINT", True)],
)  # fmt: skip
def test_a_search_that_is_broken_off_before_a_solution_is_unknown(
    start, pigeons, words, name, group
):
    number, (code, err, reason) = getattr(signal, name), ENDED[name]
    process = start(*words, pigeons, start_new_session=True)
    worker = searching_worker_of(process)
    os.killpg(process.pid, number) if group else process.send_signal(number)
    out, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (code, err)
    if "--json" in words:
        answer = json.loads(out)
        assert (answer["status"], answer["reason"]) == ("UNKNOWN", reason)
    else:
        assert out.splitlines()[-1] == "s UNKNOWN"
        assert out.splitlines()[-2].endswith(f": {reason}")
        assert out.count("\ns ") + out.startswith("s ") == 1
    until(lambda: not alive(worker), "the end of the worker")


def test_a_program_that_is_broken_off_ends_and_the_answer_is_unknown(
    start, pigeons, tmp_path, environment, monkeypatch
):
    program, pid = tmp_path / "minisat", tmp_path / "minisat.pid"
    program.write_text('#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 600\n')
    program.chmod(0o755)
    monkeypatch.setitem(environment, "PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    for command, number, code in (("sat", signal.SIGINT, 130), ("solve", signal.SIGTERM, 0)):
        pid.unlink(missing_ok=True)
        process = start(command, pigeons, "--solver", "external:minisat")
        until(lambda: pid.exists() and pid.read_text().strip(), "the start of the program")
        process.send_signal(number)
        out, _ = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out.splitlines()[-1]) == (code, "s UNKNOWN")
        until(lambda: not alive(int(pid.read_text())), "the end of the program")
