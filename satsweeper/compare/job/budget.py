"""The least budget of conflicts that decides: a measure that no clock, load or machine moves."""

from collections.abc import Callable


def least_budget(decides: Callable[[int], bool], guess: int) -> int:
    """The least number b >= 1 with ``decides(b)``; ``decides(b - 1)`` was seen to fail if b > 1.

    Not 0: PySAT takes that for no limit at all. Each call starts from nothing, so that it says the
    same every time. The search goes from ``guess`` in steps that double, then halves what is
    between. Budgets should decide from some number on; where a solver is not that regular, b is one
    of its thresholds. (Glucose looks at its budget only when it restarts.)

    >>> least_budget(lambda conflicts: conflicts >= 17, guess=16)
    17
    """
    guess, step = max(guess, 1), 1
    if decides(guess):
        least, below = guess, 0
        while least > 1:
            lower = max(least - step, 1)
            if not decides(lower):
                below = lower
                break
            least, step = lower, 2 * step
    else:
        below, least = guess, guess + 1
        while not decides(least):
            below, step = least, 2 * step
            least = below + step
    while least - below > 1:
        middle = (below + least) // 2
        if decides(middle):
            least = middle
        else:
            below = middle
    return least
