"""``--timeout``: kept on the clock whatever a command does, and nothing proved is lost."""

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from satsweeper.cli.main import COMMANDS
from satsweeper.solvers.table import SOLVERS
from tests.boards import rows_of
from tests.commands import EXAMPLES, call

SIZE, SIDE = 33, 600


class Took:
    """Seconds on the clock, and CPU seconds of the children that have ended, since it was made.

    Nobody uses more CPU time than passes on the clock, and other work takes none of it away: who
    keeps within a limit of the one is within the other on any machine.
    """

    def __init__(self) -> None:
        self.began = time.monotonic(), self.cpu()

    @staticmethod
    def cpu() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def check(self, seconds: float) -> None:
        """Assert that ``seconds`` have passed, and less than 4 s of CPU time beyond them."""
        assert time.monotonic() - self.began[0] >= seconds
        assert self.cpu() - self.began[1] < seconds + 4.0


@pytest.fixture(scope="session")
def joined(tmp_path_factory, mutilated):
    """The path of a lattice with a corner to the right of it that no clue of it can see.

    Each 1 of the corner has one mine in its two covered cells, and the 2 touches all five: the
    fifth is safe.
    """

    def write(points):
        board = mutilated(points)
        path = tmp_path_factory.mktemp("boards") / f"joined_{points}.txt"
        corner = ["?10", "?21"] + ["???"] * (len(board) - 2)
        lines = [left + "??" + right + "\n" for left, right in zip(board, corner, strict=True)]
        path.write_text("".join(lines))
        return path

    return write


def test_the_lattice_of_these_tests_is_the_published_one(mutilated, data):
    published = (data / "positions" / "mutilated_8.txt").read_text().splitlines()
    assert mutilated(8) == [line for line in published if not line.startswith(";")]
    assert {len(mutilated(16)), *map(len, mutilated(16))} == {SIZE}


@pytest.mark.parametrize(
    ("solver", "seconds"),
    [*(("minisat22", 1), ("lingeling", 1)),
     *(pytest.param(solver, 2, marks=pytest.mark.slow) for solver in SOLVERS)],
)  # fmt: skip
def test_the_limit_is_kept_on_a_board_that_is_never_decided(child, hard, solver, seconds):
    took = Took()
    words = ("--json", "--timeout", seconds, "--solver", solver)
    ended = child("classify", "--engine", "sat", *words, hard)
    took.check(seconds)
    assert (ended.code, ended.err) == (124, "")
    # The two points next to each missing corner have one way less, but none is forced.
    expected = {
        "schema": "satsweeper/classify/1", "status": "undecided", "solver": solver, "mines": None,
        "counts": {"safe": 0, "mine": 0, "unknown": 2 * 16 * 15 - 4},
    }  # fmt: skip
    assert ended.json | expected == ended.json
    assert [len(row) for row in ended.json["grid"]] == [SIZE] * SIZE


def test_the_limit_is_kept_without_reductions(child, hard):
    took = Took()
    ended = child("classify", "--engine", "sat", "--json", "--plain", "--timeout", 1, hard)
    took.check(1)
    assert (ended.code, ended.err, ended.json["status"]) == (124, "", "undecided")


def answered(child, known: Callable[[Any], bool], *arguments: object) -> Any:
    """The answer at a limit, a longer one until it is known: a busy machine takes long to begin."""
    for seconds in (1, 4, 16, 32):
        command = ("classify", "--engine", "sat", "--json", "--timeout", seconds)
        ended = child(*command, *arguments)
        assert (ended.code, ended.err) == (124, "")
        if known(ended.json):
            break
    assert ended.json["status"] == "undecided"
    return ended.json


# A lattice of 14 points has fewer cells than share one solver, one of 16 points has more.
# A lattice of 14 points has fewer cells than share one solver, one of 16 points has more.
@pytest.mark.parametrize(
    ("solver", "points"),
    [("auto", 14), ("auto", 16), ("lingeling", 14),
     pytest.param("minisat22", 16, marks=pytest.mark.slow)],
)  # fmt: skip
def test_an_easy_region_has_its_verdicts_although_a_far_one_is_never_decided(
    child, joined, solver, points
):
    board = joined(points)
    answer = answered(child, lambda found: found["counts"]["safe"], "--solver", solver, board)
    expected = board.read_text().replace("#", "?").replace("*", "F").splitlines()
    assert expected[2].endswith("???")
    expected[2] = expected[2][:-3] + "S??"
    assert answer["grid"] == expected
    assert answer["counts"]["safe"] == 1


def test_a_verdict_of_the_rules_is_printed_when_no_time_is_left_for_a_search(child, hard, tmp_path):
    # A 3 in the corner with three covered neighbours; the lattice ends two columns before.
    rows = hard.read_text().splitlines()
    lines = [rows[0] + "??3", *(row + "???" for row in rows[1:])]
    path = tmp_path / "board.txt"
    path.write_text("\n".join(lines) + "\n")
    answer = answered(child, lambda found: found["counts"]["mine"], "--solver", "lingeling", path)
    assert [row[SIZE:] for row in answer["grid"][:2]] == ["?M3", "?MM"]
    assert answer["counts"]["mine"] == 3


def test_text_says_that_a_limit_was_reached_and_no_time_at_all_gives_an_answer_too(child, hard):
    ended = child("classify", "--engine", "sat", "--timeout", 0.5, hard)
    assert (ended.code, ended.err) == (124, "")
    assert "A limit was reached before every cell was settled." in ended.out
    # In this process, which has imported what the command needs: to start takes a busy machine
    # longer than the 0.3 s that a limit may come late.
    expert = EXAMPLES / "expert.txt"
    assert call("classify", expert).code == 0
    ended = call("classify", "--json", "--timeout", 0.001, expert)
    assert ended.err == ""
    assert (ended.code, ended.json["status"]) in [(124, "undecided"), (0, "consistent")]
    assert len(ended.json["grid"]) == 16


@pytest.mark.parametrize("solver", ["minisat22", "lingeling"])
@pytest.mark.parametrize("name", ["expert", "contradiction"])
def test_the_answer_within_the_limit_is_that_without_one(name, solver):
    arguments = ["classify", "--json", "--solver", solver, EXAMPLES / f"{name}.txt"]
    free, limited = call(*arguments), call(*arguments, "--timeout", 50)
    assert (limited.code, limited.err) == (free.code, free.err)
    ours, theirs = free.json, limited.json
    for answer in (ours, theirs):
        del answer["stats"]["seconds"]
    assert ours == theirs


# Limits of every command on a board of 360,000 cells: kept, and nothing is left behind


def mines_of_large() -> Any:
    draw = np.random.default_rng(1)
    return draw, draw.random((SIDE, SIDE)) < 0.2


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A board with 20 % mines and half of the other cells opened at random."""
    draw, mines = mines_of_large()
    rows = rows_of(mines, ~mines & (draw.random((SIDE, SIDE)) < 0.5))
    path = tmp_path_factory.mktemp("large") / "board.txt"
    path.write_text(f"{SIDE} {SIDE} {mines.sum()}\n{rows}")
    return path


# Completion prints a text that is there already.
@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"completion", "play"}))
def test_every_command_has_a_limit(command):
    assert "--timeout TIME" in call(command, "--help").out


@pytest.mark.parametrize(
    ("command", "options"),
    [("odds", []), ("odds", ["--certify", "certified"]), ("explain", ["0,0"]),
     ("export", ["-o", "out.cnf"]), ("export", ["-o", "out.opb.gz"]),
     ("export", ["-o", "entries", "--competition"]), ("certify", ["-o", "certificate"]),
     ("game", ["new", "game.txt", "--size", "1500x1500/500000"]),
     ("render", ["--play", "200x100/4000", "--go-on", "-o", "a.gif"])],
)  # fmt: skip
def test_what_is_not_done_in_time_ends_and_leaves_nothing(child, large, tmp_path, command, options):
    board = [] if command in ("game", "render") else [large]
    ended = child(command, *board, *options, "--timeout", 0.2, cwd=tmp_path)
    said = ended.out + ended.err
    assert (ended.code, said.count("\n")) == (124, 1)
    assert "within 0.2 s" in said
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("command", "name", "data"),
    [("sat", "long.cnf", b"p cnf 9 2000000\n" + b"1 2 3 0\n" * 2_000_000),
     ("solve", "long.opb", b"+1 x1 +1 x2 >= 1 ;\n" * 500_000)],
    ids=["sat", "solve"],
)  # fmt: skip
def test_what_is_not_read_in_time_is_unknown(child, tmp_path, command, name, data):
    (tmp_path / name).write_bytes(data)
    ended = child(command, tmp_path / name, "--timeout", 0.01)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[-1] == "s UNKNOWN"


def test_a_large_board_is_decided_with_its_total_and_agrees_with_how_it_was_made(child, large):
    answer = child("classify", "--json", large).json
    _, mines = mines_of_large()
    grid = np.array([list(row) for row in answer["grid"]])
    assert answer["status"] == "consistent"
    assert not mines[grid == "S"].any()
    assert mines[grid == "M"].all()
    assert answer["counts"]["safe"] == (grid == "S").sum() > 50_000
    assert answer["stats"]["total_asked"]
