"""`pysat.integer` over our encoders: its integers and constraints, our clauses, no pindakaas.

The code is PySAT's own, of the version that is installed; where it imports `pysat.card`, `pysat.pb`
and pindakaas it gets ours. Bounds on sums of integers know which literals of one integer exclude
each other (`pbcnf.emission.groups`) if ``intenc`` is ``EncType.best``; ``cardenc``, ``pbenc`` and
``intenc`` of `IntegerEngine.clausify` can also be names of our encoders.

>>> from pbcnf.pysat.integer import Integer, IntegerEngine
>>> x, y = (Integer(name, 0, 3, encoding="order") for name in "xy")
>>> engine = IntegerEngine([x, y])
>>> engine.add_linear(2 * x + y <= 3)
>>> len(engine.clausify().clauses)  # 4 of them are of the domains
6
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from pbcnf.emission.encode import encode
from pbcnf.emission.groups import Group
from pbcnf.formula import Formula
from pbcnf.language.expressions import Comparison, Literal, Sum, Terms
from pbcnf.language.output import EncodedOutput
from pbcnf.pysat import card, pb
from pbcnf.pysat.formulas import NoSuchEncodingError, Pool, emitted, encoder_of


class _Bounds:
    """Stands for the formula of pindakaas that collects bounds on sums of integers."""

    def __init__(self, top_id: int) -> None:
        self._groups: list[Group] = []
        self._stated: list[tuple[Comparison, str | None]] = []

    def int_var_from_order_literals(self, domain: Sequence[int], lits: Sequence[Literal]) -> Sum:
        """Return an integer; its literals say that it is at least the 2nd, the 3rd ... value."""
        steps = [after - before for before, after in pairwise(domain)]
        return self._integer(domain[0], lits, steps, chain=True)

    def int_var_from_direct_literals(self, domain: Sequence[int], lits: Sequence[Literal]) -> Sum:
        """Return an integer; its literals say that it has the 1st, the 2nd ... value."""
        # As one of them is true the least value can be subtracted from all.
        above = [value - domain[0] for value in domain]
        return self._integer(domain[0], lits, above, chain=False)

    def add_encoding(self, bound: Comparison, encoder: str | None) -> None:
        """State a bound, with its encoder; None chooses an encoder by size."""
        self._stated.append((bound, encoder))

    def emit(self, formula: Formula) -> None:
        """Encode the stated bounds, once all groups are known."""
        output = EncodedOutput(formula, functional=False)
        for group in self._groups:
            output.know(group)
        for bound, encoder in self._stated:
            if encoder is None:
                output.add(bound.constraint())
            else:
                encode(bound, formula, encoder)

    def _integer(
        self, least: int, lits: Sequence[Literal], weights: Sequence[int], *, chain: bool
    ) -> Sum:
        # The clauses of each domain are in every formula that has its bounds: the group holds.
        self._groups.append(Group(tuple(each.lit for each in lits), chain))
        return Sum(Terms(list(zip(lits, weights, strict=True))), least)


def _formula(bounds: _Bounds, top_id: int, vpool: Pool | None = None) -> Any:
    return emitted(bounds.emit, top_id, vpool)


class _Encoders:
    """A mapping from every encoding that `encoder_of` knows to our encoder and no options."""

    def __getitem__(self, encoding: int | str) -> tuple[str | None, dict[str, object]]:
        return encoder_of(encoding, pb.EncType), {}

    def __contains__(self, encoding: int | str) -> bool:
        try:
            return bool(self[encoding])
        except NoSuchEncodingError:
            return False


class _EncType(pb.EncType):
    """The numbers of `PBEnc`, and the private table of encoders of PySAT's class."""

    _to_encoder = _Encoders()


class _NeverRaisedError(Exception):
    """Pindakaas raises it for a bound that nothing meets; ours is the empty clause."""


_INSTEAD = {
    "pysat.card": card,
    "pysat.pb": SimpleNamespace(
        **{name: getattr(pb, name) for name in pb.__all__} | {"EncType": _EncType},
        _pindakaas_db=_Bounds,
        _pindakaas_cnf=_formula,
    ),
    "pindakaas": SimpleNamespace(
        Lit=SimpleNamespace(from_raw=Literal), Unsatisfiable=_NeverRaisedError
    ),
}
"""Module that PySAT's code imports -> ours in its place."""


def _imported(name: str, *details: Any, **named: Any) -> Any:
    return _INSTEAD.get(name) or builtins.__import__(name, *details, **named)


def _names() -> dict[str, Any]:
    """Return the names that PySAT's code defines, run with our modules and nowhere else."""
    spec = find_spec("pysat.integer")
    code = spec and spec.loader and spec.loader.get_code(spec.name)  # type: ignore[attr-defined]
    if not code:
        raise ImportError("the PySAT that is installed has no pysat.integer")
    # An `import` calls `__import__` of the built-in names of its own code: this changes what that
    # code imports, and nothing for other users of PySAT.
    names = {"__name__": __name__, "__builtins__": vars(builtins) | {"__import__": _imported}}
    exec(code, names)
    return names


_NAMES = _names()
__all__: list[str] = _NAMES["__all__"]


def __getattr__(name: str) -> Any:
    """Return a name of PySAT's module. Raises AttributeError."""
    if name in _NAMES:
        return _NAMES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
