"""Derivation of grid compression: which of its choices are made is defined first.

Where the encoding leaves a choice to the solver, variables of the proof alone make it. *Slots*: an
input is charged in the first mode in which its column has a slot of its own. *Lines*: the first row
with a true input is pointed at, unless two true inputs share a column.

Steps: about 8 to 10 for every input and mode (slots), 12 for every input (lines).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from pbcnf.derivation.derivation_state import DerivationState, Parts
from pbcnf.derivation.encoded_sum import EncodedSum, Walk
from pbcnf.derivation.families import derive_sum
from pbcnf.encoders.at_most_one.multipartite import Multipartite
from pbcnf.encoders.cardinality.grid_compression import (
    CompressedGrid,
    as_a_whole,
    counters,
    grid_of,
    step_of,
)
from pbcnf.literals import Lit, Var


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive the clauses of each bound, or of the encoder that takes both bounds together."""
    n = len(of.lits)
    whole = as_a_whole(n, of.lower, of.upper)
    if whole is not None:
        return derive_sum(replace(of, encoder=whole), state)
    walk = Walk(of, state, of.first)
    for one in (of, of.mirrored()):
        if one.at_most is not None:
            at_most(walk, one.lits, one.upper, one.at_most)
    return walk.derived


def at_most(walk: Walk, lits: Sequence[Lit], k: int, row: int) -> None:
    """Derive the clauses that come next: at most k of the literals, which constraint `row` says."""
    n, state = len(lits), walk.state
    step = step_of(n, k)
    match step.shape:
        case "clause":
            _propagated(walk, [[row]])
        case "lines":
            Lines(walk, lits, step.by, row).derive()
        case "slots":
            Slots(walk, lits, k, grid_of(n, k, step.by), row).derive()
        case _:
            encoder = Multipartite() if step.shape == "one" else counters(n)[step.by]
            # To the encoder inside these are inputs, whatever they mean.
            for lit in chain.from_iterable((lit, -lit) for lit in lits):
                state.if_false.pop(lit, None)
            clauses, ones = walk.clauses(step.size.clauses), (1,) * n
            first = walk.new_vars(step.size.variables).start
            inner = EncodedSum(encoder, tuple(lits), ones, 0, k, None, row, first, clauses)
            walk.derived += derive_sum(inner, state)


def _propagated(walk: Walk, hints: Sequence[Sequence[int]]) -> None:
    """Derive the clauses that come next, each by propagation on its hints."""
    clauses = walk.clauses(len(hints))
    for clause, ids in zip(clauses, hints, strict=True):
        walk.derived.append(walk.state.propagate(clause, ids))


def _once(numbers: Sequence[int]) -> Parts:
    return [(number, 1) for number in numbers]


class _Choices:
    """Base class of the shapes: defines variables of the proof alone."""

    def __init__(self, walk: Walk, lits: Sequence[Lit], row: int) -> None:
        self.walk, self.state, self.lits, self.row = walk, walk.state, lits, row

    def any_of(self, lits: Sequence[Lit]) -> Lit:
        """Return a literal that is true exactly if one of these is."""
        if len(lits) == 1:
            return lits[0]
        var = self.state.fresh()
        self.state.define_or(var, lits)
        return var

    def all_of(self, *lits: Lit) -> Var:
        """Return a variable that is true exactly if all of these are."""
        var = self.state.fresh()
        self.state.define_and(var, lits)
        return var

    def down(self, lits: Sequence[Lit]) -> list[int]:
        """Return the halves of the definitions of these that say something while they are true."""
        return [self.state.if_false[-lit] for lit in lits]

    def up(self, lits: Sequence[Lit]) -> list[int]:
        """Return the halves that say something while these are false."""
        return [self.state.if_false[lit] for lit in lits]

    def step_up(self, rung: Lit, before: Lit, after: Lit, why: Sequence[int]) -> int:
        """Derive ``rung + before <= after`` from its three clauses, found by propagation on why."""
        clauses = ([-rung, after], [-rung, -before], [-before, after])
        some = [self.state.propagate(clause, why) for clause in clauses]
        return self.state.add(_once(some), divisor=2)


class Lines(_Choices):
    """At most two, by lines: of the first true input the row is pointed at, or the column of both.

    `p` rows of q inputs, the last one shorter; `row`: at most two of the inputs.
    """

    def __init__(self, walk: Walk, lits: Sequence[Lit], p: int, row: int) -> None:
        super().__init__(walk, lits, row)
        n = len(lits)
        q = -(-n // p)
        self.row_of, self.column_of = [i // q for i in range(n)], [i % q for i in range(n)]
        self.in_row = [range(i * q, min(n, (i + 1) * q)) for i in range(p)]
        self.in_column = [range(j, n, q) for j in range(q)]
        pointed, charged = walk.new_vars(p + q), walk.new_vars(p + q)
        self.r, self.c = pointed[:p], pointed[p:]
        self.r2, self.c2 = charged[:p], charged[p:]
        state, x = self.state, lits
        self.occupied = [self.any_of([x[i] for i in some]) for some in self.in_row]
        self.before = [0, self.occupied[0]]
        for lit in self.occupied[1:]:
            self.before.append(self.any_of([self.before[-1], lit]))
        self.twice = [state.fresh() if len(some) > 1 else 0 for some in self.in_column]
        for var, some in zip(self.twice, self.in_column, strict=True):
            if var:
                state.define(var, [(1, x[i]) for i in some], 2)
        # One column has two true inputs: then no row is pointed at.
        self.same = state.fresh()
        state.define_or(self.same, [var for var in self.twice if var])
        for i, var in enumerate(self.r):
            state.define_and(
                var, [self.occupied[i], *[-b for b in self.before[i : i + 1] if b], -self.same]
            )
        # y: a true input in the row that is pointed at; z: one in another row.
        self.y = [self.all_of(x[i], self.r[self.row_of[i]]) for i in range(n)]
        self.z = [self.all_of(x[i], -self.r[self.row_of[i]]) for i in range(n)]
        for var, some in zip(self.r2, self.in_row, strict=True):
            state.define_or(var, [self.z[i] for i in some])
        for var, one, some in zip(self.c, self.c2, self.in_column, strict=True):
            state.define_or(var, [self.z[i] for i in some])
            state.define_or(one, [self.y[i] for i in some])
        # y + z <= x, as 2y <= x + r and 2z <= x + 1 - r.
        self.either = [
            state.add(_once(self.down(both)), divisor=2)
            for both in zip(self.y, self.z, strict=True)
        ]

    def derive(self) -> None:
        """Derive all clauses, the encodings inside included."""
        up, down, state = self.up, self.down, self.state
        y, z, c, c2, r2 = self.y, self.z, self.c, self.c2, self.r2
        places = [*zip(range(len(self.lits)), self.row_of, self.column_of, strict=True)]
        _propagated(self.walk, [up([c[j], z[i]]) for i, _, j in places])
        _propagated(self.walk, [up([r2[r], c2[j], z[i], y[i]]) for i, r, j in places])
        rows = [
            down([var, *(z[i] for i in some)]) for var, some in zip(r2, self.in_row, strict=True)
        ]
        _propagated(self.walk, rows)
        _propagated(self.walk, [self.column(j) for j in range(len(c))])
        # Every line that is charged has a z or a y of its own.
        charged = state.add(_once([self.row, *self.either, *down([*r2, *c2])]))
        pointed = self.one_row(), self.one_column()
        for some, number in zip((self.r, c), pointed, strict=True):
            at_most(self.walk, some, 1, number)
        at_most(self.walk, [*r2, *c2], 2, charged)

    def column(self, j: int) -> list[int]:
        """Return hints that column j is not pointed at and charged."""
        some, twice = self.in_column[j], self.twice[j]
        parts = _once([*self.down([self.c[j], self.c2[j]]), *(self.either[i] for i in some)])
        if not twice:
            return [self.state.add(parts, [(-self.lits[i], 1) for i in some])]
        # Then two of its inputs are true, so no row is pointed at, and none of them is charged.
        rows = [self.r[self.row_of[i]] for i in some]
        why = [*self.up([self.same]), *self.down([*rows, *(self.y[i] for i in some), self.c2[j]])]
        never = self.state.propagate([-self.c2[j], -twice], why)
        return [self.state.add([*parts, (self.state.if_false[twice], 1)]), never]

    def one_row(self) -> int:
        """Derive that at most one row is pointed at: each is one more with true inputs."""
        steps = [self.state.propagate([-self.r[0], self.before[1]], self.down(self.r[:1]))]
        for i, var in enumerate(self.r[1:], 1):
            before, after = self.before[i : i + 2]
            why = [*self.down([var]), *self.up([after])]
            steps.append(self.step_up(var, before, after, why))
        return self.state.add(_once(steps), [(-self.before[-1], 1)])

    def one_column(self) -> int:
        """Derive that at most one column is pointed at: two would leave none for the first row."""
        state, up, down, c, r = self.state, self.up, self.down, self.c, self.r
        two = state.fresh()
        state.define(two, [(1, var) for var in c], 2)
        # A column that is pointed at has a true input, c <= sum of x.
        below = [
            state.add([(number, 1)], [(self.r[self.row_of[i]], 1)], 2)
            for i, number in enumerate(down(self.z))
        ]
        true = [
            state.add(_once([number, *(below[i] for i in some)]))
            for number, some in zip(down(c), self.in_column, strict=True)
        ]
        # If a column has both true inputs, no other one has any.
        never = []
        for j, twice in enumerate(self.twice):
            if twice:
                alone = [self.row, *down([twice]), *true[:j], *true[j + 1 :]]
                why = [state.add(_once(alone)), *down([two])]
                never.append(state.propagate([-two, -twice], why))
        not_same = state.propagate([-two, -self.same], [*down([self.same]), *never])
        # If no column has, the first row with a true input is pointed at, and has a y.
        last = self.before[-1]
        own = [lit for lit in self.before[:1:-1] if lit in state.if_false]
        occupied = [lit for lit in self.occupied if lit in state.if_false]
        some = state.propagate([-two, last], [*up(own), *up(occupied), *true, *down([two])])
        hints = up(r[:1])
        for i, var in enumerate(r[1:], 1):
            hints += [*up([var]), *down([self.before[i + 1]])]
        first = state.propagate([-last, self.same, *r], hints)
        charged = []
        for i, var in enumerate(r):
            y, lit = [self.y[place] for place in self.in_row[i]], self.occupied[i]
            why = [*up(y), *down([var, *([lit] if lit in state.if_false else [])])]
            charged.append(state.propagate([-var, *y], why))
        # Together with it two columns were three inputs, as all z and y are of different ones.
        three = [self.row, *self.either, *down(c), some, first, *charged]
        same = state.add(_once([*three, *down([two])]))
        unit = state.propagate([-two], [same, not_same])
        return state.add([(state.if_false[two], 1), (unit, len(c) - 1)])


class Slots(_Choices):
    """At most k, by slots: an input is charged where its column has a slot of its own at first."""

    def __init__(
        self, walk: Walk, lits: Sequence[Lit], k: int, grid: CompressedGrid, row: int
    ) -> None:
        super().__init__(walk, lits, row)
        self.k, self.grid, state = k, grid, self.state
        self.c = walk.new_vars(grid.columns)
        for j, var in enumerate(self.c):
            state.define_or(var, lits[j :: grid.columns])
        self.columns_in: list[list[int]] = [[] for _ in range(grid.slots)]
        for mode in grid.slot_of.tolist():
            for j, slot in enumerate(mode):
                self.columns_in[slot].append(j)
        guarded = [slot for slot, some in enumerate(self.columns_in) if len(some) > 1]
        self.f = dict(zip(guarded, walk.new_vars(len(guarded)), strict=True))
        for slot, var in self.f.items():
            some = self.columns_in[slot]
            state.define(var, [(1, -self.c[j]) for j in some], len(some) - 1)
        self.a = walk.new_vars(grid.charges)
        # At most k columns are marked.
        self.marked = state.add(_once([row, *self.down(self.c)]))
        self.modes = [self.first_mode(j) for j in range(grid.columns)]
        # y: the input is true, and this is its column's first mode with a slot of its own.
        self.y = [
            [self.all_of(x, *([s] if s else [])) for s in self.modes[i % grid.columns][0]]
            for i, x in enumerate(lits)
        ]
        self.charged: list[list[tuple[Var, Lit]]] = [[] for _ in self.a]
        for i, own in enumerate(self.y):
            for y, s, place in zip(
                own, self.modes[i % grid.columns][0], self.places(i), strict=False
            ):
                self.charged[place].append((y, s))
        for var, charges in zip(self.a, self.charged, strict=True):
            if charges:
                state.define_or(var, [y for y, _ in charges])
            else:
                # Nothing is ever charged there.
                state.if_false[-var] = state.fix(-var)

    def places(self, i: int) -> list[int]:
        """Return where input i may be charged, mode by mode."""
        row, column = divmod(i, self.grid.columns)
        return [slot * self.grid.rows + row for slot in self.grid.slot_of[:, column].tolist()]

    def first_mode(self, j: int) -> tuple[list[Lit], int | None, int | None]:
        """Define in which mode column j has a slot of its own for the first time.

        Returns a literal for each mode, 0 for one that is true at once, and what says that one of
        them is true, and that at most one is; None where there is nothing to say.
        """
        state, up, down = self.state, self.up, self.down
        free: list[Lit] = []
        first: list[Lit] = []
        rungs: list[Lit] = []
        steps: list[int] = []
        for slot in self.grid.slot_of[:, j].tolist():
            before = rungs[-1:]
            if slot not in self.f:
                # No other column has this slot.
                first.append(self.all_of(*(-lit for lit in before)) if before else 0)
                if before:
                    steps += [state.propagate([-first[-1], -before[0]], down(first[-1:]))]
                break
            free.append(self.f[slot])
            first.append(self.all_of(free[-1], *(-lit for lit in before)))
            rungs.append(self.any_of([*before, free[-1]]))
            why = down(first[-1:])
            if before:
                steps.append(self.step_up(first[-1], before[0], rungs[-1], [*why, *up(rungs[-1:])]))
            else:
                steps.append(state.propagate([-first[-1], rungs[-1]], why))
        if not first[0]:
            return first, None, None
        why = [*chain(*zip(up(first[1:]), [*down(rungs[1:]), 0], strict=False))]
        why = [*up(first[:1]), *(number for number in why if number)]
        open_end = len(free) == len(first)
        if open_end:
            # If all these slots had several marked columns, there were more than k.
            shared = state.add(_once([*up(free), self.marked]))
            why.append(state.propagate(free, [shared]))
        one = state.add(_once(steps), [(-rungs[-1], 1)] if open_end else [])
        return first, state.propagate(first, why), one

    def derive(self) -> None:
        """Derive all clauses, the constraint on charges included."""
        up, down, walk, columns = self.up, self.down, self.walk, self.grid.columns
        _propagated(walk, [up([self.c[i % columns]]) for i in range(len(self.lits))])
        hints: list[list[int]] = []
        for i, own in enumerate(self.y):
            some = self.modes[i % columns][1]
            places = self.places(i)[: len(own)]
            hints.append([*up([self.a[place] for place in places]), *up(own)])
            hints[-1] += [] if some is None else [some]
        _propagated(walk, hints)
        hints = []
        for slot in self.f:
            for row in range(self.grid.rows):
                place = slot * self.grid.rows + row
                ys = [y for y, _ in self.charged[place]]
                modes = [s for _, s in self.charged[place]]
                hints.append(down([self.a[place], *ys, *modes]))
        _propagated(walk, hints)
        self.guards()
        at_most(walk, self.a, self.k, self.charges())

    def guards(self) -> None:
        """Derive that a slot with a charge has at most one marked column."""
        implied: list[list[int]] = []
        several: list[list[int]] = []
        for slot, f in self.f.items():
            c = [self.c[j] for j in self.columns_in[slot]]
            memory: list[Var] = c[:1]
            for var, mark in zip(self.walk.new_vars(len(c) - 2), c[1:], strict=False):
                self.state.define_or(var, [memory[-1], mark])
                memory.append(var)
            implied += [self.up([var]) for var in memory[1:]]
            for last in range(len(memory)):
                several.append(self.down([f, *memory[last:0:-1]]))
        _propagated(self.walk, implied)
        _propagated(self.walk, implied)
        _propagated(self.walk, several)

    def charges(self) -> int:
        """Derive that at most k charges are made: one at most for each true input."""
        state = self.state
        rows = []
        for i, (own, x) in enumerate(zip(self.y, self.lits, strict=True)):
            first, _, one = self.modes[i % self.grid.columns]
            pairs = [*zip(own, self.down(own), first, strict=True)]
            below = [state.propagate([-y, x], [number]) for y, number, _ in pairs]
            if one is None or len(own) == 1:
                rows += below
                continue
            at_once = [state.propagate([-y, s], [number]) for y, number, s in pairs]
            single = state.add(_once([*at_once, one]))
            # sum of y <= 1, L - 1 times, and y <= x for each of the L.
            rows.append(state.add([(single, len(own) - 1), *_once(below)], divisor=len(own)))
        return state.add(_once([self.row, *rows, *self.down(self.a)]))
