"""Model rotation on equations: from one assignment that misses one equation, many more.

An equation of a clash is needed if some assignment meets all others. Flipping a variable may repair
that equation and break exactly one other, which then is needed, too, and so on (model rotation:
J. Marques-Silva, I. Lynce, On improving MUS extraction algorithms, SAT 2011; recursive: A. Belov,
J. Marques-Silva, Accelerating MUS extraction with recursive model rotation, FMCAD 2011). Here one
step flips a variable, or two, of which the second repairs what the first broke.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from satsweeper.board.errors import DefectError
from satsweeper.linear.equations import Equation

_State = tuple[int, int]
"""The only equation that an assignment misses, and by how much."""
_Step = tuple[_State, tuple[int, ...]]
"""The state after a step, and the variables that the step flips."""
_AROUND: Final = 3
"""Steps between equations within which `near` looks for an assignment."""
_WORTH: Final = 100
"""After a walk that finds fewer than one in 100 equations needed, walks are short."""
_NEAR: Final = 12
"""Steps of a short walk."""
_LONG: Final = 64
"""Variables of an equation above which a second flip only uses variables of no other."""


class _Walk(NamedTuple):
    """The assignment at the start, and for each state its predecessor and the flips from there."""

    ones: frozenset[int]
    reached: dict[_State, tuple[_State, Sequence[int]] | None]


class Rotation:
    """Equations that clash, and which of them are known to be needed.

    Args:
        equations: by index; no assignment meets all of them.
        given: indices of equations that have to be met, needed or not.
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
        """By how much each equation is missed, where it is missed."""
        self._deepest = 2 * len(equations)
        self._walk_to: dict[int, tuple[_Walk, _State]] = {}

    def drop(self, index: int) -> None:
        """Forget equation ``index``, without which the others still clash."""
        for variable in self.equations.pop(index)[0]:
            self._at[variable].remove(index)
        self._off.pop(index, None)

    def spread(self, ones: Collection[int]) -> bool:
        """Walk from an assignment that misses one equation; False if it misses more.

        Raises:
            DefectError: the equations do not clash.
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
        # Depth first, without recursion: on the way down the flips are applied, on the way back
        # undone, so that `_ones` and `_off` are always those of the end of the path.
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
        """Return an assignment of a walk that misses only an equation near ``index``, or None."""
        seen, ring = {index}, [index]
        for _ in range(_AROUND):
            cells = dict.fromkeys(v for each in ring for v in self.equations[each][0])
            found = dict.fromkeys(i for v in cells for i in self._at[v])
            ring = [i for i in found if i not in seen]
            seen.update(ring)
            for each in ring:
                if each in self._walk_to:
                    # Back along the walk: each step's flips lead from its predecessor here.
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
        """Yield steps after which another equation is missed than ``here``, single flips first."""
        off = self._off[here]
        # Only a miss by 1 is repaired by one flip.
        if abs(off) != 1:
            return
        ones = self._ones
        firsts = [v for v in self.equations[here][0] if (v in ones) is (off > 0)]
        # A flip that repairs ``here`` breaks its variable's other equations: in a step, just one.
        for first in firsts:
            others = [index for index in self._at[first] if index != here]
            if not others:
                raise DefectError("what is said to clash is met")
            if len(others) == 1:
                yield (others[0], -off), (first,)
        # Where the first flip breaks several equations, a second one the other way repairs those
        # that it is in, and just one may be left.
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
