"""Encoders of a user's own: ``MODULE:NAME``, in the current folder or on Python's module path.

NAME is a function ``(n, lower, upper) -> (variables, clauses)``, or an encoder by the protocol in
``pbcnf.encoders.protocol``, or a class of such encoders. Every command reports a fault of an
encoder in one line.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from pbcnf.constraints.normal_form import size_of
from pbcnf.encoders.protocol import Encoder, Propagation
from pbcnf.formula import EncodingSize, Formula
from pbcnf.literals import Lit, integer
from pbcnf.sink import ClauseSink
from pbcnf.wording import counted, unknown_name
from satsweeper.board.errors import Error
from satsweeper.peers import PEERS

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction


# Import of a user's own code, named ``MODULE:NAME``.


def load_named(name: str) -> Any:
    """The object called ``name``, ``MODULE:NAME``; its module may lie in the current folder.

    Exceptions raised by the module are passed on.

    >>> load_named("os.path:sep") in "/\\\\"
    True
    """
    place, _, rest = name.partition(":")
    if os.getcwd() not in sys.path and "" not in sys.path:
        # Last, so that no file in the folder hides a module of Python or of this package.
        sys.path.append(os.getcwd())
    found: Any = import_module(place)
    for part in rest.split("."):
        found = getattr(found, part)
    return found


SIGNATURE: Final = "(n, lower, upper) -> (variables, clauses)"
"""Signature of a function as encoder: the inputs are 1 .. n, all variables 1 .. ``variables``."""

_CALLS: Final = {"encode": ((1, 2), 0, 1, None), "size": (2, 0, 1), "parsimonious": (2, 0, 1)}
"""Method of an encoder -> arguments with which a call must be possible."""


class EncoderFaultError(Error):
    """Raised when a user's encoder breaks the protocol; names encoder, bound and fault."""


def one_line(error: BaseException) -> str:
    """Return the type and message of ``error`` in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


@contextmanager
def faults_reported(name: str, lower: int, upper: int, n: int) -> Iterator[None]:
    """Turn any exception of encoder ``name`` at a bound into an EncoderFaultError.

    ValueError, the refusal of a bound, and MemoryError are passed on.
    """
    try:
        yield
    except (ValueError, MemoryError, EncoderFaultError):
        raise
    except (Exception, SystemExit) as error:
        where = f"{lower} <= sum of {counted(n, 'literal')} <= {upper}"
        raise EncoderFaultError(f"encoder {name!r} fails on {where}: {one_line(error)}") from None


@dataclass(frozen=True, eq=False)
class FunctionEncoder:
    """A plain function ``(n, lower, upper) -> (variables, clauses)`` as an encoder.

    The inputs are 1 .. n in the clauses, the auxiliary variables follow. A range that the function
    refuses by ValueError is encoded as "at most" and "at least" together.

    All methods raise EncoderFaultError if ``function`` raises another exception, or returns
    something else than ``SIGNATURE`` requires.
    """

    name: str
    function: EncodeFunction = field(repr=False)
    propagation: Propagation = Propagation.NONE

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """False: nothing is claimed about models."""
        return False

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """The size, found by encoding."""
        return size_of(n, lower, upper, partial(_size, self))

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Emit the clauses of ``function`` for the bound, over ``lits`` and new variables."""
        n = len(lits)
        for answer in self._parts(n, lower, upper):
            with faults_reported(self.name, lower, upper, n):
                try:
                    _emit(answer, lits, sink)
                except Exception:
                    # Answers are examined only after a failure, so that right answers cost nothing.
                    _check(answer, n)
                    raise

    def _parts(self, n: int, lower: int, upper: int) -> list[Any]:
        try:
            return [self._called(n, lower, upper)]
        except ValueError:
            if not 0 < lower <= upper < n:
                raise
        return [self._called(n, 0, upper), self._called(n, lower, n)]

    def _called(self, n: int, lower: int, upper: int) -> Any:
        with faults_reported(self.name, lower, upper, n):
            return self.function(n, lower, upper)


def _emit(answer: Any, lits: Sequence[Lit], sink: ClauseSink) -> None:
    variables, clauses = answer
    n = len(lits)
    first = sink.new_vars(variables - n)
    # The literal in the sink for each variable of the answer: inputs, then auxiliary variables.
    renamed = [0, *lits, *range(first, first + variables - n)]
    for clause in clauses:
        sink.add_clause([renamed[lit] if lit > 0 else -renamed[-lit] for lit in clause])


def _check(answer: Any, n: int) -> None:
    """Raise TypeError unless ``answer`` is what ``SIGNATURE`` requires for ``n`` inputs."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise TypeError(f"it must be {SIGNATURE}, and returned {_short(answer)}")
    variables, clauses = answer
    if not _is_integer(variables) or variables < n:
        raise TypeError(f"the number of variables, {_short(variables)}, must be one from {n} on")
    inside = clauses if isinstance(clauses, Iterable) else ()
    if not all(isinstance(each, Iterable) for each in (clauses, *inside)):
        raise TypeError("the clauses are no list of lists of literals")
    for lit in (lit for clause in clauses for lit in clause):
        if not _is_integer(lit) or not 0 < abs(lit) <= variables:
            raise TypeError(f"{_short(lit)} is no literal of {counted(variables, 'variable')}")


def _is_integer(value: object) -> bool:
    try:
        integer(value, "it")
    except TypeError:
        return False
    return True


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) < 40 else f"{text[:36]} ..."


def own_encoder(name: str) -> Encoder:
    """The encoder called ``name``, ``MODULE:NAME``; its module may lie in the current folder.

    Raises:
        ValueError: there is no object of that name, or the object is no encoder; the message is one
            line, with the reason and the signature that an encoder needs.
    """
    try:
        found = load_named(name)
        if isinstance(found, type):
            found = found()
    except (Exception, SystemExit) as error:
        why = str(error) if isinstance(error, ImportError | AttributeError) else one_line(error)
        what = f"unknown encoder {name!r}"
        place = name.partition(":")[0]
        if isinstance(error, ModuleNotFoundError) and error.name == place:
            what = unknown_name("library", place, PEERS)
        raise ValueError(f"{what}: {' '.join(why.split())}") from None
    if callable(getattr(found, "encode", None)) and callable(getattr(found, "size", None)):
        for method, given in _CALLS.items():
            if not callable(getattr(found, method, None)):
                raise ValueError(f"{name!r} is no encoder: it has no {method}()")
            names = "lits, lower, upper, sink" if method == "encode" else "n, lower, upper"
            _require_call(name, getattr(found, method), given, f"it must be {method}({names})")
        for attribute, kind in (("name", str), ("propagation", Propagation)):
            if not isinstance(getattr(found, attribute, None), kind):
                raise ValueError(f"{name!r} is no encoder: its {attribute} is no {kind.__name__}")
        encoder: Encoder = found
        return encoder
    if not callable(found):
        raise ValueError(
            f"{name!r} is no encoder: it has no encode() and size(), and is no function {SIGNATURE}"
        )
    _require_call(name, found, (2, 0, 1), f"a function must be {SIGNATURE}")
    return FunctionEncoder(name, found)


def _require_call(name: str, call: Callable[..., Any], given: tuple[Any, ...], must: str) -> None:
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):  # Not every function that is written in C tells.
        return
    try:
        signature.bind(*given)
    except TypeError:
        what = getattr(call, "__name__", "it")
        raise ValueError(f"{name!r} is no encoder: {must}, not {what}{signature}") from None


@cache
def _size(encoder: FunctionEncoder, n: int, lower: int, upper: int) -> EncodingSize:
    formula = Formula(n)
    encoder.encode(range(1, n + 1), lower, upper, formula)
    return EncodingSize(formula.num_vars - n, formula.num_clauses, formula.num_literals)
