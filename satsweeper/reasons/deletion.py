"""Selectors left out one by one, until each of those that are left is needed."""

from __future__ import annotations

from collections.abc import Sequence

from satsweeper.solvers.protocol import LiveSolver, Unknown, Unsatisfied


def shrink(
    solver: LiveSolver, core: Sequence[int], literals: Sequence[int], effort: int
) -> tuple[list[int], bool]:
    """Return a subset of ``core`` that contradicts ``literals``, and whether it is irreducible.

    The second value is False if the effort was used up first.

    Args:
        solver: the live solver.
        core: selectors that contradict ``literals``, tried in this order.
        literals: further assumptions.
        effort: the number of conflicts of ``solver`` since its creation at which to stop.
    """
    # Invariant: ``kept`` contradicts ``literals``, and every selector before ``position`` is
    # needed: without it there is a model (deletion-based MUS extraction).
    kept = list(core)
    position = 0
    while position < len(kept):
        tried = kept[:position] + kept[position + 1 :]
        left = effort - solver.conflicts()
        if left <= 0:
            return kept, False
        answer = solver.solve([*tried, *literals], left)
        if isinstance(answer, Unknown):
            return kept, False
        if isinstance(answer, Unsatisfied):
            still = set(answer.core)
            # Needed selectors are in every core, so the positions before stay the same.
            kept = [selector for selector in tried if selector in still]
        else:
            # A model under all other selectors: this selector is needed in ``kept``, and in every
            # subset of ``kept``, as the model satisfies the rest of any subset.
            position += 1
    return kept, True
