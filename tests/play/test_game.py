"""Fields of mines and games on them, against games that are kept cell by cell in plain sets."""

import json
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsweeper.board.codes import COVERED, FLAG
from satsweeper.board.errors import CellError
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout, every_cell
from satsweeper.board.size import BoardSize
from satsweeper.notation.error import BoardError
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.game import EXPLODED, Action, Game, GameOverError, Minefield, Move
from satsweeper.play.record import read_game, write_game
from tests.play.cells import cells_of, clue_of, mines_of, neighbours, opens


class Plain:
    """The rules of the game, a cell at a time."""

    def __init__(self, rows, columns, mines):
        self.shape, self.cells = (rows, columns), set(cells_of((rows, columns)))
        self.mines, self.opened, self.flags = mines, set(), set()

    def over(self):
        return bool(self.opened & self.mines) or self.opened | self.mines == self.cells

    def open(self, cell):
        if cell not in self.flags | self.opened:
            self.opened |= opens(cell, self.mines, self.shape, self.flags)

    def chord(self, cell):
        near = neighbours(cell, self.shape)
        if cell in self.opened and clue_of(cell, self.mines) == len(near & self.flags):
            for each in near:
                self.open(each)

    def flag(self, cell):
        if cell not in self.opened:
            self.flags ^= {cell}

    def shows(self, cell):
        if cell in self.opened:
            return EXPLODED if cell in self.mines else clue_of(cell, self.mines)
        return FLAG if cell in self.flags else COVERED


def shown(game):
    return [[game[r, c] for c in range(game.board.columns)] for r in range(game.board.rows)]


@pytest.mark.parametrize("first_click", FirstClick)
def test_games_at_random_are_those_of_the_plain_rules(first_click):
    ends = []
    for number in range(40):
        random = Random(f"{first_click} {number}")
        rows, columns = random.randint(3, 6), random.randint(3, 6)
        board = BoardSize(rows, columns, random.randint(0, min(6, rows * columns - 9)))
        game = Game(board, first_click, seed=11, number=number)
        first = random.randrange(rows), random.randrange(columns)
        layout = game_layout(board, first, first_click, 11, number)
        plain = Plain(rows, columns, mines_of(layout))
        plain.open(first)
        assert set(game.open(first)) == plain.opened - plain.mines
        assert (game.layout, game.start) == (layout, first)
        while not plain.over():
            cell = random.randrange(rows), random.randrange(columns)
            # A player who knows the mines, mostly: so some games are won.
            kind = random.choice(["open", "flag", "chord"])
            if kind == "open" and cell in plain.mines and random.random() < 0.9:
                kind = "flag"
            before, count, opened = shown(game), len(game.moves), game.opened
            getattr(plain, kind)(cell)
            new = getattr(game, kind)(cell)
            if kind != "flag":
                assert len(new) == (game.opened & ~opened).bit_count()
            assert shown(game) == [
                [plain.shows((r, c)) for c in range(columns)] for r in range(rows)
            ]
            # What changed nothing is no move.
            assert len(game.moves) - count == (shown(game) != before)
            hit = plain.opened & plain.mines
            assert game.mines_left == board.mines - len(plain.flags) - len(hit)
        assert (game.lost, game.won) == (bool(plain.opened & plain.mines), not game.lost)
        ends.append(game.won)
    assert len(set(ends)) == 2 or first_click is FirstClick.NONE


def test_every_move_can_be_undone_the_one_that_lost_the_game_as_well():
    game = Game.on(Layout(Square(1, 6), mines=0b010100))
    moves = [("open", (0, 1)), ("flag", (0, 2)), ("chord", (0, 1)), ("open", (0, 4))]
    seen = [shown(game)]
    for kind, cell in moves:
        getattr(game, kind)(cell)
        seen.append(shown(game))
    assert (seen[-1], game.lost) == ([[0, 1, FLAG, COVERED, EXPLODED, COVERED]], True)
    for expected in reversed(seen[:-1]):
        assert game.undo()
        assert (shown(game), game.lost) == (expected, False)
    assert not game.undo()
    assert game.undone == 4
    made = [Move(Action(kind), cell) for kind, cell in moves]
    assert game.moves == made + 4 * [Move(Action.UNDO)]


def test_undoing_the_first_move_does_not_draw_another_layout():
    game = Game("9x9/10", "safe", seed=3)
    game.open((0, 0))
    layout = game.layout
    game.undo()
    assert shown(game) == [[COVERED] * 9] * 9
    game.open((8, 8))
    assert (game.layout is layout, game.start) == (True, (0, 0))


def test_flags_may_be_set_before_the_layout_is_drawn_and_hold_the_first_click_off():
    game = Game("9x4/20", "opening", seed=1)
    assert game.flag((3, 8))
    assert (game.open((3, 8)), game.layout, game.mines_left) == ([], None, 19)
    assert [game.position(flags=told).cells[3, 8] for told in (True, False)] == [FLAG, COVERED]
    game.open((0, 0))
    assert game[3, 8] == FLAG
    assert not game.flag((3, 8))
    assert [move.action for move in game.moves] == ["flag", "open", "flag"]


def test_a_position_shows_what_the_player_sees_and_says_nothing_of_the_layout():
    game = Game.on(Layout(Square(1, 5), mines=0b01001))
    assert game.position().cells.tolist() == [[COVERED] * 5]
    game.open((0, 1))
    game.flag((0, 3))
    position = game.position()
    assert (position.cells.tolist(), position.mines) == ([[COVERED, 1, COVERED, FLAG, COVERED]], 2)
    game.open((0, 0))
    assert game[0, 0] == EXPLODED
    with pytest.raises(ValueError, match="lost"):
        game.position()


def test_after_the_end_there_is_only_undo():
    game = Game.on(Layout(Square(1, 3), mines=0b001))
    game.open((0, 2))
    assert game.won
    for move in game.open, game.flag, game.chord:
        with pytest.raises(GameOverError, match="the game is won: only undo is left"):
            move((0, 0))
    game.undo()
    game.open((0, 0))
    with pytest.raises(GameOverError, match="lost"):
        game.flag((0, 1))


def test_a_seed_by_chance_is_told_and_plays_the_same_game_again():
    game = Game("30x16/99", "opening")
    game.open((7, 7))
    again = Game("30x16/99", "opening", game.seed)
    again.open((7, 7))
    assert again.layout == game.layout
    assert len({Game("9x9/10").seed for _ in range(5)}) > 1


@pytest.mark.parametrize(
    ("board", "first_click", "words"),
    [
        ("9x9", "safe", "COLUMNSxROWS/MINES"),
        ("9x9/10", "lucky", "lucky"),
        ("2x3/1", "opening", "1 mine: first click 'opening' leaves room for 0"),
    ],
)
def test_a_board_is_refused_before_the_game_if_a_first_click_could_not_be_kept(
    board, first_click, words
):
    with pytest.raises(ValueError, match=words):
        Game(board, first_click)


def test_cells_off_the_board_are_refused():
    game = Game("3x2/1")
    for move, cell in product(
        (game.open, game.flag, game.chord, game.__getitem__), [(-1, 0), (0, 3), (2, 0)]
    ):
        with pytest.raises(CellError, match="the board is 3x2"):
            move(cell)


@st.composite
def layouts(draw):
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    cells = cells_of((rows, columns))
    return rows, columns, set(draw(st.lists(st.sampled_from(cells), max_size=10)))


def board(cells, square):
    return sum(1 << square.index(cell) for cell in cells)


@given(made=layouts(), data=st.data())
def test_opening_follows_the_zeros_and_the_position_shows_it(made, data):
    rows, columns, mines = made
    square = Square(rows, columns)
    field = Minefield(Layout(square, board(mines, square)))
    every = cells_of((rows, columns))
    expected: set[tuple[int, int]] = set()
    for _ in range(2):
        chosen = set(data.draw(st.lists(st.sampled_from(every), max_size=3))) - mines
        before = set(expected)
        expected |= set().union(*(opens(cell, mines, (rows, columns)) for cell in chosen))
        assert field.open(board(chosen, square)) == board(expected - before, square)
    assert field.opened == board(expected, square)
    assert field.won == (len(expected) + len(mines) == rows * columns)
    position = field.position()
    assert (position.mines, field.position(total=False).mines) == (len(mines), None)
    for cell in every:
        assert position.cells[cell] == (clue_of(cell, mines) if cell in expected else COVERED)


def test_an_opened_mine_loses_and_the_other_cells_are_opened_all_the_same():
    field = Minefield(Layout(Square(1, 5), mines=0b00100))
    assert field.open(0b00110) == 0b00010
    assert (field.lost, field.exploded) == (True, 0b00100)
    field.open(0b11011)
    assert not field.won
    with pytest.raises(ValueError, match="lost"):
        field.position()


def test_flags_are_shown_on_covered_cells_only():
    field = Minefield(Layout(Square(1, 4), mines=0b0001))
    field.open(0b0010)
    assert field.position(flags=0b0001).cells.tolist() == [[FLAG, 1, COVERED, COVERED]]
    with pytest.raises(ValueError, match="flag"):
        field.position(flags=0b0010)


def test_a_layout_counts_only_cells_of_the_grid():
    square = Square(2, 3)
    assert every_cell(square) == 0b0111_0111
    layout = Layout(square, mines=0b0001)
    assert (layout.free, layout.zeros) == (0b0111_0110, 0b0100_0100)
    with pytest.raises(ValueError, match="beside the grid"):
        Layout(square, mines=0b1000)


# Records of games: what is written is played again, and whatever is damaged is named.


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
    known = game.board, game.first_click, game.layout, game.start, game.moves, game.status
    return *known, shown(game)


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
    assert sum(row.count("*") for row in first["layout"]) == 4
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


def test_a_given_layout_is_always_told_and_a_record_still_being_written_is_of_a_game_in_play():
    game = at_random(Game.on(Layout(Square(4, 5), mines=0b100_000010)), 3)
    again = read_game(write_game(game, layout=False), "game.jsonl")
    assert (state(again), again.seed) == (state(game), None)
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
    ("\n".join([LINES[0], LINES[4].replace(": 3", ": 0")]), ":1: start 0,0: no cell"),
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
    for cell in cells_of((4, 5)):
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
