"""Boards out of their wrapping: UTF-16 with a byte order mark, and Markdown code fences.

>>> unwrapped("```text\\n1?\\n```\\n", "b.md")
'\\n1?\\n\\n'
>>> unwrapped("1?\\n".encode("utf-16"), "b.txt")
'1?\\n'
"""

import re
from typing import Final

from satsweeper.notation.detect import UTF16_MARKS, is_mbf
from satsweeper.notation.error import BoardError
from satsweeper.notation.header import shortened

_OPENING: Final = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*[\w.+#-]*[ \t\r]*")


def unwrapped(data: str | bytes, source: str) -> str | bytes:
    """Return ``data`` without UTF-16 and code fences; lines keep their numbers.

    Raises ``BoardError`` for what is not UTF-16 behind its mark, and for a fence without its end.
    """
    if isinstance(data, bytes) and data.startswith(UTF16_MARKS) and not is_mbf(data):
        data = _from_utf16(data, source)
    if isinstance(data, str):
        return _without_fence(data, source) if "```" in data or "~~~" in data else data
    if (b"```" in data or b"~~~" in data) and not is_mbf(data):
        # Byte for byte, so that what is no UTF-8 is complained of where it stands.
        text = _without_fence(data.decode("utf-8", "surrogateescape"), source)
        return text.encode("utf-8", "surrogateescape")
    return data


def _from_utf16(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-16")
        what = f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-16"
        column = len(before) - before.rfind("\n")
        line = before.count("\n") + 1
        said = f"{what}, which the byte order mark announces"
        raise BoardError(source, line, column, said) from None


def _without_fence(text: str, source: str) -> str:
    """Return ``text`` with blank lines for the code fences, if it is one board between two."""
    lines = text.removeprefix("\ufeff").split("\n")
    told = [at for at, line in enumerate(lines) if line.strip(" \t\r")]
    first = next((at for at in told if not lines[at].startswith((";", "# "))), None)
    opening = None if first is None else _OPENING.fullmatch(lines[first])
    if first is None or opening is None:
        return text
    closing = lines[told[-1]].strip(" \t\r")
    if told[-1] == first or set(closing) != set(opening[1]) or len(closing) < len(opening[1]):
        fence = shortened(opening[1])
        what = f"code fence {fence!r}: a line {fence!r} must follow the last row, and nothing else"
        raise BoardError(source, first + 1, opening.start(1) + 1, what)
    lines[first] = lines[told[-1]] = ""
    return "\n".join(lines)
