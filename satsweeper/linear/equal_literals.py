"""Equal literals: variables that are decided, equal to other variables, or opposite to them.

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
    """Sets of equal literals, each with a root; the root of decided literals is ``TRUE``."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}
        self._below: dict[int, list[int]] = {}

    def __len__(self) -> int:
        """Return the number of variables that have another root."""
        return len(self._above)

    def root(self, literal: int) -> int:
        """Return the root of ``literal``, perhaps the literal itself."""
        above = self._above.get(abs(literal))
        if above is None:
            return literal
        return above if literal > 0 else -above

    def equate(self, one: int, other: int) -> list[int]:
        """Make two literals equal; return the variables that got another root.

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
        """Return the variables that are 1 (True) or 0."""
        return {v: self._above[v] > 0 for v in self._below.get(TRUE, ())}

    def equations(self) -> list[tuple[tuple[int, ...], int]]:
        """Return equations between equal literals; the opposite of v is the extra variable -v."""
        found: list[tuple[tuple[int, ...], int]] = []
        for root, variables in self._below.items():
            if root != TRUE:
                found.append(((root, -root), 1))
                found += [((v, -self._above[v]), 1) for v in variables]
        return found

    def _size(self, literal: int) -> int:
        return TRUE if abs(literal) == TRUE else len(self._below.get(abs(literal), ()))
