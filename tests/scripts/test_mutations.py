"""Random positions are answered as by brute force; no random mutation is accepted that lies."""

import json
import os
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position, check, classify, explain
from satsweeper.certificate.certify import certify
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.game.steps import CheckedGame
from satsweeper.checker.odds import check as odds_check
from satsweeper.checker.odds import circuit
from scripts import fuzz_positions, mutate
from scripts.forgeries import encodings, games, odds, statements
from scripts.forgeries.forgery import false_claim, false_odds
from scripts.forgeries.verdicts import judge
from scripts.fuzzing.positions import SHAPES, Case
from scripts.fuzzing.run import Plan, Tally, examine, side_by_side

PROOF = {"cell": [0, 1], "verdict": "mine", "clues": [[0, 0]], "total": False}
SLOW = (pytest.mark.slow, pytest.mark.timeout(1800))


@pytest.fixture(autouse=True)
def _no_disk():
    with patch("os.fsync"):
        yield


@pytest.mark.parametrize(("count", "originals"), [(150, 15), pytest.param(5000, 150, marks=SLOW)])
@pytest.mark.parametrize("kind", mutate.KINDS)
def test_mutations_are_rejected_or_harmless_and_what_is_written_is_accepted(
    kind, count, originals, capsys
):
    options = ["--count", f"{count}", "--originals", f"{originals}", "--seed", "7"]
    assert mutate.main(["--kind", kind, *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    cells = {row[1].strip(): row[2:7] for row in (line.split("│") for line in lines) if row[2:]}
    rejected, harmless, differ, false, failed = map(int, cells["all"])
    right = int(cells["as written"][1])
    assert right >= originals
    assert (rejected + harmless + differ - right, false, failed) == (count, 0, 0)
    assert rejected > 0.5 * count
    # Where readers differ: forms that nobody writes, such as blanks, and rules that one knows.
    assert differ < 0.05 * count


def test_a_checker_that_believes_too_much_is_found_out(capsys, monkeypatch):
    options = ["--kind", "verdicts", "--count", "60", "--boards", "8", "--seed", "3"]
    monkeypatch.setattr("satsweeper.checker.claims.check_refutation", lambda *_: 0)
    monkeypatch.setattr("satsweeper.checker.check.check_one_proof", lambda *_: None)
    monkeypatch.setattr("satsweeper.checker.check.check_layouts", lambda *_: 0)
    assert mutate.main(options) == 1
    assert ": FALSE: check: grid [" in capsys.readouterr().out


def test_it_takes_two_bugs_of_the_checker_to_accept_a_circuit_that_lacks_layouts(
    capsys, monkeypatch
):
    options = ["--kind", "odds", "--count", "500", "--boards", "20", "--seed", "3"]
    with monkeypatch.context() as patched:
        patched.setattr(circuit, "_require_all", lambda *_: 0)
        assert mutate.main(options) == 0
    monkeypatch.setattr(odds_check, "recount", lambda *_: None)
    assert mutate.main(options) == 0
    monkeypatch.setattr(circuit, "_require_all", lambda *_: 0)
    assert mutate.main(options) == 1
    assert ": FALSE: " in capsys.readouterr().out


def test_a_checker_that_breaks_is_found_out(tmp_path, monkeypatch):
    certify(Position.parse("1?\n")).write(tmp_path / "one")
    certify_odds(Position.parse("1??\n")).write(tmp_path / "c")
    assert odds.judge(tmp_path / "c") == ("harmless", "")
    monkeypatch.setattr("satsweeper.checker.check.check_layouts", lambda *_: 1 // 0)
    outcome, why = judge(tmp_path / "one")
    assert outcome == "FAILED"
    assert why.startswith("check: ZeroDivisionError: ")
    monkeypatch.setattr(odds_check, "chances_of", lambda *_: 1 // 0)
    assert odds.judge(tmp_path / "c")[0] == "FAILED"


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        ({"grid": ["1MS??", "12?2S", "01?1M"]}, "grid"),
        ({"status": "inconsistent", "grid": None}, "status"),
        ({"mines": 3}, "the size"),
        ({"cells": [{**PROOF, "verdict": "safe"}]}, "the proof of [0, 1]"),
        ({"cells": [{**PROOF, "clues": [[1, 3]]}]}, "the proof of [0, 1]"),
    ],
)
def test_a_false_claim_of_a_certificate_is_seen(tmp_path, change, claim):
    certify(Position.parse("3 5 ?\n1????\n12?2?\n01?1?\n"), cells=[(0, 1)]).write(tmp_path / "c")
    assert false_claim(tmp_path / "c") is None
    manifest = json.loads((tmp_path / "c" / "manifest.json").read_bytes())
    (tmp_path / "c" / "manifest.json").write_text(json.dumps(manifest | change))
    assert str(false_claim(tmp_path / "c")).startswith(claim)


@pytest.mark.parametrize(
    ("old", "new", "claim"),
    [
        ('"2"', '"3"', "3 layouts, which are 2"),
        ('"0"', '"1"', "chances"),
        ("1/2", "1/3", "chances"),
    ],
)
def test_a_false_claim_of_odds_is_seen(tmp_path, old, new, claim):
    certify_odds(Position.parse("1??\n12?\n01?")).write(tmp_path / "c")
    assert false_odds(tmp_path / "c") is None
    file = tmp_path / "c" / "odds.json"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))
    assert str(false_odds(tmp_path / "c")).startswith(claim)


def test_the_judge_of_encodings_sees_a_solution_that_is_lost():
    problem = "* c\nmin: +1 x1 ;\n+1 x1 +1 ~x2 >= 1 ;\n"
    assert encodings.lost_solution(problem, "p cnf 2 1\n1 -2 0\n") is None
    assert encodings.lost_solution(problem, "p cnf 3 2\n1 3 0\n-3 -2 0\n") is None
    lost = encodings.lost_solution(problem, "p cnf 3 2\n1 3 0\n-3 -1 0\n-3 2 0\n")
    assert lost == "the solution [-1, -2] is lost"


def test_the_judge_of_games_sees_a_verdict_that_is_false():
    def fault(grid, status="consistent"):
        game = CheckedGame(("?1?",), (grid,), 1, status, 1, 0, 1, True, 0, 0, 0)
        return games.false_verdict(game)

    assert fault("?1?") is None
    assert fault("S1M") == "cell 0,0 is said to be S, and is unknown"
    assert fault("?1?", "inconsistent") == "there are 2 layouts"


def test_the_judge_of_statements_sees_solutions_that_are_lost_and_models_that_say_none():
    file = {
        "booleans": 1, "integers": [{"name": "n", "domain": [[2, 2], [5, 5]]}],
        "nodes": [{"integer": 0}, {"compare": [[1, 0]], "lower": 5, "upper": None}, {"literal": 1},
                  {"or": [1, 2]}],
        "statements": [3],
    }  # fmt: skip

    def fault(formula, equivalent=True, constant=2):
        found = statements.Shown(equivalent, [("n", constant, [(3, 2)])])
        return statements.false_claim(found, file, formula)

    assert fault("p cnf 2 1\n1 2 0\n") is None
    assert fault("p cnf 2 1\n1 0\n") == "the solution ((0,), (5,)) is lost"
    assert fault("p cnf 2 0\n") == "a model says ((0,), (2,)), which is no solution"
    assert fault("p cnf 2 0\n", equivalent=False) is None
    assert "is lost" in str(fault("p cnf 2 1\n1 2 0\n", constant=1))


Shown = pytest.CaptureFixture[str]


def found(capsys: Shown, *arguments: str, code: int = 0) -> dict[str, Any]:
    assert fuzz_positions.main([*arguments, "--json"]) == code
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_three_hundred_positions_of_all_kinds_are_answered_rightly(capsys: Shown) -> None:
    answer = found(capsys, "--positions", "300", "--seed", "2027", "--share", "heavy=0")
    assert (answer["positions"], answer["failures"]) == (300, [])
    assert {f"shape {shape}" for shape in SHAPES} <= answer["kinds"].keys()
    status = {"status inconsistent", "total wrong", "flags wrong", "clues random", "clues mixed"}
    assert {*status, "cells 16"} <= answer["kinds"].keys()
    for name, runs in answer["checks"].items():
        assert runs > 10, name


@pytest.mark.slow
def test_ten_thousand_positions_are_answered_rightly() -> None:
    assert fuzz_positions.main(["--positions", "10000", "--seed", "1"]) == 0


def one_cell_more(position: Position, **options: Any) -> Any:
    """A cell that is unknown is called safe where a clue says 2."""
    answer = classify(position, **options)
    if 2 in position.cells and answer.unknown:
        bit = 1 << answer.geometry.index(answer.unknown[0])
        return answer.replaced(safe_board=answer.safe_board | bit)
    return answer


def reducible(position: Position, **options: Any) -> Any:
    """A conflict with one clue that it does not need."""
    answer = classify(position, **options)
    if answer.conflict is None:
        return answer
    more = [cell for cell in position.clue_cells() if cell not in answer.conflict.clues]
    clues = (*answer.conflict.clues, *more[:1])
    return answer.replaced(conflict=answer.conflict.replaced(clues=clues))


def too_short(position: Position, cell: Any, **options: Any) -> Any:
    """A reason that leaves out a clue."""
    answer = explain(position, cell, **options)
    if answer.reason is None:
        return answer
    return answer.replaced(reason=answer.reason.replaced(clues=answer.reason.clues[1:]))


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
    capsys, monkeypatch, name, stand_in, share, said
):
    options = ["--positions", "300", "--share", f"all=0,{share}", "--failures", "2", "--seed", "5"]
    monkeypatch.setattr(f"scripts.fuzzing.checks.{name}", stand_in)
    assert fuzz_positions.main(options) == 1
    first, second, *summary = capsys.readouterr().out.splitlines()
    for line in (first, second):
        assert line.startswith("seed 5 position ")
        assert "; smallest: board " in line
    assert said in first
    assert "2 wrong" in summary[-1]


def test_a_position_without_an_answer_in_time_is_a_failure_and_the_next_goes_on(
    capsys, monkeypatch
):
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
    shares: dict[str, Any] = {"classify": EndsTheProcess()}
    told = dict(side_by_side(Plan(0, shares, 5.0), range(4, 6), 2))
    assert sorted(told) == [4, 5]
    got = [failure.got for tally in told.values() for failure in tally.failures]
    assert got == ["the process ended: exit code 7"] * 2


def test_positions_are_the_same_in_any_order_and_process(capsys: Shown) -> None:
    options = ["--positions", "8", "--start", "30", "--share", "heavy=0"]
    one, two = (found(capsys, *options, "--jobs", jobs) for jobs in "12")
    one.pop("cpu_seconds"), two.pop("cpu_seconds")
    assert one == two
    backwards = Tally()
    plan = Plan(0, {"classify": 1.0}, 5.0)
    for index in reversed(range(30, 38)):
        backwards.add(examine(plan, index))
    assert backwards.as_json()["kinds"] == one["kinds"]


def test_ctrl_c_gives_the_counts_so_far_and_where_to_go_on(capsys, monkeypatch):
    calls = count()

    def interrupted(position: Position, **options: Any) -> Any:
        if next(calls) == 5:
            raise KeyboardInterrupt
        return classify(position, **options)

    monkeypatch.setattr("scripts.fuzzing.checks.classify", interrupted)
    assert fuzz_positions.main(["--start", "100", "--share", "all=0,classify=1"]) == 130
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
