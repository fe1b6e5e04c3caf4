import pytest

from pbcnf import ENCODERS, Cardinality, Formula, encode, instantiate
from pbcnf.emission.template import template


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
