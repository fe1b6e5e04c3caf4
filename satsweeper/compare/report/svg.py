"""A drawing inside a page: its colours become the page's, its ids its own, and it gets a name."""

import re
from html import escape
from typing import Final

INK: Final = "#010203"
GRID: Final = "#030201"
"""Colours to draw with that stand for the page's text and its rules."""

SERIES: Final = (
    ("#0060a8", "#5fb4f5"),
    ("#b84d00", "#f59a4d"),
    ("#00734f", "#4cc9a0"),
    ("#a03c83", "#e592c9"),
    ("#6d5f00", "#d8c84a"),
    ("#4a3fb5", "#aaa2ff"),
    ("#a3232f", "#ff8a92"),
    ("#4f5b66", "#b5c2cc"),
)
"""Colours of curves on light and on dark ground; draw with the first of each."""


def inline(drawing: str, key: str, title: str, description: str) -> str:
    """An SVG document as an element of a page of HTML.

    Args:
        drawing: the document.
        key: goes in front of every id, since those of a page are all different.
        title: the accessible name.
        description: what a reader who does not see it should know.
    """
    text = drawing[drawing.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\s(?:xmlns(?::\w+)?|version)="[^"]*"', "", text)
    text = re.sub(r'\bid="', f'id="{key}-', text)
    text = text.replace("url(#", f"url(#{key}-").replace('xlink:href="#', f'href="#{key}-')
    for at, (light, _) in enumerate(SERIES):
        text = text.replace(light, f"var(--s{at})")
    text = text.replace(INK, "currentColor").replace(GRID, "var(--rule)")
    head, _, rest = text.partition(">")
    head = re.sub(r'\s(?:width|height)="[^"]*"', "", head)
    named = f' role="img" aria-labelledby="{key}-title {key}-desc"'
    names = (
        f'<title id="{key}-title">{escape(title)}</title>'
        f'<desc id="{key}-desc">{escape(description)}</desc>'
    )
    return f"{head}{named}>{names}{rest}"
