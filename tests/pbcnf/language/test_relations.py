"""Formulas, integers and their relations have the solutions that trying every value finds."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import Builder, Formula
from pbcnf.language.connectives import (
    all_of,
    any_of,
    at_most_one,
    exactly_one,
    ite,
    maximum,
    minimum,
    total,
)
from pbcnf.language.relations import all_different, element, lexicographic, table
from tests.statements import COMPARISONS, NUMBERS, built, models, propositions, solutions, sums

ENCODINGS = ["order", "direct", "binary", None]
DOMAINS = {"x": (-2, 0, 1, 3), "y": (0, 1, 2, 3), "z": (1, 4)}
VALUES = {"a": (False, True), **DOMAINS}
NAMES = list(VALUES)


def check(drawn, encodings, transformation) -> None:
    builder = Builder()
    known = {"a": builder.boolean("a")} | {
        name: builder.integer(name, domain=domain, encoding=encoding)
        for (name, domain), encoding in zip(DOMAINS.items(), encodings, strict=True)
    }
    check_built(builder, known, VALUES, drawn, transformation)


def check_built(builder, known, domains, drawn, transformation) -> None:
    builder.add(*(built(tree, known) for tree in drawn))
    tseitin = transformation == "tseitin"
    found = models(builder.formula(transformation), domains, builder, every_model=tseitin)
    expected = solutions(drawn, domains)
    assert set(found) == expected
    assert all(builder.holds(dict(zip(domains, values, strict=True))) for values in expected)
    assert len(found) == len(expected)


ANY = st.tuples(*[st.sampled_from(ENCODINGS)] * 3)
OPERAND, INTEGER = st.sampled_from(NAMES), st.sampled_from(list(DOMAINS))
SUM_COMPARED = st.tuples(COMPARISONS, sums(OPERAND), NUMBERS)
SHIFTED = INTEGER | st.tuples(st.just("*"), INTEGER, st.sampled_from([-2, -1, 3]))
COMPARED = st.tuples(COMPARISONS, SHIFTED, NUMBERS | SHIFTED)
ATOMS = COMPARED | st.just("a")
PAIRS = st.tuples(st.sampled_from(["&", "|", "^", ">>", "iff"]), ATOMS, ATOMS)
PRODUCTS = st.tuples(st.just("*"), OPERAND, OPERAND)
TRANSFORMATIONS = ["plaisted_greenbaum", "tseitin"]
BOTH = pytest.mark.parametrize("transformation", TRANSFORMATIONS)


@BOTH
@settings(max_examples=150, deadline=None)
@given(drawn=st.lists(propositions(st.sampled_from("abcd")), min_size=1, max_size=3))
def test_formulas_of_booleans(transformation, drawn) -> None:
    builder = Builder()
    known = dict(zip("abcd", builder.booleans("abcd"), strict=True))
    check_built(builder, known, dict.fromkeys("abcd", (False, True)), drawn, transformation)


@BOTH
@settings(max_examples=100, deadline=None)
@given(drawn=st.lists(SUM_COMPARED, min_size=1, max_size=2), encodings=ANY)
def test_bounds_on_sums_of_integers_and_booleans(transformation, drawn, encodings) -> None:
    check(drawn, encodings, transformation)


@BOTH
@settings(max_examples=120, deadline=None)
@given(drawn=st.lists(COMPARED | PAIRS, min_size=1, max_size=2), encodings=ANY)
def test_formulas_of_comparisons_of_one_and_two_integers(transformation, drawn, encodings) -> None:
    check(drawn, encodings, transformation)


@settings(max_examples=80, deadline=None)
@given(
    st.tuples(COMPARISONS, sums(PRODUCTS | OPERAND), NUMBERS), ANY, st.sampled_from(TRANSFORMATIONS)
)
def test_products_of_integers_and_booleans(drawn, encodings, transformation) -> None:
    check([drawn], encodings, transformation)


THREE = {"x": (0, 1, 2), "y": (1, 2, 4), "z": (0, 2, 3)}
RELATIONS = """
all_different([x, y, z])
not_(all_different([x, y + 1, z - 1]))
all_different([2 * x, y, z + 1])
element([4, 2, 0], x) == y
element([y, z, 3], x) >= z + 1
element({2: y, 1: 5, 7: x}, x) == 4
among(x, [0, 2]) ^ among(z, [3, 9])
ite(x == 1, y, 2 * z) <= 3
x * y * z + x <= 5
exactly_one([x < y, y < z, z == 0])
lexicographic([x], [y, z])
lexicographic([x, y], [z])
lexicographic([x, y], [x, y, z])
not_(lexicographic([x, y, z], [z, 2]))
lexicographic([x], []) ^ lexicographic([], [y])
lexicographic([x, y, 2], [z, y, x]) ^ lexicographic([y], [z])
maximum([x, y - 1, z]) <= 2
maximum([x, y]) + 2 * z == 6
minimum([x, 2 * y]) != z
not_(abs(x - y) >= z)
maximum([x, y]) * abs(z - 2) >= minimum([y, z, 3])
total(abs(x - k) + abs(y - k) for k in range(4)) >= 12 - z
table([x, y - z], [(0, 2), (2, 1), (2, -1), (0, 2), (5, 5)])
table([x, y], []) ^ (z == 2)
""".strip().splitlines()
SAID: dict[str, Any] = {
    "all_different": all_different, "element": element, "ite": ite, "exactly_one": exactly_one,
    "lexicographic": lexicographic, "maximum": maximum, "minimum": minimum, "total": total,
    "table": table, "not_": lambda p: ~p, "among": lambda x, values: x.among(values),
}  # fmt: skip
MEANT: dict[str, Any] = {
    "all_different": lambda values: len(set(values)) == len(values),
    "element": lambda table, at: table[at] if isinstance(table, list) else table.get(at, 0),
    "ite": lambda condition, yes, no: yes if condition else no,
    "exactly_one": lambda parts: sum(parts) == 1, "lexicographic": lambda a, b: a <= b,
    "maximum": max, "minimum": min, "total": sum, "table": lambda row, rows: tuple(row) in rows,
    "not_": lambda p: not p, "among": lambda x, values: x in values,
}  # fmt: skip
"""What the words of `RELATIONS` mean for numbers of Python."""


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", RELATIONS)
def test_relations_mean_what_python_computes(encoding, text) -> None:
    builder = Builder()
    known = {n: builder.integer(n, domain=d, encoding=encoding) for n, d in THREE.items()}
    builder.add(eval(text, SAID | known))
    every = product(*THREE.values())
    expected = [v for v in every if eval(text, MEANT | dict(zip(THREE, v, strict=True)))]
    assert sorted(models(builder.formula("tseitin"), "xyz", builder)) == sorted(expected)


ENTRY = INTEGER | st.integers(0, 4)
COVER = st.lists(st.tuples(st.integers(-1, 4), ENTRY), min_size=1, max_size=3)


@BOTH
@settings(max_examples=150, deadline=None)
@given(
    entries=st.lists(ENTRY, min_size=1, max_size=5),
    cover=COVER,
    closed=st.booleans(),
    within=st.sampled_from(["alone", "or", "xor"]),
    encodings=ANY,
)
def test_how_often_each_value_occurs(transformation, entries, cover, closed, within, encodings):
    """Entries, values and counts may repeat, be constants, and be counted themselves.

    Solvers with a constraint of their own for it lost solutions over each of these.
    """
    builder = Builder()
    known: dict[Any, Any] = {"a": builder.boolean("a")}
    for (name, domain), encoding in zip(DOMAINS.items(), encodings, strict=True):
        known[name] = builder.integer(name, domain=domain, encoding=encoding)
    listed = [known.get(entry, entry) for entry in entries]
    stated = [total(x == v for x in listed) == known.get(often, often) for v, often in cover]
    if closed:
        stated += [any_of(x == v for v, _ in cover) for x in listed]
    whole = all_of(stated)
    said = {"alone": whole, "or": known["a"] | whole, "xor": known["a"] ^ whole}
    builder.add(said[within])

    def meant(values) -> bool:
        listed = [values.get(entry, entry) for entry in entries]
        found = all(listed.count(v) == values.get(often, often) for v, often in cover)
        found = found and (not closed or {*listed} <= {v for v, _ in cover})
        return bool(
            {"alone": found, "or": values["a"] or found, "xor": values["a"] != found}[within]
        )

    every = [dict(zip(VALUES, row, strict=True)) for row in product(*VALUES.values())]
    tseitin = transformation == "tseitin"
    found = models(builder.formula(transformation), VALUES, builder, every_model=tseitin)
    assert sorted(found) == [tuple(values.values()) for values in every if meant(values)]


@BOTH
@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_none_or_all_gains_no_solution(transformation, negated, size) -> None:
    """A translation to CNF that encodes the sum outside of the "or" has others as well."""
    builder = Builder()
    x = builder.booleans(f"x{i}" for i in range(size))
    whole = (total(x) == 0) | all_of(x)
    builder.add(~whole if negated else whole)
    tseitin = transformation == "tseitin"
    found = models(builder.formula(transformation), [*map(str, x)], builder, every_model=tseitin)
    expected = [bits for bits in product((0, 1), repeat=size) if (len({*bits}) == 1) != negated]
    assert sorted(found) == expected


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
    for asked, expected in (
        (weight * n >= bound, {v for v in values if weight * v >= bound}),
        (weight * n == bound, {v for v in values if weight * v == bound}),
        # In a hole, unless the next range begins there.
        (n == ends[1] + 1, {v for v in values if v == ends[1] + 1}),
    ):
        lit = encoding_made.literal(asked)
        with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
            for assumed, possible in ((lit, expected), (-lit, {*values} - expected)):
                assert solver.solve(assumptions=[assumed]) == bool(possible)
                assert not possible or builder.decode(solver.get_model())["n"] in possible


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
    builder = Builder()
    n = builder.integer("n", 0, 9)
    builder.add(n != 3)
    builder.minimise(n)
    assert len(builder.problem().names) == 9
    for most, expected in ((15, 3 * 15), (16, 3 * 5)):
        builder = Builder()
        x, y, z = builder.integers("xyz", 0, most)
        builder.add(x + y <= 2 * z, all_different([x, y]))
        assert len(builder.problem().names) == expected


def test_groups_make_sums_smaller_inside_a_conjunction_too() -> None:
    def clauses(said: Callable[..., list[Any]]) -> int:
        builder = Builder()
        xs = builder.booleans(range(9))
        groups = all_of([at_most_one(xs[at : at + 3]) for at in (0, 3, 6)])
        builder.add(
            *said(groups, total(w * x for w, x in zip([3, 5, 8] * 3, xs, strict=True)) <= 14)
        )
        return builder.formula().num_clauses

    apart = clauses(lambda groups, _: [groups]) + clauses(lambda _, weighted: [weighted])
    assert clauses(lambda *both: [*both]) == clauses(lambda *both: [all_of(both)]) < apart


def test_formulas_of_any_depth_are_encoded_and_computed() -> None:
    builder = Builder()
    xs = builder.booleans(range(20))
    deep: Any = xs[0]
    values = {i: bool(i % 7 % 2) for i in range(20)}
    expected = values[0]
    for i in range(20_000):
        x, true = xs[i % 20], values[i % 20]
        deep = (deep & x) if i % 3 == 0 else (deep | ~x) if i % 3 == 1 else ite(x, deep, ~deep)
        computed = expected and true, expected or not true, expected == true
        expected = computed[i % 3]
    builder.add(deep)
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
