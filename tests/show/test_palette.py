"""The page and the terminal have the colours and the words of pictures."""

import re
from pathlib import Path

import pytest

from satsweeper.show.palette import TENTHS_IN_TERMINALS, THEMES, heat, style_sheet
from satsweeper.show.picture.legend import SIGNS
from satsweeper.show.picture.scene import TileKind
from satsweeper.show.sentences import CHANCE_LEGEND, WORDS

PAGE = Path(__file__).parents[2] / "page"
SHEETS = {path.name: path.read_text("utf-8") for path in sorted(PAGE.glob("*.css"))}
LEVELS = (0, 95, 135, 175, 215, 255)
"""Red, green and blue of the colours 16 to 231 of a terminal (xterm)."""


def test_the_page_has_no_colour_of_its_own_and_every_name_it_uses():
    made = style_sheet()
    for name, text in SHEETS.items():
        assert not re.search(r":[^;{]*#[0-9a-f]{3,8}\b", text), name
    written = set(re.findall(r"(--[\w-]+):", made + "".join(SHEETS.values())))
    scripts = "".join(path.read_text("utf-8") for path in PAGE.glob("*.js"))
    written.update(re.findall(r'setProperty\("(--[\w-]+)"', scripts))
    used = set(re.findall(r"var\((--[\w-]+)", "".join(SHEETS.values())))
    assert used <= written
    assert 'href="palette.css"' in (PAGE / "index.html").read_text("utf-8")


@pytest.mark.parametrize("theme", THEMES)
def test_the_style_sheet_has_every_colour_in_both_themes(theme):
    light, _, dark = style_sheet().partition("@media (prefers-color-scheme: dark)")
    block = {"light": light, "dark": dark}[theme]
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    palette = THEMES[theme]
    assert (found["safe"], found["mine"], found["paper"]) == (
        palette.safe, palette.mine, palette.ground,
    )  # fmt: skip
    assert [found[f"n{clue}"] for clue in range(1, 9)] == list(palette.digits[1:])


def lightness(number: int) -> float:
    """The relative luminance of a colour of the terminal, as WCAG 2.2 defines it."""
    red, green, blue = (LEVELS[(number - 16) // step % 6] / 255 for step in (36, 6, 1))
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in (red, green, blue)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_in_a_terminal_too_darker_is_likelier_and_the_digits_can_be_read():
    lights = [lightness(number) for number in TENTHS_IN_TERMINALS]
    assert lights == sorted(lights, reverse=True)
    assert len(set(lights)) == 10
    for percent in range(1, 100):
        ink, ground = (int(number) for number in re.findall(r"color\((\d+)\)", heat(percent / 100)))
        dark, light = sorted((lightness(ink), lightness(ground)))
        assert (light + 0.05) / (dark + 0.05) >= 4.4, percent


def test_letters_and_words_are_those_of_pictures():
    kinds = {
        "S": TileKind.SAFE, "M": TileKind.MINE, "?": TileKind.UNKNOWN, "F": TileKind.FLAG,
    }  # fmt: skip
    assert {letter: SIGNS[kind][1] for letter, kind in kinds.items()} == WORDS
    assert all(SIGNS[kind][0].glyph == letter for letter, kind in kinds.items())
    legend = (PAGE / "toolbar.js").read_text("utf-8")
    for letter in "SM":
        assert f"{letter} {WORDS[letter]}" in legend
        assert f"{letter} {WORDS[letter]}" in CHANCE_LEGEND
