"""What sums of equations say of zeros and ones, modulo a prime and joined: true by brute force."""

import io
import sys
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf.formats.write.opb import write_opb
from pbcnf.proof.cutting_planes import check_proof
from satsweeper.board.errors import DefectError
from satsweeper.certificate.sums import SumsProof
from satsweeper.families.lattice import torus_of_ones
from satsweeper.families.table import FAMILIES
from satsweeper.linear import closure
from satsweeper.linear import relaxation as lp
from satsweeper.linear.closure import TRUE, ContradictionError, EqualLiterals, closed
from satsweeper.linear.elimination import SHORT, checked_rows, eliminate
from satsweeper.linear.equations import ModularRow, clauses_of, follows
from satsweeper.linear.refutation import refutation_of
from tests.commands import need_highs, python
from tests.oracles import assignments, exact_sets, random_equations

SETS = st.sets(st.integers(1, 6), min_size=1).map(sorted).map(tuple)


def solutions(equations, variables, modulus):
    """All vectors modulo a prime that meet the equations modulo it."""
    return [
        vector
        for vector in product(range(modulus), repeat=variables)
        if all((sum(vector[v - 1] for v in which) - n) % modulus == 0 for which, n in equations)
    ]


@pytest.mark.parametrize("modulus", [2, 3])
@pytest.mark.parametrize("seed", range(60))
def test_what_is_told_is_what_all_vectors_agree_on(seed, modulus):
    random = Random(seed)
    variables = random.randint(1, 8 if modulus == 2 else 6)
    equations = random_equations(random, variables, random.randint(0, 9), variables, 0.2, 0)
    vectors = solutions(equations, variables, modulus)
    found = eliminate(equations, modulus)
    assert found.complete
    assert (found.clash is not None) == (not vectors)
    if found.clash is not None:
        assert not found.clash.coefficients
        assert follows(equations, found.clash)
        return
    for row in found.rows:
        assert 0 < len(row.coefficients) <= SHORT
        assert follows(equations, row)
        for vector in vectors:
            total = sum(factor * vector[v - 1] for v, factor in row.coefficients.items())
            assert total % modulus == row.value
    named = {v for which, _ in equations for v in which}
    agreed = {v for v in named if len({vector[v - 1] for vector in vectors}) == 1}
    assert agreed == {v for row in found.rows if len(row.coefficients) == 1 for v in row[1]}


@pytest.mark.parametrize("modulus", [2, 3])
def test_wrong_rows_are_refused(modulus):
    equations = [((1, 2, 3), 2), ((3, 4), 1), ((1, 2), 1)]
    for row in eliminate(equations, modulus).rows:
        wrong = [
            row._replace(value=(row.value + 1) % modulus),
            row._replace(coefficients={**row.coefficients, 9: 1}),
            row._replace(coefficients=dict.fromkeys(list(row.coefficients)[1:], 1)),
            row._replace(multipliers={**row.multipliers, 0: row.multipliers.get(0, 0) + 1}),
            row._replace(multipliers={}),
        ]
        assert follows(equations, row)
        assert not any(follows(equations, each) for each in wrong)
    assert not follows(equations, ModularRow(modulus, {}, 1, {0: 1, 1: 1}))


def test_clauses_say_what_a_row_says_of_zeros_and_ones():
    random = Random(2)
    for _ in range(200):
        modulus = random.choice((2, 3))
        factors = {v: random.randint(1, modulus - 1) for v in range(1, random.randint(2, 5))}
        row = ModularRow(modulus, factors, random.randrange(modulus), {})
        clauses = list(clauses_of(row))
        for ones in product((0, 1), repeat=len(factors)):
            total = sum(f * one for f, one in zip(factors.values(), ones, strict=True))
            holds = total % modulus == row.value
            true = {v if one else -v for v, one in zip(factors, ones, strict=True)}
            assert holds == all(true.intersection(clause) for clause in clauses)


def test_without_effort_what_is_told_still_holds():
    random = Random(3)
    stopped = 0
    for _ in range(100):
        equations = random_equations(random, 12, 10, 12, 0.2, 0)
        found = eliminate(equations, 2, effort=random.randint(0, 600))
        stopped += not found.complete
        assert all(follows(equations, row) for row in found.rows)
        assert found.clash is None or follows(equations, found.clash)
    assert stopped > 20
    # What would not fit into memory is not begun: these rows would take ten gigabytes.
    assert eliminate([((v, v + 1), 1) for v in range(400_000)], 2) == (None, [], False)


def test_nothing_is_claimed_that_some_solution_denies_and_most_is_found():
    random = Random(4)
    certain = found = impossible = refuted = 0
    for _ in range(1500):
        variables = random.randint(1, 9)
        equations = random_equations(random, variables, random.randint(1, 8), variables, 0.04)
        every = exact_sets(equations)
        answer = closed(equations)
        assert answer.complete
        if not every:
            impossible += 1
            refuted += answer.refuted
            continue
        assert not answer.refuted
        for variable, one in answer.decided.items():
            assert {variable in ones for ones in every} == {one}
        named = {v for which, _ in equations for v in which}
        certain += sum(len({v in ones for ones in every}) == 1 for v in named)
        found += len(answer.decided)
    assert 0.97 * certain < found <= certain
    assert 0.97 * impossible < refuted <= impossible


def test_bounds_of_long_sums_decide_as_well_as_of_given_ones():
    """Of 20 two clues hold one each and all hold two: the other 12 are 0."""
    clues = [(tuple(range(1, 5)), 1), (tuple(range(5, 9)), 1)]
    answer = closed([*clues, (tuple(range(1, 21)), 2)])
    assert answer.decided == dict.fromkeys(range(9, 21), False)


@pytest.mark.parametrize(("moduli", "decided"), [((2, 3), {6: True}), ((2,), {}), ((3,), {})])
def test_what_neither_modulus_says_alone_both_may(moduli, decided, monkeypatch):
    equations = [((1, 3, 5), 2), ((4, 5, 6), 2), ((1, 2, 3, 6), 3)]
    assert all(6 in ones for ones in exact_sets(equations))

    def some(equations, modulus, long):
        found = checked_rows(equations, modulus, long)
        return found if modulus in moduli else found._replace(rows=[])

    monkeypatch.setattr(closure, "checked_rows", some)
    assert closed(equations).decided == decided


def test_five_pigeons_in_four_holes_are_beyond_it():
    """Each in one hole of four, and each hole but one holds at most one: slack hides the clash."""
    pigeons = [(tuple(range(4 * p + 1, 4 * p + 5)), 1) for p in range(5)]
    holes = [((*(4 * p + h for p in range(5)), 20 + h), 1) for h in range(1, 5)]
    assert not closed([*pigeons, *holes]).refuted


def test_it_stops_when_it_is_late_and_says_so():
    answer = closed([((1, 2), 1), ((1, 2, 3), 2)], lambda: True)
    assert (answer.complete, set(answer.decided.items()) - {(3, True)}) == (False, set())


def test_a_wrong_row_is_a_defect_and_no_verdict(monkeypatch):
    def wrong(equations, modulus, long):
        found = eliminate(equations, modulus, long=long)
        rows = [row._replace(value=(row.value + 1) % modulus) for row in found.rows]
        return found._replace(rows=rows)

    monkeypatch.setattr("satsweeper.linear.elimination.eliminate", wrong)
    with pytest.raises(DefectError):
        closed([((1, 2), 1), ((1, 2, 3), 2), ((3, 4), 1)])


def test_literals_are_equal_as_they_were_made():
    """Held against a table of all assignments that are left."""
    random = Random(7)
    for _ in range(300):
        known = EqualLiterals()
        left = list(assignments(6))
        for _ in range(random.randint(1, 9)):
            one, other = (random.choice([-1, 1]) * random.randint(1, 6) for _ in range(2))
            if random.random() < 0.2:
                other = random.choice([-1, 1]) * TRUE

            def value(literal, values):
                one = 1 if abs(literal) == TRUE else values[abs(literal) - 1]
                return one if literal > 0 else 1 - one

            left = [v for v in left if value(one, v) == value(other, v)]
            try:
                known.equate(one, other)
            except ContradictionError:
                assert not left
                break
            assert left
            for v in range(1, 7):
                assert all(value(v, each) == value(known.root(v), each) for each in left)
            assert known.decided() == {
                v: bool(left[0][v - 1])
                for v in range(1, 7)
                if len({each[v - 1] for each in left}) == 1
            }
            # As many are left as there are sets to choose a value for.
            assert len(left) == 2 ** (6 - len(known))
            assert all(
                sum(value(lit, each) for lit in which) == number
                for which, number in known.equations()
                for each in left
            )


@given(st.lists(st.tuples(SETS, st.integers(0, 5)), min_size=1, max_size=8))
def test_what_has_a_solution_is_not_refuted(equations):
    assert not (exact_sets(equations) and refutation_of(equations))


def equations_of(problem):
    return [(each.lits, each.lower) for each in problem.constraints if each.lower == each.upper]


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
    of_problems = {n: f for n, f in FAMILIES.items() if (f.of, f.satisfiable) == ("problem", False)}
    small = {name: equations_of(f.instance(f.small[-1])) for name, f in of_problems.items()}
    assert {name for name, equations in small.items() if refutation_of(equations)} >= {"torus"}


# Linear programs: what they claim is proved by weights, which prove nothing that is false.


@pytest.fixture
def highs():
    need_highs()


with_highs = pytest.mark.usefixtures("highs")


@pytest.mark.parametrize("seed", range(40))
def test_no_weights_prove_what_is_false(seed):
    random = Random(seed)
    variables = random.randint(2, 6)
    every = range(1, variables + 1)
    equations = random_equations(random, variables, random.randint(1, 5), variables, wrong=0)
    true = exact_sets(equations, every)
    for _ in range(200):
        weights = {
            index: random.randint(-2 * lp.DENOMINATOR, 2 * lp.DENOMINATOR)
            for index in range(len(equations))
            if random.random() < 0.7
        }
        chosen = frozenset(random.sample(every, random.randint(1, variables)))
        assert not lp.proves(equations, lp.Weighted(frozenset(), False, weights))
        for ones in (False, True):
            if lp.proves(equations, lp.Weighted(chosen, ones, weights)):
                assert all((v in assigned) is ones for assigned in true for v in chosen)
        cost = {v: random.randint(-3, 3) for v in every}
        least = min(sum(cost[v] for v in assigned) for assigned in true)
        assert lp.bound(equations, cost, weights) <= least


def test_a_pigeonhole_is_refuted_by_its_duals_and_not_by_near_ones():
    # Three pairs of three variables hold one each, all of them two.
    equations = [((0, 1), 1), ((1, 2), 1), ((0, 2), 1), ((0, 1, 2), 2)]
    right = lp.rounded([0.5, 0.5, 0.5, -1.0])
    assert lp.bound(equations, {}, right) == Fraction(-1, 2)
    claim = lp.Weighted(frozenset(), False, lp.rounded([-0.5, -0.5, -0.5, 1.0]))
    assert lp.proves(equations, claim)
    for wrong in ([-0.4, -0.5, -0.5, 1.0 - 0.6], [0, 0, 0, 1], [], [0.5, 0.5, 0.5, -1.0]):
        assert not lp.proves(equations, claim._replace(weights=lp.rounded(wrong)))


def test_what_the_total_forces_is_proved():
    equations = [((0, 1, 2), 1), ((0, 1), 1)]
    claim = lp.Weighted(frozenset({2}), False, lp.rounded([-1.0, 1.0]))
    assert lp.proves(equations, claim)
    for wrong in ({"ones": True}, {"weights": {}}, {"variables": frozenset({0, 2})}):
        assert not lp.proves(equations, claim._replace(**wrong))


@with_highs
def test_claims_are_true_and_some_are_made():
    random = Random(1)
    refuted = decided = missed = 0
    for _ in range(200):
        variables = random.randint(2, 8)
        equations = random_equations(random, variables, random.randint(2, 7), 4, wrong=0.1)
        true = exact_sets(equations)
        claim = lp.refute(equations)
        if claim is not None:
            assert not true
            assert lp.proves(equations, claim)
            refuted += 1
            continue
        if not true:
            missed += 1
            continue
        found = lp.decide(equations)
        for each in found.claims:
            assert lp.proves(equations, each)
            assert all((v in ones) is each.ones for ones in true for v in each.variables)
            decided += len(each.variables)
        assert set(found.solutions) <= set(true)
    assert refuted > 5 * missed
    assert decided > 100


@with_highs
def test_what_duals_do_not_prove_is_dropped(monkeypatch):
    """Whatever the linear program says, nothing leaves that its duals do not prove."""
    from satsweeper.linear import highs

    equations = [((1, 2, 3), 1), ((1, 2), 1)]
    assert [set(claim.variables) for claim in lp.decide(equations).claims] == [{3}]
    honest = highs.LinearProgram.run

    def lying(program, seconds=None):
        outcome = honest(program, seconds)
        return outcome._replace(values=[0.0] * len(outcome.values))

    monkeypatch.setattr(highs.LinearProgram, "run", lying)
    assert [set(claim.variables) for claim in lp.decide(equations).claims] == []

    def turned(program, seconds=None):
        outcome = honest(program, seconds)
        return outcome._replace(duals=[-dual for dual in outcome.duals])

    monkeypatch.setattr(highs.LinearProgram, "run", turned)
    assert lp.refute([((1, 2), 1), ((1, 2), 2)]) is None
    assert lp.decide(equations).claims == []


@with_highs
@pytest.mark.parametrize("integer", [False, True])
def test_a_solution_is_one_and_of_least_cost(integer):
    # x1 and x4, or x2 and x3.
    equations = [((1, 2), 1), ((3, 4), 1), ((2, 4), 1)]
    assert lp.solution(equations, {}, integer=integer) in ({1, 4}, {2, 3})
    assert lp.solution(equations, {2: 2.0, 9: 5.0}, integer=integer) == {1, 4}
    assert lp.solution([((1,), 1), ((1,), 0)], {}, integer=integer) is None
    # Halves are no solution, and branching finds that there is none.
    assert lp.solution([((1, 2), 1), ((2, 3), 1), ((1, 3), 1)], {}, integer=integer) is None


@with_highs
def test_a_variable_is_decided_by_itself_where_its_value_may_be_a_fraction():
    random = Random(3)
    decided = missed = 0
    for _ in range(300):
        equations = random_equations(random, 6, random.randint(2, 7), 4, wrong=0.1)
        true = exact_sets(equations)
        if not true:
            continue
        for variable in {v for equation in equations for v in equation[0]}:
            values = {variable in ones for ones in true}
            for one in (False, True):
                claim = lp.decide_one(equations, variable, one)
                if claim is not None:
                    assert lp.proves(equations, claim)
                    assert values == {one}
                    decided += 1
                else:
                    missed += values == {one}
    assert decided > 10 * missed


PROGRAMS = """
from satsweeper.linear.highs import LinearProgram

for integer in (False, True):
    program = LinearProgram(3, [((0, 1), 1), ((1, 2), 1)], integer=integer)
    for column in (0, 2):
        program.cost(column, 1.0)
    assert [round(value) for value in program.run(60).values] == [0, 1, 0]
"""


@with_highs
def test_a_program_is_run_without_a_word_and_beside_or_tools_there_is_none(monkeypatch):
    # In a process of its own, whose end writes out what C still holds back.
    ended = python("-c", PROGRAMS)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    monkeypatch.setitem(sys.modules, "ortools", object())
    assert not lp.available()
