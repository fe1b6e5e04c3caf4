"""The best move, the look back on a game, and files to share, as the page asks for them."""

import io
import json
import zipfile
from base64 import b64decode
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from satsweeper.count.odds import odds
from satsweeper.play.few_layouts import few_layouts_choices
from satsweeper.play.record import read_game
from satsweeper.position import Position
from satsweeper.show.page.advice import NO_TOTAL
from satsweeper.show.page.ask import ask
from tests.commands import call

GAME = {"board": "8x8/14", "first_click": "safe", "seed": 3, "no_guess": False, "start": None}
Layout = frozenset[tuple[int, int]]


def answered(name: str, **entries: Any) -> Any:
    return json.loads(ask(json.dumps({"ask": name, **entries})))


# An oracle: the best play among all layouts, by trying every cell


def near(cell: tuple[int, int], other: tuple[int, int]) -> bool:
    return cell != other and max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) <= 1


def shows(layout: Layout, cell: tuple[int, int]) -> int:
    return -1 if cell in layout else sum(near(cell, mine) for mine in layout)


def wins(layouts: frozenset[Layout], closed: frozenset[tuple[int, int]], mines: int) -> int:
    """How many of these layouts the best play wins."""
    if len(closed) == mines:
        return len(layouts)
    return max(after(layouts, closed, mines, cell) for cell in closed)


def after(
    layouts: frozenset[Layout], closed: frozenset[tuple[int, int]], mines: int, cell: Any
) -> int:
    parts: dict[int, set[Layout]] = {}
    for layout in layouts:
        parts.setdefault(shows(layout, cell), set()).add(layout)
    return sum(
        wins(frozenset(part), closed - {cell}, mines) for clue, part in parts.items() if clue >= 0
    )


@pytest.mark.parametrize(
    ("rows", "mines"), [("?1??|????", 3), ("2???|????", 3), ("???|???", 2), ("1?|??|??|?1", 2)]
)
def test_the_chance_to_win_is_that_of_the_best_play_among_all_layouts(rows, mines):
    lines = rows.split("|")
    cells = [(r, c) for r, line in enumerate(lines) for c in range(len(line))]
    closed = frozenset((r, c) for r, c in cells if lines[r][c] == "?")
    clues = [((r, c), int(lines[r][c])) for r, c in cells if lines[r][c] != "?"]
    layouts = frozenset(
        layout
        for layout in map(frozenset, combinations(sorted(closed), mines))
        if all(shows(layout, cell) == clue for cell, clue in clues)
    )
    won = {cell: after(layouts, closed, mines, cell) for cell in closed}
    position = Position.parse(f"{len(lines)} {len(lines[0])} {mines}\n" + "\n".join(lines))
    choices = few_layouts_choices(position, odds(position), "trust") or []
    found = {choice.cell: choice.win for choice in choices}
    assert found == {
        cell: Fraction(won[cell], len(layouts))
        for cell in closed
        if any(cell not in layout for layout in layouts)
    }
    best = answered("best", board={"rows": lines, "mines": mines}, near=[0, 0])
    assert best["win"] == pytest.approx(max(won.values()) / len(layouts))
    assert won[tuple(best["cell"])] == max(won.values())


def test_the_best_move_is_a_certain_cell_nearby_with_its_reason_if_there_is_one():
    # Of a corridor both ends are certain.
    board = {"rows": ["??1001??", "??1001??"], "mines": 2}
    for column, ends in ((0, {0, 1}), (7, {6, 7})):
        found = answered("best", board={**board, "mines": None}, near=[0, column])
        assert found["cell"] is None or found["cell"][1] in ends
    corner = {"rows": ["01?", "12?", "???"], "mines": None}
    found = answered("best", board=corner, near=[0, 0])
    assert (found["cell"], sorted(found["clues"])) == ([2, 2], [[0, 1], [1, 0], [1, 1]])
    assert found["sentence"].startswith("(2, 2) is safe: if it were a mine")


def test_what_cannot_be_advised_is_said():
    assert answered("best", board={"rows": ["?1?"], "mines": None}, near=[0, 0]) == {
        "cell": None, "sentence": NO_TOTAL
    }  # fmt: skip
    done = answered("best", board={"rows": ["F1"], "mines": 1}, near=[0, 0])
    assert done == {"cell": None, "sentence": "Nothing is left to open."}
    clash = answered("best", board={"rows": ["11", "??"], "mines": 2}, near=[0, 0])
    assert clash["conflict"]["clues"] == [[0, 0]]


def test_on_a_board_under_rules_the_best_move_is_certain_or_the_safest():
    board = {"text": "rules: C\ngeometry: hexagonal\nmines: 3\n2 ? ?\n? ? ?\n? ? ?\n"}
    found = answered("best", board=board, near=[0, 0])
    chances = {
        tuple(each["cell"]): each["value"] for each in answered("odds", board=board)["cells"]
    }
    assert chances[tuple(found["cell"])] == min(chances.values())


def test_an_uncertain_cell_has_two_layouts_that_differ_there():
    for board in (
        {"rows": ["?1?", "???"], "mines": 1},
        {"text": "rules: W\ngeometry: hexagonal\nmines: 1\n1 ?\n? ?\n"},
    ):
        told = answered("explain", board=board, cell=[1, 0])
        layouts = [told["witnesses"][kind] for kind in ("mine", "safe")]
        assert [layout[1][0] for layout in layouts] == ["M", "S"]
        assert [sum(row.count("M") for row in map(list, layout)) for layout in layouts] == [1, 1]


def test_a_game_is_looked_back_on_move_by_move_with_the_luck_of_its_guesses():
    actions = ["o4.4", "a", "f0.2", "f0.2", "o0.2"]
    review = answered("review", game=GAME, actions=actions)
    rows = [list(row) for row in review["rows"]]
    for done, move in enumerate(review["moves"], 1):
        for row, column, symbol in move["changed"]:
            rows[row][column] = symbol
        then = answered("play", game=GAME, actions=actions[:done])
        assert ["".join(row) for row in rows] == then["rows"]
    kinds = [move["kind"] for move in review["moves"]]
    assert kinds == ["first", "guess", "flag", "flag", "guess"]
    # The chances as the page shows them on the boards before the two guesses.
    safe = [review["moves"][at]["safe"] for at in (1, 4)]
    for at, chance in zip((1, 4), safe, strict=True):
        seen = [
            row.replace("F", "?")
            for row in answered("play", game=GAME, actions=actions[:at])["rows"]
        ]
        counted = answered("odds", board={"rows": seen, "mines": 14}, flags="ignore")["cells"]
        assert any(chance == pytest.approx(1 - each["value"]) for each in counted)
    together = f"{100 * safe[0] * safe[1]:.1f} %"
    assert review["sentence"].startswith("2 moves were guesses")
    assert together in review["sentence"]


def test_a_guess_of_a_game_costs_what_the_best_play_wins_more_often():
    """Two mines in opposite corners: the centre first, then a cell beside a mine, then the mine."""
    closed = frozenset((r, c) for r in range(3) for c in range(3))
    review = answered("review", game={"id": "3x3:u808"}, actions=["o1.1", "o0.1", "o0.0"])
    layouts = frozenset(map(frozenset, combinations(sorted(closed), 2)))
    costs = []
    for cell in ((1, 1), (0, 1), (0, 0)):
        best, played = wins(layouts, closed, 2), after(layouts, closed, 2, cell)
        costs.append((best - played) / len(layouts))
        clue = shows(frozenset([(0, 0), (2, 2)]), cell)
        layouts = frozenset(layout for layout in layouts if shows(layout, cell) == clue)
        closed -= {cell}
    assert [move["cost"] for move in review["moves"]] == pytest.approx(costs)
    assert costs[0] > 0
    assert f"{100 * costs[0]:.1f} points lost" in review["moves"][0]["said"]
    assert review["sentence"].endswith(
        f"Points lost: {100 * sum(costs):.1f}. 3BV 0 of 2 in 3 clicks: efficiency 0 %. ZiNi 2."
    )
    ended = answered("play", game={"id": "3x3:u808"}, actions=["o0.2", "o2.0"])
    assert ended["clicks"] == {"3bv": 2, "done": 2, "clicks": 2}
    assert "clicks" not in answered("play", game={"id": "3x3:u808"}, actions=["o0.2"])


def test_under_rules_a_move_is_judged_by_the_odds_of_its_board():
    kinds = set()
    for click in ("safe", "opening"):
        game = {**GAME, "board": "5x5/6", "rules": "C W", "first_click": click}
        begun = answered("play", game=game, actions=[])["puzzle"]
        chances = answered("odds", board={"text": begun["text"]})["cells"]
        least = min(each["value"] for each in chances)
        for each in chances[::3]:
            row, column = each["cell"]
            (move,) = answered("review", game=game, actions=[f"o{row}.{column}"])["moves"]
            kinds.add(move["kind"])
            guess = "guess" if least else "needless"
            assert move["kind"] == {0: "certain", 1: "mistake"}.get(each["value"], guess)
            if move["kind"] == guess:
                assert move["safe"] == pytest.approx(1 - each["value"])
    assert kinds == {"certain", "guess", "mistake"}


def test_a_board_without_guesses_is_looked_back_on_as_certain():
    game = {
        **GAME,
        "board": "9x9/10",
        "first_click": "opening",
        "no_guess": "subset",
        "start": [4, 4],
    }
    review = answered("review", game=game, actions=["o4.4", "a"])
    assert [move["kind"] for move in review["moves"]][1:] == ["certain"]
    assert "You have won" in review["moves"][1]["said"]
    assert review["sentence"].startswith("No move was a guess. 3BV 12 in ")


@pytest.mark.parametrize("strength", ["single_clue", "subset", "complete"])
def test_a_board_for_a_strength_is_the_one_that_generate_makes(strength):
    from satsweeper.play.generation.run import generate

    game = {
        **GAME,
        "board": "9x9/10",
        "first_click": "opening",
        "no_guess": strength,
        "start": [4, 4],
    }
    made = generate("9x9/10", start=(4, 4), seed=3, no_guess=True, strength=strength)
    won = answered("play", game=game, actions=["o4.4", "a"])
    assert won["status"] == "won"
    record = read_game(answered("record", game=game, actions=["o4.4"])["text"], "record")
    assert record.layout == made.layout


def test_no_board_without_a_guess_is_an_answer_and_no_other_board():
    game = {**GAME, "board": "9x9/55", "no_guess": "single_clue", "start": [0, 0]}
    told = answered("play", game=game, actions=["o0.0"])
    if "error" in told:
        assert "none without a guess" in told["error"]
    else:
        assert answered("play", game=game, actions=["o0.0", "a"])["status"] == "won"
    ruled = {**GAME, "rules": "W", "no_guess": "subset"}
    assert "of squares without rules" in answered("play", game=ruled, actions=[])["error"]


@pytest.mark.parametrize(
    ("board", "proved", "code"),
    [
        ({"rows": ["1??", "12?", "01?"], "mines": None}, "2 certain verdicts proved", 0),
        ({"rows": ["1?", "00"], "mines": None}, "the board is inconsistent", 20),
        ({"text": "rules: C\ngeometry: hexagonal\nmines: 2\n1 ? ?\n? ? ?\n? ? 1\n"}, "proved", 0),
    ],
    ids=["squares", "contradiction", "hexagons under a rule"],
)
def test_a_certificate_of_a_board_is_accepted_by_the_checker(board, proved, code, tmp_path):
    packed = b64decode(answered("certificate", board=board)["base64"])
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    checked = call("check", tmp_path / "certificate")
    assert (checked.code, checked.err) == (code, "")
    assert proved in checked.out


def test_a_picture_is_drawn_as_the_board_is_shown_and_a_record_plays_again():
    board = {"rows": ["01?", "12?", "???"], "mines": 2}
    pictures = {
        show: answered("picture", board=board, show=show, theme="light")["text"]
        for show in ("nothing", "verdicts", "odds")
    }
    assert len({*pictures.values()}) == 3
    assert all(text.startswith("<svg ") for text in pictures.values())
    ruled = {"text": "rules: C\ngeometry: hexagonal\nmines: 3\n2 ? ?\n? ? ?\n? ? ?\n"}
    for show in pictures:
        assert "<svg " in answered("picture", board=ruled, show=show, theme="dark")["text"]
    actions = ["o4.4", "f0.2"]
    record = read_game(answered("record", game=GAME, actions=actions)["text"], "record")
    assert (record.status, record.flags.bit_count()) == ("in play", 1)
