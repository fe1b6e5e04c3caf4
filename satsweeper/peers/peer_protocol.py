"""Shared by the modules of other libraries: the type of an encoder, and of its result."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction


Encoded = tuple[int, list[list[int]]]
"""The number of variables, and the clauses."""


@dataclass(frozen=True, slots=True)
class Library:
    """An installed library: its name, its version, and its encoders by name."""

    name: str
    version: str
    encoders: Mapping[str, "EncodeFunction"]


def numbered(n: int, clauses: Iterable[Iterable[int]], num_vars: int = 0) -> Encoded:
    """The clauses as lists, with a number of variables that covers the inputs and all literals.

    ``num_vars``, the number that a library reports, may leave out inputs that no clause contains.
    """
    kept = [list(clause) for clause in clauses]
    return max(n, num_vars, *(abs(lit) for clause in kept for lit in clause)), kept


def require_in_range(n: int, lower: int, upper: int) -> None:
    """Raise ValueError unless ``0 <= lower <= upper <= n``: some libraries fail on other bounds."""
    if not 0 <= lower <= upper <= n:
        raise ValueError(f"{lower} to {upper} of {n} is out of range")


def one_sided(n: int, lower: int, upper: int) -> tuple[str, int]:
    """Kind and bound of a constraint for a library without ranges.

    The kind is ``"at most"``, ``"at least"`` or ``"exactly"``. Raises ValueError for a range with
    two different bounds, and for bounds that `require_in_range` refuses.
    """
    require_in_range(n, lower, upper)
    if lower == 0:
        return "at most", upper
    if upper == n:
        return "at least", lower
    if lower == upper:
        return "exactly", lower
    raise ValueError(f"{lower} to {upper} of {n} is a range")


def inputs(n: int) -> Sequence[int]:
    """The inputs 1 .. ``n`` as literals."""
    return list(range(1, n + 1))
