"""Random small problems, drawn as text of each format, against all assignments."""

import io
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

import pytest

from pbcnf import read_problem
from pbcnf.constraints.problem import Problem
from satsweeper.optimisation import STRATEGIES, Outcome, Settings, Status, solve
from satsweeper.optimisation.linear import COUNTERS

Bits = tuple[int, ...]
Value = Callable[[Bits], int | None]
"""The objective of an assignment, None where it is no model."""
Sum = tuple[list[tuple[int, int]], int]
"""Terms of a weight and a literal, and what they are to reach."""


def true(lit: int, bits: Bits) -> int:
    return bits[abs(lit) - 1] if lit > 0 else 1 - bits[abs(lit) - 1]


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


def drawn(format: str, seed: int) -> tuple[Problem, Value, int, int]:
    draw = Random(f"{format} {seed}")
    n = draw.randint(1, 7)
    text, value, better = FORMATS[format](draw, n)
    return read_problem(io.BytesIO(f"{text}\n".encode()), f"drawn.{format}"), value, better, n


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
def test_every_way_to_search_finds_the_best_of_all_assignments(format: str, seed: int) -> None:
    for drawing in range(4):
        problem, value, better, n = drawn(format, 100 * seed + drawing)
        values = [found for bits in product((0, 1), repeat=n) if (found := value(bits)) is not None]
        best = max(values, key=lambda each: better * each) if values else None
        for settings in ways():
            outcome, shown = solved(problem, settings, value, n)
            if best is None:
                assert (outcome.status, outcome.model) == (Status.UNSATISFIABLE, None)
                continue
            assert outcome.model is not None
            assert value(tuple(int(lit > 0) for lit in outcome.model[:n])) == best
            if problem.objective is None:
                assert (outcome.status, outcome.value) == (Status.SATISFIABLE, None)
                continue
            assert outcome.status is Status.OPTIMUM
            assert outcome.value == outcome.bound == best == shown[-1]
            # Each was better than the one before.
            assert [better * each for each in shown] == sorted({better * each for each in shown})
