"""The text of SMT-LIB 2: the commands that are read here, each with its place, and no other words.

A parser that knows all of SMT-LIB takes more than a problem over 0/1 variables can be, and says
less about where. What passes here has balanced parentheses and known words only.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pbcnf.formats.error import FormatError, printable

_TOKEN: Final = re.compile(
    r"(?P<space>[ \t\r\n]+|;[^\n]*)|(?P<open>\()|(?P<close>\))"
    r"|(?P<quoted>\"(?:[^\"]|\"\")*\"|\|[^|]*\|)|(?P<word>[^\s()|\";]+)|(?P<other>.)",
    re.DOTALL | re.ASCII,
)
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_~!@$%^&*+=<>.?/-]*")
_NUMERAL: Final = re.compile(r"0|[1-9][0-9]{0,3999}")
_CONSTANTS: Final = ("true", "false")
_OPERATORS: Final = (
    "and", "or", "not", "xor", "ite", "+", "-", "*", "<=", ">=", "<", ">", "=",
)  # fmt: skip
_SKIPPED: Final = (
    "set-info", "set-logic", "set-option", "check-sat", "get-model", "get-value", "get-info",
    "echo", "exit",
)  # fmt: skip
_LOGICS: Final = ("QF_LIA", "QF_UF", "QF_IDL", "QF_UFLIA", "LIA", "ALL")
_DEEPEST: Final = 200


@dataclass(frozen=True, slots=True)
class Command:
    """A declaration or an assertion."""

    name: str
    text: str
    """All of it, on one line, a space between its parts."""
    place: tuple[int, int]
    """Line and column of its parenthesis, from 1."""
    tokens: "tuple[_Token, ...]" = field(repr=False)
    script: "_Script" = field(repr=False)

    def subterms(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield every term in parentheses with its place, what is within before what is around."""
        opened: list[int] = []
        for index, token in enumerate(self.tokens[1:-1], start=1):
            if token.kind == "open":
                opened.append(index)
            elif token.kind == "close":
                start = opened.pop()
                text = " ".join([each.text for each in self.tokens[start : index + 1]])
                yield text, self.script.place(self.tokens[start].offset)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    offset: int


class _Script:
    """A text, and where its lines begin."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def error(self, token: _Token, message: str) -> FormatError:
        return FormatError(self.source, *self.place(token.offset), message)


def commands(text: str, source: str) -> Iterator[Command]:
    """Yield the declarations and assertions of a script.

    Raises FormatError, with line and column, for a command or a word that is not read, and where
    parentheses do not match.
    """
    script = _Script(text, source)
    declared: set[str] = set()
    for tokens in _groups(script):
        head = tokens[1]
        if head.text in ("declare-fun", "declare-const"):
            _declaration(script, tokens, declared)
        elif head.text == "assert":
            _assertion(script, tokens, declared)
        elif head.text in _SKIPPED:
            if head.text == "set-logic" and tokens[2].text not in _LOGICS:
                raise script.error(tokens[2], f"logic {_shown(tokens[2])} is not read")
            if head.text == "exit":
                return
            continue
        else:
            raise script.error(head, f"a command {_shown(head)} is not read")
        line = " ".join([token.text for token in tokens])
        yield Command(head.text, line, script.place(tokens[0].offset), tuple(tokens), script)


def _groups(script: _Script) -> Iterator[list[_Token]]:
    """Yield the tokens of each command, its parentheses included; it has a word after the first."""
    tokens: list[_Token] = []
    opened: list[_Token] = []
    for match in _TOKEN.finditer(script.text):
        kind = str(match.lastgroup)
        if kind == "space":
            continue
        token = _Token(kind, match[0], match.start())
        if kind == "other":
            raise script.error(token, f"{_shown(token)} is not read here")
        if kind == "open":
            opened.append(token)
        elif not opened:
            raise script.error(token, f"{_shown(token)} outside of a command")
        elif kind == "close":
            opened.pop()
        if len(opened) > _DEEPEST:
            raise script.error(token, f"more than {_DEEPEST} parentheses in each other")
        tokens.append(token)
        if len(tokens) == 2 and kind != "word":
            raise script.error(token, f"{_shown(token)} where the name of a command is needed")
        if not opened:
            yield tokens
            tokens = []
    if opened:
        raise script.error(opened[-1], "this parenthesis is never closed")


def _declaration(script: _Script, tokens: list[_Token], declared: set[str]) -> None:
    function = tokens[1].text == "declare-fun"
    shape = "( declare-fun NAME ( ) SORT )" if function else "( declare-const NAME SORT )"
    for token, wanted in zip(tokens, shape.split(), strict=False):
        if wanted == "NAME":
            if not _NAME.fullmatch(token.text) or token.text in (*_OPERATORS, *_CONSTANTS):
                raise script.error(token, f"{_shown(token)} is no name that is read here")
            if token.text in declared:
                raise script.error(token, f"{_shown(token)} is declared twice")
            declared.add(token.text)
        elif wanted == "SORT":
            if token.text not in ("Int", "Bool"):
                raise script.error(token, f"{_shown(token)}: only Int and Bool are read")
        elif token.text != wanted:
            raise script.error(token, f"{_shown(token)}: {shape} is needed (no functions)")
    if len(tokens) != len(shape.split()):
        raise script.error(tokens[-1], f"the declaration ends here: {shape} is needed")


def _assertion(script: _Script, tokens: list[_Token], declared: set[str]) -> None:
    before = tokens[1]
    for token in tokens[2:]:
        if token.kind == "word":
            if before.kind == "open":
                if token.text not in _OPERATORS:
                    raise script.error(token, f"{_shown(token)} is no operator that is read here")
            elif not (
                token.text in declared or token.text in _CONSTANTS or _NUMERAL.fullmatch(token.text)
            ):
                raise script.error(token, f"{_shown(token)} is neither declared nor a number")
        elif token.kind == "quoted" or (token.kind == before.kind == "open"):
            raise script.error(token, f"{_shown(token)} has no meaning here")
        before = token


def _shown(token: _Token) -> str:
    return f"'{printable(token.text.encode('latin-1', 'replace'))}'"
