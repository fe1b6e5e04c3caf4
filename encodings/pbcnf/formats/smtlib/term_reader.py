"""Reader of SMT-LIB terms, word by word, as terms of pysmt: every error has line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, NoReturn

from pbcnf.formats.error import FormatError, excerpt
from pbcnf.formats.smtlib.operators import CORE, OPERATORS, Operator, Sort, Value, indexed

# The text of SMT-LIB 2 in tokens, each with its place, and in commands, with their parentheses.

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
        """Return the error at the place of `token`."""
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
        """Return the next token; at the end of the command always its last parenthesis."""
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


NUMERAL: Final = re.compile(r"0|[1-9][0-9]{0,3999}")
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,3999})")
_NAME: Final = re.compile(
    r"\|[ -{}~\t\r\n]*\||[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*"
)
_SIMPLE: Final = re.compile(r"\|([A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*)\|")
_RESERVED: Final = (*CORE, "let", "!", "_", "as", "forall", "exists", "match", "par")
MOST_TERMS: Final = 300_000
"""The most terms that calls of defined functions may expand to."""


class Function(NamedTuple):
    """A function without a definition."""

    symbol: Any
    sorts: tuple[Sort, ...]
    gives: Sort


class Definition(NamedTuple):
    """A function with a definition, over symbols that stand for its arguments."""

    parameters: tuple[Value, ...]
    body: Value


Meaning = Value | Function | Definition


def name_of(token: Token) -> str:
    """Return the name of a word: ``|x|`` is ``x``; a name that needs its bars keeps them."""
    match = _SIMPLE.fullmatch(token.text)
    return token.text if match is None else match[1]


def new_name(tokens: Tokens, taken: Mapping[str, object]) -> str:
    """Take a name that nothing has yet. Raises FormatError for another word."""
    token = tokens.take()
    if token.kind != "word" or not _NAME.fullmatch(token.text) or token.text in _RESERVED:
        raise tokens.script.error(token, f"{token.shown()} is no name that is read here")
    name = name_of(token)
    if name in taken:
        raise tokens.script.error(token, f"{token.shown()} is declared twice")
    return name


@dataclass(slots=True)
class _Frame:
    """A term in parentheses that has been opened and not closed."""

    open: Token
    head: Token
    does: Operator | Function | Definition | str
    """The operator or function to apply, or ``let``, ``binding`` or ``!``."""
    parts: list[Value] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    hidden: list[Value | None] = field(default_factory=list)
    """Values of the names of a ``let`` outside the ``let``."""


class TermReader:
    """Reads one term after another of a command."""

    def __init__(
        self, tokens: Tokens, names: dict[str, Meaning], environment: Any, expanded: list[int]
    ) -> None:
        """Take the meanings of global names, to which ``:named`` terms are added.

        `expanded` holds one number: the terms made by expanding definitions.
        """
        self._tokens, self._names, self._environment = tokens, names, environment
        self._manager = environment.formula_manager
        self._expanded = expanded
        self._local: dict[str, Value | None] = {}
        self._within_definition = False

    def read(self, parameters: Mapping[str, Value] | None = None) -> Value:
        """Return the next term. Raises FormatError for unsupported input."""
        self._local = dict(parameters or {})
        self._within_definition = bool(parameters)
        frames: list[_Frame] = []
        while True:
            token = self._tokens.take()
            if token.kind == "open":
                self._open(token, frames)
                continue
            if token.kind == "close":
                if not frames or frames[-1].does == "binding":
                    self._refuse(token, "a term is needed")
                value = self._joined(frames.pop(), token)
            else:
                value = self._atom(token)
            while frames and frames[-1].does == "!":
                value = self._annotated(frames.pop(), value)
            if not frames:
                return value
            frames[-1].parts.append(value)
            if frames[-1].does == "binding":
                self._tokens.expect("close", "the ) of ( NAME TERM )")
                self._next_binding(frames[-1])

    def _open(self, token: Token, frames: list[_Frame]) -> None:
        head = self._tokens.take()
        if head.kind == "open":
            frames.append(_Frame(token, head, self._indexed(head)))
        elif head.kind != "word":
            self._refuse(head, "an operator or the name of a function is needed")
        elif head.text == "let":
            self._tokens.expect("open", "let ( ( NAME TERM ) ... ) TERM")
            frames.append(_Frame(token, head, "binding"))
            self._next_binding(frames[-1])
        elif head.text == "!":
            frames.append(_Frame(token, head, "!"))
        else:
            frames.append(_Frame(token, head, self._meaning(head)))

    def _meaning(self, head: Token) -> Operator | Function | Definition:
        found = self._names.get(name_of(head))
        if isinstance(found, Function | Definition):
            return found
        if found is not None or self._local.get(name_of(head)) is not None:
            self._refuse(head, "it is no function")
        if head.text not in OPERATORS:
            message = f"{head.shown()} is no operator or function that is read here"
            raise self._tokens.script.error(head, message)
        return OPERATORS[head.text]

    def _indexed(self, head: Token) -> Operator:
        words = []
        while (token := self._tokens.take()).kind == "word":
            words.append(token)
        name, *numbers = [each.text for each in words[1:]] or [""]
        operator = None
        if words and words[0].text == "_" and all(map(_NUMBER.fullmatch, numbers)):
            operator = indexed(name, [int(number) for number in numbers])
        if token.kind != "close" or operator is None:
            allowed = "only (_ divisible k) of Ints and Z3's (_ at-most k) and pble are read"
            shown = self._tokens.script.between(head, token)
            raise self._tokens.script.error(head, f"{shown}: {allowed}")
        return operator

    def _next_binding(self, frame: _Frame) -> None:
        """Go on to the next binding of a ``let``, or to the body behind the last one."""
        if self._tokens.peek().kind == "open":
            self._tokens.take()
            name = new_name(self._tokens, dict.fromkeys(frame.names))
            if isinstance(self._names.get(name), Function | Definition):
                self._refuse(self._tokens.peek(), f"{name} is a function")
            frame.names.append(name)
            return
        self._tokens.expect("close", "( NAME TERM )")
        if not frame.names:
            self._refuse(self._tokens.peek(), "let ( ( NAME TERM ) ... ) TERM is needed")
        frame.hidden = [self._local.get(name) for name in frame.names]
        self._local.update(zip(frame.names, frame.parts, strict=True))
        frame.does, frame.parts = "let", []

    def _annotated(self, frame: _Frame, value: Value) -> Value:
        """Take the attributes behind a term, and the parenthesis behind them."""
        while (key := self._tokens.take()).kind != "close":
            if not key.text.startswith(":"):
                self._refuse(key, "attributes are :KEY VALUE")
            if key.text == ":named":
                if self._within_definition:
                    self._refuse(key, "a term over parameters has no name")
                self._names[new_name(self._tokens, self._names)] = value
                continue
            depth = 0
            while depth or self._tokens.peek().kind != "close":
                token = self._tokens.peek()
                if not depth and token.text.startswith(":"):
                    break
                depth += {"open": 1, "close": -1}.get(token.kind, 0)
                self._tokens.take()
        return value

    def _atom(self, token: Token) -> Value:
        name = name_of(token)
        found = self._local.get(name) or self._names.get(name)
        if isinstance(found, Value):
            return found
        if isinstance(found, Function | Definition):
            self._refuse(token, "a function without its arguments")
        if NUMERAL.fullmatch(token.text):
            return Value(self._manager.Int(int(token.text)), "Int")
        if token.text in ("true", "false"):
            return Value(self._manager.Bool(token.text == "true"), "Bool")
        if token.kind == "quoted":
            self._refuse(token, "strings are not read")
        message = f"{token.shown()} is neither declared nor a number"
        raise self._tokens.script.error(token, message)

    def _joined(self, frame: _Frame, close: Token) -> Value:
        sorts = [each.sort for each in frame.parts]
        match frame.does:
            case "!":
                self._refuse(close, "(! TERM :KEY VALUE ...) is needed")
            case "let":
                if len(frame.parts) != 1:
                    self._wrong(frame, close, "let ( ( NAME TERM ) ... ) takes one term")
                self._local.update(zip(frame.names, frame.hidden, strict=True))
                return frame.parts[0]
            case Operator():
                if not frame.does.fits(sorts):
                    self._wrong(frame, close, frame.does.wanted)
                if frame.head.text in ("div", "mod") and any(
                    part.term.is_int_constant() and not part.term.constant_value()
                    for part in frame.parts[1:]
                ):
                    self._wrong(frame, close, "nothing is divided by 0")
                return frame.does.make(self._manager, [part.term for part in frame.parts], sorts)
            case Function():
                self._arguments(frame, close, list(frame.does.sorts))
                terms = [part.term for part in frame.parts]
                return Value(self._manager.Function(frame.does.symbol, terms), frame.does.gives)
            case Definition():
                self._arguments(frame, close, [each.sort for each in frame.does.parameters])
                return self._expanded_to(frame.does, frame)
        raise AssertionError(frame.does)

    def _arguments(self, frame: _Frame, close: Token, wanted: list[Sort]) -> None:
        if [each.sort for each in frame.parts] != wanted or not wanted:
            self._wrong(frame, close, f"it takes {', '.join(wanted) or 'no arguments'}")

    def _expanded_to(self, definition: Definition, frame: _Frame) -> Value:
        given = {
            parameter.term: part.term
            for parameter, part in zip(definition.parameters, frame.parts, strict=True)
        }
        before = len(self._manager.formulae)
        term = self._environment.substituter.substitute(definition.body.term, given)
        self._expanded[0] += len(self._manager.formulae) - before
        if self._expanded[0] > MOST_TERMS:
            self._refuse(frame.head, f"definitions expand to more than {MOST_TERMS:,} terms")
        return Value(term, definition.body.sort)

    def _wrong(self, frame: _Frame, close: Token, wanted: str) -> NoReturn:
        script = self._tokens.script
        message = f"{script.between(frame.open, close)} is not read: {wanted}"
        raise script.error(frame.open, message)

    def _refuse(self, token: Token, message: str) -> NoReturn:
        raise self._tokens.script.error(token, f"{token.shown()}: {message}")
