"""What the page asks Python, JSON in and out, with numpy and without; and the server of it."""

import json
import threading
from base64 import b64decode
from http.client import HTTPConnection, HTTPResponse
from math import comb
from typing import Any

import pytest

from satsweeper.show.page.ask import QUESTIONS as QUESTIONS_OF_THE_PAGE
from satsweeper.show.page.ask import ask
from satsweeper.show.page.serve import serving
from scripts.build_page import LEFT_OUT
from tests.commands import python

BOARD = {"rows": ["01?", "12?", "???"], "mines": None}
GAME = {"board": "8x8/12", "first_click": "opening", "seed": 4, "no_guess": True, "start": [2, 2]}


def answered(name: str, **entries: Any) -> Any:
    return json.loads(ask(json.dumps({"ask": name, **entries})))


def test_a_board_is_classified_and_a_cell_explained_with_its_chance_if_it_is_open():
    # By hand: the example of the README.
    assert answered("classify", board=BOARD)["grid"] == ["01?", "12?", "??S"]
    told = answered("explain", board=BOARD, cell=[2, 2])
    assert (told["verdict"], sorted(told["clues"])) == ("safe", [[0, 1], [1, 0], [1, 1]])
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
    [("2x2x1\nH1\n11\n", ["?1", "11"]), ("2 2 1\n?1\n11\n", ["?1", "11"]),
     # A layout alone: nothing is open, and it can be played.
     ("3x3:u808", ["???"] * 3),
     # As people paste: fences, tables, signs of this page and others, spaces between cells.
     ("```\n1?\n??\n```\n", ["1?", "??"]), ("| 1 | ? |\n|---|---|\n| ? | ? |\n", ["1?", "??"]),
     ("1\u2691\n\u25a2\u00b7\n", ["1F", "??"]), ("1\U0001f6a9\n\u2b1c\ufe0f\u25a0\n", ["1F", "??"]),
     ("1 2 ?\n? ? ?\n", ["12?", "???"]),
     # A board without a covered cell, which is no game.
     ("0", ["0"])],
)  # fmt: skip
def test_boards_are_read_in_every_notation(text, rows):
    assert answered("read", text=text)["rows"] == rows


def test_bad_input_is_one_line():
    assert "\n" not in answered("read", text="hello")["error"]
    assert "10000 cells" in answered("read", text=("?" * 101 + "\n") * 101)["error"]
    assert "cannot hold" in answered("write", board=BOARD, format="mine")["error"]
    assert "no lp" in answered("export", board=BOARD, format="lp")["error"]


@pytest.mark.parametrize(
    ("actions", "rows", "status"),
    [("o1.1", "??? ?2? ???", "in play"), ("o1.1 f0.0 f2.2", "F?? ?2? ??F", "in play"),
     ("o1.1 f0.0 f2.2 o1.1", "F10 121 01F", "won"), ("o0.0", "X?? ??? ??*", "lost"),
     ("o1.1 f0.0", "F?? ?2? ???", "in play"),
     # In the end a flag that was wrong is told from the others.
     ("f0.1 f2.2 o0.0", "XW? ??? ??F", "lost")],
)  # fmt: skip
def test_a_game_is_played_by_what_was_done(actions, rows, status):
    # Mines in two corners.
    found = answered("play", game={"id": "3x3:u808"}, actions=actions.split())
    assert (found["rows"], found["status"]) == (rows.split(), status)
    assert found["mines_left"] == 2 - sum(map(rows.count, "FXW"))


def test_a_game_taken_back_step_by_step_is_the_game_played_anew():
    actions = ["o2.2", "f0.0", "a", "f7.7"]
    after = [answered("play", game=GAME, actions=actions[:n])["rows"] for n in range(5)]
    for n in (4, 3, 2, 1, 2, 4, 1):
        assert answered("play", game=GAME, actions=actions[:n])["rows"] == after[n]


def test_auto_wins_a_board_without_guesses_and_guesses_where_nothing_is_certain():
    for seed in range(4):
        game = {**GAME, "seed": seed}
        begun, played = (answered("play", game=game, actions=a) for a in (["o2.2"], ["o2.2", "a"]))
        opened = sum(row.count("?") for row in begun["rows"]) - 12
        assert played["status"] == "won"
        assert played["said"].startswith(f"Opened {opened} cells: all were certain. You have won")
    game = {**GAME, "seed": 1, "no_guess": False}
    assert answered("play", game=game, actions=["o2.2", "a"])["status"] == "in play"
    # Until the first click is known, there is no board yet.
    game = {**GAME, "start": None}
    assert answered("play", game=game, actions=[])["rows"] == ["?" * 8] * 8
    said = answered("play", game={"id": "2x1:u8"}, actions=["a"])["said"]
    assert said.startswith("A guess, as no cell is certain: (0, 0), a mine with 50 %")


RULED = {"text": "rules: B M\nmines: 12\n3 ? ? ? ? ?\n" + "? ? ? ? ? ?\n" * 5}
HEXAGONS = {"text": "rules: C\ngeometry: hexagonal\nmines: 2\n1 ? ?\n? ? ?\n? ? 1\n"}
WIDE = {**GAME, "board": "100x100/2000", "first_click": "opening", "seed": 2, "no_guess": False}
QUESTIONS: list[dict[str, Any]] = [
    {"ask": "read", **RULED},
    {"ask": "classify", "board": RULED},
    {"ask": "explain", "board": HEXAGONS, "cell": [0, 2]},
    {"ask": "edit", "board": HEXAGONS, "mines": None},
    {"ask": "export", "board": HEXAGONS, "format": "opb"},
    {"ask": "classify", "board": BOARD},
    {"ask": "explain", "board": BOARD, "cell": [2, 2]},
    {"ask": "explain", "board": BOARD, "cell": [0, 2]},
    {"ask": "odds", "board": {"rows": ["?1??", "????"], "mines": 2}},
    {"ask": "classify", "board": {"rows": ["11", "??"], "mines": 2}},
    {"ask": "classify", "board": {"rows": ["1?", "31"], "mines": None}},
    {"ask": "read", "text": "9x9:4,4,mb071b49fbd1cb6a0d5868"},
    {"ask": "write", "board": {"rows": ["?1?"], "mines": 1}, "format": "mine"},
    {"ask": "play", "game": GAME, "actions": ["o2.2", "a"]},
    {"ask": "play", "game": {**GAME, "board": "5x5/6", "rules": "C W"}, "actions": ["a"]},
    {"ask": "export", "board": {"rows": ["F1?", "?2?"], "mines": 2}, "format": "opb"},
    {"ask": "best", "board": BOARD, "near": [0, 0]},
    {"ask": "best", "board": {"rows": ["?1??", "????"], "mines": 2}, "near": [0, 0]},
    {"ask": "best", "board": HEXAGONS, "near": [0, 0]},
    {"ask": "review", "game": GAME, "actions": ["o2.2", "f0.0", "a"]},
    # Hundreds of clues beside covered cells.
    {"ask": "review", "game": WIDE, "actions": ["o5.5", "a"]},
    {"ask": "picture", "board": BOARD, "show": "verdicts", "theme": "light"},
    {"ask": "record", "game": GAME, "actions": ["o2.2", "a"]},
    {"ask": "certificate", "board": BOARD},
    {"ask": "certificate", "board": {"rows": ["1?", "31"], "mines": None}},
    {"ask": "certificate", "board": HEXAGONS},
]
MISSING = ("numpy", "numba", "rich", "joblib", "networkx", "multiprocessing", "resource")
"""Packages that are not there in a browser."""
_CHILD = """
import json, sys
for name in {forbidden}:
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


def asked_without_numpy(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    code = _CHILD.replace("{forbidden}", repr((*MISSING, *LEFT_OUT)))
    child = python("-c", code, input=json.dumps(questions), check=True)
    return list(json.loads(child.stdout))


def test_without_numpy_the_answers_are_the_same():
    for question, without in zip(QUESTIONS, asked_without_numpy(QUESTIONS), strict=True):
        details = {**question}
        found = answered(details.pop("ask"), **details)
        assert timeless(found) == timeless(without)


def test_warming_up_loads_no_machine_code_as_the_page_keeps_the_memory_that_it_leaves():
    code = f"import sys\nfor name in {(*MISSING, *LEFT_OUT)}: sys.modules[name] = None\n"
    code += "from satsweeper.show.page.ask import warm_up; warm_up(); print(*sys.modules)"
    loaded = python("-c", code, check=True).stdout.split()
    assert {"satsweeper.show.page.games", "satsweeper.count.odds"} <= set(loaded)
    assert not {"pysolvers", "pycard", "pyformula"} & set(loaded)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (80, 100), (100, 100)])
def test_without_numpy_every_question_is_answered_up_to_the_largest_board(rows, columns):
    cells, mines = rows * columns, rows * columns // 500
    board = {"rows": ["?" * columns] * rows, "mines": mines}
    # A 0 in the corner makes its three neighbours safe.
    cornered = {**board, "rows": ["0" + "?" * (columns - 1), *board["rows"][1:]]}
    ruled = {"text": "rules: W\nmines: ?\n" + ("? " * columns + "\n") * rows}
    game = {"board": f"{columns}x{rows}/{mines}", "first_click": "safe", "seed": 1,
            "no_guess": False, "start": None}  # fmt: skip
    actions = ["f0.0"] * (mines > 0) + [f"o{rows // 2}.{columns // 2}"]
    asked: dict[str, dict[str, Any]] = {
        "read": {"text": "\n".join(cornered["rows"]) if mines else "1 1 0\n0\n"},
        "write": {"board": board, "format": "mine"},
        "classify": {"board": cornered},
        "odds": {"board": board},
        "explain": {"board": board, "cell": [0, 0]},
        "export": {"board": board, "format": "opb"},
        "edit": {"board": ruled, "cell": [0, 0], "symbol": "F"},
        "play": {"game": game, "actions": actions},
        "best": {"board": board, "near": [0, 0]},
        "review": {"game": game, "actions": actions},
        "picture": {"board": board, "show": "nothing", "theme": "light"},
        "record": {"game": game, "actions": actions},
        "certificate": {"board": cornered},
    }
    assert asked.keys() == QUESTIONS_OF_THE_PAGE.keys()
    more: list[dict[str, Any]] = [
        {"ask": "classify", "board": ruled},
        {"ask": "odds", "board": ruled},
        {"ask": "export", "board": {**board, "mines": None}, "format": "cnf"},
    ]
    questions = [{"ask": name, **entries} for name, entries in asked.items()] + more
    answers = asked_without_numpy(questions)
    found = dict(zip(asked, answers, strict=False))
    assert found["read"]["rows"] == cornered["rows"]
    saved = b64decode(found["write"]["base64"]).decode().split()
    assert saved == [f"{columns}x{rows}x{mines}", *["H" * columns] * rows]
    counts = found["classify"]["counts"]
    assert (counts["safe"], counts["mine"]) == (3 if mines else 0, 0)
    assert int(found["odds"]["solutions"]) == comb(cells, mines)
    assert found["odds"]["cells"][0]["mine"] == ("1/500" if mines else "0")
    assert found["explain"]["sentence"].endswith("0.2 %." if mines else "could not be met.")
    assert len(found["export"]["map"]["variables"]) == cells
    assert found["edit"]["rows"][0][0] == "F"
    assert found["play"]["mines_left"] == max(0, mines - 1)
    shown = found["play"]["rows"]
    assert (len(shown), {*map(len, shown)}) == (rows, {columns})
    assert shown[rows // 2][columns // 2] in "012345678"
    classified, counted, exported = answers[len(asked) :]
    assert classified["counts"] == {"safe": 0, "mine": 0, "unknown": cells}
    assert int(counted["solutions"]) == 2**cells
    assert len(exported["map"]["variables"]) == cells


# The server: the loopback alone, the types of files, a policy that keeps the page home


@pytest.fixture
def port(tmp_path):
    for name in ("index.html", "a.mjs", "a.js", "a.wasm", "a.whl", "built.json"):
        (tmp_path / name).write_text("x")
    (tmp_path / "folder").mkdir()
    with serving(tmp_path) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def get(port: int, path: str, host: str | None = None, **more: str) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port)
    headers = {name.replace("_", "-"): value for name, value in more.items()}
    connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{port}"} | headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/", "text/html"), ("/a.mjs", "text/javascript"), ("/a.js", "text/javascript"),
     ("/a.wasm", "application/wasm"), ("/a.whl", "application/zip")],
)  # fmt: skip
def test_files_have_the_types_that_browsers_insist_on(port, path, kind):
    answer = get(port, path)
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith(kind)
    assert "connect-src 'self'" in answer.headers["Content-Security-Policy"]


def test_files_are_compressed_and_not_sent_again_to_a_browser_that_has_them(port, tmp_path):
    for name in ("long.js", "long.whl"):
        (tmp_path / name).write_text("x" * 5000)
    plain, packed = get(port, "/long.js"), get(port, "/long.js", Accept_Encoding="br, gzip")
    assert (plain.headers["Content-Length"], plain.headers["Content-Encoding"]) == ("5000", None)
    assert int(packed.headers["Content-Length"]) < 100
    assert packed.headers["Content-Encoding"] == "gzip"
    # An archive is compressed already.
    assert get(port, "/long.whl", Accept_Encoding="gzip").headers["Content-Length"] == "5000"
    again = get(port, "/long.js", If_None_Match=packed.headers["ETag"])
    assert (again.status, again.headers["Content-Length"]) == (304, "0")
    (tmp_path / "long.js").write_text("y" * 5000)
    assert get(port, "/long.js", If_None_Match=packed.headers["ETag"]).status == 200


def test_what_is_no_file_of_it_is_not_shown_and_another_name_for_this_machine_is_refused(port):
    assert [get(port, path).status for path in ("/folder/", "/../x", "/none")] == [404] * 3
    assert get(port, "/", f"evil.example:{port}").status == 421
    assert get(port, "/", f"localhost:{port}").status == 200
