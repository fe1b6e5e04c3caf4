"""Terms of SMT-LIB and formulas of pysmt, of Bools and bounded Ints: against plain evaluation."""

import io
import re
from functools import reduce
from itertools import combinations, pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import (
    Builder,
    EncodingError,
    FormatError,
    Formula,
    all_different,
    all_of,
    any_of,
    element,
    encode_problem,
    from_pysmt,
    ite,
    to_pysmt,
    total,
    xor,
)
from pbcnf.formats.smtlib.script import read_smtlib
from pbcnf.language.expressions import proposition

smt = pytest.importorskip("pysmt.shortcuts")
sorts = pytest.importorskip("pysmt.typing")

DOMAINS = {"a": (0, 1), "b": (0, 1), "x": (0, 1), "y": (-1, 2), "z": (3, 5)}
BOOLS = ("a", "b")
DECLARED = "".join(
    f"(declare-const {name} {'Bool' if name in BOOLS else 'Int'})" for name in DOMAINS
) + "".join(f"(assert (<= (- {-lo}) {n} {hi}))" if lo < 0 else f"(assert (<= {lo} {n} {hi}))"
            for n, (lo, hi) in DOMAINS.items() if n not in BOOLS)  # fmt: skip


def chained(compare):
    return lambda *parts: all(compare(p, q) for p, q in pairwise(parts))


def implied(*parts):
    return parts[0] if len(parts) == 1 else not parts[0] or implied(*parts[1:])


MEANS = {
    "and": lambda *p: all(p), "or": lambda *p: any(p), "not": lambda p: not p,
    "xor": lambda *p: sum(p) % 2 == 1, "=>": implied, "ite": lambda c, p, q: p if c else q,
    "+": lambda *p: sum(p), "-": lambda p, *q: p - sum(q) if q else -p, "*": lambda p, q: p * q,
    "=": chained(lambda p, q: p == q), "<=": chained(lambda p, q: p <= q),
    "<": chained(lambda p, q: p < q), ">=": chained(lambda p, q: p >= q),
    ">": chained(lambda p, q: p > q), "distinct": lambda *p: len(set(p)) == len(p),
}  # fmt: skip


def value(term, names):
    if isinstance(term, tuple):
        return MEANS[term[0]](*(value(part, names) for part in term[1:]))
    return names.get(term, term)


def text(term):
    if isinstance(term, tuple):
        return f"({' '.join(map(text, term))})"
    if isinstance(term, bool):
        return str(term).lower()
    return f"(- {-term})" if isinstance(term, int) and term < 0 else str(term)


def terms(depth):
    def made(*shapes):
        pairs = (st.tuples(st.sampled_from(words.split()), parts) for words, parts in shapes)
        return st.one_of(*pairs).map(lambda t: (t[0], *t[1]))

    bools = st.sampled_from([*BOOLS, True, False])
    ints = st.sampled_from(["x", "y", "z", "x", "y", -2, 0, 1, 3])
    for _ in range(depth):
        b, i = bools, ints
        some_b, some_i = st.lists(b, min_size=2, max_size=3), st.lists(i, min_size=2, max_size=3)
        bools |= made(
            ("and or xor => =", some_b), ("= <= < >= > distinct", some_i),
            ("ite", st.tuples(b, b, b)), ("not", st.tuples(b)),
        )  # fmt: skip
        ints |= made(
            ("+", some_i), ("-", st.lists(i, min_size=1, max_size=3)), ("*", st.tuples(i, i)),
            ("ite", st.tuples(b, i, i)),
        )  # fmt: skip
    return bools


def assignments():
    for values in product(*(range(lo, hi + 1) for lo, hi in DOMAINS.values())):
        yield {n: bool(v) if n in BOOLS else v for n, v in zip(DOMAINS, values, strict=True)}


def fixed(problem, names):
    """The literals that say what the names are; None if y or z cannot have such a value."""
    lits = []
    for var, name in problem.names.items():
        base, sign, number = re.fullmatch(r"(\w+?)(>=|=|)(-?\d*)", name).groups()
        if sign == "":
            true = names[base]
        else:
            true = names[base] >= int(number) if sign == ">=" else names[base] == int(number)
        lits.append(var if true else -var)
    has = {name: each.value(set(lits)) for name, each in problem.integers.items()}
    return lits if all(names[name] == each for name, each in has.items()) else None


def read(script):
    return read_smtlib(io.BytesIO(script.encode()), "p.smt2")


def found(problem):
    """For each assignment a model that extends it, or None."""
    formula = Formula(problem.num_vars)
    list(encode_problem(problem.constraints, formula))
    with Solver("minisat22", bootstrap_with=formula) as solver:
        for names in assignments():
            lits = fixed(problem, names)
            extends = lits is not None and solver.solve(assumptions=lits)
            yield set(solver.get_model()) if extends else None


def satisfied(problem):
    return [model is not None for model in found(problem)]


@settings(max_examples=150, deadline=None)
@given(st.lists(terms(3), min_size=1, max_size=2))
def test_scripts_mean_what_plain_evaluation_says(asserted):
    script = DECLARED + "".join(f"(assert (or {text(term)} false))" for term in asserted)
    assert satisfied(read(script)) == [
        all(value(term, names) for term in asserted) for names in assignments()
    ]


@settings(max_examples=60, deadline=None)
@given(terms(2))
def test_definitions_and_lets_mean_what_stands_in_them(term):
    inner = f"(or {text(term)} false)"
    plain = read(DECLARED + f"(assert {inner})")
    defined = f"(define-fun f ((p Bool) (y Int)) Bool (and p (= y y) {inner}))(assert (f true y))"
    bound = f"(assert (let ((p {inner}) (q true)) (let ((p (and p q))) (! (or p p) :named r))))"
    for other in (defined, bound):
        assert satisfied(read(DECLARED + other)) == satisfied(plain)


@pytest.mark.parametrize(
    ("aims", "cost"),
    [("(minimize (+ x (* 2 y)))", lambda n: n["x"] + 2 * n["y"]),
     ("(maximize (- z (ite a 3 0)))", lambda n: n["z"] - 3 * n["a"]),
     ("(assert-soft (or a (> y 1)) :weight 4 :id g)(assert-soft (= x 1) :id g)",
      lambda n: 4 * (not (n["a"] or n["y"] > 1)) + (n["x"] != 1))],
)  # fmt: skip
def test_objectives_are_kept(aims, cost):
    problem = read(DECLARED + "(assert (xor a b))" + aims)
    assert problem.objective is not None
    for names, model in zip(assignments(), found(problem), strict=True):
        assert (model is None) == (names["a"] == names["b"])
        assert model is None or problem.objective.value(model) == cost(names)


OURS: dict[str, Any] = {
    "and": lambda *p: all_of(p), "or": lambda *p: any_of(p), "not": lambda p: ~proposition(p),
    "xor": lambda *p: xor(p), "ite": lambda c, p, q: ite(c, p, q),
    "=>": lambda *p: reduce(lambda right, left: ~proposition(left) | right, reversed(p)),
    "+": lambda *p: total(p), "-": lambda p, *q: p - total(q) if q else 0 - p,
    "*": lambda p, q: p * q, "=": lambda *p: all_of([a == b for a, b in pairwise(p)]),
    "<=": lambda *p: all_of([a <= b for a, b in pairwise(p)]),
    "<": lambda *p: all_of([a < b for a, b in pairwise(p)]),
    ">=": lambda *p: all_of([a >= b for a, b in pairwise(p)]),
    ">": lambda *p: all_of([a > b for a, b in pairwise(p)]),
    "distinct": lambda *p: all_of([a != b for a, b in combinations(p, 2)]),
}  # fmt: skip


def ours(term, symbols):
    if isinstance(term, tuple):
        return OURS[term[0]](*(ours(part, symbols) for part in term[1:]))
    return symbols.get(term, term)


@settings(max_examples=100, deadline=None)
@given(terms(3))
def test_formulas_of_pysmt_come_and_go(term):
    builder = Builder()
    symbols: dict[str, Any] = {name: builder.boolean(name) for name in BOOLS}
    symbols["x"] = builder.integer("x", 0, 1)
    symbols["y"], symbols["z"] = builder.integer("y", -1, 2), builder.integer("z", 3, 5)
    builder.add(ours(term, symbols))
    again = Builder()
    again.add(from_pysmt(to_pysmt(builder), again))
    for names in assignments():
        assert builder.holds(names) == bool(value(term, names))
        assert again.holds({**names, "x": bool(names["x"])}) == bool(value(term, names))


def test_nothing_of_another_library_leaks():
    with pytest.raises(FormatError) as caught:
        read("(declare-const a Bool)(assert (= a 1 2))")
    assert str(caught.value) == (
        "p.smt2:1:31: '(= a 1 2)' is not read: it compares two terms of one sort or more"
    )


VALUES = {"p": (False, True), "q": (False, True), "m": (-1, 0, 1, 2), "n": (0, 1, 2, 3)}
TYPES = {"p": sorts.BOOL, "q": sorts.BOOL, "m": sorts.INT, "n": sorts.INT}
ASSIGNMENTS = [dict(zip(VALUES, each, strict=True)) for each in product(*VALUES.values())]


def symbol(name):
    return smt.Symbol(name, TYPES[name])


def simplified(formula, values):
    constant = {
        symbol(name): smt.Bool(each) if TYPES[name] is sorts.BOOL else smt.Int(each)
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
        assert builder.holds(values) == simplified(formula, values)


def test_bounds_are_found_on_top_of_the_formula() -> None:
    m, n = symbol("m"), symbol("n")
    builder = Builder()
    bounds = [smt.LE(smt.Int(2), m), smt.LT(m, smt.Int(7)), smt.Equals(n, smt.Int(4))]
    from_pysmt(smt.And(smt.And(bounds[:2]), bounds[2], smt.LE(m, smt.Int(9))), builder)
    assert [list(each.domain) for each in builder.integer_variables()] == [[2, 3, 4, 5, 6], [4]]


@pytest.mark.parametrize(
    ("formula", "message"),
    [(smt.LE(symbol("n"), smt.Int(3)), "n is an integer without two asserted bounds"),
     (smt.Plus(smt.Int(1), smt.Int(2)), r"\(1 \+ 2\) is a number"),
     (smt.LE(smt.Symbol("r", sorts.REAL), smt.Real(3)),
      "r is not read: only Booleans and integers"),
     (smt.ForAll([symbol("p")], symbol("p")), "forall p . p.* only Booleans and sums of integers"),
     *((given, "a formula of pysmt is read, not ") for given in (None, "a", 3))],
)  # fmt: skip
def test_what_is_not_read_is_refused_in_one_line(formula, message) -> None:
    with pytest.raises(EncodingError, match=message) as caught:
        from_pysmt(formula, Builder())
    assert "\n" not in str(caught.value)


def test_functions_and_quotients_of_pysmt_are_converted() -> None:
    m, n = symbol("m"), symbol("n")
    given = smt.Symbol("given", sorts.FunctionType(sorts.BOOL, [sorts.INT]))
    bounds = [smt.LE(smt.Int(-1), m), smt.LE(m, smt.Int(2)), smt.LE(smt.Int(1), n), n <= 3]
    said = [smt.Equals(smt.Div(m, n), smt.Int(-1)), smt.Function(given, [m])]
    builder = Builder()
    builder.add(from_pysmt(smt.And(*bounds, *said, smt.Not(smt.Function(given, [n]))), builder))
    with Solver("minisat22", bootstrap_with=builder.formula()) as solver:
        values = [builder.decode(model) for model in solver.enum_models()]
    assert {(each["m"], each["n"]) for each in values} == {(-1, 1), (-1, 2), (-1, 3)}
