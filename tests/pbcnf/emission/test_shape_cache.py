"""Templates: the encoding itself over other literals, made once for a shape."""

import random

import pytest

from pbcnf import ENCODERS, Cardinality, EncodingError, Formula, PseudoBoolean, encode, instantiate
from pbcnf.emission.dispatch import template
from pbcnf.emission.encode import template_if_met_before
from pbcnf.sink import NormalisingSink

NAMES = [None, *ENCODERS]


@pytest.mark.parametrize("name", ["direct", "sequential_counter", "knuth_counter", "totalizer"])
@pytest.mark.parametrize("n", range(6))
def test_a_template_instantiated_is_the_encoding(name, n):
    lits = [7, -3, 5, 9, -2][:n]
    for lower in range(-1, n + 2):
        for upper in range(-1, n + 2):
            stamp = template(name, n, lower, upper)
            formula = Formula(num_vars=9)
            encode(Cardinality(lits, lower, upper), formula, name)
            stamped = instantiate(stamp, lits, first_aux=10)
            assert [list(clause) for clause in stamped] == list(formula.clauses())
            assert all(type(clause) is tuple for clause in stamped)
            assert stamp.auxiliaries == formula.num_vars - 9


def test_a_template_is_made_once_per_shape():
    assert template("direct", 4, 1, 2) is template(ENCODERS["direct"], 4, 1, 2)


def test_blocks_hold_the_clauses_by_width_and_cannot_be_written():
    stamp = template("totalizer", 5, 2, 3)
    widths = [block.shape[1] for block in stamp.blocks]
    assert widths == sorted(set(widths))
    rows = [tuple(row) for block in stamp.blocks for row in block.tolist()]
    assert sorted(rows) == sorted(stamp.clauses)
    with pytest.raises(ValueError, match="read-only"):
        stamp.blocks[0][0, 0] = 1


def test_a_bound_that_cannot_be_expressed_has_no_template():
    with pytest.raises(ValueError, match="pairwise cannot express"):
        template("pairwise", 5, 2, 2)


def test_another_number_of_literals_is_refused():
    with pytest.raises(ValueError, match="3 inputs, not 2"):
        instantiate(template("direct", 3, 1, 1), [1, 2], 3)


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
    assert template_if_met_before(once, "adder") is None
    assert template_if_met_before(twice, "adder") is not None
    repeated = Cardinality([1, 1, 2, 3], upper=2)
    assert [template_if_met_before(repeated, "adder") for _ in range(3)] == [None] * 3
