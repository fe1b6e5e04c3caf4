"""Meanings of auxiliary variables, read off the clauses: how many of which inputs are true."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pbcnf.audit.examination import Propagator
from pbcnf.audit.scenarios import total_assignments
from pbcnf.literals import Clause

MOST_INPUTS: Final = 10
"""The most inputs for which all assignments are tried."""


def meanings(weights: Sequence[int], num_vars: int, clauses: Sequence[Clause]) -> dict[int, str]:
    """Return the auxiliary variables that stand for a sum or a parity of inputs, with words.

    Inputs are the variables from 1 on, with these weights. Each assignment of them is propagated;
    a variable that becomes true, or false, exactly where some inputs have a sum from a number on,
    means that. Assignments that the clauses forbid say nothing, and unit clauses on auxiliary
    variables are left out, as they say what must not be and not what a variable means. Empty for
    more than ``MOST_INPUTS`` inputs, and where there is an empty clause.
    """
    n = len(weights)
    if not 0 < n <= MOST_INPUTS or () in clauses:
        return {}
    kept = [clause for clause in clauses if len(clause) > 1 or abs(clause[0]) <= n]
    scenarios = total_assignments(n)
    known, live = Propagator(num_vars, kept).start(scenarios)
    whole = Propagator(num_vars, clauses)
    met = whole.start(scenarios)[1]
    given = dict(scenarios.given)
    # Number of a scenario -> the values of the inputs there.
    rows = {
        at: tuple(given.get(v, 0) >> at & 1 for v in range(1, n + 1))
        for at in range(scenarios.every.bit_length())
        if live >> at & 1
    }
    found = {}
    for variable in range(n + 1, num_vars + 1):
        for lit in (variable, -variable):
            true = {row: bool(known[lit] >> at & 1) for at, row in rows.items()}
            words = _in_words(true, weights, positive=lit > 0)
            if not words:
                continue
            # A name is true only if all variables can mean at once what their names say.
            meant = (lit, known[lit]), (-lit, scenarios.every & ~known[lit])
            more = replace(scenarios, given=(*scenarios.given, *meant))
            if whole.start(more)[1] == met:
                scenarios = more
                found[variable] = words
                break
    return found


Row = tuple[int, ...]


def _in_words(true: dict[Row, bool], weights: Sequence[int], positive: bool) -> str:
    """Return the sum or parity of inputs that these values are; "" for nothing of that kind."""
    inputs = [at for at in range(len(weights)) if _matters(true, at)]
    if not inputs:
        return ""
    sums = {row: sum(weights[at] * row[at] for at in inputs) for row in true}
    reached = sorted({sums[row] for row, holds in true.items() if holds})
    missed = sorted({sums[row] for row, holds in true.items() if not holds})
    names = _names([at + 1 for at in inputs])
    if reached[0] > missed[-1]:
        return _at_least(reached[0], missed[-1], [weights[at] for at in inputs], names, positive)
    if missed[0] > reached[-1]:
        most = [weights[at] for at in inputs]
        return _at_least(missed[0], reached[-1], most, names, not positive)
    counts = {row: sum(row[at] for at in inputs) for row in true}
    odd = {counts[row] % 2 for row, holds in true.items() if holds}
    even = {counts[row] % 2 for row, holds in true.items() if not holds}
    if odd.isdisjoint(even):
        return f"{'odd' if (odd == {1}) == positive else 'even'}: {names}"
    return ""


def _matters(true: dict[Row, bool], at: int) -> bool:
    """Whether some assignment changes the value when the input `at` alone changes."""
    for row, holds in true.items():
        other = (*row[:at], 1 - row[at], *row[at + 1 :])
        if true.get(other, holds) != holds:
            return True
    return False


def _at_least(least: int, below: int, weights: list[int], names: str, positive: bool) -> str:
    """Return a bound in words; no assignment has a sum between `below` and `least`."""
    n = len(weights)
    if n == 1:
        return names if positive else f"not {names}"
    if max(weights) == 1:
        if least == 1:
            return f"{'any' if positive else 'none'} of {names}"
        if least == n and positive:
            return f"all of {names}"
        return f"{'≥' if positive else '<'}{least} of {names}"
    # The least sum of the inputs that is enough, whether other clauses allow it or not.
    enough = min(total for total in _sums(weights) if total > below)
    return f"{names} {'≥' if positive else '<'} {min(enough, least)}"


def _sums(weights: Sequence[int]) -> set[int]:
    sums = {0}
    for weight in weights:
        sums |= {total + weight for total in sums}
    return sums


def _names(numbers: Sequence[int]) -> str:
    """Return x1…x4 for numbers that follow each other, else each name."""
    return ",".join(_runs(numbers))


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    start = before = numbers[0]
    for number in [*numbers[1:], 0]:
        if number == before + 1:
            before = number
            continue
        run = (start, before) if before - start < 2 else ()
        yield ",".join(f"x{v}" for v in dict.fromkeys(run)) if run else f"x{start}…x{before}"
        start = before = number
