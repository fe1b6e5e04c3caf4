"""Pictures as SVG, read by names of elements alone; and their colours, as all eyes see them."""

import math
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest

from satsweeper import Position, classify, explain, odds
from satsweeper.board.size import BoardSize
from satsweeper.play.game import Game
from satsweeper.play.narration import narrate_record, narrate_strategy
from satsweeper.show.picture.boards import (
    explanation_scene,
    game_film,
    odds_scene,
    plain_scene,
    verdict_scene,
)
from satsweeper.show.picture.marks import CIVIDIS, THEMES, luminance, marks
from satsweeper.show.picture.scene import Film, Ring, Scene, Tile, TileKind
from satsweeper.show.picture.strokes import GLYPHS, text_width, wrapped
from satsweeper.show.picture.write import film_svg
from tests.oracles import layouts
from tests.show.drawings import SVG, shown

BOARD, CORNER = "3 3 ?\n01?\n12?\nF??", "3 3 ?\n01?\n12?\n???"


def svg(scene: Scene, cell: int | None = None) -> str:
    return film_svg(Film((scene,), (0,)), THEMES["light"], cell, "a <title>")


def by_hand(position: Position) -> list[list[str]]:
    """Return the description of each cell of a small board, by trying all layouts."""
    found = layouts(position)

    def said(cell: tuple[int, int], code: int) -> str:
        mined = sum(cell in mines for mines in found)
        certain = {0: "S, safe", len(found): "M, mine"}
        shown = f"{code}, clue" if code >= 0 else certain.get(mined, "?, unknown")
        return "F, flag" if code == -2 else shown

    rows = enumerate(position.cells.tolist())
    return [[said((r, c), code) for c, code in enumerate(row)] for r, row in rows]


@pytest.mark.parametrize("board", [BOARD, CORNER, "2 4 ?\n?1??\n?1??"])
def test_a_picture_says_what_trying_all_layouts_says(board):
    position = Position.parse(board)
    assert shown(svg(verdict_scene(classify(position))))[: position.rows] == by_hand(position)


def test_a_digit_is_drawn_by_lines_what_is_safe_upon_a_disc_and_the_legend_names_what_is_there():
    root = ElementTree.fromstring(svg(verdict_scene(classify(Position.parse(CORNER)))))
    drawn = {
        tile.findtext(f"{SVG}title"): [shape.tag.removeprefix(SVG) for shape in tile]
        for tile in root.iter(f"{SVG}g")
    }
    assert drawn["1, clue"][1:] == ["path", "path", "path"]
    assert drawn["S, safe"][1:] == ["path", "circle", "path"]
    document = svg(verdict_scene(classify(Position.parse("1 2 ?\n1?"))))
    labels = {each.get("aria-label") for each in ElementTree.fromstring(document).iter()}
    assert labels & {"mine", "safe", "unknown", "flag"} == {"mine"}


def test_a_chance_is_shown_in_percent_and_only_certainty_as_a_letter():
    chances = odds(Position.parse("2 3 2\n1??\n???"))
    found = shown(svg(odds_scene(chances)))
    for (row, column), chance in chances.mine.items():
        glyph = found[row][column].split(",")[0]
        if chance in (0, 1):
            assert glyph == "SM"[int(chance)]
        else:
            assert abs(Fraction(int(glyph), 100) - chance) <= Fraction(1, 100)


def test_a_plain_board_has_no_verdicts():
    assert shown(svg(plain_scene(Position.parse(BOARD))))[:3] == [
        ["0, clue", "1, clue", "covered"], ["1, clue", "2, clue", "covered"],
        ["F, flag", "covered", "covered"],
    ]  # fmt: skip


def test_reasons_two_layouts_that_differ_and_what_clashes_are_marked():
    position = Position.parse(CORNER)
    found = shown(svg(explanation_scene(explain(position, (2, 2)), classify(position))))
    marked = {(r, c) for r in range(3) for c in range(3) if "a reason" in found[r][c]}
    assert found[2][2] == "S, safe, the cell in question"
    assert marked == {(0, 1), (1, 0), (1, 1)}
    assert "no reason" not in str(found)
    found = shown(svg(explanation_scene(explain(position, (0, 2)), classify(position))))
    assert {found[0][2][0], found[0][5][0]} == {"S", "M"}
    found = shown(svg(verdict_scene(classify(Position.parse("2 3 ?\n1?3\n???")))))
    assert found[0][2] == "3, clue, clashes"


@pytest.mark.parametrize("cell", [8, 28, 96])
def test_cells_are_as_large_as_asked(cell):
    root = ElementTree.fromstring(svg(plain_scene(Position.parse(BOARD)), cell))
    xs = {
        re.findall(r"[\d.]+", u.get("transform", ""))[0]
        for u in root.iter(f"{SVG}use")
        if "scale" in u.get("transform", "")
    }
    steps = sorted(map(float, xs))
    assert cell in {b - a for a, b in combinations(steps, 2)}
    assert float(root.get("width", "0")) >= 3 * cell


def test_a_film_shows_at_every_moment_what_was_open_then():
    """The pictures that lie over one another are those of the game, cell by cell."""
    moments = list(narrate_strategy(BoardSize(6, 6, 6), seed=3))
    film = game_film(moments, "a game")
    document = film_svg(film, THEMES["dark"], None, "a game")
    begins, whole = 0, sum(film.durations)
    cells = list(product(range(6), repeat=2))
    for moment, lasts in zip(moments, film.durations, strict=True):
        found = shown(document, begins / whole + 1e-5)
        index = moment.layout.geometry.index
        opened = {cell for cell in cells if moment.opened >> index(cell) & 1}
        assert {(r, c) for r, c in cells if "clue" in found[r][c]} == opened
        begins += lasts


def test_the_words_of_a_recorded_game_are_those_of_a_film():
    game = Game("5x5/3", "opening", seed=2)
    game.open((2, 2))
    film = game_film(narrate_record(game), "5x5/3")
    assert "safe by convention" in film.scenes[1].caption[1]


def test_every_character_that_is_said_has_a_glyph_and_lines_are_wrapped_between_words():
    games = (narrate_strategy(BoardSize(8, 8, 10), seed=s, go_on=True) for s in (1, 5))
    said = {sign for game in games for moment in game for sign in moment.sentence}
    assert said - {" "} <= GLYPHS.keys()
    text = "nothing is certain here, so that a guess is needed"
    lines = wrapped(text, 90)
    assert " ".join(lines) == text
    assert all(text_width(line) <= 90 for line in lines)
    assert len(lines) > 2


SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "none": ((0.2126, 0.7152, 0.0722),) * 3,
}  # fmt: skip
"""Linear RGB to linear RGB: Machado, Oliveira and Fernandes, IEEE TVCG 15(6), 2009, severity 1."""


def seen(colour: str, eyes: str) -> tuple[float, float, float]:
    """CIE L*a*b* of a colour as these eyes see it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    r, g, b = (
        min(max(sum(x * y for x, y in zip(row, linear, strict=True)), 0), 1) for row in SEEN[eyes]
    )
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )  # fmt: skip
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in xyz)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def apart(a: str, b: str, eyes: str) -> float:
    return math.dist(seen(a, eyes), seen(b, eyes))


def shapes(theme: str) -> dict[str, str]:
    """The colour of each verdict: of its shape, or of the cell."""
    palette = THEMES[theme]
    kinds = (TileKind.SAFE, TileKind.MINE, TileKind.FLAG, TileKind.UNKNOWN)
    drawn = {kind: marks(Tile(kind, "?"), palette) for kind in kinds}
    return {kind: each[kind is not TileKind.UNKNOWN].colour for kind, each in drawn.items()}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eyes", SEEN)
def test_verdicts_differ_for_all_eyes(theme, eyes):
    # 10 is far more than the just noticeable difference of 2.3.
    for a, b in combinations(shapes(theme).items(), 2):
        assert apart(a[1], b[1], eyes) > 10 or TileKind.UNKNOWN in (a[0], b[0]), (a, b)
    assert apart(shapes(theme)[TileKind.SAFE], shapes(theme)[TileKind.MINE], eyes) > 25
    assert apart(THEMES[theme].covered, THEMES[theme].opened, eyes) > 15


@pytest.mark.parametrize("eyes", SEEN)
def test_chances_grow_lighter_step_by_step(eyes):
    light = [seen(colour, eyes)[0] for colour in CIVIDIS]
    assert all(b - a > 4 for a, b in pairwise(light))


SHAPED = (TileKind.SAFE, TileKind.MINE, TileKind.FLAG, TileKind.EXPLODED, TileKind.SHOWN)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", [kind for kind in TileKind if kind is not TileKind.COVERED])
def test_what_is_written_on_a_cell_can_be_read(theme, kind):
    """At least 4.5 to 1, as WCAG asks for text; a 0 says that there is nothing, and is faint."""
    glyphs = {TileKind.CHANCE: [f"{n:02}" for n in range(1, 100)]}.get(kind, list("12345678"))
    for glyph in glyphs:
        drawn = marks(Tile(kind, glyph), THEMES[theme])
        ink = drawn[-1].colour
        shaped = kind in SHAPED
        ground = drawn[shaped].colour
        a, b = sorted((luminance(ink), luminance(ground)))
        assert (b + 0.05) / (a + 0.05) >= 4.5, (theme, kind, glyph, ink, ground)


def test_every_verdict_has_a_shape_of_its_own():
    """Without any colour: the outlines differ."""
    lines = [
        tuple((mark.line, mark.width) for mark in marks(Tile(kind, "S"), THEMES["light"])[:-1])
        for kind in (TileKind.SAFE, TileKind.MINE, TileKind.FLAG, TileKind.UNKNOWN)
    ]
    assert len(set(lines)) == 4
    rings = [tuple(marks(Tile(TileKind.OPENED, "1", ring), THEMES["light"])) for ring in Ring]
    assert len(set(rings)) == len(Ring)
