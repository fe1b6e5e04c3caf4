"""In every kind of certificate, "consistent" is said only of a board whose layout is shown."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from pbcnf.proof import ProofFormatError
from satsweeper import Position, Session
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.game.steps import CheckedGame, GameChecker
from satsweeper.checker.odds.check import check_odds
from scripts import mutate_certificates, mutate_encodings, mutate_games, mutate_odds
from tests.oracles import layouts

REFUTED = ["q 0", "s UNSATISFIABLE", "u 0 1 0"]
EIGHT = ["c satsweeper game 1 1 2 ?", "c open 0 0 8", "c by 0 0", "i 1 0"]
"""A clue that its only neighbour cannot satisfy: the empty clause follows."""
MINE_OPENED = [
    "c satsweeper game 1 1 2 ?", "c open 0 0 1", "c by 0 0", "i 1 2 0", "q -2 0",
    "s UNSATISFIABLE", "u -2 0 1 0", "c proved 0 1 mine", "q 0", "s SATISFIABLE", "m 2 0",
    "c classified 0 1 0",
]  # fmt: skip
WRONG_TOTAL = [
    "c satsweeper game 1 1 3 3", "c open 0 1 1", "c by open", "i 1 -2 0", "c by 0 1",
    "i 2 -1 -3 0", "c count 4 2 1 3", "c by total 4", "i 3 5 0", "c by count 4", "i 4 -5 1 0",
    "i 5 -5 3 0",
]  # fmt: skip
WRONG_FLAG = [
    "c satsweeper game 1 1 3 ?", "c mine 0 0", "c by open", "i 1 1 0", "c open 0 1 0", "c by 0 1",
    "i 2 -1 0",
]  # fmt: skip


def read(lines: list[str]) -> CheckedGame:
    checker = GameChecker()
    checker.read(line.encode() for line in ["p lidrup", *lines])
    return checker.checked()


def refused(lines: list[str]) -> str:
    with pytest.raises(ProofFormatError) as caught:
        read(lines)
    return str(caught.value)


@pytest.mark.parametrize("verdict", ["safe", "mine"])
@pytest.mark.parametrize(
    ("board", "core", "cells"),
    [
        (EIGHT, REFUTED, ["0 1"]),
        (WRONG_TOTAL, ["q 0", "s UNSATISFIABLE", "u 0 3 4 5 2 0"], ["0 0", "0 2"]),
        (WRONG_FLAG, ["q 0", "s UNSATISFIABLE", "u 0 1 2 0"], ["0 2"]),
    ],
    ids=["a clue without its mines", "a wrong total", "a wrong flag"],
)
def test_the_verdicts_of_a_board_without_a_layout_are_not_classified(board, core, cells, verdict):
    proved = [*board, *core, *(f"c proved {cell} {verdict}" for cell in cells)]
    found = read(proved)
    assert (found.status, found.complete) == ("not shown", False)
    counts = (len(cells), 0) if verdict == "safe" else (0, len(cells))
    fault = refused([*proved, f"c classified {counts[0]} {counts[1]} 0"])
    assert fault.endswith("no layout of this position is shown, so that it may have none")
    assert read([*proved, "c inconsistent"]).status == "inconsistent"


def test_opening_a_cell_that_was_proved_to_be_a_mine_leaves_no_layout():
    assert read(MINE_OPENED).status == "consistent"
    opened = [*MINE_OPENED, "c open 0 1 0"]
    assert (read(opened).status, read(opened).complete) == ("not shown", False)
    assert "no layout of this position" in refused([*opened, "c classified 0 0 0"])


def test_a_layout_is_held_to_the_clues_the_flags_and_the_total():
    start = ["c satsweeper game 1 2 3 2", "c mine 0 0", "c open 0 1 2"]
    layouts = {"-2 3 -4 -5 -6", "-2 -3 4 -5 -6", "-2 -3 -4 5 -6", "-2 -3 -4 -5 6"}
    for signs in product((1, -1), repeat=4):
        model = " ".join(str(v * sign) for v, sign in zip((3, 4, 5, 6), signs, strict=True))
        found = read([*start, "q 0", "s SATISFIABLE", f"m -2 {model} 0"])
        assert (found.status == "consistent") == (f"-2 {model}" in layouts)
    # The flag as no mine, the open cell as one, a cell without a word.
    for model in ("-1 -2 3 -4 -5 -6", "2 3 -4 -5 -6", "-2 3 -4 -5"):
        assert read([*start, "q 0", "s SATISFIABLE", f"m {model} 0"]).status == "not shown"


def test_a_layout_that_was_shown_counts_as_long_as_it_fits():
    start = ["c satsweeper game 1 1 4 ?", "c open 0 1 1", "q 0", "s SATISFIABLE", "m 1 -3 0"]
    assert read(start).status == "consistent"
    assert read([*start, "c mine 0 0"]).status == "consistent"
    assert read([*start, "c mine 0 2"]).status == "not shown"
    assert read([*start, "c mine 0 3"]).status == "consistent"
    # Of (0, 3) no layout of before says anything.
    assert read([*start, "c open 0 2 1"]).status == "not shown"
    assert read([*start, "c open 0 3 0"]).status == "consistent"
    assert read([*start, "c open 0 3 1"]).status == "not shown"


@pytest.mark.parametrize("clue", range(6))
def test_what_the_session_writes_is_consistent_exactly_if_there_is_a_layout(clue, tmp_path):
    for total in (None, 0, 1, 4, 5):
        path = tmp_path / f"{total}.lidrup"
        with Session(Position([[-1] * 3] * 2, total), proof=path) as session:
            session.classify()
            session.reveal((0, 1), clue)
            session.classify()
        opened = SimpleNamespace(cells=[[-1, clue, -1], [-1] * 3], mines=None)
        sizes = {len(mines) for mines in layouts(opened)}
        possible = bool(sizes) if total is None else total in sizes
        found = read(path.read_text().splitlines()[1:])
        assert found.status == ("consistent" if possible else "inconsistent")
        assert found.complete is possible


def test_a_position_of_which_all_is_known_before_a_cell_is_open_has_its_layout(tmp_path):
    for total in (0, 4):
        with Session(Position([[-1] * 2] * 2, total), proof=tmp_path / "g") as session:
            session.classify()
        found = read((tmp_path / "g").read_text().splitlines()[1:])
        assert (found.status, found.complete) == ("consistent", True)
        assert found.grid == (("SS", "SS") if total == 0 else ("MM", "MM"))


def test_odds_are_of_a_board_that_has_a_layout(tmp_path):
    certify_odds(Position.parse("1 2 0\n00\n")).write(tmp_path / "c")
    assert check_odds(tmp_path / "c").solutions == "1"
    forged = certify_odds(Position.parse("1 2 0\n00\n"))
    for board, solutions in (("1 2 0\n01\n", "0"), ("1 2 0\n01\n", "1"), ("1 2 1\n00\n", "0")):
        files = {
            **forged.files,
            "board.txt": board.encode(),
            "odds.json": b'{"solutions": "%s", "chances": [], "cells": []}' % solutions.encode(),
        }
        about = {**forged.about, "mines": int(board[4])}
        replace(forged, files=files, about=about).write(tmp_path / "f")
        with pytest.raises(WrongCertificateError):
            check_odds(tmp_path / "f")


PLANTED: dict[str, tuple[Any, str, Any, str]] = {
    "verdicts": (
        mutate_certificates, "satsweeper.checker.check.check_layouts", lambda *_: 1,
        "FALSE: status consistent",
    ),
    "odds": (
        mutate_odds, "scripts.mutate_odds.check_odds", lambda *_: None,
        "of no layout: FALSE: odds of a board that has no layout",
    ),
    "encodings": (
        mutate_encodings, "satsweeper.checker.encoding.CheckedFiles.as_json",
        lambda _: {"status": "consistent"}, "is consistent, and the problem has no solution",
    ),
    "games": (
        mutate_games, "satsweeper.checker.game.steps.GameChecker._status", lambda _: "consistent",
        "FALSE: the status is consistent, and there is no layout",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", PLANTED)
def test_a_checker_that_says_consistent_without_a_layout_is_found_out(kind, monkeypatch, capsys):
    script, where, believes, complaint = PLANTED[kind]
    monkeypatch.setattr("os.fsync", lambda _: None)
    monkeypatch.setattr(where, believes)
    of = {"games": "--games", "encodings": "--problems"}.get(kind, "--boards")
    assert script.main(["--count", "150", of, "20", "--seed", "3"]) == 1
    assert complaint in capsys.readouterr().out
