"""``generate``, ``advise`` and ``game`` on boards with rules and geometries."""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from tests.commands import call, done, refused
from tests.puzzle.play.test_generate import check


def objects(*words: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done("generate", *words, "--json").out.splitlines()]


def test_generated_boards_are_printed_as_objects_whose_moves_follow() -> None:
    boards = objects("4x4/4", "--rules", "C W", "--no-guess", "--count", 2, "--seed", 3)
    assert [board["number"] for board in boards] == [0, 1]
    for board in boards:
        some = {"schema": "satsweeper/generate/1", "rules": ["C", "W"], "geometry": "square"}
        assert board.items() >= some.items()
        assert board["moves"]
        check(board)


def test_in_the_style_of_a_puzzle_some_clues_are_open_at_first() -> None:
    (board,) = objects("4x4/4", "--rules", "2H", "--style", "puzzle", "--given", 5)
    assert (board["style"], board["start"], len(board["given"])) == ("puzzle", None, 5)
    check(board)


def test_a_person_sees_the_settings_the_first_clues_and_the_solution() -> None:
    ended = done("generate", "5x4/4", "--geometry", "torus", "--no-guess", "--seed", 2)
    first, spread, *lines = ended.out.splitlines()
    assert first.startswith("5x4/4, rules V, torus, first click 2,2 (opening), seed 2: no guess, ")
    assert spread.startswith("layouts are not equally likely: ")
    assert lines[:2] == ["geometry: torus", "mines: 4"]
    assert lines[6] == "solution:"
    assert "".join(lines[7:]).count("*") == 4
    drawn = done("generate", "5x4/4", "--rules", "X", "--first-click", "safe").out.splitlines()
    assert drawn[1] == "all layouts that the rules and the first click allow are equally likely"


def test_a_board_that_is_written_is_read_by_other_commands(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    said = done("generate", "5x5/6", "--rules", "C", "-o", file, "--json").out
    board = json.loads(said)
    assert file.read_text().splitlines()[:3] == ["rules: C", "mines: 6", "?????"]
    advice = json.loads(done("advise", file, "--json").out)
    assert (advice["schema"], advice["rules"]) == ("satsweeper/advise/1", ["C"])
    mines = {(r, c) for r, row in enumerate(board["layout"]) for c, x in enumerate(row) if x == "*"}
    assert not mines & {tuple(cell) for cell in advice["certain"]}
    out = call("generate", "5x5/6", "--rules", "C", "-o", "-")
    assert out.out == file.read_text()
    assert out.err.startswith("5x5/6, rules C, square")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["4x4/2", "--rules", "ZZ"], "unknown rule 'ZZ'"),
        (["4x4/2", "--geometry", "plane"], "unknown geometry 'plane'"),
        (["4x4/2", "--style", "other", "--rules", "C"], "unknown style 'other'"),
        (["5x5/3", "--rules", "D"], "no layout"),
        (["4x3/2", "--rules", "2L"], "rule 2L needs as many rows as columns, not 3 and 4"),
        (["4x4/2", "--rules", "W", "--geometry", "knight"], "rule W needs neighbours in a circle"),
        (["4x4/2", "--rules", "C", "--start", "9,9"], "there is no such cell"),
        (["4x4/2", "--rules", "C", "--first-click", "windows"], "unknown first click 'windows'"),
        (["4x4/2", "--rules", "C", "--certify", "x"], "--certify is for squares without rules"),
        (["4x4/2", "--given", 3], "--given is for --style puzzle"),
        (["4x4/3", "--rules", "C", "--style", "puzzle", "--given", 14], "4x4/3 has 13 safe cells"),
        (["4x4/2", "--rules", "hexagonal"], "is a geometry, not a rule: 'geometry: hexagonal'"),
        (["4x4/2", "--style", "puzzle", "--start", "1,1"], "--start is for --style click"),
        (["4x4/2", "--rules", "C", "--budget", 3], "--budget is for --no-guess"),
        (["99x99/9", "--rules", "C"], "2500 cells are the most of a board with rules"),
    ],
)  # fmt: skip
def test_impossible_settings_are_refused_in_one_line(words: list[object], said: str) -> None:
    assert said in refused(2, "generate", *words).err


def test_nothing_is_written_when_the_budget_or_the_time_is_used_up(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    words = ("generate", "4x4/4", "--rules", "2E", "--no-guess", "--first-click", "safe")
    ended = call(*words, "--budget", 1, "-o", file)
    assert (ended.code, ended.out) == (124, "")
    assert ended.err.endswith("none without a guess, of 1 layout; nothing is written\n")
    ended = call("generate", "16x16/90", "--rules", "O", "--no-guess", "--timeout", 0.2, "-o", file)
    assert (ended.code, ended.out) == (124, "")
    assert not file.exists()


# Games


def rows(file: Path) -> list[list[str]]:
    return [line.split() for line in json.loads(file.read_text())["grid"]]


def write(file: Path, cell: tuple[int, int], mark: str) -> None:
    """Write a mark into the grid as a player does in an editor."""
    found = json.loads(file.read_text())
    grid = rows(file)
    grid[cell[0]][cell[1]] = mark
    file.write_text(json.dumps(found | {"grid": [" ".join(row) for row in grid]}))


def test_a_game_is_begun_played_and_solved(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    words = ("game", "new", file, "--size", "4x4/4", "--rules", "C", "--seed", 5)
    assert done(*words).out == "new game, seed 5; in play, 4 mines left\n"
    assert rows(file) == [["#"] * 4] * 4
    assert "exists already" in refused(1, *words).err
    done(*words, "--force", "--first-click", "opening", "--start", "0,0")
    assert all(rows(file)[r][c] not in "#?!*" for r in (0, 1) for c in (0, 1))
    write(file, (3, 3), "?")
    found = json.loads(done("game", "process", file, "--json").out)
    assert found["schema"] == "satsweeper/game/2"
    assert sum(found["done"][verb] for verb in ("opened", "hit")) == 1
    for _ in range(20):
        found = json.loads(done("game", "solve", file, "--json").out)
        if "?" not in "".join(map("".join, found["grid"])):
            break
    assert found["status"] in ("won", "lost")
    assert found["rules"] == ["C"]


def test_solve_marks_and_prints_the_grid(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    done("game", "new", file, "--size", "4x4/2", "--geometry", "hexagonal", "--seed", 1,
         "--first-click", "opening", "--start", "1,1")  # fmt: skip
    before = rows(file)
    said = done("game", "solve", file, "--mark", "-v").out.splitlines()
    assert [line.split() for line in said[1:]] == rows(file)
    assert rows(file) != before
    done("game", "process", file)
    assert "?" not in "".join(map("".join, rows(file)))


def test_games_with_rules_refuse_what_only_classic_games_have(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    words = ("game", "new", file, "--size", "4x4/2", "--rules", "C")
    assert "windows is for squares" in refused(2, *words, "--first-click", "windows").err
    assert "--proof is for squares" in refused(2, *words, "--proof", tmp_path / "p.lidrup").err
    done(*words)
    assert "safest alone" in refused(2, "game", "solve", file, "--strategy", "exact").err
    file.write_text("{}")
    assert "no game: an object of the schema" in refused(1, "game", "process", file).err


# Advice


def board(folder: Path, text: str) -> Path:
    file = folder / "board.txt"
    file.write_text(text)
    return file


def test_advice_names_certain_cells_or_guesses_by_their_odds(tmp_path: Path) -> None:
    file = board(tmp_path, "rules: C\nmines: 8\n. 3 . .\n3 . . .\n. . . .\n1 . 3 .\n")
    assert done("advise", file).out == "Open what holds no mine: (3, 1).\n"
    file = board(tmp_path, "rules: T\nmines: 2\n1 . . .\n")
    said = done("advise", file).out.splitlines()
    # The 1 has one covered neighbour, so that is a mine; the other one is in one of two cells.
    assert said[0] == "No cell is certain. Guess (0, 2): free with 1/2 (50 %)."
    found = json.loads(done("advise", file, "--json").out)
    assert found["layouts"] == "2"
    assert found["choices"][-1] == {"cell": [0, 1], "safe": "0"}


def test_advice_on_boards_without_a_layout_and_without_a_total(tmp_path: Path) -> None:
    file = board(tmp_path, "rules: T\nmines: 3\n1 ? ? ?\n")
    ended = call("advise", file)
    assert ended.code == 20
    # All three covered cells would be mines, and three in line.
    assert ended.out == ("No layout exists with rule T and the total of 3 mines.\n")
    file = board(tmp_path, "rules: T\n1 ? ?\n? ? ?\n")
    assert "a guess needs the total" in refused(1, "advise", file).err
    assert "safest alone" in refused(2, "advise", file, "--strategy", "random").err


def test_a_game_is_read_as_the_board_that_its_player_sees(tmp_path: Path) -> None:
    """The oracle is the same board as text; what is a mine below a cover plays no part."""
    file, lost = tmp_path / "game.json", tmp_path / "lost.json"
    done("game", "new", file, "--size", "4x4/4", "--rules", "C W", "--seed", 5,
         "--first-click", "opening")  # fmt: skip
    found = json.loads(file.read_text())
    cells = [line.split() for line in found["grid"]]
    assert sum(cell == "#" for row in cells for cell in row) > 6
    rows = [" ".join("?" if cell == "#" else cell for cell in row) for row in cells]
    text = tmp_path / "board.txt"
    text.write_text("\n".join(["rules: C W", "mines: 4", *rows, ""]))
    covered = next(
        (r, c) for r, row in enumerate(cells) for c, cell in enumerate(row) if cell == "#"
    )
    asked = ",".join(map(str, covered))
    for words in (
        ["classify", "--json"], ["odds", "--json"], ["explain", "--json", asked],
        ["advise", "--json"], ["export", "--format", "opb"], ["render", "-o", "-", "--odds"],
        ["render", "-o", "-", "--explain", asked], ["classify", "--json", "--mines", "unknown"],
    ):  # fmt: skip
        name, *options = words
        one, two = (done(name, each, *options).out for each in (file, text))
        # Times differ, and names of files.
        same = [
            each.replace("game.json", "board.txt").partition('"stats"')[0] for each in (one, two)
        ]
        assert same[0] == same[1], words
    # An exploded mine is a known one, a flag is trusted or ignored.
    mines = b64decode(found["solution"]).decode().split()
    mine = next(at for at, cell in enumerate(mines) if cell == "*")
    cells[mine // 4][mine % 4] = "*"
    safe = next(
        at for at, cell in enumerate(mines) if cell != "*" and cells[at // 4][at % 4] == "#"
    )
    cells[safe // 4][safe % 4] = "!"
    lost.write_text(json.dumps(found | {"grid": [" ".join(row) for row in cells]}))
    answer = done("classify", "--json", "--flags", "ignore", lost).json
    assert answer["grid"][mine // 4][mine % 4] == "M"
    chances = done("odds", "--json", "--flags", "ignore", lost).json["cells"]
    assert [mine // 4, mine % 4] not in [each["cell"] for each in chances]
    assert [safe // 4, safe % 4] in [each["cell"] for each in chances]
    trusted = json.loads(call("odds", "--json", lost).out)
    assert [safe // 4, safe % 4] not in [each["cell"] for each in trusted.get("cells", [])]


def test_a_rule_of_ones_own_is_named_again_for_the_file_of_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = "own_corner_of_a_test:empty_corner"
    (tmp_path / "own_corner_of_a_test.py").write_text(
        "from satsweeper.puzzle.constraints.clause import Clause\n"
        "def empty_corner(board, part):\n"
        '    """The first cell holds no mine."""\n'
        "    yield Clause(part, (-board.mine(0),))\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "game.json"
    done("game", "new", file, "--size", "3x3/2", "--rules", rule, "--seed", 1)
    for words in (("game", "process", file), ("classify", file), ("play", file)):
        assert "is code, which no file may ask for" in refused(1, *words).err
    done("game", "process", file, "--rules", rule)
    assert done("classify", "--json", "--rules", rule, file).json["grid"][0][0] == "S"
    plain = tmp_path / "game.txt"
    done("game", "new", plain, "--seed", 1)
    assert "--rules is for game new" in refused(2, "game", "process", plain, "--rules", "C").err


def test_a_board_under_rules_is_no_game_to_go_on_with(tmp_path: Path) -> None:
    said = "play takes squares with plain clues, and games of game new --rules"
    assert said in refused(1, "play", board(tmp_path, "rules: C\n??\n??\n")).err
