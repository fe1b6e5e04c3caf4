"""Searches for optima: what strategies share, models not believed, and the optima themselves."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import combinations, product
from random import Random
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import (
    Builder,
    Cardinality,
    Constraint,
    EncodingError,
    Formula,
    Objective,
    Parity,
    Problem,
    PseudoBoolean,
    encode,
    maximum,
)
from satsweeper.optimisation import STRATEGIES, Outcome, Settings, Status, solve
from satsweeper.optimisation.counters import COUNTERS, MOST_CLAUSES, cost_counter
from satsweeper.optimisation.search import (
    PAUSE,
    Cost,
    Descent,
    LiveSink,
    Search,
    SolverQuestion,
    Strategy,
)
from satsweeper.optimisation.turns import HeadStart, take_turns
from satsweeper.solvers.protocol import Satisfied, SolverError, SolverFailedError, Unsatisfied
from satsweeper.solvers.pysat import PysatSolver
from scripts.bench_solve import drawn
from tests.oracles import assignments, true_literals, weighted_sum
from tests.oracles import value as true
from tests.problem_files import read

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
def test_the_cost_says_of_every_assignment_what_the_objective_says(pairs, constant, maximise):
    lits, weights = (tuple(pair[k] for pair in pairs) for k in (0, 1))
    cost = Cost.of(Objective(lits, weights, constant, maximise))
    assert all(weight > 0 for weight in cost.terms.values())
    assert (cost.unit < 0) == maximise
    for bits in assignments(3):
        said = constant + weighted_sum(lits, bits, weights)
        assert cost.objective(cost.in_model(true_literals(bits))) == said


@pytest.mark.parametrize("name", ["auto", *COUNTERS])
@pytest.mark.parametrize("weights", [(1, 1, 1, 1), (3, 3, 3, 3), (2, 3, 5, 9), (1, 1, 40, 41)])
def test_a_counter_admits_exactly_what_costs_no_more(name, weights):
    paid, most = dict(enumerate(weights, start=1)), sum(weights)
    if name == "totalizer" and len({*weights}) > 1:
        with pytest.raises(EncodingError, match="equal weights"):
            cost_counter(paid, 3, Formula(4), name)
        return
    with closing(PysatSolver("minisat22")) as solver:
        sink = LiveSink(solver)
        sink.new_vars(4)
        counter = cost_counter(paid, most - 1, sink, name)
        for bound in [most - 1, most // 2, 0, most // 3]:
            assumed = counter.at_most(bound)
            for bits in assignments(4):
                answer = solver.solve([*assumed, *true_literals(bits)])
                assert isinstance(answer, Satisfied) == (weighted_sum(paid, bits, weights) <= bound)


def test_of_a_counter_that_is_too_large_no_more_is_made_than_shows_it():
    n = 3_000
    weights = {var: 10**6 + var * var for var in range(1, n + 1)}
    sink = Formula(n)
    cost_counter(weights, sum(weights.values()) // 2, sink).at_most(sum(weights.values()) // 3)
    assert sink.num_clauses < MOST_CLAUSES


def test_the_counter_of_many_different_weights_is_small_beside_a_tree_of_their_sums():
    weights = {var: 1 + var * 37 % 60 for var in range(1, 121)}
    tree, chosen = Formula(120), Formula(120)
    cost_counter(weights, 400, tree, "generalized_totalizer").at_most(300)
    cost_counter(weights, 400, chosen).at_most(300)
    assert chosen.num_clauses < tree.num_clauses / 3


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_limit_leaves_the_best_model_and_a_bound(strategy):
    problem = crowded()
    outcome = solve(problem, Settings(strategy), seconds=1e-6)
    assert (outcome.status, outcome.reason) == (Status.UNKNOWN, "time")
    outcome = solve(problem, Settings(strategy), seconds=0.5)
    assert outcome.status in (Status.SATISFIABLE, Status.OPTIMUM)
    assert problem.holds(set(outcome.model))
    assert outcome.bound in (0, 1)
    assert (outcome.value or 0) >= 1


NEVER, EITHER = Cardinality([], lower=1), Cardinality([1, 2], lower=1)


def test_a_problem_without_variables_or_with_nothing_to_pay_is_answered():
    empty = Objective((), (), 7)
    assert solve(Problem(0, ())).status is Status.SATISFIABLE
    assert solve(Problem(0, (), objective=empty)).value == 7
    assert solve(Problem(0, (NEVER,), objective=empty)).status is Status.UNSATISFIABLE
    assert solve(Problem(2, (NEVER,))).status is Status.UNSATISFIABLE


def test_what_does_not_exist_or_go_together_or_is_too_large_is_refused():
    for wrong in (("lineal",), ("auto", "glucos4"), ("auto", "external:no_such_solver")):
        with pytest.raises(SolverError):
            Settings(*wrong)
    problem = Problem(2, (EITHER,), objective=Objective((1, 2), (1, 2)))
    with pytest.raises(EncodingError, match="leaves no bounds open"):
        solve(problem, Settings("linear", counter="decision_diagram"))
    large = PseudoBoolean(range(1, 40), range(1, 40), upper=300)
    with pytest.raises(EncodingError, match=r"constraint 2: .* more than 100"):
        solve(Problem(39, (EITHER, large)), Settings("linear", most_clauses=100))
    with pytest.raises(TypeError, match="a Problem or a Builder is solved, not list"):
        solve([[1]])  # type: ignore[call-overload]
    with pytest.raises(SolverError, match="did you mean 'linear'"):
        solve(Builder(), strategy="linaer")


def test_a_model_that_does_not_hold_is_not_believed():
    found: list[object] = []
    sink = LiveSink(PysatSolver("minisat22"))
    search = Search(Problem(2, (EITHER,)), None, sink, lambda model, cost: found.append(model))
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
    groups, weights, signs, bits, odd
):
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


def test_a_solver_that_forgets_variables_gets_linear_search():
    outcome = solve(crowded(), Settings(solver="lingeling"), seconds=60)
    assert (outcome.status, outcome.value) == (Status.OPTIMUM, 1)
    with pytest.raises(SolverError, match="lingeling forgets variables"):
        Settings("core-guided", "lingeling")


def test_strategies_take_turns_and_a_question_that_is_put_off_is_asked_again():
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


@pytest.mark.parametrize("lower", [2, 15])
def test_others_wait_where_little_is_left_to_save_but_not_for_ever(lower):
    problem, head_start = crowded(), 100_000
    solver = PysatSolver("minisat22")
    search = Search(problem, None, LiveSink(solver), lambda model, cost: None)
    search.model, search.upper, search.lowers = [1] * problem.num_vars, 16, {0: lower}
    waited: list[int] = []

    def leading() -> Strategy:
        while not search.closed:
            search.charged += 1_000
            yield PAUSE

    def other() -> Strategy:
        yield PAUSE
        waited.append(search.charged)
        search.exhaust()

    take_turns(
        search, [leading(), other()], lambda: False, HeadStart(head_start, 8 * head_start, 8)
    )
    solver.close()
    near = 16 - lower <= 16 / 8
    assert waited[0] >= 8 * head_start if near else waited[0] < 2 * head_start
    assert waited[0] < 32 * head_start


def test_cores_that_propagation_finds_come_before_those_by_weight():
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


# -- Optima of small problems, drawn as text of each format or built, against all assignments.


Bits = tuple[int, ...]
Value = Callable[[Bits], int | None]
"""The objective of an assignment, None where it is no model."""
Sum = tuple[list[tuple[int, int]], int]
"""Terms of a weight and a literal, and what they are to reach."""


def reaches(wanted: Sum, bits: Bits) -> bool:
    terms, least = wanted
    return sum(weight * true(lit, bits) for weight, lit in terms) >= least


def literals(draw: Random, n: int, most: int) -> list[int]:
    chosen = draw.sample(range(1, n + 1), draw.randint(1, min(most, n)))
    return [draw.choice((-1, 1)) * var for var in chosen]


def a_sum(draw: Random, n: int, largest: int) -> Sum:
    terms = [(draw.randint(-largest, largest), lit) for lit in literals(draw, n, 5)]
    return terms, draw.randint(-largest, largest)


def written(terms: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{weight:+d} {'~' * (lit < 0)}x{abs(lit)}" for weight, lit in terms)


def opb(draw: Random, n: int) -> tuple[str, Value, int]:
    largest = draw.choice((1, 3, 20, 10**25))
    sums = [a_sum(draw, n, draw.choice((1, 5))) for _ in range(draw.randint(0, 6))]
    aim = [(draw.randint(-largest, largest), lit) for lit in literals(draw, n, n)]
    word, better = draw.choice((("min", -1), ("max", 1)))
    lines = [f"* #variable= {n} #constraint= {len(sums)}", f"{word}: {written(aim)} ;"]
    lines += [f"{written(terms)} >= {least} ;" for terms, least in sums]

    def value(bits: Bits) -> int | None:
        held = all(reaches(wanted, bits) for wanted in sums)
        return sum(weight * true(lit, bits) for weight, lit in aim) if held else None

    return "\n".join(lines), value, better


def wbo(draw: Random, n: int) -> tuple[str, Value, int]:
    sums = [(a_sum(draw, n, 4), draw.choice((0, 1, 1, 7))) for _ in range(draw.randint(1, 7))]
    top = draw.choice((None, None, 9))
    lines = [f"* #variable= {n} #constraint= {len(sums)}", f"soft: {top or ''} ;"]
    lines += [
        f"{f'[{cost}] ' if cost else ''}{written(terms)} >= {least} ;"
        for (terms, least), cost in sums
    ]

    def value(bits: Bits) -> int | None:
        broken = [cost for wanted, cost in sums if not reaches(wanted, bits)]
        paid = sum(broken)
        return None if 0 in broken or (top is not None and paid >= top) else paid

    return "\n".join(lines), value, -1


def wcnf(draw: Random, n: int) -> tuple[str, Value, int]:
    clauses = [(literals(draw, n, 3), draw.choice((0, 1, 2, 9))) for _ in range(3 * n)]
    old = draw.random() < 0.5
    lines = [f"p wcnf {n} {len(clauses)} 1000"] if old else []
    hard = "1000" if old else "h"
    lines += [f"{cost or hard} {' '.join(map(str, lits))} 0" for lits, cost in clauses]
    # Without a header it takes a hard clause to be known.
    lines += [] if old else [f"h {n} -{n} 0"]

    def value(bits: Bits) -> int | None:
        broken = [cost for lits, cost in clauses if not any(true(lit, bits) for lit in lits)]
        return None if 0 in broken else sum(broken)

    return "\n".join(lines), value, -1


def knf(draw: Random, n: int) -> tuple[str, Value, int]:
    counts = [(literals(draw, n, n), draw.randint(1, 3)) for _ in range(draw.randint(1, 7))]
    lines = [f"p knf {n} {len(counts)}"]
    lines += [f"k {least} {' '.join(map(str, lits))} 0" for lits, least in counts]

    def value(bits: Bits) -> int | None:
        held = all(sum(true(lit, bits) for lit in lits) >= least for lits, least in counts)
        return 0 if held else None

    return "\n".join(lines), value, 0


FORMATS = {"opb": opb, "wbo": wbo, "wcnf": wcnf, "knf": knf}


def drawn_problem(format: str, seed: int) -> tuple[Problem, Value, int, int]:
    draw = Random(f"{format} {seed}")
    n = draw.randint(1, 7)
    text, value, better = FORMATS[format](draw, n)
    return read(f"{text}\n", f"drawn.{format}"), value, better, n


def ways() -> Iterator[Settings]:
    for strategy in STRATEGIES:
        yield Settings(strategy)
        yield Settings(strategy, "cadical195")
    for counter in COUNTERS[1:]:
        yield Settings("linear", counter=counter)
    yield Settings("linear", "lingeling")


def solved(
    problem: Problem, settings: Settings, priced: Value, n: int
) -> tuple[Outcome, list[int]]:
    """What comes out, and the values that were told meanwhile, which are those of the models."""
    shown: list[int] = []

    def told(model: Sequence[int], value: int | None) -> None:
        assert problem.holds(set(model))
        assert (value is None) == (problem.objective is None)
        assert value is None or value == priced(tuple(int(lit > 0) for lit in model[:n]))
        shown.append(value or 0)

    return solve(problem, settings, found=told), shown


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", range(12))
def test_every_way_to_search_finds_the_best_of_all_assignments(format, seed):
    for drawing in range(4):
        problem, value, better, n = drawn_problem(format, 100 * seed + drawing)
        values = [found for bits in product((0, 1), repeat=n) if (found := value(bits)) is not None]
        best = max(values, key=lambda each: better * each) if values else None
        for way in ways():
            outcome, shown = solved(problem, way, value, n)
            if best is None:
                assert (outcome.status, outcome.model) == (Status.UNSATISFIABLE, None)
                continue
            assert value(tuple(int(lit > 0) for lit in outcome.model[:n])) == best
            if problem.objective is None:
                assert (outcome.status, outcome.value) == (Status.SATISFIABLE, None)
                continue
            assert outcome.status is Status.OPTIMUM
            assert outcome.value == outcome.bound == best == shown[-1]
            # Each was better than the one before.
            assert [better * each for each in shown] == sorted({better * each for each in shown})


# -- Builders solved in one call: optima and values by name, as brute force finds them.


WEIGHTS = st.lists(st.integers(-5, 5), min_size=4, max_size=4)


def weighed(weights, x, y, m, n):
    return weights[0] * x + weights[1] * y + weights[2] * m + weights[3] * n


@settings(max_examples=60)
@given(WEIGHTS, WEIGHTS, st.integers(-9, 9), st.booleans(), st.sampled_from([*STRATEGIES, None]))
def test_the_optimum_and_the_values_are_those_of_brute_force(
    asked, limited, bound, maximise, strategy
):
    builder = Builder()
    x, y = builder.booleans("xy")
    m, n = builder.integer("m", -2, 2), builder.integer("n", domain=[0, 3, 4])
    builder.add(weighed(limited, x, y, m, n) <= bound, x | (m == n))
    ask = builder.maximise if maximise else builder.minimise
    ask(weighed(asked, x, y, m, n) + maximum([m, n]))
    told = Mock()
    best = solve(builder, strategy=strategy, seconds=60, found=told)
    possible = {
        (p, q, i, j): weighed(asked, p, q, i, j) + max(i, j)
        for p, q, i, j in product((0, 1), (0, 1), range(-2, 3), (0, 3, 4))
        if weighed(limited, p, q, i, j) <= bound and (p or i == j)
    }
    if not possible:
        assert (best.status, best.values, best.value) == (Status.UNSATISFIABLE, {}, None)
        return
    assert best.status is Status.OPTIMUM
    assert best.value == (max if maximise else min)(possible.values())
    assert list(best.values) == ["x", "y", "m", "n"]
    assert possible[tuple(best.values.values())] == best.value
    assert told.call_args.args[1] == best.value


def test_without_an_objective_it_is_decided_and_time_that_is_over_is_said():
    builder = Builder()
    x, n = builder.boolean(("x", 1)), builder.integer("n", 0, 9)
    builder.add(~x, n * n == 49)
    found = solve(builder, seconds=0)
    assert (found.status, found.reason, found.values) == (Status.UNKNOWN, "time", {})
    assert solve(builder).status is Status.SATISFIABLE
    assert solve(builder, Settings(solver="minisat22")).values == {("x", 1): False, "n": 7}
    builder.add(n != 7)
    assert (solve(builder).status, solve(builder).values) == (Status.UNSATISFIABLE, {})


def test_a_problem_goes_through_as_it_is():
    builder = Builder()
    builder.minimise(3 - 2 * builder.boolean("x"))
    found = solve(builder.problem(), strategy="linear")
    assert isinstance(found, Outcome)
    assert (found.value, found.model) == (1, (1,))


def test_values_that_are_wrong_are_never_returned(monkeypatch):
    builder = Builder()
    x, y = builder.booleans("xy")
    builder.add(x | y)
    builder.minimise(x + y)
    lie = Outcome(Status.OPTIMUM, (-1, -2), 0)
    monkeypatch.setattr("satsweeper.optimisation.run.solve", lambda *given, **options: lie)
    with pytest.raises(SolverFailedError, match="does not satisfy what the builder says"):
        solve(builder)
