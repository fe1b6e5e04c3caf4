"""PySAT's tools over our `card`: their optima are those of trying every assignment."""

import random

import pytest
from pysat.examples import fm, genhard, hitman, lsu, rc2
from pysat.formula import WCNF
from pysat.solvers import Solver

from pbcnf.pysat import card
from tests.oracles import assignments, satisfied

VARS = 8


@pytest.fixture(autouse=True)
def switched(monkeypatch):
    """What the changed import does to a program: its names are ours."""
    for tool in (fm, genhard, lsu, rc2):
        for name in ("CardEnc", "EncType", "ITotalizer"):
            if hasattr(tool, name):
                monkeypatch.setattr(tool, name, getattr(card, name))


def problem(rng, heaviest):
    def clause(length):
        return [rng.choice((1, -1)) * var for var in rng.sample(range(1, VARS + 1), length)]

    formula, left = WCNF(), [*assignments(VARS)]
    for _ in range(rng.randrange(20)):
        hard = clause(3)
        if any(satisfied([hard], values) for values in left):
            left = [values for values in left if satisfied([hard], values)]
            formula.append(hard)
    for _ in range(rng.randrange(10, 30)):
        formula.append(clause(rng.choice((1, 1, 2, 3))), weight=rng.randint(1, heaviest))
    soft = [*zip(formula.soft, formula.wght, strict=True)]
    return formula, min(sum(w for c, w in soft if not satisfied([c], v)) for v in left)


def cost_of_rc2(formula, kind=rc2.RC2, **options):
    with kind(formula, **options) as tool:
        tool.compute()
        return tool.cost


ALL_OF_IT = {"adapt": True, "exhaust": True, "minz": True, "trim": 5}


@pytest.mark.parametrize("seed", range(12))
def test_core_guided_search_finds_the_least_cost(seed):
    formula, least = problem(random.Random(seed), 9)
    assert cost_of_rc2(formula.copy()) == least
    assert cost_of_rc2(formula.copy(), **ALL_OF_IT) == least
    assert cost_of_rc2(formula.copy(), solver="mc", **ALL_OF_IT) == least
    assert cost_of_rc2(formula, rc2.RC2Stratified, **ALL_OF_IT) == least


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("encoding", range(card.EncType.native))
def test_other_searches_find_the_least_cost(seed, encoding):
    formula, least = problem(random.Random(seed), 1)
    malik = fm.FM(formula.copy(), enc=encoding, verbose=0)
    assert malik.compute()
    assert malik.cost == least
    linear = lsu.LSU(formula, solver="g4")
    assert linear.solve()
    assert linear.cost == least


def test_hitting_sets_come_smallest_first():
    sets = [[1, 2], [2, 3], [3, 4], [4, 5]]
    with hitman.Hitman(sets, htype="sorted") as found:
        sizes = [len(each) for each in found.enumerate()]
    assert sizes == sorted(sizes)
    assert sizes[0] == 2


@pytest.mark.parametrize("size", [2, 3])
def test_hard_formulas_stay_unsatisfiable(size):
    for formula in (genhard.PAR(size), genhard.CB(size), genhard.CB(size, exhaustive=True)):
        with Solver("m22", bootstrap_with=formula) as solver:
            assert not solver.solve()
