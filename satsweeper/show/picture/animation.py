"""A film as an animated GIF, WebP or PNG: the same bytes for the same film."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, Final

from satsweeper.show.picture.palette import Palette
from satsweeper.show.picture.pixels import Painter
from satsweeper.show.picture.scene import Film
from satsweeper.show.picture.sheet import Sheet

_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "gif": {"format": "GIF", "optimize": True, "disposal": 1},
    "webp": {"format": "WEBP", "lossless": True, "quality": 50, "method": 2, "exact": True},
    "png": {"format": "PNG", "optimize": True},
}
"""Ending of a file -> how pillow writes it. GIF: what changes, over what was there."""


def film_bytes(
    film: Film,
    palette: Palette,
    cell: int | None,
    ending: str,
    reach: Callable[[float], object] = lambda done: None,
) -> bytes:
    """A moving picture that goes round for ever; ``reach`` is told how many pictures are drawn."""
    painter = Painter(Sheet.of(film.scenes, cell), palette)
    table = None if ending == "webp" else painter.table(film.scenes)
    images = []
    for done, scene in enumerate(film.scenes):
        images.append(painter.painted(scene) if table is None else painter.indexed(scene, table))
        reach(done)
    out = io.BytesIO()
    images[0].save(
        out,
        save_all=True,
        append_images=images[1:],
        duration=list(film.durations),
        loop=0,
        **_OPTIONS[ending],
    )
    return out.getvalue()
