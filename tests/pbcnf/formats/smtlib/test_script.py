"""SMT-LIB read, written and read back, against plain arithmetic and z3."""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import accumulate, permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pysat.solvers import Solver

from pbcnf import (
    Cardinality,
    Choices,
    Formula,
    Objective,
    Parity,
    Problem,
    PseudoBoolean,
    encode_problem,
)
from pbcnf.formats.names import legal_names
from pbcnf.formats.smtlib import term_reader
from pbcnf.formats.smtlib.script import LOGICS, read_smtlib, write_smtlib, xor_term
from tests.problem_files import models_of
from tests.problem_files import random_instance as make_instance
from tests.problem_files import read as read_with

pytest.importorskip("pysmt")
read = partial(read_with, name="p.smt2", reader=read_smtlib)


def answers(problem: Problem, names: list[str]) -> Iterator[tuple[tuple[int, ...], set[int]]]:
    """All values of these names, and a model with each."""
    formula = Formula(problem.num_vars)
    list(encode_problem(problem.constraints, formula))
    integers, of = problem.integers, {name: var for var, name in problem.variables()}
    lits = [integers[name].lits if name in integers else [of[name]] for name in names]
    own = {abs(lit) for each in lits for lit in each}
    with Solver("minisat22", bootstrap_with=formula) as solver:
        while solver.solve():
            true = set(solver.get_model())
            true |= {-var for var in range(1, problem.num_vars + 1) if var not in true}
            values = (integers[n].value(true) if n in integers else of[n] in true for n in names)
            yield tuple(map(int, values)), true
            solver.add_clause([-var if var in true else var for var in own])


def solutions(problem: Problem, names: list[str]) -> set[tuple[int, ...]]:
    return {values for values, _ in answers(problem, names)}


@pytest.mark.parametrize("divisor", [-5, -2, -1, 1, 2, 3, 7, 20])
def test_div_and_mod_are_those_of_smtlib(divisor: int) -> None:
    written = str(divisor) if divisor > 0 else f"(- {-divisor})"
    problem = read(
        "(declare-const x Int)(declare-const q Int)(declare-const r Int)(assert (<= (- 7) x 9))"
        f"(assert (= q (div x {written})))(assert (= r (mod x {written})))"
    )
    # x = divisor * q + r, and 0 <= r < abs(divisor).
    assert solutions(problem, ["x", "q", "r"]) == {
        (x, (x - x % abs(divisor)) // divisor, x % abs(divisor)) for x in range(-7, 10)
    }


def test_a_positive_variable_divides_and_products_are_bounded() -> None:
    declared = "".join(f"(declare-const {name} Int)" for name in "xyz")
    said = "(assert (and (<= (- 5) x 5) (<= 1 y 4)))(assert (= z (+ (div x y) (* x (abs x)))))"
    problem = read(declared + said)
    pairs = product(range(-5, 6), range(1, 5))
    assert solutions(problem, ["x", "y", "z"]) == {(x, y, x // y + x * abs(x)) for x, y in pairs}
    # Each end of a product is that of other ends of its factors.
    for xs, ys in ((range(-2, 4), range(-4, 2)), (range(-3, 3), range(-1, 5))):
        said = f"(<= (- {-xs[0]}) x {xs[-1]}) (<= (- {-ys[0]}) y {ys[-1]}) (= z (* x y))"
        problem = read(f"{declared}(assert (and {said}))")
        assert solutions(problem, ["x", "y", "z"]) == {(x, y, x * y) for x, y in product(xs, ys)}
    # Integers that nothing is said of have some value.
    problem = read("(declare-const x Int)(declare-const y Int)(assert (> y 4))")
    assert solutions(problem, ["x", "y"]) == {(0, 5)}


@pytest.mark.parametrize(
    ("bounds", "values"),
    [("(and (< 2 x) (not (>= x 6)))", {3, 4, 5}), ("(and (<= 7 x 5) b)", set()),
     ("(or (= x 1) (= x (- 2)) (and (< 4 x) (<= x 6)))", {-2, 1, 5, 6}),
     ("(=> true (<= 3 (* 2 x) 9))", {2, 3, 4}), ("(ite b (<= 0 x 1) (= x 3))", {0, 1, 3}),
     ("(= x (ite b 4 (mod y 2)))", {0, 1, 4}), ("(= (* 3 x) (+ y 1))", {1}),
     ("(and (<= y x) (<= x (+ y 1)))", {0, 1, 2, 3, 4}), ("(= (+ x y) 1)", {-2, -1, 0, 1})],
)  # fmt: skip
def test_bounds_are_found_wherever_they_stand(bounds: str, values: set[int]) -> None:
    problem = read(
        "(declare-const x Int)(declare-const y Int)(declare-const b Bool)"
        f"(assert (<= 0 y 3))(assert {bounds})"
    )
    assert {x for (x,) in solutions(problem, ["x"])} == values


AB = "(declare-const a Bool)(declare-const b Bool)"
XY = "(declare-fun x () Int)(declare-const y Int)(assert (and (>= x 0) (< x 2) (<= 0 y) (>= 1 y)))"
LINES = (Path(__file__).parents[3] / "data" / "smtlib.txt").read_text("utf-8").splitlines()
"""A line is a case: the two variables | the commands | the solutions as JSON."""


@pytest.mark.parametrize("line", LINES)
def test_the_last_question_is_the_problem(line: str) -> None:
    names, script, models = line.split(" | ")
    head = AB if names == "ab" else XY
    expected = set(map(tuple, json.loads(models)))
    assert solutions(read(head + script.replace("AB ", AB)), list(names)) == expected


def test_functions_give_the_same_for_the_same() -> None:
    problem = read(
        "(declare-fun f (Int Bool) Int)(declare-const x Int)(declare-const y Int)"
        "(assert (and (<= 0 x 2) (<= 0 y 2)))"
        "(assert (and (<= 0 (f x true) 1) (<= 0 (f y true) 1)))"
        "(assert (< (f x true) (f y true)))"
    )
    assert solutions(problem, ["x", "y"]) == set(permutations(range(3), 2))


@pytest.mark.parametrize(
    ("bounds", "values"),
    [("(assert (>= (f 0) 1))(assert (< (f 0) 0))", set()),
     ("(assert (<= 1 (f 0) 1))(assert (<= 3 (f x) 4))", {1, 2}),
     ("(assert (= (f 0) 1))(assert (= (f 1) 2))(assert (= (f x) 2))", {1, 2})],
)  # fmt: skip
def test_bounds_of_functions_are_kept(bounds: str, values: set[int]) -> None:
    head = "(declare-fun f (Int) Int)(declare-const x Int)(assert (<= 0 x 2))"
    assert {x for (x,) in solutions(read(head + bounds), ["x"])} == values


def test_names_in_bars_are_told_apart_and_have_no_blanks() -> None:
    problem = read(
        "(declare-const |a b| Bool)(declare-const |a_b| Int)(declare-const |c\n| Bool)"
        "(declare-const |a\tb| Bool)(assert (and |a b| (<= 3 a_b 4) (not |a\tb|)))"
    )
    assert [name for _, name in problem.variables()] == ["|a_b|", "|c_|", "|a_b|_2", "a_b>=4"]


@pytest.mark.parametrize(
    ("goals", "best"),
    [
        ("(minimize x)(maximize y)", lambda x, y: (x, -y)),
        ("(maximize (+ x y))(minimize (abs x))", lambda x, y: (-x - y, abs(x))),
        ("(assert-soft (> x 0) :id g)(minimize y)(assert-soft (< x y) :id g)",
         lambda x, y: ((x <= 0) + (x >= y), y)),
        ("(assert-soft (> x 0) :id g :weight 0.25)(assert-soft (< x y) :weight 1.5)(minimize g)",
         lambda x, y: (x <= 0, x >= y)),
    ],
)  # fmt: skip
def test_of_several_objectives_the_first_counts_most(goals: str, best) -> None:
    head = "(declare-const x Int)(declare-const y Int)(assert (<= (- 2) x 2))(assert (<= 0 y 3))"
    said = "(assert (distinct x y (- 1)))(assert (not (= (+ x y) 5)))"
    problem = read(head + said + goals)
    assert problem.objective is not None
    worth = {values: problem.objective.value(true) for values, true in answers(problem, ["x", "y"])}
    pairs = list(product(range(-2, 3), range(4)))
    allowed = [p for p in pairs if len({*p, -1}) == 3 and sum(p) != 5]
    assert set(worth) == set(allowed)
    by_worth = sorted(allowed, key=worth.__getitem__)
    assert by_worth == sorted(by_worth, key=lambda p: best(*p))


def test_decimal_weights_become_integers_and_the_scale_is_kept() -> None:
    problem = read(AB + "(assert-soft a :weight 0.25)(assert-soft b :weight 1.5)")
    assert problem.objective is not None
    assert sorted(problem.objective.weights) in ([1, 6], [-6, -1])
    assert problem.objective.scale == 4


DEEP = 3000


@pytest.mark.parametrize(
    "term",
    [
        "(not " * DEEP + "a" + ")" * DEEP,
        "(and b (or a " * DEEP + "a" + "))" * DEEP,
        "(xor b " * DEEP + "a" + ")" * DEEP,
        "".join(f"(let ((l{i + 1} (and l{i} b))) " for i in range(DEEP)) + f"l{DEEP}" + ")" * DEEP,
        f"(< 0 {''.join(f'(let ((l{i + 1} (+ l{i} l{i}))) ' for i in range(50))}l50{')' * 51}",
    ],
    ids=["not", "and-or", "xor", "let", "doubled"],
)
def test_deep_terms_are_read(term: str) -> None:
    start = "Int (ite a 1 0)" if "(+ l0" in term else "Bool a"
    read(f"{AB}(define-fun l0 () {start})(assert {term})")


def test_definitions_that_double_each_time_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(term_reader, "MOST_TERMS", 3000)
    doubled = "".join(
        f"(define-fun f{i} ((p Int)) Int (f{i - 1} (f{i - 1} p)))" for i in range(1, 30)
    )
    script = f"(define-fun f0 ((p Int)) Int (* 2 p)){doubled}(assert (< (f29 1) 3))"
    with pytest.raises(ValueError, match=r"^p\.smt2:1:\d+: 'f\d+': definitions expand to more"):
        read(script)


SHAPES = {
    "Bool": [
        "(and|or|xor|=>|= Bool23)", "(<|<=|=|distinct Int23)", "(not Bool11)", "(f Int11)",
        "((_ at-most 1) Bool13)", "(let ((p Bool11) (x Int11)) Bool11)",
    ],
    "Int": [
        "(+|-|* Int22)", "(div|mod Int11 2)", "(div|mod Int11 (- 3))", "(abs Int11)",
        "(ite Bool11 Int22)",
    ],
}  # fmt: skip
"""Terms: a|b is one of both, and Int23 stands for two to three terms of the sort Int."""


def random_term(rng: Random, sort: str, depth: int) -> str:
    """A term over p, q, x, y, with whatever is read."""
    if depth == 0:
        return rng.choice(["p", "q", "true"] if sort == "Bool" else ["x", "y", "2", "(- 3)"])

    def some(sort: str, least: int, most: int) -> str:
        count = rng.randint(least, most)
        return " ".join(random_term(rng, sort, depth - 1) for _ in range(count))

    words = r"[^( ]+\|[^ ]+"
    shape = re.sub(words, lambda m: rng.choice(m[0].split("|")), rng.choice(SHAPES[sort]))
    return re.sub(r"(Bool|Int)(\d)(\d)", lambda m: some(m[1], int(m[2]), int(m[3])), shape)


@pytest.mark.parametrize("seed", range(25))
def test_z3_has_the_same_solutions(seed: int) -> None:
    z3 = pytest.importorskip("z3")
    rng = Random(seed)
    script = (
        "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)(declare-const y Int)"
        "(declare-fun f (Int) Bool)(assert (and (<= (- 1) x) (< x 2)))(assert (or (= y 1) (= y 4)))"
        f"(assert {random_term(rng, 'Bool', 3)})(assert {random_term(rng, 'Bool', 2)})"
    )
    found = solutions(read(script), ["p", "q", "x", "y"])
    solver = z3.Solver()
    solver.from_string(script)
    for p, q, x, y in product((0, 1), (0, 1), range(-1, 2), (1, 4)):
        bools, ints = {"p": p, "q": q}, {"x": x, "y": y}
        values = [z3.Bool(name) == bool(bit) for name, bit in bools.items()]
        values += [z3.Int(name) == number for name, number in ints.items()]
        assert (solver.check(*values) == z3.sat) == ((p, q, x, y) in found), script


SCRIPT = (
    AB + "(declare-fun f (Int) Bool)(declare-const x Int)(push 1)(assert (<= 0 x 9))"
    "(define-fun g ((n Int)) Int (let ((m (+ n 1))) (* 2 m)))(assert (! (f (g x)) :named h))"
    "(assert-soft ((_ at-most 1) a b h) :weight 2.5 :id k)(check-sat-assuming ((not a)))"
)
WORDS = ["(", ")", "x", "f", "_", "let", "!", "|", '"', "0.5", "#x1", "-1", "Real", "\x00", "\xe9"]


def test_a_script_with_one_word_changed_is_read_or_refused_in_one_line() -> None:
    rng = Random(5)
    words = re.findall(r"[()]|[^()\s]+", SCRIPT)
    for _ in range(600):
        changed, at = list(words), rng.randrange(len(words))
        changed[at : at + rng.randint(0, 1)] = [rng.choice(WORDS)] * rng.randint(0, 1)
        said = ""
        try:
            read_smtlib(io.BytesIO(" ".join(changed).encode("latin-1")), "p.smt2")
        except ValueError as error:
            said = str(error)
        assert re.fullmatch(r"(p\.smt2:\d+:\d+: [ -~]+)?", said), said
        assert not re.search(r"pysmt|FNode|NoneType|\(parameter|object at", said)


FOLLOWING = [
    ("(assert (= (> (+ x y) 0) a)) (assert a) (assert (<= x 10)) (assert (<= y 12))",
     lambda x, y: x + y > 0 and x <= 10 and y <= 12),
    ("(assert (not (= (<= x 2) a))) (assert (not a)) (assert (and (>= x 0) (<= 0 y x)))",
     lambda x, y: 0 <= y <= x <= 2),
    ("(assert (= 6 (* x y)))", lambda x, y: x * y == 6),
    ("(assert (or a (and (<= 0 x 3) (= y x)))) (assert (not a))",
     lambda x, y: 0 <= x <= 3 and y == x),
    ("(assert (or (and (<= 0 x 1) (<= 2 y 3)) (and (<= 4 x 6) (= y 0))))",
     lambda x, y: (0 <= x <= 1 and 2 <= y <= 3) or (4 <= x <= 6 and y == 0)),
    ("(declare-const b Bool) (assert (< 2 x)) (assert (= y (- x 4)))"
     "(assert (=> (and a b) (= x 0))) (assert (=> (and (not a) b) (<= x 5)))"
     "(assert (=> (and a (not b)) (= 6 (* x y)))) (assert (or a b))",
     lambda x, y: y == x - 4 and (2 < x <= 5 or (x > 2 and x * y == 6))),
]  # fmt: skip
"""Equations with an asserted Boolean and a denied one, a product, cases ruled out, cases alone,
and bounds under each of the possible values of two Booleans."""
XYA = "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const a Bool)"


@pytest.mark.parametrize(("assertions", "holds"), FOLLOWING)
def test_every_solution_lies_within_the_bounds_that_follow(assertions, holds):
    integers = read(XYA + assertions).integers
    points = [point for point in product(range(-30, 31), repeat=2) if holds(*point)]
    assert points
    for name, values in zip("xy", zip(*points, strict=True), strict=True):
        form = integers[name]
        low, high = (form.constant + sum(w for w in form.weights if w * s > 0) for s in (-1, 1))
        assert low <= min(values) <= max(values) <= high


@pytest.mark.parametrize("order", [1, -1, 0])
@pytest.mark.parametrize(
    ("most", "said"),
    [
        (998, "(< x{} x{})"), (999, "(< x{} x{})"), (998, "(not (>= (+ x{} 1) (+ 1 x{})))"),
        (999, "(= x{} (- x{} 1))"), (10**12, "(< x{} x{})"),
    ],
)  # fmt: skip
def test_a_chain_of_a_thousand_comparisons_needs_no_search(most, said, order) -> None:
    # The last chain ends where it begins: no bounds are far enough apart.
    links = [said.format(at, at + 1) for at in range(999)] + ["(< x999 x0)"] * (most > 999)
    links = Random(1).sample(links, len(links)) if order == 0 else links[::order]
    text = "".join(f"(declare-const x{at} Int)(assert (<= 0 x{at} {most}))" for at in range(1000))
    problem = read(text + "".join(f"(assert {link})" for link in links))
    if most == 999:
        values = [problem.integers[f"x{at}"] for at in range(1000)]
        assert [(each.constant, each.lits) for each in values] == [(at, ()) for at in range(1000)]
    else:
        assert (problem.num_vars, len(problem.constraints)) == (0, 1)
        assert not models_of(problem)


@pytest.mark.parametrize("said", ["(= 0 (* x y))", "(= (> (+ x y) 0) a)", "(or a (= x y))"])
def test_what_has_no_bounds_is_refused(said):
    with pytest.raises(ValueError, match="without two asserted bounds"):
        read(f"{XYA}(assert {said})")


def written(problem: Problem, logic: Any = "QF_LIA", **options: Any) -> str:
    stream = io.BytesIO()
    write_smtlib(problem, stream, logic=logic, **options)
    assert not stream.closed
    return stream.getvalue().decode("ascii")


EXAMPLE = Problem(3, (
    PseudoBoolean([1, -2], [2, 1], lower=1, upper=2), Cardinality([1, 2], lower=1, upper=1),
    Cardinality([2, -2], lower=3),
), {1: "m_0_0", 2: "let"}, Objective((1,), (1,)))  # fmt: skip


def test_what_is_written_in_integers_is_the_format() -> None:
    names, weighted = ("m_0_0", "v_let", "x3"), "(+ (* 2 m_0_0) (* (- 1) v_let))"
    assert written(EXAMPLE, comments=("made by hand",)).splitlines() == [
        "; made by hand", "; the objective is left out", "(set-logic QF_LIA)",
        *(f"(declare-fun {name} () Int)" for name in names),
        *(f"(assert (and (<= 0 {name}) (<= {name} 1)))" for name in names),
        f"(assert (and (<= 0 {weighted}) (<= {weighted} 1)))", "(assert (= (+ m_0_0 v_let) 1))",
        "(assert (<= 2 0))", "(check-sat)",
    ]  # fmt: skip


def test_what_is_written_as_clauses_is_the_format() -> None:
    problem = Problem(3, (Cardinality([1, -2, 3], upper=1),), {1: "m_0_0"})
    text = written(problem, "QF_UF", choices=Choices(at_most_one="sequential_counter"))
    lines = text.splitlines()
    declared = [f"(declare-fun {name} () Bool)" for name in ("m_0_0", "x2", "x3")]
    assert lines[:4] == ["(set-logic QF_UF)", *declared]
    assert re.fullmatch(r"\(declare-fun aux_4 \(\) Bool\)", lines[4])
    assert all(re.fullmatch(r"\(assert \(or .*\)\)", line) for line in lines[6:-1])
    assert lines[-1] == "(check-sat)"


@pytest.mark.parametrize("logic", LOGICS)
def test_z3_decides_every_assignment_alike(logic: str) -> None:
    z3 = pytest.importorskip("z3")
    rng = Random(20240603)
    for problem in [EXAMPLE, *(make_instance(rng) for _ in range(25))]:
        if n := problem.num_vars:
            lits = [rng.choice([1, -1]) * rng.randint(1, n) for _ in range(rng.randint(0, 6))]
            parity = Parity(lits, rng.random() < 0.5)
            problem = replace(problem, constraints=(*problem.constraints, parity))
        solver = z3.Solver()
        solver.from_string(written(problem, logic))
        make = z3.Int if logic == "QF_LIA" else z3.Bool
        symbols = [make(name) for name in legal_names(problem)]
        models = models_of(problem)
        for bits in product((0, 1), repeat=problem.num_vars):
            values = bits if logic == "QF_LIA" else map(bool, bits)
            fixed = [symbol == value for symbol, value in zip(symbols, values, strict=True)]
            assert solver.check(*fixed) == (z3.sat if bits in models else z3.unsat)


def test_large_integers_stay_exact() -> None:
    problem = Problem(3, (PseudoBoolean([1, 2, 3], [2**70, -(2**70) - 1, 1], lower=0),))
    assert models_of(read(written(problem))) == models_of(problem)


@pytest.mark.parametrize("options", [{"logic": "QF_BV"}, {"comments": ("\u00e4",)}])
def test_nothing_is_written_if_something_is_wrong(options: dict[str, Any]) -> None:
    stream = io.BytesIO()
    with pytest.raises(ValueError, match=r"not in QF_BV|must be ASCII"):
        write_smtlib(EXAMPLE, stream, **options)
    assert stream.getvalue() == b""


@pytest.mark.parametrize(
    ("chain", "holds"),
    [("(<= 0 x y z 1)", lambda x, y, z: x <= y <= z),
     ("(>= x (+ y z) z)", lambda x, y, z: x >= y + z >= z),
     ("(< 0 (+ x y) (* 2 z))", lambda x, y, z: 0 < x + y < 2 * z),
     ("(> 2 (+ x y) z)", lambda x, y, z: 2 > x + y > z),
     ("(= x y z)", lambda x, y, z: x == y == z),
     ("(= (= x 1) (= y 1) (= z 1))", lambda x, y, z: x == y == z)],
)  # fmt: skip
def test_a_chain_of_comparisons_compares_each_with_the_next(chain: str, holds) -> None:
    head = "".join(f"(declare-const {name} Int)(assert (<= 0 {name} 1))" for name in "xyz")
    expected = {bits for bits in product((0, 1), repeat=3) if holds(*bits)}
    assert models_of(read(f"{head}(assert {chain})")) == expected


def test_chains_within_chains_take_no_more_than_their_text() -> None:
    term = "(= x (ite " * 40 + "true" + " 1 0) x)" * 40
    assert len(models_of(read(f"{XY}(assert {term})"))) == 4


def test_a_long_parity_is_a_tree_of_little_depth() -> None:
    text = xor_term(Parity(range(1, 1001), True), [f"v{i}" for i in range(1000)], "QF_UF")
    depths = list(accumulate((sign == "(") - (sign == ")") for sign in text))
    assert (depths[-1], max(depths)) == (0, 10)
    problem = Problem(1000, (Parity(range(1, 1001), True),))
    assert read(written(problem)).constraints == problem.constraints


def test_parities_need_no_auxiliary_variables_and_come_back_as_they_were() -> None:
    rows = Cardinality([1, 2], 1), Parity([1, -2, 3, 4, 5], True), Parity([1, 1, 2, 3], False)
    problem = Problem(5, rows, {1: "a"})
    for logic in LOGICS:
        found = read(written(problem, logic))
        assert (found.num_vars, found.names) == (5, {1: "a", **{i: f"x{i}" for i in range(2, 6)}})
        assert found.constraints[-2:] == (Parity([1, 2, 3, 4, 5], False), Parity([2, 3], False))


@pytest.mark.parametrize(
    ("term", "expected"),
    [("(xor a b)", Parity([1, 2], True)), ("(not (xor a (not b)))", Parity([1, 2], True)),
     ("(= a b)", Parity([1, 2], False)), ("(xor a (xor true b))", Parity([1, 2], False)),
     ("(xor (= x 0) (= 1 y))", Parity([-3, 4], True))],
)  # fmt: skip
def test_xor_is_read_of_booleans_and_of_integers_that_are_0_or_1(term: str, expected) -> None:
    found = read(f"{AB}{XY}(assert {term})")
    assert len(found.constraints) == 1
    assert models_of(found) == models_of(Problem(4, (expected,)))
