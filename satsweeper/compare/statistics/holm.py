"""Many tests at once: p-values corrected so that any false claim among them stays rare."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted by Holm's step-down method, in the order given.

    Claiming what is adjusted to below 0.05 makes one false claim or more in at most 5 % of sweeps,
    however the tests depend on each other. S. Holm, A simple sequentially rejective multiple test
    procedure, Scandinavian Journal of Statistics 6 (1979) 65-70.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [1.0] * len(p_values)
    reached = 0.0
    for done, at in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        reached = max(reached, min(1.0, p_values[at] * (len(p_values) - done)))
        adjusted[at] = reached
    return adjusted
