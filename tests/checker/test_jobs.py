"""Parts of a check in other processes: the same results, and the same first fault."""

import os
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from satsweeper.checker.check import check
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.jobs import Jobs, _serve
from satsweeper.processes.interpreter import start

Forge = Callable[[str], Any]


def where(least: int) -> int:
    return os.getpid() if least else 0


def fault(name: str) -> None:
    raise WrongCertificateError(name, f"by {os.getpid()}")


def only_in(process: int) -> str:
    if os.getpid() != process:
        os._exit(3)
    return "done"


def fails_in(process: int) -> None:
    raise ValueError("here" if os.getpid() == process else "there")


def test_parts_are_done_in_as_many_processes_as_are_asked_for():
    with Jobs(3) as parts:
        asked = [parts.start(where, 1) for _ in range(4)]
        found = [ask() for ask in asked]
    assert found.count(os.getpid()) == 2
    assert len(set(found)) == 3
    assert Jobs().start(where, 1)() == os.getpid()


def test_a_fault_found_in_a_process_names_the_file():
    with Jobs(2) as parts:
        asked = parts.start(fault, "one.cnf")
        with pytest.raises(WrongCertificateError) as refused:
            asked()
    assert refused.value.file == "one.cnf"
    assert refused.value.fault.startswith("by ")
    assert refused.value.fault != f"by {os.getpid()}"


def test_a_part_whose_process_ends_without_an_answer_is_done_here():
    with Jobs(2) as parts:
        assert parts.start(only_in, os.getpid())() == "done"


def test_what_fails_otherwise_fails_here():
    with Jobs(2) as parts, pytest.raises(ValueError, match="here"):
        parts.start(fails_in, os.getpid())()


def test_no_process_is_left_when_nobody_asks():
    with Jobs(2) as parts:
        parts.start(where, 1)
        running = list(parts._running)
        assert running
    assert all(process.poll() is not None for process in running)


def test_a_process_that_never_gets_its_part_ends_and_prints_nothing():
    process, here = start(_serve, stderr=subprocess.PIPE)
    here.close()
    assert process.communicate() == (None, b"")


def test_less_than_one_process_is_refused():
    with pytest.raises(ValueError, match="jobs=0"):
        Jobs(0)


@pytest.mark.parametrize("name", ["total", "clash", "expert"])
def test_several_processes_find_what_one_finds(forge, name):
    folder = forge(name).write()
    assert check(folder, external=False, jobs=4) == check(folder, external=False)


def test_the_first_fault_is_the_same_with_several_processes(forge):
    # Layouts, the one proof and a cell's proof are wrong; so is the refutation, which comes first.
    for spoilt in (
        ["layouts.json"],
        ["proof.pbp", "layouts.json"],
        ["refutation.drat", "proof.pbp", "layouts.json"],
        ["cells/0_2/refutation.lrat", "layouts.json"],
        ["cells/0_2/refutation.lrat"],
    ):
        forgery = forge("total")
        for name in spoilt:
            lines = forgery.lines(name)
            forgery.put_lines(name, [line.replace("S", "M") for line in lines[:-1]] or ["{}"])
        folder = forgery.write()
        faults = []
        for jobs in (1, 3):
            with pytest.raises(WrongCertificateError) as refused:
                check(folder, external=False, jobs=jobs)
            faults.append(str(refused.value))
        assert faults[0] == faults[1]
