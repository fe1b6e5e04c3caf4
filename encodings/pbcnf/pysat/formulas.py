"""Formulas of PySAT made from our clauses, their variables, and PySAT's numbers of encodings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol
from weakref import WeakKeyDictionary

from pysat.formula import CNF, CNFPlus, IDPool

from pbcnf.constraints.constraint import Constraint
from pbcnf.emission.encode import encode, template_if_met_before
from pbcnf.encoders.circuits.template import lookup_of
from pbcnf.errors import EncodingError
from pbcnf.formula import Formula
from pbcnf.literals import Lit

__all__ = [
    "CNF",
    "AtMost",
    "CNFPlus",
    "IDPool",
    "Pool",
    "emitted",
    "encoded",
    "native",
    "top_of",
]

AtMost = tuple[list[Lit], int] | tuple[list[Lit], int, list[int]]
"""A native bound of a solver: literals, the upper bound and, unless all are 1, the weights."""


class Pool(Protocol):
    """The methods used of `pysat.formula.IDPool`."""

    top: int

    def id(self) -> int:
        """Return a number that is free."""
        ...


_FEW: Final = 400
"""The number of clauses up to which a template makes lists one by one faster than by a formula."""

_AUXILIARY: WeakKeyDictionary[Any, tuple[object, list[range]]] = WeakKeyDictionary()
"""Pool -> its table of names, and the ranges, upwards, of the auxiliary variables it numbered."""


def _auxiliary(vpool: Pool) -> list[range]:
    """Return the auxiliary variables of constraints of ours in a pool, since it last began anew."""
    if not isinstance(vpool, IDPool):
        return []
    table, found = _AUXILIARY.get(vpool, (None, []))
    if table is not vpool.obj2id or (found and vpool.top < found[-1][-1]):
        _, found = _AUXILIARY[vpool] = (vpool.obj2id, [])
    return found


def top_of(lits: Iterable[Lit], top_id: int | None, vpool: Pool | None) -> int:
    """Return the largest variable so far.

    Raises ValueError for both a top and a pool, and for a literal whose variable the pool gave to
    an earlier constraint as an auxiliary variable: it would have two meanings.
    """
    lits = list(lits)
    most = max(map(abs, lits), default=0)
    if vpool is None:
        return max(top_id or 0, most)
    if top_id:
        raise ValueError("top_id and vpool: there can be one of them, not both")
    taken = _auxiliary(vpool)
    # Mostly all inputs lie below: no search is needed then.
    for var in map(abs, lits) if taken and most >= taken[0].start else ():
        at = bisect_right(taken, var, key=lambda numbers: numbers.start)
        if at and var in taken[at - 1]:
            raise ValueError(
                f"variable {var} is an auxiliary variable of an earlier constraint: the pool must"
                " know all inputs before, as by IDPool(start_from=...)"
            )
    return max(vpool.top, most)


def encoded(
    constraint: Constraint, top: int, vpool: Pool | None, encoder: str | None, when: Sequence[Lit]
) -> Any:
    """Return a `CNFPlus`: the literals of `when` together imply the constraint."""
    made = None if when else template_if_met_before(constraint, encoder)
    if made is not None and made.num_clauses <= _FEW:
        nv = top + made.auxiliaries
        lookup = lookup_of([*constraint.lits, *range(top + 1, nv + 1)])
        return _numbered([list(clause(lookup)) for clause in made.getters], nv, top, vpool)

    def emit(formula: Formula) -> None:
        guard = when[0] if when else None
        if len(when) > 1:
            guard = formula.new_var()
            formula.add_clause([*(-lit for lit in when), guard])
        encode(constraint, formula, encoder, when=guard)

    return emitted(emit, top, vpool)


def native(atmosts: list[AtMost], top: int, vpool: Pool | None) -> Any:
    """Return bounds as a `CNFPlus`, for solvers with native cardinality constraints."""
    result = emitted(lambda formula: None, top, vpool)
    result.atmosts = atmosts
    return result


def emitted(emit: Callable[[Formula], None], top: int, vpool: Pool | None) -> Any:
    """Return the clauses emitted above the variable `top`; a pool numbers the auxiliary variables.

    `nv` of the result is at least `top`, even if nothing is emitted: a caller that passes `nv` as
    the next `top_id` never reuses a variable.
    """
    formula = Formula(top)
    emit(formula)
    return _numbered(list(formula.clauses()), formula.num_vars, top, vpool)


def _numbered(clauses: list[list[Lit]], nv: int, top: int, vpool: Pool | None) -> Any:
    result: Any = CNFPlus()
    result.clauses, result.nv = clauses, nv
    if vpool is not None:
        vpool.top = max(vpool.top, top)
        variables = range(top + 1, nv + 1)
        given = [vpool.id() for _ in variables]
        taken = _auxiliary(vpool)
        # A pool may skip numbers that are in use: auxiliary variables are then renumbered.
        if given == list(variables):
            taken += [variables] if variables else []
        else:
            taken += [range(number, number + 1) for number in given]
            numbers = dict(zip(variables, given, strict=True))
            numbers |= {-old: -new for old, new in numbers.items()}
            result.clauses = [[numbers.get(x, x) for x in clause] for clause in result.clauses]
        result.nv = max([top, *given])
    return result


NATIVE = "native"
"""The name for no encoder: the solver treats the bound natively."""


class NoSuchEncodingError(EncodingError):
    """The encoding has no such number or name."""


class Number(int):
    """A number of an `EncType`, with its name in that class and the name of our encoder.

    `CardEnc` and `PBEnc` give one name different numbers: 6 is the totalizer in `CardEnc` and
    native in `PBEnc`. A `Number` of one class that is given to the other means the encoding of
    equal name.
    """

    name: str
    encoder: str | None

    def __new__(cls, value: int, encoder: str | None, name: str = "") -> Number:
        """Return a number for an encoder; None chooses one."""
        number = super().__new__(cls, value)
        number.encoder, number.name = encoder, name
        return number

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name in the class."""
        self.name = name

    def __getnewargs__(self) -> tuple[int, str | None, str]:  # type: ignore[override]
        """Return the constructor arguments for a copy."""
        return int(self), self.encoder, self.name


def encoder_of(encoding: int | str, own: type) -> str | None:
    """Return the name of our encoder, `NATIVE`, or None to choose; `own` is an `EncType`.

    Raises NoSuchEncodingError.
    """
    # A `Number`, of either class, means the encoding of its name; a plain int the equal number.
    if isinstance(encoding, Number):
        same: Number = getattr(own, encoding.name, encoding)
        return same.encoder
    from pbcnf.encoders.table import ENCODERS

    if isinstance(encoding, str) and encoding in ENCODERS:
        return encoding
    for number in vars(own).values():
        if isinstance(number, Number) and number == encoding:
            return number.encoder
    raise NoSuchEncodingError(f"there is no encoding {encoding!r}")
