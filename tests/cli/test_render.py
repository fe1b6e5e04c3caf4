"""``satsweeper render``: the files it writes, what it refuses, and what it needs."""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from satsweeper.play.game import Game
from satsweeper.play.record import write_game
from tests.commands import EXAMPLES, call

RECORD = "game.jsonl"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    game = Game("9x9/10", "opening", seed=7)
    game.open((4, 4))
    game.flag((8, 8))
    file = tmp_path / RECORD
    file.write_bytes(write_game(game))
    return file


@pytest.mark.parametrize("options", [[], ["--odds"], ["--plain"], ["--explain", "1,3"]])
@pytest.mark.parametrize("ending", ["svg", "html", "png"])
def test_a_board_is_drawn_and_twice_the_same(
    tmp_path: Path, options: list[str], ending: str
) -> None:
    files = [tmp_path / f"{name}.{ending}" for name in "ab"]
    for file in files:
        ended = call("render", EXAMPLES / "lp_5x5.txt", *options, "-o", file)
        assert ended == (0, "", "", "")
    assert files[0].read_bytes() == files[1].read_bytes()
    if ending == "svg":
        assert ElementTree.parse(files[0]).getroot().tag.endswith("svg")


@pytest.mark.parametrize("ending", ["svg", "html", "png", "gif", "webp"])
def test_a_record_is_shown_move_by_move(record: Path, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"game.{ending}"
    assert call("render", record, "-o", file) == (0, "", "", "")
    assert file.stat().st_size > 1000
    if ending == "html":
        assert "is safe by convention" in file.read_text()


@pytest.mark.parametrize("ending", ["svg", "html", "png"])
def test_standard_output_has_the_bytes_of_the_file(child, tmp_path: Path, ending: str) -> None:
    board, same = EXAMPLES / "lp_5x5.txt", tmp_path / f"a.{ending}"
    named, bare = tmp_path / "named", tmp_path / "bare"
    assert child("render", board, "-o", same).code == 0
    format = [] if ending == "svg" else ["--format", ending]
    with open(named, "wb") as stream:
        ended = child("render", board, "-o", "-", *format, stdout=stream)
    assert (ended.code, ended.err) == (0, "")
    assert child("render", board, "-o", bare, "--format", ending).code == 0
    assert named.read_bytes() == bare.read_bytes() == same.read_bytes()


def test_a_game_from_a_seed_is_one_command(tmp_path: Path) -> None:
    files = [tmp_path / "a.gif", tmp_path / "b.gif", tmp_path / "c.gif"]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        assert call("render", "--play", "8x8/10", "--seed", seed, "-o", file).code == 0
    first, again, other = (file.read_bytes() for file in files)
    assert first == again != other


def test_an_inconsistent_board_is_drawn_with_what_clashes(tmp_path: Path) -> None:
    for options in ([], ["--odds"], ["--explain", "0,1"]):
        file = tmp_path / "clash.html"
        ended = call("render", EXAMPLES / "contradiction.txt", *options, "-o", file)
        assert (ended.code, ended.out, ended.err) == (20, "", "")
        assert "No layout exists: the clues at (0, 0), (0, 2)" in file.read_text()


def test_a_game_has_no_odds(record: Path, tmp_path: Path) -> None:
    ended = call("render", record, "--odds", "-o", tmp_path / "a.svg")
    assert (ended.code, ended.out) == (2, "")
    assert "--odds is for a board, and this is a game" in ended.err
    assert not (tmp_path / "a.svg").exists()


def test_what_cannot_be_drawn_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    board = EXAMPLES / "lp_5x5.txt"
    ended = call("render", board, "--explain", "0,0", "-o", file)
    assert ended.code == 1
    assert ended.err.startswith(f"{board}: cell (0, 0)")
    large = tmp_path / "large.txt"
    large.write_text(("?" * 300 + "\n") * 300)
    said = f"{large}: 90000 cells; a picture has 40000 at the most\n"
    assert call("render", large, "-o", file) == (1, "", said, "")
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(write_game(Game("5x5/3", seed=1)))
    said = f"{empty}: no cell is ever opened: there is nothing to show\n"
    assert call("render", empty, "-o", file) == (1, "", said, "")
    assert call("render", large, "-o", large).code == 2
    assert not file.exists()


@pytest.mark.parametrize("ending", ["png", "gif", "webp"])
def test_without_pillow_a_line_names_the_extra_and_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    file = tmp_path / f"a.{ending}"
    ended = call("render", "--play", "8x8/10", "-o", file)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(f".{ending} needs pillow: ")
    assert "satsweeper[render]" in ended.err
    assert ended.err.count("\n") == 1
    assert call("render", "--play", "8x8/10", "-o", tmp_path / "a.svg").code == 0


def test_the_pictures_of_the_documents_are_those_that_their_commands_draw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = EXAMPLES.parent / "docs"
    lines = (docs / "pictures.md").read_text().splitlines()
    drawn = [line.split()[1:] for line in lines if line.startswith("satsweeper render")]
    drawn_by_hand = {"trust.svg"}
    pictures = {path.name: path.read_bytes() for path in (docs / "pictures").iterdir()}
    kept = {name: data for name, data in pictures.items() if name not in drawn_by_hand}
    found = {}
    monkeypatch.chdir(EXAMPLES.parent)
    for words in drawn:
        if words[-1].startswith("docs/"):
            file = tmp_path / Path(words[-1]).name
            assert call(*words[:-1], file).code in (0, 20)
            found[file.name] = file.read_bytes()
    assert found == kept


def test_chances_that_would_take_too_long_end_with_the_code_of_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satsweeper.count.budget import OddsLimitError

    def refuse(*arguments: object, **options: object) -> None:
        raise OddsLimitError("too wide")

    monkeypatch.setattr("satsweeper.count.odds.odds", refuse)
    file = tmp_path / "a.svg"
    ended = call("render", EXAMPLES / "lp_5x5.txt", "--odds", "-o", file)
    assert ended == (124, "", "too wide\n", "")
    assert not file.exists()
