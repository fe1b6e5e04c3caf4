"""A picture as one page of HTML that needs nothing else: the drawing, and the same in words."""

from html import escape

from satsweeper.show.picture.palette import Palette
from satsweeper.show.picture.scene import Film
from satsweeper.show.picture.svg import film_svg


def film_html(film: Film, palette: Palette, cell: int | None, title: str) -> str:
    """A page with the picture; below it the board in characters, or what each picture says."""
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
