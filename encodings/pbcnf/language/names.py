"""A pool of names: variables by number, and their names of any kind."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from pbcnf.literals import MAX_VAR, IntLike, Var, integer
from pbcnf.wording import counted


class Names:
    """A pool of names: a new name gets the next free number, a known name keeps its number.

    A name is any hashable object except None; files show its `str`. Ranges of numbers can be
    reserved for other uses, such as variables of an existing formula.

    >>> names = Names()
    >>> names.number("rain"), names.number((0, 1)), names.number("rain"), names.name(2)
    (1, 2, 1, (0, 1))
    >>> names.reserve(3, 10)
    >>> names.number("wet")
    11
    """

    def __init__(self) -> None:
        """Start without names."""
        self._numbers: dict[Hashable, Var] = {}
        self._names: dict[Var, Hashable] = {}
        self._reserved: list[tuple[Var, Var]] = []
        self._given: set[Var] = set()
        self._next = 1
        self._last = 0

    def __copy__(self) -> Names:
        """Return an independent copy of the pool."""
        found = Names()
        found._numbers, found._names = dict(self._numbers), dict(self._names)
        found._reserved, found._given = list(self._reserved), set(self._given)
        found._next, found._last = self._next, self._last
        return found

    @property
    def last(self) -> Var:
        """The largest number that is given or reserved; 0 if there is none."""
        return self._last

    def number(self, name: Hashable) -> Var:
        """Return the number of a name; a new name gets the next free one.

        Raises TypeError for None and for an object without a hash, ValueError beyond MAX_VAR.
        """
        if name is None:
            raise TypeError("None is no name; `fresh` gives a number without one")
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = self.fresh()
            self._names[found] = name
        return found

    def fresh(self) -> Var:
        """Return the next free number, without a name. Raises ValueError beyond MAX_VAR."""
        # Reserved ranges may overlap, in any order: repeat until no range holds the number.
        moved = True
        while moved:
            moved = False
            for first, last in self._reserved:
                if first <= self._next <= last:
                    self._next, moved = last + 1, True
        if self._next > MAX_VAR:
            raise ValueError(f"there are at most {MAX_VAR} variables")
        self._given.add(self._next)
        self._last = max(self._last, self._next)
        self._next += 1
        return self._next - 1

    def reserve(self, first: IntLike, last: IntLike) -> None:
        """Reserve the numbers ``first .. last`` for other uses; the range may be empty.

        Raises ValueError for a range beyond 1 .. MAX_VAR, and if a number in it is given already.
        """
        first, last = integer(first, "first"), integer(last, "last")
        if last < first:
            return
        if first < 1 or last > MAX_VAR:
            raise ValueError(f"variables {first} to {last}: there can be 1 to {MAX_VAR}")
        taken = [var for var in self._given if first <= var <= last]
        if taken:
            raise ValueError(
                f"variables {first} to {last} cannot be reserved:"
                f" {counted(len(taken), 'number')} of them given already, as {min(taken)}"
            )
        self._reserved.append((first, last))
        self._last = max(self._last, last)

    def name(self, var: Var) -> Hashable | None:
        """Return the name of the variable `var`; None for a variable without a name."""
        return self._names.get(var)

    def __contains__(self, name: Hashable) -> bool:
        """Whether the name has a number."""
        return name in self._numbers

    def __iter__(self) -> Iterator[Hashable]:
        """Iterate over the names in the order in which they got their numbers."""
        return iter(self._numbers)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self._numbers)

    def __repr__(self) -> str:
        """Return the number of names, and the largest number given or reserved, as text."""
        return f"Names({counted(len(self), 'name')}, numbers up to {self._last})"

    def in_files(self) -> dict[Var, str]:
        """Return the names as files hold them, by number: the `names` of a `pbcnf.Problem`."""
        return {var: str(name) for var, name in self._names.items()}
