"""Formulas in the audit: every transformation is right, and a wrong one is found out."""

from itertools import product

import pytest
from pysat.solvers import Solver

from pbcnf import Builder, Formula
from pbcnf.audit import (
    TRANSFORMATIONS,
    FormulaOf,
    Kind,
    Property,
    audit,
    audit_encoder,
    every_formula,
)
from pbcnf.language import transformation as transformations
from pbcnf.language.expressions import Literal


def test_both_transformations_are_right_and_tseitin_keeps_the_number_of_models():
    tseitin, one_way = (audit_encoder(name, 4) for name in ("tseitin", "plaisted_greenbaum"))
    for found in (tseitin, one_way):
        assert found.breaches() == []
        [row] = found.rows()
        assert (row.kind, row.holds(Property.CORRECT)) == (Kind.FORMULA, True)
    assert tseitin.rows()[0].holds(Property.PARSIMONIOUS)
    assert not one_way.rows()[0].holds(Property.PARSIMONIOUS)


def test_formulas_of_all_kinds_are_examined():
    texts = [str(formula) for formula in every_formula(4)]
    assert len(texts) > 500
    for word in ("ite(", " ^ ", " & ", " | ", " <= ", " == ", "2*"):
        assert sum(word in text for text in texts) > 20, word
    assert {formula.n for formula in every_formula(8)} == {2, 3, 4}


@pytest.mark.parametrize("name", [*TRANSFORMATIONS])
def test_a_definition_that_is_left_out_is_found(name, monkeypatch):
    def nothing(self, ref, lit, polarity):
        """Define no gate."""

    monkeypatch.setattr(transformations.Transformer, "_define", nothing)
    x, y, z = map(Literal, (1, 2, 3))
    case = audit(name, FormulaOf(3, (x & y) ^ (y & z)))
    assert next(prop for prop, _ in case.breaches()) is Property.CORRECT


def test_formulas_have_the_models_of_their_text_in_python():
    """What has no negation and no ite is read by Python as it stands."""
    read = 0
    for formula in every_formula(3):
        text = str(formula)
        if "~" in text or "ite" in text:
            continue
        names = [f"x{i}" for i in range(1, formula.n + 1)]
        every = [dict(zip(names, v, strict=True)) for v in product((0, 1), repeat=formula.n)]
        builder, clauses = Builder(), Formula()
        builder.booleans(names)
        builder.add(formula.proposition)
        builder.encode(clauses, "tseitin")
        with Solver("minisat22", bootstrap_with=clauses) as solver:
            for values in every:
                fixed = [i if value else -i for i, value in enumerate(values.values(), start=1)]
                assert solver.solve(assumptions=fixed) == bool(eval(text, {}, values)), text
        read += 1
    assert read >= 20
