"""Equations without a solution: what is returned adds up to a contradiction, and is proved."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf.formats.write.opb import write_opb
from pbcnf.proof.cutting_planes import check_proof
from satsweeper.certificate.sums import SumsProof
from satsweeper.families.lattice import torus_of_ones
from satsweeper.families.table import FAMILIES
from satsweeper.linear.equations import ModularRow, equations_of
from satsweeper.linear.refutation import refutation_of
from tests.oracles import equation_models

SETS = st.sets(st.integers(1, 6), min_size=1).map(sorted).map(tuple)


@given(st.lists(st.tuples(SETS, st.integers(0, 5)), min_size=1, max_size=8))
def test_what_has_a_solution_is_not_refuted(equations):
    assert not (equation_models(equations, 6) and refutation_of(equations))


@pytest.mark.parametrize("half_side", [3, 7, 21])
def test_an_odd_torus_of_ones_is_refuted_by_parity_and_the_proof_is_accepted(half_side):
    problem = torus_of_ones(half_side)
    equations = equations_of(problem)
    assert len(equations) == half_side**2
    row = refutation_of(equations)
    assert isinstance(row, ModularRow)
    assert row.modulus == 2
    proof = SumsProof(equations)
    proof.add_row(row, {i: (2 * i + 1, 2 * i + 2) for i in range(len(equations))}, ())
    opb = io.BytesIO()
    write_opb(problem, opb)
    assert check_proof(opb.getvalue(), proof.text()).refuted


def test_problems_of_all_families_of_equations_are_refuted():
    refuted = {
        name
        for name, family in FAMILIES.items()
        if family.of == "problem"
        and not family.satisfiable
        and refutation_of(equations_of(family.instance(family.small[-1]))) is not None
    }
    assert refuted >= {"torus"}
