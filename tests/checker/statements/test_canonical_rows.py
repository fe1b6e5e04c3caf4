"""The canonical rows have exactly the solutions of the statements, each of them once."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from satsweeper.checker.statements.canonical_rows import CanonicalRows
from satsweeper.checker.statements.reading import read_statements
from satsweeper.checker.sums_recheck import SumInequality
from scripts.fuzzing.plain_statements import KINDS, content, drawn, kind_of, meets, values_of


def canonical(file) -> CanonicalRows:
    return CanonicalRows(read_statements(content(file), "s.json"))


def reached(file) -> set[int]:
    """The nodes that the statements speak of."""
    uses = read_statements(content(file), "s.json").uses
    found: set[int] = set()
    waiting = [*file["statements"]]
    while waiting:
        at = waiting.pop()
        waiting += uses[at] - found
        found.add(at)
    return found


def propagated(rows: list[SumInequality], given: dict[int, int]) -> dict[int, int] | None:
    """All values that follow by propagation from those given; None for a contradiction."""
    fixed = dict(given)
    before = -1
    while before < len(fixed):
        before = len(fixed)
        for left, bound in rows:
            slack = -bound
            for v, c in left.items():
                slack += c * fixed[v] if v in fixed else max(c, 0)
            if slack < 0:
                return None
            for v, c in left.items():
                if v not in fixed and abs(c) > slack:
                    fixed[v] = int(c > 0)
    return fixed


def compare_with_meaning(file) -> tuple[int, int]:
    """Try all values of Booleans and order literals; return how many are solutions, and not."""
    rows = canonical(file)
    booleans = file["booleans"]
    domains = [values_of(integer["domain"]) for integer in file["integers"]]
    order = sum(len(values) - 1 for values in domains)
    counts = Counter[bool]()
    for bits in product((0, 1), repeat=booleans + order):
        at, integers, increasing = booleans, [], True
        for values in domains:
            steps = bits[at : at + len(values) - 1]
            at += len(steps)
            increasing = increasing and [*steps] == sorted(steps, reverse=True)
            integers.append(values[sum(steps)])
        wanted = increasing and meets(file, bits[:booleans], tuple(integers))
        found = propagated(rows.rows, dict(enumerate(bits, start=1)))
        assert (found is not None) == wanted, f"{file}: {bits}"
        # Propagation fixes every variable: so the extension is the only one.
        assert found is None or len(found) == rows.variables, file
        counts[wanted] += 1
    return counts[True], counts[False]


def check_seeds(seeds: range, **sizes: int) -> None:
    kinds = Counter[str]()
    solved = unsolved = 0
    for seed in seeds:
        file = drawn(Random(seed), **sizes)
        if canonical(file).variables > 250:
            continue
        yes, no = compare_with_meaning(file)
        solved, unsolved = solved + yes, unsolved + no
        kinds.update(kind_of(file["nodes"][at]) for at in reached(file))
    assert min(solved, unsolved) > len(seeds)
    assert {*kinds} == {*KINDS}


def test_random_statements_have_the_solutions_of_their_rows_once():
    check_seeds(range(200))


@pytest.mark.slow
def test_many_random_statements_have_the_solutions_of_their_rows_once():
    check_seeds(range(1000, 4000))
    check_seeds(range(300), booleans=6, integers=3, values=5)
