"""The text of SMT-LIB 2 in tokens, each with its place, and in commands, with their parentheses."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from pbcnf.formats.error import FormatError, excerpt

_TOKEN: Final = re.compile(
    r"(?P<space>[ \t\r\n]+|;[^\n]*)|(?P<open>\()|(?P<close>\))"
    r"|(?P<quoted>\"(?:[^\"]++|\"\")*+\")|(?P<word>\|[^|]*\||[^\s()|\";]+)|(?P<other>.)",
    re.DOTALL | re.ASCII,
)
_UNENDED: Final = {'"': "a string that never ends", "|": "a quoted name that never ends"}


class Token(NamedTuple):
    """A parenthesis, a string or a word."""

    kind: str
    """``open``, ``close``, ``quoted`` or ``word``."""
    text: str
    offset: int

    def shown(self) -> str:
        """Return the token as a message quotes words of the file."""
        return f"'{excerpt(self.text.encode('latin-1', 'replace'))}'"


class Script:
    """The text of a script, the offsets of its lines, and its name in messages."""

    def __init__(self, text: str, source: str) -> None:
        """Take the text, a character a byte."""
        self.text = text
        self.source = source
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def error(self, token: Token, message: str) -> FormatError:
        """Return the error that a token is the cause of."""
        return FormatError(self.source, *self.place(token.offset), message)

    def between(self, first: Token, last: Token) -> str:
        """Return the text from one token to another for a message, blanks for line feeds."""
        text = self.text[first.offset : min(last.offset + len(last.text), first.offset + 100)]
        return f"'{excerpt(' '.join(text.split()).encode('latin-1'))}'"

    def commands(self) -> Iterator[list[Token]]:
        """Yield the tokens of each command, from ( to ); the second token is a word.

        Raises FormatError for unbalanced parentheses and for text that is no token.
        """
        words: dict[str, str] = {}
        tokens: list[Token] = []
        opened: list[Token] = []
        for match in _TOKEN.finditer(self.text):
            kind, text = str(match.lastgroup), match[0]
            if kind == "space":
                continue
            token = Token(kind, words.setdefault(text, text), match.start())
            if kind == "other":
                what = _UNENDED.get(text, "no part of SMT-LIB")
                raise self.error(token, f"{token.shown()}: {what}")
            if kind == "open":
                opened.append(token)
            elif not opened:
                raise self.error(token, f"{token.shown()} outside of a command")
            elif kind == "close":
                opened.pop()
            tokens.append(token)
            if len(tokens) == 2 and kind != "word":
                raise self.error(token, f"{token.shown()} where the name of a command is needed")
            if not opened:
                yield tokens
                tokens = []
        if opened:
            raise self.error(opened[-1], "this parenthesis is never closed")


class Tokens:
    """The tokens of one command, read from left to right."""

    def __init__(self, script: Script, tokens: list[Token]) -> None:
        """Start behind the parenthesis of the command and its name."""
        self.script = script
        self.first = tokens[0]
        self.name = tokens[1].text
        self._tokens = tokens
        self._last = len(tokens) - 1
        self._next = 2

    def peek(self) -> Token:
        """Return the next token; the last parenthesis for good, once that is next."""
        return self._tokens[self._next if self._next < self._last else self._last]

    def take(self) -> Token:
        """Return the next token and go on."""
        token = self._tokens[self._next if self._next < self._last else self._last]
        self._next += 1
        return token

    def expect(self, kind: str, wanted: str) -> Token:
        """Return the next token, which must be of a kind. Raises FormatError for another."""
        token = self.take()
        if token.kind != kind:
            raise self.script.error(token, f"{token.shown()}: {wanted} is needed")
        return token

    def end(self, wanted: str) -> None:
        """Raise FormatError unless the last parenthesis is next."""
        if self._next < self._last:
            raise self.script.error(self.peek(), f"{self.peek().shown()}: {wanted}")
