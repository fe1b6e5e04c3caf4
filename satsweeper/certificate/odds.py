"""``certify_odds``: the odds of a position with all that is needed to count them again.

The layouts of each region are written down as a deterministic decomposable circuit. The plan is
that of counting: which boxes and groups of boxes are joined, such that few clues are open at any
time. A node of a group is a choice of how many mines are under each open clue. Nodes that lead to
no layout are written as well: that nothing is missing then shows step by step.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from satsweeper.board.facts import Flags
from satsweeper.certificate.folder import FoundAndFiles
from satsweeper.count.budget import MAX_WIDTH, CountingBudget
from satsweeper.count.elimination import best_tree
from satsweeper.count.odds import Odds, digits, fraction, odds
from satsweeper.count.sweep import BoxedRegion, boxes_of, greedy
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.reduce.residual import reduce_clues, regions
from satsweeper.reduce.single_clue import single_clue
from satsweeper.version import __version__

HEAD: Final = "satsweeper circuits 1\n"

_EASY: Final = 7
"""Clues open at once in a greedy order up to which no better plan is looked for."""
_SMALL: Final = 300
"""Cells above which a greedy order is not even tried."""
_BITS: Final = 5
"""Of a node's name for each clue."""


class _CircuitGroup(NamedTuple):
    """A group of boxes: its cells under each open clue, and the numbers of mines of its nodes.

    ``held``: clue -> how many cells of the group it counts; ``states``: a node's numbers of mines
    under the open clues, packed into an integer.
    """

    held: dict[int, int]
    states: list[int]


def circuit_text(
    region: BoxedRegion, variable: Mapping[int, int], stride: int, bound: CountingBudget
) -> Iterable[str]:
    """Yield the lines of a region's circuit.

    Args:
        region: its boxes, by their least cell.
        variable: of each cell.
        stride: of the bit board, to tell rows from columns.
        bound: what it may cost.

    Raises:
        OddsLimitError: the region is too wide, has too many states, or the time is over.
    """
    bound = bound.of_region(sum(region.sizes), divmod(region.cells[0][0], stride))
    width, plan = _plan(region, stride, bound)
    bound = bound.of(bound.about, width)
    total = [0] * len(region.needs)
    for size, clues in zip(region.sizes, region.clues, strict=True):
        for clue in clues:
            total[clue] += size
    yield f"region {len(region.sizes)} {len(plan)}\n"
    groups = []
    for cells, clues in zip(region.cells, region.clues, strict=True):
        size = len(cells)
        low = max(0, *(region.needs[clue] - total[clue] + size for clue in clues))
        high = min(size, *(region.needs[clue] for clue in clues))
        yield f"box {low} {high} {' '.join([str(variable[cell]) for cell in cells])}\n"
        held = {clue: size for clue in clues if size < total[clue]}
        mine = sum([1 << _BITS * clue for clue in held])
        groups.append(_CircuitGroup(held, [mines * mine for mines in range(low, high + 1)]))
    tried = pairs = 0
    for left, right in plan:
        group, nodes, more = _joined(groups[left], groups[right], region.needs, total)
        tried += more
        pairs += sum([len(node) for node in nodes]) // 2
        bound.compare(tried, pairs)
        groups.append(group)
        groups[left] = groups[right] = _CircuitGroup({}, [])
        yield f"join {left} {right} {len(nodes)}\n"
        for node in nodes:
            yield f"node {' '.join(map(str, node))}\n"


def _plan(
    region: BoxedRegion, stride: int, bound: CountingBudget
) -> tuple[int, list[tuple[int, int]]]:
    """Return how many clues are open at once, and the pairs of groups to join, in order."""
    boxes = len(region.sizes)
    if sum(region.sizes) <= _SMALL:
        order = greedy(region, 0)
        if order.width <= min(_EASY, bound.max_width):
            made = [order.boxes[0], *range(boxes, 2 * boxes - 2)]
            return order.width, list(zip(made, order.boxes[1:], strict=False))
    tree = best_tree(region, stride, bound)
    return tree.width, [(join.left, join.right) for join in tree.joins]


def _joined(
    left: _CircuitGroup, right: _CircuitGroup, needs: Sequence[int], total: Sequence[int]
) -> tuple[_CircuitGroup, list[list[int]], int]:
    """Return the join of two groups, the pairs of each node, and how many pairs were tried."""
    held = left.held | {clue: n + left.held.get(clue, 0) for clue, n in right.held.items()}
    met = [clue for clue, n in held.items() if n == total[clue]]
    held = {clue: n for clue, n in held.items() if n < total[clue]}
    mask = sum([31 << _BITS * clue for clue in met])
    need = sum([needs[clue] << _BITS * clue for clue in met])
    limits = [
        (_BITS * clue, needs[clue] - total[clue] + n, needs[clue]) for clue, n in held.items()
    ]
    # A state packs the mines under each clue into digits of `_BITS` bits. Clues that end here are
    # met if both digits add up to the need: so the right states are looked up by what they lack.
    partners: dict[int, list[tuple[int, int]]] = {}
    for number, state in enumerate(right.states):
        partners.setdefault(need - (state & mask), []).append((number, state - need))
    nodes: dict[int, list[int]] = {}
    hopeless: set[int] = set()
    tried = 0
    for one, state in enumerate(left.states):
        fitting = partners.get(state & mask, ())
        tried += len(fitting)
        for other, more in fitting:
            made = state + more
            if made in nodes:
                nodes[made] += one, other
            elif made not in hopeless:
                # An open clue must neither have too many mines nor lack more than its cells outside
                # can hold.
                if all(low <= made >> at & 31 <= high for at, low, high in limits):
                    nodes[made] = [one, other]
                else:
                    hopeless.add(made)
    return _CircuitGroup(held, list(nodes)), list(nodes.values()), tried


SCHEMA: Final = "satsweeper/odds-certificate/1"


class OddsCertificate(FoundAndFiles[Odds]):
    """The odds of a position and the files of their certificate: name -> content.

    ``about``: the manifest, without the hashes of the files.
    """


def certify_odds(
    position: Position,
    *,
    flags: Flags = "trust",
    density: Fraction | None = None,
    timeout: float | None = None,
    max_width: int = MAX_WIDTH,
) -> OddsCertificate:
    """Count the odds of a position, and write down circuits from which they can be counted again.

    Args and errors are those of ``odds``. A position without a layout has no odds (NoLayoutError):
    ``certify`` proves that it has none.

    >>> from tempfile import TemporaryDirectory
    >>> from satsweeper import Position
    >>> from satsweeper.checker.odds.check import check_odds
    >>> with TemporaryDirectory() as folder:
    ...     manifest = certify_odds(Position.parse("1??\\n12?\\n01?")).write(folder)
    ...     checked = check_odds(folder)
    >>> checked.solutions, checked.chances[0, 1], checked.chances[1, 2]
    ('2', '1', '1/2')
    """
    bound = CountingBudget(Deadline.after(timeout), max_width)
    found = odds(position, flags=flags, density=density, timeout=timeout, max_width=max_width)
    variable = {index: v for v, index in enumerate(found.by_index, start=1)}
    lines = [HEAD]
    for region in _regions(position, flags):
        lines += circuit_text(region, variable, position.geometry.stride, bound)
    about = {
        "schema": SCHEMA,
        "satsweeper": __version__,
        "rows": position.rows,
        "columns": position.columns,
        "mines": position.mines,
        "flags": flags,
        "density": None if density is None else str(density),
    }
    files = {
        "board.txt": position.text().encode("ascii"),
        "circuits.txt": "".join(lines).encode("ascii"),
        "odds.json": _claims(found),
    }
    return OddsCertificate(found, about, files)


def _regions(position: Position, flags: Flags) -> list[BoxedRegion]:
    """Return the regions that single clues leave, by least cell, with boxes by least cell."""
    geometry, _, clues, values, covered, trusted, _, _ = position.view(flags)
    first = single_clue(geometry, clues, values, covered, trusted)
    reduced = reduce_clues(geometry, clues, values, first.undecided, first.mines, pair_rule=False)
    found = []
    for region in map(boxes_of, regions(reduced.constraints)):
        order = sorted(range(len(region.cells)), key=lambda box: min(region.cells[box]))
        cells = [sorted(region.cells[box]) for box in order]
        sizes = [region.sizes[box] for box in order]
        marks = [region.marks[box] for box in order]
        found.append(region._replace(cells=cells, sizes=sizes, marks=marks))
    return sorted(found, key=lambda region: region.cells[0][0])


def _claims(found: Odds) -> bytes:
    """Return the number of layouts and the chances of all cells; equal chances stand once."""
    text = {id(chance): fraction(chance) for chance in found.distinct()}
    chances = [text[id(chance)] for chance in found.by_index.values()]
    number = {chance: at for at, chance in enumerate(dict.fromkeys(chances))}
    claims = {
        "solutions": digits(found.solutions),
        "chances": list(number),
        "cells": [number[chance] for chance in chances],
    }
    return json.dumps(claims).encode("ascii") + b"\n"
