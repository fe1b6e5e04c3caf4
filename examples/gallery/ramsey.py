"""Ramsey: friends and strangers among five people without three of either; six are too many."""

from itertools import combinations

from pysat.solvers import Solver

from pbcnf.language import Builder


def party(people):
    """Return who are friends, None if there must be three friends or three strangers."""
    b = Builder()
    friends = {pair: b.boolean(pair) for pair in combinations(range(people), 2)}
    for p, q, r in combinations(range(people), 3):
        known = friends[p, q] + friends[q, r] + friends[p, r]
        b.add(known >= 1, known <= 2)
    with Solver(bootstrap_with=b.formula()) as solver:
        return b.decode(solver.get_model()) if solver.solve() else None


answer = next(n for n in range(2, 10) if party(n) is None)
print(f"R(3, 3) = {answer};", *(pair for pair, there in party(answer - 1).items() if there))
