"""Limits of counting: the width of a region, pairs of states, bytes of memory, and time."""

from typing import Final, NamedTuple

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


class CountingBudget(NamedTuple):
    """Limits of the work for counting the layouts of a board or a region.

    ``deadline``: of ``odds(timeout=...)``. The commands set none: the alarm ends them
    (``satsweeper/cli/lifetime.py``). ``max_width``: clues open at once. ``about`` and ``width``:
    what is counted, as refusals call it, and its clues open at once.
    """

    deadline: Deadline = Deadline()
    max_width: int = MAX_WIDTH
    about: str = "the board"
    width: int = 0

    def of(self, about: str, width: int = 0) -> "CountingBudget":
        """Return the limits for a part called ``about``, with ``width`` clues open at once."""
        return CountingBudget(self.deadline, self.max_width, about, width)

    def of_region(self, cells: int, place: tuple[int, int]) -> "CountingBudget":
        """Return the limits for a region of ``cells`` cells that begins at ``place``."""
        return self.of(f"the region of {counted(cells, 'cell')} at {place}")

    def check(self, about: str | None = None) -> None:
        """Raise OddsLimitError if the deadline has come; ``about``: what is counted now."""
        if self.deadline.passed():
            raise OddsLimitError(f"time limit reached while counting {about or self.about}")

    def admit(self, width: int, bits: float) -> None:
        """Raise OddsLimitError for a region of more than `max_width` clues open at once.

        ``width``: the region's clues open at once; 2^``bits`` pairs of states are expected.
        """
        if width > self.max_width:
            raise OddsLimitError(
                f"{self.about} is too wide: {counted(width, 'clue')} open at once"
                f" (limit {self.max_width}), up to 2^{bits:.0f} pairs of states"
            )

    def compare(self, tried: int, pairs: int) -> None:
        """Raise OddsLimitError if too many pairs were ``tried`` or ``pairs`` found."""
        self.check()
        self._refuse(tried, MAX_TRIED, f"long: width {self.width}, pairs of states")
        self._refuse(pairs, MAX_PAIRS, f"much memory: width {self.width}, pairs of states")

    def multiply(self, pairs: int, bits: int) -> None:
        """Raise OddsLimitError if multiplying ``pairs`` numbers of ``bits`` bits takes too long."""
        many = counted(pairs, "pair")
        what = f"long: width {self.width}, {many} of states, bits to multiply"
        self._refuse(pairs * bits, MAX_PRODUCTS, what)

    def mix(self, regions: int, degree: int, bits: int) -> None:
        """Raise OddsLimitError if the product of the polynomials of ``regions`` takes too long.

        ``degree`` is the degree of the product; no coefficient has more than ``bits`` bits.
        """
        cost = degree * (bits + _BINOMIAL * degree)
        if cost > MAX_MIXED:
            total = self.of(f"the total over {counted(regions, 'region')}")
            total._refuse(cost, MAX_MIXED, "long: bits of their product")

    def store(self, bits: int) -> None:
        """Raise OddsLimitError if numbers of ``bits`` bits in all take too much memory."""
        self.check()
        self._refuse(bits >> 3, MAX_STORED, f"much memory: width {self.width}, bytes")

    def _refuse(self, cost: int, limit: int, what: str) -> None:
        if cost > limit:
            raise OddsLimitError(f"{self.about} takes too {what}: {cost:,} (limit {limit:,})")
