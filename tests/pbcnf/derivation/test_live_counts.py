"""Counters that grow while they are asked: each clause derived from nothing, and each bound."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from pbcnf import Formula, find_encoder
from pbcnf.derivation import Derivation, write_proof
from pbcnf.derivation.ledger import Ledger
from pbcnf.derivation.live_counts import LiveCount
from pbcnf.encoders.counter import Direction, UnaryCount
from pbcnf.encoders.weighted_count import WeightedCount
from pbcnf.errors import EncodingError
from pbcnf.proof.cutting_planes.encodings import check_encoding
from pbcnf.proof.format_error import ProofFormatError

UNARY = ["totalizer", "sequential_counter", "sorting_network"]
WEIGHTED = ["adder", "generalized_totalizer", "global_polynomial_watchdog"]


class Followed:
    """A counter of some of `inputs` variables, and all that was derived of it."""

    def __init__(
        self, make: Callable[[Formula], UnaryCount | WeightedCount], inputs: int, row: str = ""
    ) -> None:
        self.raw = f"* #variable= {inputs} #constraint= {int(bool(row))}\n{row}".encode()
        self.formula = Formula(num_vars=inputs)
        self.ledger = Ledger(Derivation(int(bool(row))))
        self.given = self.ledger.derivation.formula
        self.count = make(self.formula)
        self.live = LiveCount(self.count, self.ledger)
        self.kept: list[int] = []
        self.further: list[list[int]] = []
        self.follow()

    def follow(self) -> None:
        new = [*self.formula.clauses()][len(self.kept) :]
        self.kept += self.live.follow(new)

    def clauses(self) -> list[list[int]]:
        return [[*clause] for clause in self.formula.clauses()] + self.further

    def proof(self) -> bytes:
        added = self.ledger.derivation.added
        every = range(self.given + 1, self.given + added + 1)
        self.ledger.forget({*every}.difference(self.kept))
        stream = io.BytesIO()
        write_proof(self.ledger.derivation, stream)
        return stream.getvalue()

    def require_derived(self) -> None:
        found = check_encoding(self.raw, dimacs(self.clauses()), self.proof())
        assert found.clauses == len(self.clauses())


def dimacs(clauses: list[list[int]]) -> bytes:
    variables = max(abs(lit) for clause in clauses for lit in clause)
    lines = [f"p cnf {variables} {len(clauses)}"]
    lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join([*lines, ""]).encode()


def counter(
    encoder: str, lits: Sequence[int], weights: Sequence[int], upto: int, sink: Formula
) -> UnaryCount | WeightedCount:
    chosen: Any = find_encoder(encoder)
    made: UnaryCount | WeightedCount
    if encoder in WEIGHTED:
        made = chosen.count_weighted(lits, weights, sink)
    else:
        made = chosen.count(lits, upto, sink)
    return made


@pytest.mark.parametrize("encoder", UNARY)
@pytest.mark.parametrize("seed", range(12))
def test_counts_that_grow_and_repeat_inputs_are_derived(encoder: str, seed: int) -> None:
    random = Random(seed)
    inputs = 12
    first = [v * random.choice((1, -1)) for v in range(1, random.randint(2, 7))]
    directions = random.choice([Direction.AT_MOST, Direction.AT_LEAST, Direction.BOTH])
    upto = random.randint(0, 3)
    chosen: Any = find_encoder(encoder)
    found = Followed(lambda f: chosen.count(first, upto, f, directions), inputs)
    count = found.count
    assert isinstance(count, UnaryCount)
    for _ in range(3):
        if random.random() < 0.5:
            count.extend(random.randint(0, 8), directions=random.choice([None, Direction.BOTH]))
        else:
            # Inputs repeat; opposite ones only come one after the other.
            places = random.sample(range(1, inputs + 1), random.randint(1, 3))
            more = [random.choice((1, -1)) * place for place in places]
            count.add_inputs(more + more[: random.randint(0, 1)])
        found.follow()
    found.require_derived()


@pytest.mark.parametrize("encoder", WEIGHTED)
@pytest.mark.parametrize("seed", range(12))
def test_weighted_counts_that_grow_are_derived(encoder: str, seed: int) -> None:
    random = Random(seed)
    inputs = 30
    order = iter(range(1, inputs + 1))

    def more() -> tuple[list[int], list[int]]:
        size = random.randint(1, 4)
        lits = [next(order) * random.choice((1, -1)) for _ in range(size)]
        return lits, [random.randint(-4, 20) for _ in range(size)]

    found = Followed(lambda f: counter(encoder, *more(), 0, f), inputs)
    count = found.count
    assert isinstance(count, WeightedCount)
    for _ in range(6):
        if random.random() < 0.6:
            ask = random.choice([count.at_most, count.at_least])
            ask(random.randint(count.least, count.most))
        else:
            count.add_inputs(*more())
        found.follow()
    found.require_derived()


@pytest.mark.parametrize("encoder", [*UNARY, *WEIGHTED])
@pytest.mark.parametrize("bound", [1, 3, 4, 6])
@pytest.mark.parametrize("above", [True, False])
def test_a_row_that_violates_a_bound_implies_that_not_all_its_literals_hold(
    encoder: str, bound: int, above: bool
) -> None:
    """The bound itself, from outside: it is asked of inputs that a given row keeps from it."""
    weighted = encoder in WEIGHTED
    weights = [3, 1, 2, 2, 1] if weighted else [1] * 8
    lits = [*range(1, len(weights) + 1)]
    terms = " ".join(f"{w:+d} x{v}" for w, v in zip(weights, lits, strict=True))
    row = f"{terms} >= {bound + 1} ;\n" if above else f"{terms} <= {bound - 1} ;\n"

    found = Followed(lambda f: counter(encoder, lits[:4], weights[:4], 7, f), len(lits), row)
    count, ledger = found.count, found.ledger
    count.at_most(2)
    found.follow()
    if isinstance(count, WeightedCount):
        count.add_inputs(lits[4:], weights[4:])
    else:
        count.add_inputs(lits[4:])
    assumed = count.at_most(bound) if above else count.at_least(bound)
    found.follow()
    given = [*zip(weights, lits, strict=True)]
    if above:
        ledger.given(1, given, bound + 1)
    else:
        ledger.given(1, [(w, -v) for w, v in given], sum(weights) - bound + 1)
    number = found.live.bound(assumed)
    assert number is not None
    found.further.append([-lit for lit in assumed])
    found.kept.append(ledger.sum_up(found.further[0], [(number, 1), (1, 1)]))
    found.require_derived()
    assert any(var > len(lits) for var in map(abs, assumed))


@pytest.mark.parametrize("encoder", [*UNARY, *WEIGHTED])
def test_a_clause_left_out_or_turned_around_is_refused(encoder: str) -> None:
    lits, weights = [1, 2, 3, 4, 5], [3, 2, 2, 1, 1]
    found = Followed(lambda f: counter(encoder, lits, weights, 3, f), 5)
    found.count.at_most(3)
    found.follow()
    proof, clauses = found.proof(), found.clauses()
    for place, clause in enumerate(clauses):
        for other in ([], [[-clause[0], *clause[1:]]], [clause[1:]]):
            changed = [*clauses[:place], *other, *clauses[place + 1 :]]
            with pytest.raises(ProofFormatError):
                check_encoding(found.raw, dimacs(changed), proof)


def test_clauses_that_say_more_than_the_counter_are_not_derived() -> None:
    found = Followed(lambda f: counter("totalizer", [1, 2, 3], [], 2, f), 3)
    count = found.count
    with pytest.raises(EncodingError, match="does not follow"):
        found.live.follow([count.at_most(1)])


def test_a_sorting_network_with_opposite_inputs_is_not_derived() -> None:
    with pytest.raises(EncodingError, match="opposite"):
        Followed(lambda f: counter("sorting_network", [1, 2, -1], [], 2, f), 3)


def test_bits_of_a_merged_adder_are_not_derived() -> None:
    weighted: Any = find_encoder("adder")
    found = Followed(lambda f: weighted.count_weighted([1, 2], [3, 3], f), 4)
    other = weighted.count_weighted([3, 4], [3, 3], found.formula)
    other.at_most(2)
    count = found.count
    assert isinstance(count, WeightedCount)
    count.merge(other)
    count.at_most(7)
    with pytest.raises(EncodingError):
        found.follow()


def test_merged_totalizers_are_derived() -> None:
    totalizer: Any = find_encoder("totalizer")
    found = Followed(lambda f: totalizer.count([1, 2, 3], 2, f), 6)
    count = found.count
    assert isinstance(count, UnaryCount)
    other = totalizer.count([4, 5, 6], 2, found.formula)
    count.merge(other)
    found.ledger.if_false[-other.false] = found.ledger.fix(-other.false)
    found.follow()
    found.require_derived()


@pytest.mark.parametrize("encoder", UNARY)
def test_counts_of_many_inputs_are_derived(encoder: str) -> None:
    found = Followed(lambda f: counter(encoder, range(1, 41), [], 5, f), 40)
    found.require_derived()
