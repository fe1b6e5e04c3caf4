"""Sums of rows and what they prove of zeros and ones: true by brute force, whoever chose them."""

import io
from random import Random

import pytest

from pbcnf import Parity, Problem, PseudoBoolean
from pbcnf.formats.write.opb import write_opb
from pbcnf.proof.cutting_planes.formula import read_formula
from satsweeper.linear.highs import ProgramOutcome
from satsweeper.linear.inequalities import (
    AtLeastRow,
    inequalities,
    proved_least,
    refutes,
    summed_refutation,
)
from satsweeper.linear.row_relaxation import RowRelaxation, relaxed
from tests.commands import need_highs
from tests.oracles import assignments


def random_rows(random, variables, number, most=3):
    rows = []
    for _ in range(number):
        named = random.sample(range(1, variables + 1), random.randint(1, min(4, variables)))
        terms = {var: random.choice([-1, 1]) * random.randint(1, most) for var in named}
        rows.append(AtLeastRow(terms, random.randint(-3, 3)))
    return rows


def costs(rows, cost, variables, fixed=()):
    """The cost of every solution in which the literals ``fixed`` are true."""
    return [
        sum(each * bits[var - 1] for var, each in cost.items())
        for bits in assignments(variables)
        if all(sum(f * bits[v - 1] for v, f in terms.items()) >= least for terms, least, _ in rows)
        and all(bits[abs(lit) - 1] == (lit > 0) for lit in fixed)
    ]


@pytest.mark.parametrize("seed", range(60))
def test_any_multipliers_prove_what_every_solution_reaches(seed):
    random = Random(seed)
    rows = random_rows(random, 5, random.randint(1, 6))
    cost = {var: random.randint(-9, 9) for var in range(1, 6)}
    found = costs(rows, cost, 5)
    for _ in range(30):
        multipliers = {i: random.randint(0, 4) for i in range(len(rows)) if random.random() < 0.7}
        factor = random.randint(0, 3)
        least = proved_least(rows, multipliers, cost, factor)
        assert all(factor * each >= least for each in found)
        assert not (refutes(rows, multipliers) and found)


@pytest.mark.parametrize("forged", [{0: -1}, {2: 1}, {-1: 1}])
def test_a_sum_with_a_negative_multiplier_or_a_foreign_row_is_refused(forged):
    with pytest.raises(ValueError, match="no part of a sum"):
        proved_least([AtLeastRow({1: 1}, 0), AtLeastRow({1: -1}, 0)], forged)


def test_every_refutation_without_a_program_is_one():
    found = 0
    for seed in range(300):
        random = Random(seed)
        rows = random_rows(random, 5, random.randint(2, 8), 1)
        multipliers = summed_refutation(rows)
        if multipliers is not None:
            found += 1
            assert refutes(rows, multipliers)
            assert not costs(rows, {}, 5)
    assert found > 30


def test_rows_are_numbered_as_checkers_number_the_file():
    problem = Problem(
        4,
        (
            PseudoBoolean([1, -2, 3], [2, 3, -4], 0, 3),
            PseudoBoolean([1, 2], [1, 1], 1, 1),
            Parity([1, 2, 3, 4], odd=False),
            PseudoBoolean([-4, 1], [5, 2], upper=5),
        ),
    )
    stream = io.BytesIO()
    write_opb(problem, stream)
    counted = read_formula(stream.getvalue()).constraints
    ours = inequalities(problem)
    assert len(ours) == len(counted)
    for row, other in zip(ours, counted, strict=True):
        below = sum(factor for factor in row.terms.values() if factor < 0)
        lits = {(var if f > 0 else -var): abs(f) for var, f in row.terms.items()}
        assert other.terms == lits
        assert other.degree == row.least - below


@pytest.mark.parametrize("huge", [False, True])
def test_what_duals_prove_under_fixed_literals_is_true_and_needs_no_more_of_them(huge):
    need_highs()
    proofs = 0
    for seed in range(150):
        random = Random(seed)
        rows = random_rows(random, 6, random.randint(1, 7))
        scale = 10**13 if huge else 1
        cost = {var: scale * random.randint(-9, 9) for var in range(1, 7)}
        program = relaxed(rows, cost, 6)
        if program is None:
            continue
        for _ in range(4):
            fixed = [
                random.choice([-v, v]) for v in random.sample(range(1, 7), random.randint(0, 4))
            ]
            program.fix(fixed)
            proved = program.proved(program.run(None))
            if proved is None:
                continue
            found = costs(rows, cost, 6, fixed)
            assert all(proved.factor * each >= proved.least for each in found)
            upper = None if not proved.factor else -(-proved.least // proved.factor)
            assert upper is None or proved.reaches(upper)
            if proved.reaches(upper):
                proofs += 1
                needed = proved.needed(upper)
                assert {*needed} <= {*fixed}
                cheaper = costs(rows, cost, 6, needed)
                assert not cheaper if upper is None else all(each >= upper for each in cheaper)
    assert proofs > 100


def test_what_forged_duals_do_not_prove_is_not_claimed():
    need_highs()
    rows = [
        AtLeastRow({1: 1, 2: 1}, 1),
        AtLeastRow({2: 1, 3: 1}, 1),
        AtLeastRow({1: -1, 3: -1}, -1),
    ]
    cost = {1: 2, 2: 3, 3: 2}
    least = min(costs(rows, cost, 3))
    program = RowRelaxation(rows, cost, 3)
    random = Random(5)
    for _ in range(200):
        duals = [random.uniform(-9, 9) for _ in rows]
        for status in ("optimal", "infeasible"):
            proved = program.proved(ProgramOutcome(status, (), duals))
            assert proved is not None
            assert not proved.reaches(None if status == "infeasible" else least + 1)
            assert proved_least(rows, proved.multipliers, cost, proved.factor) == proved.least
    assert program.proved(ProgramOutcome("optimal", (), [float("nan")] * 3)) is None
