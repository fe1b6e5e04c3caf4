"""What is stamped because its shape came again is what is encoded the first time."""

import random

import pytest

from pbcnf import Cardinality, EncodingError, Formula, PseudoBoolean, encode
from pbcnf.emission.ready import ready
from pbcnf.encoders.choice import encoder_for
from pbcnf.encoders.table import ENCODERS
from pbcnf.sink import NormalisingSink

NAMES = [None, *ENCODERS]


def encoded(constraint, name, sink=lambda formula: formula):
    """Return the outcome of one call over variables that are spread, or the refusal."""
    formula = Formula(num_vars=90)
    try:
        encode(constraint, sink(formula), name)
    except EncodingError as error:
        return str(error)
    return formula.num_vars, list(formula.clauses())


def cases():
    rng = random.Random(1)
    for n in (1, 2, 5, 9, 14, 30):
        lits = [rng.choice((1, -1)) * var for var in rng.sample(range(1, 91), n)]
        for lower, upper in ((0, 1), (1, 1), (n // 2, n), (n // 3, n // 2 + 1), (n + 1, n + 2)):
            yield Cardinality(lits, lower, upper)
        weights = [rng.randint(-3, 9) for _ in lits]
        yield PseudoBoolean(lits, weights, upper=sum(weights) // 2)
        yield PseudoBoolean(lits, weights, sum(weights) // 3, sum(weights) // 2)


@pytest.mark.parametrize("name", NAMES)
def test_the_second_and_third_time_are_like_the_first(name):
    for constraint in cases():
        if name == "direct" and len(constraint.lits) > 14:
            continue
        first, *others = (encoded(constraint, name) for _ in range(3))
        assert others == [first, first], constraint


def test_a_sink_that_takes_clauses_one_by_one_gets_the_same():
    for constraint in cases():
        plain = encoded(constraint, "totalizer")
        assert [encoded(constraint, "totalizer", NormalisingSink) for _ in range(3)] == [plain] * 3


def test_a_variable_that_is_not_allocated_is_refused_the_third_time_too():
    for _ in range(3):
        formula = Formula(num_vars=4)
        with pytest.raises(ValueError, match="variable 5 is not allocated"):
            encode(Cardinality([1, 2, 3, 4, -5], upper=2), formula, "totalizer")
        assert (formula.num_vars, len(formula)) == (4, 0)


def test_what_comes_once_is_not_kept_and_repeated_variables_never_are():
    once, twice = (PseudoBoolean([1, 2, 3], [71, 72, 73], upper=100) for _ in range(2))
    assert ready(once, "adder") is None
    assert ready(twice, "adder") is not None
    repeated = Cardinality([1, 1, 2, 3], upper=2)
    assert [ready(repeated, "adder") for _ in range(3)] == [None] * 3
    assert encoder_for((71, 72, 73), 0, 100)
