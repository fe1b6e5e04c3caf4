"""Sums in binary: all clauses derived at all bounds and weights, and no others accepted."""

from __future__ import annotations

import io
from itertools import product
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbcnf import Formula
from pbcnf.derivation import Derivation, write_proof
from pbcnf.derivation.adders import adder, derive, parallel_counter
from pbcnf.derivation.derivation_state import DerivationState, UnderivableError
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.encoders.cardinality.parallel_counter import ParallelCounter
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.proof.cutting_planes.encodings import check_encoding
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.format_error import ProofFormatError
from pbcnf.sink import GuardedSink

ENCODERS: list[Encoder] = [ParallelCounter(), Adder(), Adder(equivalent=True)]
NAMES = ["parallel_counter", "adder", "adder_equivalent"]


class Case(NamedTuple):
    encoder: Encoder
    lits: list[int]
    weights: list[int]
    lower: int
    upper: int
    guarded: bool = False
    """Whether the rows and clauses hold one literal more."""

    @property
    def guard(self) -> int | None:
        return -(len(self.lits) + 1) if self.guarded else None

    @property
    def variables(self) -> int:
        return len(self.lits) + self.guarded

    def rows(self) -> list[tuple[list[tuple[int, int]], int]]:
        total = sum(self.weights)
        terms = [*zip(self.weights, self.lits, strict=True)]
        negated = [(weight, -lit) for weight, lit in terms]
        rows = [(terms, self.lower), (negated, total - self.upper)]
        if self.guard is None:
            return rows
        return [([*row, (max(least, 1), self.guard)], least) for row, least in rows]

    def clauses(self) -> list[list[int]]:
        formula = Formula(num_vars=self.variables)
        sink = formula if self.guard is None else GuardedSink(formula, self.guard)
        if isinstance(self.encoder, Adder):
            self.encoder.encode_weighted(self.lits, self.weights, self.lower, self.upper, sink)
        else:
            self.encoder.encode(self.lits, self.lower, self.upper, sink)
        return [[*clause] for clause in formula.clauses()]

    def opb(self) -> bytes:
        text = ""
        for row, least in self.rows():
            terms = " ".join(f"+{weight} {'~' * (v < 0)}x{abs(v)}" for weight, v in row)
            text += f"{terms} >= {least} ;\n"
        return f"* #variable= {self.variables} #constraint= 2\n{text}".encode()

    def proof(self, clauses: list[list[int]]) -> bytes:
        state = DerivationState(Derivation(2))
        for number, (row, least) in enumerate(self.rows(), 1):
            state.declare(number, row, least)
        total = sum(self.weights)
        of = EncodedSum(
            self.encoder,
            tuple(self.lits),
            tuple(self.weights),
            self.lower,
            self.upper,
            1 if self.lower > 0 else None,
            2 if self.upper < total else None,
            self.variables + 1,
            clauses,
        )
        kept = derive(of, state)
        derivation = state.derivation
        state.delete({*range(3, 3 + derivation.added)}.difference(kept))
        stream = io.BytesIO()
        write_proof(derivation, stream)
        return stream.getvalue()


def dimacs(clauses: list[list[int]]) -> bytes:
    variables = max(abs(lit) for clause in clauses for lit in clause)
    lines = [f"p cnf {variables} {len(clauses)}"]
    lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join([*lines, ""]).encode()


def require_derived(case: Case) -> None:
    clauses = case.clauses()
    found = check_encoding(case.opb(), dimacs(clauses), case.proof(clauses))
    assert found.clauses == len(clauses)


def forces_none(weights: list[int], lower: int, upper: int) -> bool:
    """What encoders are asked: a bound that says something, and no input forced."""
    total = sum(weights)
    trivial = lower == 0 and upper == total
    return not trivial and max(weights) <= min(upper, total - lower)


@pytest.mark.parametrize("encoder", ENCODERS, ids=NAMES)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 7, 8, 11])
def test_every_clause_is_derived_at_every_bound(encoder: Encoder, n: int) -> None:
    for lower, upper in product(range(n + 1), repeat=2):
        if lower <= upper and forces_none([1] * n, lower, upper):
            require_derived(Case(encoder, [*range(1, n + 1)], [1] * n, lower, upper))


@pytest.mark.parametrize("encoder", ENCODERS[1:], ids=NAMES[1:])
@pytest.mark.parametrize(
    "weights",
    [[1, 2, 4, 7], [2, 2, 3, 3, 3], [4, 5, 6, 7], [3, 6, 9, 12, 1], [8, 8, 8, 1, 16]],
)
def test_every_clause_is_derived_at_weighted_bounds(encoder: Encoder, weights: list[int]) -> None:
    lits, total = [-1, 2, -3, 4, 5][: len(weights)], sum(weights)
    for lower, upper in product(range(total + 1), repeat=2):
        one_bound = lower == 0 or upper == total
        if (one_bound or upper - lower in (0, 1, 5)) and forces_none(weights, lower, upper):
            require_derived(Case(encoder, lits, weights, lower, upper))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_larger_sums_are_derived_with_and_without_a_literal_that_implies_them(data) -> None:
    encoder = data.draw(st.sampled_from(ENCODERS))
    n = data.draw(st.integers(3, 60))
    random = Random(data.draw(st.integers(0, 99)))
    most = data.draw(st.sampled_from([1, 9, 1000])) if isinstance(encoder, Adder) else 1
    weights = [random.randint(1, most) for _ in range(n)]
    total = sum(weights)
    assume(2 * max(weights) <= total)
    one = data.draw(st.integers(max(weights), total - max(weights)))
    other = data.draw(st.integers(one, total - 1))
    lower, upper = data.draw(st.sampled_from([(0, one), (one, total), (one, one), (one, other)]))
    lits = [var * random.choice((1, -1)) for var in random.sample(range(1, n + 1), n)]
    require_derived(Case(encoder, lits, weights, lower, upper, data.draw(st.booleans())))


@pytest.mark.parametrize("guarded", [False, True])
@pytest.mark.parametrize("encoder", ENCODERS, ids=NAMES)
def test_a_clause_left_out_or_changed_is_refused(encoder: Encoder, guarded: bool) -> None:
    random = Random(1)
    weights = [1] * 9 if isinstance(encoder, ParallelCounter) else [9, 7, 6, 5, 5, 3, 2, 2, 1]
    total = sum(weights)
    third = total // 3
    for lower, upper in [(0, third), (third, total), (third, third), (third, 2 * third)]:
        case = Case(encoder, [*range(1, 10)], weights, lower, upper, guarded)
        clauses = case.clauses()
        proof = case.proof(clauses)
        for place in random.sample(range(len(clauses)), 4):
            clause = clauses[place]
            gone = random.randrange(len(clause))
            less = clause[:gone] + clause[gone + 1 :]
            turned = [-lit if at == gone else lit for at, lit in enumerate(clause)]
            for other in ([], [less], [turned]):
                changed = [*clauses[:place], *other, *clauses[place + 1 :]]
                with pytest.raises(ProofFormatError):
                    check_encoding(case.opb(), dimacs(changed), proof)


@pytest.mark.parametrize("encoder", ENCODERS, ids=NAMES)
def test_clauses_of_a_smaller_bound_are_not_derived(encoder: Encoder) -> None:
    case = Case(encoder, [*range(1, 12)], [1] * 11, 0, 6)
    stronger = case._replace(upper=5)
    with pytest.raises(UnderivableError):
        case.proof(stronger.clauses())
    with pytest.raises(ProofError):
        check_encoding(case.opb(), dimacs(stronger.clauses()), stronger.proof(stronger.clauses()))


@pytest.mark.parametrize("n", [2, 3, 7, 8, 20])
def test_the_adders_put_down_keep_the_sum_of_all_inputs(n: int) -> None:
    """By truth tables of each adder: outputs as they are meant, until bits are left."""
    random = Random(n)
    lits = [*range(1, n + 1)]
    weights = [random.randint(1, 12) for _ in lits]
    total = sum(weights)
    for adders, worth in [
        (parallel_counter(lits, n + 1), [1] * n),
        (adder(lits, weights, total, n + 1), weights),
    ]:
        for _ in range(20):
            value = {lit: random.random() < 0.5 for lit in lits}
            inputs = [*zip(lits, worth, strict=True)]
            left = {(lit, p) for lit, w in inputs for p in range(9) if w >> p & 1}
            for each in adders:
                true = sum(value[lit] for lit in each.inputs)
                left -= {(lit, each.place) for lit in each.inputs}
                left.add((each.total, each.place))
                value[each.total] = bool(true % 2)
                if each.carry is not None:
                    left.add((each.carry, each.place + 1))
                    value[each.carry] = true > 1
            places = [place for _, place in left]
            assert len(set(places)) == len(places)
            found = sum(1 << place for lit, place in left if value[lit])
            assert found == sum(w for lit, w in inputs if value[lit])
