"""The colours of a board wherever it is shown, and the scale of chances.

Pictures, notebooks and the page draw verdicts with the shapes of `show/picture/marks`; a terminal
has their letters, and all say the words of `show/sentences`. Safe is blue and light, a mine is
brown and dark, so that they differ for every kind of eyes and in print; and on the scale of chances
darker means likelier to be a mine.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Final

from pbcnf.palette import DARK, LIGHT, Ground
from satsweeper.show.letters import STYLES as STYLES

SCALE: Final = ("#fff4d6", "#d07a2c", "#7a2b00")
"""Colours of the chances 0, 1/2 and 1; between them OKLab is mixed. Equal in every theme."""
TENTHS: Final = (
    "#fbe8c6", "#f3cfa6", "#eab786", "#e09f65", "#d68641",
    "#c77228", "#b6621f", "#a45216", "#93420c", "#823303",
)  # fmt: skip
"""Colours of chances in pictures, tenth by tenth: the scale in the middle of each."""
TENTHS_IN_TERMINALS: Final = (230, 223, 215, 208, 172, 166, 130, 94, 124, 88)
"""The same as numbers in a terminal of 256 colours, darker from tenth to tenth."""
LIGHT_INK: Final = 0.65
"""The chance above which the digits of a chance are white; up to it they are black."""
BLACK, WHITE = "#000000", "#ffffff"


@dataclass(frozen=True, slots=True)
class Palette(Ground):
    """The colours of a theme, as ``#rrggbb``.

    ``outline`` goes around the shapes of verdicts, ``edge`` around covered cells; ``digits`` are
    the colours of the clues 0 to 8. ``because``, ``clash`` and ``guess`` are frames.
    """

    covered: str
    edge: str
    opened: str
    dyed_covered: str
    dyed_opened: str
    outline: str
    because: str
    clash: str
    guess: str
    digits: tuple[str, ...]
    # Shapes are equal in every theme: a mine is the dark end of the scale; blue and yellow are
    # those of Okabe and Ito (Color Universal Design, 2008).
    safe: str = "#56b4e9"
    on_safe: str = BLACK
    mine: str = SCALE[-1]
    on_mine: str = WHITE
    flag: str = "#f0e442"
    on_flag: str = BLACK


THEMES: Final = {
    "light": Palette(
        **asdict(LIGHT),
        covered="#b4bec9",
        edge="#737e89",
        opened="#f1f2f0",
        dyed_covered="#8f9cab",
        dyed_opened="#d3d8dc",
        outline="#101418",
        because="#6b3fa0",
        clash=LIGHT.alarm,
        guess="#0f6e66",
        digits=("#59626b", "#1546c0", "#16692e", "#b3261e", "#23236f",
                "#7a1f1f", "#0c6468", "#1d1d1d", "#5c5c5c"),
    ),
    "dark": Palette(
        **asdict(DARK),
        covered="#4a5662",
        edge="#8994a0",
        opened="#20262c",
        dyed_covered="#353f49",
        dyed_opened="#0a0d10",
        outline="#ffffff",
        because="#c6a2f2",
        clash=DARK.alarm,
        guess="#4fd1c5",
        digits=("#a3adb7", "#8fb4ff", "#86d39a", "#ff9a8f", "#b4b0ff",
                "#f0a4a4", "#7fd3d3", "#f2f2f2", "#b5b5b5"),
    ),
}  # fmt: skip
"""Name of a theme -> its colours."""


def ink_of(chance: float) -> str:
    """The colour of the digits of a chance, 0 to 1, on the colour of the chance."""
    return WHITE if chance > LIGHT_INK else BLACK


def heat(chance: float | Fraction) -> str:
    """The style of a chance, 0 to 1, in a terminal, and of S and M for certain cells."""
    if chance in (0, 1):
        return STYLES["M" if chance else "S"]
    tenth = min(int(chance * 10), 9)
    ink = "color(231)" if ink_of((tenth + 0.5) / 10) == WHITE else "color(16)"
    return f"{ink} on color({TENTHS_IN_TERMINALS[tenth]})"


_NAMES: Final = {
    "paper": "ground", "sheet": "band", "ink": "text", "quiet": "faint", "line": "rule",
    "border": "border", "accent": "accent", "on-accent": "on_accent", "wrong": "alarm",
    "covered": "covered", "edge": "faint", "open": "opened", "grid": "rule", "outline": "outline",
    "safe": "safe", "safe-ink": "on_safe", "mine": "mine", "mine-ink": "on_mine",
    "mark": "because", "clash": "clash",
}  # fmt: skip
"""Name of a custom property of the page -> the colour of a theme.

Cells of the page are controls, whose edge has 3 to 1 to what is on both of its sides.
"""


def style_sheet() -> str:
    """The colours as custom properties of CSS, light and dark: the page's file ``palette.css``."""
    return "".join(
        [
            "/* Made from satsweeper/show/palette.py when the page is built. */\n\n",
            ":root {\n",
            *_properties(THEMES["light"]),
            *(
                f"  --heat-{name}: {colour};\n"
                for name, colour in zip(("low", "middle", "high"), SCALE, strict=True)
            ),
            f"  --cold-ink: {BLACK};\n  --warm-ink: {BLACK};\n  --hot-ink: {WHITE};\n",
            "}\n\n@media (prefers-color-scheme: dark) {\n:root {\n",
            *_properties(THEMES["dark"]),
            "}\n}\n",
        ]
    )


def _properties(theme: Palette) -> Iterator[str]:
    for name, field in _NAMES.items():
        yield f"  --{name}: {getattr(theme, field)};\n"
    for clue, colour in enumerate(theme.digits[1:], 1):
        yield f"  --n{clue}: {colour};\n"
