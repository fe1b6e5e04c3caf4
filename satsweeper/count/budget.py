"""Limits of counting: the width of a region, pairs of states, bytes of memory, and time.

A clue is *open* while some of its cells are placed and others are not; the *width* of a region is
the largest number of clues open at once. A *state* gives the mines under each open clue.
"""

from typing import Final, NamedTuple

from satsweeper.board.errors import LimitError
from satsweeper.processes.deadline import Deadline

MAX_WIDTH: Final = 40
"""The default largest width; a wider region is refused before any counting."""

MAX_TRIED: Final = 1 << 25
"""The most pairs of states that are compared for a region: some twenty seconds."""

MAX_PAIRS: Final = 1 << 22
"""The most pairs of states that are stored for a region: some hundred megabytes."""

MAX_STORED: Final = 1 << 29
"""The most bytes of counts that are stored for a region."""

MAX_PRODUCTS: Final = 1 << 37
"""The largest product of the number of pairs of states and the bits of a count: some minutes."""

MAX_MIXED: Final = 1 << 26
"""The most bits of the product of all regions' polynomials: some minutes."""

_BINOMIAL: Final = 16
"""Bits by which a count may grow with each further mine in the interior."""


class OddsLimitError(LimitError, RuntimeError):
    """A region is too wide to count, or the time is over; the message says which, in one line."""


class CountingBudget(NamedTuple):
    """Limits of the work for counting the layouts of a board or a region.

    ``deadline``: the deadline from ``odds(timeout=...)``; the terminal game sets one for its
    searches, other commands do not, because the alarm of ``satsweeper/cli/lifetime.py`` ends them.
    ``max_width``: the largest width that is counted. ``about`` and ``width``: the name of the
    counted part in error messages, and the width of that part.
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
        from pbcnf.wording import counted

        return self.of(f"the region of {counted(cells, 'cell')} at {place}")

    def check(self, about: str | None = None) -> None:
        """Raise OddsLimitError if the deadline has come; ``about``: what is counted now."""
        if self.deadline.passed():
            raise OddsLimitError(f"time limit reached while counting {about or self.about}")

    def admit(self, width: int, bits: float) -> None:
        """Raise OddsLimitError if ``width`` exceeds ``max_width``.

        ``bits``: log2 of an upper limit on the pairs of states, for the message.
        """
        if width > self.max_width:
            from pbcnf.wording import counted

            raise OddsLimitError(
                f"{self.about} is too wide: {counted(width, 'clue')} open at once"
                f" (limit {self.max_width}), up to 2^{bits:.0f} pairs of states"
            )

    def compare(self, tried: int, pairs: int) -> None:
        """Raise OddsLimitError if the pairs ``tried`` or the ``pairs`` stored are too many."""
        self.check()
        self._refuse(tried, MAX_TRIED, f"long: width {self.width}, pairs of states")
        self._refuse(pairs, MAX_PAIRS, f"much memory: width {self.width}, pairs of states")

    def multiply(self, pairs: int, bits: int) -> None:
        """Raise OddsLimitError if multiplying ``pairs`` numbers of ``bits`` bits takes too long."""
        from pbcnf.wording import counted

        many = counted(pairs, "pair")
        what = f"long: width {self.width}, {many} of states, bits to multiply"
        self._refuse(pairs * bits, MAX_PRODUCTS, what)

    def mix(self, regions: int, degree: int, bits: int) -> None:
        """Raise OddsLimitError if the product of the polynomials of ``regions`` takes too long.

        ``degree``: the degree of the product; ``bits``: the bits of its coefficients, without the
        interior.
        """
        cost = degree * (bits + _BINOMIAL * degree)
        if cost > MAX_MIXED:
            from pbcnf.wording import counted

            total = self.of(f"the total over {counted(regions, 'region')}")
            total._refuse(cost, MAX_MIXED, "long: bits of their product")

    def store(self, bits: int) -> None:
        """Raise OddsLimitError if numbers of ``bits`` bits in all take too much memory."""
        self.check()
        self._refuse(bits >> 3, MAX_STORED, f"much memory: width {self.width}, bytes")

    def _refuse(self, cost: int, limit: int, what: str) -> None:
        if cost > limit:
            raise OddsLimitError(f"{self.about} takes too {what}: {cost:,} (limit {limit:,})")
