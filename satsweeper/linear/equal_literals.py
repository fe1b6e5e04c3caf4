"""Literals that are equal: variables that are decided, equal to others, or opposite to them.

A literal is a variable, from 1, or minus a variable, its opposite. One literal is true; a variable
is 1 if it is equal to that one.
"""

from typing import Final

from satsweeper.board.errors import Error

TRUE: Final = 1 << 62
"""The literal that is true; no variable has this number."""


class ContradictionError(Error):
    """Two opposite literals would be equal: there is no solution."""


class EqualLiterals:
    """Sets of equal literals, each with one that stands for all: ``TRUE`` for those decided."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}
        self._below: dict[int, list[int]] = {}

    def __len__(self) -> int:
        """How many variables something else stands for: the more, the more is known."""
        return len(self._above)

    def root(self, literal: int) -> int:
        """The literal that stands for this one, perhaps itself."""
        above = self._above.get(abs(literal))
        if above is None:
            return literal
        return above if literal > 0 else -above

    def equate(self, one: int, other: int) -> list[int]:
        """Make two literals equal; the variables that something else stands for now.

        Raises:
            ContradictionError: they are opposite.
        """
        one, other = self.root(one), self.root(other)
        if one == other:
            return []
        if one == -other:
            raise ContradictionError
        least, most = sorted((one, other), key=self._size)
        if least < 0:
            least, most = -least, -most
        moved = [least, *self._below.pop(least, ())]
        for variable in moved:
            self._above[variable] = most if self.root(variable) > 0 else -most
        self._below.setdefault(abs(most), []).extend(moved)
        return moved

    def decided(self) -> dict[int, bool]:
        """The variables that are 1 (True) or 0."""
        return {v: self._above[v] > 0 for v in self._below.get(TRUE, ())}

    def equations(self) -> list[tuple[tuple[int, ...], int]]:
        """What is known of the others, as sums: the opposite of a variable is one more variable."""
        found: list[tuple[tuple[int, ...], int]] = []
        for root, variables in self._below.items():
            if root != TRUE:
                found.append(((root, -root), 1))
                found += [((v, -self._above[v]), 1) for v in variables]
        return found

    def _size(self, literal: int) -> int:
        return TRUE if abs(literal) == TRUE else len(self._below.get(abs(literal), ()))
