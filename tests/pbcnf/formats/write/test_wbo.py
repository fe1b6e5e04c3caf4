import operator
import re
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from tests.problem_files import random_instance as make_instance
from tests.problem_files import read, written

RELATIONS = {">=": operator.ge, "<=": operator.le, "=": operator.eq}


def cost(text, values):
    """What is given up, None where a hard constraint is or the top is reached: read by hand."""
    total, top = 0, None
    for line in text.splitlines():
        if not line or line.startswith("*"):
            continue
        if line.startswith("soft:"):
            top = int(line[5:-1]) if line[5:-1].strip() else None
            continue
        weight, words, relation, bound = re.fullmatch(
            r"(?:\[(\d+)\] )?((?:[+-]\d+ x\d+ )*)(>=|<=|=) (-?\d+) ;", line
        ).groups()
        parts = words.split()
        found = sum(
            int(w) * values[int(x[1:])] for w, x in zip(parts[::2], parts[1::2], strict=True)
        )
        if not RELATIONS[relation](found, int(bound)):
            if weight is None:
                return None
            total += int(weight)
    return None if top is not None and total >= top else total


def assignments(number):
    for bits in product((0, 1), repeat=number):
        yield dict(enumerate(bits, start=1))


def test_soft_constraints_stay_as_they_were():
    text = (
        "* #variable= 3 #constraint= 5 #soft= 4 mincost= 1 maxcost= 5 sumcost= 11\n"
        "soft: 9 ;\n+1 x1 +1 x2 >= 1 ;\n[5] +1 x1 +2 x2 = 2 ;\n[3] -1 x1 -2 x2 >= -2 ;\n"
        "[2] +1 x1 +1 x2 +1 x3 >= 4 ;\n[1] +1 x3 >= 1 ;\n"
    )
    assert written(read(text), "wbo") == text


def test_soft_clauses_of_wcnf_become_soft_constraints():
    problem = read(b"h 1 2 0\n3 -1 -2 3 0\n4 -3 0\n2 0\n")
    assert written(problem, "wbo").splitlines()[1:] == [
        "* the objective is 2 more",
        "soft: ;",
        "+1 x1 +1 x2 >= 1 ;",
        "[4] -1 x3 >= 0 ;",
        "[3] -1 x1 -1 x2 +1 x3 >= -1 ;",
    ]


def test_a_variable_that_only_has_such_a_name_stays():
    constraints = (
        Cardinality([1, 2], lower=1),
        PseudoBoolean([1, 3], [2, 1], lower=2),
        Cardinality([2, 4], lower=1),
        Cardinality([-1, 4], lower=1),
    )
    names = {var: f"given_up_{var}" for var in (2, 3, 4)}
    problem = Problem(4, constraints, names, Objective((2, 3, 4), (1, 1, 1)))
    text = written(problem, "wbo")
    assert text.count("[1] -1 x") == 3
    for values in assignments(4):
        model = {var if value else -var for var, value in values.items()}
        expected = sum(values[var] for var in (2, 3, 4)) if problem.holds(model) else None
        assert cost(text, values) == expected


@settings(max_examples=80, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_what_is_given_up_weighs_what_the_objective_is(rng):
    problem = make_instance(rng)
    text = written(problem, "wbo")
    differs = re.search(r"\* the objective is (\d+) (more|less)", text)
    more = 0 if differs is None else int(differs[1]) * (1 if differs[2] == "more" else -1)
    for values in assignments(problem.num_vars):
        model = {var if value else -var for var, value in values.items()}
        objective = problem.objective
        expected = None
        if problem.holds(model):
            sign = -1 if objective is not None and objective.maximise else 1
            expected = 0 if objective is None else sign * objective.value(model) - more
        assert cost(text, values) == expected


TERMS = st.dictionaries(st.integers(1, 3), st.integers(-4, 4).filter(bool))
SOFT = st.tuples(
    st.none() | st.integers(1, 5), TERMS, st.sampled_from(sorted(RELATIONS)), st.integers(-5, 6)
)


@settings(max_examples=150, deadline=None)
@given(st.lists(SOFT, min_size=1, max_size=4), st.none() | st.integers(1, 12))
def test_wbo_is_written_with_the_costs_that_it_was_read_with(constraints, top):
    lines = ["* #variable= 3 #constraint= 0", "soft: ;" if top is None else f"soft: {top} ;"]
    for weight, terms, relation, bound in constraints:
        head = "" if weight is None else f"[{weight}] "
        words = "".join(f"{value:+} x{var} " for var, value in terms.items())
        lines.append(f"{head}{words}{relation} {bound} ;")
    text = "\n".join(lines)
    problem = read(text)
    again = written(problem, "wbo")
    soft = any(weight is not None for weight, *_ in constraints)
    for values in assignments(3):
        # Others than these are of soft constraints that cost nothing, or never hold.
        rest = range(4, problem.num_vars + 1)
        costs = [
            cost(again, values | dict(zip(rest, bits, strict=True)))
            for bits in product((0, 1), repeat=len(rest))
        ]
        least = min((each for each in costs if each is not None), default=None)
        if soft:
            assert least == cost(text, values)
        else:
            assert (least is None) == (cost(text.replace(lines[1], ""), values) is None)
