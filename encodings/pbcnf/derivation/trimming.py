"""Derivations without what a goal does not need, each step deleted after its last use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from pbcnf.derivation.derivation_state import (
    Combined,
    Deleted,
    Derivation,
    HalfDefinition,
    Propagated,
    Step,
    antecedents,
)


def trimmed(derivation: Derivation, goals: Iterable[int]) -> tuple[Derivation, dict[int, int]]:
    """Return the steps that the constraints `goals` need, and the numbers that the goals get.

    Deletions of `derivation` are left out; a step is deleted after its last use, a goal never.

    >>> whole = Derivation(2)
    >>> used = [whole.add(Propagated((lit,), (1,))) for lit in (1, 2, 3)]
    >>> last = whole.add(Propagated((4,), (3, 5, 2)))
    >>> short, numbers = trimmed(whole, [last])
    >>> short.steps, numbers
    ([Propagated(clause=(1,), ids=(1,)), Propagated(clause=(3,), ids=(1,)), \
Propagated(clause=(4,), ids=(3, 4, 2)), Deleted(ids=(3, 4))], {6: 5})
    """
    wanted = [*goals]
    given, steps = derivation.formula, derivation.additions()
    # Backwards, the first use that is met is the last one of the proof.
    needed = {*wanted}
    last: dict[int, list[int]] = {}
    for number in range(given + len(steps), given, -1):
        if number in needed:
            for used in antecedents(steps[number - given - 1]):
                if used not in needed:
                    needed.add(used)
                    if used > given:
                        last.setdefault(number, []).append(used)
    found = Derivation(given)
    new: dict[int, int] = {}
    for number, step in enumerate(steps, start=given + 1):
        if number in needed:
            new[number] = found.add(_renumbered(step, new))
            found.delete(sorted([new[used] for used in last.get(number, ())]))
    return found, {number: new.get(number, number) for number in wanted}


def left(derivation: Derivation) -> list[int]:
    """Return the numbers of the derived constraints that are not deleted, in order."""
    steps = derivation.steps
    gone = {*chain.from_iterable([step.ids for step in steps if isinstance(step, Deleted)])}
    first = derivation.formula + 1
    return [number for number in range(first, first + derivation.added) if number not in gone]


def _renumbered(step: Step, new: dict[int, int]) -> Step:
    match step:
        case Propagated(clause, ids):
            return Propagated(clause, _all(ids, new))
        case Combined(constraints):
            numbers = [number for number, _ in constraints]
            factors = [factor for _, factor in constraints]
            return step._replace(constraints=tuple(zip(_all(numbers, new), factors, strict=True)))
        case HalfDefinition():
            return step


def _all(numbers: Sequence[int], new: dict[int, int]) -> tuple[int, ...]:
    return tuple([new.get(number, number) for number in numbers])
