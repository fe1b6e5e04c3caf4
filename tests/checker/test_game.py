"""Proofs of games, changed by hand and by chance, and layouts behind what is called consistent."""

import io
import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import pytest

from pbcnf.proof import ProofFormatError
from satsweeper import Position, Session
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.game.check import check_game
from satsweeper.checker.game.steps import CheckedGame, GameChecker
from satsweeper.checker.odds.check import check_odds
from scripts import mutate
from tests.boards import Cell, neighbours
from tests.checker.mutated import mutated
from tests.oracles import layouts

START = ["c satsweeper game 1 1 3 1", "c open 0 1 1", "c by open", "i 1 -2 0"]
CLUE = ["c by 0 1", "i 2 1 3 0", "i 3 -1 -3 0"]
ONE_SHOWN = ["q 1 0", "s SATISFIABLE", "m 1 -2 -3 0"]


def followed(lines: Iterable[str]) -> CheckedGame:
    checker = GameChecker()
    checker.read(line.encode() for line in lines)
    return checker.checked()


def check(*lines: str) -> CheckedGame:
    return followed(["p lidrup", *lines])


def refusal(*lines: str) -> str:
    with pytest.raises(ProofFormatError) as caught:
        check(*lines)
    return str(caught.value)


def test_a_proof_written_by_hand_is_accepted():
    other = ["q 3 0", "s SATISFIABLE", "m -1 -2 3 0"]
    found = check(*START, *CLUE, *ONE_SHOWN, *other, "c classified 0 0 2")
    assert (found.rows, found.grid, found.complete) == (("?1?",), ("?1?",), True)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [(["c count 9 1 1 3", "c count 10 1 9", "c count 11 1 9"], "game:11: count 9 is a part of"),
     (["c classified 1 1 0"], "game:9: [1, 1, 0] safe, mines and unknown, but what is proved"),
     (["c count 9 1 1 3", "c count 10 1 9", "c by total 9"], "game:11: count 9 is a part of"),
     (["q 1 0", "s UNSATISFIABLE", "u 3 0 1 0"], "game:11: the core has what the query does"),
     ([*ONE_SHOWN, "c classified 0 0 2"], "game:12: no two layouts show cell 0,0 both ways"),
     (["q 1 0", "s UNSATISFIABLE", "u 1 0 2 0"], "game:11: the core: the hints end without"),
     (["q 1 0", "s SATISFIABLE", "m 1 -2 3 0"], "game:11: the model violates input clause"),
     (["q 1 0", "s SATISFIABLE", "m -1 -2 3 0"], "game:11: the model lacks what the query"),
     (["i 4 1 0"], "game:9: input clause '1' does not follow from what is said of it"),
     (["c open 0 0 9"], "game:9: only a covered cell can be opened, and shows 0 to 8"),
     (["c count 9 1 1 3", "c count 9 1 2"], "game:10: variable 9 and those after it"),
     (["c count 9 3 1 3"], "game:9: a count goes from 1 to the number of its cells"),
     (["c count 3 1 1 2"], "game:9: variable 3 and those after it are not all new"),
     (["c inconsistent"], "game:9: no core proves that the board is inconsistent"),
     (["l 4 1 0 7 0"], "game:9: the lemma: hint 7 names no clause that is there"),
     (["c by total 1", "i 4 1 0"], "game:10: input clause '1' does not follow"),
     (["c  open 0 0 1"], "game:9: a statement is 'c', a blank, and its words"),
     (["c open 0 0 1 "], "game:9: a statement is 'c', a blank, and its words"),
     (["c proved 0 0 safe"], "game:9: no core proves that cell 0,0 is safe"),
     (["c classified 0 0 2"], "game:9: no layout of this position is shown"),
     (["copen 0 0 1"], "game:9: a statement is 'c', a blank, and its words"),
     (["c mine 0 1"], "game:9: only a covered cell can be taken for a mine"),
     (["c open  0 0 1"], "game:9: a statement with the wrong numbers"),
     (["c open 0 0 01"], "game:9: a statement with the wrong numbers"),
     (["c open 0 1 1"], "game:9: only a covered cell can be opened"),
     (["c by 0 0"], "game:9: a clause by a clue that is not open"),
     (["c by count 9"], "game:9: 9 is neither a cell nor a count"),
     (["c"], "game:9: a statement is 'c', a blank, and its words"),
     (["c count 9 1"], "game:9: expected 'c count V K A' or"),
     (["c hello"], "game:9: no statement about a game: 'hello'"),
     (["l 4 0 2 0"], "game:9: the lemma: hint 2 is not unit"),
     (["c by 0 3"], "game:9: cell 0,3 is not on the board"),
     (["c by 1 0"], "game:9: cell 1,0 is not on the board"),
     (["c count 9 2 1 1"], "game:9: a cell counts once"),
     (["u 1 0 1 0"], "game:9: 'u' answers no query")],
)  # fmt: skip
def test_what_does_not_follow_is_refused_with_its_line(lines, fault):
    assert refusal(*START, *CLUE, *lines).startswith(fault)


def test_alike_are_only_cells_that_no_clue_counts():
    start = ["c satsweeper game 1 1 4 0", "c open 0 0 0", "c by open", "i 1 -1 0", "c by total 4"]
    core = ["i 2 -4 0", "q 4 0", "s UNSATISFIABLE", "u 4 0 2 0", "c proved 0 3 safe"]
    assert check(*start, *core, "c proved 0 2 safe 0 3").grid == ("0?SS",)
    assert "are alike" in refusal(*start, *core, "c proved 0 1 safe 0 3")
    assert "the total is unknown" in refusal("c satsweeper game 1 1 2 ?", "c by total 1")


def opened_by(clicks: Iterable[Cell], clues: dict[Cell, int]) -> set[Cell]:
    """The cells that clicks open: a 0 opens the cells around it."""
    found: set[Cell] = set()
    waiting = [*clicks]
    while waiting:
        if (cell := waiting.pop()) not in found and clues[cell] == 0:
            waiting += neighbours(cell, (3, 4))
        found.add(cell)
    return found


@pytest.mark.parametrize("seed", range(30))
def test_guesses_are_the_fewest_clicks_that_open_what_is_open(seed):
    rnd = random.Random(seed)
    cells = [*product(range(3), range(4))]
    mines = {*rnd.sample(cells, rnd.randint(0, 4))}
    safe = [cell for cell in cells if cell not in mines]
    clues = {cell: len(mines.intersection(neighbours(cell, (3, 4)))) for cell in safe}
    opened = opened_by(rnd.sample([*clues], min(4, len(clues))), clues)
    shuffled = rnd.sample(sorted(opened), len(opened))
    lines = [f"c open {r} {c} {clues[r, c]}" for r, c in shuffled]
    fewest = next(
        count
        for count in range(len(opened) + 1)
        if any(opened_by(some, clues) == opened for some in combinations(opened, count))
    )
    assert check("c satsweeper game 1 3 4 ?", *lines).guesses == fewest


def proof(rows: int, columns: int, mines: set[Cell], order: list[Cell]) -> bytes:
    out = io.BytesIO()
    with Session(Position([[-1] * columns] * rows, len(mines)), proof=out) as session:
        session.classify()
        for cell in order:
            clue = len(mines.intersection(neighbours(cell, (rows, columns))))
            session.reveal(cell, clue)
            session.classify()
    return out.getvalue()


def holds(found: CheckedGame) -> bool:
    """Whether what was accepted is so, by all layouts of the board that was accepted."""
    codes = {"?": -1, "F": -2}
    rows = [[codes.get(mark) or int(mark) for mark in row] for row in found.rows]
    every = layouts(SimpleNamespace(cells=rows, mines=found.mines))
    seen = {
        (r, c): {(r, c) in mines for mines in every}
        for r, row in enumerate(rows)
        for c, code in enumerate(row)
        if code == -1
    }
    # A game has covered cells as long as it has a mine, and all of these have one.
    possible = any(seen.values())
    if found.status == "inconsistent":
        return not possible
    if found.status == "consistent" and not possible:
        return False
    said = {"S": {False}, "M": {True}}
    return all(
        ways <= said[found.grid[r][c]]
        if found.grid[r][c] in said
        else not found.complete or len(ways) == 2
        for (r, c), ways in seen.items()
    )


@pytest.mark.parametrize("seed", range(6))
def test_no_changed_proof_that_is_accepted_says_what_is_false(seed):
    rnd = random.Random(seed)
    rows, columns = rnd.choice([(2, 3), (3, 3), (2, 4)])
    cells = [*product(range(rows), range(columns))]
    mines = {*rnd.sample(cells, rnd.randint(1, 3))}
    order = [cell for cell in cells if cell not in mines]
    rnd.shuffle(order)
    data = proof(rows, columns, mines, order[: rnd.randint(1, 4)])
    lines = data.decode().splitlines()
    refused = 0
    for _ in range(250):
        changed = mutated(lines, rnd)
        if rnd.random() < 0.3:
            changed = mutated(changed, rnd)
        try:
            assert holds(followed(changed)), "\n".join(changed)
        except ProofFormatError:
            refused += 1
    assert refused > 100


def test_the_last_position_its_total_and_its_flags_are_compared(tmp_path):
    path = tmp_path / "game.lidrup"
    with Session(Position([[-2, -1, -1]], 1), proof=path) as session:
        session.reveal((0, 1), 1)
        session.classify()
    found = check_game(path, board="1 3 1\nF1?\n", external=False).game
    assert (found.grid, found.guesses) == (("F1S",), 1)
    for board, mines, fault in (("1 3 1\nF??\n", None, "another"), (None, 2, "total 1, not 2")):
        with pytest.raises(WrongCertificateError, match=fault):
            check_game(path, board=board, mines=mines, external=False)
    with pytest.raises(WrongCertificateError, match="flags"):
        check_game(path, flags="ignore", external=False)
    with pytest.raises(ValueError, match="no board in the plain notation"):
        check_game(path, board="1x3x1", external=False)


# -- In every kind of certificate, "consistent" is said only of a board whose layout is shown.


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


@pytest.mark.parametrize("verdict", ["safe", "mine"])
@pytest.mark.parametrize(
    ("board", "core", "cells"),
    [(EIGHT, "1", ["0 1"]), (WRONG_TOTAL, "3 4 5 2", ["0 0", "0 2"]), (WRONG_FLAG, "1 2", ["0 2"])],
    ids=["a clue without its mines", "a wrong total", "a wrong flag"],
)
def test_the_verdicts_of_a_board_without_a_layout_are_not_classified(board, core, cells, verdict):
    refuted = ["q 0", "s UNSATISFIABLE", f"u 0 {core} 0"]
    proved = [*board, *refuted, *(f"c proved {cell} {verdict}" for cell in cells)]
    found = check(*proved)
    assert (found.status, found.complete) == ("not shown", False)
    counts = (len(cells), 0) if verdict == "safe" else (0, len(cells))
    fault = refusal(*proved, f"c classified {counts[0]} {counts[1]} 0")
    assert fault.endswith("no layout of this position is shown, so that it may have none")
    assert check(*proved, "c inconsistent").status == "inconsistent"


def test_opening_a_cell_that_was_proved_to_be_a_mine_leaves_no_layout():
    assert check(*MINE_OPENED).status == "consistent"
    opened = [*MINE_OPENED, "c open 0 1 0"]
    assert (check(*opened).status, check(*opened).complete) == ("not shown", False)
    assert "no layout of this position" in refusal(*opened, "c classified 0 0 0")


def test_a_layout_is_held_to_the_clues_the_flags_and_the_total():
    start = ["c satsweeper game 1 2 3 2", "c mine 0 0", "c open 0 1 2"]
    layouts = {"-2 3 -4 -5 -6", "-2 -3 4 -5 -6", "-2 -3 -4 5 -6", "-2 -3 -4 -5 6"}
    for signs in product((1, -1), repeat=4):
        model = " ".join(str(v * sign) for v, sign in zip((3, 4, 5, 6), signs, strict=True))
        found = check(*start, "q 0", "s SATISFIABLE", f"m -2 {model} 0")
        assert (found.status == "consistent") == (f"-2 {model}" in layouts)
    # The flag as no mine, the open cell as one, a cell without a word.
    for model in ("-1 -2 3 -4 -5 -6", "2 3 -4 -5 -6", "-2 3 -4 -5"):
        assert check(*start, "q 0", "s SATISFIABLE", f"m {model} 0").status == "not shown"


def test_a_layout_that_was_shown_counts_as_long_as_it_fits():
    start = ["c satsweeper game 1 1 4 ?", "c open 0 1 1", "q 0", "s SATISFIABLE", "m 1 -3 0"]
    assert check(*start).status == "consistent"
    # Of (0, 3) no layout of before says anything.
    for more in ("c mine 0 0", "c mine 0 3", "c open 0 3 0"):
        assert check(*start, more).status == "consistent"
    for more in ("c mine 0 2", "c open 0 2 1", "c open 0 3 1"):
        assert check(*start, more).status == "not shown"


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
        found = check(*path.read_text().splitlines()[1:])
        assert found.status == ("consistent" if possible else "inconsistent")
        assert found.complete is possible


def test_a_position_of_which_all_is_known_before_a_cell_is_open_has_its_layout(tmp_path):
    for total in (0, 4):
        with Session(Position([[-1] * 2] * 2, total), proof=tmp_path / "g") as session:
            session.classify()
        found = check(*(tmp_path / "g").read_text().splitlines()[1:])
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


PLANTED: dict[str, tuple[str, Any, str]] = {
    "verdicts": (
        "satsweeper.checker.check.check_layouts", lambda *_: 1,
        "FALSE: check: status consistent",
    ),
    "odds": (
        "scripts.forgeries.odds.check_odds", lambda *_: None,
        "no layout: FALSE: check: odds of a board that has no layout",
    ),
    "encodings": (
        "satsweeper.checker.encoding.CheckedFiles.as_json",
        lambda _: {"status": "consistent"}, "is consistent, and the problem has no solution",
    ),
    "games": (
        "satsweeper.checker.game.steps.GameChecker._status", lambda _: "consistent",
        "FALSE: check: the status is consistent, and there is no layout",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", PLANTED)
def test_a_checker_that_says_consistent_without_a_layout_is_found_out(kind, monkeypatch, capsys):
    where, believes, complaint = PLANTED[kind]
    monkeypatch.setattr("os.fsync", lambda _: None)
    monkeypatch.setattr(where, believes)
    seed = "6" if kind == "verdicts" else "3"
    options = ["--kind", kind, "--count", "150", "--originals", "20", "--seed", seed]
    assert mutate.main(options) == 1
    assert complaint in capsys.readouterr().out
