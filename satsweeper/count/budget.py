"""Limits of counting: the width of a region, pairs of states, bytes of memory, and time."""

from typing import Final

from pbcnf.wording import counted
from satsweeper.board.errors import LimitError
from satsweeper.processes.deadline import Deadline

MAX_WIDTH: Final = 40
"""Clues open at once, above which a region is refused before any counting."""

MAX_TRIED: Final = 1 << 25
"""Pairs of states compared for a region at the most: some twenty seconds."""

MAX_PAIRS: Final = 1 << 22
"""Pairs of states held for a region at the most: some hundred megabytes."""

MAX_STORED: Final = 1 << 29
"""Bytes of numbers held for a region at the most."""

MAX_PRODUCTS: Final = 1 << 37
"""Pairs of states times bits of the numbers that go with them: some minutes."""

MAX_MIXED: Final = 1 << 26
"""Bits of the product of all regions' polynomials at the most: some minutes."""

_BINOMIAL: Final = 16
"""Bits that one more mine in the interior may add to a number."""


class OddsLimitError(LimitError, RuntimeError):
    """A region is too wide to count, or the time is over; the message says which, in one line."""


class CountingBudget:
    """Limits of the work for counting the layouts of a board.

    Args:
        deadline: of ``odds(timeout=...)``. The commands set none: the alarm ends them
            (``satsweeper/cli/lifetime.py``).
        max_width: clues open at once.
    """

    def __init__(self, deadline: Deadline | None = None, max_width: int = MAX_WIDTH) -> None:
        self.deadline = deadline or Deadline()
        self.max_width = max_width

    def check(self, about: str) -> None:
        """Raise OddsLimitError if the deadline has come; ``about`` names what is being counted."""
        if self.deadline.passed():
            raise OddsLimitError(f"time limit reached while counting {about}")

    def admit(self, about: str, width: int, bits: float) -> None:
        """Raise OddsLimitError for a region of more than `max_width` clues open at once.

        ``about`` names the region, ``width`` its clues open at once; 2^``bits`` pairs of states are
        expected.
        """
        if width > self.max_width:
            raise OddsLimitError(
                f"{about} is too wide: {counted(width, 'clue')} open at once"
                f" (limit {self.max_width}), up to 2^{bits:.0f} pairs of states"
            )

    def compare(self, about: str, width: int, tried: int, pairs: int) -> None:
        """Raise OddsLimitError if too many pairs were ``tried`` or ``pairs`` found."""
        self.check(about)
        _refuse(tried, MAX_TRIED, f"{about} takes too long: width {width}, pairs of states")
        _refuse(pairs, MAX_PAIRS, f"{about} takes too much memory: width {width}, pairs of states")

    def multiply(self, about: str, width: int, pairs: int, bits: int) -> None:
        """Raise OddsLimitError if multiplying ``pairs`` numbers of ``bits`` bits takes too long."""
        many = counted(pairs, "pair")
        about = f"{about} takes too long: width {width}, {many} of states, bits to multiply"
        _refuse(pairs * bits, MAX_PRODUCTS, about)

    def mix(self, regions: int, degree: int, bits: int) -> None:
        """Raise OddsLimitError if a product of this degree and these bits takes too long."""
        about = f"the total over {counted(regions, 'region')} takes too long: bits of their product"
        _refuse(degree * (bits + _BINOMIAL * degree), MAX_MIXED, about)

    def store(self, about: str, width: int, bits: int) -> None:
        """Raise OddsLimitError if numbers of ``bits`` bits in all take too much memory."""
        self.check(about)
        _refuse(bits >> 3, MAX_STORED, f"{about} takes too much memory: width {width}, bytes")


def _refuse(cost: int, limit: int, about: str) -> None:
    if cost > limit:
        raise OddsLimitError(f"{about}: {cost:,} (limit {limit:,})")
