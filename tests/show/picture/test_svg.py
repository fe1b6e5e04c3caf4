"""Pictures as SVG, read by names of elements alone; and their colours, as all eyes see them."""

import math
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest

from pbcnf.palette import DARK, LIGHT
from satsweeper import Position, classify, explain, odds
from satsweeper.board.size import BoardSize
from satsweeper.play.game import Game
from satsweeper.play.narration import narrate_record, narrate_strategy
from satsweeper.show.palette import SCALE, TENTHS, THEMES, ink_of
from satsweeper.show.picture.boards import (
    explanation_scene,
    game_film,
    odds_scene,
    plain_scene,
    verdict_scene,
)
from satsweeper.show.picture.marks import marks
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
    # The ground and the frame of a covered cell, the disc with its outline, and the letter.
    assert drawn["S, safe"][1:] == ["path", "path", "circle", "circle", "path"]
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


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it: what eyes without colours see, before L*."""
    return ((seen(colour, "none")[0] + 16) / 116) ** 3


def contrast(a: str, b: str) -> float:
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def shapes(theme: str) -> dict[str, str]:
    """The colour of each verdict: of its shape, or of the cell."""
    kinds = (TileKind.SAFE, TileKind.MINE, TileKind.FLAG)
    return {kind: marks(Tile(kind), THEMES[theme])[-1].colour for kind in kinds}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eyes", SEEN)
def test_verdicts_differ_for_all_eyes(theme, eyes):
    # 10 is far more than the just noticeable difference of 2.3.
    for a, b in combinations(shapes(theme).values(), 2):
        assert apart(a, b, eyes) > 10, (a, b)
    assert apart(shapes(theme)[TileKind.SAFE], shapes(theme)[TileKind.MINE], eyes) > 25
    assert apart(THEMES[theme].covered, THEMES[theme].opened, eyes) > 15


@pytest.mark.parametrize("theme", THEMES)
def test_what_must_be_seen_has_three_to_one_and_what_must_be_read_four_and_a_half(theme):
    colours = THEMES[theme]
    for ground in (colours.ground, colours.band):
        read = (colours.text, colours.faint, colours.alarm, colours.accent)
        assert min(contrast(ink, ground) for ink in read) >= 4.5
        assert contrast(colours.border, ground) >= 3
    assert contrast(colours.on_accent, colours.accent) >= 4.5
    # A covered cell from an opened one and from the page; shapes from the cell, frames from clues.
    assert min(contrast(colours.edge, each) for each in (colours.opened, colours.ground)) >= 3
    for covered in (colours.covered, colours.dyed_covered):
        assert contrast(colours.outline, covered) >= 3
        assert contrast(colours.text, covered) >= 4.5
    for frame in (colours.because, colours.clash, colours.guess):
        assert min(contrast(frame, each) for each in (colours.opened, colours.tint)) >= 3
    # Against the outline the shape is seen, or against the cell.
    for shape in shapes(theme).values():
        assert max(contrast(shape, colours.outline), contrast(shape, colours.covered)) >= 3
    for opened in (colours.opened, colours.dyed_opened, colours.tint):
        assert min(contrast(digit, opened) for digit in colours.digits[1:]) >= 4.5


@pytest.mark.parametrize("eyes", SEEN)
def test_chances_grow_darker_step_by_step(eyes):
    light = [seen(colour, eyes)[0] for colour in TENTHS]
    assert all(a - b > 4 for a, b in pairwise(light))
    assert seen(SCALE[0], eyes)[0] > light[0]
    assert seen(SCALE[2], eyes)[0] < light[-1]


def mixed(a: str, b: str, share: float) -> list[float]:
    """The colour that CSS calls ``color-mix(in oklab, a, b share)``, as red, green and blue."""

    def lms(colour: str) -> list[float]:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (
            p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
        )
        return [
            (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3),
            (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3),
            (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3),
        ]

    # OKLab is linear in these roots: mixing there is mixing here.
    x, y, z = ((p + share * (q - p)) ** 3 for p, q in zip(lms(a), lms(b), strict=True))
    linear = (
        4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
        -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
        -0.0041960863 * x - 0.7034186147 * y + 1.7076147010 * z,
    )
    clipped = [min(max(p, 0), 1) for p in linear]
    return [
        255 * (12.92 * p if p <= 0.0031308 else 1.055 * p ** (1 / 2.4) - 0.055) for p in clipped
    ]


def of_scale(chance: float) -> str:
    low, middle, high = SCALE
    pair = (low, middle, 2 * chance) if chance <= 0.5 else (middle, high, 2 * chance - 1)
    return "#" + "".join(f"{round(part):02x}" for part in mixed(*pair))


def test_pictures_have_the_scale_of_the_page_in_steps_and_its_digits_can_be_read_everywhere():
    for tenth, colour in enumerate(TENTHS):
        assert of_scale((tenth + 0.5) / 10) == colour
    for percent in range(1, 100):
        assert contrast(ink_of(percent / 100), of_scale(percent / 100)) >= 4.5, percent


def test_the_themes_of_boards_are_those_of_reports_and_drawings_of_encodings():
    for theme, ground in (("light", LIGHT), ("dark", DARK)):
        assert all(
            getattr(THEMES[theme], name) == getattr(ground, name) for name in ground.__slots__
        )


def test_an_empty_cell_has_no_zero_but_where_a_zero_says_more():
    palette = THEMES["light"]
    assert len(marks(Tile(TileKind.OPENED, "0"), palette)) == 1
    assert len(marks(Tile(TileKind.OPENED, "0", zero=True), palette)) > 1
    found = shown(svg(plain_scene(Position.parse(BOARD))))
    assert found[0][0] == "0, clue"


def test_the_legend_of_odds_is_a_scale_of_all_tenths_with_its_meaning():
    document = svg(odds_scene(odds(Position.parse("2 3 2\n1??\n???"))))
    below = shown(document)[2:]
    scale = [said.split(",")[0] for row in below for said in row if "chance" in said]
    assert scale == [f"{percent:02}" for percent in range(5, 100, 10)]
    assert 'aria-label="chance of a mine in percent"' in document


SHAPED = (TileKind.SAFE, TileKind.MINE, TileKind.FLAG, TileKind.EXPLODED, TileKind.SHOWN)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", [kind for kind in TileKind if kind is not TileKind.COVERED])
def test_what_is_written_on_a_cell_can_be_read(theme, kind):
    """At least 4.5 to 1, as WCAG asks for text."""
    glyphs = {TileKind.CHANCE: [f"{n:02}" for n in range(1, 100)]}.get(kind, list("12345678"))
    for glyph in glyphs:
        drawn = marks(Tile(kind, glyph), THEMES[theme])
        ink = drawn[-1].colour
        shape = marks(Tile(kind), THEMES[theme])[-1] if kind in SHAPED else drawn[0]
        assert contrast(ink, shape.colour) >= 4.5, (theme, kind, glyph, ink, shape)


def test_every_verdict_has_a_shape_of_its_own():
    """Without any colour: the outlines differ."""
    lines = [
        tuple((mark.line, mark.width) for mark in marks(Tile(kind, "S"), THEMES["light"])[:-1])
        for kind in (TileKind.SAFE, TileKind.MINE, TileKind.FLAG, TileKind.UNKNOWN)
    ]
    assert len(set(lines)) == 4
    rings = [tuple(marks(Tile(TileKind.OPENED, "1", ring), THEMES["light"])) for ring in Ring]
    assert len(set(rings)) == len(Ring)
