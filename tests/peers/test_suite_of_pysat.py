"""PySAT's own tests of its encodings, asked of every encoder of ours that can, in its solvers.

3,625 checks applied to 25 encoders; 6,981 are made here: what follows under a condition is asked
for every assignment. Not applicable: the clauses of one conditional bound, literal by literal,
which are those of another encoding; tests of integer variables (29), formulas, clausification,
`boolengine`, hitting sets, LSU, `process`, pools of names and unique MUSes, which have no
counterpart here; tests of solvers (statistics, memory, propagation, warm starts) and of DIMACS.
"""

from math import comb

import pytest

from pbcnf import ENCODERS, Cardinality, encode


@pytest.fixture(scope="module")
def pysat(facts):
    return facts("pysat")


def test_the_numbers_of_models_are_sums_of_binomials(pysat, suite):
    for row in pysat["models"]:
        lower, upper = suite.bounds_of(row)
        sums = range(lower or 0, upper + 1)
        assert row["models"] == sum(comb(row["inputs"], true) for true in sums), row


def test_a_bound_beyond_the_number_of_inputs_needs_no_clause(pysat, suite, tally):
    row = pysat["beyond"]
    for encoder in ENCODERS:
        tally.check(suite.clauses_of(row, encoder), row["clauses"], row["case"], encoder)
    tally.settle(test_atmost=26)


def test_every_constraint_has_as_many_models_as_it_should(pysat, suite, tally):
    for row in pysat["models"]:
        holds = suite.meets(row)
        for encoder in ENCODERS:
            clauses = suite.clauses_of(row, encoder)
            for solver in pysat["solvers"] if clauses is not None else ():
                found = suite.models_of(row, holds, clauses, solver)
                tally.check(found, row["models"], row["case"], encoder, solver, row)
    tally.settle(test_atmost1=780, test_atmostk=1470, test_equals1=1560)


def test_a_weighted_bound_holds_under_its_condition_alone(pysat, suite, tally):
    for row in pysat["conditional"]:
        case, condition = row["case"], row["when"]
        table = suite.table_of(condition, implied(condition, suite.meets(row)))
        for encoder in ENCODERS:
            clauses = suite.clauses_of(row, encoder)
            if clauses is None:
                continue
            tally.check(clauses, row.get("clauses", clauses), case, encoder, row)
            for solver in pysat["solvers"]:
                with suite.live(solver, condition, clauses) as (asked, _):
                    tally.truth_table(asked, [], table, case, encoder, solver, row)
    tally.settle(test_pbenc_conditional=2989)


def implied(condition, holds):
    return lambda true: condition not in true or holds(true)


def test_an_impossible_bound_makes_a_live_solver_unsatisfiable(pysat, suite, tally):
    """PySAT hands the empty clause to a solver that has found a model: here a bound does."""
    for encoder in ENCODERS:
        for solver in pysat["empty_clause_solvers"]:
            with suite.live(solver, 3, [[1, 2, 3]]) as (asked, sink):
                tally.check(asked.solve(), True, "test_empty_extclause", encoder, solver)
                encode(Cardinality([1, 2, 3], lower=4), sink, encoder)
                tally.check(asked.solve(), False, "test_empty_extclause", encoder, solver)
    tally.settle(test_empty_extclause=156)
