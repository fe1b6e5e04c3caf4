"""The kinds of pictures, and how each is written: equal scenes give equal bytes."""

from collections.abc import Callable
from html import escape
from pathlib import PurePath
from typing import Final

from pbcnf.wording import counted
from satsweeper.show.picture.marks import Palette
from satsweeper.show.picture.scene import Film
from satsweeper.show.picture.svg import film_svg

ENDINGS: Final[dict[str, str]] = {
    "svg": "both",
    "html": "both",
    "png": "both",
    "gif": "a game",
    "webp": "a game",
}
"""Ending of a file -> the subjects of such pictures: a game moves, a board does not."""
PIXELS: Final = ("png", "gif", "webp")
"""The endings of pictures that need pillow."""

MOST_CELLS: Final = 40_000
MOST_PIXELS: Final = 40_000_000
"""The most cells, and the most pixels, of one picture."""


def ending_of(file: str, format: str | None = None) -> str:
    """The ending of ``file``, or ``format`` if ``file`` has none.

    Raises ValueError, a line, where ``file`` has another ending, or ``format`` is None and needed.
    """
    ending = PurePath(file).suffix.removeprefix(".").lower()
    if format is not None and ending not in {"", format}:
        raise ValueError(f"{file}: the name says .{ending}, and the format is to be {format}")
    ending = format or ending
    if ending not in ENDINGS:
        raise ValueError(f"{file}: a picture ends with .{', .'.join(ENDINGS)}")
    return ending


def check_size(rows: int, columns: int, cell: int | None) -> None:
    """Raise ValueError, a line, for a board that is too large to be drawn."""
    if rows * columns > MOST_CELLS:
        raise ValueError(
            f"{counted(rows * columns, 'cell')}; a picture has {MOST_CELLS} at the most"
        )
    if cell is not None and rows * columns * cell * cell > MOST_PIXELS:
        raise ValueError(
            f"{columns}x{rows} cells of {cell} pixels are more than {MOST_PIXELS} pixels"
        )


def picture(
    film: Film,
    ending: str,
    palette: Palette,
    cell: int | None,
    title: str,
    reach: Callable[[float], object] = lambda done: None,
) -> bytes:
    """The bytes of a picture; ``reach`` is called with the number of scenes drawn.

    Raises PicturesMissingError.
    """
    if ending == "svg":
        return film_svg(film, palette, cell, title).encode()
    if ending == "html":
        return film_html(film, palette, cell, title).encode()
    from satsweeper.show.picture.pixels import check_pictures, film_bytes, scene_png

    check_pictures(f".{ending}")
    if len(film.scenes) == 1:
        return scene_png(film.scenes[0], palette, cell)
    return film_bytes(film, palette, cell, ending, reach)


def film_html(film: Film, palette: Palette, cell: int | None, title: str) -> str:
    """A self-contained page of HTML: the picture, and below a description in words."""
    drawing = film_svg(film, palette, cell, title)
    if len(film.scenes) > 1:
        said = [escape(" ".join(scene.caption)) for scene in film.scenes]
        words = "<ol>\n" + "\n".join(f"<li>{line}</li>" for line in said) + "\n</ol>"
    else:
        words = f"<pre>{escape(film.scenes[0].text)}</pre>"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
body {{ margin: 1rem; background: {palette.page}; color: {palette.text}; font-family: sans-serif }}
svg {{ max-width: 100%; height: auto }}
summary {{ cursor: pointer }}
</style>
</head>
<body>
<figure>
{drawing}</figure>
<details><summary>In words</summary>
{words}
</details>
</body>
</html>
"""
