"""Formulas and integers in any encoding have the solutions that trying every value finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Builder

ENCODINGS = ["order", "direct", "binary", None]
DOMAINS = {"x": (-2, 0, 1, 3), "y": (0, 1, 2, 3), "z": (1, 4)}
VALUES = {"a": (False, True), **DOMAINS}
NAMES = list(VALUES)


def variables(builder, encodings):
    chosen = zip(DOMAINS.items(), encodings, strict=True)
    return {"a": builder.boolean("a")} | {
        name: builder.integer(name, domain=domain, encoding=encoding)
        for (name, domain), encoding in chosen
    }


def check(trees, builder, known, domains, drawn, transformation) -> None:
    builder.add(*(trees.built(tree, known) for tree in drawn))
    tseitin = transformation == "tseitin"
    found = trees.models(builder.formula(transformation), domains, builder, every_model=tseitin)
    expected = trees.solutions(drawn, domains)
    assert set(found) == expected
    assert all(builder.holds(dict(zip(domains, values, strict=True))) for values in expected)
    assert len(found) == len(expected)


def check_integers(trees, drawn, encodings, transformation) -> None:
    builder = Builder()
    known = variables(builder, encodings)
    check(trees, builder, known, VALUES, drawn, transformation)


NUMBERS = st.integers(-4, 4)
COMPARISONS = st.sampled_from(["<=", ">=", "<", ">", "==", "!="])
ANY = st.tuples(*[st.sampled_from(ENCODINGS)] * 3)


@pytest.mark.parametrize("transformation", ["plaisted_greenbaum", "tseitin"])
def test_formulas_of_booleans(trees, transformation) -> None:
    drawn_formulas = st.lists(trees.propositions(st.sampled_from("abcd")), min_size=1, max_size=3)

    @settings(max_examples=150, deadline=None)
    @given(drawn_formulas)
    def property_holds(drawn) -> None:
        builder = Builder()
        known = dict(zip("abcd", builder.booleans("abcd"), strict=True))
        check(trees, builder, known, dict.fromkeys("abcd", (False, True)), drawn, transformation)

    property_holds()


@pytest.mark.parametrize("transformation", ["plaisted_greenbaum", "tseitin"])
def test_bounds_on_sums_of_integers_and_booleans(trees, transformation) -> None:
    compared = st.tuples(COMPARISONS, trees.sums(st.sampled_from(NAMES)), NUMBERS)

    @settings(max_examples=100, deadline=None)
    @given(st.lists(compared, min_size=1, max_size=2), ANY)
    def property_holds(drawn, encodings) -> None:
        check_integers(trees, drawn, encodings, transformation)

    property_holds()


@pytest.mark.parametrize("transformation", ["plaisted_greenbaum", "tseitin"])
def test_formulas_of_comparisons_of_one_and_two_integers(trees, transformation) -> None:
    integer = st.sampled_from(list(DOMAINS))
    shifted = st.one_of(integer, st.tuples(st.just("*"), integer, st.sampled_from([-2, -1, 3])))
    compared = st.tuples(COMPARISONS, shifted, st.one_of(NUMBERS, shifted))
    atoms = st.one_of(compared, st.just("a"))
    pairs = st.tuples(st.sampled_from(["&", "|", "^", ">>", "iff"]), atoms, atoms)

    @settings(max_examples=120, deadline=None)
    @given(st.lists(st.one_of(compared, pairs), min_size=1, max_size=2), ANY)
    def property_holds(drawn, encodings) -> None:
        check_integers(trees, drawn, encodings, transformation)

    property_holds()


def test_products_of_integers_and_booleans(trees) -> None:
    factor = st.sampled_from(NAMES)
    product = st.tuples(st.just("*"), factor, factor)
    compared = st.tuples(COMPARISONS, trees.sums(st.one_of(product, factor)), NUMBERS)

    @settings(max_examples=80, deadline=None)
    @given(compared, ANY, st.sampled_from(["plaisted_greenbaum", "tseitin"]))
    def property_holds(drawn, encodings, transformation) -> None:
        check_integers(trees, [drawn], encodings, transformation)

    property_holds()
