"""OPB and WBO as they are written: judged by strict readers and by arithmetic."""

import operator
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, Parity, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from tests.oracles import assignments, true_literals, weighted_sum
from tests.problem_files import models_of, objective_of, read, written
from tests.problem_files import random_instance as make_instance

RELATIONS = {">=": operator.ge, "<=": operator.le, "=": operator.eq}


def rows_of(text: str) -> tuple[list[int], list[tuple[dict[int, int], str, int]]]:
    """The numbers of the first line, and the constraints, in the strict form of the format only:
    a sign before each weight, each variable once in a sum, ``>=`` or ``=``, `` ;`` at the end."""
    first, *lines = text.splitlines()
    shape = r"\* #variable= (\d+) #constraint= (\d+) #equal= (\d+) intsize= (\d+)"
    match = re.fullmatch(shape, first)
    assert match is not None
    rows = []
    for line in lines:
        if line.startswith(("*", "min: ")):
            continue
        row = re.fullmatch(r"((?:[+-]\d+ x\d+ )*)(>=|=) (-?\d+) ;", line)
        assert row is not None, line
        words = row[1].split()
        terms = {int(x[1:]): int(w) for w, x in zip(words[::2], words[1::2], strict=True)}
        assert len(terms) == len(words) / 2
        rows.append((terms, row[2], int(row[3])))
    return [int(number) for number in match.groups()], rows


def test_intsize_is_the_bits_of_all_integers_of_a_constraint_together() -> None:
    for constraint, bits in [
        (Cardinality([1], lower=0), 1),
        (Cardinality([1, 2], lower=1), 2),
        (PseudoBoolean([1, 2], [3, 4], lower=0), 3),
        (PseudoBoolean([1, 2], [3, 4], lower=1), 4),
        (PseudoBoolean([1], [1], lower=2**64 - 1), 65),
        (PseudoBoolean([1], [-(2**64)], upper=-1), 65),
    ]:
        assert rows_of(written(Problem(2, (constraint,)), "opb"))[0][3] == bits


def test_the_objective_counts_for_intsize_but_not_as_a_constraint() -> None:
    text = written(Problem(1, (), {}, Objective((1,), (8,), constant=100)), "opb")
    assert rows_of(text) == ([1, 0, 0, 4], [])
    assert "* the constant 100 of the objective is left out" in text.splitlines()


@settings(max_examples=200, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_a_strict_reader_finds_the_same_models(rng) -> None:
    problem = make_instance(rng)
    (variables, constraints, equalities, bits), rows = rows_of(written(problem, "opb"))
    assert variables == problem.num_vars
    assert constraints == len(rows)
    assert equalities == sum(relation == "=" for _, relation, _ in rows)
    sums = [sum(map(abs, terms.values())) + abs(bound) for terms, _, bound in rows]
    assert bits >= max(sums, default=0).bit_length()
    assert models_of(problem) == {
        bits
        for bits in assignments(variables)
        if all(
            RELATIONS[relation](weighted_sum(terms, bits, terms.values()), bound)
            for terms, relation, bound in rows
        )
    }


def test_exact_counts_the_models_of_the_rows() -> None:
    exact = pytest.importorskip("exact")
    from random import Random

    rng = Random(3)
    for _ in range(20):
        problem = make_instance(rng)
        (variables, *_), rows = rows_of(written(problem, "opb"))
        if not variables or any(not any(terms.values()) for terms, _, _ in rows):
            continue
        solver = exact.Exact()
        names = [f"x{var}" for var in range(1, variables + 1)]
        for name in names:
            solver.addVariable(name)
        for terms, relation, bound in rows:
            pairs = [(weight, f"x{var}") for var, weight in terms.items()]
            solver.addConstraint(pairs, True, bound, relation == "=", bound)
        assert solver.count(names)[1] == len(models_of(problem))


def cost(text, bits):
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
        found = weighted_sum([int(x[1:]) for x in parts[1::2]], bits, map(int, parts[::2]))
        if not RELATIONS[relation](found, int(bound)):
            if weight is None:
                return None
            total += int(weight)
    return None if top is not None and total >= top else total


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
    for bits in assignments(4):
        expected = sum(bits[1:]) if problem.holds(true_literals(bits)) else None
        assert cost(text, bits) == expected


@settings(max_examples=80, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_what_is_given_up_weighs_what_the_objective_is(rng):
    problem = make_instance(rng)
    text = written(problem, "wbo")
    differs = re.search(r"\* the objective is (\d+) (more|less)", text)
    more = 0 if differs is None else int(differs[1]) * (1 if differs[2] == "more" else -1)
    models = models_of(problem)
    for bits in assignments(problem.num_vars):
        shift = 0 if problem.objective is None else more
        expected = objective_of(problem, bits) - shift if bits in models else None
        assert cost(text, bits) == expected


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
    for bits in assignments(3):
        # Others than these are of soft constraints that cost nothing, or never hold.
        costs = [cost(again, bits + others) for others in assignments(problem.num_vars - 3)]
        least = min((each for each in costs if each is not None), default=None)
        if soft:
            assert least == cost(text, bits)
        else:
            assert (least is None) == (cost(text.replace(lines[1], ""), bits) is None)


LITERALS = st.lists(st.integers(1, 5).flatmap(lambda var: st.sampled_from([var, -var])), max_size=8)


@settings(max_examples=150, deadline=None)
@given(LITERALS, st.booleans(), st.sampled_from(["opb", "lp", "mps"]))
def test_every_model_of_a_parity_extends_to_exactly_one_of_what_is_written(lits, odd, format):
    problem = Problem(5, (Parity(lits, odd), Cardinality([1, 2, 3], 1)))
    found = read(written(problem, format))
    assert list(dict(found.variables()).values())[:5] == [f"x{i}" for i in range(1, 6)]
    assert sorted(bits[:5] for bits in models_of(found)) == [
        bits for bits in assignments(5) if weighted_sum(lits, bits) % 2 == odd and any(bits[:3])
    ]


@pytest.mark.parametrize("format", ["opb", "lp", "mps"])
def test_the_name_of_a_slack_variable_may_be_taken(format) -> None:
    problem = Problem(2, (Parity([1, 2], False),), {1: "parity_1_slack_0"})
    found = read(written(problem, format))
    assert found.names == {1: "parity_1_slack_0", 3: "parity_1_slack_0_2"}
