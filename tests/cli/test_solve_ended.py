"""``solve`` that is ended: by signals, by limits, by its reader, by what befalls its solver."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest

from tests.commands import call

Call = Callable[..., Any]
PATIENCE = 60


def lines(out: str, letter: str) -> list[str]:
    return [line[2:] for line in out.splitlines() if line.startswith(f"{letter} ")]


class Covering:
    """Sets to choose from, so many that the best choice is not shown soon: text, and a check."""

    def __init__(self, sets: int = 400) -> None:
        draw = Random(1)
        self.weights = [draw.randint(50, 99) for _ in range(sets)]
        self.elements = [draw.sample(range(1, sets + 1), 5) for _ in range(sets)]
        terms = " ".join(f"+{weight} x{var}" for var, weight in enumerate(self.weights, start=1))
        rows = [" ".join(f"+1 x{var}" for var in chosen) for chosen in self.elements]
        self.text = "\n".join([f"min: {terms} ;", *(f"{row} >= 2 ;" for row in rows)]) + "\n"

    def value(self, words: list[str]) -> int:
        chosen = {int(word[1:]) for word in words if word.startswith("x")}
        assert len(words) == len(self.weights)
        assert all(len(chosen & {*held}) >= 2 for held in self.elements)
        return sum(self.weights[var - 1] for var in chosen)


@pytest.fixture(scope="module")
def covering() -> Covering:
    return Covering()


@pytest.fixture(scope="module")
def file(covering: Covering, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("problems") / "covering.opb"
    path.write_text(covering.text)
    return path


def after_a_solution(process: "subprocess.Popen[str]") -> str:
    """What was printed up to the first solution."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line.startswith("o "):
            return text
    raise AssertionError(text)


def the_rest(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """What is printed behind that; ``communicate`` forgets what was read ahead."""
    assert process.stdout is not None
    assert process.stderr is not None
    rest, err = process.stdout.read(), process.stderr.read()
    process.wait(PATIENCE)
    return rest, err


@pytest.mark.parametrize(
    ("name", "group"), [("SIGTERM", False), ("SIGTERM", True), ("SIGHUP", True), ("SIGXCPU", False)]
)
def test_at_a_signal_the_best_solution_so_far_is_printed_and_kept(
    start: Call, covering: Covering, file: Path, tmp_path: Path, name: str, group: bool
) -> None:
    kept = tmp_path / "best"
    process = start("solve", file, "--best", kept, start_new_session=True)
    before = after_a_solution(process)
    number = getattr(signal, name)
    os.killpg(process.pid, number) if group else process.send_signal(number)
    rest, err = the_rest(process)
    out = before + rest
    assert (process.returncode, err) == (10, "")
    assert lines(out, "s") == ["SATISFIABLE"]
    words = " ".join(lines(out, "v")).split()
    assert covering.value(words) == int(lines(out, "o")[-1])
    assert out.endswith(kept.read_text())


def solver_of(process: "subprocess.Popen[str]") -> int:
    """The process in which the search runs."""
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not path.exists():
        pytest.skip("the system does not tell the children of a process")
    for child in path.read_text().split():
        if b"satsweeper.processes.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
            return int(child)
    raise AssertionError("no child")


def test_a_solver_that_is_killed_leaves_the_best_solution_so_far(
    start: Call, covering: Covering, file: Path
) -> None:
    process = start("solve", file)
    before = after_a_solution(process)
    os.kill(solver_of(process), signal.SIGKILL)
    rest, err = the_rest(process)
    assert (process.returncode, err) == (10, "")
    assert "c not done: solver 'minisat22' ended unexpectedly (SIGKILL)\n" in rest
    words = " ".join(lines(rest, "v")).split()
    assert covering.value(words) == int(lines(before + rest, "o")[-1])


def test_what_was_found_before_a_power_cut_is_on_disk(
    start: Call, covering: Covering, file: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "best"
    process = start("solve", file, "--best", kept)
    before = after_a_solution(process)
    until = monotonic() + PATIENCE
    while not kept.exists() and monotonic() < until:
        pass
    process.kill()
    rest, _ = the_rest(process)
    text = kept.read_text()
    assert lines(text, "s") == ["SATISFIABLE"]
    found = {int(each) for each in lines(before + rest, "o")}
    assert covering.value(" ".join(lines(text, "v")).split()) in found


def test_when_the_reader_has_gone_the_search_ends(start: Call, file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "best"
    process = start("solve", file, "--strategy", "core-guided", "--best", kept)
    after_a_solution(process)
    solver = solver_of(process)
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert not Path(f"/proc/{solver}").exists()
    assert lines(kept.read_text(), "s") == ["SATISFIABLE"]


def test_where_hanging_up_is_ignored_it_stays_so(start: Call, file: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = start("solve", file)
    finally:
        signal.signal(signal.SIGHUP, before)
    after_a_solution(process)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    rest, err = the_rest(process)
    assert (process.returncode, err) == (10, "")
    assert "c not done: SIGTERM\n" in rest


def test_at_ctrl_c_the_best_solution_so_far_is_printed_too(
    start: Call, covering: Covering, file: Path
) -> None:
    process = start("solve", file)
    before = after_a_solution(process)
    process.send_signal(signal.SIGINT)
    rest, err = the_rest(process)
    assert (process.returncode, err) == (130, "interrupted\n")
    words = " ".join(lines(rest, "v")).split()
    assert covering.value(words) == int(lines(before + rest, "o")[-1])


def test_at_the_limit_the_best_solution_so_far_is_printed(covering: Covering, file: Path) -> None:
    ended = call("solve", file, "--timeout", 2)
    assert ended.err == ""
    words = " ".join(lines(ended.out, "v")).split()
    found = lines(ended.out, "o")
    # A machine that is busy enough reads and encodes longer than that.
    assert (ended.code, lines(ended.out, "s")) == (
        (10, ["SATISFIABLE"]) if found else (0, ["UNKNOWN"])
    )
    if found:
        assert covering.value(words) == int(found[-1])


def test_what_is_not_read_in_time_is_unknown(child: Call, tmp_path: Path) -> None:
    path = tmp_path / "long.opb"
    path.write_bytes(b"+1 x1 +1 x2 >= 1 ;\n" * 500_000)
    ended = child("solve", path, "--timeout", 0.01)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[-1] == "s UNKNOWN"
