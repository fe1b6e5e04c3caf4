"""Digests of the clauses of every encoder over many shapes, a line each, of the checkout named.

Run as a program by ``scripts/record_encodings.py --against``, in a process for each checkout: it
uses only names of `pbcnf` that stay. Bounds, weights, conditions, groups, live counters, parities;
small and large numbers of inputs; into a formula, into a plain sink, and met a second time.
"""

import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2s
from random import Random
from typing import Any

LARGE = (60, 200, 1000)
"""Numbers of inputs beyond the small ones, of which every number to 24 is tried."""

MOST_LITERALS = 150_000
"""Encodings with more literals are left out."""


class Plain:
    """A sink without the methods that take many clauses at once, as a live solver has none."""

    def __init__(self, num_vars: int) -> None:
        self.num_vars = num_vars
        self.flat = array("i")

    def new_var(self) -> int:
        """Allocate one variable."""
        return self.new_vars(1)

    def new_vars(self, count: int) -> int:
        """Allocate consecutive variables and return the first."""
        self.num_vars += count
        return self.num_vars - count + 1

    def add_clause(self, clause: Sequence[int]) -> None:
        """Add one clause."""
        self.flat.extend([*clause, 0])

    def add_block(self, block: Any) -> None:
        """Add the rows of an array."""
        for clause in block.tolist():
            self.add_clause(clause)


Work = Callable[..., object]


def digests(only: Sequence[str] = ("",)) -> Iterator[str]:
    """Yield a line for each shape and sink: what was encoded, and the digest of its clauses."""
    from pbcnf import Formula

    for label, num_vars, literals, work in shapes():
        if literals > MOST_LITERALS:
            continue
        if not label.startswith(tuple(only)):
            continue
        for sink in (Formula(num_vars=num_vars), Plain(num_vars), Formula(num_vars=num_vars)):
            try:
                given = work(sink)
            except ValueError as error:
                yield f"{label} {type(sink).__name__}: {error}"
                break
            found = blake2s(f"{sink.num_vars} {given}".encode(), digest_size=8)
            flat = [sink.flat] if isinstance(sink, Plain) else sink.terminated()
            for part in flat:
                found.update(array("i", part).tobytes())
            yield f"{label} {type(sink).__name__}: {found.hexdigest()}"


def shapes() -> Iterator[tuple[str, int, int, Work]]:
    """Yield the cases: name, number of inputs, rough number of literals, and the call."""
    yield from _counts()
    yield from _weighted()
    yield from _conditions()
    yield from _counters()
    yield from _weighted_counters()
    yield from _parities()
    yield from _groups()


def _bounds(n: int) -> list[tuple[int, int]]:
    some = {0, 1, 2, n // 10, n // 3, n // 2, n - n // 4, n - 2, n - 1, n}
    some = {bound for bound in some if 0 <= bound <= n}
    kinds = [(0, b) for b in some] + [(b, n) for b in some] + [(b, b) for b in some]
    pairs = {pair for at, pair in enumerate(sorted(kinds)) if n < 13 or at % 3 == n % 3}
    return sorted(pairs | {(n // 3, n // 2), (1, n - 1)})


def _counts() -> Iterator[tuple[str, int, int, Work]]:
    from pbcnf import ENCODERS, Cardinality, encode

    for name, encoder in ENCODERS.items():
        for n in (*range(1, 25), *LARGE):
            for lower, upper in _bounds(n):
                try:
                    literals = encoder.size(n, lower, upper).literals
                except ValueError:
                    literals = 0
                lits = [lit if lit % 3 else -lit for lit in range(n, 0, -1)]
                bound = Cardinality(lits, lower, upper)
                label = f"{name} {lower} <= {n} <= {upper}"
                yield label, n, literals, lambda sink, b=bound, e=name: encode(b, sink, e)


def _weighted() -> Iterator[tuple[str, int, int, Work]]:
    from pbcnf import ENCODERS, PseudoBoolean, WeightedEncoder, encode

    for name, encoder in ENCODERS.items():
        if not isinstance(encoder, WeightedEncoder):
            continue
        for n in (2, 3, 5, 8, 13, 20, 40, 100):
            for most in (3, 12, 1000, 10**20):
                if n * most > 2000 and name in (
                    *("generalized_totalizer", "decision_diagram", "sequential_weight_counter"),
                ):
                    continue
                weights = [Random(n * most).randint(1, most) for _ in range(n)]
                if n > 5:
                    weights[1::2] = [weights[0]] * len(weights[1::2])
                total = sum(weights)
                for lower, upper in (
                    (0, total // 2),
                    (total // 3, total),
                    (total // 3, total // 2),
                ):
                    literals = encoder.weighted_size(weights, lower, upper).literals
                    signed = [-w if i % 4 == 3 else w for i, w in enumerate(weights)]
                    moved = sum(w for w in signed if w < 0)
                    bound = PseudoBoolean(range(1, n + 1), signed, lower + moved, upper + moved)
                    label = f"{name} weights to {most} {lower} <= {n} <= {upper}"
                    yield label, n, literals, lambda sink, b=bound, e=name: encode(b, sink, e)


def _conditions() -> Iterator[tuple[str, int, int, Work]]:
    from pbcnf import ENCODERS, Cardinality, PseudoBoolean, encode

    for name in (*ENCODERS, None):
        for n, lower, upper in ((3, 1, 1), (5, 0, 2), (6, 2, 3), (9, 4, 9), (20, 3, 9)):
            for how in ("when", "iff"):
                bound = Cardinality([*range(1, n), -2], lower, upper)
                weighted = PseudoBoolean(range(1, n + 1), range(1, n + 1), lower, upper)
                for each in (Cardinality(range(1, n + 1), lower, upper), bound, weighted):
                    label = f"{name} {how} {each}"
                    yield (
                        *(label, n + 1, 0),
                        lambda sink, b=each, e=name, h={how: n + 1}: encode(b, sink, e, **h),
                    )


def _counters() -> Iterator[tuple[str, int, int, Work]]:
    from pbcnf import ENCODERS, Counter, Direction

    def live(sink: Any, encoder: Any, n: int, upto: int, kinds: Direction, downto: int) -> object:
        count = encoder.count(range(1, n + 1), upto, sink, kinds, downto)
        count.extend(upto=upto + 2)
        count.extend(downto=0)
        count.add_inputs([-1, n + 1, n + 2, n + 3])
        other = encoder.count([n + 4, n + 5, n + 6], 2, sink, kinds)
        count.merge(other)
        count.extend(directions=Direction.BOTH)
        return [count.first, *count.outputs]

    for name, encoder in ENCODERS.items():
        for n in (1, 2, 3, 5, 8, 16, 17, 40, 130, 600) if isinstance(encoder, Counter) else ():
            for upto in sorted({0, 1, 2, n // 3, n // 2, n}):
                for kinds in Direction:
                    label = f"{name} counter {n} {upto} {kinds}"
                    yield (
                        *(label, n + 6, 0),
                        lambda sink, e=encoder, n=n, u=upto, k=kinds: live(
                            sink, e, n, u, k, u // 2
                        ),
                    )
    for kinds in Direction:
        name = "totalizer"
        yield (
            *(f"{name} counter 3000 30 {kinds}", 3006, 0),
            lambda sink, k=kinds: live(sink, ENCODERS["totalizer"], 3000, 30, k, 12),
        )


def _weighted_counters() -> Iterator[tuple[str, int, int, Work]]:
    from pbcnf import ENCODERS, WeightedCounter

    def live(sink: Any, encoder: Any, weights: list[int]) -> object:
        n, total = len(weights), sum(weights)
        count = encoder.count_weighted(range(1, n + 1), weights, sink)
        found = [count.at_most(total // 2), count.at_least(total // 3), count.at_most(total // 3)]
        count.add_inputs([n + 1, n + 2], [weights[0], 3])
        other = encoder.count_weighted([n + 3, -1], [2, 2], sink)
        count.merge(other)
        return [*found, count.at_most(total // 2), count.at_least(total // 2)]

    for name, encoder in ENCODERS.items():
        for n in (1, 2, 5, 9, 20, 60) if isinstance(encoder, WeightedCounter) else ():
            for most in (1, 4, 50):
                weights = [Random(n * most).randint(1, most) for _ in range(n)]
                label = f"{name} weighted counter {n} to {most}"
                yield label, n + 3, 0, lambda sink, e=encoder, w=weights: live(sink, e, w)


def _parities() -> Iterator[tuple[str, int, int, Work]]:
    from pbcnf import PARITY_ENCODERS, Parity, encode

    for name in (*PARITY_ENCODERS, None):
        for n in (*range(1, 15), 60, 1000):
            if name == "direct" and n > 14:
                continue
            for odd in (False, True):
                each = Parity(range(1, n + 1), odd)
                for how in ({}, {"when": n + 1}, {"iff": n + 1}):
                    yield (
                        *(f"{name} parity {n} {odd} {how}", n + 1, 0),
                        lambda sink, b=each, e=name, h=how: encode(b, sink, e, **h),
                    )


def _groups() -> Iterator[tuple[str, int, int, Work]]:
    from pbcnf import Cardinality, PseudoBoolean, choose, encode, encode_many
    from pbcnf.emission.groups import Group, encode_grouped

    for n in (6, 9, 15, 30, 60):
        weights = [3, 5, 8] * (n // 3)
        for chain in (False, True):
            groups = [Group((v, v + 1, v + 2), chain) for v in range(1, n + 1, 3)]
            for lower, upper in ((0, sum(weights) // 4), (4, sum(weights) // 3)):
                each = PseudoBoolean(range(1, n + 1), weights, lower, upper)
                for when in (None, n + 1):
                    yield (
                        *(f"groups {n} {chain} {lower} {upper} {when}", n + 1, 0),
                        lambda sink, b=each, g=groups, w=when: encode_grouped(b, g, sink, when=w),
                    )
    for n in (*range(1, 25), *LARGE):
        for lower, upper in _bounds(n):
            bound = Cardinality(range(1, n + 1), lower, upper)
            yield (
                f"chosen {n} {lower} {upper} {choose(bound)}",
                n,
                0,
                lambda s, b=bound: encode(b, s),
            )
            if n <= 60:
                rows = [[r * n + v + 1 for v in range(n)] for r in range(3)]
                rows.append([1] * n)
                yield (
                    *(f"many {n} {lower} {upper}", 3 * n, 0),
                    lambda s, r=rows, lo=lower, up=upper: encode_many(r, lo, up, s, "totalizer"),
                )


if __name__ == "__main__":
    sys.path[:0] = [sys.argv[1], f"{sys.argv[1]}/encodings"]
    for line in digests(sys.argv[2:] or [""]):
        print(line)
