"""Values of arguments that the scripts share, and a figure that several of them print."""

import argparse
import math
from collections.abc import Sequence


def names(text: str) -> list[str]:
    """Names with commas between them."""
    return [name for name in text.split(",") if name]


def positive(text: str) -> int:
    """A number above 0; argparse.ArgumentTypeError or ValueError for anything else."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("1 at least")
    return value


def percentile(times: Sequence[float], per_cent: int = 99) -> float:
    """The smallest time that so many per cent of all do not exceed."""
    return sorted(times)[math.ceil(per_cent * len(times) / 100) - 1]
