"""Parities as `xor` of SMT-LIB: written, judged by z3 or by definition, and read back."""

import io
from typing import Any

import pytest

from pbcnf import Cardinality, Parity
from pbcnf.constraints.problem import Problem
from pbcnf.formats.smtlib.script import LOGICS, read_smtlib, write_smtlib, xor_term
from tests.problem_files import models_of

pytest.importorskip("pysmt")


def written(problem: Problem, logic: Any = "QF_LIA") -> str:
    stream = io.BytesIO()
    write_smtlib(problem, stream, logic=logic)
    return stream.getvalue().decode("ascii")


def read(text: str) -> Problem:
    return read_smtlib(io.BytesIO(text.encode()), "p.smt2")


def test_a_long_parity_is_a_tree_of_little_depth() -> None:
    text = xor_term(Parity(range(1, 1001), True), [f"v{i}" for i in range(1000)], "QF_UF")
    depth = deepest = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        deepest = max(deepest, depth)
    assert (depth, deepest) == (0, 10)
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
