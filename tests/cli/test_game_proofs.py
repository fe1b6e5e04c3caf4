"""``--proof`` of game and generate, and what ``check FILE`` says of such a file."""

from pathlib import Path

import pytest

from tests.commands import call


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    path = tmp_path / "game.lidrup"
    words = ("generate", "9x9/10", "--no-guess", "--seed", 7, "--proof", path)
    assert call(*words).code == 0
    return path


def test_a_board_without_guesses_comes_with_the_proof_of_its_whole_game(proof: Path) -> None:
    ended = call("check", "--no-external", proof)
    assert (ended.code, ended.err) == (0, "")
    said, about, *grid = ended.out.splitlines()
    assert said.startswith("verified: 71 opened cells, at least 1 of them by a guess; ")
    assert about.endswith("): 9 columns, 9 rows, total 10")
    assert sum(row.count("M") for row in grid) == 10


def test_json_says_what_is_proved(proof: Path) -> None:
    found = call("check", "--no-external", "--json", proof).json
    assert (found["schema"], found["verified"]) == ("satsweeper/check-game/1", True)
    assert found["board"] == {"rows": 9, "columns": 9, "mines": 10}
    assert (found["status"], found["guesses"], found["complete"]) == ("consistent", 1, True)


def test_a_board_of_which_no_layout_is_shown_is_not_said_to_be_consistent(proof: Path) -> None:
    lines = proof.read_text().splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if line.startswith("c open"))
    proof.write_text("".join(lines[: first + 1]))
    found = call("check", "--no-external", "--json", proof)
    assert (found.code, found.json["status"], found.json["complete"]) == (0, "not shown", False)
    ended = call("check", "--no-external", proof)
    assert "not shown: that the last position has a layout, or that it has none\n" in ended.out
    board = "1 2 ?\nc open 0 0 8\nc by 0 0\ni 1 0\nq 0\ns UNSATISFIABLE\nu 0 1 0\n"
    proof.write_text(
        f"p lidrup\nc satsweeper game 1 {board}c proved 0 1 safe\nc classified 1 0 0\n"
    )
    ended = call("check", "--no-external", proof)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.endswith("no layout of this position is shown, so that it may have none\n")
    proof.write_text(f"p lidrup\nc satsweeper game 1 {board}c inconsistent\n")
    assert call("check", "--no-external", proof).code == 20


def test_what_was_changed_is_refused_in_one_line(proof: Path) -> None:
    data = proof.read_bytes()
    at = data.index(b" safe\n")
    proof.write_bytes(data[:at] + b" mine\n" + data[at + 6 :])
    line = data[:at].count(b"\n") + 1
    ended = call("check", proof)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(f"{proof}: line {line}: no core proves that cell ")
    assert ended.err.count("\n") == 1
    ended = call("check", proof, "--json")
    assert (ended.code, ended.json["verified"]) == (1, False)


def test_the_last_position_must_be_the_board_that_is_named(tmp_path: Path) -> None:
    game, proof, board = (tmp_path / name for name in ("game.txt", "game.lidrup", "board.txt"))
    call("game", "new", game, "--seed", 3, "--first-click", "opening", "--proof", proof)
    rows = call("check", proof, "--json", "--no-external").json["rows"]
    board.write_text("8 8 10\n" + "\n".join(rows) + "\n")
    assert call("check", proof, "--board", board, "--no-external").code == 0
    assert call("check", proof, "--board", board, "--mines", 9, "--no-external").code == 1
    board.write_text("8 8 10\n" + "\n".join(["?" * 8] * 8) + "\n")
    ended = call("check", proof, "--board", board, "--no-external")
    assert ended.code == 1
    assert "its last position is another board than the one given" in ended.err


def test_each_action_goes_on_with_the_proof_of_the_game(tmp_path: Path) -> None:
    game, proof = tmp_path / "game.txt", tmp_path / "game.lidrup"
    call("game", "new", game, "--seed", 3, "--proof", proof)
    opened = []
    for _ in range(3):
        assert call("game", "solve", game, "--proof", proof).code == 0
        found = call("check", proof, "--json", "--no-external").json
        opened.append(found["opened"])
    assert opened == [27, 54, 54]
    assert (found["guesses"], found["classified"] > 5) == (1, True)


def test_the_proof_of_another_game_stays_as_it_is(proof: Path, tmp_path: Path) -> None:
    before, game = proof.read_bytes(), tmp_path / "game.txt"
    call("game", "new", game, "--seed", 3)
    ended = call("game", "solve", game, "--proof", proof)
    assert (ended.code, proof.read_bytes()) == (1, before)
    assert ended.err == f"{proof}: this is no proof of a game on such a board\n"
