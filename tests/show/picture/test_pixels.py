"""Pictures of pixels, read back: what is where, equal bytes, and films that move."""

import io
import random

import pytest

from satsweeper import Position, classify
from satsweeper.board.size import BoardSize
from satsweeper.play.narration import narrate_strategy
from satsweeper.show.palette import THEMES
from satsweeper.show.picture.boards import game_film, verdict_scene
from satsweeper.show.picture.pixels import Painter
from satsweeper.show.picture.scene import Film, Ring, Scene, Sheet, Tile, TileKind
from satsweeper.show.picture.write import picture

Image = pytest.importorskip("PIL.Image")
LIGHT = THEMES["light"]
TILES = [
    *(Tile(TileKind.OPENED, str(n)) for n in range(9)),
    Tile(TileKind.SAFE, "S"), Tile(TileKind.MINE, "M"), Tile(TileKind.FLAG, "F"),
    Tile(TileKind.UNKNOWN, "?"), Tile(TileKind.COVERED), Tile(TileKind.FRESH, "1"),
    Tile(TileKind.EXPLODED, "*"),
    Tile(TileKind.OPENED, "1", Ring.BECAUSE), Tile(TileKind.FRESH, "1", Ring.GUESS),
]  # fmt: skip


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def opened(data: bytes):
    return Image.open(io.BytesIO(data))


def still(scene: Scene, cell: int | None = None, theme: str = "light") -> bytes:
    return picture(Film((scene,), (0,)), "png", THEMES[theme], cell, "")


@pytest.mark.parametrize("cell", [12, 28])
@pytest.mark.parametrize("theme", THEMES)
def test_every_kind_of_cell_looks_different_even_in_grey(cell, theme):
    """The digits, too: without any colour and at the smallest usual size."""
    scene = Scene((("", (tuple(TILES),)),), ())
    image = opened(still(scene, cell, theme)).convert("L")
    cells = [
        image.crop((t.x, t.y, t.x + t.side, t.y + t.side)).tobytes()
        for t in Sheet.of((scene,), cell).tiles(scene)
    ]
    for i, a in enumerate(cells):
        for b in cells[:i]:
            assert sum(abs(x - y) for x, y in zip(a, b, strict=True)) > 3 * cell * cell / 2


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("cell", [9, 28, 96])
def test_a_film_never_has_more_colours_than_a_table_holds(theme, cell):
    signs = {TileKind.MINE: "M", TileKind.FLAG: "F", TileKind.EXPLODED: "*", TileKind.COVERED: ""}
    kinds = [Tile(kind, sign) for kind, sign in signs.items()]
    digits = [Tile(kind, str(n)) for kind in (TileKind.OPENED, TileKind.FRESH) for n in range(9)]
    guesses = [tile._replace(ring=Ring.GUESS) for tile in (*kinds, *digits)]
    scene = Scene((("", ((*kinds, *digits, *guesses),)),), ("a word",))
    assert Painter(Sheet.of((scene,), cell), THEMES[theme]).table([scene]) is not None


def test_the_pixels_of_a_verdict_are_those_of_its_shape():
    """The board of Wikipedia's article: the corner is safe, and nothing else is certain."""
    scene = verdict_scene(classify(Position.parse("1??\n12?\n011")))
    image = opened(still(scene, 40)).convert("RGB")
    found = {}
    for number, t in enumerate(Sheet.of((scene,), 40).tiles(scene)):
        # Beside the letter, within disc and diamond.
        found[divmod(number, 3)] = image.getpixel((t.x + t.side // 4 - 1, t.y + t.side // 2 + 1))
    assert found[0, 0] == found[2, 2] == rgb(LIGHT.opened)
    assert {found[0, 1], found[0, 2], found[1, 2]} <= {
        rgb(LIGHT.safe),
        rgb(LIGHT.mine),
        rgb(LIGHT.covered),
    }
    assert found[0, 1] == rgb(LIGHT.mine)


def test_a_ring_is_there_in_its_colour():
    scene = Scene(
        (("", ((Tile(TileKind.OPENED, "1", Ring.BECAUSE), Tile(TileKind.OPENED, "1")),)),), ()
    )
    colours = {colour for _, colour in opened(still(scene, 40)).convert("RGB").getcolors(1 << 20)}
    assert rgb(LIGHT.because) in colours
    assert rgb(LIGHT.guess) not in colours


@pytest.fixture(scope="module")
def film():
    return game_film(narrate_strategy(BoardSize(8, 8, 10), seed=1), "8x8/10, seed 1")


@pytest.mark.parametrize("ending", ["svg", "html", "png", "gif", "webp"])
def test_equal_films_are_equal_bytes(film, ending):
    again = game_film(narrate_strategy(BoardSize(8, 8, 10), seed=1), "8x8/10, seed 1")
    assert again == film
    assert picture(film, ending, LIGHT, None, "t") == picture(again, ending, LIGHT, None, "t")


@pytest.mark.parametrize("ending", ["png", "gif", "webp"])
def test_a_film_has_a_picture_for_every_move_and_goes_round(film, ending):
    image = opened(picture(film, ending, LIGHT, None, "t"))
    assert image.n_frames == len(film.scenes)
    assert image.info["loop"] == 0
    shown = []
    for frame in range(image.n_frames):
        image.seek(frame)
        image.load()
        shown.append(round(image.info["duration"]))
    assert shown == list(film.durations)


@pytest.mark.parametrize("ending", ["png", "gif", "webp"])
def test_each_picture_of_a_film_is_the_still_one_pixel_by_pixel(film, ending):
    image = opened(picture(film, ending, LIGHT, None, "t"))
    sheet = Sheet.of(film.scenes, None)
    for frame in sorted(random.Random(1).sample(range(len(film.scenes)), 4)):
        image.seek(frame)
        seen = image.convert("RGB")
        alone = opened(still(film.scenes[frame])).convert("RGB")
        # A still picture has no more room for its words than they need.
        box = (0, 0, sheet.width, min(sheet.height, alone.height))
        assert seen.crop(box).tobytes() == alone.crop(box).tobytes()


@pytest.mark.parametrize(
    "board",
    ["30x16/99", pytest.param("78x21/450", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_the_largest_boards_take_less_than_two_megabytes(board, ending):
    size = BoardSize.parse(board)
    whole = game_film(
        narrate_strategy(size, seed=4, first_click="opening", start=(3, 3), go_on=True), board
    )
    assert len(picture(whole, ending, LIGHT, None, board)) < 2_000_000
