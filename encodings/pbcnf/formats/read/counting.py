r"""DIMACS CNF for model counters, of the Model Counting Competitions: the reader.

::

    c t pwmc
    p cnf 3 2
    c p show 1 2 0
    c p weight 1 0.4 0
    c p weight -1 3/5 0
    1 2 3 0
    -1 2 0

Models are counted over all declared variables, or projected on the variables shown. The weight of a
model is the product of the weights of its literals, 1 by default; give the weights of both literals
of a variable, as counters disagree on the default. Weights are exact: decimals, as in ``3e-5``, or
fractions. ``c ind 1 2 0``, the older way of ``c p show``, is read. Reference: the data format of
the Model Counting Competitions 2021 to 2024; the README of ganak.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import IO, Final

from pbcnf.formats.compressed import MOST_BYTES
from pbcnf.formats.error import FormatError, declared_variables, excerpt
from pbcnf.formats.read.dimacs import read_clauses
from pbcnf.formats.statements import Comment
from pbcnf.formula import Formula
from pbcnf.literals import Lit, Var

KINDS: Final = ("mc", "pmc", "wmc", "pwmc")
"""Plain, projected, weighted, and both."""


_ALIASES: Final = {"wpmc": "pwmc"}
_MOST_EXPONENT: Final = 400
MOST_DIGITS: Final = 1000
_TOKEN: Final = re.compile(rb"[^ \t]+")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,6}))?")
_FRACTION: Final = re.compile(r"([+-]?[0-9]+)/([0-9]*[1-9][0-9]*)")
DIRECTIVE: Final = re.compile(r"\s*(?:t|p\s+(?:show|weight)|ind)(?:\s|$)")


@dataclass(frozen=True, slots=True)
class CountingFile:
    """The content of a file for a model counter.

    `kind` is the declared kind of count, one of `KINDS`, or None. `show`: the variables to project
    on; None for all variables. `weights`: the weight of each literal as in the file.
    """

    formula: Formula = field(repr=False)
    kind: str | None = None
    show: tuple[Var, ...] | None = field(repr=False, default=None)
    weights: Mapping[Lit, Fraction] = field(repr=False, default_factory=dict)
    comments: tuple[str, ...] = field(repr=False, default=())
    notes: tuple[str, ...] = ()


def read_counting(stream: IO[bytes], source: str, *, limit: int = MOST_BYTES) -> CountingFile:
    """Read a binary stream, compressed or not; `source` names it in errors.

    Comments that are not instructions are kept. `limit`: see `pbcnf.formats.compressed`. The stream
    stays open. Raises FormatError with line and column for any violation of the format, two
    weights of one literal and complex weights included, and OSError.
    """
    formula, statements = read_clauses(stream, source, limit=limit)
    found = _Instructions(source, formula.num_vars)
    rest = tuple(comment.text for comment in statements.comments if not found.take(comment))
    show = None if found.show is None else tuple(found.show)
    return CountingFile(formula, found.kind, show, found.weights, rest, tuple(statements.notes))


@dataclass(slots=True)
class _Instructions:
    """Instructions found in comments: the kind of count, the projection and the weights."""

    source: str
    num_vars: int
    kind: str | None = None
    show: dict[Var, None] | None = None
    weights: dict[Lit, Fraction] = field(default_factory=dict)

    def take(self, comment: Comment) -> bool:
        """Read one comment; return whether `comment` is an instruction."""
        if not comment.raw.startswith((b" ", b"\t")):
            return False
        start = _TOKEN.findall(comment.raw[:64])[:2]
        if start == [b"p", b"show"]:
            self._show(comment, 2)
        elif start == [b"p", b"weight"]:
            self._weight(comment)
        elif start[:1] == [b"ind"]:
            self._show(comment, 1)
        elif start[:1] == [b"t"] and len(_TOKEN.findall(comment.raw)) == 2:
            self._kind(comment)
        else:
            return False
        return True

    def _kind(self, comment: Comment) -> None:
        place, token = self._tokens(comment)[1]
        kind = token.decode("ascii", "replace")
        kind = _ALIASES.get(kind, kind)
        if kind not in KINDS:
            self._refuse(comment, place, f"'{excerpt(token)}' is none of {', '.join(KINDS)}")
        if self.kind is not None and kind != self.kind:
            self._refuse(comment, place, f"'{kind}', but '{self.kind}' came before")
        self.kind = kind

    def _show(self, comment: Comment, words: int) -> None:
        tokens = self._tokens(comment)
        if tokens[-1][1] != b"0" or len(tokens) == words:
            self._refuse(comment, tokens[-1][0], "the variables to show need a 0 at the end")
        self.show = {} if self.show is None else self.show
        for place, token in tokens[words:-1]:
            if not re.fullmatch(rb"[1-9][0-9]*", token):
                self._refuse(comment, place, f"'{excerpt(token)}' is no variable")
            self.show[abs(self._lit(comment, place, token))] = None

    def _weight(self, comment: Comment) -> None:
        tokens = self._tokens(comment)
        if len(tokens) != 5 or tokens[-1][1] != b"0":
            message = "needed is 'c p weight LITERAL WEIGHT 0' (a complex weight is not read)"
            self._refuse(comment, tokens[-1][0], message)
        place, token = tokens[2]
        if not re.fullmatch(rb"-?[1-9][0-9]*", token):
            self._refuse(comment, place, f"'{excerpt(token)}' is no literal")
        lit = self._lit(comment, place, token)
        place, token = tokens[3]
        weight = _weight_of(token)
        if weight is None:
            self._refuse(
                comment, place, f"'{excerpt(token)}' is no weight: a decimal or a fraction"
            )
        elif self.weights.setdefault(lit, weight) != weight:
            self._refuse(comment, place, f"a second weight of {lit}, which is {self.weights[lit]}")

    def _lit(self, comment: Comment, place: int, token: bytes) -> Lit:
        if len(token) > 11 or abs(int(token)) > self.num_vars:
            message = f"{excerpt(token)}: {declared_variables(self.num_vars)}"
            self._refuse(comment, place, message)
        return int(token)

    def _tokens(self, comment: Comment) -> list[tuple[int, bytes]]:
        return [(match.start(), match[0]) for match in _TOKEN.finditer(comment.raw)]

    def _refuse(self, comment: Comment, place: int, message: str) -> None:
        raise FormatError(self.source, comment.line, comment.column + place, message)


def _weight_of(token: bytes) -> Fraction | None:
    """Return the exact value of a weight; None for any other token, or for too long a number."""
    text = token.decode("ascii", "replace")
    if len(text) > MOST_DIGITS:
        return None
    decimal = _DECIMAL.fullmatch(text)
    if decimal is None:
        return Fraction(text) if _FRACTION.fullmatch(text) else None
    if decimal[1] is not None and abs(int(decimal[1])) > _MOST_EXPONENT:
        return None
    return Fraction(text)
