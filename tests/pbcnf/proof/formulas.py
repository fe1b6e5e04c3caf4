"""Formulas, solvers' proofs, and oracles that know no propagation and no watched literals."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, product
from typing import Any

from pysat.solvers import Solver

from pbcnf.proof import Addition, DratStep, LratDeletion, LratStep

Clauses = list[list[int]]
RIGHT = ["cadical153", "cadical195", "glucose4", "maplechrono", "lingeling"]
"""Solvers whose proofs are right."""


def pigeonhole(holes: int) -> Clauses:
    """One pigeon too many."""
    at = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    housed = [[at[p, h] for h in range(holes)] for p in range(holes + 1)]
    pairs = [*combinations(range(holes + 1), 2)]
    return housed + [[-at[p, h], -at[q, h]] for h in range(holes) for p, q in pairs]


def extended_resolution(holes: int) -> list[DratStep]:
    """Cook's short refutation of the pigeonhole formula, which defines a smaller one in each round.

    Pigeon p sits in hole h of the smaller formula if it does so in the larger one, or if it sits
    in the last hole there and the last pigeon in h. Reference: Cook, SIGACT News 8(4), 1976.
    """
    steps: list[DratStep] = []
    at = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    fresh = (holes + 1) * holes
    for size in range(holes, 1, -1):
        smaller = {}
        for p in range(size):
            for h in range(size - 1):
                fresh += 1
                old, last, moved = at[p, h], at[p, size - 1], at[size, h]
                smaller[p, h] = fresh
                lemmas = [(fresh, -old), (fresh, -last, -moved), (-fresh, old, last)]
                steps += map(Addition, [*lemmas, (-fresh, old, moved)])
        for h in range(size - 1):
            for q, p in combinations(range(size), 2):
                steps.append(Addition((-smaller[p, h], -smaller[q, h])))
        for p in range(size):
            steps.append(Addition(tuple(smaller[p, h] for h in range(size - 1))))
        at = smaller
    return steps


def parity(n: int) -> Clauses:
    """x1 + ... + xn is odd along one chain of sums and even along another."""
    clauses: Clauses = []
    fresh = n
    for order, odd in ((range(1, n + 1), 1), (range(n, 0, -1), 0)):
        total = order[0]
        for var in order[1:]:
            fresh += 1
            for a, b in product((1, -1), repeat=2):
                clauses.append([-a * total, -b * var, -fresh if a == b else fresh])
            total = fresh
        clauses.append([total if odd else -total])
    return clauses


def random_clauses(rng: random.Random, num_vars: int, count: int, width: int = 3) -> Clauses:
    variables = range(1, num_vars + 1)
    return [
        [rng.choice((1, -1)) * var for var in rng.sample(variables, min(width, num_vars))]
        for _ in range(count)
    ]


def random_lits(rng: random.Random, most: int, count: int) -> tuple[int, ...]:
    """`count` literals of the variables up to `most`, repeated and opposite ones among them."""
    return tuple(rng.choice((1, -1)) * rng.randint(1, most) for _ in range(count))


def text_of(lines: Sequence[str]) -> bytes:
    return "\n".join(line.strip() for line in lines).encode()


def solver_proof(name: str, clauses: Clauses) -> bytes | None:
    """What a solver logs for a refutation; None if the clauses are satisfiable."""
    with Solver(name, bootstrap_with=clauses, with_proof=True) as solver:
        return None if solver.solve() else text_of(solver.get_proof())


def satisfiable(clauses: Sequence[Sequence[int]]) -> bool:
    """By a solver that logs no proofs."""
    if not all(clauses):
        return False
    with Solver("minisat22", bootstrap_with=[list(clause) for clause in clauses]) as solver:
        return bool(solver.solve())


def changed(rng: random.Random, numbers: tuple[int, ...], most: int) -> tuple[int, ...]:
    """One number dropped, negated, replaced, repeated, or moved to the front."""
    if not numbers:
        return random_lits(rng, most, 1)
    at = rng.randrange(len(numbers))
    kept, one = numbers[:at] + numbers[at + 1 :], numbers[at]
    return rng.choice(
        (
            kept,
            (*numbers[:at], -one, *numbers[at + 1 :]),
            (*numbers[:at], *random_lits(rng, most, 1), *numbers[at + 1 :]),
            (*numbers, one),
            (one, *kept),
        )
    )


def mutated(rng: random.Random, steps: list[Any], change: Callable[..., Any]) -> list[Any]:
    """A step dropped, changed, exchanged with another, or all cut off from it on."""
    found = list(steps)
    if not found:
        return found
    at = rng.randrange(len(found))
    how = rng.choice(("drop", "change", "change", "change", "exchange", "cut"))
    if how == "drop":
        del found[at]
    elif how == "change":
        found[at] = change(found[at])
    elif how == "exchange":
        other = rng.randrange(len(found))
        found[at], found[other] = found[other], found[at]
    else:
        del found[at:]
    return found if found != list(steps) else mutated(rng, steps, change)


def change_drat(rng: random.Random, most: int) -> Callable[[DratStep], DratStep]:
    return lambda step: step._replace(literals=changed(rng, step.literals, most))


def change_lrat(rng: random.Random, most: int, last: int) -> Callable[[LratStep], LratStep]:
    def change(step: LratStep) -> LratStep:
        if isinstance(step, LratDeletion):
            return step._replace(deleted=tuple(map(abs, changed(rng, step.deleted, last))))
        field = rng.choice(("identifier", "literals", "hints", "hints"))
        if field == "identifier":
            return step._replace(identifier=max(1, step.identifier + rng.choice((-1, 1))))
        if field == "literals":
            return step._replace(literals=changed(rng, step.literals, most))
        return step._replace(hints=changed(rng, step.hints, last))

    return change


@cache
def refuted() -> dict[str, Clauses]:
    """Unsatisfiable formulas of up to 40 variables."""
    found = {f"pigeonhole {n}": pigeonhole(n) for n in (3, 5)}
    found |= {f"parity {n}": parity(n) for n in (4, 8)}
    for seed, num_vars in enumerate((6, 10, 20, 30, 40)):
        rng = random.Random(seed)
        clauses = random_clauses(rng, num_vars, 6 * num_vars)
        while satisfiable(clauses):
            clauses = random_clauses(rng, num_vars, 6 * num_vars)
        found[f"random {num_vars}"] = clauses
    return found
