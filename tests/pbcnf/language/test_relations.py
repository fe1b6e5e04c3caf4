"""Relations of integers, large domains, deep formulas, and how many values an encoding takes."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import (
    Builder,
    Formula,
    all_different,
    all_of,
    any_of,
    element,
    exactly_one,
    ite,
    lexicographic,
    maximum,
    minimum,
    table,
    total,
)

ENCODINGS = ["order", "direct", "binary", None]
DOMAINS = {"x": (0, 1, 2), "y": (1, 2, 4), "z": (0, 2, 3)}


def integers(builder, encoding):
    return [builder.integer(n, domain=d, encoding=encoding) for n, d in DOMAINS.items()]


def solutions(of) -> list[tuple[int, ...]]:
    return sorted(each for each in product(*DOMAINS.values()) if of(*each))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (lambda x, y, z: all_different([x, y, z]), lambda x, y, z: len({x, y, z}) == 3),
        (
            lambda x, y, z: ~all_different([x, y + 1, z - 1]),
            lambda x, y, z: len({x, y + 1, z - 1}) < 3,
        ),
        (
            lambda x, y, z: all_different([2 * x, y, z + 1]),
            lambda x, y, z: len({2 * x, y, z + 1}) == 3,
        ),
        (lambda x, y, z: element([4, 2, 0], x) == y, lambda x, y, z: [4, 2, 0][x] == y),
        (lambda x, y, z: element([y, z, 3], x) >= z + 1, lambda x, y, z: [y, z, 3][x] >= z + 1),
        (lambda x, y, z: x.among([0, 2]) ^ z.among([3, 9]), lambda x, y, z: (x != 1) != (z == 3)),
        (lambda x, y, z: ite(x == 1, y, 2 * z) <= 3, lambda x, y, z: (y if x == 1 else 2 * z) <= 3),
        (lambda x, y, z: x * y * z + x <= 5, lambda x, y, z: x * y * z + x <= 5),
        (lambda x, y, z: exactly_one([x < y, y < z, z == 0]), lambda x, y, z: (
            (x < y) + (y < z) + (z == 0) == 1
        )),
        (lambda x, y, z: lexicographic([x], [y, z]), lambda x, y, z: [x] <= [y, z]),
        (lambda x, y, z: lexicographic([x, y], [z]), lambda x, y, z: [x, y] <= [z]),
        (lambda x, y, z: lexicographic([x, y], [x, y, z]), lambda x, y, z: True),
        (lambda x, y, z: ~lexicographic([x, y, z], [z, 2]), lambda x, y, z: [x, y, z] > [z, 2]),
        (lambda x, y, z: lexicographic([x], []) ^ lexicographic([], [y]), lambda x, y, z: True),
        (lambda x, y, z: maximum([x, y - 1, z]) <= 2, lambda x, y, z: max(x, y - 1, z) <= 2),
        (lambda x, y, z: maximum([x, y]) + 2 * z == 6, lambda x, y, z: max(x, y) + 2 * z == 6),
        (lambda x, y, z: minimum([x, 2 * y]) != z, lambda x, y, z: min(x, 2 * y) != z),
        (lambda x, y, z: ~(abs(x - y) >= z), lambda x, y, z: abs(x - y) < z),
        (
            lambda x, y, z: maximum([x, y]) * abs(z - 2) >= minimum([y, z, 3]),
            lambda x, y, z: max(x, y) * abs(z - 2) >= min(y, z, 3),
        ),
        (
            lambda x, y, z: total(abs(x - k) + abs(y - k) for k in range(4)) >= 12 - z,
            lambda x, y, z: sum(abs(x - k) + abs(y - k) for k in range(4)) >= 12 - z,
        ),
        (
            lambda x, y, z: table([x, y - z], [(0, 2), (2, 1), (2, -1), (0, 2), (5, 5)]),
            lambda x, y, z: (x, y - z) in {(0, 2), (2, 1), (2, -1)},
        ),
        (lambda x, y, z: table([x, y], []) ^ (z == 2), lambda x, y, z: z == 2),
        (
            lambda x, y, z: lexicographic([x, y, 2], [z, y, x]) ^ lexicographic([y], [z]),
            lambda x, y, z: ([x, y, 2] <= [z, y, x]) != (y <= z),
        ),
        (lambda x, y, z: element({2: y, 1: 5, 7: x}, x) == 4, lambda x, y, z: (x == 2 and y == 4)),
    ],
)  # fmt: skip
def test_relations_mean_what_python_computes(trees, encoding, said, meant) -> None:
    builder = Builder()
    builder.add(said(*integers(builder, encoding)))
    formula = builder.formula("tseitin")
    assert sorted(trees.models(formula, "xyz", builder)) == solutions(meant)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-2000, 2000), min_size=2, max_size=8, unique=True),
    st.sampled_from(["binary", None]),
    st.integers(-5, 5).filter(bool),
    st.integers(-9000, 9000),
)
def test_integers_of_many_values(ends, encoding, weight, bound) -> None:
    ends = sorted(ends)
    values = [v for a, b in zip(ends[::2], ends[1::2], strict=False) for v in range(a, b + 1)]
    builder = Builder()
    n = builder.integer("n", domain=values, encoding=encoding)
    formula = Formula()
    encoding_made = builder.encode(formula)
    questions = {
        "at least": (weight * n >= bound, [v for v in values if weight * v >= bound]),
        "is": (weight * n == bound, [v for v in values if weight * v == bound]),
        "in a hole": (n == ends[1] + 1, [v for v in values if v == ends[1] + 1]),
    }
    for asked, expected in questions.values():
        lit = encoding_made.literal(asked)
        with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
            assert solver.solve(assumptions=[lit]) == bool(expected)
            if expected:
                assert builder.decode(solver.get_model())["n"] in expected
            assert solver.solve(assumptions=[-lit]) == (len(expected) < len(values))
            if len(expected) < len(values):
                assert builder.decode(solver.get_model())["n"] in set(values) - set(expected)


def test_a_bound_on_a_maximum_takes_no_auxiliary_variable() -> None:
    for above in (True, False):
        builder = Builder()
        *ends, last = builder.integers(range(6), 0, 9)
        builder.add(maximum(ends) <= last if above else minimum(ends) >= last)
        assert builder.formula().num_vars == 6 * 9


def test_values_that_no_row_has_any_more_are_ruled_out_by_propagation() -> None:
    builder = Builder()
    x, y = builder.integers("xy", 0, 3)
    builder.add(table([x, y], [(0, 1), (0, 2), (3, 2), (3, 3)]))
    formula = Formula()
    encoding = builder.encode(formula)
    given = [encoding.literal(y != value) for value in (1, 2)]
    unsupported, supported = (encoding.literal(x == value) for value in (0, 3))
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        sound, implied = solver.propagate(assumptions=given)
    assert sound
    assert -unsupported in implied
    assert -supported not in implied


def test_the_rule_chooses_by_use_and_size() -> None:
    sizes = {}
    for name, (most, said) in {
        "direct": (9, lambda n: n != 3),
        "order": (9, lambda n: 2 * n + n <= 7),
        "binary": (1000, lambda n: 2 * n <= 7),
        "direct sum": (9, lambda n: (n == 3) + (n == 5) == 1),
    }.items():
        builder = Builder()
        n = builder.integer("n", 0, most)
        builder.add(said(n))
        sizes[name] = len(builder.problem().names)
    assert sizes == {"direct": 10, "order": 9, "binary": 10, "direct sum": 10}
    for most, expected in ((15, 3 * 15), (16, 3 * 5)):
        builder = Builder()
        x, y, z = builder.integers("xyz", 0, most)
        builder.add(x + y <= 2 * z, all_different([x, y]))
        assert len(builder.problem().names) == expected


def test_formulas_of_any_depth_are_encoded_and_computed() -> None:
    builder = Builder()
    xs = builder.booleans(range(20))
    deep: Any = xs[0]
    for i in range(20_000):
        x = xs[i % 20]
        deep = (deep & x) if i % 3 == 0 else (deep | ~x) if i % 3 == 1 else ite(x, deep, ~deep)
    builder.add(deep)
    values = {i: bool(i % 7 % 2) for i in range(20)}
    expected: bool = values[0]
    for i in range(20_000):
        true = values[i % 20]
        if i % 3 == 0:
            expected = expected and true
        elif i % 3 == 1:
            expected = expected or not true
        else:
            expected = expected if true else not expected
    assert builder.holds(values) == expected
    formula = builder.formula()
    assumed = [i + 1 if values[i] else -i - 1 for i in range(20)]
    with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
        assert solver.solve(assumptions=assumed) == expected


def test_parts_of_no_members_are_constants() -> None:
    builder = Builder()
    builder.add(all_of([]), ~any_of([]), total([]) <= 0, True)
    assert builder.formula().num_clauses == 0
    builder.add(any_of([]))
    assert list(builder.formula()) == [[]]
    assert not builder.problem().holds(set())


def test_more_said_later_is_encoded_without_what_is_there() -> None:
    builder = Builder()
    a, b, c = builder.booleans("abc")
    shared = (a & b) ^ c
    formula = Formula()
    encoding = builder.encode(formula)
    encoding.add(shared | a)
    variables = formula.num_vars
    encoding.add(shared | b)
    assert formula.num_vars == variables
