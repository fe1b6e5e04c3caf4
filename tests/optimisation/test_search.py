"""What the strategies share: costs, counters, turns, limits, and models that are not believed."""

from collections.abc import Sequence
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf import (
    Cardinality,
    Constraint,
    EncodingError,
    Formula,
    Objective,
    Parity,
    Problem,
    PseudoBoolean,
    encode,
)
from satsweeper.optimisation import STRATEGIES, Settings, Status, solve
from satsweeper.optimisation.linear import COUNTERS, MOST_CLAUSES, cost_counter
from satsweeper.optimisation.run import take_turns
from satsweeper.optimisation.search import (
    Cost,
    Descent,
    LiveSink,
    Search,
    SolverQuestion,
    Strategy,
)
from satsweeper.solvers.protocol import (
    Satisfied,
    SolverError,
    SolverFailedError,
    Unsatisfied,
)
from satsweeper.solvers.pysat import PysatSolver
from scripts.bench_solve import drawn

PIGEONS = 9


def crowded() -> Problem:
    """Pigeons in one hole fewer, and what is left out of that costs 1: nobody shows it quickly."""
    holes = PIGEONS - 1
    homes = [[holes * pigeon + hole + 1 for hole in range(holes)] for pigeon in range(PIGEONS)]
    out = [PIGEONS * holes + pigeon + 1 for pigeon in range(PIGEONS)]
    housed = [Cardinality([*home, left], lower=1) for home, left in zip(homes, out, strict=True)]
    alone = [Cardinality(holes, upper=1) for holes in zip(*homes, strict=True)]
    objective = Objective(tuple(out), (1,) * PIGEONS)
    return Problem(out[-1], (*housed, *alone), objective=objective)


terms = st.lists(
    st.tuples(st.sampled_from([-3, -2, -1, 1, 2, 3]), st.integers(-20, 20)), max_size=6
)


@given(terms, st.integers(-9, 9), st.booleans())
def test_the_cost_says_of_every_assignment_what_the_objective_says(
    pairs: list[tuple[int, int]], constant: int, maximise: bool
) -> None:
    lits, weights = [lit for lit, _ in pairs], [weight for _, weight in pairs]
    cost = Cost.of(Objective(tuple(lits), tuple(weights), constant, maximise))
    assert all(weight > 0 for weight in cost.terms.values())
    assert (cost.unit < 0) == maximise
    for bits in product((False, True), repeat=3):
        model = {var if bit else -var for var, bit in enumerate(bits, start=1)}
        said = constant + sum(weight for lit, weight in pairs if lit in model)
        assert cost.objective(cost.in_model(model)) == said


@pytest.mark.parametrize("name", ["auto", *COUNTERS])
@pytest.mark.parametrize("weights", [(1, 1, 1, 1), (3, 3, 3, 3), (2, 3, 5, 9), (1, 1, 40, 41)])
def test_a_counter_admits_exactly_what_costs_no_more(name: str, weights: Sequence[int]) -> None:
    if name == "totalizer" and len({*weights}) > 1:
        with pytest.raises(EncodingError, match="equal weights"):
            cost_counter(dict(enumerate(weights, start=1)), 3, Formula(4), name)
        return
    solver = PysatSolver("minisat22")
    sink = LiveSink(solver)
    sink.new_vars(4)
    most = sum(weights)
    counter = cost_counter(dict(enumerate(weights, start=1)), most - 1, sink, name)
    for bound in [most - 1, most // 2, 0, most // 3]:
        assumed = counter.at_most(bound)
        for bits in product((0, 1), repeat=4):
            lits = [var if bit else -var for var, bit in enumerate(bits, start=1)]
            cost = sum(weight * bit for weight, bit in zip(weights, bits, strict=True))
            answer = solver.solve([*assumed, *lits])
            assert isinstance(answer, Satisfied) == (cost <= bound)
    solver.close()


def test_of_a_counter_that_is_too_large_no_more_is_made_than_shows_it() -> None:
    n = 3_000
    weights = {var: 10**6 + var * var for var in range(1, n + 1)}
    sink = Formula(n)
    cost_counter(weights, sum(weights.values()) // 2, sink).at_most(sum(weights.values()) // 3)
    assert sink.num_clauses < MOST_CLAUSES


def test_the_counter_of_many_different_weights_is_small_beside_a_tree_of_their_sums() -> None:
    weights = {var: 1 + var * 37 % 60 for var in range(1, 121)}
    tree, chosen = Formula(120), Formula(120)
    cost_counter(weights, 400, tree, "generalized_totalizer").at_most(300)
    cost_counter(weights, 400, chosen).at_most(300)
    assert chosen.num_clauses < tree.num_clauses / 3


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_limit_leaves_the_best_model_and_a_bound(strategy: str) -> None:
    problem = crowded()
    outcome = solve(problem, Settings(strategy), seconds=1e-6)
    assert (outcome.status, outcome.reason) == (Status.UNKNOWN, "time")
    outcome = solve(problem, Settings(strategy), seconds=0.5)
    assert outcome.status in (Status.SATISFIABLE, Status.OPTIMUM)
    assert outcome.model is not None
    assert problem.holds(set(outcome.model))
    assert outcome.bound is not None
    assert outcome.value is not None
    assert 0 <= outcome.bound <= 1 <= outcome.value


def test_a_problem_without_variables_or_with_nothing_to_pay_is_answered() -> None:
    empty = Objective((), (), 7)
    assert solve(Problem(0, ())).status is Status.SATISFIABLE
    assert solve(Problem(0, (), objective=empty)).value == 7
    never = Cardinality([], lower=1)
    assert solve(Problem(0, (never,), objective=empty)).status is Status.UNSATISFIABLE
    assert solve(Problem(2, (never,))).status is Status.UNSATISFIABLE


def test_what_does_not_exist_or_does_not_go_together_is_refused() -> None:
    for wrong in (
        {"strategy": "lineal"},
        {"solver": "glucos4"},
        {"solver": "external:no_such_solver"},
    ):
        with pytest.raises(SolverError):
            Settings(**wrong)
    problem = Problem(2, (Cardinality([1, 2], lower=1),), objective=Objective((1, 2), (1, 2)))
    with pytest.raises(EncodingError, match="leaves no bounds open"):
        solve(problem, Settings("linear", counter="decision_diagram"))


def test_a_constraint_beyond_the_clauses_allowed_is_named() -> None:
    large = PseudoBoolean(range(1, 40), range(1, 40), upper=300)
    with pytest.raises(EncodingError, match=r"constraint 2: .* more than 100"):
        solve(Problem(39, (Cardinality([1], lower=1), large)), Settings(most_clauses=100))


def test_a_model_that_does_not_hold_is_not_believed() -> None:
    problem = Problem(2, (Cardinality([1, 2], lower=1),))
    found: list[object] = []
    sink = LiveSink(PysatSolver("minisat22"))
    search = Search(problem, None, sink, lambda model, cost: found.append(model))
    with pytest.raises(SolverFailedError, match="wrong model"):
        search.take(Satisfied([-1, -2]))
    assert not found


@given(
    st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=3), max_size=5),
    st.lists(st.integers(0, 9), min_size=5, max_size=5),
    st.lists(st.booleans(), min_size=5, max_size=5),
    st.lists(st.booleans(), min_size=5, max_size=5),
    st.booleans(),
)
def test_a_model_made_cheaper_holds_and_no_single_value_can_be_had_for_less(
    groups: list[list[int]], weights: list[int], signs: list[bool], bits: list[bool], odd: bool
) -> None:
    model = {var if bit else -var for var, bit in enumerate(bits, start=1)}
    constraints: list[Constraint] = [
        PseudoBoolean(group, range(1, len(group) + 1), lower=sum(var in model for var in group))
        for group in groups
    ]
    if odd:
        constraints.append(Parity([1, 2], odd=(1 in model) != (2 in model)))
    problem = Problem(5, tuple(constraints))
    terms = {
        var if sign else -var: weight
        for var, (weight, sign) in enumerate(zip(weights, signs, strict=True), start=1)
        if weight
    }
    better = Descent(problem, terms).improved(model)
    assert {abs(lit) for lit in better} == {1, 2, 3, 4, 5}
    assert all(lit in terms for lit in model - better)
    assert all(constraint.holds(better) for constraint in constraints)
    for lit in better & {*terms}:
        other = better - {lit} | {-lit}
        assert not all(constraint.holds(other) for constraint in constraints)


def test_a_solver_that_forgets_variables_gets_linear_search() -> None:
    outcome = solve(crowded(), Settings(solver="lingeling"), seconds=60)
    assert (outcome.status, outcome.value) == (Status.OPTIMUM, 1)
    with pytest.raises(SolverError, match="lingeling forgets variables"):
        Settings("core-guided", "lingeling")


def test_strategies_take_turns_and_a_question_that_is_put_off_is_asked_again() -> None:
    problem = crowded()
    solver = PysatSolver("minisat22")
    sink = LiveSink(solver)
    sink.new_vars(problem.num_vars)
    for constraint in problem.constraints:
        encode(constraint, sink, "direct")
    search = Search(problem, None, sink, lambda model, cost: None)
    everybody = [-lit for lit in problem.objective.lits] if problem.objective else []
    asked: list[str] = []

    def hard() -> Strategy:
        answer = yield SolverQuestion(everybody)
        asked.append("hard")
        assert isinstance(answer, Unsatisfied)
        search.exhaust()

    def easy() -> Strategy:
        for _ in range(2):
            yield SolverQuestion()
            asked.append("easy")

    take_turns(search, [hard(), easy()], lambda: False)
    solver.close()
    assert asked == ["easy", "easy", "hard"]


def test_cores_that_propagation_finds_come_before_those_by_weight() -> None:
    # By weight alone these take more than 100,000 conflicts.
    for seed in (1, 2, 3):
        problem = drawn("facilities", 24, seed).problem
        costs = list(problem.objective.weights)
        opening, serving = costs[:8], [costs[8 * (1 + c) : 8 * (2 + c)] for c in range(24)]
        least = min(
            sum(opening[p] for p in chosen) + sum(min(row[p] for p in chosen) for row in serving)
            for k in range(1, 9)
            for chosen in combinations(range(8), k)
        )
        best = solve(problem, strategy="core-guided")
        assert (best.status, best.value) == (Status.OPTIMUM, least)
        assert best.conflicts < 20_000
