"""The characters of the text format, and the tables between them and cell codes."""

from collections.abc import Mapping
from typing import Final

from satsweeper.board.codes import COVERED, FLAG, MAX_CLUE, PADDING

COVERED_SYMBOLS: Final = "?#.H-"
"""Characters of a covered cell; the first of them is written."""

FLAG_SYMBOLS: Final = "F!*"
"""Characters of a flag; the first of them is written."""

ALLOWED: Final = "a cell is 0-8, ? (also # . H -) or F (also ! *)"

SPACES: Final = " \t"
"""Characters allowed between cells."""

INVALID: Final = 126
"""Code in ``TO_CODES`` of a byte that is neither a cell nor a line end."""

DIGITS: Final = {str(clue): clue for clue in range(MAX_CLUE + 1)}
"""Characters of opened cells and their codes, in most formats."""

CODES: Final = {
    **DIGITS,
    **dict.fromkeys(COVERED_SYMBOLS, COVERED),
    **dict.fromkeys(FLAG_SYMBOLS, FLAG),
}

TO_CODES: Final = bytes(
    PADDING if chr(byte) == "\n" else CODES.get(chr(byte), INVALID) & 255 for byte in range(256)
)
"""Translation of ASCII rows to cell codes, line ends to ``PADDING``."""


def to_text(symbols: Mapping[int, str]) -> bytes:
    """Return the translation of padded cell codes to rows: ``symbols``, digits and line ends.

    ``symbols`` are the characters of codes, as bytes; a code without a character becomes NUL.
    """
    written = {PADDING: "\n", **dict(enumerate(DIGITS)), **symbols}
    return bytes(ord(written.get(code, "\0")) for code in range(256))


TO_TEXT: Final = to_text({COVERED & 255: COVERED_SYMBOLS[0], FLAG & 255: FLAG_SYMBOLS[0]})
"""The translation to rows of the text format."""


def refusal(character: str, allowed: str = ALLOWED) -> str:
    """Return the message for a character that is no cell; ``allowed`` lists the cells."""
    if character == "9":
        return f"clue 9: a clue is 0 to {MAX_CLUE}"
    if character == "\0":
        return f"NUL byte '\\x00': {allowed}"
    if character == "\r":
        return "carriage return '\\r' inside a line: a line ends with '\\n' or '\\r\\n'"
    if character == ";":
        return "';' after the beginning of a line: a comment is a line of its own"
    if character.isdigit():
        return f"non-ASCII digit {character!r}: a clue is one of the ASCII digits 0 to {MAX_CLUE}"
    return f"unknown character {character!r}: {allowed}"
