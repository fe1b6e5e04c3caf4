"""Nine golfers play four rounds in three groups of three; no two of them meet twice."""

from itertools import combinations, product

from pysat.solvers import Solver

from pbcnf.language import Builder, at_most_one, exactly_one, total

ROUNDS, GROUPS, SIZE = 4, 3, 3
PLAYERS = range(GROUPS * SIZE)
b = Builder()
plays = {at: b.boolean(at) for at in product(range(ROUNDS), range(GROUPS), PLAYERS)}
for r in range(ROUNDS):
    b.add(*(exactly_one(plays[r, g, p] for g in range(GROUPS)) for p in PLAYERS))
    b.add(*(total(plays[r, g, p] for p in PLAYERS) == SIZE for g in range(GROUPS)))
rounds = list(product(range(ROUNDS), range(GROUPS)))
for p, q in combinations(PLAYERS, 2):
    b.add(at_most_one(plays[r, g, p] & plays[r, g, q] for r, g in rounds))

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
for r in range(ROUNDS):
    print(*([p for p in PLAYERS if answer[r, g, p]] for g in range(GROUPS)))
