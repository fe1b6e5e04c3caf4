"""PySAT's tools over our `card`: their optima are those of trying every assignment."""

import random
from itertools import combinations

import pytest
from pysat.examples import fm, genhard, hitman, lsu, optux, rc2
from pysat.formula import CNF, WCNF, CNFPlus, IDPool
from pysat.solvers import Solver

from pbcnf.pysat import card
from tests.oracles import assignments, satisfied, true_literals, weighted_sum

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


@pytest.mark.parametrize("seed", range(4))
def test_enumerated_optima_come_in_order_of_cost_and_none_is_missing(seed):
    rng = random.Random(seed)
    hard = [[rng.choice((1, -1)) * var for var in rng.sample(range(1, 6), 3)] for _ in range(4)]
    weights = [rng.randint(1, 4) for _ in range(5)]
    formula = WCNF()
    formula.extend(hard)
    formula.extend([[-var] for var in range(1, 6)], weights=weights)
    left = [bits for bits in assignments(5) if satisfied(hard, bits)]
    costs = sorted(weighted_sum(range(1, 6), bits, weights) for bits in left)
    with rc2.RC2(formula) as tool:
        found = [(tool.cost, tuple(model[:5])) for model in tool.enumerate()]
    assert [cost for cost, _ in found] == costs
    assert len({model for _, model in found}) == len(left)


@pytest.mark.parametrize("seed", range(6))
def test_unsatisfiable_subsets_come_smallest_first(seed):
    rng, clauses = random.Random(seed), []
    while any(satisfied(clauses, bits) for bits in assignments(4)):
        lits = rng.sample(range(1, 5), rng.choice((1, 2, 2)))
        clauses.append([rng.choice((1, -1)) * var for var in lits])
    least = next(
        size
        for size in range(len(clauses) + 1)
        for chosen in combinations(clauses, size)
        if not any(satisfied(chosen, bits) for bits in assignments(4))
    )
    with optux.OptUx(CNF(from_clauses=clauses).weighted()) as tool:
        assert len(tool.compute()) == least


def test_hitting_sets_come_smallest_first():
    sets = [[1, 2], [2, 3], [3, 4], [4, 5]]
    with hitman.Hitman(sets, htype="sorted") as found:
        sizes = [len(each) for each in found.enumerate()]
    assert sizes == sorted(sizes)
    assert sizes[0] == 2


SOLVERS = ["cadical153", "cadical195", "cadical300", "minisat22", "glucose42"]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("encoding", ["seqcounter", "cardnetwrk", "totalizer", "kmtotalizer"])
def test_propagation_after_a_search_refutes_no_assumptions_that_have_a_model(solver, encoding):
    """Some version of CaDiCaL does, over many auxiliary variables that occur in few clauses."""
    rng, pool = random.Random(encoding), IDPool(start_from=2 * VARS + 1)
    rows = [[*range(1, VARS + 1)], [*range(5, 2 * VARS + 1)], [*range(1, 2 * VARS, 2)]]
    bounds = [(lits, rng.randrange(2, 6)) for lits in rows]
    formula = CNFPlus()
    for lits, bound in bounds:
        kind = getattr(card.EncType, encoding)
        formula.extend(card.CardEnc.equals(lits, bound, vpool=pool, encoding=kind))
    left = [
        true_literals(bits)
        for bits in assignments(2 * VARS)
        if all(sum(bits[lit - 1] for lit in lits) == bound for lits, bound in bounds)
    ]
    assert left
    with Solver(solver, bootstrap_with=formula) as live:
        for _ in range(40):
            variables = rng.sample(range(1, 2 * VARS + 1), rng.randrange(1, 8))
            assumed = [rng.choice((1, -1)) * var for var in variables]
            fitting = [model for model in left if model.issuperset(assumed)]
            assert live.solve(assumed) == bool(fitting)
            fine, implied = live.propagate(assumed)
            assert fine or not fitting
            shown = {lit for lit in implied if abs(lit) <= 2 * VARS}
            assert not fine or all(shown <= model for model in fitting)


def test_a_pool_that_knows_the_variables_of_a_solver_gives_none_of_them_to_a_constraint():
    """CaDiCaL 3 adds variables of its own where a pool is attached to it; pigeons make it do so."""
    pool = IDPool(start_from=74)
    pigeons = [[p * 8 + h + 1 for h in range(8)] for p in range(9)]
    clauses = [[-73, *row] for row in pigeons]
    clauses += [
        lits
        for hole in zip(*pigeons, strict=True)
        for lits in card.CardEnc.atmost(hole, 1, encoding=card.EncType.pairwise).clauses
    ]
    with Solver("cadical300", bootstrap_with=clauses, sync_with=pool) as live:
        live.conf_budget(1000)
        live.solve_limited([73])
        assert pool.top > 73, "it made no variable: the test shows nothing"
        totalizer = card.EncType.totalizer
        live.append_formula(card.CardEnc.atleast(pigeons[0], 5, vpool=pool, encoding=totalizer))
        assert live.solve(pigeons[0][:4])
        live.append_formula(card.CardEnc.atmost(pigeons[0], 5, vpool=pool, encoding=totalizer))
        assert live.solve(pigeons[0][:5])
        assert not live.solve(pigeons[0][:6])
        assert not live.solve([pigeons[0][0], pigeons[1][0]])


@pytest.mark.parametrize("size", [2, 3])
def test_hard_formulas_stay_unsatisfiable(size):
    for formula in (genhard.PAR(size), genhard.CB(size), genhard.CB(size, exhaustive=True)):
        with Solver("m22", bootstrap_with=formula) as solver:
            assert not solver.solve()
