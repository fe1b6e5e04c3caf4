"""How each library is asked for at most a bound: auxiliary variables and clauses of the answer.

Only sizes are looked at here; whether the clauses are right is what `satsweeper.peers` is for.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

Size: TypeAlias = tuple[int, int]
"""Auxiliary variables, clauses."""


def _size(n: int, clauses: Iterable[Iterable[int]]) -> Size:
    kept = [list(clause) for clause in clauses]
    used = {abs(lit) for clause in kept for lit in clause}
    return sum(var > n for var in used), len(kept)


def pysat(encoding: str, weights: Sequence[int], bound: int) -> Size:
    """`CardEnc`, or with "pb_" before the name `PBEnc`."""
    lits = list(range(1, len(weights) + 1))
    if not encoding.startswith("pb_"):
        from pysat.card import CardEnc, EncType

        found: Any = CardEnc.atmost(lits, bound, encoding=getattr(EncType, encoding))
    else:
        from pysat import pb

        kind = getattr(pb.EncType, encoding.removeprefix("pb_"))
        found = pb.PBEnc.atmost(lits, list(weights), bound, encoding=kind)
    return _size(len(lits), found.clauses)


def pindakaas(encoding: str, weights: Sequence[int], bound: int) -> Size:
    """An encoder, with the name of an option that is switched on after a colon."""
    import pindakaas as library

    name, _, option = encoding.partition(":")
    formula = library.CNF()
    terms = [w * v for w, v in zip(weights, formula.new_vars(len(weights)), strict=True)]
    first, *others = terms
    options = {option: True} if option else {}
    total = sum(others, first)
    formula.add_encoding(total <= bound, encoder=getattr(library.Encoder, name), **options)
    return _size(len(weights), formula._clauses_as_int())


def rustsat(encoding: str, weights: Sequence[int], bound: int) -> Size:
    """An encoder of at most one, of a cardinality or of weights; the bound is a unit more."""
    from rustsat import Lit, VarManager
    from rustsat.encodings import am1, card, pb

    n = len(weights)
    lits, variables = [Lit(lit) for lit in range(1, n + 1)], VarManager(n)
    if hasattr(am1, encoding):
        found, units = getattr(am1, encoding)(lits).encode(variables), []
    else:
        if hasattr(card, encoding):
            built: Any = getattr(card, encoding)(lits)
        else:
            built = getattr(pb, encoding)(list(zip(lits, weights, strict=True)))
        found = built.encode_ub(bound, bound, variables)
        units = [[lit] for lit in built.enforce_ub(bound)]
    return _size(n, [[lit.to_ipasir() for lit in clause] for clause in [*found, *units]])


def pblib(encoding: str, weights: Sequence[int], bound: int) -> Size:
    """An encoder by its name with AMO, AMK or PB before it."""
    from pypblib import pblib as library

    config = library.PBConfig()
    kind = encoding.partition("_")[0]
    getattr(config, f"set_{kind}_Encoder")(getattr(library, encoding))
    clauses: list[list[int]] = []
    lits = list(range(1, len(weights) + 1))
    library.Pb2cnf(config).encode_leq(list(weights), lits, bound, clauses, len(weights) + 1)
    return _size(len(weights), clauses)


LIBRARIES: Final[dict[str, Callable[[str, Sequence[int], int], Size]]] = {
    "PySAT": pysat,
    "pindakaas": pindakaas,
    "RustSAT": rustsat,
    "PBLib": pblib,
}
"""Name -> its size of an encoder, by that library's name, for weights and a bound."""
