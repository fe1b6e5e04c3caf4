"""Colours as eyes see them that lack a kind of cone, by published matrices."""

import math
from itertools import combinations, pairwise

import pytest

from satsweeper.show.picture.marks import CIVIDIS, THEMES, luminance, marks
from satsweeper.show.picture.scene import Ring, Tile, TileKind

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
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def apart(a: str, b: str, eyes: str) -> float:
    pairs = zip(seen(a, eyes), seen(b, eyes), strict=True)
    return math.sqrt(sum((x - y) ** 2 for x, y in pairs))


def shapes(theme: str) -> dict[str, str]:
    """The colour of each verdict: of its shape, or of the cell."""
    palette = THEMES[theme]
    kinds = (TileKind.SAFE, TileKind.MINE, TileKind.FLAG, TileKind.UNKNOWN)
    drawn = {kind: marks(Tile(kind, "?"), palette) for kind in kinds}
    return {kind: each[kind is not TileKind.UNKNOWN].colour for kind, each in drawn.items()}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eyes", SEEN)
def test_verdicts_differ_for_all_eyes(theme: str, eyes: str) -> None:
    # 10 is far more than the just noticeable difference of 2.3.
    for a, b in combinations(shapes(theme).items(), 2):
        assert apart(a[1], b[1], eyes) > 10 or TileKind.UNKNOWN in (a[0], b[0]), (a, b)
    assert apart(shapes(theme)[TileKind.SAFE], shapes(theme)[TileKind.MINE], eyes) > 25
    assert apart(THEMES[theme].covered, THEMES[theme].opened, eyes) > 15


@pytest.mark.parametrize("eyes", SEEN)
def test_chances_grow_lighter_step_by_step(eyes: str) -> None:
    light = [seen(colour, eyes)[0] for colour in CIVIDIS]
    assert all(b - a > 4 for a, b in pairwise(light))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", [kind for kind in TileKind if kind is not TileKind.COVERED])
def test_what_is_written_on_a_cell_can_be_read(theme: str, kind: TileKind) -> None:
    """At least 4.5 to 1, as WCAG asks for text; a 0 says that there is nothing, and is faint."""
    glyphs = {TileKind.CHANCE: [f"{n:02}" for n in range(1, 100)]}.get(kind, list("12345678"))
    for glyph in glyphs:
        drawn = marks(Tile(kind, glyph), THEMES[theme])
        ink = drawn[-1].colour
        shaped = kind in (TileKind.SAFE, TileKind.MINE, TileKind.FLAG, TileKind.EXPLODED)
        ground = drawn[shaped].colour
        a, b = sorted((luminance(ink), luminance(ground)))
        assert (b + 0.05) / (a + 0.05) >= 4.5, (theme, kind, glyph, ink, ground)


def test_every_verdict_has_a_shape_of_its_own() -> None:
    """Without any colour: the outlines differ."""
    lines = [
        tuple((mark.line, mark.width) for mark in marks(Tile(kind, "S"), THEMES["light"])[:-1])
        for kind in (TileKind.SAFE, TileKind.MINE, TileKind.FLAG, TileKind.UNKNOWN)
    ]
    assert len(set(lines)) == 4
    rings = [tuple(marks(Tile(TileKind.OPENED, "1", ring), THEMES["light"])) for ring in Ring]
    assert len(set(rings)) == len(Ring)
