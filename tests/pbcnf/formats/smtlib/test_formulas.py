"""Formulas of pysmt: pysmt's own simplifier is the oracle, in both directions."""

from itertools import product

import pytest

from pbcnf import Builder, EncodingError, all_different, element, from_pysmt, to_pysmt

pytest.importorskip("pysmt")

from pysmt import shortcuts as smt
from pysmt.typing import BOOL, INT, REAL, FunctionType

VALUES = {"p": (False, True), "q": (False, True), "m": (-1, 0, 1, 2), "n": (0, 1, 2, 3)}
TYPES = {"p": BOOL, "q": BOOL, "m": INT, "n": INT}
ASSIGNMENTS = [dict(zip(VALUES, each, strict=True)) for each in product(*VALUES.values())]


def symbol(name):
    return smt.Symbol(name, TYPES[name])


def value(formula, values):
    constant = {
        symbol(name): smt.Bool(each) if TYPES[name] is BOOL else smt.Int(each)
        for name, each in values.items()
    }
    return formula.substitute(constant).simplify().constant_value()


def test_relations_of_integers_and_products_are_written() -> None:
    builder = Builder()
    p = builder.boolean("p")
    builder.boolean("q")
    m = builder.integer("m", domain=[-1, 1, 2])
    n = builder.integer("n", 0, 3)
    builder.add(all_different([m, n]), element([3, 1, 2, 2], n) + m * p <= 3, (p ^ (m == 2)) | p)
    formula = to_pysmt(builder)
    for values in ASSIGNMENTS:
        assert builder.holds(values) == value(formula, values)


def test_bounds_are_found_on_top_of_the_formula() -> None:
    m, n = symbol("m"), symbol("n")
    builder = Builder()
    bounds = [smt.LE(smt.Int(2), m), smt.LT(m, smt.Int(7)), smt.Equals(n, smt.Int(4))]
    from_pysmt(smt.And(smt.And(bounds[:2]), bounds[2], smt.LE(m, smt.Int(9))), builder)
    assert [list(each.domain) for each in builder.integer_variables()] == [[2, 3, 4, 5, 6], [4]]


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (smt.LE(smt.Symbol("n", INT), smt.Int(3)), "n is an integer without two asserted bounds"),
        (smt.LE(smt.Symbol("r", REAL), smt.Real(3)), "r is not read: only Booleans and integers"),
        (smt.Plus(smt.Int(1), smt.Int(2)), r"\(1 \+ 2\) is a number"),
        (
            smt.ForAll([smt.Symbol("p")], smt.Symbol("p")),
            "forall p . p.* is not read: only Booleans and sums of integers",
        ),
    ],
)
def test_what_is_not_read_is_refused_in_one_line(formula, message) -> None:
    with pytest.raises(EncodingError, match=message) as caught:
        from_pysmt(formula, Builder())
    assert "\n" not in str(caught.value)


def test_functions_and_quotients_of_pysmt_are_converted() -> None:
    m, n = symbol("m"), symbol("n")
    given = smt.Symbol("given", FunctionType(BOOL, [INT]))
    bounds = [smt.LE(smt.Int(-1), m), smt.LE(m, smt.Int(2)), smt.LE(smt.Int(1), n), n <= 3]
    said = [smt.Equals(smt.Div(m, n), smt.Int(-1)), smt.Function(given, [m])]
    builder = Builder()
    builder.add(from_pysmt(smt.And(*bounds, *said, smt.Not(smt.Function(given, [n]))), builder))
    found = set()
    solvers = pytest.importorskip("pysat.solvers")
    with solvers.Solver("minisat22", bootstrap_with=builder.formula()) as solver:
        for model in solver.enum_models():
            values = builder.decode(model)
            found.add((values["m"], values["n"]))
    assert found == {(-1, 1), (-1, 2), (-1, 3)}


@pytest.mark.parametrize("given", [None, "a", 3])
def test_what_is_no_formula_is_refused(given) -> None:
    with pytest.raises(EncodingError, match="a formula of pysmt is read, not "):
        from_pysmt(given, Builder())
