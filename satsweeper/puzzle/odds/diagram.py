"""The layouts of a component as a diagram of states, read cell by cell, and their exact counts.

Variables are read in an order. Each constraint is an automaton, and it is *open* from its first
variable to its last. A state has the states of the open constraints, as numbers in fields of one
integer; a field of a constraint that is not open is 0. `expand` finds all states that can be
reached, layer by layer, with one layer for each variable. Of these the states from which no layout
can be completed are dropped, and states with the same continuations are merged (`reduced`): what is
left is the smallest diagram for the order. Where too many states can be reached, as most of them
lead nowhere, `satsweeper.puzzle.odds.products` finds the same diagram.

In it the ways from the start to a node, and from the node to the end, are polynomials in the number
of mines, packed in one integer as in
``satsweeper.count``; their products over the edges "mine" of a layer are the layouts in which the
variable is true.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

from satsweeper.count.budget import CountingBudget
from satsweeper.count.counts import LayoutCounts, split
from satsweeper.count.odds import NoLayoutError
from satsweeper.puzzle.constraints.protocol import Automaton, State

MAX_STEPS: Final = 1 << 19
"""The most steps of reading a component, about a tenth of a second: an edge between states is
`_EDGE` steps, a step of a constraint's automaton `_AUTOMATON`."""

_EDGE: Final = 2
_AUTOMATON: Final = 8
_FIELD: Final = 24
"""The bits of the number of a constraint's state: more states than `MAX_STEPS` allows."""
_OFTEN: Final = 1 << 12
"""The number of states after which the limits are looked at."""


class Reader(NamedTuple):
    """An automaton, and the places of its variables in the order of the component, ascending."""

    automaton: Automaton
    places: tuple[int, ...]
    skipped: int = 0
    """The number of its steps before the first of these places, for variables that are known."""


class Layer(NamedTuple):
    """For each node of a layer the nodes of the next without and with a mine, -1 for none."""

    safe: array[int]
    mine: array[int]


class Field:
    """The field of a reader in states, and its automaton with numbers for its states."""

    def __init__(self, reader: Reader, shift: int) -> None:
        self.shift = shift
        self.last = reader.places[-1]
        self.effort = 0
        """The steps of counting at the place of the last call of `after`."""
        self._step = reader.automaton.step
        self._local = {place: at for at, place in enumerate(reader.places, start=reader.skipped)}
        self._place = -1
        self._states: list[State] = []
        self._following: list[State] = [reader.automaton.start]
        self._numbers: dict[State, int] = {}
        self._found: dict[int, tuple[int, int]] = {}

    @property
    def following(self) -> int:
        """The number of states found behind the place of the last call of `after`."""
        return len(self._following)

    def after(self, place: int, number: int) -> tuple[int, int]:
        """Return the fields after state ``number`` without and with a mine, -1 for no state."""
        if place != self._place:
            # Numbers are given anew at each place of the constraint; older states are forgotten.
            self._place, self.effort = place, 0
            self._states, self._following = self._following, []
            self._numbers, self._found = {}, {}
        if number not in self._found:
            self.effort += 2 * _AUTOMATON
            self._found[number] = self._next(place, number, False), self._next(place, number, True)
        return self._found[number]

    def _next(self, place: int, number: int, value: bool) -> int:
        state = self._step(self._local[place], self._states[number], value)
        if state is None:
            return -1
        if place == self.last:
            return 0
        found = self._numbers.setdefault(state, len(self._following))
        if found == len(self._following):
            self._following.append(state)
        return found << self.shift


def expand(
    readers: Sequence[Reader], size: int, budget: CountingBudget, most: int = MAX_STEPS
) -> list[Layer]:
    """Return the layers of all states that can be reached from the start.

    Args:
        readers: the constraints; each has a place at least.
        size: the number of variables of the component.
        budget: the deadline.
        most: the most steps of counting.

    With more steps it ends early: the layers are fewer than ``size``. Raises OddsLimitError if the
    time is over.
    """
    opening: list[list[Reader]] = [[] for _ in range(size)]
    for reader in readers:
        opening[reader.places[0]].append(reader)
    fields: dict[int, list[Field]] = {place: [] for place in range(size)}
    free: list[int] = []
    used = 0
    layers: list[Layer] = []
    states: dict[int, int] = {0: 0}
    spent = 0
    for place in range(size):
        for reader in opening[place]:
            if not free:
                free.append(used * _FIELD)
                used += 1
            field = Field(reader, free.pop())
            for each in reader.places:
                fields[each].append(field)
        here = fields.pop(place)
        number = (1 << _FIELD) - 1
        mask = sum([number << field.shift for field in here])
        found: dict[int, tuple[int, int]] = {}
        after: dict[int, int] = {}
        without, with_mine = array("i"), array("i")
        for count, state in enumerate(states):
            if not count % _OFTEN:
                budget.check()
                effort = spent + 2 * _EDGE * count + sum([field.effort for field in here])
                if effort > most:
                    return layers
            key = state & mask
            pair = found.get(key)
            if pair is None:
                safe = mine = 0
                for field in here:
                    one, two = field.after(place, key >> field.shift & number)
                    safe = -1 if one < 0 or safe < 0 else safe | one
                    mine = -1 if two < 0 or mine < 0 else mine | two
                pair = found[key] = safe, mine
            rest = state ^ key
            safe, mine = pair
            without.append(-1 if safe < 0 else after.setdefault(rest | safe, len(after)))
            with_mine.append(-1 if mine < 0 else after.setdefault(rest | mine, len(after)))
        spent += 2 * _EDGE * len(states) + sum([field.effort for field in here])
        layers.append(Layer(without, with_mine))
        states = after
        # A constraint that is read to its end has left a 0 in its field, which is free again.
        free += [field.shift for field in here if field.last == place]
    return layers


def reduced(layers: list[Layer], budget: CountingBudget) -> list[Layer]:
    """Return the layers without nodes that lead nowhere, equal ones merged; ``layers`` is emptied.

    Raises NoLayoutError if no node is left, OddsLimitError if the time is over.
    """
    # At the end no constraint is open: all nodes are one. Index -1, for no edge, finds the last 0.
    number = array("i", [1, 0])
    found = []
    while layers:
        budget.check()
        base = len(number)
        nodes: dict[int, int] = {}
        renamed = array("i")
        # Nodes are counted from 1; a node with edges to none gets 0, for none.
        for one, two in zip(*layers.pop(), strict=True):
            key = number[one] * base + number[two]
            renamed.append(nodes.setdefault(key, len(nodes) + 1) if key else 0)
        if not nodes:
            raise NoLayoutError("the board has no layout")
        edges = [divmod(key, base) for key in nodes]
        found.append(
            Layer(array("i", [a - 1 for a, _ in edges]), array("i", [b - 1 for _, b in edges]))
        )
        renamed.append(0)
        number = renamed
    return found[::-1]


Edges = Sequence[tuple[list[int], list[int]]]
"""For each layer, for each of its nodes the next without and with a mine, -1 for none."""


def count_diagram(edges: Edges, counted: Sequence[bool], budget: CountingBudget) -> LayoutCounts:
    """Return the layouts of a diagram by mines; a "box" is the variable of a layer.

    ``counted``: for each layer whether its variable is a mine, and not one that the layout
    determines.

    Raises OddsLimitError if the counts take too much memory, or if the time is over.
    """
    whole = _upwards(edges, [0] * len(edges), False, budget)[0]
    # Each node lies on the way of a layout: so no coefficient of the ways to a node, or of those
    # from it, exceeds the number of layouts.
    lane = (whole[0].bit_length() + 8) & -8
    budget.store(sum([len(each) * lane * (len(edges) - p) for p, (each, _) in enumerate(edges)]))
    shifts = [lane * each for each in counted]
    onward = _upwards(edges, shifts, True, budget)
    ways = [1]
    mined = []
    for place, ((safe, mine), shift) in enumerate(zip(edges, shifts, strict=True)):
        budget.check()
        ahead = onward[place + 1]
        after = [0] * len(ahead)
        with_mine = [0] * len(ahead)
        for way, one, two in zip(ways, safe, mine, strict=True):
            if one >= 0:
                after[one] += way
            if two >= 0:
                with_mine[two] += way
        mined.append(sum([a * b for a, b in zip(with_mine, ahead, strict=True) if a]) << shift)
        ways = [a + (b << shift) for a, b in zip(after, with_mine, strict=True)]
    return split(onward[0][0], mined, lane)


def _upwards(
    edges: Edges,
    shifts: Sequence[int],
    kept: bool,
    budget: CountingBudget,
) -> list[list[int]]:
    """Return the ways from each node to the end, of the first layer alone unless ``kept``.

    ``shifts``: for each layer the bits by which a mine shifts them.
    """
    ahead = [1]
    found = [ahead]
    for (safe, mine), shift in zip(reversed(edges), reversed(shifts), strict=True):
        budget.check()
        # Index -1, for no edge, finds this further 0.
        ahead = [*ahead, 0]
        ahead = [ahead[one] + (ahead[two] << shift) for one, two in zip(safe, mine, strict=True)]
        found = [*found, ahead] if kept else [ahead]
    return found[::-1]
