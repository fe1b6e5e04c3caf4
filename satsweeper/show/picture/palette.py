"""Colours that survive colour blindness, on light ground and on dark.

Verdicts take theirs from the palette of Okabe and Ito (Color Universal Design, 2008) and differ in
lightness as well; chances of a mine are shown by lightness alone, in steps of cividis (Nuñez,
Anderton and Renslow, PLoS ONE 13(7), 2018). No colour says what a character or a shape does not.
"""

from dataclasses import dataclass
from typing import Final

CIVIDIS: Final = (
    "#00224e", "#123570", "#3b496c", "#575d6d", "#707173",
    "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838",
)  # fmt: skip
"""Colours of chances, from no mine to a mine, in ten equal steps."""

SKY, VERMILLION, ORANGE, PURPLE, YELLOW = "#56b4e9", "#d55e00", "#e69f00", "#cc79a7", "#f0e442"
RUST = "#a33f00"
"""A darker vermillion on which white is legible."""
BLACK, WHITE = "#101418", "#ffffff"


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a theme, as ``#rrggbb``.

    ``digits`` are those of the clues 0 to 8.
    """

    page: str
    text: str
    faint: str
    covered: str
    opened: str
    fresh: str
    unknown: str
    digits: tuple[str, ...]
    ring: str


THEMES: Final = {
    "light": Palette(
        page="#ffffff",
        text="#20262c",
        faint="#6a737c",
        covered="#b4bec9",
        opened="#f1f2f0",
        fresh="#cfe9f9",
        unknown="#2c3640",
        digits=("#b9bdc0", "#0060a8", "#006b4a", "#a84400", "#4a3fb5",
                "#a3232f", "#665900", "#4f5b66", "#20262c"),
        ring="#101418",
    ),
    "dark": Palette(
        page="#14181c",
        text="#e6e9ec",
        faint="#98a3ad",
        covered="#56626e",
        opened="#20262c",
        fresh="#0c3850",
        unknown="#e6e9ec",
        digits=("#4a545d", "#5fb4f5", "#4cc9a0", "#f59a4d", "#b0a9ff",
                "#ff8a92", "#d8c84a", "#b5c2cc", "#ffffff"),
        ring="#ffffff",
    ),
}  # fmt: skip
"""Name of a theme -> its colours."""


def heat(percent: int) -> str:
    """The colour of a chance in percent."""
    return CIVIDIS[min(percent // 10, 9)]


def ink_on(colour: str) -> str:
    """Black or white, whichever is read more easily on a colour (WCAG's relative luminance)."""
    return WHITE if luminance(colour) < 0.18 else BLACK


def luminance(colour: str) -> float:
    """The relative luminance of a colour, 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
