"""pindakaas' own tests of linear constraints, asked of every encoder of ours that can.

49 constraints applied, 882 checks; here are 88 constraints and 3,804 checks: those that pindakaas
only brings into a normal form are solved as well. Not applicable: groups of a sum (`choice`,
`chain`, bounded logarithmic terms), with them `encoders` and seven cases of the aggregator;
integers, propositional formulas, `sorted`; clauses compared literal by literal, printed
expressions, and formulas that raise as soon as they are unsatisfiable.
"""

import pytest

from pbcnf import ENCODERS, Formula, encode


@pytest.fixture(scope="module")
def pindakaas(facts):
    return facts("pindakaas")


def test_the_numbers_of_models_follow_from_a_plain_loop(pindakaas, suite):
    for row in pindakaas["models"]:
        lits = suite.literals_of(row)
        if len(lits) <= 10:
            table = suite.table_of(max(map(abs, lits), default=0), suite.meets(row))
            assert row["models"] == sum(allowed for _, allowed in table), row
        else:
            # At most one of the 50 is true, or exactly one.
            assert "weights" not in row
            assert row["models"] == len(lits) + (row.get("at_most") == 1)


def test_every_constraint_has_the_models_it_should(pindakaas, suite, tally):
    for row in pindakaas["models"]:
        holds = suite.meets(row)
        for encoder in ENCODERS:
            clauses = suite.clauses_of(row, encoder)
            for solver in pindakaas["solvers"] if clauses is not None else ():
                found = suite.models_of(row, holds, clauses, solver)
                part = row["case"].partition("::")[0]
                tally.check(found, row["models"], part, row["case"], encoder, solver, row)
    tally.settle(bool_linear=1126, cardinality=1308, cardinality_one=1092, python=278)


def test_an_encoder_of_at_most_one_refuses_a_weighted_sum(pindakaas, suite):
    row = pindakaas["refused"]
    with pytest.raises(ValueError, match="pairwise takes weights 1 only"):
        encode(suite.constraint_of(row), Formula(num_vars=3), row["encoder"])
