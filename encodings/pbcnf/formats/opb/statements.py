"""The statements of an OPB file, each up to its semicolon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbcnf.formats.error import FormatError


@dataclass(slots=True)
class OpbStatement:
    """The text before a semicolon; where it begins is kept for errors."""

    text: bytes
    source: str
    line: int
    column: int

    def error(self, offset: int, message: str) -> FormatError:
        """Return the error at `offset` of the text, or at the next thing that is not white."""
        offset += len(self.text[offset:]) - len(self.text[offset:].lstrip())
        before = self.text[:offset]
        newlines = before.count(b"\n")
        column = offset + self.column if not newlines else offset - before.rfind(b"\n")
        return FormatError(self.source, self.line + newlines, column, message)


def statements(lines: Iterable[bytes], source: str) -> Iterator[OpbStatement]:
    """Yield the statements one by one; a line that begins with a star is a comment.

    Text from a line that begins with ``/*`` to the next ``*/`` is a comment, too. Raises
    FormatError for text behind the last semicolon.
    """
    text, line, column = b"", 1, 1
    for number, row in enumerate(without_comments(lines, source), start=1):
        if row.startswith(b"*"):
            # A comment inside a statement keeps its line, so that errors count right.
            text += b"\n" if text.strip() else b""
            continue
        if not text.strip():
            text, line, column = b"", number, 1
        text += row
        while b";" in row:
            end = text.index(b";") + 1
            yield OpbStatement(text[: end - 1], source, line, column)
            newlines = text.count(b"\n", 0, end)
            column = end - text.rfind(b"\n", 0, end) if newlines else column + end
            line += newlines
            text = row = text[end:]
    if text.strip():
        rest = OpbStatement(text, source, line, column)
        raise rest.error(len(text.rstrip()) - 1, "the last statement has no ';' at its end")


def without_comments(lines: Iterable[bytes], source: str) -> Iterator[bytes]:
    """Yield the lines; blanks instead of comments that begin with ``/*`` at the start of one."""
    begun = 0
    for number, line in enumerate(lines, start=1):
        row = line
        if begun or row.startswith(b"/*"):
            begun = begun or number
            comment, end, rest = row.partition(b"*/")
            row = b" " * len(comment + end) + rest if end else b"\n"
            begun = 0 if end else begun
        yield row
    if begun:
        raise FormatError(source, begun, 1, "the comment has no '*/' at its end")
