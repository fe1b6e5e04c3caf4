"""Optima by branching on the relaxation: those of brute force, whatever the kind of problem."""

from random import Random

import pytest

from pbcnf import Objective, Parity, Problem, PseudoBoolean
from satsweeper.linear import row_relaxation
from satsweeper.linear.inequalities import inequalities, proved_least
from satsweeper.optimisation import Settings, Status, branching, solve
from satsweeper.optimisation.refutation import linear_bound
from satsweeper.optimisation.search import Cost
from scripts.bench_solve import KINDS, drawn
from tests.commands import need_highs
from tests.oracles import assignments, true_literals, weighted_sum

VARIABLES = 7


def random_problem(seed, most):
    random = Random(seed)
    constraints = []
    for _ in range(random.randint(1, 7)):
        named = random.sample(range(1, VARIABLES + 1), random.randint(1, 5))
        lits = [random.choice([-v, v]) for v in named]
        if random.random() < 0.1:
            constraints.append(Parity(lits, odd=random.random() < 0.5))
            continue
        weights = [random.randint(1, most) for _ in lits]
        value = random.randint(0, sum(weights))
        upper = random.choice([value, sum(weights), sum(weights)])
        constraints.append(PseudoBoolean(lits, weights, value, upper))
    lits = [random.choice([-v, v]) for v in range(1, VARIABLES + 1)]
    weights = [random.randint(-20, 20) for _ in lits]
    objective = Objective(tuple(lits), tuple(weights), 3, random.random() < 0.3)
    return Problem(VARIABLES, tuple(constraints), objective=objective)


def optimum(problem):
    objective = problem.objective
    values = [
        objective.constant + weighted_sum(objective.lits, bits, objective.weights)
        for bits in assignments(VARIABLES)
        if problem.holds(true_literals(bits))
    ]
    return (max if objective.maximise else min)(values, default=None)


@pytest.mark.parametrize("enumerated", [False, True])
@pytest.mark.parametrize("most", [1, 9, 10**6])
def test_the_optimum_is_that_of_brute_force(most, enumerated, monkeypatch):
    need_highs()
    # Problems as small as these are not enumerated at once, or not at all.
    monkeypatch.setattr(branching, "_FEW", 0)
    monkeypatch.setattr(branching, "_UNCUT", 4)
    if not enumerated:
        monkeypatch.setattr(branching, "enumeration_of", lambda search: None)
    # Neighbourhoods also in trees as small as these.
    monkeypatch.setattr(branching, "_BETWEEN", 2)
    monkeypatch.setattr(branching, "_NEIGHBOURHOOD", 3)
    for seed in range(120):
        problem = random_problem(seed, most)
        expected = optimum(problem)
        for strategy in ("branching", "auto"):
            found = solve(problem, Settings(strategy=strategy))
            unsolvable = expected is None
            assert found.status is (Status.UNSATISFIABLE if unsolvable else Status.OPTIMUM)
            assert found.value == expected
            assert unsolvable or found.bound == expected


@pytest.mark.parametrize("dived", [0, 2, 30])
def test_the_optimum_of_knapsacks_is_that_of_brute_force_however_far_is_dived(dived, monkeypatch):
    need_highs()
    # Nothing is enumerated, so that dives, covers and turns have to find it.
    monkeypatch.setattr(branching, "_FIRST_DIVE", dived)
    monkeypatch.setattr(branching, "enumeration_of", lambda search: None)
    monkeypatch.setattr(branching, "_EARLIER", 3)
    monkeypatch.setattr(branching, "_SUGGESTED", 5)
    monkeypatch.setattr(branching, "_LATER", 6)
    for seed in range(60):
        random = Random(seed)
        variables = list(range(1, VARIABLES + 1))
        constraints = []
        for _ in range(random.randint(1, 3)):
            signed = [random.choice([-1, 1, 1]) * var for var in variables]
            weights = [random.randint(2, 60) for _ in variables]
            room = random.randint(max(weights), sum(weights))
            constraints.append(PseudoBoolean(signed, weights, 0, room))
        prices = tuple(random.randint(1, 60) for _ in variables)
        objective = Objective(tuple(variables), prices, 0, maximise=True)
        problem = Problem(VARIABLES, tuple(constraints), objective=objective)
        expected = optimum(problem)
        for strategy in ("branching", "auto"):
            found = solve(problem, Settings(strategy=strategy))
            assert found.status is (Status.UNSATISFIABLE if expected is None else Status.OPTIMUM)
            assert found.value == expected


def test_a_bound_of_the_relaxation_is_reached_by_every_solution_and_adds_up_from_the_rows():
    need_highs()
    bounds = 0
    for seed in range(150):
        problem = random_problem(seed, 9)
        proof = linear_bound(problem)
        if proof is None:
            continue
        cost = Cost.of(problem.objective)
        terms, constant = cost.linear
        rows = inequalities(problem)
        assert proved_least(rows, proof.multipliers, terms, proof.factor) == proof.least
        bound = -(-proof.least // proof.factor) + constant
        for bits in assignments(VARIABLES):
            model = true_literals(bits)
            if problem.holds(model):
                assert cost.in_model(model) >= bound
        bounds += 1
    assert bounds > 80


@pytest.mark.parametrize("kind", KINDS)
def test_branching_finds_the_optimum_of_the_other_strategies(kind, monkeypatch):
    need_highs()
    monkeypatch.setattr(branching, "_FEW", 0)
    monkeypatch.setattr(branching, "_UNCUT", 0)
    for seed in range(1, 5):
        problem = drawn(kind, 9, seed).problem
        found = solve(problem, Settings(strategy="branching"))
        other = solve(problem, Settings(strategy="core-guided"))
        assert (found.status, found.value, found.bound) == (other.status, other.value, other.bound)


@pytest.mark.parametrize("missing", ["all of it", "rays"])
@pytest.mark.parametrize("strategy", ["branching", "auto"])
def test_without_highs_or_its_rays_the_optimum_is_found_as_well(strategy, missing, monkeypatch):
    if missing == "rays":  # HiGHS before 1.10
        need_highs()
        import highspy

        owner = next(each for each in highspy.Highs.__mro__ if "getDualRay" in vars(each))
        monkeypatch.delattr(owner, "getDualRay")
    else:
        monkeypatch.setattr(row_relaxation, "available", lambda: False)
    for seed in range(40):
        problem = random_problem(seed, 9)
        assert solve(problem, Settings(strategy=strategy)).value == optimum(problem)


@pytest.mark.parametrize("enumerated", [False, True])
def test_a_relaxation_that_lies_changes_no_claim(enumerated, monkeypatch):
    need_highs()
    monkeypatch.setattr(branching, "_FEW", 0)
    if not enumerated:
        monkeypatch.setattr(branching, "enumeration_of", lambda search: None)
    honest = row_relaxation.RowRelaxation.run
    random = Random(3)

    def lying(relaxation, seconds):
        outcome = honest(relaxation, seconds)
        duals = [random.uniform(-9, 9) for _ in outcome.duals]
        values = [random.random() for _ in outcome.values]
        status = random.choice(["optimal", "infeasible", outcome.status])
        if len(values) == 0:
            return outcome._replace(duals=duals)
        return outcome._replace(status=status, duals=duals, values=values)

    monkeypatch.setattr(row_relaxation.RowRelaxation, "run", lying)
    claims = 0
    for seed in range(60):
        problem = random_problem(seed, 9)
        expected = optimum(problem)
        found = solve(problem, Settings(strategy="branching"))
        if found.status is Status.OPTIMUM:
            assert found.value == expected
        if found.status is Status.UNSATISFIABLE:
            assert expected is None
        claims += found.status in (Status.OPTIMUM, Status.UNSATISFIABLE)
    assert claims > 20
