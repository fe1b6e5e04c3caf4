"""OPB and WBO as they are read and written, and lp_solve's format, which looks like OPB."""

import io
import json
import operator
import re
from collections import defaultdict
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, Parity, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.error import FormatError
from pbcnf.formats.problem_file import FileLines
from pbcnf.formats.problems import read_problem, read_whole
from pbcnf.formats.read.opb import open_opb
from tests.oracles import assignments, true_literals, weighted_sum
from tests.problem_files import models_of, objective_of, read, written
from tests.problem_files import random_instance as make_instance

DATA = Path(__file__).parents[2] / "data"


def opened(text, strict=False):
    data = text if isinstance(text, bytes) else text.encode()
    return open_opb(FileLines(lambda: io.BytesIO(data), "p.opb", strict))


def rows(text, strict=True):
    return list(opened(text, strict).constraints)


def whole(text):
    return read_whole(opened(text))


def test_the_example_of_the_format_is_read_and_a_sum_and_a_file_may_be_empty():
    text = (
        "* #variable= 5 #constraint= 4 #equal= 1 intsize= 64\n*\n* a comment\nmin: 1 x2 -1 x3 ;\n"
        "1 x1 +4 x2 -2 x5 >= 2;\n-1 x1 +4 ~x2 -2 x5 >= +3;\n12345678901234567890 x4 +4 x3 >= 10;\n"
        "* an equality\n2 x2 +3 x4 +2 x1 +3 x5 = 5 ;\n"
    )
    problem = whole(text)
    assert problem.objective == Objective((2, 3), (1, -1))
    assert list(problem.constraints) == [
        PseudoBoolean([1, 2, 5], [1, 4, -2], lower=2),
        PseudoBoolean([1, -2, 5], [-1, 4, -2], lower=3),
        PseudoBoolean([4, 3], [12345678901234567890, 4], lower=10),
        PseudoBoolean([2, 4, 1, 5], [2, 3, 2, 3], lower=5, upper=5),
    ]
    assert rows(">= 0;") == [PseudoBoolean([], [], 0, None)]
    assert rows("* only comments\n") == []


LITS = st.sampled_from([1, -1, 2, -2, 3, -3])
TERMS = st.lists(st.tuples(LITS, st.integers(-(10**30), 10**30)), max_size=5)


@given(
    st.lists(st.tuples(TERMS, st.sampled_from([">=", "=", "<="]), st.integers()), max_size=4),
    st.sampled_from([" ", "*"]),
)
def test_what_is_written_by_hand_is_read_back(constraints, between):
    text = "".join(
        " ".join(f"{weight:+}{between}{'~' * (lit < 0)}x{abs(lit)}" for lit, weight in terms)
        + f" {relation} {bound} ;\n"
        for terms, relation, bound in constraints
    )
    assert rows(text) == [
        PseudoBoolean(
            [lit for lit, _ in terms],
            [weight for _, weight in terms],
            lower=None if relation == "<=" else bound,
            upper=None if relation == ">=" else bound,
        )
        for terms, relation, bound in constraints
    ]


def test_the_objective_may_stand_anywhere_and_with_decimals_has_a_scale():
    for place, start in product(range(3), ("max: -2*x1 +1*~x2 ;\n", "max:-2 x1 +1 ~x2 ;\n")):
        parts = ["+1 x1 +1 x2 >= 1 ;\n", "+1 x1 >= 0 ;\n"]
        parts.insert(place, start)
        problem = whole("".join(parts))
        assert problem.objective == Objective((1, -2), (-2, 1), maximise=True)
        assert len(problem.constraints) == 2
    problem = whole("min: 0.25 x1 -1.5 x2 ;\n0.5 x1 +0.5 x2 >= 0.5 ;\n")
    assert problem.objective == Objective((1, 2), (1, -6), scale=4)
    assert problem.constraints == (PseudoBoolean([1, 2], [1, 1], lower=1),)


def test_names_are_kept_and_x_i_stays_i_but_a_leading_zero_makes_another_name():
    assert whole("1 y_{1}^[-4,2] >= 1 ;").names == {1: "y_{1}^[-4,2]"}
    with pytest.raises(FormatError, match="'y-2' is no variable"):
        rows("1 y-2 >= 1;")
    problem = whole("+1 y_x1_5 +1 x0 +1 ~x3 >= 1 ;\n+1 x0 +1 x1 >= 1;\nmin: +1 z[2] ;")
    assert problem.names == {4: "y_x1_5", 5: "x0", 6: "z[2]"}
    assert problem.num_vars == 6
    assert [constraint.lits for constraint in problem.constraints] == [(4, 5, -3), (5, 1)]
    assert problem.objective == Objective((6,), (1,))
    problem = whole("min: +x01 -x1 ;\nc1: +x2 -x001 >= 0 ;\n")
    assert problem.names == {3: "x01", 4: "x001"}
    assert problem.objective == Objective((3, 1), (1, -1))
    assert problem.constraints == (PseudoBoolean([2, 4], [1, -1], lower=0),)
    # As many names as are declared are no more.
    text = "* #variable= 3 #constraint= 1\n+1 x0 +1 x1 +1 x2 >= 2 ;\n"
    assert rows(text) == [PseudoBoolean([3, 1, 2], [1, 1, 1], lower=2)]


WRONG_HEADERS = {
    "2 #constraint= 3\n1 x1 >= 1;\n1 x2 >= 0;": "3: the file ends after 2 of 3",
    "1 #constraint= 1\n1 x1 1 ~x3 >= 1;": "2:8: variable ~x3: 1 varia",
    "1 #constraint= 1\n1 x1 1 y >= 1;": "2:8: variable y: 1 variable is",
    "2 #constraint= 1\n1 x1 >= 1;\n1 x2 >= 0;\n1 x2 >= 0;": "3:1: const",
}


@pytest.mark.parametrize(("text", "message"), WRONG_HEADERS.items())
def test_a_header_that_is_wrong_about_the_file_is_noted_once_or_refused(text, message):
    text = f"* #variable= {text}"
    file = opened(text)
    problem = read_whole(file)
    assert [note.startswith(f"p.opb:{message}") for note in file.notes] == [True]
    used = {abs(lit) for constraint in problem.constraints for lit in constraint.lits}
    assert max(used) <= problem.num_vars
    assert len(problem.constraints) == text.count(">=")
    with pytest.raises(FormatError, match=re.escape(message)):
        rows(text, strict=True)


FORMS = ["{:+} ", "{:+}*", "{:+} * ", "1995"]
VARIABLES = ["x1", "x2", "x0", "y_3"]
LITERAL = st.tuples(st.booleans(), st.sampled_from(VARIABLES))
PRODUCTS = st.lists(
    st.tuples(st.integers(-4, 4), st.lists(LITERAL, min_size=1, max_size=3)), max_size=4
)
RELATIONS = {
    ">=": operator.ge, "<=": operator.le, "=": operator.eq, ">": operator.gt, "<": operator.lt
}  # fmt: skip
NONLINEAR = st.tuples(PRODUCTS, st.sampled_from(sorted(RELATIONS)), st.integers(-5, 6))


def text_of(terms, form="{:+} "):
    words = []
    for weight, factors in terms:
        # A weight of 1 may be left out, but not that of a product.
        short = form == "1995" and len(factors) == 1
        sign = "-" if weight < 0 else "+"
        start = f"{sign} {abs(weight)} " if form == "1995" else form.format(weight)
        if short and abs(weight) == 1:
            start = sign
        words.append(start + " ".join("~" * negated + name for negated, name in factors))
    return " ".join(words)


def value(terms, values):
    return sum(
        weight * all(values[name] != negated for negated, name in factors)
        for weight, factors in terms
    )


def extended(problem):
    """Every assignment of the names, and the objective values of the models that extend it."""
    own = {name: var for var, name in problem.variables() if name in VARIABLES}
    costs = defaultdict(list)
    for bits in models_of(problem):
        costs[tuple(bits[var - 1] for var in own.values())].append(objective_of(problem, bits))
    for bits in assignments(len(VARIABLES)):
        values = dict(zip(VARIABLES, map(bool, bits), strict=True))
        yield values, costs[tuple(int(values[name]) for name in own)]


@settings(max_examples=60, deadline=None)
@given(st.lists(NONLINEAR, min_size=1, max_size=2), PRODUCTS, st.sampled_from(FORMS))
@example([([(n, [(False, f"x{n}"), (False, f"x{3 - n}")]) for n in (1, 2)], ">=", 1)], [], "{:+} ")
def test_products_mean_what_they_say(constraints, objective, form):
    lines = [f"{text_of(terms, form)} {sign} {bound} ;" for terms, sign, bound in constraints]
    lines.insert(1, f"min: {text_of(objective, form)} ;")
    problem = whole("\n".join(lines))
    sums = [objective, *(terms for terms, _, _ in constraints)]
    sets = {frozenset(factors) for terms in sums for _, factors in terms}
    shared = [s for s in sets if len(s) > 1 and not any((not n, v) in s for n, v in s)]
    assert sum("*" in name for _, name in problem.variables()) == len(shared)
    for values, costs in extended(problem):
        right = all(
            RELATIONS[sign](value(terms, values), bound) for terms, sign, bound in constraints
        )
        assert costs == [value(objective, values)] * right


SOFT = st.tuples(st.none() | st.integers(1, 5), NONLINEAR)


@settings(max_examples=60, deadline=None)
@given(st.lists(SOFT, min_size=1, max_size=3), st.none() | st.integers(1, 8))
def test_soft_constraints_cost_their_weight_where_they_do_not_hold(constraints, top):
    lines = ["soft: ;" if top is None else f"soft: {top} ;"]
    for weight, (terms, relation, bound) in constraints:
        head = "" if weight is None else f"[{weight}] "
        lines.append(f"{head}{text_of(terms)} {relation} {bound} ;")
    for values, costs in extended(whole("\n".join(lines))):
        broken = [
            weight
            for weight, (terms, relation, bound) in constraints
            if not RELATIONS[relation](value(terms, values), bound)
        ]
        cost = sum(weight or 0 for weight in broken)
        soft = any(weight is not None for weight, _ in constraints)
        if None in broken or (soft and top is not None and cost >= top):
            assert costs == []
        else:
            assert min(costs) == cost


def test_a_file_is_looked_through_over_the_ends_of_its_pieces():
    lines = "+1 x1 +1 x2 >= 1 ;\n" * 60_000
    assert opened(f"{lines}+1 x1\n\n* c\n{' ' * 99}\n~x2 >= 0;").num_vars == 3
    assert opened(f"{lines}+1 x7 >= 0;").num_vars == 7
    assert opened(f"* #variable= 9\n{lines}+1 x7 >= 0;").num_vars == 9
    assert opened(f"* #variable= 2\n{lines}+1 x19 >= 0;{lines}").num_vars == 19


@pytest.mark.parametrize(
    ("name", "models", "best"),
    [("lp_solve.opb", 4, 1), ("decimals.opb", 3, Fraction(-5, 4))],
    ids=["integers of lp_solve", "decimals of a converter"],
)
def test_what_other_programs_call_opb_is_read(name, models, best):
    problem = read_problem(DATA / "opb" / name)
    found = [problem.objective.value(true_literals(bits)) for bits in models_of(problem)]
    assert (len(found), Fraction(min(found), problem.objective.scale)) == (models, best)


LINES = (DATA / "lp_solve.txt").read_text("utf-8").splitlines()
"""Texts that are LP in lp_solve and something else in OPB: file name | label | JSON | place."""

DECLARED = {
    "binary": ("max: 3 x + 2 y;\nc1: x + y < 1;\nbin x, y;\n", lambda x, y: x + y <= 1, 3),
    "integers up to 1": ("/* t */ max: 2 x + 3 y;\nc: 2 x + 2 y < 4;\nx <= 1; y < 1;\nint x, y;\n",
                         lambda x, y: True, 5),
    "a constant, and bounds the other way round":
        ("min: x - y;\nR1: x + y > 1;\nx = 1;\n-2 y >= -2;\nint y;\n", lambda x, y: x == 1, 0),
    "both kinds": ("max: x - y;\nR1: x - y >= 0.5;\nx <= 1;\nint x;\nbinary y;\n",
                   lambda x, y: x - y >= 0.5, 1),
}  # fmt: skip


def refusal(text, name):
    with pytest.raises(FormatError) as caught:
        read_problem(io.BytesIO(text.encode()), name)
    return str(caught.value)


@pytest.mark.parametrize("line", LINES)
def test_what_lp_solve_reads_otherwise_is_refused_by_the_name_of_its_format(line):
    name, _, text, place = line.split(" | ")
    for each in [None, "p.lp", "p.txt"] if name == "any name" else [name]:
        assert re.search(f":{place}: .*lp_solve's LP format", refusal(json.loads(text), each))


@pytest.mark.parametrize(("text", "holds", "best"), DECLARED.values(), ids=DECLARED)
@pytest.mark.parametrize("name", [None, "p.lp", "p.opb"])
def test_where_all_variables_are_declared_0_1_it_is_read_as_lp_solve_does(text, holds, best, name):
    problem = read_problem(io.BytesIO(text.encode()), name)
    names = {name: var for var, name in problem.names.items()}
    found = models_of(problem)
    place = [names[name] - 1 for name in "xy"]
    assert sorted(tuple(bits[at] for at in place) for bits in found) == [
        (x, y) for x, y in assignments(2) if holds(x, y)
    ]
    least = min(objective_of(problem, bits) for bits in found)
    assert (-least if problem.objective.maximise else least) == best


@pytest.mark.parametrize(
    ("text", "name"),
    [("min: +2 x1 +3 y;\n+1 x1 +1 y >= 1;\n", "p.opb"), ("R1: +x -y >= 0.5;\n", "A.OPB"),
     ("* #variable= 2 #constraint= 1\nmin: x + y;\nx + y >= 1;\n", "p.lp"),
     ("+1 x1 +1 y <= 5;\n* a comment\n", None), ("min: +2 x +3 y;\n+1 x +1 ~y <= 5;\n", None),
     ("@c1 +1 x +1 y <= 5;\n", None), ("min: 2 x;\n+1 ~x +1 y <= 5;\n", None),
     ("min: +143 x1 +60 x2;\n+120 x1 +210 x2 >= 150;\n", None),
     ("max: +143 x1 +60 x2;\n+1 ~x1 +x2 <= 1;\n", None)],
)  # fmt: skip
def test_what_says_that_it_is_opb_is_read_as_opb(text, name):
    problem = read_problem(io.BytesIO(text.encode()), name)
    assert len(problem.constraints) == 1


def test_a_star_in_a_comment_of_lp_solve_says_nothing():
    assert "real" in refusal("/*\n* by hand\n*/\nmax: +2 x;\nc: +3 x <= 4;\n", "p.lp")


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
        (Cardinality([1], lower=0), 1), (Cardinality([1, 2], lower=1), 2),
        (PseudoBoolean([1, 2], [3, 4], lower=0), 3), (PseudoBoolean([1, 2], [3, 4], lower=1), 4),
        (PseudoBoolean([1], [1], lower=2**64 - 1), 65),
        (PseudoBoolean([1], [-(2**64)], upper=-1), 65),
    ]:  # fmt: skip
        assert rows_of(written(Problem(2, (constraint,)), "opb"))[0][3] == bits
    # The objective counts for it, but not as a constraint.
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
    """Weight of the soft constraints of ``text`` violated by ``bits``; None for no model at all."""
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
    assert written(problem, "wbo").partition("\n")[2] == (
        "* the objective is 2 more\nsoft: ;\n+1 x1 +1 x2 >= 1 ;\n[4] -1 x3 >= 0 ;\n"
        "[3] -1 x1 -1 x2 +1 x3 >= -1 ;\n"
    )


def test_a_variable_that_only_has_such_a_name_stays():
    constraints = (
        PseudoBoolean([1, 3], [2, 1], lower=2),
        *(Cardinality(lits, lower=1) for lits in ([1, 2], [2, 4], [-1, 4])),
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
    first, *lines = text.splitlines()
    rows = [line for line in lines if not line.startswith(("*", "soft: "))]
    weights = [int(row[1 : row.index("]")]) for row in rows if row.startswith("[")]
    assert list(map(int, re.findall(r"= (\d+)", first))) == [
        problem.num_vars, len(rows), len(weights),
        *(of(weights or [0]) for of in (min, max, sum)),
    ]  # fmt: skip
    differs = re.search(r"\* the objective is (\d+) (more|less)", text)
    more = 0 if differs is None else int(differs[1]) * (1 if differs[2] == "more" else -1)
    models = models_of(problem)
    for bits in assignments(problem.num_vars):
        shift = 0 if problem.objective is None else more
        expected = objective_of(problem, bits) - shift if bits in models else None
        assert cost(text, bits) == expected


SOFT_SUM = st.tuples(
    st.none() | st.integers(1, 5),
    st.dictionaries(st.integers(1, 3), st.integers(-4, 4).filter(bool)),
    st.sampled_from([">=", "<=", "="]),
    st.integers(-5, 6),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(SOFT_SUM, min_size=1, max_size=4), st.none() | st.integers(1, 12))
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
