"""The letters of covered cells: what they say, and their styles in a terminal."""

from typing import Final

WORDS: Final = {"S": "safe", "M": "mine", "?": "unknown", "F": "flag"}
"""Letter of a covered cell -> what it says, in pictures, on the page and in a terminal."""

STYLES: Final = {"S": "bold color(32)", "M": "bold color(166)", "F": "magenta", "0": "dim"}
"""Character -> its style in a terminal, which only repeats what the character says. The colours
are those of pictures, of a lightness that is legible on black and on white."""
