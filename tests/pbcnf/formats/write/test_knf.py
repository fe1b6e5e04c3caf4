import io
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Problem
from pbcnf.formats.problems import read_problem
from pbcnf.formats.write.knf import write_knf
from tests.problem_files import models_of, written
from tests.problem_files import random_instance as make_instance


def models_in(text: str) -> set[tuple[int, ...]]:
    """The models of a KNF file whose lines are one constraint each."""
    lines = [line.split() for line in text.splitlines() if not line.startswith("c")]
    (p, knf, variables, count), *rows = lines
    assert (p, knf, int(count)) == ("p", "knf", len(rows))
    constraints = []
    for row in rows:
        assert row[-1] == "0"
        bound, lits = (int(row[1]), row[2:-1]) if row[0] == "k" else (1, row[:-1])
        assert len({abs(int(lit)) for lit in lits}) == len(lits)
        constraints.append((bound, [int(lit) for lit in lits]))
    return {
        x
        for x in product((0, 1), repeat=int(variables))
        if all(
            sum(x[lit - 1] if lit > 0 else 1 - x[-lit - 1] for lit in lits) >= bound
            for bound, lits in constraints
        )
    }


@pytest.mark.parametrize(
    "constraint",
    [
        PseudoBoolean([1, 2, 3], [2, 1, 1], lower=2),
        Cardinality([1, 1, 2, 3], lower=2),
        PseudoBoolean([1, 2, 3], [1, -2, 1], lower=0, upper=0),
    ],
)
def test_a_weighted_sum_is_refused_by_its_number(
    constraint: Cardinality | PseudoBoolean,
) -> None:
    stream = io.BytesIO()
    with pytest.raises(ValueError, match=r"^constraint 2: KNF cannot hold a weighted sum"):
        write_knf(Problem(3, (Cardinality([1], 1), constraint)), stream)
    assert stream.getvalue() == b""


@pytest.mark.parametrize("comment", ["p knf 1 1", "see p   cnf", "\u00e4"])
def test_a_comment_that_misleads_readers_is_refused(comment: str) -> None:
    with pytest.raises(ValueError, match="comment must"):
        written(Problem(1, ()), "knf", comments=(comment,))


@settings(max_examples=200, deadline=None)
@given(rng=st.randoms(use_true_random=False), weighted=st.booleans())
def test_what_is_written_has_the_same_models(rng, weighted) -> None:
    problem = make_instance(rng, weighted=weighted)
    try:
        text = written(problem, "knf")
    except ValueError:
        # Which sums can be written, the tests above say.
        return
    assert models_in(text) == models_of(problem)
    again = read_problem(lambda: io.BytesIO(text.encode()), "p.knf")
    assert models_of(again) == models_of(problem)
    assert again.names.keys() == problem.names.keys()
