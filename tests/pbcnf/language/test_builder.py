"""The builder and its names: problems, sums, live sinks, decoding, and what is refused."""

import io
import operator
import pickle
import sys
from collections.abc import Callable
from copy import copy, deepcopy
from functools import partial, reduce
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import MAX_VAR, Builder, Choices, EncodingError, Formula, Problem, encode_problem
from pbcnf.formats.problems import read_problem, write_problem
from pbcnf.language.connectives import any_of, at_most_one, exactly_one, maximum, total
from pbcnf.language.expressions import FALSE, Literal
from pbcnf.language.integers import Domain
from pbcnf.language.names import Names
from pbcnf.language.relations import all_different, element, table
from tests.commands import python
from tests.statements import COMPARISONS, built, enumerated, solutions, sums

DOMAINS = {"a": (False, True), "b": (False, True), "x": (0, 1, 4), "y": (2, 3, 4, 5)}
NAMES = list(DOMAINS)
COMPARED = st.tuples(COMPARISONS, sums(st.sampled_from(NAMES)), st.integers(-3, 9))
ATOMS = COMPARED | st.sampled_from("ab")
FORMULAS = st.tuples(st.sampled_from(["&", "|", "^", ">>", "iff"]), ATOMS, ATOMS)


def refused(error, message, action) -> None:
    with pytest.raises(error, match=message) as caught:
        action()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@settings(max_examples=80, deadline=None)
@given(st.lists(FORMULAS, min_size=1, max_size=2), st.sampled_from(["order", "direct", "binary"]))
def test_the_rows_of_a_problem_have_the_same_solutions(drawn, encoding) -> None:
    builder = Builder()
    known = {"a": builder.boolean("a"), "b": builder.boolean("b")} | {
        name: builder.integer(name, domain=DOMAINS[name], encoding=encoding) for name in "xy"
    }
    builder.add(*(built(tree, known) for tree in drawn))
    problem = builder.problem()
    formula = Formula(problem.num_vars)
    list(encode_problem(problem.constraints, formula, Choices()))
    decoded = map(builder.decode, enumerated(formula, problem.names))
    found = {tuple(values[name] for name in NAMES) for values in decoded}
    assert found == solutions(drawn, DOMAINS)


@pytest.mark.parametrize("transformation", ["plaisted_greenbaum", "tseitin"])
@pytest.mark.parametrize(
    ("weights", "bound"), [((1,) * 10, 4), ((3, 1, 4, 1, 5, 9, 2, 6, 5, 3), 17)]
)
def test_sums_of_ten_alone_and_inside_formulas(transformation, weights, bound) -> None:
    for inside in (False, True):
        builder = Builder()
        lits = builder.booleans("abcdefghij")
        first = total(w * x for w, x in zip(weights, lits, strict=True)) <= bound
        builder.add((first ^ lits[0]) if inside else first)
        expected = sum(
            (sum(w for w, x in zip(weights, values, strict=True) if x) <= bound)
            != (inside and values[0])
            for values in product((False, True), repeat=10)
        )
        formula = builder.formula(transformation)
        inputs = range(1, 11 if transformation != "tseitin" else formula.num_vars + 1)
        made = list(enumerated(formula, inputs))
        assert all(builder.holds(builder.decode(true)) for true in made)
        found = {tuple(v in true for v in range(1, 11)) for true in made}
        assert len(found) == len(made) == expected


def test_what_is_asserted_and_is_a_clause_needs_no_auxiliary_variable() -> None:
    builder = Builder()
    a, b, c, d = builder.booleans("abcd")
    builder.add((a & b) >> c, a | (b | ~c) | d, ~(a & ~d), a + b + c >= 1, (a & b) >> (c & d))
    builder.add(a >> (b >> (c >> d)), ~(a | b) | c)
    formula = builder.formula()
    assert formula.num_vars == 4


def test_what_operators_join_one_by_one_is_one_clause_however_long() -> None:
    builder = Builder()
    builder.add(reduce(operator.or_, builder.booleans(range(5000))))
    assert [sorted(clause) for clause in builder.formula()] == [list(range(1, 5001))]


def test_equal_parts_are_defined_once() -> None:
    sizes = []
    for parts in (1, 5):
        builder = Builder()
        a, b, *others = builder.booleans("abcdefg")
        for other in others[:parts]:
            builder.add((a & b) ^ other)
        sizes.append(builder.formula().num_vars)
    assert sizes[0] == sizes[1]


def test_a_live_sink_takes_more_and_gives_literals_to_assume() -> None:
    builder = Builder()
    x, y = builder.integers("xy", 0, 9)
    builder.add(x + y >= 7)
    formula = Formula()
    encoding = builder.encode(formula)
    at_most = [encoding.literal(x + y <= k) for k in range(10)]
    encoding.add(x != y)
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        assert [solver.solve(assumptions=[lit]) for lit in at_most] == [False] * 7 + [True] * 3
        assert solver.solve(assumptions=[at_most[7]])
        model = solver.get_model()
    values = builder.decode(model)
    assert values["x"] + values["y"] == 7
    assert encoding.value(2 * x + y, model) == 2 * values["x"] + values["y"]
    assert builder.value(2 * x + y, values) == 2 * values["x"] + values["y"]


def test_variables_of_a_sink_that_is_not_empty_keep_their_meaning() -> None:
    formula = Formula(3)
    formula.add_clause([-2])
    names = Names()
    names.reserve(1, 3)
    builder = Builder(names)
    a = builder.boolean("a")
    builder.add(a | Literal(2))
    builder.encode(formula)
    assert list(formula) == [[-2], [2, 4]] or list(formula) == [[-2], [4, 2]]


@pytest.mark.parametrize("transformation", ["tseitin", "plaisted_greenbaum"])
def test_one_more_use_of_a_formula_costs_as_much_however_large_it_is(transformation: str) -> None:
    def literals(width: int, uses: int) -> int:
        builder, formula = Builder(), Formula()
        large = reduce(operator.or_, builder.booleans([f"s{i}" for i in range(width)]))
        one, other = (builder.booleans([f"{x}{i}" for i in range(uses)]) for x in "xy")
        builder.add(*((large & x) | (~large & y) for x, y in zip(one, other, strict=True)))
        builder.encode(formula, transformation)
        return formula.num_literals

    of_one_more = [literals(width, 9) - literals(width, 8) for width in (5, 20)]
    assert of_one_more[0] == of_one_more[1]


def calls(action: Callable[[], object]) -> int:
    """How many Python functions a call enters."""
    entered: list[None] = []
    sys.setprofile(lambda frame, event, _: entered.append(None) if event == "call" else None)
    try:
        action()
    finally:
        sys.setprofile(None)
    return len(entered)


def test_one_more_statement_to_a_live_solver_costs_as_much_however_many_there_are() -> None:
    """Whoever asks an easy question again and again is kept waiting by the language alone."""
    builder, formula = Builder(), Formula()
    x, n = builder.booleans(range(20)), builder.integer("n", 0, 5)
    builder.add(total(x) >= 1)
    encoding = builder.encode(formula)
    costs = []
    for i in range(600):
        signed = [x[j] if (i >> j) & 1 else ~x[j] for j in range(20)]
        said = any_of(signed), (total(signed[:4]) <= 2) | signed[9] | (n == i % 4)
        added = formula.num_clauses
        cost = calls(partial(encoding.add, *said))
        costs.append((cost, formula.num_clauses - added))
    # The first rounds build what later ones find ready; from run to run a call or two differ.
    earlier, later = (map(max, zip(*part, strict=True)) for part in (costs[100:300], costs[300:]))
    assert all(after <= 1.05 * before for before, after in zip(earlier, later, strict=True))


def test_importing_encode_loads_no_part_of_the_language() -> None:
    child = python("-c", "from pbcnf import encode, Cardinality; import sys; print(*sys.modules)")
    assert "pbcnf.emission.encode" in child.stdout
    assert "pbcnf.language" not in child.stdout
    assert "pysat" not in child.stdout


@pytest.mark.parametrize(
    ("wrong", "message"),
    [(lambda x, n: bool(x <= 1), "has no truth value"),
     (lambda x, n: 0 <= x + n <= 4, "for a <= e <= b"),
     (lambda x, n: x and n, "write & [|] ~ for and"),
     (lambda x, n: 2.5 * x, "a weight must be an int, not 2.5"),
     (lambda x, n: x + 0.5, "a term of a sum must be an int, not 0.5"),
     (lambda x, n: n <= 1.0, "a term of a sum must be an int, not 1.0"),
     (lambda x, n: x & n, "a proposition is needed, not a number"),
     (lambda x, n: x | 1, "a proposition is needed, not 1"),
     (lambda x, n: n == True, "not with True"),  # noqa: E712
     (lambda x, n: Builder().add(n + 1), "a proposition is needed"),
     (lambda x, n: (x * n <= 3).constraint(), "a constraint is a sum of literals"),
     (lambda x, n: n.among([1, "a"]), "a value must be an int, not 'a'"),
     (lambda x, n: at_most_one([n, n]), "a proposition is needed"),
     (lambda x, n: exactly_one([n, n]), "a proposition is needed")],
)  # fmt: skip
def test_what_is_no_expression_is_refused_in_one_line(wrong, message) -> None:
    builder = Builder()
    x, n = builder.boolean("x"), builder.integer("n", 0, 5)
    refused(TypeError, message, lambda: wrong(x, n))


def test_names_and_integers_that_cannot_be_are_refused() -> None:
    builder = Builder()
    n = builder.integer("n", 0, 3)
    builder.boolean("x")
    builder.add(Builder().integer("m", 0, 3) >= 2)
    for error, message, wrong in [
        (ValueError, "the name n is taken", lambda: builder.integer("n", 0, 1)),
        (ValueError, "the name x is taken", lambda: builder.integer("x", 0, 1)),
        (ValueError, "n is an integer", lambda: builder.boolean("n")),
        (ValueError, "m has no value: its domain is empty", lambda: builder.integer("m", 3, 2)),
        (ValueError, "did you mean 'order'", lambda: builder.integer("m", 0, 3, encoding="ordr")),
        (TypeError, "needs a lower and an upper bound", lambda: builder.integer("m", 3)),
        (TypeError, "None is no name of an integer", lambda: builder.integer(None, 0, 3)),
        (ValueError, "largest or the least of no numbers", lambda: maximum([])),
        (ValueError, "1 value in the row .* for 2 operands", lambda: table([n, n], [(1,)])),
        (ValueError, "did you mean 'tseitin'", lambda: builder.formula("tseytin")),
        (EncodingError, "nothing has been encoded yet", lambda: Builder().decode([])),
        (EncodingError, "m belongs to another builder", builder.formula),
    ]:
        refused(error, message, wrong)
    assert None not in builder


def test_a_variable_made_after_the_encoding_is_refused() -> None:
    builder = Builder()
    x = builder.boolean("x")
    encoding = builder.encode(Formula())
    late = builder.boolean("late")
    refused(EncodingError, "variable 2 was made after the enc", lambda: encoding.add(x | late))


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("number"), st.sampled_from("abcdef")),
        st.tuples(st.just("fresh"), st.none()),
        st.tuples(st.just("reserve"), st.tuples(st.integers(1, 20), st.integers(0, 6))),
    ),
    max_size=25,
)


@given(STEPS)
def test_no_number_is_given_twice_or_while_it_is_reserved(steps) -> None:
    names, given_out, reserved, by_name = Names(), [], set(), {}
    for what, argument in steps:
        if what == "reserve":
            first, count = argument
            wanted = set(range(first, first + count))
            if wanted & set(given_out):
                reserve = partial(names.reserve, first, first + count - 1)
                refused(ValueError, "cannot be reserved", reserve)
            else:
                names.reserve(first, first + count - 1)
                reserved |= wanted
        elif what == "fresh" or argument not in by_name:
            found = names.fresh() if what == "fresh" else names.number(argument)
            assert found not in reserved
            assert found not in given_out
            given_out.append(found)
            if what == "number":
                by_name[argument] = found
        else:
            assert names.number(argument) == by_name[argument]
    assert {name: names.number(name) for name in names} == by_name
    assert all(names.name(number) == name for name, number in by_name.items())
    assert names.last == max([*given_out, *reserved], default=0)
    assert names.in_files() == {number: name for name, number in by_name.items()}


def test_names_are_any_objects_but_none() -> None:
    names = Names()
    objects = ["x", ("x", 1), 7, frozenset({1, 2}), 2.5]
    assert [names.number(each) for each in objects] == [1, 2, 3, 4, 5]
    assert len(names) == 5
    assert (7 in names, 8 in names) == (True, False)
    refused(TypeError, "None is no name", lambda: names.number(None))
    refused(TypeError, "unhashable", lambda: names.number([1]))


def test_ranges_beyond_the_variables_are_refused() -> None:
    names = Names()
    for first, last in ((0, 3), (5, MAX_VAR + 1)):
        refused(ValueError, "there can be 1 to", partial(names.reserve, first, last))
    names.reserve(1, MAX_VAR)
    refused(ValueError, "at most", names.fresh)


def test_a_builder_finds_its_variables_by_name() -> None:
    builder = Builder()
    x, n = builder.boolean("x"), builder.integer("n", 0, 3)
    assert builder["n"] is n
    assert builder["x"].lit == x.lit
    assert ("x" in builder, "y" in builder) == (True, False)
    refused(KeyError, "y", lambda: builder["y"])


ODD = ["end", "inf", "a b", "é", ("t", -1), ("t", 1), 1, "1", "x1", "X1", "y" * 300, "", "~p", "\n"]


@pytest.mark.parametrize("name", ["opb", "lp", "mps", "smt2", "wcnf", "knf", "cnf", "cnf+"])
def test_answers_come_back_to_odd_names_that_collide_in_files(name: str) -> None:
    builder = Builder()
    lits = builder.booleans(ODD)
    n = builder.integer(2, -1, 1, encoding="direct")
    m = builder.integer("2", 0, 2, encoding="order")
    builder.add(*(a | b for a, b in pairwise(lits)), (n == -1) | (m >= 1))
    problem = builder.problem()
    assert list(problem.integers) == ["2", "2_"]
    stream = io.BytesIO()
    write_problem(problem, stream, name)
    again: Problem = read_problem(io.BytesIO(stream.getvalue()))
    legal = {v: text for v, text in again.variables() if v <= problem.num_vars}
    assert list(legal) == list(range(1, problem.num_vars + 1))
    assert len(set(legal.values())) == problem.num_vars
    numbers = {text: var for var, text in legal.items()}
    for pattern, k, j in product(((0, 1), (1, 0), (1, 1)), (-1, 0, 1), (0, 1, 2)):
        values = {each: bool(pattern[i % 2]) for i, each in enumerate(ODD)} | {2: k, "2": j}
        true = {var for var, each in enumerate(ODD, start=1) if values[each]}
        true |= {numbers[f"v_2_eq_{'m1' if k < 0 else k}"]}
        true |= {numbers[f"v_2_ge_{i}"] for i in (1, 2) if i <= j}
        assert builder.decode(true) == values
        assert builder.holds(values) == (k == -1 or j >= 1)


@pytest.mark.parametrize("say", ["add", "minimise"])
def test_a_boolean_of_another_builder_is_refused_by_its_name(say) -> None:
    builder, other = Builder(), Builder()
    builder.booleans("xy")
    getattr(builder, say)(other.boolean("p") | other.boolean("q"))
    refused(EncodingError, "the Boolean p belongs to another builder", builder.problem)


def test_builders_with_one_pool_share_their_booleans() -> None:
    one = Builder()
    x = one.boolean("x")
    two = Builder(one.names)
    two.add(~x, Literal(1) | two.boolean("y"))
    assert list(two.formula()) == [[-1], [1, 2]]


@pytest.mark.parametrize("wrong", [None, "x", [1], 2.5])
def test_an_objective_that_is_no_number_is_refused(wrong) -> None:
    builder = Builder()
    for ask in (builder.minimise, builder.maximise):
        refused(TypeError, "must be an int, not", partial(ask, wrong))


@pytest.mark.parametrize("encoding", ["order", "direct"])
def test_an_integer_with_too_many_literals_is_refused_at_once(encoding) -> None:
    builder = Builder()
    builder.integer("n", 0, 10**12, encoding=encoding)
    refused(EncodingError, f"in {encoding} encoding.*binary", builder.formula)


def test_integers_of_very_many_values_are_all_different_by_pairs() -> None:
    builder = Builder()
    x, y = builder.integers("xy", 0, 10**12)
    builder.add(all_different([x, y + 5]), y == 7)
    assert builder.formula().num_clauses < 1000
    assert not builder.holds({"x": 12, "y": 7})


def test_a_long_product_is_refused_in_a_short_line() -> None:
    builder = Builder()
    xs, ys = builder.booleans(range(400)), builder.booleans(range(400, 800))
    builder.add(total(xs) * total(ys) <= 3)
    refused(EncodingError, r"the product .* \.\.\. would have more than", builder.formula)


def test_a_maximum_of_too_many_values_is_refused_where_it_is_summed() -> None:
    builder = Builder()
    x, y = builder.integers("xy", 0, 10**6)
    builder.add(maximum([x, y]) <= 10)
    builder.formula()
    builder.minimise(maximum([x, y]))
    refused(EncodingError, "needs an integer variable", builder.problem)


def test_decoding_what_is_no_model_is_refused() -> None:
    builder = Builder()
    builder.integer("n", 0, 3, encoding="direct")
    builder.formula()
    refused(EncodingError, "no model: it gives the integer n no value", lambda: builder.decode([]))
    builder.integer("late", 0, 3)
    refused(EncodingError, "late is not in this encoding", lambda: builder.decode([1]))


def test_integers_and_bools_of_numpy_are_numbers_and_constants() -> None:
    builder = Builder()
    x = builder.boolean("x")
    n = builder.integer("n", np.int64(0), np.int8(4))
    m = builder.integer("m", domain=np.arange(3))
    chosen = builder.integer("chosen", domain=Domain.of([1, 2]))
    weights = np.array([3, -2, 1])
    statement = weights[0] * x + weights[1] * n + m * weights[2] >= np.int64(-3)
    builder.add(statement, np.bool_(True) & x, x | np.bool_(False), n.among(np.array([1, 2])))
    builder.add(element(np.array([5, 6, 7]), m) <= np.int16(6), chosen == np.int64(2))
    for k in range(5):
        values = {"x": True, "n": np.int64(k), "m": 1, "chosen": 2}
        assert builder.holds(values) == (k in (1, 2) and 3 - 2 * k + 1 >= -3)
    assert builder.formula().num_clauses > 0
    assert builder.value(total([np.bool_(True), True, x]), {"x": True}) == 3


def test_bools_are_entries_of_tables_and_numbers_are_places() -> None:
    builder = Builder()
    x, y, n = builder.boolean("x"), builder.boolean("y"), builder.integer("n", 0, 5)
    builder.add(element([True, False, x], n) == 1, element([x, y], 1) == 1, element({4: 1}, n) == 0)
    for p, q, k in product((0, 1), (0, 1), range(6)):
        good = [True, False, p, 0, 0, 0][k] == 1 and q
        assert builder.holds({"x": p, "y": q, "n": k}) == good


def test_a_copy_has_the_same_variables_and_grows_apart() -> None:
    builder = Builder()
    x, n = builder.boolean("x"), builder.integer("n", 0, 3)
    builder.add(x >> (n >= 2))
    builder.minimise(n)
    other = copy(builder)
    other.add(n <= 1, other.boolean("only here") | x)
    other.integer("too", 0, 1)
    assert (len(builder.statements), len(other.statements)) == (1, 3)
    assert ("only here" in builder, "too" in builder) == (False, False)
    assert builder.boolean("later").lit == other["only here"].lit
    assert other.holds({"x": 0, "n": 1, "only here": 1, "too": 0})
    assert other.problem().objective is not None


def test_builders_are_pickled_and_copied_deeply_with_what_they_made() -> None:
    builder = Builder()
    x, n = builder.boolean("x"), builder.integer(("n", 1), 0, 9)
    builder.add(x >> (2 * n + x <= 7), n != 3, abs(n - 5) >= 2)
    clauses = list(builder.formula())
    for again in (pickle.loads(pickle.dumps(builder)), deepcopy(builder)):
        assert list(again.formula()) == clauses
        again.add(again["x"], again["n", 1] >= 3)
        assert not again.holds({"x": True, ("n", 1): 3})
        assert list(builder.formula()) == clauses


def test_a_builder_shows_how_much_it_holds() -> None:
    builder = Builder()
    builder.add(builder.boolean("x") | FALSE, builder.integer("n", 0, 3) <= 2)
    assert repr(builder) == "Builder(1 Boolean, 1 integer, 2 statements)"


def test_clauses_need_no_gates_and_say_the_same() -> None:
    builder = Builder()
    x, y, z = builder.booleans("xyz")
    builder.add(x | y, ~(x & y), x >> z, x | ~x, x | y | x, (x | y) ^ z)
    formula = Formula()
    encoding = builder.encode(formula)
    encoding.add(z | ~y, ~(z & ~z))
    clauses = [sorted(clause) for clause in formula]
    assert clauses[:3] == [[1, 2], [-2, -1], [-1, 3]]
    assert [-2, 3] in clauses
    assert [1, 2] in clauses[3:]
    assert not any(-lit in clause for clause in clauses for lit in clause)
    stranger = Builder().boolean("p")
    refused(EncodingError, "p belongs to another", lambda: encoding.add(stranger | stranger))
