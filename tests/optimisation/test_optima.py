"""Optima of small problems, drawn as text of each format or built, against all assignments."""

import io
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Builder, Problem, maximum, read_problem
from satsweeper.optimisation import STRATEGIES, Outcome, Settings, Status, solve
from satsweeper.optimisation.linear import COUNTERS
from satsweeper.solvers.protocol import SolverError, SolverFailedError
from tests.oracles import value as true

Bits = tuple[int, ...]
Value = Callable[[Bits], int | None]
"""The objective of an assignment, None where it is no model."""
Sum = tuple[list[tuple[int, int]], int]
"""Terms of a weight and a literal, and what they are to reach."""


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
def test_every_way_to_search_finds_the_best_of_all_assignments(format, seed):
    for drawing in range(4):
        problem, value, better, n = drawn(format, 100 * seed + drawing)
        values = [found for bits in product((0, 1), repeat=n) if (found := value(bits)) is not None]
        best = max(values, key=lambda each: better * each) if values else None
        for way in ways():
            outcome, shown = solved(problem, way, value, n)
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


# -- Builders solved in one call: optima and values by name, as brute force finds them.


WEIGHTS = st.lists(st.integers(-5, 5), min_size=4, max_size=4)


def weighed(weights, x, y, m, n):
    return weights[0] * x + weights[1] * y + weights[2] * m + weights[3] * n


@settings(max_examples=60)
@given(WEIGHTS, WEIGHTS, st.integers(-9, 9), st.booleans(), st.sampled_from([*STRATEGIES, None]))
def test_the_optimum_and_the_values_are_those_of_brute_force(
    asked, limited, bound, maximise, strategy
):
    builder = Builder()
    x, y = builder.booleans("xy")
    m, n = builder.integer("m", -2, 2), builder.integer("n", domain=[0, 3, 4])
    builder.add(weighed(limited, x, y, m, n) <= bound, x | (m == n))
    ask = builder.maximise if maximise else builder.minimise
    ask(weighed(asked, x, y, m, n) + maximum([m, n]))
    found = []
    best = solve(
        builder, strategy=strategy, seconds=60, found=lambda values, value: found.append(value)
    )
    possible = {
        (p, q, i, j): weighed(asked, p, q, i, j) + max(i, j)
        for p, q, i, j in product((0, 1), (0, 1), range(-2, 3), (0, 3, 4))
        if weighed(limited, p, q, i, j) <= bound and (p or i == j)
    }
    if not possible:
        assert (best.status, best.values, best.value) == (Status.UNSATISFIABLE, {}, None)
        return
    assert best.status is Status.OPTIMUM
    assert best.value == (max if maximise else min)(possible.values())
    assert list(best.values) == ["x", "y", "m", "n"]
    assert possible[tuple(best.values.values())] == best.value
    assert found[-1] == best.value


def test_without_an_objective_it_is_decided():
    builder = Builder()
    x, n = builder.boolean(("x", 1)), builder.integer("n", 0, 9)
    builder.add(~x, n * n == 49)
    assert solve(builder).status is Status.SATISFIABLE
    assert solve(builder, Settings(solver="minisat22")).values == {("x", 1): False, "n": 7}
    builder.add(n != 7)
    assert (solve(builder).status, solve(builder).values) == (Status.UNSATISFIABLE, {})


def test_a_problem_goes_through_as_it_is():
    builder = Builder()
    builder.minimise(3 - 2 * builder.boolean("x"))
    found = solve(builder.problem(), strategy="linear")
    assert isinstance(found, Outcome)
    assert (found.value, found.model) == (1, (1,))


def test_time_that_is_over_is_said():
    builder = Builder()
    builder.add(builder.boolean("x"))
    found = solve(builder, seconds=0)
    assert (found.status, found.reason, found.values) == (Status.UNKNOWN, "time", {})


def test_other_models_and_strategies_are_refused():
    with pytest.raises(TypeError, match="a Problem or a Builder is solved, not list"):
        solve([[1]])  # type: ignore[call-overload]
    with pytest.raises(SolverError, match="did you mean 'linear'"):
        solve(Builder(), strategy="linaer")


def test_values_that_are_wrong_are_never_returned(monkeypatch):
    builder = Builder()
    x, y = builder.booleans("xy")
    builder.add(x | y)
    builder.minimise(x + y)

    def lying(problem: Problem, *rest: object, **others: object) -> Outcome:
        return Outcome(Status.OPTIMUM, (-1, -2), 0)

    monkeypatch.setattr("satsweeper.optimisation.run.solve", lying)
    with pytest.raises(SolverFailedError, match="does not satisfy what the builder says"):
        solve(builder)
