"""``Deadline``: the moment at which work has to stop."""

from math import inf
from time import monotonic
from typing import NamedTuple, Self


class Deadline(NamedTuple):
    """A moment at which work has to stop; ``Deadline()`` never comes.

    Processes of one machine share the monotonic clock, so a deadline can be pickled and sent to a
    worker.

    Args:
        moment: seconds on the clock of ``time.monotonic``; infinity for a deadline that never
            comes.
    """

    moment: float = inf

    @classmethod
    def after(cls, seconds: float | None, since: float | None = None) -> Self:
        """Return the deadline ``seconds`` after the moment ``since``.

        ``seconds`` None gives a deadline that never comes; ``since`` None is the present moment.
        """
        if seconds is None:
            return cls()
        return cls((monotonic() if since is None else since) + seconds)

    def passed(self) -> bool:
        """Return whether the deadline has come."""
        return self.moment != inf and monotonic() >= self.moment

    def left(self, least: float = 0.0) -> float | None:
        """Return the seconds until the deadline, at least ``least``; None if it never comes."""
        return None if self.moment == inf else max(self.moment - monotonic(), least)
