import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.formats.problems import open_problem, write_problem
from tests.problem_files import models_of, read
from tests.problem_files import random_instance as make_instance


def test_clauses_counts_and_weighted_sums_are_read():
    text = (
        "c first\np cnf+ 4 5\n1 -2 0\n1 2 3 <= 2\nc var 1 a\n -1 2 -4>=1\n"
        "w 2*1 3*-4 -1*2 <= +3\r\n0\n"
    )
    found = read(text)
    assert (found.num_vars, found.names) == (4, {1: "a"})
    assert found.constraints == (
        Cardinality([1, -2], lower=1),
        Cardinality([1, 2, 3], upper=2),
        Cardinality([-1, 2, -4], lower=1),
        PseudoBoolean([1, -4, 2], [2, 3, -1], upper=3),
        Cardinality([], lower=1),
    )
    assert open_problem(lambda: io.BytesIO(text.encode())).format == "cnf+"


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False))
def test_what_is_written_has_the_same_models_here_and_in_pysat(rng):
    formula = pytest.importorskip("pysat.formula")
    problem = make_instance(rng)
    stream = io.BytesIO()
    write_problem(problem, stream, "cnf+")
    expected = models_of(problem)
    assert models_of(read(stream.getvalue())) == expected
    theirs = formula.CNFPlus(from_string=stream.getvalue().decode())
    for bits in models_of(type(problem)(problem.num_vars, ())):
        model = {var if bit else -var for var, bit in enumerate(bits, start=1)}
        holds = all(model.intersection(clause) for clause in theirs.clauses) and all(
            sum(
                weight
                for lit, weight in zip(lits, *(rest or [[1] * len(lits)]), strict=True)
                if lit in model
            )
            <= bound
            for lits, bound, *rest in theirs.atmosts
        )
        assert holds == (bits in expected)
