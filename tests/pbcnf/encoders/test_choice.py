"""The one rule by which encoders are chosen: what it promises of the encoding it chooses."""

import re
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbcnf import ENCODERS, Cardinality, EncodingError, Formula, PseudoBoolean, choose, encode
from pbcnf.constraints.normal_form import sum_of
from pbcnf.emission.dispatch import Kind
from pbcnf.emission.encode import encode_many
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.encoders.choice import MOST_TIMES, Budget, encoder_for
from pbcnf.encoders.counter import NoCounterError
from pbcnf.encoders.protocol import Propagation, WeightedEncoder


def magic_square() -> list[Cardinality | PseudoBoolean]:
    """1 to 9 in a square of 3 x 3, every row, column and diagonal of sum 15."""
    cells = list(product(range(3), repeat=2))
    var = {(cell, v): 9 * k + v for k, cell in enumerate(cells) for v in range(1, 10)}
    lines = [[(r, c) for c in range(3)] for r in range(3)]
    lines += [[(r, c) for r in range(3)] for c in range(3)]
    lines += [[(k, k) for k in range(3)], [(k, 2 - k) for k in range(3)]]
    each = [Cardinality([var[cell, v] for v in range(1, 10)], 1, 1) for cell in cells]
    each += [Cardinality([var[cell, v] for cell in cells], 1, 1) for v in range(1, 10)]
    terms = [[(var[cell, v], v) for cell in line for v in range(1, 10)] for line in lines]
    sums = [PseudoBoolean([x for x, _ in t], [w for _, w in t], 15, 15) for t in terms]
    return [*each, *sums]


def test_sizes_by_default_are_a_fraction_of_what_binary_merge_takes():
    random = Random(1)
    weights = [random.randint(10, 100) for _ in range(20)]
    knapsack = PseudoBoolean(range(1, 21), weights, upper=sum(weights) // 2)
    half = Cardinality(range(1, 101), upper=50)
    for constraints, inputs, variables, clauses in (
        (magic_square(), 81, 1_200, 6_000),
        ([knapsack], 20, 1_500, 3_000),
        ([half], 100, 510, 1_438),
    ):
        formula = Formula(inputs)
        for constraint in constraints:
            encode(constraint, formula)
        assert formula.num_vars < variables
        assert formula.num_clauses < clauses


@pytest.mark.parametrize("seed", range(60))
def test_the_encoder_of_a_sum_is_the_smallest_that_is_as_strong_and_affordable(seed):
    random = Random(seed)
    most, n = random.choice([(3, 24), (9, 24), (100, 20), (10**6, 12)])
    n = random.randint(3, n)
    weights = [random.randint(1, most) for _ in range(n)]
    bounds = sorted(random.choices(range(sum(weights) + 1), k=2))
    form = sum_of(PseudoBoolean(range(1, n + 1), weights, *random.choice([bounds, [0, bounds[1]]])))
    if form is None or not form.lits or form.clause() or max(form.weights) == 1:
        return
    sizes = {
        (name, each.weighted_propagation): each.weighted_size(form.weights, form.lower, form.upper)
        for name, each in ENCODERS.items()
        if isinstance(each, WeightedEncoder)
    }
    fewest = min(size.clauses for size in sizes.values())
    for strength in (Propagation.ARC_CONSISTENT, Propagation.DETECTS, Propagation.NONE):
        measures = {
            name: size.variables + size.clauses
            for (name, claimed), size in sizes.items()
            if claimed is strength and size.clauses <= MOST_TIMES * fewest
        }
        if measures:
            break
    chosen = encoder_for(form.weights, form.lower, form.upper).encoder
    assert measures[chosen.name] == min(measures.values())


@pytest.mark.parametrize("n", [9, 12, 20, 50, 100, 300, 1_000])
def test_no_counting_has_more_than_three_times_the_clauses_of_the_smallest(n):
    for lower, upper in product({0, n // 3, n // 2}, {2, n // 10, n // 2}):
        if not 0 <= lower <= upper < n or upper == 1:
            continue
        sizes = {name: each for name, each in ENCODERS.items() if name != "direct"}
        fewest = n * upper * 10
        for each in sizes.values():
            with suppress(EncodingError):
                fewest = min(fewest, each.size(n, lower, upper).clauses)
        chosen = choose(Cardinality(range(1, n + 1), lower, upper))
        assert chosen.size.clauses <= MOST_TIMES * fewest, (lower, upper)


@pytest.mark.parametrize(
    ("weights", "upper", "name"),
    [
        # Sums of which prediction, let alone encoding, would never end for some encoders.
        ([2**k + k for k in range(60)], 2**58, "mixed_radix_sorter"),
        ([10**9 + 7 * k * k for k in range(1_000)], 300 * 10**9 + 1, "adder"),
        ([k % 5 + 1 for k in range(100_000)], 100_000, "adder"),
    ],
)
def test_a_sum_for_which_prediction_would_not_end_gets_a_polynomial_encoder(weights, upper, name):
    choice = choose(PseudoBoolean(range(1, len(weights) + 1), weights, upper=upper))
    assert (choice.kind, choice.encoder) == (Kind.PSEUDO_BOOLEAN, name)
    assert choice.size.clauses <= 8 * len(weights) * sum(weights).bit_length()


@pytest.mark.parametrize(
    ("n", "upper", "name"),
    [
        (8, 4, "direct"),
        (9, 4, "totalizer"),
        (50, 25, "totalizer"),
        (100, 50, "k_modulo_totalizer"),
        (1_000, 10, "totalizer"),
        (3_000, 1_500, "parallel_counter"),
        (15_000, 7_500, "parallel_counter"),
        (10**6, 5 * 10**5, "adder"),
        (6, 1, "pairwise"),
        (7, 1, "product"),
        (8, 7, None),
    ],
)
def test_counting_is_bounded_however_many_literals_there_are(n, upper, name):
    choice = choose(Cardinality(range(1, n + 1), upper=upper))
    assert choice.encoder == name
    assert choice.size.clauses <= 100 + 21 * n
    assert choice.reason


def test_every_way_to_encode_chooses_by_the_same_rule():
    constraints: list[Cardinality | PseudoBoolean] = [
        Cardinality(range(1, 10), upper=4),
        Cardinality(range(1, 8), upper=1),
        PseudoBoolean(range(1, 9), [3, 5, 7, 8, 9, 11, 12, 13], upper=30),
        Cardinality([1, 1, 2, 3, 3], upper=3),
    ]
    for constraint in constraints:
        formulas = [Formula(9) for _ in range(4)]
        encode(constraint, formulas[0])
        encode(constraint, formulas[1], choose(constraint).encoder)
        list(encode_problem([constraint], formulas[2]))
        list(encode_problem([constraint], formulas[3], Choices()))
        assert len({tuple(map(tuple, formula)) for formula in formulas}) == 1
    many, one = Formula(18), Formula(18)
    encode_many([range(1, 10), range(10, 19)], 0, 4, many)
    for row in (range(1, 10), range(10, 19)):
        encode(Cardinality(row, 0, 4), one)
    assert (len(many), many.num_vars) == (len(one), one.num_vars)


@pytest.mark.parametrize("seed", range(12))
def test_a_problem_spends_what_is_left_over_and_no_more(seed):
    """At every point at most three times the clauses that the smallest encodings have so far."""
    random = Random(seed)
    constraints: list[Cardinality | PseudoBoolean] = []
    for _ in range(25):
        n = random.choice([2, 3, 12, 20, 30, 40])
        lits = random.sample(range(1, 41), n)
        weights = [random.randint(1, random.choice([1, 3, 50, 500])) for _ in lits]
        constraints.append(PseudoBoolean(lits, weights, upper=sum(weights) * 2 // 5))
        constraints += [Cardinality(lits, lower=1), Cardinality(lits, upper=n // 2)]
    formula, alone, fewest = Formula(40), 0, 0
    for constraint, one in zip(constraints, encode_problem(constraints, formula), strict=True):
        alone += choose(constraint).size.clauses + (one.encoder is None)
        fewest += smallest_of_all(constraint) or one.size.clauses
        assert len(formula) <= MOST_TIMES * fewest
    assert len(formula) > alone, "what was left over is spent"


def smallest_of_all(constraint: Cardinality | PseudoBoolean) -> int | None:
    form = sum_of(constraint)
    if form is None or not form.lits or form.clause():
        return None
    found = []
    for encoder in ENCODERS.values():
        with suppress(EncodingError):
            if max(form.weights) == 1:
                found.append(encoder.size(len(form.lits), form.lower, form.upper).clauses)
            elif isinstance(encoder, WeightedEncoder) and encoder.name in POLYNOMIAL:
                found.append(encoder.weighted_size(form.weights, form.lower, form.upper).clauses)
    return min(found)


POLYNOMIAL = {"adder", "binary_merge", "global_polynomial_watchdog", "mixed_radix_sorter"}


def test_the_choices_that_are_told_are_those_that_are_made():
    lits = range(1, 31)
    hard = PseudoBoolean(lits, [7 * k % 23 + 1 for k in lits], upper=100)
    constraints = [hard, *(Cardinality([k, k + 1], lower=1) for k in range(1, 30)), hard]
    budget, formula = Budget(), Formula(30)
    told = [choose(constraint, budget).encoder for constraint in constraints]
    made = [one.encoder for one in encode_problem(constraints, formula)]
    assert told == made


def test_direct_refuses_what_is_too_large_before_it_begins_and_nothing_else():
    for n, lower, upper in ((100, 0, 50), (100, 50, 100), (10**6, 0, 500_000), (60, 3, 30)):
        formula = Formula(n)
        with pytest.raises(EncodingError, match=r"more than 20,000,000 clauses .* totalizer"):
            encode(Cardinality(range(1, n + 1), lower, upper), formula, "direct")
        assert (formula.num_vars, formula.num_clauses) == (n, 0)
    with pytest.raises(ValueError, match="more than 20,000,000"):
        encode_many([range(1, 101)], 0, 50, Formula(100), "direct")
    with pytest.raises(ValueError, match="more than 20,000,000"):
        encode(Cardinality(range(1, 101), upper=50), Formula(101), "direct", iff=101)
    formula = Formula(2_000)
    encode(Cardinality(range(1, 2_001), upper=1), formula, "direct")
    assert len(formula) == 1_999_000


COUNTING = {
    method: {name for name, encoder in ENCODERS.items() if hasattr(encoder, method)}
    for method in ("count", "count_weighted")
}


@pytest.mark.parametrize(
    ("method", "name"),
    [
        (method, name)
        for method, counting in COUNTING.items()
        for name in sorted(ENCODERS.keys() - counting)
    ],
)
def test_an_encoder_without_a_counter_says_so_and_names_those_that_have_one(method, name):
    encoder: Any = ENCODERS[name]
    with pytest.raises(NoCounterError) as caught:
        getattr(encoder, method)([1, 2, 3], 2, sink=Formula(3))
    assert str(caught.value).startswith(f"{name} has fixed bounds")
    named = set(re.findall(r"\w+", str(caught.value).partition(";")[2]))
    assert named & ENCODERS.keys() == COUNTING[method]
    assert isinstance(caught.value, EncodingError)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = encoder.nothing


@pytest.mark.parametrize(
    "place",
    ["encodings/README.md", "encodings/pbcnf/encoders/choice.py", "satsweeper/cli/encode.py"],
)
def test_the_rule_is_stated_alike_wherever_it_is(place: str) -> None:
    text = (Path(__file__).parents[3] / place).read_text("utf-8")
    words = " ".join(text.replace("`", "").split())
    assert re.search(
        "pairwise up to (6|six) literals,? (and |then )?product.*direct up to (8|eight).*"
        "totalizer.*k_modulo_totalizer.*and parallel_counter.*adder beyond 20,000",
        words,
    )
    # And these are the numbers by which it is done.
    at = {n: encoder_for((1,) * n, 0, 1).encoder.name for n in (6, 7)}
    assert at == {6: "pairwise", 7: "product"}
    assert [encoder_for((1,) * n, 0, 3).encoder.name for n in (8, 9)] == ["direct", "totalizer"]
    assert encoder_for((1,) * 20_001, 0, 3).encoder.name == "adder"
