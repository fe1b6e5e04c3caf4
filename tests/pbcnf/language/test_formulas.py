"""Formulas of the language mean what Python says they mean, in every transformation."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Builder

TRANSFORMATIONS = ["plaisted_greenbaum", "tseitin"]


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_the_models_are_what_python_computes(trees, transformation) -> None:
    literals = st.sampled_from("abcd")

    @settings(max_examples=150, deadline=None)
    @given(st.lists(trees.propositions(literals), min_size=1, max_size=3))
    def check(drawn) -> None:
        builder = Builder()
        known = dict(zip("abcd", builder.booleans("abcd"), strict=True))
        builder.add(*(trees.built(tree, known) for tree in drawn))
        tseitin = transformation == "tseitin"
        found = trees.models(builder.formula(transformation), "abcd", builder, every_model=tseitin)
        expected = trees.solutions(drawn, dict.fromkeys("abcd", (False, True)))
        assert set(found) == expected
        assert len(found) == len(expected)

    check()
