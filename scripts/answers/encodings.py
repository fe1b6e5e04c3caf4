"""Recorded answers by name, and the answers of encoders: digests of clauses over many shapes.

The shapes are bounds, weights, conditions, groups, live counters and parities of small and large
numbers of inputs. Each is encoded into a formula, into a sink without bulk methods, and into a
formula again, when caches hold the shape. Only public names of `pbcnf`, and groups, are used: older
checkouts have these names, too.
"""

import hashlib
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2s
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

PROOF: Final = "proof: "
"""The beginning of the names of answers that may differ: files of certificates and proofs."""

_MOST: Final = 1_000_000
"""Largest length of a text that is kept to be shown; of longer texts only digests are kept."""

_CHANGING: Final = (
    (re.compile(r'("[a-z_]*seconds[a-z_]*": |"cpu": )[0-9.e+-]+'), r"\1#"),
    (re.compile(r'("(?:started|python|platform|machine|created|host|date)": )"[^"]*"'), r'\1"#"'),
    (re.compile(r"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\+00:00"), "#"),
    (re.compile(r"\b[0-9][0-9.,]*(?:e-?[0-9]+)?(?= (?:s|ms|seconds|milliseconds)\b)"), "#"),
)
"""Patterns of times, versions and machines, each with the text that replaces it."""


class Record:
    """The answers of one checkout.

    `digests`: name -> SHA-256 and size of an answer; `texts`: name -> the answer.
    """

    def __init__(self, checkout: Path, only: str) -> None:
        self.digests: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self._checkout = str(checkout)
        self._only = only

    def wants(self, name: str) -> bool:
        """Whether the answer `name` is to be computed."""
        return self._only in name

    def add(self, name: str, text: str) -> None:
        """Record the answer `text`, without times and paths."""
        text = text.replace(self._checkout, "CHECKOUT")
        for pattern, replacement in _CHANGING:
            text = pattern.sub(replacement, text)
        if len(text) <= _MOST:
            self.texts[name] = text
        data = text.encode("utf-8", "surrogateescape")
        self.digests[name] = f"{hashlib.sha256(data).hexdigest()} {len(data)}"

    def call(self, name: str, answer: Callable[..., str], *arguments: Any) -> None:
        """Record the value of `answer` for `arguments`, or the error that it raises."""
        if self.wants(name):
            self.add(name, outcome(answer, *arguments))


def outcome(answer: Callable[..., str], *arguments: Any) -> str:
    """Return the value of `answer` for `arguments`, or the type and message of its error."""
    try:
        return answer(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


_LARGE: Final = (60, 200, 1000)
"""Large numbers of inputs in long runs, besides every number up to 24."""
_SIZES: Final = (1, 2, 3, 4, 5, 6, 7, 12, 33)
"""Numbers of inputs in short runs."""
_MOST_LITERALS: Final = 150_000
"""Largest number of literals of an encoding; larger encodings are left out."""
_MANY_CLAUSES: Final = ("generalized_totalizer", "decision_diagram", "sequential_weight_counter")
"""Encoders of weighted sums whose clauses become millions with large weights."""


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


class Case(NamedTuple):
    """A call that encodes a constraint over the variables 1 .. `inputs` into a sink.

    `literals`: the rough number of literals of the clauses; 0 if there are few.
    """

    label: str
    inputs: int
    work: Callable[[Any], object]
    literals: int = 0


def record_encodings(record: Record, more: bool) -> None:
    """Record a digest of the clauses of each case; with `more` cases of many more sizes."""
    sizes = (*range(1, 25), *_LARGE) if more else _SIZES
    rest = _weighted, _conditions, _counters, _weighted_counters, _parities, _groups
    for case in chain(_counts(sizes), *(cases() for cases in rest)):
        if case.literals <= _MOST_LITERALS:
            record.call(f"encode: {case.label}", _digests, case)


def _digests(case: Case) -> str:
    """Return the number of variables and a digest of the clauses in each kind of sink."""
    from pbcnf import Formula

    found = []
    for sink in (Formula(num_vars=case.inputs), Plain(case.inputs), Formula(num_vars=case.inputs)):
        given = case.work(sink)
        digest = blake2s(f"{sink.num_vars} {given}".encode(), digest_size=8)
        for part in [sink.flat] if isinstance(sink, Plain) else sink.terminated():
            digest.update(array("i", part).tobytes())
        found.append(f"{sink.num_vars} variables, {digest.hexdigest()}")
    return "\n".join(found)


def _bounds(n: int) -> list[tuple[int, int]]:
    bounds = {0, 1, 2, n // 10, n // 3, n // 2, n - n // 4, n - 2, n - 1, n}
    bounds = {bound for bound in bounds if 0 <= bound <= n}
    kinds = [(0, b) for b in bounds] + [(b, n) for b in bounds] + [(b, b) for b in bounds]
    # With many inputs a third of the pairs is taken, to save time.
    pairs = {pair for at, pair in enumerate(sorted(kinds)) if n < 13 or at % 3 == n % 3}
    return sorted(pairs | {(n // 3, n // 2), (1, n - 1)})


def _counts(sizes: Sequence[int]) -> Iterator[Case]:
    from pbcnf import ENCODERS, Cardinality, choose, encode, encode_many

    for (name, encoder), n in product(ENCODERS.items(), sizes):
        for lower, upper in _bounds(n):
            try:
                literals = encoder.size(n, lower, upper).literals
            except ValueError:
                literals = 0
            lits = [lit if lit % 3 else -lit for lit in range(n, 0, -1)]
            work = partial(encode, Cardinality(lits, lower, upper), encoder=name)
            yield Case(f"{name} {lower} <= {n} <= {upper}", n, work, literals)
    for n in sizes:
        for lower, upper in _bounds(n):
            bound = Cardinality(range(1, n + 1), lower, upper)
            label = f"chosen {n} {lower} {upper} {choose(bound)}"
            yield Case(label, n, partial(encode, bound))
            if n <= 60:
                rows = [[r * n + v + 1 for v in range(n)] for r in range(3)] + [[1] * n]
                work = partial(encode_many, rows, lower, upper, encoder="totalizer")
                yield Case(f"many {n} {lower} {upper}", 3 * n, work)


def _weighted() -> Iterator[Case]:
    from pbcnf import ENCODERS, PseudoBoolean, WeightedEncoder, choose, encode

    shapes = product(ENCODERS.items(), (2, 3, 5, 8, 13, 20, 40, 100), (3, 12, 1000, 10**20))
    for (name, encoder), n, most in shapes:
        if not isinstance(encoder, WeightedEncoder) or (n * most > 2000 and name in _MANY_CLAUSES):
            continue
        weights = [Random(n * most).randint(1, most) for _ in range(n)]
        if n > 5:
            weights[1::2] = [weights[0]] * len(weights[1::2])
        total = sum(weights)
        signed = [-w if i % 4 == 3 else w for i, w in enumerate(weights)]
        moved = sum(w for w in signed if w < 0)
        for lower, upper in ((0, total // 2), (total // 3, total), (total // 3, total // 2)):
            literals = encoder.weighted_size(weights, lower, upper).literals
            bound = PseudoBoolean(range(1, n + 1), signed, lower + moved, upper + moved)
            label = f"{name} weights to {most} {lower} <= {n} <= {upper}"
            yield Case(label, n, partial(encode, bound, encoder=name), literals)
            if name == "adder":
                yield Case(f"chosen {label} {choose(bound)}", n, partial(encode, bound), literals)


def _conditions() -> Iterator[Case]:
    from pbcnf import ENCODERS, Cardinality, PseudoBoolean, encode

    shapes = ((3, 1, 1), (5, 0, 2), (6, 2, 3), (9, 4, 9), (20, 3, 9))
    for name, (n, lower, upper), how in product((*ENCODERS, None), shapes, ("when", "iff")):
        for bound in (
            Cardinality(range(1, n + 1), lower, upper),
            Cardinality([*range(1, n), -2], lower, upper),
            PseudoBoolean(range(1, n + 1), range(1, n + 1), lower, upper),
        ):
            condition: dict[str, Any] = {how: n + 1}
            work = partial(encode, bound, encoder=name, **condition)
            yield Case(f"{name} {how} {bound}", n + 1, work)


def _counters() -> Iterator[Case]:
    from pbcnf import ENCODERS, Counter, Direction

    def live(encoder: Any, n: int, upto: int, kinds: Direction, downto: int, sink: Any) -> object:
        count = encoder.count(range(1, n + 1), upto, sink, kinds, downto)
        count.extend(upto=upto + 2)
        count.extend(downto=0)
        count.add_inputs([-1, n + 1, n + 2, n + 3])
        count.merge(encoder.count([n + 4, n + 5, n + 6], 2, sink, kinds))
        count.extend(directions=Direction.BOTH)
        return [count.first, *count.outputs]

    shapes = [
        (name, n, upto, upto // 2)
        for name, encoder in ENCODERS.items()
        if isinstance(encoder, Counter)
        for n in (1, 2, 3, 5, 8, 16, 17, 40, 130, 600)
        for upto in sorted({0, 1, 2, n // 3, n // 2, n})
    ]
    shapes.append(("totalizer", 3000, 30, 12))
    for (name, n, upto, downto), kinds in product(shapes, Direction):
        work = partial(live, ENCODERS[name], n, upto, kinds, downto)
        yield Case(f"{name} counter: {n} {upto} {kinds}", n + 6, work)


def _weighted_counters() -> Iterator[Case]:
    from pbcnf import ENCODERS, WeightedCounter

    def live(encoder: Any, weights: list[int], sink: Any) -> object:
        n, total = len(weights), sum(weights)
        count = encoder.count_weighted(range(1, n + 1), weights, sink)
        found = [count.at_most(total // 2), count.at_least(total // 3), count.at_most(total // 3)]
        count.add_inputs([n + 1, n + 2], [weights[0], 3])
        count.merge(encoder.count_weighted([n + 3, -1], [2, 2], sink))
        return [*found, count.at_most(total // 2), count.at_least(total // 2)]

    for (name, encoder), n, most in product(ENCODERS.items(), (1, 2, 5, 9, 20, 60), (1, 4, 50)):
        if isinstance(encoder, WeightedCounter):
            weights = [Random(n * most).randint(1, most) for _ in range(n)]
            work = partial(live, encoder, weights)
            yield Case(f"{name} weighted counter: {n} to {most}", n + 3, work)


def _parities() -> Iterator[Case]:
    from pbcnf import PARITY_ENCODERS, Parity, encode

    for name, n, odd in product((*PARITY_ENCODERS, None), (*range(1, 15), 60, 1000), (False, True)):
        conditions: tuple[dict[str, Any], ...] = ({}, {"when": n + 1}, {"iff": n + 1})
        for how in conditions if n <= 14 or name != "direct" else ():
            work = partial(encode, Parity(range(1, n + 1), odd), encoder=name, **how)
            yield Case(f"{name} parity {n} {odd} {how}", n + 1, work)


def _groups() -> Iterator[Case]:
    from pbcnf import PseudoBoolean
    from pbcnf.emission.groups import Group, encode_grouped

    for n, chained in product((6, 9, 15, 30, 60), (False, True)):
        weights = [3, 5, 8] * (n // 3)
        groups = [Group((v, v + 1, v + 2), chained) for v in range(1, n + 1, 3)]
        bounds = ((0, sum(weights) // 4), (4, sum(weights) // 3))
        for (lower, upper), when in product(bounds, (None, n + 1)):
            bound = PseudoBoolean(range(1, n + 1), weights, lower, upper)
            work = partial(encode_grouped, bound, groups, when=when)
            yield Case(f"groups {n} {chained} {lower} {upper} {when}", n + 1, work)
