import json
import os
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position, check, classify, explain
from scripts.fuzz_positions import main
from scripts.fuzzing.positions import SHAPES, Case
from scripts.fuzzing.run import Plan, Tally, examine, side_by_side


@pytest.fixture(autouse=True)
def _no_disk():
    with patch("os.fsync"):
        yield


def found(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == code
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_three_hundred_positions_of_all_kinds_are_answered_rightly(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = found(capsys, "--positions", "300", "--seed", "2027", "--share", "heavy=0")
    assert (answer["positions"], answer["failures"]) == (300, [])
    assert {f"shape {shape}" for shape in SHAPES} <= answer["kinds"].keys()
    status = {"status inconsistent", "total wrong", "flags wrong", "clues random", "clues mixed"}
    assert {*status, "cells 16"} <= answer["kinds"].keys()
    for name, runs in answer["checks"].items():
        assert runs > 10, name


@pytest.mark.slow
def test_ten_thousand_positions_are_answered_rightly() -> None:
    assert main(["--positions", "10000", "--seed", "1"]) == 0


def one_cell_more(position: Position, **options: Any) -> Any:
    """A cell that is unknown is called safe where a clue says 2."""
    answer = classify(position, **options)
    if 2 in position.cells and answer.unknown:
        bit = 1 << answer.geometry.index(answer.unknown[0])
        return replace(answer, safe_board=answer.safe_board | bit)
    return answer


def reducible(position: Position, **options: Any) -> Any:
    """A conflict with one clue that it does not need."""
    answer = classify(position, **options)
    if answer.conflict is None:
        return answer
    more = [cell for cell in position.clue_cells() if cell not in answer.conflict.clues]
    return replace(
        answer, conflict=replace(answer.conflict, clues=(*answer.conflict.clues, *more[:1]))
    )


def too_short(position: Position, cell: Any, **options: Any) -> Any:
    """A reason that leaves out a clue."""
    answer = explain(position, cell, **options)
    if answer.reason is None:
        return answer
    return replace(answer, reason=replace(answer.reason, clues=answer.reason.clues[1:]))


def any_board(folder: Any, **options: Any) -> Any:
    return check(folder, mines=options["mines"], flags=options["flags"], external=False)


def endless(position: Position, **options: Any) -> Any:
    for _ in count():
        pass


def broken(position: Position, **options: Any) -> Any:
    raise RuntimeError("no idea")


@pytest.mark.parametrize(
    ("name", "stand_in", "share", "said"),
    [
        ("classify", one_cell_more, "classify=1", "classify(position, flags='trust')"),
        ("classify", reducible, "classify=1", "which needs no clue ("),
        ("classify", broken, "named=1", "got RuntimeError: no idea"),
        ("explain", too_short, "explain=1", "which has a layout"),
        ("check", any_board, "certificate=1", "expected WrongCertificateError"),
    ],
)
def test_a_planted_mistake_is_reported_on_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    stand_in: Callable[..., Any],
    share: str,
    said: str,
) -> None:
    options = ["--positions", "300", "--share", f"all=0,{share}", "--failures", "2", "--seed", "5"]
    monkeypatch.setattr(f"scripts.fuzzing.checks.{name}", stand_in)
    assert main(options) == 1
    first, second, *summary = capsys.readouterr().out.splitlines()
    for line in (first, second):
        assert line.startswith("seed 5 position ")
        assert "; smallest: board " in line
    assert said in first
    assert "2 wrong" in summary[-1]


def test_a_position_without_an_answer_in_time_is_a_failure_and_the_next_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scripts.fuzzing.checks.classify", endless)
    options = ["--positions", "2", "--share", "all=0,classify=1", "--limit", "0.1"]
    answer = found(capsys, *options, code=1)
    assert answer["positions"] == len(answer["failures"]) == 2
    assert answer["failures"][0]["got"] == "nothing in 0.1 s"
    assert answer["failures"][0]["call"] == "classify(position, flags='trust')"


class EndsTheProcess:
    """Whoever unpickles it ends at once."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (7,)


def test_a_process_that_dies_is_a_failure_of_its_position() -> None:
    told: dict[int, Tally] = {}
    shares: dict[str, Any] = {"classify": EndsTheProcess()}
    plan = Plan(0, shares, 5.0)
    side_by_side(plan, range(4, 6), 10, told.__setitem__, 2)
    assert sorted(told) == [4, 5]
    assert [f.got for t in told.values() for f in t.failures] == [
        "the process ended: exit code 7"
    ] * 2


def test_positions_are_the_same_in_any_order_and_process(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["--positions", "8", "--start", "30", "--share", "heavy=0"]
    one, two = (found(capsys, *options, "--jobs", jobs) for jobs in "12")
    one.pop("cpu_seconds"), two.pop("cpu_seconds")
    assert one == two
    backwards = Tally()
    plan = Plan(0, {"classify": 1.0}, 5.0)
    for index in reversed(range(30, 38)):
        backwards.add(examine(plan, index))
    assert backwards.as_json()["kinds"] == one["kinds"]


def test_ctrl_c_gives_the_counts_so_far_and_where_to_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count()

    def interrupted(position: Position, **options: Any) -> Any:
        if next(calls) == 5:
            raise KeyboardInterrupt
        return classify(position, **options)

    monkeypatch.setattr("scripts.fuzzing.checks.classify", interrupted)
    assert main(["--start", "100", "--share", "all=0,classify=1"]) == 130
    shown = capsys.readouterr()
    assert shown.err == "interrupted; go on with --start 105\n"
    assert "5 positions, 5 checks, 0 wrong" in shown.out


CODES = {-1: "?", -2: "F"}


@pytest.fixture(scope="module")
def case_of(make_board):
    def make(board: Any) -> Case:
        rows = tuple("".join(CODES.get(int(x), str(int(x))) for x in row) for row in board.cells)
        return Case(rows, board.total, "trust")

    return make


@given(draws=st.data())
def test_what_is_true_is_what_trying_all_layouts_says(draws, small_boards, case_of) -> None:
    board = draws.draw(small_boards(most=8))
    truth = case_of(board).truth()
    layouts = list(board.layouts())
    assert truth.layouts.bit_count() == len(layouts)
    if layouts:
        assert truth.verdicts == board.verdicts()
        for cell, chance in truth.chances().items():
            assert chance * len(layouts) == sum(cell in mines for mines in layouts)
        assert truth.some_layout(draws.draw(st.floats(0, 1, exclude_max=True))) in layouts


@settings(max_examples=60)
@given(draws=st.data())
def test_a_conflict_is_wrong_unless_it_clashes_and_needs_all_its_parts(
    draws, small_boards, case_of
) -> None:
    board = draws.draw(small_boards(most=5))
    truth = case_of(board).truth()
    clues, flags = (
        draws.draw(st.lists(st.sampled_from(cells), unique=True)) if cells else []
        for cells in (board.clues(), board.at(-2))
    )
    total = board.total is not None and draws.draw(st.booleans())

    def clash(clues: list[Any], flags: list[Any], total: bool) -> bool:
        return next(board.layouts(clues, flags, total), None) is None

    right = (
        clash(clues, flags, total)
        and not any(clash([c for c in clues if c != each], flags, total) for each in clues)
        and not any(clash(clues, [f for f in flags if f != each], total) for each in flags)
        and not (total and clash(clues, flags, False))
    )
    assert (truth.wrong_conflict(clues, flags, total, truth.everything) is None) == right
