"""A drawing for a page of anyone's: in the colours of its theme, apart from what else is there."""

import hashlib
import re
from dataclasses import fields
from typing import Final

from satsweeper.show.picture.palette import THEMES, Palette
from satsweeper.show.picture.scene import Film
from satsweeper.show.picture.svg import film_svg

_DIGITS: Final = len(THEMES["light"].digits)
_NAMES: Final = [each.name for each in fields(Palette) if each.name != "digits"]
_NAMED: Final = Palette(
    digits=tuple(f"@digit{at}" for at in range(_DIGITS)), **{name: f"@{name}" for name in _NAMES}
)
"""Names in place of colours."""


def both_themes(film: Film, cell: int | None = None) -> str:
    """The drawing as one element: light, or dark where the reader's system prefers that.

    A viewer that knows no style sheets shows the light colours. No name in it is that of anything
    in another drawing.
    """
    drawing = film_svg(film, _NAMED, cell, film.scenes[-1].caption[0])
    key = f"s{hashlib.sha256(drawing.encode()).hexdigest()[:10]}"
    light, dark = _colours(THEMES["light"]), _colours(THEMES["dark"])
    drawing = re.sub(r'\bid="', f'id="{key}', drawing)
    drawing = drawing.replace('href="#', f'href="#{key}')
    drawing = re.sub(
        rf'(fill|stroke)="@({"|".join(light)})"',
        lambda found: f'class="{key}-{found[1]}-{found[2]}" {found[1]}="{light[found[2]]}"',
        drawing,
    )
    used = sorted(set(re.findall(rf'class="{key}-(fill|stroke)-(\w+)"', drawing)))
    # A selector with an ancestor in it would not reach into what <use> shows.
    rules = "".join(f".{key}-{how}-{name}{{{how}:{dark[name]}}}" for how, name in used)
    style = f"<style>@media screen and (prefers-color-scheme:dark){{{rules}}}</style>"
    head, _, body = drawing.partition(">")
    fits = 'style="max-width:100%;height:auto"'
    return f"{head} {fits}>{style}{body}"


def _colours(theme: Palette) -> dict[str, str]:
    named: dict[str, str] = {name: getattr(theme, name) for name in _NAMES}
    return named | {f"digit{at}": colour for at, colour in enumerate(theme.digits)}
