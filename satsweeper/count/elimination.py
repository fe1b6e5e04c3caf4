"""Hard regions, counted by bucket elimination over a join tree, in integers.

Which states of two groups go together does not depend on the numbers, so it is found once, and
what cannot be completed outside the group is dropped. With each state goes the number of ways to
fill the group: a polynomial in the number of mines, its coefficients in lanes of one integer, or
its value at one point. The way up gives the whole; the way down gives each state's ways to fill
everything else, which is the derivative of the whole by the state's number (Darwiche, A
differential approach to inference in Bayesian networks, 2003).

R. Dechter, Bucket elimination: a unifying framework for reasoning, 1999.

The order in which clues are closed decides the cost; `best_tree` tries a few. This is the only
importer of networkx, whose tree decompositions suggest orders.
"""

from collections.abc import Iterable, Iterator
from itertools import count
from math import log2
from typing import Final, NamedTuple

from satsweeper.count.budget import CountingBudget
from satsweeper.count.sweep import BoxedRegion, ways

# Bucket elimination, planned: which boxes and groups of boxes are joined, and what that closes.
#
# A leaf is a box, a join is a group of boxes made of two. A clue is open in a group that holds some
# of its boxes but not all. A state of a group is the number of mines under each open clue, in
# fields of five bits: one clue's field lies in the same place in every group in which it is open.

FIELD: Final = 5
_FULL: Final = 31
_TOP: Final = 16
"""Two numbers of mines, each no more than a clue's 15, add up in a field without overflow."""


class BoxLeaf(NamedTuple):
    """A box: ``mines`` that it may hold; a mine adds ``one``, 1 in the field of each open clue."""

    mines: range
    one: int


class GroupJoin(NamedTuple):
    """A group of boxes made of two, which are given by number.

    States of ``left`` and ``right`` go together where the clues allow it.

    ``closing``: the fields of clues that close, which must add up to ``wanted``; ``staying``: the
    fields of clues that stay open. ``top``: the highest bit of each field that is open on both
    sides. Added to a sum, ``over`` sets such a bit where the sum exceeds the clue, and ``under``
    fails to set it where the cells that follow cannot make up what is missing.
    """

    left: int
    right: int
    closing: int
    wanted: int
    staying: int
    top: int
    over: int
    under: int


class JoinTree(NamedTuple):
    """Groups by number: first a leaf for each box, then the joins, the whole region last.

    ``width``: clues open at once, those that a join closes included; ``bits``: log2 of the pairs of
    states that all joins compare, at the most.
    """

    leaves: list[BoxLeaf]
    joins: list[GroupJoin]
    width: int
    bits: float


def join_tree(region: BoxedRegion, order: Iterable[int]) -> JoinTree:
    """Return the tree that closes the clues in ``order``, joining the groups where each is open."""
    cells = [0] * len(region.needs)
    for size, clues in zip(region.sizes, region.clues, strict=True):
        for clue in clues:
            cells[clue] += size
    # For each group its open clues, with the number of their cells inside; and the reverse.
    inside: list[dict[int, int]] = []
    touching: list[dict[int, None]] = [{} for _ in cells]

    def add(held: dict[int, int]) -> None:
        held = {clue: count for clue, count in held.items() if count < cells[clue]}
        for clue in held:
            touching[clue][len(inside)] = None
        inside.append(held)

    for size, clues in zip(region.sizes, region.clues, strict=True):
        add(dict.fromkeys(clues, size))
    sides: list[tuple[int, int]] = []
    for clue in order:
        # All groups in which the clue is open become one, in which it has all its cells: it closes.
        waiting = list(touching[clue])
        if not waiting:
            continue
        group = max(waiting, key=lambda each: len(inside[each]))
        waiting.remove(group)
        while waiting:
            # Join the group that leaves the fewest clues open.
            own = inside[group]
            sums = {
                each: own | {clue: held + own.get(clue, 0) for clue, held in inside[each].items()}
                for each in waiting
            }
            other = min(
                waiting,
                key=lambda each: sum([held < cells[clue] for clue, held in sums[each].items()]),
            )
            waiting.remove(other)
            for side in (group, other):
                for near in inside[side]:
                    del touching[near][side]
            sides.append((group, other))
            group = len(inside)
            add(sums[other])
    return _placed(region, cells, inside, sides)


def _placed(
    region: BoxedRegion,
    cells: list[int],
    inside: list[dict[int, int]],
    sides: list[tuple[int, int]],
) -> JoinTree:
    """Return the tree with a field for each clue, given from the whole region down to its boxes."""
    boxes = len(region.sizes)
    needs = region.needs
    places: list[dict[int, int]] = [{} for _ in inside]
    joins: list[GroupJoin] = []
    width, pairs = 0, 0.0
    for number in range(len(sides) - 1, -1, -1):
        left, right = sides[number]
        after = inside[boxes + number]
        place = dict(places[boxes + number])
        closing = [clue for clue in inside[left] if clue not in after]
        # Fields of clues that stay open are kept; closing clues get the lowest free fields. So a
        # clue has one field in all groups in which it is open, and states are joined by adding.
        taken = set(place.values())
        free = (at for at in count() if at * FIELD not in taken)
        place |= {clue: next(free) * FIELD for clue in closing}
        for side in (left, right):
            places[side] = {clue: place[clue] for clue in inside[side]}
        both = [clue for clue in inside[left] if clue in inside[right] and clue in after]
        least = [max(needs[clue] - cells[clue] + after[clue], 0) for clue in both]
        joins.append(
            GroupJoin(
                left,
                right,
                sum([_FULL << place[clue] for clue in closing]),
                sum([needs[clue] << place[clue] for clue in closing]),
                sum([_FULL << place[clue] for clue in after]),
                sum([_TOP << place[clue] for clue in both]),
                sum([_TOP - 1 - needs[clue] << place[clue] for clue in both]),
                sum([_TOP - few << place[clue] for clue, few in zip(both, least, strict=True)]),
            )
        )
        width = max(width, len(place))
        pairs += _pairs(region, cells, inside[left], inside[right], closing)
    leaves = []
    for box, (size, clues) in enumerate(zip(region.sizes, region.clues, strict=True)):
        # No more mines than any of its clues needs, and no fewer than its other cells leave over.
        spare = min([cells[clue] - needs[clue] for clue in clues])
        mines = range(max(size - spare, 0), min(size, *[needs[clue] for clue in clues]) + 1)
        leaves.append(BoxLeaf(mines, sum([1 << at for at in places[box].values()])))
    return JoinTree(leaves, joins[::-1], width, log2(max(pairs, 1)))


def _pairs(
    region: BoxedRegion,
    cells: list[int],
    left: dict[int, int],
    right: dict[int, int],
    closing: list[int],
) -> int:
    """Return an upper limit of the pairs of states of two groups that go together."""
    pairs = 1
    for side in (left, right):
        for clue, held in side.items():
            # A state has at most as many mines under a clue as it needs and as the group has cells,
            # and no fewer than the cells outside leave over. Under a closing clue the left side's
            # number fixes the right side's.
            if side is left or clue not in closing:
                need = region.needs[clue]
                pairs *= max(min(need, held) - max(need - cells[clue] + held, 0) + 1, 1)
    return pairs


# The order of closing: the join tree that promises least work.

_ENOUGH: Final = 16
"""log2 of the pairs of states up to which no better tree is looked for."""
_FILL_IN_PAYS: Final = 3_000
"""Clues above which minimum fill-in, whose time grows with their square, takes many seconds."""


def best_tree(region: BoxedRegion, stride: int, bound: CountingBudget) -> JoinTree:
    """Return the first join tree that promises little work, or the best of all that were tried.

    Args:
        region: its boxes.
        stride: of the bit board, to tell rows from columns.
        bound: what counting may cost.

    Raises:
        OddsLimitError: the best tree is too wide, or the time is over.
    """
    best: JoinTree | None = None
    for order in _orders(region, stride):
        tree = join_tree(region, order)
        if best is None or tree.bits < best.bits:
            best = tree
        if best.bits <= _ENOUGH:
            break
        bound.check()
    assert best is not None
    bound.admit(best.width, best.bits)
    return best


def _orders(region: BoxedRegion, stride: int) -> Iterator[list[int]]:
    """Yield orders of clues in which few clues are open whenever a clue is closed.

    First by tree decompositions of the graph that joins clues that share a box: by networkx's
    heuristics, minimum fill-in and minimum degree (Bodlaender and Koster, Treewidth computations
    I, 2010). The tree hangs from its largest bag, and a clue is closed where it is in no bag
    further up. Then by columns and by rows, which suits lattices.
    """
    import networkx
    from networkx.algorithms.approximation import treewidth_min_degree, treewidth_min_fill_in

    graph = networkx.Graph()
    graph.add_nodes_from(range(len(region.needs)))
    for clues in region.clues:
        graph.add_edges_from((a, b) for a in clues for b in clues if a < b)
    small = len(region.needs) <= _FILL_IN_PAYS
    for decompose in (treewidth_min_fill_in, treewidth_min_degree)[not small :]:
        _, tree = decompose(graph)
        found: dict[int, None] = {}
        root = max(tree, key=lambda bag: (len(bag), min(bag)))
        for bag in networkx.dfs_preorder_nodes(tree, root):
            found |= dict.fromkeys(sorted(bag))
        yield list(found)[::-1]
    last = [0] * len(region.needs)
    for cells, clues in zip(region.cells, region.clues, strict=True):
        for clue in clues:
            last[clue] = max(last[clue], *cells)
    numbers = range(len(last))
    yield sorted(numbers, key=lambda clue: divmod(last[clue], stride)[::-1])
    yield sorted(numbers, key=last.__getitem__)


# The counting itself, up and down the tree.

Pairs = list[tuple[int, int, int]]
"""The numbers of a state of the left group, one of the right, and of the state that they make."""


_REBASED: Final = 96
"""Width of lanes from which leading lanes that are all 0 are dropped."""


class _StateNumbers(NamedTuple):
    """A number for each state of a group; all of them are to be moved up by ``base`` lanes."""

    numbers: list[int]
    base: int


class Elimination:
    """A region with its join tree and the states that go together.

    ``mined``: after ``run``, for each box the layouts in which a given cell of it is a mine.

    Raises:
        OddsLimitError: there are too many states, or the time is over.
    """

    def __init__(self, region: BoxedRegion, tree: JoinTree, bound: CountingBudget) -> None:
        self._sizes = region.sizes
        self._bound = bound.of(bound.about, tree.width)
        self._tree = tree
        self._states = [len(leaf.mines) for leaf in tree.leaves]
        self._tried = self._held = 0
        self._pairs: list[Pairs] = []
        self.mined = [0] * len(region.sizes)
        tables = [[k * leaf.one for k in leaf.mines] for leaf in tree.leaves]
        for join in tree.joins:
            states, pairs = self._join(join, tables[join.left], tables[join.right])
            self._held += len(pairs)
            self._pairs.append(pairs)
            tables.append(states)
            # A group is part of one join only.
            tables[join.left] = tables[join.right] = []
            self._states.append(len(states))
        self._drop_dead_ends()

    def _join(self, join: GroupJoin, left: list[int], right: list[int]) -> tuple[list[int], Pairs]:
        """Return the states of a join in order of discovery, and the pairs that make them."""
        _, _, closing, wanted, staying, top, over, under = join
        # Closing clues must be met exactly: pairs are found by what the left side lacks.
        partners: dict[int, list[tuple[int, int]]] = {}
        for number, state in enumerate(right):
            key = wanted - (state & closing)
            if key in partners:
                partners[key].append((number, state))
            else:
                partners[key] = [(number, state)]
        numbers: dict[int, int] = {}
        pairs: Pairs = []
        for one, state in enumerate(left):
            fitting = partners.get(state & closing)
            if fitting is None:
                continue
            for other, more in fitting:
                made = state + more & staying
                # Too many mines for an open clue, or too few for the cells that follow.
                if (made + over) & top or (made + under) & top != top:
                    continue
                pairs.append((one, other, numbers.setdefault(made, len(numbers))))
            self._tried += len(fitting)
            if not one & 255:
                self._bound.compare(self._tried, self._held + len(pairs))
        self._bound.compare(self._tried, self._held + len(pairs))
        return list(numbers), pairs

    def _drop_dead_ends(self) -> None:
        """Keep only pairs that are part of some layout, going down from the root."""
        # A state of the whole region is alive, and so are both sides of a pair that makes a live
        # state. What is dropped has ways to fill the group, but none to fill the rest.
        alive = [bytearray(states) for states in self._states]
        alive[-1] = bytearray(b"\1") * len(alive[-1])
        boxes = len(self._sizes)
        for at in range(len(self._pairs) - 1, -1, -1):
            made = alive[boxes + at]
            pairs = self._pairs[at]
            if not all(made):
                pairs = self._pairs[at] = [pair for pair in pairs if made[pair[2]]]
            left, right = self._tree.joins[at][:2]
            for one, other, _ in pairs:
                alive[left][one] = alive[right][other] = 1

    def whole(self, weights: tuple[int, int], lane: int) -> int:
        """Return the number of layouts; a mine moves a number up by ``lane`` bits."""
        return self._up(weights, lane)[0]

    def run(self, weights: tuple[int, int], lane: int) -> int:
        """Return the number of layouts, and set ``mined``."""
        pairs = sum([len(each) for each in self._pairs])
        self._bound.multiply(pairs, lane * sum(self._sizes))
        whole, tables = self._up(weights, lane)
        if whole:
            self._down(tables, weights, lane)
        return whole

    def _up(self, weights: tuple[int, int], lane: int) -> tuple[int, list[_StateNumbers]]:
        tables = []
        for leaf, size in zip(self._tree.leaves, self._sizes, strict=True):
            placings = ways(size, weights).all
            tables.append(_StateNumbers([placings[k] << k * lane for k in leaf.mines], 0))
        held = 0
        for at, (join, pairs) in enumerate(zip(self._tree.joins, self._pairs, strict=True)):
            (lefts, left_base), (rights, right_base) = tables[join.left], tables[join.right]
            made = [0] * self._states[len(self._sizes) + at]
            for one, other, number in self._watched(pairs):
                made[number] += lefts[one] * rights[other]
            table = _rebased(made, left_base + right_base, lane)
            held += sum([number.bit_length() for number in table.numbers])
            self._bound.store(held)
            tables.append(table)
        numbers, base = tables[-1]
        return sum(numbers) << base * lane, tables

    def _down(self, tables: list[_StateNumbers], weights: tuple[int, int], lane: int) -> None:
        """Set ``mined`` from each state's ways to fill everything else, root first."""
        boxes = len(self._sizes)
        outside: dict[int, _StateNumbers] = {len(tables) - 1: _StateNumbers([1], 0)}
        for at in range(len(self._pairs) - 1, -1, -1):
            left, right = self._tree.joins[at][:2]
            (lefts, left_base), (rights, right_base) = tables[left], tables[right]
            around, base = outside.pop(boxes + at)
            del tables[boxes + at]
            left_outside, right_outside = [0] * len(lefts), [0] * len(rights)
            for one, other, number in self._watched(self._pairs[at]):
                # Outside a child lies what is outside its parent, and the other child.
                rest = around[number]
                left_outside[one] += rest * rights[other]
                right_outside[other] += rest * lefts[one]
            outside[left] = _rebased(left_outside, base + right_base, lane)
            outside[right] = _rebased(right_outside, base + left_base, lane)
        for box, leaf in enumerate(self._tree.leaves):
            around, base = outside[box]
            placings = ways(self._sizes[box], weights).mined
            each = zip(leaf.mines, around, strict=True)
            self.mined[box] = sum([rest * placings[k] << (base + k) * lane for k, rest in each])

    def _watched(self, pairs: Pairs) -> Iterator[tuple[int, int, int]]:
        """Yield the pairs; OddsLimitError once the time is over."""
        for start in range(0, len(pairs), 1024):
            self._bound.check()
            yield from pairs[start : start + 1024]


def _rebased(numbers: list[int], base: int, lane: int) -> _StateNumbers:
    """Return ``numbers`` without their lowest lanes where those are empty in every number."""
    if lane < _REBASED:
        return _StateNumbers(numbers, base)
    held = 0
    for number in numbers:
        held |= number
    shift = ((held & -held).bit_length() - 1) // lane if held else 0
    if not shift:
        return _StateNumbers(numbers, base)
    return _StateNumbers([number >> shift * lane for number in numbers], base + shift)
