"""The encoders that a comparison can name: ours, other libraries', anyone's, and none at all."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from pbcnf.constraints.normal_form import size_of
from pbcnf.encoders.protocol import Encoder, Propagation
from pbcnf.encoders.table import ENCODERS
from pbcnf.formula import EncodingSize, Formula
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink
from pbcnf.wording import unknown_name
from satsweeper.peers import PEERS

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction

NATIVE: Final = "native"
"""No clauses: "at most k" goes to a solver that has it in its own code."""

Encoders = Mapping[str, Encoder]
"""Encoders of a caller's own, by the names that jobs give them."""


@dataclass(frozen=True, eq=False)
class FunctionEncoder:
    """A plain function ``(n, lower, upper) -> (variables, clauses)`` as an encoder.

    The inputs are 1 .. n in the clauses, the auxiliary variables follow. Where the function has no
    ranges (ValueError), one is "at most" and "at least" together.
    """

    name: str
    function: EncodeFunction = field(repr=False)
    propagation: Propagation = Propagation.NONE

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Nothing is claimed."""
        return False

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """The size, found by encoding."""
        return size_of(n, lower, upper, partial(_size, self))

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the function's clauses over these literals."""
        n = len(lits)
        for variables, clauses in self._parts(n, lower, upper):
            first = sink.new_vars(variables - n)
            stand = [0, *lits, *range(first, first + variables - n)]
            for clause in clauses:
                sink.add_clause([stand[lit] if lit > 0 else -stand[-lit] for lit in clause])

    def _parts(self, n: int, lower: int, upper: int) -> list[tuple[int, Sequence[Sequence[int]]]]:
        try:
            return [self.function(n, lower, upper)]
        except ValueError:
            if not 0 < lower <= upper < n:
                raise
        return [self.function(n, 0, upper), self.function(n, lower, n)]


def contestant(name: str, encoders: Encoders | None = None) -> Encoder | None:
    """The encoder of a name, None for ``native``.

    The name is one of ``encoders``, of ours, ``LIBRARY:NAME`` for an encoder of another library
    (``satsweeper.peers``), or ``MODULE:NAME`` for an encoder, or a function as ``FunctionEncoder``
    takes it, in an importable module. A module of a library's name cannot be reached.

    Raises:
        ValueError: there is no such encoder, with those that exist.
    """
    if encoders and name in encoders:
        return encoders[name]
    return None if name == NATIVE else _named(name, tuple(encoders or ()))


@cache
def _named(name: str, others: tuple[str, ...]) -> Encoder:
    if name in ENCODERS:
        return ENCODERS[name]
    place, colon, rest = name.partition(":")
    if colon and place in PEERS:
        return _peer(name)
    if colon:
        return _imported(name, place, rest)
    elsewhere = f", LIBRARY:NAME for those of {', '.join(PEERS)}, and MODULE:NAME for your own"
    raise ValueError(unknown_name("encoder", name, [*others, *ENCODERS, NATIVE], elsewhere))


def _peer(name: str) -> Encoder:
    from satsweeper.peers.audit import subjects

    found: Any = subjects([name])[0].encoder
    return FunctionEncoder(name, found)


def _imported(name: str, place: str, rest: str) -> Encoder:
    try:
        found: Any = importlib.import_module(place)
        for part in rest.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"unknown encoder {name!r}: {error}") from None
    if isinstance(found, type):
        found = found()
    if callable(getattr(found, "encode", None)) and callable(getattr(found, "size", None)):
        encoder: Encoder = found
        return encoder
    if callable(found):
        return FunctionEncoder(name, found)
    raise ValueError(f"{name!r} is no encoder: it has no encode() and size(), and is no function")


@cache
def _size(encoder: FunctionEncoder, n: int, lower: int, upper: int) -> EncodingSize:
    formula = Formula(n)
    encoder.encode(range(1, n + 1), lower, upper, formula)
    return EncodingSize(formula.num_vars - n, formula.num_clauses, formula.num_literals)
