"""`CardEnc`, `ITotalizer` and `EncType` as in `pysat.card`, with the names that come along there.

Programs write ``from pysat.card import *`` and have `CNF`, `CNFPlus` and `IDPool` as well.
`ITotalizer` is a tree of plain lists, cheap to begin and to grow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from types import TracebackType
from typing import Any, Final, NamedTuple

from pbcnf.constraints.constraint import Cardinality
from pbcnf.errors import EncodingError
from pbcnf.literals import MAX_VAR, Lit, Var, integer, literals
from pbcnf.pysat.formulas import (
    CNF,
    NATIVE,
    CNFPlus,
    IDPool,
    NoSuchEncodingError,
    Number,
    Pool,
    encoded,
    encoder_of,
    native,
    top_of,
)


class ITotalizer:
    """A totalizer for upper bounds, which can be extended by bounds, literals and totalizers.

    `cnf`, a `pysat.formula.CNF`, holds the clauses, `rhs` the outputs: the unit clause ``-rhs[k]``
    states that at most k of `lits` are true, for each k up to `ubound` and below the number of
    literals. `nof_new` is the number of clauses at the end of `cnf` that the last call added,
    `top_id` the largest variable in use, inputs included.

    >>> with ITotalizer(lits=[1, 2, 3], ubound=1) as t:
    ...     t.rhs, t.cnf.clauses, t.nof_new
    ([6, 7], [[-1, 4], [-2, 4], [-1, -2, 5], [-3, 6], [-4, 6], [-5, 7], [-3, -4, 7]], 7)
    """

    def __init__(
        self,
        lits: Iterable[Lit] = (),
        ubound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
    ) -> None:
        """Start empty, or count `lits` as `new` does."""
        self.ubound: int
        self.top_id: int
        self.nof_new: int
        self.lits: list[Lit]
        self.rhs: list[Lit]
        self.cnf: Any
        self._outputs: list[Lit]
        self._growing: list[_Sum]
        self._auxiliary: list[Sequence[Var]]
        self._pool: Pool | None
        self.delete()
        lits = list(lits)
        if lits or vpool is not None:
            self.new(lits, ubound, top_id, vpool)

    def new(
        self,
        lits: Iterable[Lit] = (),
        ubound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
    ) -> None:
        """Count `lits` up to `ubound`, with auxiliary variables above `lits` and `top_id`.

        A pool numbers them, and all that come later, if `vpool` is given instead of `top_id`;
        PySAT's totalizer takes none. Raises ValueError for both, and for a literal of an auxiliary
        variable of the pool.
        """
        if vpool is not None:
            top_of((), top_id, vpool)
        self.delete()
        self._pool = vpool
        self.ubound = integer(ubound, "ubound")
        self._count(list(literals(lits)), top_id)
        self._emit()

    def increase(self, ubound: int = 1, top_id: int | None = None) -> None:
        """Allow bounds up to `ubound`; a smaller `ubound` than before changes nothing."""
        self._refuse_merged()
        self.ubound = max(self.ubound, integer(ubound, "ubound"))
        self.top_id = max(self.top_id, top_id or 0)
        self._emit()

    def extend(
        self, lits: Iterable[Lit] = (), ubound: int | None = None, top_id: int | None = None
    ) -> None:
        """Add literals of `lits` that are not counted yet, and raise the bound to `ubound`.

        Raises ValueError for a literal of an auxiliary variable.
        """
        self._refuse_merged()
        added = sorted({*literals(lits)}.difference(self.lits))
        _refuse_shared(self._auxiliary, added)
        self._count(added, top_id)
        self.increase(ubound or 0)

    def merge_with(
        self, another: ITotalizer, ubound: int | None = None, top_id: int | None = None
    ) -> None:
        """Add the literals and clauses of `another`, which cannot grow by itself from then on.

        Raises ValueError if a variable that is auxiliary in one totalizer is used by the other:
        build the second with the `top_id` of the first, or both with one pool.
        """
        self._refuse_merged()
        another._refuse_merged()
        if another is self:
            raise ValueError("a totalizer cannot be merged with itself")
        if another._pool is not self._pool:
            raise ValueError("totalizers that are merged have one pool, or both have none")
        _refuse_shared(self._auxiliary, chain(another.lits, *another._auxiliary))
        _refuse_shared(another._auxiliary, self.lits)
        self.top_id = max(self.top_id, another.top_id)
        self.cnf.clauses.extend(another.cnf.clauses)
        self._growing += another._growing
        self._auxiliary += another._auxiliary
        self._join(another._outputs, another.lits)
        another._merged = True
        self.increase(max(ubound or 0, another.ubound), top_id)
        self.nof_new += len(another.cnf.clauses)

    def delete(self) -> None:
        """Remove all literals and clauses."""
        self._merged, self._pool = False, None
        self._outputs, self._growing, self._auxiliary = [], [], []
        self.lits = []
        self.ubound = self.top_id = self.nof_new = 0
        self.cnf = CNF()
        self.rhs = []

    def __enter__(self) -> ITotalizer:
        """Return the counter."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove all literals and clauses."""
        self.delete()

    def _count(self, lits: list[Lit], top_id: int | None) -> None:
        """Add a balanced tree of sums over some literals."""
        if self._pool is not None:
            top_of(lits, None, self._pool)
        self.top_id = top_of(lits, max(self.top_id, top_id or 0), None)
        pending = deque(([lit], 1) for lit in lits)
        while len(pending) > 1:
            (left, some), (right, others) = pending.popleft(), pending.popleft()
            pending.append((self._sum(left, right, some + others), some + others))
        if pending:
            self._join(pending.pop()[0], lits)

    def _join(self, outputs: list[Lit], lits: list[Lit]) -> None:
        """Add a subtree that counts further literals."""
        both = self.lits and lits
        self.lits = [*self.lits, *lits]
        if both:
            self._outputs = self._sum(self._outputs, outputs, len(self.lits))
        elif lits:
            self._outputs = outputs

    def _sum(self, left: list[Lit], right: list[Lit], inputs: int) -> list[Lit]:
        self._growing.append(_Sum(left, right, [], inputs))
        return self._growing[-1].outputs

    def _emit(self) -> None:
        """Give every sum, in order after its parts, the outputs needed for the bound."""
        clauses: list[list[Lit]] = []
        upto = self.ubound + 1
        needed = sum(max(0, min(upto, s.inputs) - len(s.outputs)) for s in self._growing)
        new: Sequence[Var] = range(self.top_id + 1, self.top_id + needed + 1)
        if self._pool is not None:
            self._pool.top = max(self._pool.top, self.top_id)
            new = [self._pool.id() for _ in new]
        if new and new[-1] > MAX_VAR:
            raise ValueError(f"variable {new[-1]} of the totalizer is beyond the last, {MAX_VAR}")
        fresh = iter(new)
        for each in self._growing:
            clauses += each.grow(upto, fresh)
        self._growing = [each for each in self._growing if len(each.outputs) < each.inputs]
        if clauses and len(set(map(abs, self.lits))) < len(self.lits):
            distinct = map(dict.fromkeys, clauses)
            clauses = [[*lits] for lits in distinct if not any(-lit in lits for lit in lits)]
        self._auxiliary.append(new)
        self.rhs = self._outputs[: max(0, self.ubound + 1)]
        self.cnf.clauses.extend(clauses)
        self.cnf.nv = self.top_id = max([self.top_id, *new[-1:]])
        self.nof_new = len(clauses)

    def _refuse_merged(self) -> None:
        if self._merged:
            raise ValueError("this totalizer has been merged into another one, which grows instead")


class _Sum(NamedTuple):
    """The sum of two unary counts: outputs of both, outputs so far, and the number of inputs."""

    left: list[Lit]
    right: list[Lit]
    outputs: list[Lit]
    inputs: int

    def grow(self, upto: int, fresh: Iterator[Var]) -> list[list[Lit]]:
        """Add the outputs up to `upto`, with fresh variables; return their clauses."""
        left, right, outputs, inputs = self
        clauses = []
        for below in range(len(outputs), min(upto, inputs)):
            top = next(fresh)
            outputs.append(top)
            if below < len(left):
                clauses.append([-left[below], top])
            if below < len(right):
                clauses.append([-right[below], top])
            # Every other way to reach below + 1: i + 1 on the left and below - i on the right.
            for i in range(max(0, below - len(right)), min(len(left), below)):
                clauses.append([-left[i], -right[below - i - 1], top])
        return clauses


def _refuse_shared(auxiliary: Iterable[Sequence[Var]], lits: Iterable[Lit]) -> None:
    for var in {*chain(*auxiliary)}.intersection(map(abs, lits)):
        raise ValueError(f"variable {var} is an auxiliary variable of the totalizer already")


__all__ = [
    "CNF",
    "CNFPlus",
    "CardEnc",
    "EncType",
    "IDPool",
    "ITotalizer",
    "NoSuchEncodingError",
    "UnsupportedBound",
]


class UnsupportedBound(EncodingError):  # noqa: N818 (PySAT's name)
    """The encoding expresses at most one only, and the bound is larger."""


class EncType:
    """The numbers of PySAT's encodings; here the name of any of our encoders is one as well."""

    pairwise: Final = Number(0, "pairwise")
    seqcounter: Final = Number(1, "sequential_counter")
    sortnetwrk: Final = Number(2, "sorting_network")
    cardnetwrk: Final = Number(3, "cardinality_network")
    bitwise: Final = Number(4, "bitwise")
    ladder: Final = Number(5, "ladder")
    totalizer: Final = Number(6, "totalizer")
    mtotalizer: Final = Number(7, "modulo_totalizer")
    kmtotalizer: Final = Number(8, "k_modulo_totalizer")
    native: Final = Number(9, NATIVE)


_ONE_ONLY: Final = ("pairwise", "bitwise", "ladder")


class CardEnc:
    """Bounds on the number of true literals, as `pysat.formula.CNFPlus`."""

    @classmethod
    def atmost(
        cls,
        lits: Iterable[Lit],
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int | str = EncType.seqcounter,
    ) -> Any:
        """Return the clauses of ``sum of lits <= bound``, see `equals`."""
        return _card(lits, None, bound, top_id, vpool, encoding)

    @classmethod
    def atleast(
        cls,
        lits: Iterable[Lit],
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int | str = EncType.seqcounter,
    ) -> Any:
        """Return the clauses of ``sum of lits >= bound``, see `equals`."""
        return _card(lits, bound, None, top_id, vpool, encoding)

    @classmethod
    def equals(
        cls,
        lits: Iterable[Lit],
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int | str = EncType.seqcounter,
    ) -> Any:
        """Return the clauses of ``sum of lits = bound``.

        Auxiliary variables are numbered above all of `lits` and `top_id`, or by `vpool`. `nv` of
        the result is never below a variable of `lits`, below `top_id`, or below an auxiliary
        variable. ``EncType.native`` makes `atmosts` instead of clauses.

        Raises ValueError for a bound that no assignment meets, and for both `top_id` and `vpool`;
        NoSuchEncodingError; UnsupportedBound for an encoding of at most one and a larger bound.

        >>> CardEnc.equals([1, 2, 3], bound=0, top_id=10).nv
        10
        """
        return _card(lits, bound, bound, top_id, vpool, encoding)


def _card(
    inputs: Iterable[Lit],
    lower: int | None,
    upper: int | None,
    top_id: int | None,
    vpool: Pool | None,
    encoding: int | str,
) -> Any:
    lits, bound = list(inputs), upper if lower is None else lower
    if (upper is not None and upper < 0) or (lower is not None and lower > len(lits)):
        raise ValueError(f"Wrong bound: {bound}")
    top = top_of(lits, top_id, vpool)
    encoder = encoder_of(encoding, EncType)
    # Encoders of at most one also express at least one and, of the negated literals, both.
    if encoder in _ONE_ONLY and bound is not None and 1 < bound < len(lits) - 1:
        raise UnsupportedBound(f"{encoder} is of at most one, not {bound} of {len(lits)}")
    if encoder == NATIVE:
        atmosts = [(lits, upper)] if upper is not None else []
        negated = [-lit for lit in lits]
        atmosts += [(negated, len(lits) - lower)] if lower is not None else []
        return native([*atmosts], top, vpool)
    return encoded(Cardinality(lits, lower or 0, upper), top, vpool, encoder, ())
