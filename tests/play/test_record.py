"""Records of games: what is written is played again, and whatever is damaged is named."""

import json
from random import Random

import pytest

from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.notation.error import BoardError
from satsweeper.play.draw import FirstClick
from satsweeper.play.game import Game
from satsweeper.play.record import read_game, write_game


def at_random(game, seed):
    """Moves at random, some of them undone, by a player who mostly knows where the mines are."""
    random = Random(seed)
    for _ in range(random.randrange(80)):
        if game.status != "in play" and random.random() < 0.7:
            break
        cell = random.randrange(game.board.rows), random.randrange(game.board.columns)
        mine = game.layout is not None and game.layout.mines >> game.geometry.index(cell) & 1
        kind = random.choice([game.open, game.flag, game.chord, None])
        if kind is None or game.status != "in play":
            game.undo()
        elif not (mine and kind == game.open and random.random() < 0.9):
            kind(cell)
    return game


def state(game):
    cells = [(r, c) for r in range(game.board.rows) for c in range(game.board.columns)]
    shown = [game[cell] for cell in cells]
    return game.board, game.first_click, game.layout, game.start, game.moves, game.status, shown


PLAYED = Game("5x4/4", "safe", seed=6, number=2)
PLAYED.open((0, 0))
PLAYED.flag((3, 4))
PLAYED.undo()
LINES = write_game(PLAYED).decode().splitlines()


def test_a_record_is_a_line_on_the_game_a_line_for_each_move_and_one_on_the_end():
    first, *moves = map(json.loads, LINES)
    assert first == {
        "schema": "satsweeper/record/1", "board": "5x4/4", "first_click": "safe", "seed": 6,
        "number": 2, "start": [0, 0], "layout": first["layout"],
    }  # fmt: skip
    assert [len(row) for row in first["layout"]] == [5] * 4
    assert "".join(first["layout"]).count("*") == 4
    assert moves == [
        {"move": "open", "cell": [0, 0]}, {"move": "flag", "cell": [3, 4]}, {"move": "undo"},
        {"end": "in play", "moves": 3},
    ]  # fmt: skip


@pytest.mark.parametrize("first_click", FirstClick)
def test_what_is_written_is_played_again(first_click):
    ends = set()
    for seed in range(80):
        game = at_random(Game("4x3/2", first_click, seed, number=seed % 3), seed)
        for layout in (True, False):
            data = write_game(game, layout=layout)
            again = read_game(data, "game.jsonl")
            assert state(again) == state(game)
            assert write_game(again, layout=layout) == data
            assert (b"layout" in data) == (layout and game.layout is not None)
        ends.add(game.status)
    assert ends == {"won", "lost", "in play"}


def test_a_game_on_a_given_layout_always_tells_it():
    game = at_random(Game.on(Layout(Square(4, 5), mines=0b100_000010)), 3)
    again = read_game(write_game(game, layout=False), "game.jsonl")
    assert state(again) == state(game)
    assert again.seed is None


def test_a_record_that_is_still_being_written_is_of_a_game_in_play():
    game = read_game("\n".join(LINES[:3]), "game.jsonl")
    assert (game.status, len(game.moves)) == ("in play", 2)


def damaged(line, **changes):
    """The record with other values in one line; "gone" takes a name away."""
    found = json.loads(LINES[line]) | changes
    kept = {name: value for name, value in found.items() if value != "gone"}
    return "\n".join([*LINES[:line], json.dumps(kept), *LINES[line + 1 :]])


OTHER = [row[::-1] for row in json.loads(LINES[0])["layout"]]
DEFECTS = [
    ("", ": no record: the file is empty"),
    ("\n \n", ": no record: the file is empty"),
    ("{\n", ":1:2: no JSON"),
    ("[]", ":1: a record is a JSON object"),
    (damaged(0, schema="satsweeper/board/1"), ":1: schema satsweeper/board/1: this reads satsw"),
    (damaged(0, seed="gone"), ":1: 'seed' is missing"),
    (damaged(0, player="me"), ":1: 'player': the schema has no such name"),
    (damaged(0, board="5x4"), ":1: board '5x4': COLUMNSxROWS/MINES is needed, as 30x16/99"),
    (damaged(0, board=[5, 4]), ":1: board [5, 4]: a text such as 30x16/99"),
    (damaged(0, board="9000x9000/1"), ":1: board 9000x9000/1: 4000000 cells at most"),
    (
        damaged(0, board="5x4/20", layout="gone"),
        ":1: 20 mines: first click 'safe' leaves room for 19",
    ),
    (damaged(0, first_click="sure"), ":1: unknown first_click 'sure'"),
    (damaged(0, first_click=["safe"]), ":1: unknown first_click"),
    (damaged(0, seed=1.5), ":1: seed 1.5: an integer is needed"),
    (damaged(0, number=None), ":1: number None: an integer is needed"),
    (damaged(0, start=[4, 0]), ":1: cell 4,0: the board is 5x4"),
    (damaged(0, start=0), ":1: cell 0: [row, column] is needed"),
    (damaged(0, seed=7), ":1: the layout is not that of the seed"),
    (damaged(0, layout=OTHER), ":1: the layout is not that of the seed"),
    (damaged(0, layout=OTHER[1:]), ":1: layout: 4 rows of 5 characters are needed, * a mine and"),
    (damaged(0, layout=[1, 2, 3, 4]), ":1: layout: 4 rows of 5 characters are needed"),
    (damaged(0, layout=["....."] * 4), ":1: layout: 0 mines, and the board is 5x4/4"),
    (damaged(0, seed=None, layout="gone"), ":1: neither a seed nor a layout"),
    (damaged(0, seed=None), ":1: first_click safe: of a given layout nothing is promised"),
    (damaged(0, start=None), ":1: a layout is drawn when the first cell is opened, and start is"),
    (damaged(0, start=None, layout="gone"), ":2: the record says that no cell is opened first"),
    (damaged(0, start=[0, 1], layout="gone"), ":2: the record says that 0,1 is opened first"),
    (damaged(1, move="click"), ":2: move click: there is open, flag, chord, undo"),
    (damaged(1, move=["open"]), ":2: move ['open']: there is open"),
    (damaged(1, move="gone"), ":2: move None: there is open"),
    (damaged(1, cell="gone"), ":2: 'cell' is missing"),
    (damaged(1, cell=[True, 0]), ":2: cell [True, 0]: [row, column] is needed"),
    (damaged(1, cell=[0, 5]), ":2: cell 0,5: the board is 5x4"),
    (damaged(2, move="chord"), ":3: chord changes nothing here"),
    (damaged(2, seconds=3), ":3: 'seconds': the schema has no such name"),
    (damaged(3, cell=[0, 0]), ":4: 'cell': the schema has no such name"),
    (damaged(1, move="undo", cell="gone"), ":2: undo changes nothing here"),
    (damaged(4, end="won"), ":5: end won: by the moves it is in play"),
    (damaged(4, moves=2), ":5: moves 2: by the moves it is 3"),
    ("\n".join([*LINES[:3], LINES[4]]), ":4: moves 3: by the moves it is 2"),
    ("\n".join([*LINES, LINES[1]]), ":5: moves follow the end"),
    (
        "\n".join([LINES[0], *LINES[4:]]).replace('"moves": 3', '"moves": 0'),
        ":1: start 0,0: no cell",
    ),
    ("\n".join(LINES[:2])[:-5], ":2:"),
    (b"\xff\n", ":1:1: byte 0xff at offset 0 is not UTF-8"),
]


@pytest.mark.parametrize(("data", "said"), DEFECTS, ids=[said for _, said in DEFECTS])
def test_a_damaged_record_is_refused_in_a_line_that_names_the_place_and_the_defect(data, said):
    with pytest.raises(BoardError) as refused:
        read_game(data, "game.jsonl")
    assert str(refused.value).startswith(f"game.jsonl{said}")
    assert "\n" not in str(refused.value)


def test_no_move_follows_an_end_that_is_not_undone():
    game = Game("5x4/4", "none", seed=1)
    cells = [(r, c) for r in range(4) for c in range(5)]
    for cell in cells:
        if game.status == "in play":
            game.open(cell)
    assert game.status != "in play"
    lines = write_game(game).decode().splitlines()
    lines[-1] = json.dumps({"move": "flag", "cell": [3, 4]})
    with pytest.raises(BoardError, match=rf":{len(lines)}: the game is {game.status}: only undo"):
        read_game("\n".join(lines), "game.jsonl")


def test_whatever_is_changed_in_a_record_it_is_read_or_refused_in_one_line():
    whole = "\n".join(LINES)
    read, refused = 0, []
    for seed in range(600):
        random = Random(seed)
        at, length = random.randrange(len(whole)), random.choice([0, 0, 1, 5])
        put = random.choice(["", "0", "9", "-", "[", '"', "\n", "null", "1e9", "\0", "é", " "])
        try:
            game = read_game(whole[:at] + put + whole[at + length :], "game.jsonl")
        except BoardError as error:
            refused.append(str(error))
        else:
            read += 1
            assert read_game(write_game(game), "again").moves == game.moves
    assert 0 < read < 300
    assert all(said.startswith("game.jsonl:") and "\n" not in said for said in refused)
