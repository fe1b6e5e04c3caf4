"""Derivations of the encoders that know at-most-one only: every clause from one short row.

Every auxiliary variable c, or its negation, is true exactly if a literal of a group is. In a row
"at most one of these literals" c may take the place of its group, because ``c <= sum of the group``
can be added. So what an encoder says of lines, columns, bits, halves or the inputs read so far is a
row "at most one" itself, and each clause is found by propagation on one row.

A row of n literals as the hint of n clauses would take n^2 time to check; above 32 literals a row
is halved by weakening before it is used, so that all of them take n log n.

Steps: two for every variable, one for every clause, few rows in between (one for every variable of
a chain): measured 1.0 (product) to 2.0 (sequential) a clause, and 40 to 130 bytes a clause from 50
to 10,000 inputs.

Reference: the definitions as in Gocht, Martins, Nordstroem, Oertel: Certified CNF translations for
pseudo-Boolean solving, SAT 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from math import comb, isqrt
from types import MappingProxyType
from typing import Final

import numpy as np

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.thresholds import sequential_grid
from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.encoders.at_most_one.multipartite import (
    TRIPLES_UP_TO,
    edge_ends,
    nodes_needed,
    plan,
    splits_again,
)
from pbcnf.encoders.cardinality.knuth_counter import KnuthCounter
from pbcnf.encoders.circuits.array_emission import Indices
from pbcnf.encoders.protocol import Encoder
from pbcnf.formula import Formula
from pbcnf.literals import Lit, Var

TOGETHER: Final = 32
"""The number of literals down to which `pieces` halves a constraint used as a hint."""

Hints = tuple[int, ...]
"""The numbers of rows on which propagation finds a clause."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """At most one (if ``at_least`` is None), or exactly one of three literals or more.

    ``at_most`` and ``at_least``: the numbers of these two rows. ``fresh``: the auxiliary variables,
    in the order in which the encoder allocates them.
    """

    encoder: Encoder
    lits: Sequence[Lit]
    at_most: int
    at_least: int | None
    fresh: Iterator[Var]


Family = Callable[[OneOf, DerivationState], list[Hints]]
"""Defines the variables of an encoder; returns the hints of its clauses, in order."""


def replaced(number: int, heads: Iterable[Lit], state: DerivationState) -> int:
    """Replace groups of literals in constraint `number` by their `heads`.

    A head is true only if a literal of its group is, so "head <= sum of its group" holds; added, it
    cancels the group and leaves the head.
    """
    return state.add([(number, 1), *((state.if_false[-head], 1) for head in heads)])


def weakened(number: int, lits: Iterable[Lit], state: DerivationState) -> int:
    """Weaken `lits`, or their negations, away from constraint `number`."""
    coefficients = state.rows[number].coefficients
    signed = [(abs(lit), coefficients[abs(lit)]) for lit in lits]
    return state.add([(number, 1)], [(-var if c > 0 else var, abs(c)) for var, c in signed])


def pieces(number: int, blocks: Sequence[Sequence[Lit]], state: DerivationState) -> list[int]:
    """Return for every block a weakening of constraint `number` that has the block's literals.

    Blocks that have few literals together share a weakening; literals in no block stay in all.
    """
    if len(blocks) < 2 or sum(map(len, blocks)) <= TOGETHER:
        return [number] * len(blocks)
    half = len(blocks) // 2
    left, right = blocks[:half], blocks[half:]
    return [
        row
        for own, other in ((left, right), (right, left))
        for row in pieces(weakened(number, chain(*other), state), own, state)
    ]


def each_of(rows: Iterable[int], times: int = 1) -> list[Hints]:
    """Return each of `rows` as the only hint of `times` clauses."""
    return [(number,) for number in rows for _ in range(times)]


def pairs(rows: Iterable[tuple[int, int]]) -> list[Hints]:
    """Return a hint for each pair of literals in a group; `rows` has (constraint, size) a group."""
    return [(number,) for number, size in rows for _ in range(size * (size - 1) // 2)]


def sequential(of: OneOf, state: DerivationState) -> list[Hints]:
    """s[i] is s[i-1] or input i: one of the first i inputs is true."""
    memory = [*islice(of.fresh, len(of.lits) - 1)]
    state.define_or(memory[0], of.lits[:1])
    for before, var, lit in zip(memory, memory[1:], of.lits[1:], strict=False):
        state.define_or(var, (before, lit))
    on = [state.if_false[var] for var in memory]
    found = each_of([*on, *on[1:], *_nothing_after(of, memory, state)])
    return found if of.at_least is None else [*found, (of.at_least,)]


def ladder(of: OneOf, state: DerivationState) -> list[Hints]:
    """y[i] is y[i-1] and not input i: its negation is what `sequential` remembers.

    That the last rung implies the last input takes all rungs, in one step for all of the clauses.
    """
    rungs = [*islice(of.fresh, len(of.lits) - 1)]
    state.define_and(rungs[0], [-of.lits[0]])
    for before, var, lit in zip(rungs, rungs[1:], of.lits[1:], strict=False):
        state.define_and(var, (before, -lit))
    down = [state.if_false[-var] for var in rungs]
    used = _nothing_after(of, [-var for var in rungs], state)
    found = each_of([*down[1:], *down, *used])
    if of.at_least is not None:
        found += each_of([state.if_false[var] for var in rungs])
        found.append((*reversed(down), of.at_least))
    return found


def _nothing_after(of: OneOf, memory: Sequence[Lit], state: DerivationState) -> list[int]:
    """Return rows for all i: at most one of "one of the first i" and of input i+1."""

    def between(number: int, start: int, stop: int) -> list[int]:
        """Do so for start < i < stop.

        Row `number`: at most one of memory `start`, which stands for all inputs before, and of the
        inputs up to `stop`.
        """
        # A memory replaces the memory before and its own input, so one row leads to the next.
        # Halving first keeps all rows short: left of the middle the inputs on the right are
        # weakened away, right of it one memory stands for all on the left.
        if stop - start <= TOGETHER:
            found = []
            for head in memory[start : stop - 1]:
                number = replaced(number, [head], state)
                found.append(number)
            return found
        middle = (start + stop) // 2
        first = weakened(number, of.lits[middle:stop], state)
        then = replaced(number, memory[start:middle], state)
        return [*between(first, start, middle), then, *between(then, middle, stop)]

    return between(of.at_most, 0, len(of.lits))


_PAIRWISE_UP_TO = 6
"""The number of literals up to which commander and product are pairwise."""


def commander(of: OneOf, state: DerivationState) -> list[Hints]:
    """Put the commanders of a level into the place of their groups, in both rows."""
    lits, at_most, at_least = of.lits, of.at_most, of.at_least
    found: list[Hints] = []
    while len(lits) > _PAIRWISE_UP_TO:
        groups = [lits[start : start + 3] for start in range(0, len(lits) - 2, 3)]
        heads = [*islice(of.fresh, len(groups))]
        for head, group in zip(heads, groups, strict=True):
            state.define_or(head, group)
        # For each group of three: at most one of it, each implies the commander, and the commander
        # implies one of it. Then the commanders replace the groups in both rows, and so on upwards.
        found += each_of(pieces(at_most, groups, state), 3)
        found += each_of([state.if_false[head] for head in heads], 3)
        found += each_of([state.if_false[-head] for head in heads])
        at_most = replaced(at_most, heads, state)
        if at_least is not None:
            ups = [(state.if_false[head], 1) for head in heads]
            at_least = state.add([(at_least, 1), *ups], saturate=True)
        lits = [*heads, *lits[3 * len(heads) :]]
    found += pairs([(at_most, len(lits))])
    return found if at_least is None else [*found, (at_least,)]


def product(of: OneOf, state: DerivationState) -> list[Hints]:
    """Put rows, and apart from them columns, into the place of their inputs, and so on."""

    def rectangle(lits: Sequence[Lit], at_most: int) -> list[Hints]:
        n = len(lits)
        if n <= _PAIRWISE_UP_TO:
            return pairs([(at_most, n)])
        p = isqrt(n - 1) + 1
        q = -(-n // p)
        lines = [lits[r * q : r * q + q] for r in range(p)], [lits[c::q] for c in range(q)]
        marks = [*islice(of.fresh, p)], [*islice(of.fresh, q)]
        for mark, line in zip(chain(*marks), chain(*lines), strict=True):
            state.define_or(mark, line)
        # Each input implies its row and its column; at most one row, and at most one column, is
        # marked, which is a smaller problem of the same kind.
        found = each_of([state.if_false[marks[0][i // q]] for i in range(n)])
        found += each_of([state.if_false[marks[1][i % q]] for i in range(n)])
        for some in marks:
            found += rectangle(some, replaced(at_most, some, state))
        return found

    found = rectangle(of.lits, of.at_most)
    return found if of.at_least is None else [*found, (of.at_least,)]


def multipartite(of: OneOf, state: DerivationState) -> list[Hints]:
    """Put nodes into the place of their edges, and so on; each input counts twice among nodes."""
    found: list[Hints] = []

    def define(lits: Sequence[Lit]) -> tuple[Lit, int]:
        head = next(of.fresh)
        state.define_or(head, lits)
        found.extend(each_of([state.if_false[head]], len(lits)))
        return head, state.if_false[-head]

    def marked(lits: Sequence[Lit], ends: Sequence[Indices], number: int) -> Sequence[Var]:
        marks = [*islice(of.fresh, number)]
        groups: dict[Var, list[Lit]] = {mark: [] for mark in marks}
        for end in ends:
            for lit, place in zip(lits, end.tolist(), strict=True):
                groups[marks[place]].append(lit)
        for mark, group in groups.items():
            state.define_or(mark, group)
        found.extend((state.if_false[marks[place]],) for end in ends for place in end.tolist())
        return marks

    def walk(
        lits: Sequence[Lit], at_most: int, output: bool, grouped: bool = True
    ) -> tuple[Lit, int | None]:
        """Return the output, and the row "output <= sum of literals"; None if it is the literal."""
        n, step = len(lits), plan(len(lits), output, grouped)
        if step.shape == "group":
            again, some, rest = splits_again(n), lits[: step.by], lits[step.by :]
            head, row = walk(some, weakened(at_most, rest, state), True, again)
            assert row is not None
            others = state.add([(at_most, 1), (row, 1)])
            top, above = walk([head, *rest], others, output, again)
            return top, None if above is None else state.add([(above, 1), (row, 1)])
        if step.shape == "rectangle":
            place, lines = np.arange(n), -(-n // step.by)
            ends = place // step.by, lines + place % step.by
            marks = marked(lits, ends, lines + step.by)
            u, v = marks[:lines], marks[lines:]
            top, above = walk(u, replaced(at_most, u, state), output)
            walk(v, replaced(at_most, v, state), False)
            return top, None if above is None else replaced(above, u, state)
        if step.shape == "parts":
            return in_parts(lits, at_most, step.by, output)
        found.extend(pairs([(at_most, n)]))
        return define(lits) if output and n > 1 else (lits[0], None)

    def in_parts(
        lits: Sequence[Lit], at_most: int, parts: int, output: bool
    ) -> tuple[Lit, int | None]:
        nodes = nodes_needed(len(lits), parts)
        ends = edge_ends(len(lits), nodes, parts)
        marks = marked(lits, ends, nodes)
        active: list[Lit] = []
        above: list[list[tuple[int, int]]] = []
        for part in range(parts):
            # An input has one end in the part, or none: then it is weakened away.
            inside = np.logical_or(*(end % parts == part for end in ends)).tolist()
            outside = [lit for lit, kept in zip(lits, inside, strict=True) if not kept]
            own = marks[part::parts]
            head, row = walk(own, replaced(weakened(at_most, outside, state), own, state), True)
            active.append(head)
            # "Output <= sum of nodes", and "node <= sum of its edges" for each: in the sum of all
            # parts' rows each input counts twice.
            above.append([(state.if_false[-mark], 1) for mark in own])
            above[-1] += [] if row is None else [(row, 1)]
        two = state.add([(at_most, 2), *chain(*above)])
        if parts > TRIPLES_UP_TO:
            found.extend(two_counted(active, two))
        else:
            found.extend(each_of([two], comb(parts, 3)))
        if not output:
            return 0, None
        head, row = define(active[:-1])
        return head, state.add([(row, 1), *chain(*above[:-1])], saturate=True)

    def two_counted(active: Sequence[Lit], two: int) -> list[Hints]:
        own = [*islice(of.fresh, KnuthCounter().size(len(active), 0, 2).variables)]
        for var, (least, lits) in sequential_grid(active, 0, 2, own[0]).items():
            state.define(var, [(1, lit) for lit in lits], least)
        counter = Formula(num_vars=own[0] - 1)
        KnuthCounter().encode(active, 0, 2, counter)
        hints: list[Hints] = []
        for clause in counter.clauses():
            # The definitions of its counts added up, and that at most two parts are active.
            parts = [(state.if_false[lit], 1) for lit in clause if abs(lit) in own]
            if not state.sum_refutes(clause, parts):
                parts.append((two, 1))
            hints.append((state.add(parts),))
        return hints

    walk(of.lits, of.at_most, False)
    return found if of.at_least is None else [*found, (of.at_least,)]


def nested(of: OneOf, state: DerivationState) -> list[Hints]:
    """Replace the right half by a literal t, true exactly if a literal of the right half is.

    With k literals on the right: k-1 times "at most one" and "k t >= their sum", divided by k.
    """

    def cut(lits: Sequence[Lit], number: int) -> list[tuple[int, int]]:
        if len(lits) <= 4:
            return [(number, len(lits))]
        half = len(lits) // 2 | 1
        t, left, right = next(of.fresh), lits[:half], lits[half:]
        k = len(right)
        state.define_or(t, right)
        # The literals on the left are weakened away from k - 1 times the row. On the left t
        # replaces the right half; on the right "at most one" holds with -t as one literal more.
        own = state.add(
            [(number, k - 1), (state.if_false[t], 1)], [(lit, k - 1) for lit in left], k
        )
        return [*cut([*left, t], replaced(number, [t], state)), *cut([-t, *right], own)]

    groups = cut(of.lits, of.at_most)
    found = pairs([group for size in (4, 3) for group in groups if group[1] == size])
    return found if of.at_least is None else [*found, (of.at_least,)]


def bits_of_groups(of: OneOf, state: DerivationState) -> list[Hints]:
    """Bit k is true exactly if an input is true whose group's number has bit k.

    In the row on all inputs bit k takes the place of these inputs. A clause follows from the bit's
    definition, or from that row. The bitwise encoder numbers the inputs themselves.
    """
    n, group_size = len(of.lits), 1
    found: list[Hints] = []
    if isinstance(of.encoder, Bimander):
        # First come the pairs within the groups, by the row on all inputs.
        group_size = of.encoder.group_size
        blocks = [of.lits[start : start + group_size] for start in range(0, n, group_size)]
        numbers = pieces(of.at_most, blocks, state)
        found = pairs([(row, len(block)) for row, block in zip(numbers, blocks, strict=True)])
    groups = -(-n // group_size)
    bits = (groups - 1).bit_length()
    for k, bit in zip(range(bits), of.fresh, strict=False):
        without, having = (
            [lit for i, lit in enumerate(of.lits) if i // group_size >> k & 1 == value]
            for value in (0, 1)
        )
        state.define_or(bit, having)
        # Inputs whose group has the bit imply it by definition; the others exclude it by the row in
        # which the bit stands for all that have it.
        row = _by_literal(state.if_false[bit], having, state)
        row |= _by_literal(replaced(of.at_most, [bit], state), without, state)
        for i, lit in enumerate(of.lits):
            if of.at_least is not None or k < bits - 1 or i // group_size ^ 1 << k < groups:
                found.append((row[lit],))
    return found if of.at_least is None else [*found, (of.at_least,)]


def _by_literal(number: int, lits: Sequence[Lit], state: DerivationState) -> dict[Lit, int]:
    blocks = [lits[start : start + TOGETHER] for start in range(0, len(lits), TOGETHER)]
    rows = pieces(number, blocks, state)
    return {lit: row for row, block in zip(rows, blocks, strict=True) for lit in block}


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "sequential": sequential,
        "ladder": ladder,
        "bitwise": bits_of_groups,
        "product": product,
        "commander": commander,
        "bimander": bits_of_groups,
        "multipartite": multipartite,
        "nested": nested,
    }
)
"""Encoder -> the function that defines its variables and names the hints of its clauses."""


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Derive at most, at least or exactly one true input, or one false input."""
    n = len(of.lits)
    if n > 2 and 1 in (of.upper, n - of.lower):
        # Where at most one input is false, at most one of the negated inputs is true.
        one = of if of.upper == 1 else of.mirrored()
        assert one.at_most is not None
        one_of = OneOf(of.encoder, one.lits, one.at_most, one.at_least, count(of.first))
        hints = FAMILIES[of.encoder.name](one_of, state)
    else:
        # Each bound is a clause.
        hints = each_of(of.bounds)
    return [state.propagate(clause, ids) for clause, ids in zip(of.clauses, hints, strict=True)]
