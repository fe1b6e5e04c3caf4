"""Backbones of small formulas against all their models, and bounds on sums in a live solver."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain, permutations, product
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from satsweeper.solvers.backbone import Backbone
from satsweeper.solvers.probe import pigeons
from satsweeper.solvers.protocol import Answer, LiveSolver, Satisfied, SolverError
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.search_budget import SearchBudget
from satsweeper.solvers.sink import SolverSink
from satsweeper.solvers.sum_range import range_maker
from tests.oracles import models, true_literals

Clauses = list[list[int]]
SOLVERS = ["minisat22", "cadical195", "glucose4"]
PUNCTUAL = ["minisat22", "cadical195"]
"""Solvers that stop at the very conflict of their budget; glucose goes on to its next restart."""


class Conflicts(SearchBudget):
    """A limit of conflicts a question, without a clock; None for none."""

    def __init__(self, conflicts: int | None) -> None:
        super().__init__()
        self.most = conflicts

    def solve(self, solver: LiveSolver, assumptions: Sequence[int] = ()) -> Answer:
        return solver.solve(assumptions, self.most)


@contextmanager
def live(name: str, clauses: Clauses, variables: int) -> Iterator[SolverSink]:
    with closing(PysatSolver(name)) as solver:
        sink = SolverSink(solver)
        sink.new_vars(variables)
        for clause in clauses:
            sink.add_clause(tuple(clause))
        yield sink


def clauses_over(n: int, most: int) -> st.SearchStrategy[Clauses]:
    literals = st.integers(1, n).flatmap(lambda v: st.sampled_from([v, -v]))
    clause = st.lists(literals, min_size=1, max_size=3, unique_by=abs)
    return st.lists(clause, max_size=most)


formulas = st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), clauses_over(n, 2 * n)))
"""Random clauses; few enough that models are left more often than not."""


def models_of(n: int, clauses: Clauses, assumed: Sequence[int] = ()) -> list[list[int]]:
    fixed = [[lit] for lit in assumed]
    return [sorted(true_literals(m), key=abs) for m in models([*clauses, *fixed], n)]


def common(found: list[list[int]], variables: Sequence[int]) -> set[int]:
    """The literals of the variables that all models share; none if there is no model."""
    shared = set.intersection(*map(set, found)) if found else set()
    return {literal for literal in shared if abs(literal) in variables}


def believing(n: int, clauses: Clauses, seen: list[list[int]]):
    """Check each model on the clauses, as far as it goes, and keep it."""

    def believe(model: list[int]) -> None:
        true = set(model) | {sign * v for v in range(len(model) + 1, n + 1) for sign in (1, -1)}
        assert all(true & set(clause) for clause in clauses)
        seen.append(model)

    return believe


@settings(max_examples=150)
@given(formulas, st.sampled_from(SOLVERS), st.data())
def test_the_backbone_is_what_all_models_share(formula, solver, data):
    n, clauses = formula
    variables = data.draw(st.lists(st.integers(1, n), unique=True, min_size=1))
    assumed = data.draw(st.lists(st.integers(1, n), unique=True, max_size=2))
    assumed = [v * data.draw(st.sampled_from([1, -1])) for v in assumed]
    found = models_of(n, clauses, assumed)
    with live(solver, clauses, n) as sink:
        search = Backbone(sink, variables, believing(n, clauses, []), assumptions=assumed)
        assert search.run(SearchBudget())
    assert search.consistent is bool(found)
    # A variable that no clause has may be in the assumptions alone; then either answer will do.
    met = {abs(literal) for clause in clauses for literal in clause} | set(map(abs, assumed))
    assert search.open == []
    assert sorted(search.proved) == sorted(common(found, variables))
    assert {abs(literal) for literal in search.proved} <= met


@settings(max_examples=100)
@given(formulas, st.sampled_from(SOLVERS), st.sampled_from([0, 1]), st.booleans())
def test_a_stopped_search_keeps_what_it_proved_and_can_be_taken_up_again(
    formula, solver, budget, patient
):
    n, clauses = formula
    found = models_of(n, clauses)
    variables = range(1, n + 1)
    with live(solver, clauses, n) as sink:
        search = Backbone(sink, variables, believing(n, clauses, []))
        for _ in range(3):
            if search.run(Conflicts(budget), patient):
                break
            assert search.consistent is not False
            shared = common(found, variables)
            assert not found or set(search.proved) <= shared
            assert not search.consistent or shared <= {*search.proved, *search.open}
        assert search.run(Conflicts(None), patient)
    assert search.consistent is bool(found)
    assert set(search.proved) == common(found, variables)


@settings(max_examples=100)
@given(formulas, st.sampled_from(SOLVERS), st.data())
def test_known_models_are_used_and_not_asked_for_again(formula, solver, data):
    n, clauses = formula
    found = models_of(n, clauses)
    assume(found)
    known = data.draw(st.lists(st.sampled_from(found), min_size=1, max_size=5))
    seen: list[list[int]] = []
    with live(solver, clauses, n) as sink:
        search = Backbone(sink, range(1, n + 1), believing(n, clauses, seen))
        search.start(known)
        assert search.consistent is True
        assert set(search.open) == set.intersection(*map(set, known))
        assert search.run(SearchBudget())
        assert set(search.proved) == common(found, range(1, n + 1))
        calls = sink.solver.calls
    # Every model found strikes something out, so it was none of the known.
    assert len(seen) <= n
    assert calls <= len(seen) + n


def test_all_models_known_leave_one_question():
    clauses = [[1], [-2], [3, 4]]
    with live("minisat22", clauses, 4) as sink:
        search = Backbone(sink, [1, 2, 3, 4], believing(4, clauses, []))
        search.start(models_of(4, clauses))
        assert search.run(SearchBudget())
        assert (sink.solver.calls, set(search.proved)) == (1, {1, -2})


@settings(max_examples=120)
@given(st.data(), st.sampled_from(SOLVERS), st.sampled_from([0, 1, None]))
def test_classes_of_exchangeable_variables_change_no_answer(data, solver, budget):
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    firsts = [1 + sum(sizes[:k]) for k in range(len(sizes))]
    groups = [list(range(first, first + size)) for first, size in zip(firsts, sizes, strict=True)]
    n = sum(sizes)
    clauses = symmetric(data.draw(clauses_over(n, 4)), groups)
    found = models_of(n, clauses)
    known = data.draw(st.lists(st.sampled_from(found), max_size=3)) if found else []
    several = [group for group in groups if len(group) > 1]
    with live(solver, clauses, n) as sink:
        search = Backbone(sink, range(1, n + 1), believing(n, clauses, []), several)
        search.start(known)
        search.run(Conflicts(budget))
        assert search.run(SearchBudget())
    assert search.consistent is bool(found)
    assert set(search.proved) == common(found, range(1, n + 1))


def symmetric(clauses: Clauses, groups: list[list[int]]) -> Clauses:
    """The clauses and all that come of them when variables of a group change places."""
    result = set()
    for images in product(*(permutations(group) for group in groups)):
        maps = dict(zip(chain(*groups), chain(*images), strict=True))
        for clause in clauses:
            result.add(tuple(maps[abs(v)] * (1 if v > 0 else -1) for v in clause))
    return [list(clause) for clause in sorted(result)]


@pytest.mark.parametrize("solver", PUNCTUAL)
@pytest.mark.parametrize("patient", [True, False])
def test_a_hard_candidate_hides_the_easy_ones_only_without_patience(solver, patient):
    n, clauses = 33, [*pigeons(5, 3), [1], [-2]]
    with live(solver, clauses, n) as sink:
        search = Backbone(sink, [1, 2, 3], believing(n, clauses, []))
        assert search.run(Conflicts(1), patient) is False
        assert search.consistent is True
        assert set(search.proved) == ({1, -2} if patient else set())
        assert set(search.open) == ({-3} if patient else {1, -2, -3})
        assert search.run(Conflicts(None), patient)
    assert set(search.proved) == {1, -2, -3}


@pytest.mark.parametrize("solver", PUNCTUAL)
def test_whether_a_model_exists_may_stay_open_and_is_found_out_later(solver):
    n, clauses = 31, [*pigeons(5, 1), [1]]
    with live(solver, clauses, n) as sink:
        search = Backbone(sink, [1, 2], believing(n, clauses, []))
        assert search.run(Conflicts(1)) is False
        assert search.consistent is None
        assert search.proved == search.open == []
        assert search.run(Conflicts(None))
    assert search.consistent is False


def test_a_model_that_is_not_believed_ends_the_search():
    def believe(model: list[int]) -> None:
        raise ArithmeticError(str(model))

    with live("minisat22", [[1, 2]], 2) as sink, pytest.raises(ArithmeticError):
        Backbone(sink, [1, 2], believe).run(SearchBudget())


@pytest.mark.parametrize("encoding", ["totalizer", "sequential_counter"])
def test_bounds_hold_in_any_order_while_the_range_grows(encoding):
    rng = Random(3)
    n = 9
    literals = [-v if v % 2 else v for v in range(1, n + 1)]
    with live("minisat22", [], n) as sink:
        total = range_maker(encoding)(literals, sink)
        for _ in range(150):
            lower, upper = rng.randint(0, n), rng.randint(0, n)
            fixed = rng.sample(literals, rng.randint(0, n))
            fixed = [lit * rng.choice((1, -1)) for lit in fixed]
            true = sum(lit in literals for lit in fixed)
            answer = sink.solver.solve([*total.assume(lower, upper), *fixed])
            possible = max(lower, true) <= min(upper, true + n - len(fixed))
            assert isinstance(answer, Satisfied) == possible
            if isinstance(answer, Satisfied):
                assert lower <= sum(lit in answer.model[:n] for lit in literals) <= upper


def test_a_counter_is_built_for_the_bounds_that_are_asked_and_refused_if_it_would_be_huge():
    with live("minisat22", [], 200) as sink:
        total = range_maker("totalizer")(range(1, 201), sink)
        total.assume(3, 5)
        narrow = sink.num_clauses
        assert total.assume(4, 5) == [*total.assume(4, 200), *total.assume(0, 5)]
        assert sink.num_clauses == narrow
        total.assume(90, 110)
        assert sink.num_clauses > 3 * narrow
    with live("minisat22", [], 20_000) as sink:
        total = range_maker("totalizer")(range(1, 20_001), sink)
        before = sink.num_clauses
        with pytest.raises(SolverError, match="'totalizer' of 1 <= sum of 20000 <= 10000"):
            total.assume(1, 10_000)
        assert (sink.num_vars, sink.num_clauses) == (20_000, before)
