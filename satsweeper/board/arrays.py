"""numpy, imported when it is first used, and lists that stand in for its arrays.

Importing numpy takes several times as long as classifying a beginner's board. Modules that are
imported for a classification write ``from satsweeper.board.arrays import np`` and, for type
checkers, ``import numpy as np``.
"""

from typing import Any


class _Numpy:
    """Stands for the module numpy."""

    def __getattr__(self, name: str) -> Any:
        import numpy

        value = getattr(numpy, name)
        setattr(self, name, value)
        return value


np = _Numpy()


# Lists in place of arrays where numpy is not installed, for example in a browser. They have the
# operations that small boards need: indices, ``fill``, ``shape`` and ``tolist``.


class ListRow(list[Any]):
    """A list with the operations of an array with one index that the kernel uses."""

    def fill(self, value: float) -> None:
        """Set all entries to ``value``."""
        self[:] = [value] * len(self)

    def tolist(self) -> list[Any]:
        """The entries as a plain list."""
        return list(self)


class ListTable(list[Any]):
    """A list of rows with two or three indices, ``table[row, column]``; a row is no copy."""

    def __getitem__(self, at: Any) -> Any:
        if type(at) is tuple:
            row = super().__getitem__(at[0])
            return row[at[1]] if len(at) == 2 else row[at[1:]]
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        row = super().__getitem__(at[0])
        row[at[1] if len(at) == 2 else at[1:]] = value

    def fill(self, value: float) -> None:
        """Set all entries to ``value``."""
        for row in self:
            row.fill(value)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self), len(self[0])

    def tolist(self) -> list[Any]:
        """The rows as lists."""
        return [row.tolist() for row in self]


def listed(shape: tuple[int, ...], zero: float) -> Any:
    """Lists of one, two or three indices, filled with one value.

    >>> table = listed((2, 3), 0)
    >>> table[1, 2] = 5
    >>> table.tolist(), table.shape, len(table), table[1]
    ([[0, 0, 0], [0, 0, 5]], (2, 3), 2, [0, 0, 5])
    """
    if len(shape) == 1:
        return ListRow([zero] * shape[0])
    return ListTable(listed(shape[1:], zero) for _ in range(shape[0]))
