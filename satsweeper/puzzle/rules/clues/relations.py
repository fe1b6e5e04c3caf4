"""L and 2M: the number shown is not the true one."""

from satsweeper.puzzle.rules.rule import ClueRule


class OneOff:
    """The number shown is one more or one less than the true one, and not negative."""

    def allowed(self, shown: int, most: int) -> list[int]:
        """Return the neighbours of ``shown`` within the range."""
        return [true for true in (shown - 1, shown + 1) if 0 <= true <= most]

    def shown(self, true: int, most: int) -> list[int]:
        """Return the neighbours of the true number within the range; none of a negative one."""
        return self.allowed(true, most) if true >= 0 else []


class ModuloThree:
    """The number shown is what a division of the true one by 3 leaves."""

    def allowed(self, shown: int, most: int) -> list[int]:
        """Return every third number; none for a number that is no remainder."""
        return [*range(shown, most + 1, 3)] if shown < 3 else []

    def shown(self, true: int, most: int) -> list[int]:
        """Return the remainder; none of a negative number, which only weights can bring about."""
        return [true % 3] if true >= 0 else []


LIAR = ClueRule("the number is one more or one less than the true one", relation=OneOff())
MODULO = ClueRule("the remainder of the number of mines around the cell modulo 3",
                  relation=ModuloThree())  # fmt: skip
