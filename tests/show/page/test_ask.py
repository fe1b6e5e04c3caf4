"""What the page asks Python: JSON in, JSON out, with numpy and without."""

import json
from typing import Any

import pytest

from satsweeper.show.page.ask import ask
from tests.commands import python

BOARD = {"rows": ["01?", "12?", "???"], "mines": None}
GAME = {"board": "8x8/12", "first_click": "opening", "seed": 4, "no_guess": True, "start": [2, 2]}


def answered(name: str, **entries: Any) -> Any:
    return json.loads(ask(json.dumps({"ask": name, **entries})))


def test_a_board_is_classified_and_a_cell_explained():
    # By hand: the example of the README.
    assert answered("classify", board=BOARD)["grid"] == ["01?", "12?", "??S"]
    told = answered("explain", board=BOARD, cell=[2, 2])
    assert (told["verdict"], sorted(told["clues"])) == ("safe", [[0, 1], [1, 0], [1, 1]])


def test_the_chance_of_an_open_cell_is_in_the_sentence():
    board = {"rows": ["?1?"], "mines": 1}
    assert answered("explain", board=board, cell=[0, 0])["sentence"].endswith("with 50 %.")
    cells = answered("odds", board=board)["cells"]
    assert [(cell["mine"], cell["said"]) for cell in cells] == [("1/2", "50 %")] * 2


def test_a_board_without_a_layout_says_what_clashes():
    board = {"rows": ["11", "??"], "mines": 2}
    for question in ("classify", "explain"):
        answer = answered(question, board=board, cell=[1, 0])
        assert answer["conflict"]["clues"] == [[0, 0]]
        assert answer["sentence"].startswith("No layout exists: the clue at (0, 0) and the total")
    assert answered("odds", board=board)["cells"] == []


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("2x2x1\nH1\n11\n", ["?1", "11"]),
        ("2 2 1\n?1\n11\n", ["?1", "11"]),
        # A layout alone: nothing is open, and it can be played.
        ("3x3:u808", ["???"] * 3),
    ],
)
def test_boards_are_read_in_every_notation(text, rows):
    assert answered("read", text=text)["rows"] == rows


def test_bad_input_is_one_line():
    assert "\n" not in answered("read", text="hello")["error"]
    assert "10000 cells" in answered("read", text=("?" * 101 + "\n") * 101)["error"]
    assert "cannot hold" in answered("write", board=BOARD, format="mine")["error"]
    assert "no lp" in answered("export", board=BOARD, format="lp")["error"]


def test_a_game_is_played_by_what_was_done():
    game = {"id": "3x3:u808"}
    # Mines in two corners.
    assert answered("play", game=game, actions=["o1.1"])["rows"] == ["???", "?2?", "???"]
    flagged = answered("play", game=game, actions=["o1.1", "f0.0", "f2.2"])
    assert (flagged["rows"], flagged["mines_left"]) == (["F??", "?2?", "??F"], 0)
    won = answered("play", game=game, actions=["o1.1", "f0.0", "f2.2", "o1.1"])
    assert (won["rows"], won["status"]) == (["F10", "121", "01F"], "won")
    lost = answered("play", game=game, actions=["o0.0"])
    assert (lost["rows"], lost["status"]) == (["X??", "???", "??*"], "lost")
    assert answered("play", game=game, actions=["o1.1", "f0.0"])["rows"] == ["F??", "?2?", "???"]


def test_a_game_taken_back_step_by_step_is_the_game_played_anew():
    actions = ["o2.2", "f0.0", "a", "f7.7"]
    after = [answered("play", game=GAME, actions=actions[:n])["rows"] for n in range(5)]
    for n in (4, 3, 2, 1, 2, 4, 1):
        assert answered("play", game=GAME, actions=actions[:n])["rows"] == after[n]


def test_auto_wins_a_board_without_guesses():
    played = answered("play", game=GAME, actions=["o2.2", "a"])
    assert played["status"] == "won"


def test_auto_guesses_where_nothing_is_certain():
    said = answered("play", game={"id": "2x1:u8"}, actions=["a"])["said"]
    assert said.startswith("A guess, as no cell is certain: (0, 0), a mine with 50 %")


QUESTIONS: list[dict[str, Any]] = [
    {"ask": "classify", "board": BOARD},
    {"ask": "explain", "board": BOARD, "cell": [2, 2]},
    {"ask": "explain", "board": BOARD, "cell": [0, 2]},
    {"ask": "odds", "board": {"rows": ["?1??", "????"], "mines": 2}},
    {"ask": "classify", "board": {"rows": ["11", "??"], "mines": 2}},
    {"ask": "classify", "board": {"rows": ["1?", "31"], "mines": None}},
    {"ask": "read", "text": "9x9:4,4,mb071b49fbd1cb6a0d5868"},
    {"ask": "write", "board": {"rows": ["?1?"], "mines": 1}, "format": "mine"},
    {"ask": "play", "game": GAME, "actions": ["o2.2", "a"]},
    {"ask": "export", "board": {"rows": ["F1?", "?2?"], "mines": 2}, "format": "opb"},
]
_CHILD = """
import json, sys
for name in ("numpy", "numba", "rich", "joblib", "networkx", "multiprocessing"):
    sys.modules[name] = None
from satsweeper.show.page.ask import ask, warm_up
warm_up()
print(json.dumps([json.loads(ask(json.dumps(q))) for q in json.load(sys.stdin)]))
"""


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    """Without what it cost, and with clauses and constraints in one order."""
    answer = {name: value for name, value in answer.items() if name != "stats"}
    if "text" in answer:
        lines = answer["text"].splitlines()
        answer["text"] = sorted(" ".join(sorted(line.split())) for line in lines)
    return answer


def test_without_numpy_the_answers_are_the_same():
    child = python("-c", _CHILD, input=json.dumps(QUESTIONS), check=True)
    for question, without in zip(QUESTIONS, json.loads(child.stdout), strict=True):
        details = {**question}
        found = answered(details.pop("ask"), **details)
        assert timeless(found) == timeless(without)
