"""SMT-LIB written and read back, parities as xor too; z3 as an independent reader."""

import io
import re
from dataclasses import replace
from functools import partial
from itertools import accumulate, product
from random import Random
from typing import Any

import pytest

from pbcnf import Cardinality, Parity, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.emission.whole_problems import Choices
from pbcnf.formats.names import legal_names
from pbcnf.formats.smtlib.script import LOGICS, read_smtlib, write_smtlib, xor_term
from tests.problem_files import models_of
from tests.problem_files import random_instance as make_instance
from tests.problem_files import read as read_with

pytest.importorskip("pysmt")


read = partial(read_with, name="p.smt2", reader=read_smtlib)


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
    assert written(EXAMPLE, comments=("made by hand",)).splitlines() == [
        "; made by hand",
        "; the objective is left out",
        "(set-logic QF_LIA)",
        "(declare-fun m_0_0 () Int)",
        "(declare-fun v_let () Int)",
        "(declare-fun x3 () Int)",
        "(assert (and (<= 0 m_0_0) (<= m_0_0 1)))",
        "(assert (and (<= 0 v_let) (<= v_let 1)))",
        "(assert (and (<= 0 x3) (<= x3 1)))",
        "(assert (and (<= 0 (+ (* 2 m_0_0) (* (- 1) v_let)))"
        " (<= (+ (* 2 m_0_0) (* (- 1) v_let)) 1)))",
        "(assert (= (+ m_0_0 v_let) 1))",
        "(assert (<= 2 0))",
        "(check-sat)",
    ]


def test_what_is_written_as_clauses_is_the_format() -> None:
    problem = Problem(3, (Cardinality([1, -2, 3], upper=1),), {1: "m_0_0"})
    text = written(problem, "QF_UF", choices=Choices(at_most_one="sequential_counter"))
    lines = text.splitlines()
    assert lines[:4] == [
        "(set-logic QF_UF)",
        "(declare-fun m_0_0 () Bool)",
        "(declare-fun x2 () Bool)",
        "(declare-fun x3 () Bool)",
    ]
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


EVERY = {(0, 0), (0, 1), (1, 0), (1, 1)}
XY = "(declare-fun x () Int)(declare-const y Int)(assert (and (>= x 0) (< x 2) (<= 0 y) (>= 1 y)))"


@pytest.mark.parametrize(
    ("chain", "holds"),
    [
        ("(<= 0 x y z 1)", lambda x, y, z: x <= y <= z),
        ("(>= x (+ y z) z)", lambda x, y, z: x >= y + z >= z),
        ("(< 0 (+ x y) (* 2 z))", lambda x, y, z: 0 < x + y < 2 * z),
        ("(> 2 (+ x y) z)", lambda x, y, z: 2 > x + y > z),
        ("(= x y z)", lambda x, y, z: x == y == z),
        ("(= (= x 1) (= y 1) (= z 1))", lambda x, y, z: x == y == z),
    ],
)
def test_a_chain_of_comparisons_compares_each_with_the_next(chain: str, holds) -> None:
    head = "".join(f"(declare-const {name} Int)(assert (<= 0 {name} 1))" for name in "xyz")
    expected = {bits for bits in product((0, 1), repeat=3) if holds(*bits)}
    assert models_of(read(f"{head}(assert {chain})")) == expected


def test_chains_within_chains_take_no_more_than_their_text() -> None:
    term = "(= x (ite " * 40 + "true" + " 1 0) x)" * 40
    assert models_of(read(f"{XY}(assert {term})")) == EVERY


def test_a_long_parity_is_a_tree_of_little_depth() -> None:
    text = xor_term(Parity(range(1, 1001), True), [f"v{i}" for i in range(1000)], "QF_UF")
    depths = list(accumulate((sign == "(") - (sign == ")") for sign in text))
    assert (depths[-1], max(depths)) == (0, 10)
    problem = Problem(1000, (Parity(range(1, 1001), True),))
    assert read(written(problem)).constraints == problem.constraints


def test_parities_need_no_auxiliary_variables_and_come_back_as_they_were() -> None:
    problem = Problem(
        5,
        (Cardinality([1, 2], 1), Parity([1, -2, 3, 4, 5], True), Parity([1, 1, 2, 3], False)),
        {1: "a"},
    )
    for logic in LOGICS:
        found = read(written(problem, logic))
        assert (found.num_vars, found.names) == (5, {1: "a", **{i: f"x{i}" for i in range(2, 6)}})
        assert found.constraints[-2:] == (Parity([1, 2, 3, 4, 5], False), Parity([2, 3], False))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("(xor a b)", Parity([1, 2], True)),
        ("(= a b)", Parity([1, 2], False)),
        ("(not (xor a (not b)))", Parity([1, 2], True)),
        ("(xor a (xor true b))", Parity([1, 2], False)),
        ("(xor (= x 0) (= 1 y))", Parity([-3, 4], True)),
    ],
)
def test_xor_is_read_of_booleans_and_of_integers_that_are_0_or_1(term: str, expected) -> None:
    integers = "".join(f"(declare-const {v} Int)(assert (and (<= 0 {v}) (<= {v} 1)))" for v in "xy")
    found = read(f"(declare-const a Bool)(declare-const b Bool){integers}(assert {term})")
    [parity] = found.constraints
    for model in models_of(Problem(4, (expected,))):
        assert parity.holds({v if bit else -v for v, bit in enumerate(model, 1)})
    assert models_of(found) == models_of(Problem(4, (expected,)))
