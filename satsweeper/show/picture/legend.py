"""The legend below a board: each sign that occurs there, with its meaning."""

from typing import Final

from satsweeper.show.picture.scene import Ring, Tile, TileKind, Tiles
from satsweeper.show.sentences import CHANCE, WORDS

SIGNS: Final = {
    TileKind.SAFE: (Tile(TileKind.SAFE, "S"), WORDS["S"]),
    TileKind.MINE: (Tile(TileKind.MINE, "M"), WORDS["M"]),
    TileKind.UNKNOWN: (Tile(TileKind.UNKNOWN, "?"), WORDS["?"]),
    TileKind.COVERED: (Tile(TileKind.COVERED), "covered"),
    TileKind.FLAG: (Tile(TileKind.FLAG, "F"), WORDS["F"]),
    TileKind.EXPLODED: (Tile(TileKind.EXPLODED, "*"), "a mine that was opened"),
    TileKind.SHOWN: (Tile(TileKind.SHOWN, "*"), "a mine that is shown"),
}
_SCALE: Final = tuple(
    (Tile(TileKind.CHANCE, f"{percent:02}"), CHANCE if percent > 90 else "")
    for percent in range(5, 100, 10)
)
"""The scale of chances: a tile for each tenth, then the meaning."""
_RINGS: Final = {
    Ring.ASKED: (Tile(TileKind.COVERED, "", Ring.ASKED), "the cell"),
    Ring.BECAUSE: (Tile(TileKind.OPENED, "1", Ring.BECAUSE), "forces it"),
    Ring.CLASH: (Tile(TileKind.OPENED, "1", Ring.CLASH), "clashes"),
}
_DYED: Final = (Tile(TileKind.COVERED, dyed=True), "dyed")
LIMIT: Final = "A limit was reached: a ? may still turn out safe or a mine."
"""A note on verdicts that are not final."""


def legend(*boards: Tiles) -> tuple[tuple[Tile, str], ...]:
    """The legend of ``boards``: each sign that occurs there, with its meaning."""
    seen = {tile for tiles in boards for row in tiles for tile in row}
    kinds, rings = {tile.kind for tile in seen}, {tile.ring for tile in seen}
    signs = [sign for kind, sign in SIGNS.items() if kind in kinds]
    signs += _SCALE if TileKind.CHANCE in kinds else ()
    signs += [_DYED] * any(tile.dyed for tile in seen)
    return (*signs, *(sign for ring, sign in _RINGS.items() if ring in rings))
