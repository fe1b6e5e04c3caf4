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
    r"|(?P<quoted>\"(?:[^\"]|\"\")*\")|(?P<word>\|[^|]*\||[^\s()|\";]+)|(?P<other>.)",
    re.DOTALL | re.ASCII,
)
_NAME: Final = re.compile(r"\|[ -{}~]+\||[A-Za-z_][A-Za-z0-9_~!@$%^&*+=<>.?/-]*")
_NUMERAL: Final = re.compile(r"0|[1-9][0-9]{0,3999}")
_CONSTANTS: Final = ("true", "false")
_OPERATORS: Final = (
    "and", "or", "not", "xor", "=>", "ite", "let", "+", "-", "*", "<=", ">=", "<", ">", "=",
    "distinct", "!",
)  # fmt: skip
_SKIPPED: Final = (
    "set-info", "set-logic", "set-option", "check-sat", "check-sat-using", "get-model", "get-value",
    "get-info", "get-option", "get-assertions", "get-objectives", "get-unsat-core", "eval", "apply",
    "echo", "exit",
)  # fmt: skip
_LOGICS: Final = ("QF_LIA", "QF_NIA", "QF_UF", "QF_IDL", "QF_UFLIA", "LIA", "ALL")
_OBJECTIVES: Final = ("minimize", "maximize")
_DEEPEST: Final = 200


@dataclass(frozen=True, slots=True)
class Command:
    """A declaration, a definition, an assertion or an objective."""

    name: str
    text: str
    """All of it, on one line, a space between its parts."""
    place: tuple[int, int]
    """Line and column of its parenthesis, from 1."""
    weight: int
    """What it costs to violate a soft assertion."""
    tokens: "tuple[_Token, ...]" = field(repr=False)
    script: "_Script" = field(repr=False)

    def subterms(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield every term in parentheses with its place, what is within before what is around.

        None if there is a ``let``: its names mean nothing outside of it.
        """
        if any(token.text == "let" for token in self.tokens):
            return
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
    """Yield the declarations, definitions, assertions and objectives of a script.

    Raises FormatError, with line and column, for a command or a word that is not read, and where
    parentheses do not match.
    """
    script = _Script(text, source)
    declared: set[str] = set()
    defined: set[str] = set()
    for tokens in _groups(script):
        head, weight = tokens[1], 1
        if head.text in ("declare-fun", "declare-const"):
            _declaration(script, tokens, declared | defined)
            declared.add(tokens[2].text)
        elif head.text == "define-fun":
            _definition(script, tokens, declared, defined)
        elif head.text in ("assert", *_OBJECTIVES):
            _term(script, tokens[1:], declared, defined)
        elif head.text == "assert-soft":
            tokens, weight = _without_attributes(script, tokens)
            _term(script, tokens[1:], declared, defined)
        elif head.text in _SKIPPED:
            if head.text == "set-logic" and tokens[2].text not in _LOGICS:
                raise script.error(tokens[2], f"logic {_shown(tokens[2])} is not read")
            if head.text == "exit":
                return
            continue
        else:
            raise script.error(head, f"a command {_shown(head)} is not read")
        line = " ".join([token.text for token in tokens])
        place = script.place(tokens[0].offset)
        yield Command(head.text, line, place, weight, tuple(tokens), script)


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


def _declaration(script: _Script, tokens: list[_Token], taken: set[str]) -> None:
    function = tokens[1].text == "declare-fun"
    shape = "( declare-fun NAME ( ) SORT )" if function else "( declare-const NAME SORT )"
    for token, wanted in zip(tokens, shape.split(), strict=False):
        if wanted == "NAME":
            _new_name(script, token, taken)
        elif wanted == "SORT":
            _sort(script, token)
        elif token.text != wanted:
            raise script.error(token, f"{_shown(token)}: {shape} is needed (no functions)")
    if len(tokens) != len(shape.split()):
        raise script.error(tokens[-1], f"the declaration ends here: {shape} is needed")


def _definition(
    script: _Script, tokens: list[_Token], declared: set[str], defined: set[str]
) -> None:
    """Check ``( define-fun NAME ( ( NAME SORT ) ... ) SORT TERM )``, and take the name."""
    waiting, parameters = iter(tokens[2:]), set[str]()
    name = _next(script, tokens, waiting)
    _new_name(script, name, declared | defined)
    _expect(script, _next(script, tokens, waiting), "open", "( ( NAME SORT ) ... )")
    while (token := _next(script, tokens, waiting)).kind == "open":
        _new_name(script, parameter := _next(script, tokens, waiting), parameters)
        parameters.add(parameter.text)
        _sort(script, _next(script, tokens, waiting))
        _expect(script, _next(script, tokens, waiting), "close", "( NAME SORT )")
    _expect(script, token, "close", "( ( NAME SORT ) ... )")
    _sort(script, sort := _next(script, tokens, waiting))
    _term(script, [sort, *waiting], declared | parameters, defined)
    defined.add(name.text)


def _next(script: _Script, tokens: list[_Token], waiting: Iterator[_Token]) -> _Token:
    token = next(waiting, None)
    if token is None:
        raise script.error(tokens[-1], "the definition ends here: it has no term")
    return token


def _expect(script: _Script, token: _Token, kind: str, shape: str) -> None:
    if token.kind != kind:
        raise script.error(token, f"{_shown(token)}: {shape} is needed")


def _new_name(script: _Script, token: _Token, taken: set[str]) -> None:
    if not _NAME.fullmatch(token.text) or token.text in (*_OPERATORS, *_CONSTANTS):
        raise script.error(token, f"{_shown(token)} is no name that is read here")
    if token.text in taken:
        raise script.error(token, f"{_shown(token)} is declared twice")


def _sort(script: _Script, token: _Token) -> None:
    if token.text not in ("Int", "Bool"):
        raise script.error(token, f"{_shown(token)}: only Int and Bool are read")


def _without_attributes(script: _Script, tokens: list[_Token]) -> tuple[list[_Token], int]:
    """Return ``( assert-soft TERM )`` and the weight that was behind the term."""
    end = next((at for at, token in enumerate(tokens) if token.text.startswith(":")), None)
    if end is None:
        return tokens, 1
    weight, attributes = 1, tokens[end:-1]
    for key, value in zip(attributes[::2], attributes[1::2], strict=False):
        if key.text == ":weight":
            if not _NUMERAL.fullmatch(value.text):
                raise script.error(value, f"{_shown(value)}: a weight is a natural number")
            weight = int(value.text)
        elif key.text != ":id":
            raise script.error(key, f"{_shown(key)}: only :weight and :id are read")
    if len(attributes) % 2:
        raise script.error(tokens[-1], f"{_shown(attributes[-1])} has no value")
    return [*tokens[:end], tokens[-1]], weight


def _term(script: _Script, tokens: list[_Token], declared: set[str], defined: set[str]) -> None:
    """Check the words of a term; the first token is what stands before it."""
    known = {*declared, *defined, *_CONSTANTS}
    before = tokens[0]
    within: list[str] = ["term"]
    """Per parenthesis what comes next: "operator", "pairs" of a let, "pair", "name", or "term"; a
    term with attributes behind it if "annotated"."""
    for token in tokens[1:]:
        expected = within[-1]
        if token.kind == "open":
            if expected in ("operator", "name"):
                raise script.error(token, f"{_shown(token)} has no meaning here")
            if expected == "pairs":
                within[-1] = "term"
            within.append({"pairs": "pair", "pair": "name"}.get(expected, "operator"))
        elif token.kind == "close":
            within.pop()
            if not within:
                return
        elif within[-1] == "annotated" and (token.text.startswith(":") or before.text[0] == ":"):
            pass
        elif token.kind == "quoted" or expected in ("pairs", "pair"):
            raise script.error(token, f"{_shown(token)} has no meaning here")
        elif expected == "operator":
            if token.text not in _OPERATORS and token.text not in defined:
                raise script.error(token, f"{_shown(token)} is no operator that is read here")
            within[-1] = {"let": "pairs", "!": "annotated"}.get(token.text, "term")
        elif expected == "name":
            _new_name(script, token, set())
            known.add(token.text)
            within[-1] = "term"
        elif token.text not in known and not _NUMERAL.fullmatch(token.text):
            raise script.error(token, f"{_shown(token)} is neither declared nor a number")
        before = token


def _shown(token: _Token) -> str:
    return f"'{printable(token.text.encode('latin-1', 'replace'))}'"
