"""CPMpy over our encodings, as docs/from_pysat.md says: its answers are those of trying all."""

import json
from importlib.util import find_spec
from itertools import product

import pytest

from tests.commands import python

pytestmark = pytest.mark.skipif(find_spec("cpmpy") is None, reason="cpmpy is not installed")

PROGRAM = """
import json, sys
sys.modules["highspy"] = None
import cpmpy as cp
from cpmpy.solvers.pysat import CPM_pysat
from cpmpy.solvers.rc2 import CPM_rc2
from pbcnf.pysat import card, pb

def derived(base):
    names = {"_card": card, "_pb": pb, "supported": staticmethod(lambda: True)}
    return type("CPM_pbcnf", (base,), names)

way, task, weights, bound = json.loads(sys.argv[1])
if way == "weighted sums alone":
    CPM_pysat._pb, derived = pb, lambda base: base
x, b = cp.boolvar(shape=5), cp.boolvar()
if task == "greatest":
    model = cp.Model(cp.sum([3, 5, 7, 2, 9] * x) <= bound, maximize=cp.sum(weights * x))
    solver = derived(CPM_rc2)(model)
    assert solver.solve()
    print(solver.objective_value())
else:
    model = cp.Model(cp.sum(weights * x) <= bound, b.implies(cp.sum(x) >= 3), b | x[0])
    solver, found = derived(CPM_pysat)(model), []
    while solver.solve():
        found.append([int(each.value()) for each in (*x, b)])
        solver += cp.any([each != value for each, value in zip((*x, b), found[-1])])
    print(sorted(found))
"""
WAYS = ("whole modules", "weighted sums alone")


def answer(*task):
    """What a process of its own says: beside CPMpy's OR-Tools, HiGHS cannot be loaded."""
    ended = python("-c", PROGRAM, json.dumps(task))
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def total(weights, values):
    return sum(weight for weight, value in zip(weights, values, strict=True) if value)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("bound", [-4, 6])
def test_weighted_sums_have_the_solutions_of_arithmetic(way, bound):
    weights = [4, -6, 9, 2, -11]
    assert answer(way, "all", weights, bound) == [
        [*x, b]
        for *x, b in product((0, 1), repeat=6)
        if total(weights, x) <= bound and (not b or sum(x) >= 3) and (b or x[0])
    ]


@pytest.mark.parametrize("way", WAYS)
def test_optima_are_the_greatest_sums(way):
    weights = [4, -6, 9, 2, 11]
    assert answer(way, "greatest", weights, 14) == max(
        total(weights, x) for x in product((0, 1), repeat=5) if total([3, 5, 7, 2, 9], x) <= 14
    )
