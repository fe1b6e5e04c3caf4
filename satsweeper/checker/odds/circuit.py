"""Check that a circuit contains every layout of a region exactly once, and nothing else.

A *group* is a box, or two groups that were joined. A clue is *open* in a group if it counts cells
both in the group and outside. A node of a group stands for the ways to fill the group's boxes that
meet every clue whose cells all lie in the group, and that put certain numbers of mines under the
open clues: these numbers are the label of the node. The nodes of a box differ in the box's number
of mines; a node of a join is a choice between pairs of a left and a right node. The following makes
this a deterministic decomposable circuit of the region:

* The halves of a pair share no cell, since every group goes into one join.
* No two nodes of a group have the same label, and no pair is there twice. So no layout belongs to
  two choices.
* Each layout of the circuit is a layout of the region: the label of a pair is the sum of two
  labels, and a clue that closes must have the mines that it needs.
* Each layout of the region is a layout of the circuit: all pairs of nodes that meet the closing
  clues are tried here. Each pair must be listed, unless some open clue has more mines than it
  needs, or fewer even if all of its other cells are mines. By induction over the joins no layout is
  lost. Nodes that lead to no layout are listed as well, so that no omission has to be trusted.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from satsweeper.checker.errors import WrongCertificateError, wrong_at
from satsweeper.checker.odds.boxes import BoxRegion

# Reader of circuits.txt. Only the form of the lines is checked here; `check_circuit` judges the
# numbers.

CIRCUITS: Final = "circuits.txt"


class CircuitLeaf(NamedTuple):
    """A box as a group of nodes: one node for each number of mines from ``low`` to ``high``."""

    line: int
    low: int
    high: int
    cells: tuple[int, ...]


class CircuitJoin(NamedTuple):
    """A group that joins two groups; each node is a choice between pairs of nodes.

    ``nodes``: the pairs as ``left, right, left, right, ...``, numbers of nodes in the two groups.
    """

    line: int
    left: int
    right: int
    nodes: list[list[int]]


class Circuit(NamedTuple):
    """The circuit of one region. Groups are numbered: a leaf for each box, then the joins."""

    line: int
    leaves: list[CircuitLeaf]
    joins: list[CircuitJoin]


def read_circuits(text: str) -> list[Circuit]:
    """Return the circuits in ``text``, a file in the canonical form of certificates.

    Raises:
        WrongCertificateError: a line of another kind than expected, or a missing line.
    """
    lines = enumerate(text.split("\n")[1:-1], start=2)
    circuits = []
    for start, head in lines:
        boxes, joins = _numbers("region", start, head, 2)
        # The counts in a head line may be false: lists grow only with the lines that follow.
        circuit = Circuit(start, [], [])
        for _ in range(boxes):
            at, line = _next(lines)
            low, high, *cells = _numbers("box", at, line)
            circuit.leaves.append(CircuitLeaf(at, low, high, tuple(cells)))
        for _ in range(joins):
            at, line = _next(lines)
            left, right, size = _numbers("join", at, line, 3)
            nodes = [_numbers("node", *_next(lines)) for _ in range(size)]
            circuit.joins.append(CircuitJoin(at, left, right, nodes))
        circuits.append(circuit)
    return circuits


def _next(lines: Iterator[tuple[int, str]]) -> tuple[int, str]:
    for found in lines:
        return found
    raise WrongCertificateError(CIRCUITS, "it ends within a region")


def _numbers(kind: str, at: int, line: str, count: int | None = None) -> list[int]:
    """Return the numbers behind the word ``kind`` of ``line``: ``count``, or 2 or more."""
    word, *numbers = line.split(" ")
    if word != kind:
        raise wrong_at(CIRCUITS, at, f"{word!r} where {kind!r} should be")
    if len(numbers) < 2:
        raise wrong_at(CIRCUITS, at, "too few numbers")
    if count not in (None, len(numbers)):
        raise wrong_at(CIRCUITS, at, "another count of numbers")
    return list(map(int, numbers))


MOST_TRIED: Final = 1 << 26
"""Pairs of nodes tried for a region at the most: about half a minute."""

_FIELD: Final = 5
"""Bits of a label for each clue: a sum of two numbers up to 8 is less than 32, so never carries."""
_FULL: Final = (1 << _FIELD) - 1


class _NodeGroup(NamedTuple):
    """``inside``: open clue -> number of its cells in the group; ``labels``: label of each node.

    A label is an integer with a field of ``_FIELD`` bits for each clue, its mines in the group.
    """

    inside: dict[int, int]
    labels: list[int]


class _Closing(NamedTuple):
    """Conditions of a join on the sum of two labels.

    ``closing``: mask of the fields of the clues that close; ``wanted``: the mines that these clues
    need, in their fields; ``bounds``: for each clue that stays open the lowest bit of its field,
    and the least and most mines that may be in the group.
    """

    closing: int
    wanted: int
    bounds: list[tuple[int, int, int]]

    def may_be(self, label: int) -> bool:
        """Whether, with ``label``, no open clue has too many mines, or too few cells left."""
        return all(low <= label >> place & _FULL <= high for place, low, high in self.bounds)


def check_circuit(circuit: Circuit, region: BoxRegion) -> None:
    """Check that a circuit has exactly the layouts of a region, and that there is one.

    Raises:
        WrongCertificateError: the first defect.
    """
    if len(circuit.leaves) != len(region.boxes) or len(circuit.joins) != len(region.boxes) - 1:
        raise wrong_at(CIRCUITS, circuit.line, "the region has another number of boxes, or joins")
    cells = [0] * len(region.needs)
    for box, clues in zip(region.boxes, region.clues, strict=True):
        for clue in clues:
            cells[clue] += len(box)
    groups: list[_NodeGroup | None] = [
        _leaf_group(leaf, box, dict.fromkeys(clues, len(box)), cells, region.needs)
        for leaf, box, clues in zip(circuit.leaves, region.boxes, region.clues, strict=True)
    ]
    budget = MOST_TRIED
    for join in circuit.joins:
        left, right = _taken(groups, join.left, join), _taken(groups, join.right, join)
        inside = dict(left.inside)
        for clue, held in right.inside.items():
            inside[clue] = inside.get(clue, 0) + held
        closing = _closing(inside, cells, region.needs)
        # Two things make a join right: what it lists fits (each pair meets the clues that end
        # here), and nothing is missing (every pair that fits is listed).
        labels = _listed(join, left.labels, right.labels, closing)
        budget = _require_all(join, left.labels, right.labels, closing, labels, budget)
        groups.append(_NodeGroup(_still_open(inside, cells), list(labels)))
    root = groups[-1]
    if root is None or not root.labels:
        raise wrong_at(CIRCUITS, circuit.line, "the region has no layout: there are no odds")


def _leaf_group(
    leaf: CircuitLeaf,
    box: Sequence[int],
    inside: dict[int, int],
    cells: list[int],
    needs: Sequence[int],
) -> _NodeGroup:
    """Return the group of ``box`` after checking its ``leaf``.

    ``inside``: clue of the box -> number of its cells in the box; ``cells``: for each clue, all its
    cells; ``needs``: for each clue, its mines.
    """
    if leaf.cells != box:
        raise wrong_at(CIRCUITS, leaf.line, "other cells than those of the box")
    # No clue gets more mines than it needs, or fewer than its cells outside the box leave over.
    low = max([0, *(needs[clue] - cells[clue] + len(box) for clue in inside)])
    high = min([len(box), *(needs[clue] for clue in inside)])
    if (leaf.low, leaf.high) != (low, high):
        raise wrong_at(CIRCUITS, leaf.line, "its clues allow other numbers of mines")
    inside = _still_open(inside, cells)
    one_mine = sum([1 << clue * _FIELD for clue in inside])
    return _NodeGroup(inside, [mines * one_mine for mines in range(low, high + 1)])


def _taken(groups: list[_NodeGroup | None], number: int, join: CircuitJoin) -> _NodeGroup:
    """Return group ``number``, which must be in no earlier join, and mark the group as joined."""
    group = groups[number] if number < len(groups) else None
    if group is None:
        raise wrong_at(CIRCUITS, join.line, f"there is no group {number}, or it is joined already")
    groups[number] = None
    return group


def _still_open(inside: dict[int, int], cells: list[int]) -> dict[int, int]:
    """Return the clues of ``inside`` that also have cells outside of the group."""
    return {clue: held for clue, held in inside.items() if held < cells[clue]}


def _closing(inside: dict[int, int], cells: list[int], needs: Sequence[int]) -> _Closing:
    """Return the conditions on a join with ``inside``: clue -> number of its cells in the group."""
    closed = [clue for clue, held in inside.items() if held == cells[clue]]
    return _Closing(
        sum([_FULL << clue * _FIELD for clue in closed]),
        sum([needs[clue] << clue * _FIELD for clue in closed]),
        [
            (clue * _FIELD, needs[clue] - cells[clue] + held, needs[clue])
            for clue, held in inside.items()
            if held < cells[clue]
        ],
    )


def _listed(
    join: CircuitJoin, left: list[int], right: list[int], closing: _Closing
) -> dict[int, int]:
    """Return label of a node -> number of its pairs; all pairs of a node must have its label."""
    found: dict[int, int] = {}
    for line, pairs in enumerate(join.nodes, start=join.line + 1):
        lefts, rights = pairs[::2], pairs[1::2]
        if len(lefts) != len(rights) or max(lefts) >= len(left) or max(rights) >= len(right):
            raise wrong_at(CIRCUITS, line, "no pairs of nodes of the two groups")
        order = [a * len(right) + b for a, b in zip(lefts, rights, strict=True)]
        if sorted(set(order)) != order:
            raise wrong_at(CIRCUITS, line, "pairs that do not ascend")
        # Labels have a field a clue, so adding labels adds the mines under every clue at once.
        made = {left[a] + right[b] for a, b in zip(lefts, rights, strict=True)}
        label = made.pop()
        if made:
            raise wrong_at(CIRCUITS, line, "pairs that put different numbers of mines under a clue")
        if label & closing.closing != closing.wanted:
            raise wrong_at(CIRCUITS, line, "a clue that closes is not met")
        label -= closing.wanted
        if not closing.may_be(label):
            raise wrong_at(CIRCUITS, line, "an open clue cannot be met any more")
        if label in found:
            raise wrong_at(CIRCUITS, line, "a second node for the same numbers of mines")
        found[label] = len(order)
    return found


def _require_all(
    join: CircuitJoin,
    left: list[int],
    right: list[int],
    closing: _Closing,
    listed: dict[int, int],
    budget: int,
) -> int:
    """Require every pair that may be part of a layout; return the budget of pairs that is left."""
    # A pair meets the closing clues if the closing fields of its labels add up to ``wanted``: right
    # nodes are looked up by the fields that they lack.
    partners: dict[int, list[int]] = {}
    for label in right:
        rest = closing.wanted - (label & closing.closing)
        # ``wanted`` is subtracted, so that the sum is a label of the join: closed fields become 0.
        partners.setdefault(rest, []).append(label - closing.wanted)
    fitting = [partners.get(label & closing.closing, ()) for label in left]
    budget -= sum(map(len, fitting))
    if budget < 0:
        raise wrong_at(CIRCUITS, join.line, f"more than {MOST_TRIED} pairs of nodes to be tried")
    # Each fitting pair must be listed under its label, unless the label can lead to no layout.
    found = Counter([a + b for a, row in zip(left, fitting, strict=True) for b in row])
    for label, pairs in found.items():
        if listed.get(label, 0) != pairs and (label in listed or closing.may_be(label)):
            raise wrong_at(CIRCUITS, join.line, "a pair of nodes that goes together is missing")
    return budget
