"""Disguises of a formula: the same formula under other names, and models under the old ones."""

from collections import Counter
from random import Random

import pytest

from pbcnf.formula import Formula
from satsweeper.compare.job.question import Encoded
from satsweeper.compare.job.scramble import RenamedSolver, Renaming, loaded, scrambled
from satsweeper.solvers.protocol import Satisfied, Unsatisfied
from tests.problem_files import formula_of


class Recorder:
    """Takes clauses and answers with a model or a core that it is told."""

    name = "minicard"
    calls = 0

    def __init__(self, answer=None):
        self.clauses, self.bounds, self.asked = [], [], []
        self.answer = answer

    def add_clause(self, clause):
        self.clauses.append(list(clause))

    def add_at_most(self, literals, bound):
        self.bounds.append((list(literals), bound))

    def solve(self, assumptions=(), conflicts=None, seconds=None):
        self.asked.append(list(assumptions))
        return self.answer

    def prefer(self, literals):
        self.asked.append(list(literals))


def some_formula(seed: int) -> Formula:
    rng = Random(seed)
    rows = [rng.sample(range(1, 13), rng.randint(1, 5)) for _ in range(30)]
    return formula_of(12, [[rng.choice((-1, 1)) * v for v in row] for row in rows])


@pytest.mark.parametrize("n", [0, 1, 2, 17])
def test_a_renaming_is_a_permutation_that_keeps_signs(n: int) -> None:
    for seed in range(1, 5):
        renaming = Renaming(seed, n)
        new = renaming.forth(range(1, n + 1))
        assert sorted(new) == list(range(1, n + 1))
        assert renaming.forth(range(-1, -n - 1, -1)) == [-v for v in new]
        assert renaming.forth([n + 3, -n - 4]) == [n + 3, -n - 4]


def test_seed_0_leaves_everything_as_it_is() -> None:
    formula, recorder = some_formula(1), Recorder()
    native = [([3, -1, 2], 2)]
    encoded, renaming = scrambled(Encoded(formula, native), 0)
    assert renaming is None
    assert loaded(encoded, renaming, recorder) is recorder
    assert recorder.clauses == list(formula.clauses())
    assert recorder.bounds == native


@pytest.mark.parametrize("seed", [1, 2, 99])
def test_a_scrambled_formula_is_the_formula_under_other_names(seed: int) -> None:
    formula, recorder = some_formula(2), Recorder()
    native = [([3, -1, 2], 2), ([4, 5, 6], 1)]
    encoded, renaming = scrambled(Encoded(formula, native), seed)
    loaded(encoded, renaming, recorder)
    assert encoded.size == Encoded(formula, native).size
    renamed = [renaming.forth(clause) for clause in formula.clauses()]
    found = [frozenset(clause) for clause in recorder.clauses]
    assert Counter(found) == Counter(map(frozenset, renamed))
    assert sorted(map(len, recorder.clauses)) == sorted(map(len, renamed))
    assert recorder.clauses != renamed
    bounds = {(frozenset(renaming.forth(lits)), bound) for lits, bound in native}
    assert {(frozenset(lits), bound) for lits, bound in recorder.bounds} == bounds


def test_seeds_scramble_differently_and_each_always_the_same() -> None:
    clauses = []
    for seed in (1, 2, 1):
        recorder = Recorder()
        loaded(*scrambled(Encoded(some_formula(3)), seed), recorder)
        clauses.append(recorder.clauses)
    assert clauses[0] == clauses[2] != clauses[1]


def test_an_empty_clause_becomes_two_that_contradict() -> None:
    for seed in (0, 4):
        recorder = Recorder()
        loaded(*scrambled(Encoded(formula_of(2, [[1], []])), seed), recorder)
        assert [3] in recorder.clauses
        assert [-3] in recorder.clauses


def test_models_cores_and_wishes_are_in_the_users_names() -> None:
    renaming = Renaming(7, 6)
    model = [1, -2, 3, 4, -5, -6, 7]
    told = sorted(renaming.forth(model), key=abs)
    recorder = Recorder(Satisfied(told))
    solver = RenamedSolver(recorder, renaming)
    assert solver.solve([1, -2]) == Satisfied(model)
    assert recorder.asked == [renaming.forth([1, -2])]
    recorder.answer = Unsatisfied(renaming.forth([-2]))
    assert solver.solve([1, -2, 7]) == Unsatisfied([-2])
    solver.prefer([3, -8])
    assert recorder.asked[-1] == [*renaming.forth([3]), -8]
    # Variables behind the end of the solver's model are in no clause.
    recorder.answer = Satisfied(told[:4])
    short = solver.solve().model
    assert [abs(lit) for lit in short] == list(range(1, 7))
    known = {abs(lit) for lit in told[:4]}
    assert [lit for lit in short if abs(renaming.forth([lit])[0]) in known] == [
        lit for lit in model if abs(renaming.forth([lit])[0]) in known
    ]
