"""Hard regions, counted by bucket elimination over a join tree, in integers.

The pairs of compatible states of two groups do not depend on the counts, so they are computed once,
and states that have no completion outside their group are dropped. Each state has the number of
ways to fill its group: a polynomial in the number of mines, with its coefficients in lanes of one
integer, or the polynomial's value at one point. The upward pass gives the number of all layouts;
the downward pass gives, for each state, the ways to fill all other boxes, which is the derivative
of the number of all layouts by the state's number (Darwiche, A differential approach to inference
in Bayesian networks, 2003).

R. Dechter, Bucket elimination: a unifying framework for reasoning, 1999.

The cost depends on the order in which clues are closed; `best_tree` tries a few orders. This is the
only importer of networkx, whose tree decompositions suggest orders.
"""

from collections.abc import Iterable, Iterator
from itertools import count
from math import log2
from typing import Final, NamedTuple

from satsweeper.count.budget import CountingBudget
from satsweeper.count.sweep import BoxedRegion, ways

# The plan of the elimination: which groups of boxes are joined, and which clues each join closes.
#
# A leaf is a box, a join is a group made of two groups. A clue is open in a group that holds some
# of the clue's boxes but not all. A state of a group is the number of mines under each open clue,
# in fields of five bits; a clue has the same field in every group in which it is open.

FIELD: Final = 5
_FULL: Final = 31
_TOP: Final = 16
"""The highest bit of a field: the sum of two numbers of mines, each at most 15, does not overflow
the field."""


class BoxLeaf(NamedTuple):
    """A box: the numbers of ``mines`` that the box may hold, and the summand ``one`` of a mine.

    Each mine adds ``one`` to a state: a 1 in the field of each open clue that counts the box.
    """

    mines: range
    one: int


class GroupJoin(NamedTuple):
    """A group made of the groups ``left`` and ``right``, which are given by number.

    A state of ``left`` and a state of ``right`` are compatible if their sum meets these conditions.

    ``closing``: a mask of the fields of clues that close, which must add up to ``wanted``;
    ``staying``: a mask of the fields of clues that stay open. ``top``: the highest bit of each
    field that is open on both sides. Added to the sum of two states, ``over`` sets the top bit of a
    field iff the sum exceeds the clue's need, and ``under`` sets the top bit iff the cells outside
    the group can supply the missing mines.
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

    ``width``: the largest number of clues open in a join, including clues that the join closes.
    ``bits``: log2 of an upper limit on the pairs of states that all joins compare.
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
    # inside[g]: the open clues of group g, with the number of their cells in the group.
    # touching[c]: the groups in which clue c is open. Both hold current groups only.
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
        # The groups in which the clue is open are joined to one group, which holds all cells of the
        # clue, so that the clue closes there.
        waiting = list(touching[clue])
        if not waiting:
            continue
        group = max(waiting, key=lambda each: len(inside[each]))
        waiting.remove(group)
        while waiting:
            # Join the waiting group with which the fewest clues stay open.
            held_by = inside[group]
            sums = {
                each: held_by
                | {clue: held + held_by.get(clue, 0) for clue, held in inside[each].items()}
                for each in waiting
            }
            partner = min(
                waiting,
                key=lambda each: sum([held < cells[clue] for clue, held in sums[each].items()]),
            )
            waiting.remove(partner)
            for side in (group, partner):
                for near in inside[side]:
                    del touching[near][side]
            sides.append((group, partner))
            group = len(inside)
            add(sums[partner])
    return _placed(region, cells, inside, sides)


def _placed(
    region: BoxedRegion,
    cells: list[int],
    inside: list[dict[int, int]],
    sides: list[tuple[int, int]],
) -> JoinTree:
    """Return the tree, with fields assigned to clues from the whole region down to its boxes.

    Args:
        region: the boxes of the region, and the clues over them.
        cells: the number of cells of each clue.
        inside: for each group its open clues, with the number of their cells in the group.
        sides: for each join the numbers of its two groups.
    """
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
        # Invariant: a clue has one field in all groups in which it is open, so that two states are
        # joined by adding them. Clues that stay open keep their field, going down; the clues that
        # this join closes are open below it only and get the lowest free fields.
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
        # At most the least need of the box's clues; at least what the other cells of a clue cannot
        # hold: a clue with c cells and need n has c - n safe cells, at most ``spare`` in the box.
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
    """Return an upper limit on the compatible pairs of states of two groups."""
    pairs = 1
    for side in (left, right):
        for clue, held in side.items():
            # The mines of a state under a clue are at most the clue's need and its cells in the
            # group, and at least the need less the cells outside. Under a closing clue the number
            # of the left state fixes the number of the right state.
            if side is left or clue not in closing:
                need = region.needs[clue]
                pairs *= max(min(need, held) - max(need - cells[clue] + held, 0) + 1, 1)
    return pairs


# The order of closing clues: the join tree with the lowest estimate of the work.

_ENOUGH: Final = 16
"""A tree with at most 2 to this power pairs of states is used without looking for a better one."""
_FILL_IN_PAYS: Final = 3_000
"""The number of clues above which minimum fill-in, which takes quadratic time, is not tried."""


def best_tree(region: BoxedRegion, stride: int, bound: CountingBudget) -> JoinTree:
    """Return the first join tree with few expected pairs of states, or the best tree tried.

    Args:
        region: the boxes of the region, and the clues over them.
        stride: the stride of the bit board, which gives the row and column of a board index.
        bound: the limits of counting.

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

    The first orders come from tree decompositions of the graph whose edges join clues that share a
    box, by networkx's heuristics minimum fill-in and minimum degree (Bodlaender and Koster,
    Treewidth computations I, 2010). The tree is rooted at its largest bag; clues whose topmost bag
    is farther down are closed first. The last two orders go by columns and by rows, which is good
    for lattices.
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


# The counting: states and counts, up and down the tree.

Pairs = list[tuple[int, int, int]]
"""Numbers of a left state, of a compatible right state, and of the state that is their sum."""


_REBASED: Final = 96
"""The width of lanes, in bits, from which on low lanes that are 0 in every count are dropped."""


class _StateNumbers(NamedTuple):
    """A count for each state of a group; the true count is the entry shifted by ``base`` lanes."""

    numbers: list[int]
    base: int


class Elimination:
    """A region with its join tree, the states of each group and their compatible pairs.

    ``mined``: after ``run``, for each box the layouts in which a given cell of the box is a mine.

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
            # A group is part of one join only, so its states are not needed any more.
            tables[join.left] = tables[join.right] = []
            self._states.append(len(states))
        self._drop_dead_ends()

    def _join(self, join: GroupJoin, left: list[int], right: list[int]) -> tuple[list[int], Pairs]:
        """Return the states of a join in order of discovery, and the pairs that make them."""
        _, _, closing, wanted, staying, top, over, under = join
        # Closing clues must be met exactly: right states are indexed by the mines that the left
        # state must have under the closing clues. The other clues are tested pair by pair.
        partners: dict[int, list[tuple[int, int]]] = {}
        for number, state in enumerate(right):
            key = wanted - (state & closing)
            if key in partners:
                partners[key].append((number, state))
            else:
                partners[key] = [(number, state)]
        numbers: dict[int, int] = {}
        pairs: Pairs = []
        for left_number, state in enumerate(left):
            fitting = partners.get(state & closing)
            if fitting is None:
                continue
            for right_number, right_state in fitting:
                made = state + right_state & staying
                # Skip sums with too many mines under an open clue, or with fewer mines than the
                # cells outside the group can make up for.
                if (made + over) & top or (made + under) & top != top:
                    continue
                pairs.append((left_number, right_number, numbers.setdefault(made, len(numbers))))
            self._tried += len(fitting)
            if not left_number & 255:
                self._bound.compare(self._tried, self._held + len(pairs))
        self._bound.compare(self._tried, self._held + len(pairs))
        return list(numbers), pairs

    def _drop_dead_ends(self) -> None:
        """Keep only pairs that are part of some layout, going down from the root."""
        # The state of the whole region is live, and both states of a pair that makes a live state
        # are live. A dropped pair has no completion outside its group, so no count changes.
        alive = [bytearray(states) for states in self._states]
        alive[-1] = bytearray(b"\1") * len(alive[-1])
        boxes = len(self._sizes)
        for at in range(len(self._pairs) - 1, -1, -1):
            made = alive[boxes + at]
            pairs = self._pairs[at]
            if not all(made):
                pairs = self._pairs[at] = [pair for pair in pairs if made[pair[2]]]
            left, right = self._tree.joins[at][:2]
            for left_number, right_number, _ in pairs:
                alive[left][left_number] = alive[right][right_number] = 1

    def whole(self, weights: tuple[int, int], lane: int) -> int:
        """Return the number of layouts: a polynomial in the number of mines, in lanes.

        ``lane``: the bits of a coefficient; 0: the polynomial's value at 1, times the weights.
        """
        return self._up(weights, lane)[0]

    def run(self, weights: tuple[int, int], lane: int) -> int:
        """Count the layouts as `whole` does, and also set ``mined``."""
        pairs = sum([len(each) for each in self._pairs])
        self._bound.multiply(pairs, lane * sum(self._sizes))
        whole, tables = self._up(weights, lane)
        if whole:
            self._down(tables, weights, lane)
        return whole

    def _up(self, weights: tuple[int, int], lane: int) -> tuple[int, list[_StateNumbers]]:
        """Return the number of layouts, and for each group each state's ways to fill the group."""
        tables = []
        for leaf, size in zip(self._tree.leaves, self._sizes, strict=True):
            placings = ways(size, weights).all
            tables.append(_StateNumbers([placings[k] << k * lane for k in leaf.mines], 0))
        held = 0
        for at, (join, pairs) in enumerate(zip(self._tree.joins, self._pairs, strict=True)):
            (lefts, left_base), (rights, right_base) = tables[join.left], tables[join.right]
            made = [0] * self._states[len(self._sizes) + at]
            # The two groups share no box, so the ways to fill them multiply; different pairs that
            # make a state are different layouts, so their ways add up.
            for left_number, right_number, number in self._watched(pairs):
                made[number] += lefts[left_number] * rights[right_number]
            table = _rebased(made, left_base + right_base, lane)
            held += sum([number.bit_length() for number in table.numbers])
            self._bound.store(held)
            tables.append(table)
        numbers, base = tables[-1]
        return sum(numbers) << base * lane, tables

    def _down(self, tables: list[_StateNumbers], weights: tuple[int, int], lane: int) -> None:
        """Set ``mined`` from each state's ways to fill all boxes outside its group, root first."""
        boxes = len(self._sizes)
        outside: dict[int, _StateNumbers] = {len(tables) - 1: _StateNumbers([1], 0)}
        for at in range(len(self._pairs) - 1, -1, -1):
            left, right = self._tree.joins[at][:2]
            (lefts, left_base), (rights, right_base) = tables[left], tables[right]
            around, base = outside.pop(boxes + at)
            del tables[boxes + at]
            left_outside, right_outside = [0] * len(lefts), [0] * len(rights)
            for left_number, right_number, number in self._watched(self._pairs[at]):
                # The boxes outside a child are the boxes outside its parent and its sibling's.
                rest = around[number]
                left_outside[left_number] += rest * rights[right_number]
                right_outside[right_number] += rest * lefts[left_number]
            outside[left] = _rebased(left_outside, base + right_base, lane)
            outside[right] = _rebased(right_outside, base + left_base, lane)
        for box, leaf in enumerate(self._tree.leaves):
            around, base = outside[box]
            placings = ways(self._sizes[box], weights).mined
            each = zip(leaf.mines, around, strict=True)
            self.mined[box] = sum([rest * placings[k] << (base + k) * lane for k, rest in each])

    def _watched(self, pairs: Pairs) -> Iterator[tuple[int, int, int]]:
        """Yield ``pairs``; raise OddsLimitError once the time is over."""
        for start in range(0, len(pairs), 1024):
            self._bound.check()
            yield from pairs[start : start + 1024]


def _rebased(numbers: list[int], base: int, lane: int) -> _StateNumbers:
    """Return ``numbers`` without the low lanes that are 0 in every number, and the new base."""
    if lane < _REBASED:
        return _StateNumbers(numbers, base)
    held = 0
    for number in numbers:
        held |= number
    shift = ((held & -held).bit_length() - 1) // lane if held else 0
    if not shift:
        return _StateNumbers(numbers, base)
    return _StateNumbers([number >> shift * lane for number in numbers], base + shift)
