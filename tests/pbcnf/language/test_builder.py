"""The builder: problems in every format, larger sums, live sinks, decoding, and clear refusals."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

import pbcnf
from pbcnf import (
    Builder,
    Choices,
    EncodingError,
    Formula,
    Names,
    Proposition,
    encode_problem,
    total,
)
from tests.commands import python
from tests.statements import COMPARISONS, built, enumerated, solutions, sums

DOMAINS = {"a": (False, True), "b": (False, True), "x": (0, 1, 4), "y": (2, 3, 4, 5)}
NAMES = list(DOMAINS)
COMPARED = st.tuples(COMPARISONS, sums(st.sampled_from(NAMES)), st.integers(-3, 9))
ATOMS = COMPARED | st.sampled_from("ab")
FORMULAS = st.tuples(st.sampled_from(["&", "|", "^", ">>", "iff"]), ATOMS, ATOMS)


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
    names = "abcdefghij"
    for inside in (False, True):
        builder = Builder()
        lits = builder.booleans(names)
        first = total(w * x for w, x in zip(weights, lits, strict=True)) <= bound
        statement = (first ^ lits[0]) if inside else first
        builder.add(statement)
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
    first, *others = builder.booleans(range(5000))
    joined: Proposition = first
    for other in others:
        joined |= other
    builder.add(joined)
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
    builder.add(a | pbcnf.Literal(2))
    builder.encode(formula)
    assert list(formula) == [[-2], [2, 4]] or list(formula) == [[-2], [4, 2]]


@pytest.mark.parametrize("transformation", ["tseitin", "plaisted_greenbaum"])
def test_one_more_use_of_a_formula_costs_as_much_however_large_it_is(transformation: str) -> None:
    def literals(width: int, uses: int) -> int:
        builder, formula = Builder(), Formula()
        wide = builder.booleans([f"s{i}" for i in range(width)])
        one, other = (builder.booleans([f"{x}{i}" for i in range(uses)]) for x in "xy")
        large: Proposition = wide[0]
        for each in wide[1:]:
            large = large | each
        for x, y in zip(one, other, strict=True):
            builder.add((large & x) | (~large & y))
        builder.encode(formula, transformation)
        return formula.num_literals

    def of_one_more(width: int) -> int:
        return literals(width, 9) - literals(width, 8)

    assert of_one_more(20) == of_one_more(5)


def test_importing_encode_loads_no_part_of_the_language() -> None:
    child = python("-c", "from pbcnf import encode, Cardinality; import sys; print(*sys.modules)")
    assert "pbcnf.emission.encode" in child.stdout
    assert "pbcnf.language" not in child.stdout
    assert "pysat" not in child.stdout


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda x, n: bool(x <= 1), "has no truth value"),
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
    ],
)
def test_what_is_no_expression_is_refused_in_one_line(wrong, message) -> None:
    builder = Builder()
    with pytest.raises(TypeError, match=message) as caught:
        wrong(builder.boolean("x"), builder.integer("n", 0, 5))
    assert "\n" not in str(caught.value)


def test_names_and_integers_that_cannot_be_are_refused() -> None:
    builder = Builder()
    builder.integer("n", 0, 3)
    builder.boolean("x")
    builder.add(Builder().integer("m", 0, 3) >= 2)
    for error, message, wrong in [
        (ValueError, "the name n is taken", lambda: builder.integer("n", 0, 1)),
        (ValueError, "the name x is taken", lambda: builder.integer("x", 0, 1)),
        (ValueError, "n is an integer", lambda: builder.boolean("n")),
        (ValueError, "m has no value: its domain is empty", lambda: builder.integer("m", 3, 2)),
        (ValueError, "did you mean 'order'", lambda: builder.integer("m", 0, 3, encoding="ordr")),
        (TypeError, "needs a lower and an upper bound", lambda: builder.integer("m", 3)),
        (ValueError, "did you mean 'tseitin'", lambda: builder.formula("tseytin")),
        (EncodingError, "nothing has been encoded yet", lambda: Builder().decode([])),
        (EncodingError, "m belongs to another builder", builder.formula),
    ]:
        with pytest.raises(error, match=message):
            wrong()


def test_a_variable_made_after_the_encoding_is_refused() -> None:
    builder = Builder()
    x = builder.boolean("x")
    encoding = builder.encode(Formula())
    late = builder.boolean("late")
    with pytest.raises(EncodingError, match="variable 2 was made after the encoding"):
        encoding.add(x | late)
