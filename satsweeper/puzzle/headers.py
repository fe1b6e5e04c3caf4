"""Recognition of boards with rules and geometries by their first lines, without reading them."""

from __future__ import annotations

import re
from typing import Final

KEYS: Final = ("rules", "geometry", "mines")
"""The keys of the lines before the rows."""
HEADER: Final = re.compile(r"[ \t]*([A-Za-z]+)[ \t]*:[ \t]*(.*?)[ \t\r]*")
"""A line before the rows: its key and its value."""
_LINE: Final = re.compile(r"[^\n]+")
_MOST: Final = 1 << 16
"""The most characters in which a first line is sought, comments before it included."""


def may_hold_rules(data: str | bytes) -> bool:
    """Whether a text may be a board that `Puzzle` has to read, from its first lines alone."""
    if isinstance(data, bytes):
        head = data[:_MOST]
        codec = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
        text = head.decode(codec, "replace").removeprefix("\ufeff")
    else:
        text = data[:_MOST].removeprefix("\ufeff")
    return has_header(text)


def has_header(text: str) -> bool:
    """Whether the first line that is neither blank nor a comment is one of `KEYS` with a value.

    A code fence around the board is no such line either.
    """
    for line in _LINE.finditer(text):
        if line[0].strip() and not line[0].startswith((";", "# ", "```", "~~~")):
            found = HEADER.fullmatch(line[0])
            return found is not None and found[1] in KEYS
    return False
