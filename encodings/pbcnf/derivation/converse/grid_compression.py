"""The bounds from the clauses of grid compression: each input is at most its charges.

"This input is charged there", the input and the charge, is a variable of the proof alone. An input
is at most the sum of these by its clause, and those of one charge are at most the charge, as the
guard of its slot, or the line that is pointed at, leaves one of them. So the inputs are at most the
charges, of which at most k are made by the encoding inside.

Steps: about 8 for every input and mode (slots), 14 for every input (lines).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from pbcnf.derivation.converse.at_most_one import one_remembered
from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.families import derive_bounds
from pbcnf.encoders.at_most_one.multipartite import Multipartite
from pbcnf.encoders.cardinality.grid_compression import (
    CompressedGrid,
    as_a_whole,
    counters,
    grid_of,
    step_of,
)
from pbcnf.literals import Lit, Var


def derive(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive each bound, or both by the encoder that takes them together."""
    of = left.of
    whole = as_a_whole(len(of.lits), of.lower, of.upper)
    if whole is not None:
        return derive_bounds(replace(left, of=replace(of, encoder=whole)), state)
    grid = _GridBack(left, state)
    # The clauses of the upper bound come first.
    upper = None if of.at_most is None else grid.at_most(of.lits, of.upper)
    mirrored = of.mirrored()
    lower = None if of.at_least is None else grid.at_most(mirrored.lits, mirrored.upper)
    return BoundIds(lower, upper)


class _Charged(NamedTuple):
    """An input in one direction, the line that is pointed at then, and two implications.

    ``marks``: the number of "it implies the mark", ``number``: of "it implies its charge".
    """

    lit: Lit
    mark: Lit
    marks: int
    number: int


class _GridBack:
    """The progress along the encoder's variables and clauses."""

    def __init__(self, left: ClausesLeft, state: DerivationState) -> None:
        self._left, self._state = left, state
        self._var, self._place = left.of.first, 0
        pairs = zip(left.of.clauses, left.numbers, strict=True)
        self._clauses = {frozenset(clause): number for clause, number in pairs}

    def at_most(self, lits: Sequence[Lit], k: int) -> int:
        """Derive that at most k of the literals are true, from the clauses that come next."""
        n = len(lits)
        step = step_of(n, k)
        match step.shape:
            case "clause":
                self._place += 1
                return self._clause(*(-lit for lit in lits))
            case "lines":
                return self._lines(lits, step.by)
            case "slots":
                return self._slots(lits, k, grid_of(n, k, step.by))
        encoder = Multipartite() if step.shape == "one" else counters(n)[step.by]
        first, place = self._new(step.size.variables).start, self._place
        self._place += step.size.clauses
        some = slice(place, self._place)
        clauses = self._left.of.clauses[some]
        inner = EncodedSum(encoder, tuple(lits), (1,) * n, 0, k, None, 0, first, clauses)
        inside = ClausesLeft(inner, self._left.numbers[some], self._left.definitions)
        found = derive_bounds(inside, self._state).upper
        if found is None:
            raise UnderivableError("the number of charges is not bounded")
        return found

    def _new(self, number: int) -> range:
        self._var += number
        return range(self._var - number, self._var)

    def _clause(self, *lits: Lit) -> int:
        number = self._clauses.get(frozenset(lits))
        if number is None:
            raise UnderivableError(f"there is no clause {sorted(lits, key=abs)}")
        return number

    def _both(self, *lits: Lit) -> Var:
        """Return a variable of the proof alone that is true exactly if all of these are."""
        var = self._state.fresh()
        self._state.define_and(var, lits)
        return var

    def _sum(self, numbers: Sequence[int]) -> int:
        return self._state.add([(number, 1) for number in numbers])

    def _into(self, charged: Sequence[Lit], one: int, implied: Sequence[int]) -> int:
        """Derive "their sum is at most the charge", which each implies, from "at most one"."""
        k = len(charged)
        if k == 1:
            return implied[0]
        parts = [(one, k - 1), *((number, 1) for number in implied)]
        return self._state.add(parts, divisor=k)

    def _lines(self, lits: Sequence[Lit], p: int) -> int:
        state, n, down = self._state, len(lits), self._state.if_false
        q = -(-n // p)
        pointed, charged = self._new(p + q), self._new(p + q)
        self._place += 2 * n + p + q
        rows, columns = self.at_most(pointed[:p], 1), self.at_most(pointed[p:], 1)
        two = self.at_most(charged, 2)
        down = state.if_false
        # An input is in the row that is pointed at, and charged to its column, or in another one,
        # so that its column is pointed at, and charged to its row.
        at_line: list[list[_Charged]] = [[] for _ in charged]
        found = [two]
        for place, x in enumerate(lits):
            i, j = place // q, p + place % q
            r, c = pointed[i], pointed[j]
            points = self._clause(-x, r, c)
            charges = self._clause(-x, charged[i], charged[j])
            halves: list[tuple[int, int]] = []
            for line, mark, own, other in (
                (j, r, self._both(x, r), i),
                (i, c, self._both(x, -r), j),
            ):
                hints = [down[-own], points]
                marks = state.propagate([-own, mark], hints)
                # The other line is pointed at, so it is not charged.
                why = [*hints, self._clause(-pointed[other], -charged[other]), charges]
                number = state.propagate([-own, charged[line]], why)
                at_line[line].append(_Charged(own, mark, marks, number))
                halves.append((down[own], 1))
            found.append(state.add(halves, saturate=True))
        for line, some in enumerate(at_line):
            if not some:
                continue
            one = 0
            if len(some) > 1:
                # They are in distinct lines of the other direction, each of them pointed at.
                only, others = (columns, pointed[p:]) if line < p else (rows, pointed[:p])
                there = {each.mark for each in some}
                axioms = [(mark, 1) for mark in others if mark not in there]
                parts = [(only, 1), *((each.marks, 1) for each in some)]
                one = state.add(parts, axioms)
            lone = [each.lit for each in some]
            found.append(self._into(lone, one, [each.number for each in some]))
        return self._sum(found)

    def _slots(self, lits: Sequence[Lit], k: int, grid: CompressedGrid) -> int:
        state, n = self._state, len(lits)
        c = self._new(grid.columns)
        in_slot: list[list[int]] = [[] for _ in range(grid.slots)]
        for mode in grid.slot_of.tolist():
            for column, slot in enumerate(mode):
                in_slot[slot].append(column)
        guarded = [slot for slot, some in enumerate(in_slot) if len(some) > 1]
        f = dict(zip(guarded, self._new(len(guarded)), strict=True))
        a = self._new(grid.charges)
        memory = {slot: [c[in_slot[slot][0]], *self._new(len(in_slot[slot]) - 2)] for slot in f}
        several = sum(len(in_slot[slot]) for slot in f)
        self._place += 2 * n + len(f) * grid.rows + 3 * several - 5 * len(f)
        found = [self.at_most(a, k)]
        charged: list[list[tuple[Lit, int]]] = [[] for _ in a]
        """For each charge the inputs that are charged there, and their columns."""
        for place, x in enumerate(lits):
            row, column = divmod(place, grid.columns)
            at = [slot * grid.rows + row for slot in grid.slot_of[:, column].tolist()]
            own = [self._both(x, a[charge]) for charge in at]
            # The clause and each definition once: the charges cancel.
            parts = [self._clause(-x, *(a[charge] for charge in at))]
            parts += [state.if_false[var] for var in own]
            found.append(state.add([(number, 1) for number in parts], saturate=True))
            for charge, var in zip(at, own, strict=True):
                charged[charge].append((var, place))
        for charge, some in enumerate(charged):
            slot = charge // grid.rows
            if some:
                found.append(self._charge(lits, c, a[charge], f.get(slot), memory.get(slot), some))
        return self._sum(found)

    def _charge(
        self,
        lits: Sequence[Lit],
        c: Sequence[Var],
        a: Var,
        f: Var | None,
        memory: Sequence[Lit] | None,
        some: Sequence[tuple[Lit, int]],
    ) -> int:
        """Derive that the inputs charged at `a` are at most one, so at most `a`.

        Args:
            lits: the inputs.
            c: the marks of columns.
            a: the charge.
            f: the guard of its slot; None for a slot of one column.
            memory: what remembers marked columns of the slot, in their order.
            some: what says that an input is charged here, and the place of the input.
        """
        state = self._state
        down = {var: state.if_false[-var] for var, _ in some}
        implied = [state.propagate([-var, a], [down[var]]) for var, _ in some]
        if f is None or memory is None or len(some) == 1:
            return self._into([var for var, _ in some], 0, implied)
        column = {var: c[place % len(c)] for var, place in some}
        marked = {var: self._clause(-lits[place], column[var]) for var, place in some}
        guard = self._clause(-a, f)

        def clause(one: Lit, other: Lit) -> int:
            """Return a clause of what is charged (`one` or `other`) or remembered."""
            if -one not in down and -other not in down:
                return self._clause(one, other)
            var, rest = (-one, other) if -one in down else (-other, one)
            hints = [down[var], marked[var]]
            if rest > 0 and rest != column[var]:
                hints.append(self._clause(-column[var], rest))
            elif rest < 0:
                hints += [guard, self._clause(-column[var], rest, -f)]
            return state.propagate([one, other], hints)

        own = [var for var, _ in some]
        one = one_remembered(own, memory, clause, state)
        return self._into(own, one, implied)
