"""The encoders of parities: models by brute force, sizes as predicted, propagation as claimed."""

import random

import pytest

from pbcnf import PARITY_ENCODERS, EncodingSize, Formula, Parity, encode, find_encoder
from pbcnf.encoders.choice import parity_encoder_for
from pbcnf.encoders.parity import MOST_INPUTS, CutParity
from pbcnf.encoders.table import find_parity_encoder
from pbcnf.errors import EncodingError
from tests.oracles import assignments, models, unit_propagation

every_encoder = pytest.mark.parametrize("encoder", PARITY_ENCODERS.values(), ids=PARITY_ENCODERS)


def clauses_of(encoder, n: int, odd: bool) -> tuple[list[list[int]], int]:
    formula = Formula(n)
    encoder.encode_parity(range(1, n + 1), odd, formula)
    return list(formula.clauses()), formula.num_vars


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("n", range(1, 8))
@every_encoder
def test_every_assignment_of_that_parity_extends_to_exactly_one_model(encoder, n, odd) -> None:
    found = [bits[:n] for bits in models(*clauses_of(encoder, n, odd))]
    assert sorted(found) == [bits for bits in assignments(n) if sum(bits) % 2 == odd]
    assert encoder.parsimonious_parity(n)


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("n", range(1, 41))
@every_encoder
def test_the_predicted_size_is_the_emitted_size(encoder, n, odd) -> None:
    if encoder.name == "direct" and n > 14:
        return
    clauses, num_vars = clauses_of(encoder, n, odd)
    emitted = EncodingSize(num_vars - n, len(clauses), sum(map(len, clauses)))
    assert encoder.parity_size(n) == emitted
    assert len({frozenset(clause) for clause in clauses}) == len(clauses)
    assert all(len({abs(lit) for lit in clause}) == len(clause) for clause in clauses)


@every_encoder
def test_unit_propagation_finds_the_last_input_and_nothing_earlier(encoder) -> None:
    # Of a parity, a partial assignment forces something only when one input at the most is open.
    rng = random.Random(encoder.name)
    for n in (2, 5, 9, 11):
        for _ in range(20):
            odd = rng.random() < 0.5
            clauses, _ = clauses_of(encoder, n, odd)
            values = [rng.choice((1, -1)) * var for var in range(1, n + 1)]
            rng.shuffle(values)
            *decided, last = values
            rest = sum(lit > 0 for lit in decided) % 2
            forced = abs(last) if rest != odd else -abs(last)
            found = unit_propagation(clauses, set(decided))
            assert found is not None
            assert forced in found
            assert unit_propagation(clauses, {*decided, forced}) is not None
            assert unit_propagation(clauses, {*decided, -forced}) is None
            fewer = unit_propagation(clauses, set(decided[:-1]))
            assert fewer is not None
            assert {lit for lit in fewer if abs(lit) <= n} == set(decided[:-1])


@pytest.mark.parametrize("width", range(3, 9))
def test_an_auxiliary_variable_is_the_parity_of_the_inputs_before_it(width) -> None:
    n = 9
    clauses, num_vars = clauses_of(CutParity(width), n, True)
    assert num_vars > n
    for bits in models(clauses, num_vars):
        for place, value in enumerate(bits[n:], start=1):
            assert value == sum(bits[: 1 + place * (width - 2)]) % 2


def test_pieces_of_four_literals_are_the_smallest() -> None:
    for n in range(5, 200):
        sizes = {
            name: (size.variables + size.clauses, size.literals)
            for name, encoder in PARITY_ENCODERS.items()
            if name != "direct"
            for size in [encoder.parity_size(n)]
        }
        assert min(size for size, _ in sizes.values()) == sizes["cut_4"][0]
    assert parity_encoder_for(5).encoder == CutParity(4)
    assert CutParity(4).parity_size(4) == PARITY_ENCODERS["direct"].parity_size(4)


def test_direct_refuses_what_would_be_too_large_before_it_emits_anything() -> None:
    formula = Formula(30)
    with pytest.raises(EncodingError, match=r"at most 20 literals, and this one has 21 \(2\^20"):
        encode(Parity(range(1, 22), True), formula, "direct")
    assert formula.num_clauses == 0
    encode(Parity(range(1, MOST_INPUTS + 1), True), formula, "direct")
    assert formula.num_clauses == 2 ** (MOST_INPUTS - 1)


@pytest.mark.parametrize("width", [2, 0, -1, 21])
def test_pieces_that_make_no_sense_are_refused(width) -> None:
    with pytest.raises(EncodingError, match=f"3 to 20 literals, not {width}"):
        CutParity(width)


def test_a_width_without_a_name_is_an_encoder_too() -> None:
    formula = Formula(30)
    encode(Parity(range(1, 31), True), formula, CutParity(10))
    assert (formula.num_vars - 30, formula.num_clauses) == (3, 3 * 2**9 + 2**5)


@every_encoder
def test_every_encoder_stands_under_its_own_name_and_is_a_hashable_value(encoder) -> None:
    assert PARITY_ENCODERS[encoder.name] is encoder
    assert find_parity_encoder(encoder.name) is find_parity_encoder(encoder) is encoder
    assert len(set(PARITY_ENCODERS.values())) == len(PARITY_ENCODERS)


def test_encoders_of_sums_and_of_parities_are_told_apart() -> None:
    with pytest.raises(EncodingError, match="totalizer encodes sums, not parities; what does: dir"):
        find_parity_encoder("totalizer")
    with pytest.raises(EncodingError, match="totalizer encodes sums"):
        find_parity_encoder(find_encoder("totalizer"))
    with pytest.raises(EncodingError, match="'cut4'; did you mean 'cut_4'"):
        find_parity_encoder("cut4")
    for encoder in ("cut_4", CutParity(9)):
        with pytest.raises(EncodingError, match=r"cut_\d encodes parities, not sums"):
            find_encoder(encoder)
