"""A table as plain texts: drawn in a terminal, or on a page."""

from collections.abc import Collection
from dataclasses import dataclass

from pbcnf.shown import Tabled


@dataclass(frozen=True, slots=True)
class Table(Tabled):
    """A caption, the heads of the columns, the rows.

    ``numbers``: the columns that hold numbers. ``spare``: those that are left out first, in this
    order, where there is no room.
    """

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    spare: tuple[int, ...] = ()

    def without(self, columns: Collection[int]) -> "Table":
        """The table less these columns."""
        kept = [at for at in range(len(self.heads)) if at not in columns]
        return Table(
            self.caption,
            tuple(self.heads[at] for at in kept),
            tuple(tuple(row[at] for at in kept) for row in self.rows),
            frozenset(new for new, at in enumerate(kept) if at in self.numbers),
        )
