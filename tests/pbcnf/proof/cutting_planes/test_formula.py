"""The formula of a proof: OPB as VeriPB counts its constraints."""

from __future__ import annotations

import io

import pytest

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Problem
from pbcnf.formats.write.opb import write_opb
from pbcnf.proof.cutting_planes import Inequality, ProofError
from pbcnf.proof.cutting_planes.formula import read_formula


@pytest.mark.parametrize(
    ("text", "constraints"),
    [
        ("+1 x1 -2 ~x2 >= 1 ;", [Inequality({1: 1, 2: 2}, 3)]),
        ("1 x1 1 x2 <= 1;", [Inequality({-1: 1, -2: 1}, 1)]),
        ("1 x1 1 x2 = 1 ;", [Inequality({1: 1, 2: 1}, 1), Inequality({-1: 1, -2: 1}, 1)]),
        ("1 x1 1 ~x1 1 x2 >= 1 ;", [Inequality({2: 1}, 0)]),
        ("1 x1 1 x1 0 x2 >= -3 ;", [Inequality({1: 2}, -3)]),
        (">= 1 ;", [Inequality({}, 1)]),
        ("1 x1\n  1 x2\n>= 1 ; 1 x3 >=1;", [Inequality({1: 1, 2: 1}, 1), Inequality({3: 1}, 1)]),
        ("* a comment ;\n\n", []),
    ],
)
def test_constraints_are_read_in_normal_form(text, constraints) -> None:
    assert read_formula(text.encode()).constraints == constraints


def test_declared_variables_are_variables_of_the_formula() -> None:
    assert read_formula(b"* #variable= 9 #constraint= 1\n1 x3 >= 1 ;\n").variables == 9
    assert read_formula(b"* #variable= 2 #constraint= 1\n1 x3 >= 1 ;\n").variables == 3
    assert read_formula(b"1 x3 >= 1 ;\n* #variable= 9\n").variables == 3


def test_what_our_writer_writes_is_read_as_it_was_meant() -> None:
    constraints = (
        Cardinality([1, -2, 3], 1, 2),
        Cardinality([1, 2], 1, 1),
        PseudoBoolean([1, 2, -3], [2, -3, 10**30], upper=4),
    )
    stream = io.BytesIO()
    write_opb(Problem(3, constraints), stream)
    formula = read_formula(stream.getvalue())
    for bits in range(8):
        model = {var if bits >> (var - 1) & 1 else -var for var in (1, 2, 3)}
        holds = [
            sum(weight for lit, weight in read.terms.items() if lit in model) >= read.degree
            for read in formula.constraints
        ]
        meant = [constraint.holds(model) for constraint in constraints]
        assert [all(holds[0:2]), all(holds[2:4]), holds[4]] == meant


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("min: 1 x1 ;\n1 x1 >= 1 ;", 1, "objective"),
        ("1 x1 >= 1", 1, "no ';' at its end"),
        ("\n1 x1\n>= ;", 2, "a constraint ends with"),
        ("1 x1 > 1 ;", 1, "a constraint ends with"),
        ("1 x1 1 >= 1 ;", 1, "half a term"),
        ("1 x1 1 y >= 1 ;", 1, "'y' is no literal"),
        ("1.5 x1 >= 1 ;", 1, "'1.5' is no integer"),
        ("1 x1 >= 1_0 ;", 1, "'1_0' is no integer"),
        (f"1 x1 >= {'9' * 5000} ;", 1, "at most 4000 digits"),
        ("1 x1 1 x\u0662 >= 1 ;", 1, "not ASCII"),
        ("1 x1 >= 1 ;;", 1, "a constraint ends with"),
    ],
)
def test_what_is_no_formula_is_refused_with_its_line(text, line, why) -> None:
    with pytest.raises(ProofError, match=why) as error:
        read_formula(text.encode(), "board.opb")
    assert (error.value.source, error.value.line) == ("board.opb", line)
