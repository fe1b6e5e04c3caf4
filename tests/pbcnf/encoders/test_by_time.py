"""The choice of encoders by measured time: what it names can express the sum, and is encoded."""

import json
from importlib.resources import files
from random import Random
from typing import Any

import pytest

from pbcnf import (
    ENCODERS,
    Cardinality,
    EncodingError,
    Formula,
    Parity,
    PseudoBoolean,
    choose,
    encode,
)
from pbcnf.constraints.normal_form import sum_of
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.encoders import by_time, choice
from pbcnf.encoders.choice import MOST_TIMES_OF_ONE
from pbcnf.encoders.protocol import WeightedEncoder
from tests import oracles
from tests.pbcnf.conftest import projected_models

TREES = json.loads(files("pbcnf.encoders").joinpath("by_time.json").read_text("ascii"))["trees"]


def leaves(tree: dict[str, Any], depth: int = 0) -> list[tuple[str, int]]:
    if "encoder" in tree:
        return [(tree["encoder"], depth)]
    return leaves(tree["low"], depth + 1) + leaves(tree["high"], depth + 1)


def random_sum(random: Random, most_lits: int) -> Cardinality | PseudoBoolean:
    n = random.randint(1, most_lits)
    lits = [random.choice([v, -v]) for v in random.choices(range(1, most_lits + 1), k=n)]
    weights = [random.randint(1, random.choice([1, 4, 60])) for _ in lits]
    low, high = sorted(random.choices(range(-1, sum(weights) + 2), k=2))
    lower, upper = random.choice([(low, high), (None, high), (low, None), (high, high), (0, 1)])
    if random.random() < 0.5:
        return Cardinality(lits, lower, upper)
    return PseudoBoolean(lits, weights, lower, upper)


def test_a_tree_has_at_most_three_questions_and_encoders_of_its_kind():
    bounds = {"at most one": (12, 0, 1), "cardinality": (12, 2, 5), "pseudo-Boolean": (12, 0, 5)}
    assert TREES.keys() == bounds.keys()
    for kind, tree in TREES.items():
        for name, depth in leaves(tree):
            assert depth <= 3
            ENCODERS[name].size(*bounds[kind])  # raises what it cannot express
            assert kind != "pseudo-Boolean" or isinstance(ENCODERS[name], WeightedEncoder)


@pytest.mark.parametrize("seed", range(40))
def test_any_sum_gets_an_encoder_that_can_express_it(seed):
    random = Random(seed)
    for _ in range(10):
        constraint = random_sum(random, random.choice([5, 12, 40]))
        fast, small = choose(constraint, by="time"), choose(constraint)
        assert (fast.kind, fast.encoder is None) == (small.kind, small.encoder is None)
        assert fast.size.clauses <= MOST_TIMES_OF_ONE * max(small.size.clauses, 1)
        formulas = Formula(40), Formula(40)
        encode(constraint, formulas[0], by="time")
        [made] = encode_problem([constraint], formulas[1], Choices(by="time"))
        assert list(formulas[0]) == list(formulas[1])
        assert (made.encoder, made.size.variables) == (fast.encoder, fast.size.variables)


@pytest.mark.parametrize("seed", range(25))
def test_what_is_encoded_by_time_has_the_models_of_the_constraint(seed):
    random = Random(seed)
    constraint = random_sum(random, 7)
    for how in ("", "when", "iff"):
        formula = Formula(8)
        encode(constraint, formula, by="time", **{how: 8} if how else {})
        found = projected_models([*formula.clauses()], 8)
        for bits in oracles.assignments(8):
            weights = getattr(constraint, "weights", None)
            value = oracles.weighted_sum(constraint.lits, bits, weights)
            holds = constraint.lower <= value <= constraint.upper
            wanted = {"": holds, "when": holds or not bits[7], "iff": holds == bool(bits[7])}[how]
            assert (tuple(1 if bit else -1 for bit in bits) in found) is wanted


@pytest.mark.parametrize(
    ("constraint", "name"),
    [
        (Cardinality(range(1, 61), upper=30), "direct"),
        (Cardinality(range(1, 30_001), upper=9), "totalizer"),
        (
            PseudoBoolean(range(1, 61), [2**k + k for k in range(60)], upper=2**58),
            "decision_diagram",
        ),
    ],
)
def test_what_would_be_too_large_is_chosen_by_size(constraint, name, monkeypatch):
    leaf = {"encoder": name, "problems": 1}
    monkeypatch.setattr(by_time, "_trees", lambda: dict.fromkeys(TREES, leaf))
    choice._fastest.cache_clear()
    try:
        assert choose(constraint, by="time") == choose(constraint)
        few = Cardinality(range(1, 7), 2, 4)
        if name == "direct":
            assert choose(few, by="time").reason == "least mean time on 1 measured problem"
    finally:
        choice._fastest.cache_clear()


def test_features_are_those_of_the_bound_nearer_to_the_middle():
    form = sum_of(PseudoBoolean([1, 2, 3, 4], [3, 3, 2, 2], 3, 8))
    assert form is not None
    # The sum is 10: 3 is 30 %, and 8 is 20 % from the other end.
    assert by_time.features_of(form.weights, form.lower, form.upper) == (4, 30, 2, 2)
    assert by_time.features_of((1,) * 10, 9, 10) == (10, 10, 1, 1)


def test_parities_are_chosen_for_by_size_and_unknown_rules_are_refused():
    parity = Parity(range(1, 12), odd=True)
    assert choose(parity, by="time") == choose(parity)
    for ask in (
        lambda: choose(parity, by="speed"),
        lambda: encode(parity, Formula(11), by="speed"),
        lambda: Choices(by="speed"),
    ):
        with pytest.raises(EncodingError, match=r"unknown rule .*'speed' \(known: size, time\)"):
            ask()
