"""The encoders of RustSAT's Python package. Bounds are enforced by units, not assumptions."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from satsweeper.peers.peer_protocol import Encoded, inputs, numbered, require_in_range

if TYPE_CHECKING:
    from rustsat import Lit

    from pbcnf.audit import EncodeFunction


def encoders() -> dict[str, "EncodeFunction"]:
    """Encoders by RustSAT's names, in lower case with underscores."""
    from rustsat.encodings import am1, card, pb

    return {
        "bimander": partial(_at_most_one, am1.Bimander),
        "bitwise": partial(_at_most_one, am1.Bitwise),
        "commander": partial(_at_most_one, am1.Commander),
        "ladder": partial(_at_most_one, am1.Ladder),
        "pairwise": partial(_at_most_one, am1.Pairwise),
        "totalizer": partial(_both, lambda lits: card.Totalizer(list(lits))),
        "binary_adder": partial(_both, lambda lits: pb.BinaryAdder(_weighted(lits))),
        "generalized_totalizer": partial(_upper, pb.GeneralizedTotalizer),
        "dynamic_poly_watchdog": partial(_upper, pb.DynamicPolyWatchdog),
    }


def _weighted(lits: Iterable["Lit"]) -> list[Any]:
    # The package's type stubs say (int, Lit), its functions take (Lit, int).
    return [(lit, 1) for lit in lits]


def _lits(n: int) -> list["Lit"]:
    from rustsat import Lit

    return [Lit(lit) for lit in inputs(n)]


def _numbered(n: int, clauses: Iterable[Iterable[Any]], units: Iterable[Any], top: int) -> Encoded:
    found = [[int(lit.to_ipasir()) for lit in clause] for clause in clauses]
    return numbered(n, [*found, *([int(lit.to_ipasir())] for lit in units)], top)


def _at_most_one(encoder: Any, n: int, lower: int, upper: int) -> Encoded:
    from rustsat import VarManager

    require_in_range(n, lower, upper)
    if (lower, upper) != (0, 1):
        raise ValueError("at most one only")
    variables = VarManager(n)
    clauses = encoder(_lits(n)).encode(variables)
    return _numbered(n, clauses, [], variables.n_used())


def _upper(encoder: Any, n: int, lower: int, upper: int) -> Encoded:
    from rustsat import VarManager

    require_in_range(n, lower, upper)
    if lower != 0 or n == 0:
        raise ValueError("at most only")
    variables = VarManager(n)
    built = encoder(_weighted(_lits(n)))
    clauses = built.encode_ub(upper, upper, variables)
    return _numbered(n, clauses, built.enforce_ub(upper), variables.n_used())


def _both(make: Callable[[list["Lit"]], Any], n: int, lower: int, upper: int) -> Encoded:
    from rustsat import VarManager

    require_in_range(n, lower, upper)
    if n == 0:
        raise ValueError("a sum of nothing")
    variables = VarManager(n)
    built = make(_lits(n))
    if lower == 0:
        clauses = built.encode_ub(upper, upper, variables)
        units = built.enforce_ub(upper)
    elif upper == n:
        clauses = built.encode_lb(lower, lower, variables)
        units = built.enforce_lb(lower)
    else:
        clauses = built.encode_both(lower, upper, variables)
        units = [*built.enforce_lb(lower), *built.enforce_ub(upper)]
    return _numbered(n, clauses, units, variables.n_used())
