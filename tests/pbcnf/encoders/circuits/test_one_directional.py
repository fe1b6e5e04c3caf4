"""Networks of one direction with values left out: the same outputs, the same propagation."""

from itertools import product

import pytest
from pysat.solvers import Solver

from pbcnf import Formula
from pbcnf.encoders.circuits import one_directional
from pbcnf.encoders.circuits.networks import sorting_network
from pbcnf.encoders.counter import Direction
from tests.pbcnf.emitted import size_of

ONE_WAY = (Direction.AT_MOST, Direction.AT_LEAST)


def emitted(emit, n, directions):
    """Return the outputs and the formula."""
    formula = Formula(num_vars=n)
    return emit(range(1, n + 1), directions, formula), formula


def both(n, directions, first, last):
    network = sorting_network(n, first, last)
    return (
        emitted(network.emit, n, directions),
        emitted(lambda *rest: one_directional.emit(network, *rest), n, directions),
    )


@pytest.mark.parametrize("directions", ONE_WAY)
@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_unit_propagation_finds_the_same_of_inputs_and_outputs(n, directions):
    for first, last in product(range(1, n + 1), repeat=2):
        if first > last:
            continue
        found = []
        for outputs, formula in both(n, directions, first, last):
            shown = [*range(1, n + 1), *outputs]
            with Solver("minisat22", bootstrap_with=formula.clauses()) as solver:
                for values in product((0, 1, -1), repeat=len(shown)):
                    given = [v * lit for v, lit in zip(values, shown, strict=True) if v]
                    consistent, known = solver.propagate(given)
                    places = {abs(lit): place for place, lit in enumerate(shown)}
                    known = {(places[abs(lit)], lit > 0) for lit in known if abs(lit) in places}
                    found.append((values, consistent, known if consistent else None))
        half = len(found) // 2
        assert found[:half] == found[half:], (first, last)


@pytest.mark.parametrize("directions", Direction)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 16, 33, 100])
def test_the_predicted_size_is_the_emitted_size_and_no_larger_than_the_networks(n, directions):
    for first, last in [(1, n), (n, n), (1, 1), (n // 2 + 1, n // 2 + 1)]:
        network = sorting_network(n, first, last)
        formula = Formula(num_vars=n)
        one_directional.emit(network, range(1, n + 1), directions, formula)
        now = size_of(formula, n)
        assert one_directional.size(network, directions) == now
        whole = network.size(directions)
        assert now.variables <= whole.variables
        assert now.clauses <= whole.clauses
        used = {abs(lit) for clause in formula.clauses() for lit in clause}
        assert used >= set(range(n + 1, formula.num_vars + 1))
