"""Model rotation on equations: needed equations from one assignment that violates one equation.

An equation of a contradictory set is needed if some assignment satisfies all other equations.
Flipping a variable of this assignment may satisfy the needed equation and violate exactly one other
equation, which is then needed as well, and so on (model rotation: J. Marques-Silva, I. Lynce, On
improving MUS extraction algorithms, SAT 2011; recursive: A. Belov, J. Marques-Silva, Accelerating
MUS extraction with recursive model rotation, FMCAD 2011). A step here flips one variable, or two,
of which the second repairs equations that the first violated.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from satsweeper.board.errors import DefectError
from satsweeper.linear.equations import Equation

_State = tuple[int, int]
"""The only equation that an assignment violates, and the sum of its variables less its number."""
_Step = tuple[_State, tuple[int, ...]]
"""The state after a step, and the variables that the step flips."""
_AROUND: Final = 3
"""The largest distance, in shared variables, of equations in which `near` seeks an assignment."""
_WORTH: Final = 100
"""After a walk that shows fewer than one in 100 equations to be needed, walks are short."""
_NEAR: Final = 12
"""The largest depth of a short walk."""
_LONG: Final = 64
"""The number of variables of an equation above which only its private variables are flipped
second: variables that no other equation has."""


class _Walk(NamedTuple):
    """The assignment at the start, and for each state its predecessor and the flips between them.

    ``ones``: the variables that are 1 at the start. ``reached``: None for the first state.
    """

    ones: frozenset[int]
    reached: dict[_State, tuple[_State, Sequence[int]] | None]


class Rotation:
    """A contradictory set of equations, and the equations that are known to be needed.

    Invariant: ``_ones`` is the current assignment, and ``_off`` holds exactly the equations that
    this assignment violates.

    Args:
        equations: equations by index; no assignment satisfies all of them.
        given: indices of equations that every assignment has to satisfy, needed or not.
    """

    def __init__(self, equations: Mapping[int, Equation], given: Collection[int] = ()) -> None:
        self.equations = dict(equations)
        self.given = frozenset(given)
        self.needed: set[int] = set()
        """Equations each of which some assignment violates while all other equations hold."""
        self._at: dict[int, list[int]] = {}
        for index, (variables, _) in equations.items():
            for variable in variables:
                self._at.setdefault(variable, []).append(index)
        self._seconds = {
            index: variables
            if len(variables) <= _LONG
            else [v for v in variables if len(self._at[v]) == 1]
            for index, (variables, _) in equations.items()
        }
        self._ones: set[int] = set()
        self._off = {index: -number for index, (_, number) in equations.items() if number}
        """For each violated equation the sum of its variables less its number."""
        self._deepest = 2 * len(equations)
        self._walk_to: dict[int, tuple[_Walk, _State]] = {}

    def drop(self, index: int) -> None:
        """Remove equation ``index``, without which the others are still contradictory."""
        for variable in self.equations.pop(index)[0]:
            self._at[variable].remove(index)
        self._off.pop(index, None)

    def spread(self, ones: Collection[int]) -> bool:
        """Walk from an assignment that violates one equation; False if it violates more.

        ``ones``: the variables that are 1 in the assignment. The equations reached are added to
        ``needed``. False also if the violated equation is a given one.

        Raises:
            DefectError: an assignment satisfies all equations.
        """
        self._flip(self._ones.symmetric_difference(v for v in ones if v in self._at))
        if not self._off:
            raise DefectError("what is said to clash is met")
        if len(self._off) > 1 or not self.given.isdisjoint(self._off):
            return False
        (begin,) = self._off.items()
        before = len(self.needed)
        walk = _Walk(frozenset(self._ones), {begin: None})
        self._arrive(walk, begin)
        # Depth-first search without recursion: flips are applied on the way down and undone on the
        # way back, so that `_ones` and `_off` always belong to the last state of the path.
        path: list[tuple[_State, Iterator[_Step], Sequence[int]]] = [
            (begin, self._steps(begin[0]), ())
        ]
        while path:
            here, steps, flipped = path[-1]
            for there, flips in steps if len(path) < self._deepest else ():
                if there not in walk.reached and there[0] not in self.given:
                    walk.reached[there] = here, flips
                    self._arrive(walk, there)
                    self._flip(flips)
                    path.append((there, self._steps(there[0]), flips))
                    break
            else:
                self._flip(flipped)
                path.pop()
        if len(self.needed) - before < len(self.equations) // _WORTH:
            self._deepest = _NEAR
        return True

    def near(self, index: int) -> set[int] | None:
        """Return the variables that are 1 in an assignment of a walk, or None.

        The assignment violates only one equation, at most ``_AROUND`` steps away from ``index``.
        """
        seen, ring = {index}, [index]
        for _ in range(_AROUND):
            cells = dict.fromkeys(v for each in ring for v in self.equations[each][0])
            found = dict.fromkeys(i for v in cells for i in self._at[v])
            ring = [i for i in found if i not in seen]
            seen.update(ring)
            for each in ring:
                if each in self._walk_to:
                    # The flips along the path from the start of the walk to ``state``, applied to
                    # the first assignment in any order, give the assignment of ``state``.
                    walk, state = self._walk_to[each]
                    ones = set(walk.ones)
                    while (step := walk.reached[state]) is not None:
                        state, flips = step
                        ones.symmetric_difference_update(flips)
                    return ones
        return None

    def _arrive(self, walk: "_Walk", state: _State) -> None:
        self.needed.add(state[0])
        self._walk_to[state[0]] = walk, state

    def _flip(self, variables: Collection[int]) -> None:
        """Flip ``variables`` in the current assignment, and update the violated equations."""
        off = self._off
        for variable in variables:
            change = -1 if variable in self._ones else 1
            self._ones ^= {variable}
            for index in self._at[variable]:
                now = off.get(index, 0) + change
                if now:
                    off[index] = now
                else:
                    del off[index]

    def _steps(self, here: int) -> Iterator[_Step]:
        """Yield steps after which another equation than ``here`` is the only violated one.

        Steps with a single flip come first.
        """
        off = self._off[here]
        # One flip changes a sum by 1, so it can only repair an equation that is violated by 1.
        if abs(off) != 1:
            return
        ones = self._ones
        firsts = [v for v in self.equations[here][0] if (v in ones) is (off > 0)]
        # A flip that repairs ``here`` violates all other equations of the variable, which were
        # satisfied before: a step with one flip needs exactly one such equation.
        for first in firsts:
            others = [index for index in self._at[first] if index != here]
            if not others:
                raise DefectError("what is said to clash is met")
            if len(others) == 1:
                yield (others[0], -off), (first,)
        # If the first flip violates several equations, a second flip in the opposite direction
        # repairs those that contain its variable and violates its other equations: a step with two
        # flips needs exactly one violated equation in the end.
        for first in firsts:
            broken = {index for index in self._at[first] if index != here}
            if len(broken) == 1:
                continue
            seconds = dict.fromkeys(v for index in broken for v in self._seconds[index])
            for second in seconds:
                if (second in ones) is (off < 0) and second != first:
                    left = broken.symmetric_difference(self._at[second])
                    if not left:
                        raise DefectError("what is said to clash is met")
                    if len(left) == 1:
                        (there,) = left
                        yield (there, -off if there in broken else off), (first, second)
