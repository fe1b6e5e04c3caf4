"""The bounds from the clauses of the encoders that know at most one only: sums and divisions.

No variable of the proof alone is needed. From clauses on pairs follows a row "at most one of these"
(`subsets`); if each of k such literals implies a mark, their sum is at most the mark:

    k - 1 times  ~x1 + ... + ~xk >= k - 1,  and  ~xi + mark >= 1  for all i,  divided by k.

So a row about marks becomes one about the inputs, by adding.

Steps: at most three for each mark, or for each two blocks that a bit tells apart; every clause is
used at most twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from math import isqrt
from types import MappingProxyType
from typing import Final

from pbcnf.derivation.converse import counters
from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.converse.subsets import at_most
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.encoders.at_most_one.bimander import Bimander
from pbcnf.encoders.at_most_one.multipartite import (
    TRIPLES_UP_TO,
    edge_ends,
    nodes_needed,
    plan,
    splits_again,
)
from pbcnf.encoders.cardinality.knuth_counter import KnuthCounter
from pbcnf.formula import Formula
from pbcnf.literals import Lit, Var, negate

_PAIRWISE_UP_TO: Final = 6
"""The number of literals up to which commander and product are pairwise."""


class _Marked:
    """The clauses of one encoder by their literals, and rows derived from them."""

    def __init__(self, left: ClausesLeft, lits: Sequence[Lit], state: DerivationState) -> None:
        self.left, self.lits, self.state = left, lits, state
        self.fresh: Iterator[Var] = count(left.of.first)
        pairs = zip(left.of.clauses, left.numbers, strict=True)
        self.clauses = {frozenset(clause): number for clause, number in pairs}

    def clause(self, *lits: Lit) -> int:
        """Return the number of a clause. Raises UnderivableError if there is none."""
        number = self.clauses.get(frozenset(lits))
        if number is None:
            raise UnderivableError(f"there is no clause {sorted(lits, key=abs)}")
        return number

    def new(self, number: int) -> list[Var]:
        """Return the encoder's variables that come next."""
        return [*islice(self.fresh, number)]

    def add(self, numbers: Iterable[int]) -> int:
        """Add up constraints."""
        return self.state.add([(number, 1) for number in numbers])

    def pairwise(self, lits: Sequence[Lit]) -> int | None:
        """Derive that at most one of the literals is true; None for a single one."""
        return at_most(lits, 1, self.clauses, self.state) if len(lits) > 1 else None

    def into(self, lits: Sequence[Lit], at_most_one: int | None, mark: Lit) -> int:
        """Derive that the sum of the literals is at most the mark that each implies."""
        implied = [(self.clause(-lit, mark), 1) for lit in lits]
        return self.bounded(len(lits), at_most_one, implied)

    def bounded(self, k: int, at_most_one: int | None, implied: Sequence[tuple[int, int]]) -> int:
        """Derive what `into` derives; the constraints `implied` add up to "sum <= k * mark"."""
        if at_most_one is None or k == 1:
            return self.state.add(implied)
        return self.state.add([(at_most_one, k - 1), *implied], divisor=k)


def _clause_of_inputs(of: _Marked) -> int:
    return of.clause(*of.lits)


def sequential(of: _Marked) -> int:
    """Add, for each input, that it and the memory before are at most the memory behind."""
    return one_remembered(of.lits, of.new(len(of.lits) - 1), of.clause, of.state)


def ladder(of: _Marked) -> int:
    """Treat the negations of rungs as memories, see `sequential`."""
    return one_remembered(of.lits, negate(of.new(len(of.lits) - 1)), of.clause, of.state)


def one_remembered(
    lits: Sequence[Lit],
    memory: Sequence[Lit],
    clause: Callable[[Lit, Lit], int],
    state: DerivationState,
) -> int:
    """Derive that at most one of two literals or more is true.

    Args:
        lits: the literals.
        memory: for each literal but the last what is true if this one is, or the memory before.
        clause: returns the number of a clause: that, and that no literal and the memory before it
            are true.
        state: the derivation, which is continued.
    """
    rows = [clause(-lits[0], memory[0])]
    for before, after, lit in zip(memory, memory[1:], lits[1:], strict=False):
        # Each two of these three exclude that the third fails: x + before <= after.
        three = [clause(-lit, after), clause(-before, after), clause(-before, -lit)]
        rows.append(state.add([(number, 1) for number in three], divisor=2))
    rows.append(clause(-memory[len(lits) - 2], -lits[-1]))
    return state.add([(number, 1) for number in rows])


def ladder_at_least(of: _Marked) -> int:
    """Add up all rungs: each rung but the first implies the rung before or an input."""
    rungs = [*range(of.left.of.first, of.left.of.first + len(of.lits) - 1)]
    rows = [of.clause(rungs[0], of.lits[0])]
    for before, after, lit in zip(rungs, rungs[1:], of.lits[1:], strict=False):
        rows.append(of.clause(after, -before, lit))
    return of.add([*rows, of.clause(-rungs[-1], of.lits[-1])])


def commander(of: _Marked) -> int:
    """Add to the last commanders, level by level, that groups are at most their commanders."""
    rows: list[int] = []
    top = _levels(of, lambda group, head: rows.append(of.into(group, of.pairwise(group), head)))
    last = of.pairwise(top)
    return of.add(rows if last is None else [*rows, last])


def commander_at_least(of: _Marked) -> int:
    """Add up clauses: a last commander is true, and each commander has a true member."""
    rows: list[int] = []
    of.fresh = count(of.left.of.first)
    top = _levels(of, lambda group, head: rows.append(of.clause(-head, *group)))
    return of.add([*rows, of.clause(*top)])


def _levels(of: _Marked, each: Callable[[Sequence[Lit], Lit], None]) -> Sequence[Lit]:
    lits = of.lits
    while len(lits) > _PAIRWISE_UP_TO:
        groups = [lits[start : start + 3] for start in range(0, len(lits) - 2, 3)]
        heads = of.new(len(groups))
        for group, head in zip(groups, heads, strict=True):
            each(group, head)
        lits = [*heads, *lits[3 * len(heads) :]]
    return lits


def product(of: _Marked) -> int:
    """Derive at most one of the marks of columns and of rows, then of the inputs."""

    def rectangle(lits: Sequence[Lit]) -> int | None:
        n = len(lits)
        if n <= _PAIRWISE_UP_TO:
            return of.pairwise(lits)
        p = isqrt(n - 1) + 1
        q = -(-n // p)
        u, v = of.new(p), of.new(q)
        at_most_rows, at_most_columns = rectangle(u), rectangle(v)
        rows = _by_lines(of, lits, u, v, at_most_columns)
        return of.add(rows if at_most_rows is None else [*rows, at_most_rows])

    found = rectangle(of.lits)
    assert found is not None
    return found


def _by_lines(
    of: _Marked, lits: Sequence[Lit], u: Sequence[Var], v: Sequence[Var], columns: int | None
) -> list[int]:
    """Derive that the inputs of each row of a rectangle are at most the mark of the row.

    `columns`: the number of "at most one of the marks `v`".
    """
    q = len(v)
    found = []
    for place, mark in enumerate(u):
        line = lits[place * q : place * q + q]
        if not line:
            continue
        only = None
        if columns is not None and len(line) > 1:
            # An input of the row stands for its column; columns behind its end are left out.
            implied = [(of.clause(-lit, head), 1) for lit, head in zip(line, v, strict=False)]
            axioms = [(head, 1) for head in v[len(line) :]]
            only = of.state.add([(columns, 1), *implied], axioms)
        found.append(of.into(line, only, mark))
    return found


def nested(of: _Marked) -> int:
    """Add the rows of both halves: the literal of the left half is negated in the right half."""

    def cut(lits: Sequence[Lit]) -> list[int]:
        if len(lits) <= 4:
            number = of.pairwise(lits)
            return [] if number is None else [number]
        half = len(lits) // 2 | 1
        t = next(of.fresh)
        return [*cut([*lits[:half], t]), *cut([-t, *lits[half:]])]

    return of.add(cut(of.lits))


def bits_of_groups(of: _Marked) -> int:
    """Join two blocks of groups at a time: a bit is false for the left block, true for the right.

    The last bit comes first, as it is left out of groups without a partner.
    """
    size = of.left.of.encoder.group_size if isinstance(of.left.of.encoder, Bimander) else 1
    parts = [of.lits[start : start + size] for start in range(0, len(of.lits), size)]
    blocks = {place: (part, of.pairwise(part)) for place, part in enumerate(parts)}
    bits = of.new((len(parts) - 1).bit_length())
    for k in range(len(bits) - 1, -1, -1):
        for place in [place for place in blocks if place >> k & 1]:
            right, at_most_right = blocks.pop(place)
            left, at_most_left = blocks[place ^ 1 << k]
            rows = [
                of.into(left, at_most_left, -bits[k]),
                of.into(right, at_most_right, bits[k]),
            ]
            blocks[place ^ 1 << k] = [*left, *right], of.add(rows)
    found = blocks[0][1]
    assert found is not None
    return found


def multipartite(of: _Marked) -> int:
    """Go from nodes to their edges: at each node at most one edge, and at most two parts."""

    def walk(
        lits: Sequence[Lit], output: bool, grouped: bool = True
    ) -> tuple[int | None, Lit, int | None]:
        """Return the row "at most one", the output, and the row "their sum is at most the output".

        Rows about a single literal are None.
        """
        n, step = len(lits), plan(len(lits), output, grouped)
        if step.shape == "group":
            again, some, rest = splits_again(n), lits[: step.by], lits[step.by :]
            _, head, below = walk(some, True, again)
            assert below is not None
            row, top, above = walk([head, *rest], output, again)
            assert row is not None
            return of.add([row, below]), top, None if above is None else of.add([above, below])
        if step.shape == "rectangle":
            u, v = of.new(-(-n // step.by)), of.new(step.by)
            row, top, above = walk(u, output)
            columns, _, _ = walk(v, False)
            lines = _by_lines(of, lits, u, v, columns)
            below = of.add([*lines, *([] if above is None else [above])]) if output else None
            return of.add(lines if row is None else [*lines, row]), top, below
        if step.shape == "parts":
            return in_parts(lits, step.by, output)
        row = of.pairwise(lits)
        if output and n > 1:
            head = next(of.fresh)
            return row, head, of.into(lits, row, head)
        return row, lits[0], None

    def in_parts(lits: Sequence[Lit], parts: int, output: bool) -> tuple[int, Lit, int | None]:
        nodes = nodes_needed(len(lits), parts)
        pairs = [*zip(*(end.tolist() for end in edge_ends(len(lits), nodes, parts)), strict=True)]
        marks = of.new(nodes)
        active: list[Lit] = []
        below: list[int | None] = []
        for part in range(parts):
            _, head, row = walk(marks[part::parts], True)
            active.append(head)
            below.append(row)
        two = _at_most_two(of, active)
        edges: list[list[tuple[Lit, int]]] = [[] for _ in marks]
        for lit, ends in zip(lits, pairs, strict=True):
            for node, other in (ends, ends[::-1]):
                edges[node].append((lit, other))
        stars = [_star(of, node, edges[node], marks, active, below, two) for node in range(nodes)]
        # The inputs with an end in a part are at most its activity, through its nodes.
        sums = [
            [*stars[part::parts], *([] if row is None else [row])] for part, row in enumerate(below)
        ]
        row = of.state.add([(two, 1), *((each, 1) for each in chain(*sums))], divisor=2)
        if not output:
            return row, 0, None
        top = next(of.fresh)
        some = [(each, 1) for each in chain(*sums[:-1])]
        some += [(of.clause(-head, top), 1) for head in active[:-1]]
        # Inputs with both ends in these parts are counted twice: once is left.
        last = parts - 1
        twice = [
            (lit, 1)
            for lit, ends in zip(lits, pairs, strict=True)
            if last not in (ends[0] % parts, ends[1] % parts)
        ]
        once = of.state.add(some, twice)
        return row, top, of.state.add([(row, parts - 2), (once, 1)], divisor=parts - 1)

    found, _, _ = walk(of.lits, False)
    assert found is not None
    return found


def _star(
    of: _Marked,
    node: int,
    edges: Sequence[tuple[Lit, int]],
    marks: Sequence[Var],
    active: Sequence[Lit],
    below: Sequence[int | None],
    two: int,
) -> int:
    """Derive that the edges at a node sum to at most the mark of the node.

    Args:
        of: the clauses.
        node: the node.
        edges: its edges, each an input and the node at the other end.
        marks: the marks of all nodes, whose parts take turns.
        active: for each part the literal that its marks imply.
        below: for each part the number of "its marks are at most its literal"; None if they are
            the same literal.
        two: the number of "at most two parts are active".
    """
    parts, mark, k = len(active), marks[node], len(edges)
    own = node % parts
    implied = [(of.clause(-lit, mark), 1) for lit, _ in edges]
    if k == 1:
        return implied[0][0]
    # The other ends are distinct nodes, so the edges are at most the activity of other parts: at
    # most two, together with their own part.
    rows = [(row, 1) for part, row in enumerate(below) if part != own and row is not None]
    ends = [(of.clause(-lit, marks[other]), 1) for lit, other in edges]
    reached = {other for _, other in edges}
    others = [at for at in range(len(marks)) if at % parts != own and at not in reached]
    away = [(marks[at], 1) for at in others]
    beside = of.state.add([(two, 1), *rows, *ends], away)
    # Each edge implies the activity of its part, so it excludes that another one is true.
    up: list[tuple[int, int]] = []
    row = below[own]
    if row is not None:
        same = [(marks[at], 1) for at in range(own, len(marks), parts) if at != node]
        up.append((of.state.add([(row, 1)], same), k))
    one = of.state.add([(beside, k), *up, *implied], divisor=k + 1)
    return of.bounded(k, one, implied)


def _at_most_two(of: _Marked, active: Sequence[Lit]) -> int:
    """Derive that at most two parts are active: by triples, or by Knuth's counter."""
    if len(active) <= TRIPLES_UP_TO:
        return at_most(active, 2, of.clauses, of.state)
    encoder = KnuthCounter()
    own = of.new(encoder.size(len(active), 0, 2).variables)
    emitted = Formula(num_vars=own[0] - 1)
    encoder.encode(active, 0, 2, emitted)
    clauses = [[*clause] for clause in emitted.clauses()]
    n = len(active)
    counted = EncodedSum(encoder, tuple(active), (1,) * n, 0, 2, None, 0, own[0], clauses)
    defined = {var: of.left.definitions[var] for var in own}
    numbers = [of.clause(*clause) for clause in clauses]
    found = counters.derive(ClausesLeft(counted, numbers, defined), of.state).upper
    if found is None:
        raise UnderivableError("that two parts are active at most does not follow")
    return found


AT_MOST: Final[Mapping[str, Callable[[_Marked], int]]] = MappingProxyType(
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
"""Encoder -> the function that derives that at most one input is true."""

AT_LEAST: Final[Mapping[str, Callable[[_Marked], int]]] = MappingProxyType(
    {"ladder": ladder_at_least, "commander": commander_at_least}
)
"""Encoder -> the function that derives that an input is true, if no clause says so."""


def derive(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive at most, at least or exactly one true input, or one false input."""
    of = left.of
    n = len(of.lits)
    if n > 2 and 1 in (of.upper, n - of.lower):
        one = of if of.upper == 1 else of.mirrored()
        marked = _Marked(left, one.lits, state)
        upper = AT_MOST[of.encoder.name](marked)
        lower = None
        if one.at_least is not None:
            lower = AT_LEAST.get(of.encoder.name, _clause_of_inputs)(marked)
        return BoundIds(lower, upper) if one is of else BoundIds(upper, lower)
    # Each bound is a clause.
    marked = _Marked(left, of.lits, state)
    return BoundIds(
        None if of.at_least is None else marked.clause(*of.lits),
        None if of.at_most is None else marked.clause(*negate(of.lits)),
    )
