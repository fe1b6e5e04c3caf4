"""The characters of the text format, and the tables between them and cell codes."""

from typing import Final

from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE, PADDING

COVERED_SYMBOLS: Final = "?#.H-"
"""All read as a covered cell; the first one is written."""

FLAG_SYMBOLS: Final = "F!*"
"""All read as a flag; the first one is written."""

ALLOWED: Final = "a cell is 0-8, ? (also # . H -) or F (also ! *)"

SPACES: Final = " \t"
"""May stand anywhere between cells."""

INVALID: Final = 126
"""What ``TO_CODES`` makes of a byte that is neither a cell nor a line end."""

CODES: Final = {
    **{str(clue): clue for clue in range(MAX_CLUE + 1)},
    **dict.fromkeys(COVERED_SYMBOLS, COVERED),
    **dict.fromkeys(FLAG_SYMBOLS, FLAG),
}

TO_CODES: Final = bytes(
    PADDING if chr(byte) == "\n" else CODES.get(chr(byte), INVALID) & 255 for byte in range(256)
)
"""Translates ASCII rows to cell codes, line ends to ``PADDING``."""

_WRITTEN = {code & 255: symbol for symbol, code in reversed(CODES.items())} | {PADDING: "\n"}

TO_TEXT: Final = bytes(ord(_WRITTEN.get(code, "\0")) for code in range(256))
"""Translates padded cell codes to rows; a code no position may hold becomes NUL."""
