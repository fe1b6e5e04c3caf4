"""Problems that ask about the encoder of one kind of constraint, in families; made from seeds."""

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple

from pbcnf.constraints.constraint import Cardinality, Constraint, PseudoBoolean
from pbcnf.constraints.normal_form import WeightedSum, sum_of, sums
from pbcnf.constraints.problem import Problem
from pbcnf.emission.dispatch import Kind, choose
from pbcnf.emission.groups import Conflicts
from pbcnf.encoders.choice import Budget, encoder_for, is_at_most_one
from pbcnf.encoders.circuits.grouped_sums import GroupedSum
from pbcnf.encoders.protocol import Encoder, Propagation
from pbcnf.encoders.table import find_encoder
from pbcnf.formats.write.opb import write_opb
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.instances.random_boards import random_position
from satsweeper.compare.job.question import layout_question
from satsweeper.families.pigeonhole import pigeonhole
from satsweeper.families.random_problems import (
    graph,
    knapsacks,
    latin_square,
    market_split,
    tomography,
    weighted_cover,
)
from satsweeper.families.regular import regular

CANDIDATES: Final[dict[Kind, tuple[str, ...]]] = {
    Kind.AT_MOST_ONE: (
        "product", "pairwise", "sequential", "bitwise", "commander", "multipartite", "totalizer",
    ),
    Kind.CARDINALITY: (
        "totalizer", "k_modulo_totalizer", "parallel_counter", "sequential_counter",
        "cardinality_network", "grid_compression", "adder", "direct",
    ),
    Kind.PSEUDO_BOOLEAN: (
        "adder", "generalized_totalizer", "decision_diagram", "sequential_weight_counter",
        "global_polynomial_watchdog", "binary_merge", "mixed_radix_sorter",
    ),
}  # fmt: skip
"""The encoders among which a tree chooses, by kind."""

_DIRECT: Final = 12
"""The largest number of literals of constraints for which `direct` is a contestant."""
GROUPED: Final = ", groups"
"""The end of the name of an encoder that uses the groups of literals of the problem."""


class Sum(NamedTuple):
    """A sum that needs an encoder, and the name of the encoder that the rule by size chooses."""

    kind: Kind
    form: WeightedSum
    by_size: str


@dataclass(frozen=True)
class Question:
    """A problem whose sums of `kind` with `least` literals or more all get one encoder.

    Its other constraints get the encoders that are chosen by size.
    """

    family: str
    name: str
    kind: Kind
    problem: Problem = field(repr=False)
    least: int = 2

    @cached_property
    def instance(self) -> Instance:
        """The problem as an instance of a sweep."""
        stream = io.BytesIO()
        write_opb(self.problem, stream)
        name = f"{self.family}: {self.name}"
        return Instance.of_text(InstanceKind.PROBLEM, stream.getvalue(), name, self.family)

    @cached_property
    def sums(self) -> list[Sum]:
        """The sums in question."""
        found, budget = [], Budget()
        for constraint in self.problem.constraints:
            choice = choose(constraint, budget)
            form = None if choice.encoder is None else sum_of(constraint)  # type: ignore[arg-type]
            if form is not None and choice.kind is self.kind and len(form.lits) >= self.least:
                assert choice.encoder is not None
                found.append(Sum(choice.kind, form, choice.encoder))
        return found

    @property
    def by_size(self) -> str:
        """The encoder that the rule by size chooses for most of the sums in question."""
        return most(each.by_size for each in self.sums)

    @cached_property
    def encoders(self) -> dict[str, "InQuestion"]:
        """The contestants, by the names that they have in the sweep."""
        return self.among([*CANDIDATES[self.kind], self.by_size])

    def among(self, names: Iterable[str]) -> dict[str, "InQuestion"]:
        """Return encoders of the sums in question, by the names that they have in a sweep.

        ``direct`` is left out where a sum is too long for it. A name that ends with `GROUPED` is an
        encoder that uses the at-most-one constraints and clauses of the problem.
        """
        longest = max(len(each.form.lits) for each in self.sums)
        found = {}
        for name in dict.fromkeys(names):
            if name != "direct" or longest <= _DIRECT:
                conflicts, where = None, ""
                if name.endswith(GROUPED):
                    conflicts = Conflicts(sums(self.problem))
                    where = f" in {self.instance.digest[:8]}"
                chosen = InQuestion(self.kind, self.least, name, conflicts)
                found[f"{self.kind.value} of {self.least}{where}: {name}"] = chosen
        return found


def most(names: Iterable[str]) -> str:
    """Return the name that comes most often, the first of equals."""
    held = list(names)
    return max(dict.fromkeys(held), key=held.count)


@dataclass(frozen=True)
class InQuestion:
    """An encoder of the sums in question, and of all others by size."""

    kind: Kind
    least: int
    chosen: str
    conflicts: Conflicts | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        """The name of the encoder of the sums in question."""
        return self.chosen

    propagation = Propagation.NONE
    weighted_propagation = Propagation.NONE
    weighted_range_propagation = Propagation.NONE

    def _of(self, weights: Sequence[int], lower: int, upper: int) -> Encoder:
        kind = Kind.PSEUDO_BOOLEAN
        if max(weights) == 1:
            one = is_at_most_one(len(weights), lower, upper)
            kind = Kind.AT_MOST_ONE if one else Kind.CARDINALITY
        if kind is self.kind and len(weights) >= self.least:
            return find_encoder(self.chosen.removesuffix(GROUPED))
        return encoder_for(weights, lower, upper).encoder

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        """Claim nothing."""
        return False

    def weighted_parsimonious(self, weights: Sequence[int], lower: int, upper: int) -> bool:
        """Claim nothing."""
        return False

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        """Return the size of what `encode` adds."""
        return self._of((1,) * n, lower, upper).size(n, lower, upper)

    def weighted_size(self, weights: Sequence[int], lower: int, upper: int) -> EncodingSize:
        """Return the size of what `encode_weighted` adds without groups."""
        encoder: Any = self._of(weights, lower, upper)
        size: EncodingSize = encoder.weighted_size(weights, lower, upper)
        return size

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        """Encode a sum of weights 1."""
        self._of((1,) * len(lits), lower, upper).encode(lits, lower, upper, sink)

    def encode_weighted(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Encode a weighted sum."""
        encoder: Any = self._of(weights, lower, upper)
        if self.conflicts is not None:
            form = WeightedSum((), tuple(lits), tuple(weights), lower, upper)
            cut = GroupedSum.of(form, self.conflicts.groups(lits))
            if cut is not None:
                encoder.encode_groups(cut, sink)
                return
        encoder.encode_weighted(lits, weights, lower, upper, sink)


# At most one, exactly one.


def exactly(lits: Sequence[int], k: int = 1) -> Cardinality:
    """Return "exactly k of lits"."""
    return Cardinality(lits, k, k)


def at_most(lits: Sequence[int], k: int = 1) -> Cardinality:
    """Return "at most k of lits"."""
    return Cardinality(lits, upper=k)


def _cliques(vertices: int, cliques: int, size: int, colours: int, random: Random) -> Problem:
    """Colour a graph that is a union of cliques: each colour at most once in a clique."""
    at = [[v * colours + c + 1 for c in range(colours)] for v in range(vertices)]
    found: list[Constraint] = [exactly(row) for row in at]
    for _ in range(cliques):
        chosen = random.sample(range(vertices), size)
        found += [at_most([at[v][c] for v in chosen]) for c in range(colours)]
    return Problem(vertices * colours, tuple(found))


def _starts(jobs: int, slots: int, lengths: Sequence[int]) -> tuple[list[list[int]], int]:
    """Return the variable of each job and start within `slots`, and the number of variables."""
    found, last = [], 0
    for job in range(jobs):
        starts = slots - lengths[job] + 1
        found.append([*range(last + 1, last + starts + 1)])
        last += starts
    return found, last


def _machines(jobs: int, slack: float, random: Random) -> Problem:
    """Job shop on two machines by slots: a job's second task begins after its first has ended."""
    lengths = [random.randint(1, 4) for _ in range(2 * jobs)]
    slots = round(max(sum(lengths[:jobs]), sum(lengths[jobs:])) * slack)
    at, last = _starts(2 * jobs, slots, lengths)
    found: list[Constraint] = [exactly(row) for row in at]
    for machine in (0, 1):
        own = range(machine * jobs, (machine + 1) * jobs)
        for t in range(slots):
            found.append(at_most(_running(at, own, lengths, t)))
    for job in range(jobs):
        for s, first in enumerate(at[job]):
            # Not both: the first task from slot s on, the second before the first has ended.
            for second in at[jobs + job][: s + lengths[job]]:
                found.append(Cardinality([-first, -second], lower=1))
    return Problem(last, tuple(found))


def _running(
    at: Sequence[Sequence[int]], jobs: Sequence[int], lengths: Sequence[int], t: int
) -> list[int]:
    """Return the literals of the starts with which jobs run in slot t."""
    return [
        at[j][s] for j in jobs for s in range(max(t - lengths[j] + 1, 0), min(t + 1, len(at[j])))
    ]


def _queens(n: int, given: int, random: Random) -> Problem:
    """Queens on an n by n board, with some squares forbidden."""
    at = {cell: v for v, cell in enumerate(product(range(n), repeat=2), start=1)}
    found: list[Constraint] = [exactly([at[i, j] for j in range(n)]) for i in range(n)]
    found += [exactly([at[i, j] for i in range(n)]) for j in range(n)]
    for sign in (1, -1):
        for d in range(-n + 1, 2 * n - 1):
            line = [at[i, d - sign * i] for i in range(n) if 0 <= d - sign * i < n]
            if len(line) > 1:
                found.append(at_most(line))
    found += [Cardinality([-v], lower=1) for v in random.sample([*at.values()], given)]
    return Problem(n * n, tuple(found))


# Other counts.


def _board(rows: int, columns: int, mines: int, opened: float, random: Random) -> Problem:
    """A Minesweeper board with its total, which is what is asked about."""
    position = random_position(rows, columns, mines, random.randrange(10**6), opened)
    asked = layout_question(position)
    total = () if asked.total is None else (asked.total,)
    return Problem(asked.variables, (*asked.constraints, *total))


def _dominating(n: int, degree: float, share: float, random: Random) -> Problem:
    """Some vertices such that each is chosen or has a chosen neighbour, a share of n at most."""
    near = graph(n, degree, random)
    found: list[Constraint] = [Cardinality([v, *near[v - 1]], lower=1) for v in range(1, n + 1)]
    return Problem(n, (*found, at_most(range(1, n + 1), round(share * n))))


def _independent(n: int, degree: float, share: float, random: Random) -> Problem:
    """At least a share of n vertices, no two of them neighbours."""
    near = graph(n, degree, random)
    pairs = [(v, u) for v in range(1, n + 1) for u in near[v - 1] if u > v]
    found: list[Constraint] = [Cardinality([-v, -u], lower=1) for v, u in pairs]
    return Problem(n, (*found, Cardinality(range(1, n + 1), lower=round(share * n))))


def _roster(people: int, days: int, need: int, random: Random) -> Problem:
    """A roster: enough people each day, nobody on too many days of a fortnight."""
    at = [[p * days + d + 1 for d in range(days)] for p in range(people)]
    found: list[Constraint] = [Cardinality(c, lower=need) for c in zip(*at, strict=True)]
    most_days = -(-need * 14 // people)
    for row in at:
        found += [at_most(row[d : d + 14], most_days) for d in range(days - 13)]
        # No single days: who works today has worked yesterday or works tomorrow.
        for d in range(1, days - 1):
            found.append(Cardinality([-row[d], row[d - 1], row[d + 1]], lower=1))
        found += [Cardinality([-row[d]], lower=1) for d in random.sample(range(days), days // 10)]
    return Problem(people * days, tuple(found))


# Weighted sums.


def _cumulative(jobs: int, capacity: int, slack: float, random: Random) -> Problem:
    """Jobs that need parts of one capacity, by slots."""
    lengths = [random.randint(1, 4) for _ in range(jobs)]
    needs = [random.randint(1, capacity - 1) for _ in range(jobs)]
    energy = sum(a * b for a, b in zip(lengths, needs, strict=True))
    slots = max(round(slack * energy / capacity), 4)
    at, last = _starts(jobs, slots, lengths)
    found: list[Constraint] = [exactly(row) for row in at]
    for t in range(slots):
        lits = [(v, needs[j]) for j in range(jobs) for v in _running(at, [j], lengths, t)]
        found.append(
            PseudoBoolean([v for v, _ in lits], [need for _, need in lits], upper=capacity)
        )
    return Problem(last, tuple(found))


def _bins(items: int, bins: int, capacity: int, random: Random) -> Problem:
    """Items of random sizes in bins of one capacity, nearly full."""
    sizes = [random.randint(capacity // 8, capacity // 2) for _ in range(items)]
    full = max(-(-round(1.02 * sum(sizes)) // bins), max(sizes))
    at = [[i * bins + b + 1 for b in range(bins)] for i in range(items)]
    found: list[Constraint] = [exactly(row) for row in at]
    found += [PseudoBoolean(c, sizes, upper=full) for c in zip(*at, strict=True)]
    return Problem(items * bins, tuple(found))


Make = Callable[..., Problem]


class Family(NamedTuple):
    """Problems of one sort: `make` with each of `rows`, and a random generator if it is `drawn`."""

    name: str
    kind: Kind
    make: Make
    rows: tuple[tuple[float, ...], ...]
    drawn: bool = True
    least: int = 2

    def question(self, row: int, seed: int) -> Question:
        """Return the problem of a row under a seed."""
        words = self.rows[row]
        name = f"{' '.join(f'{word:g}' for word in words)}, seed {seed}"
        last = Random(f"{self.name} {words} {seed}") if self.drawn else seed
        return Question(self.name, name, self.kind, self.make(*words, last), self.least)


def _pigeons(pigeons: int, holes: int, capacity: int, seed: int) -> Problem:
    return pigeonhole(pigeons, holes, capacity)


_ONE, _COUNT, _SUM = Kind.AT_MOST_ONE, Kind.CARDINALITY, Kind.PSEUDO_BOOLEAN
FAMILIES: Final = (
    Family("regular", _COUNT, regular, ((5, 12, 5, 2), (10, 100, 20, 5), (8, 200, 100, 4),
           (7, 8, 3, 2), (8, 200, 20, 4), (12, 40, 11, 3)), drawn=False),
    Family("Latin squares", _ONE, latin_square, ((20, 168), (25, 260), (30, 380))),
    Family("knapsacks", _SUM, knapsacks, ((24, 3, 30), (30, 4, 60), (40, 3, 12))),
    Family("boards", _COUNT, _board, ((36, 36, 250, 0.4), (50, 50, 500, 0.4), (30, 60, 380, 0.3)),
           least=20),
    Family("exact covers", _ONE, regular, ((60, 12, 1, 3), (40, 20, 1, 4), (30, 30, 1, 5),
           (36, 40, 1, 6)), drawn=False),
    Family("market split", _SUM, market_split, ((20, 3, 40), (24, 2, 100), (24, 3, 20))),
    Family("dominating sets", _COUNT, _dominating, ((50, 5, 0.2), (60, 4, 0.24), (80, 8, 0.14))),
    Family("pigeonhole", _ONE, _pigeons, ((9, 8, 1), (10, 9, 1), (11, 10, 1), (20, 20, 1)),
           drawn=False),
    Family("cumulative", _SUM, _cumulative, ((12, 8, 1.15), (16, 10, 1.2), (20, 12, 1.25))),
    Family("tomography", _COUNT, tomography, ((12, 0.4), (15, 0.5), (18, 0.3))),
    Family("cliques to colour", _ONE, _cliques, ((40, 12, 9, 12), (60, 14, 12, 16),
           (80, 12, 20, 25))),
    Family("bins", _SUM, _bins, ((15, 5, 60), (20, 6, 100), (24, 7, 50))),
    Family("independent sets", _COUNT, _independent, ((70, 6, 0.43), (90, 10, 0.33),
           (120, 6, 0.41))),
    Family("two machines", _ONE, _machines, ((12, 1.1), (16, 1.1), (20, 1.05))),
    Family("weighted covers", _SUM, weighted_cover, ((60, 5, 0.5), (70, 6, 0.52), (80, 8, 0.56))),
    Family("pigeons in larger holes", _COUNT, _pigeons, ((13, 6, 2), (16, 5, 3), (15, 7, 2),
           (21, 5, 4)), drawn=False),
    Family("queens", _ONE, _queens, ((24, 360), (32, 650), (40, 1050))),
    Family("rosters", _COUNT, _roster, ((8, 28, 4), (12, 28, 5), (16, 42, 6))),
)  # fmt: skip


def questions(
    seeds: int,
    families: Sequence[Family] = FAMILIES,
    rows: Mapping[str, Sequence[int]] | None = None,
    first: int = 1,
) -> list[Question]:
    """Return the problems of all families, in turns: any beginning of the list is of all families.

    Problems that are the same under every seed come once. ``rows``: the families to take, by name,
    and the rows of each; all of them by default. ``first``: the first of the seeds.
    """
    if rows is None:
        rows = {family.name: range(len(family.rows)) for family in families}
    found: dict[str, Question] = {}
    turns = range(max(map(len, rows.values())))
    for seed, turn in product(range(first, first + seeds), turns):
        for family in families:
            if turn < len(rows.get(family.name, ())):
                question = family.question(rows[family.name][turn], seed)
                found.setdefault(question.instance.digest, question)
    return list(found.values())
