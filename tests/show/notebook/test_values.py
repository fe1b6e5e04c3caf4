"""Answers show themselves: what is drawn is what was answered, for any page, within bounds."""

import pickle
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satsweeper
from satsweeper import Position, classify, explain, odds
from satsweeper.answers.classification import Explanation
from satsweeper.play.game import Game
from satsweeper.play.narration import narrate_record
from satsweeper.play.simulation.run import simulate
from satsweeper.report.table import Table
from satsweeper.show.notebook.boards import CELLS, SIDE, part_of
from satsweeper.show.palette import THEMES
from satsweeper.show.picture.boards import game_film
from satsweeper.show.picture.scene import Ring, Scene, Tile, TileKind
from tests.commands import python
from tests.play.cells import cells_of, mines_of
from tests.show.drawings import SVG, shown

BOARD = Position.parse("5 5 ?\n001??\n001??\n011??\n12???\n1????")
CLASH = Position.parse("2 3 0\n1?3\n???")


def game() -> Game:
    played = Game("9x9/10", "opening", seed=7)
    played.open((4, 4))
    played.flag((8, 8))
    return played


def lost() -> Game:
    played = Game("9x9/10", "safe", seed=7)
    played.open((0, 0))
    played.open(min(mines_of(played.layout)))
    return played


VALUES = {
    "position": BOARD,
    "classification": classify(BOARD),
    "inconsistent": classify(CLASH),
    "reason": explain(BOARD, (1, 3)),
    "two layouts": explain(BOARD, (0, 4)),
    "odds": odds(BOARD),
    "game": game(),
    "lost game": lost(),
    "film": game_film(narrate_record(game()), "9x9/10"),
}


every_value = pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)


@every_value
def test_a_drawing_is_xml_whose_references_are_met_inside_it(value):
    document = value._repr_svg_()
    root = ElementTree.fromstring(document)
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    wanted = {each.get("href", "")[1:] for each in root.iter(f"{SVG}use")}
    assert len(ids) == len(set(ids))
    assert wanted == set(ids)
    assert not re.search(r"=.@|url\(|<script|<image|https?://(?!www\.w3\.org)", document)
    # Neither a time nor an address: what is equal is shown equal.
    assert not re.search(r"\d s\b|0x[0-9a-f]{6,}|object at", str(value) + document)


def test_no_name_in_a_drawing_is_that_of_something_in_another():
    drawings = [value._repr_svg_() for value in VALUES.values()]
    names = [set(re.findall(r'\b(?:id|class)="(s\w{10})', drawing)) for drawing in drawings]
    assert all(len(own) == 1 for own in names)
    assert len(set.union(*names)) == len(VALUES)
    # What is drawn twice on a page has the same names for the same things.
    assert drawings == [value._repr_svg_() for value in VALUES.values()]


@every_value
def test_a_drawing_has_the_colours_of_both_themes_and_styles_nothing_else_on_the_page(value):
    document = value._repr_svg_()
    root = ElementTree.fromstring(document)
    key = root.get("class")
    plain = {}
    for each in root.iter():
        if (name := each.get("class")) and each is not root:
            plain[name] = each.get(name.split("-")[1])
    style = root.findtext(f"{SVG}style")
    scheme, _, inside = style.partition("@media screen{")
    # The scheme is that of the page; only a notebook without one is told from its own signs.
    assert scheme == (
        f":root.{key}{{color-scheme:light dark}}"
        f"[data-jp-theme-light=false] .{key}, .vscode-dark .{key} {{ color-scheme: dark }}"
    )
    rules = re.findall(r"\.([\w-]+)\{(?:fill|stroke):light-dark\((#\w+), (#\w+)\)\}", inside)
    both = {name: (light, dark) for name, light, dark in rules}
    assert inside.count("{") == len(both) == len(rules)
    assert {name: light for name, (light, _) in both.items()} == plain
    for name, (light, dark) in both.items():
        what = name.split("-")[2]
        digit = re.fullmatch(r"digit(\d)", what)
        for theme, colour in (("light", light), ("dark", dark)):
            palette = THEMES[theme]
            assert colour == (palette.digits[int(digit[1])] if digit else getattr(palette, what))


def test_a_reason_marks_what_it_names_survives_a_process_and_equals_one_without_a_board():
    reason = explain(BOARD, (1, 3))
    found = shown(reason._repr_svg_())
    marked = {(r, c) for r in range(5) for c in range(5) if found[r][c].endswith("a reason")}
    assert marked == set(reason.reason.clues)
    assert found[1][3].endswith("the cell in question")
    assert "[S]" in str(reason)
    assert reason.sentence in str(reason)
    assert pickle.loads(pickle.dumps(reason))._repr_svg_() == reason._repr_svg_()
    bare = Explanation(reason.cell, reason.verdict, reason.reason, None, None, reason.sentence)
    assert bare == reason
    assert (bare._repr_svg_(), str(bare)) == (None, reason.sentence)


def test_a_game_shows_what_its_player_sees_and_no_more():
    played = game()
    found = shown(played._repr_svg_())
    for row, column in cells_of((9, 9)):
        code = played[row, column]
        said = {-1: "covered", -2: "F, flag"}.get(code, f"{code}, clue")
        assert found[row][column] == said
    hit = shown(lost()._repr_svg_())[:9]
    assert sum("a mine that was opened" in said for row in hit for said in row) == 1


@every_value
def test_ipython_shows_the_text_in_a_terminal_and_in_a_list_a_line(value):
    pretty = pytest.importorskip("IPython.lib.pretty").pretty
    assert pretty(value) == str(value)
    assert "".join(pretty([value, 1]).split()) == "".join(f"[{value!r},1]".split())


def test_a_printed_position_is_read_again():
    assert Position.parse(str(BOARD)) == BOARD
    assert Position.parse(str(Position([[-1, -2], [2, 1]], 2))).mines == 2


@pytest.mark.parametrize(("rows", "columns"), [(1, 5000), (101, 99)])
def test_a_huge_board_is_small_on_the_page_and_says_what_is_shown(rows, columns):
    document = Position([[-1] * columns] * rows)._repr_svg_()
    assert len(document) < 500_000
    labels = [each.get("aria-label") or "" for each in ElementTree.fromstring(document).iter()]
    assert f"of 0 to {rows - 1}, columns 0 to" in " ".join(labels)


@settings(max_examples=40)
@given(
    st.integers(1, 160), st.integers(1, 160), st.integers(1, 2),
    st.lists(st.tuples(st.integers(0, 159), st.integers(0, 159)), max_size=3),
)  # fmt: skip
def test_a_part_is_bounded_and_has_what_stands_out(rows, columns, boards, marks):
    marked = {(r % rows, c % columns) for r, c in marks}

    def tile(r: int, c: int) -> Tile:
        return Tile(TileKind.COVERED, f"{r},{c}", Ring.ASKED if (r, c) in marked else Ring.NONE)

    plain = tuple(tuple(tile(r, c) for c in range(columns)) for r in range(rows))
    whole = Scene((("", plain),) * boards, ("below",))
    part = part_of(whole)
    shown = part.boards[0][1]
    assert len(part.boards) == boards
    assert max(len(shown), len(shown[0])) <= SIDE
    assert len(shown) * len(shown[0]) * boards <= CELLS
    top, left = part.corner
    assert shown[0][0].glyph == f"{top},{left}"
    assert part.caption[-1] == "below"
    seen = {(top + r, left + c) for r, row in enumerate(shown) for c, t in enumerate(row) if t.ring}
    if part == whole:
        assert seen == marked
    elif marked:
        assert f"{len(marked - seen)} marked cell" in part.caption[0] or seen == marked
        height, width = (max(x) - min(x) + 1 for x in zip(*marked, strict=True))
        assert seen == marked or height > len(shown) or width > len(shown[0])


def test_the_numbers_beside_a_part_are_those_of_the_board():
    grid = [[-1] * 300 for _ in range(300)]
    grid[249][249] = 8
    reason = explain(Position(grid), (248, 248))
    root = ElementTree.fromstring(reason._repr_svg_())
    labels = [each.get("aria-label") for each in root.iter(f"{SVG}g")]
    assert {"248", "249", "250"} <= set(labels)
    numbers = [int(label) for label in labels if (label or "").isdigit()]
    assert 100 < min(numbers) <= max(numbers) < 300


class Reader(HTMLParser):
    def __init__(self, document: str) -> None:
        super().__init__()
        self.text, self.elements = "", set[str]()
        self.feed(document)

    def handle_starttag(self, tag, attrs):
        self.elements.add(tag)

    def handle_data(self, data):
        self.text += data


def test_a_simulation_shows_who_won_how_often_and_no_text_in_a_table_makes_an_element():
    found = simulate("5x5/3", ["safest", "random"], 40, seed=3)
    page = Reader(found._repr_html_())
    for run in found.tables[0].runs:
        assert all(text in page.text for text in (f"{100 * run.won / 40:.2f}", run.strategy))
        assert run.strategy in str(found)
    known = {"table", "caption", "thead", "tbody", "tr", "th", "td", "h4", "p"}
    assert {"table", "h4"} <= page.elements <= known
    spiteful = "<img src=x onerror=alert(1)>"
    table = Table(spiteful, (spiteful, "b"), ((spiteful, "1"),), frozenset({1}))
    page = Reader(table._repr_html_())
    assert "img" not in page.elements
    assert page.text.count(spiteful) == str(table).count(spiteful) == 3


@pytest.mark.parametrize("show", [satsweeper.as_svg, satsweeper.as_html, satsweeper.as_text])
def test_what_nobody_shows_is_refused(show):
    with pytest.raises(TypeError, match="there is no"):
        show(object())


def test_nothing_that_draws_is_loaded_before_something_is_looked_at():
    code = (
        "import sys; from satsweeper import Position, classify\n"
        "answer = classify(Position.parse('1 2 ?\\n1?')); repr(answer)\n"
        "assert not [name for name in sys.modules if '.show' in name and name[-5:] != 'shown']\n"
        "answer._repr_svg_()\n"
        "assert 'satsweeper.show.picture.write' in sys.modules\n"
        "assert not {'matplotlib', 'PIL', 'IPython', 'numba'} & sys.modules.keys()\n"
    )
    child = python("-c", code)
    assert (child.returncode, child.stderr) == (0, "")
