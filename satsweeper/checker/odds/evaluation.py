"""A circuit evaluated: layouts by their number of mines, and layouts with a mine in a given cell.

The number of a node is a polynomial whose coefficient k counts the node's layouts with k mines, all
coefficients packed into lanes of one integer. From the leaves up, a choice is a sum and a pair is a
product. From the root down, every node gets the ways to complete it to a layout of the region.
"""

from collections.abc import Iterator, Sequence
from math import comb
from typing import Final, NamedTuple

from satsweeper.checker.errors import wrong_at
from satsweeper.checker.odds.circuit import CIRCUITS, Circuit

MOST_BITS: Final = 1 << 38
"""Limit on pairs of nodes times bits of a number: minutes of multiplying."""

Numbers = list[list[int]]
"""A number for each node of each group."""


class Evaluated(NamedTuple):
    """Numbers of layouts of a region, by their number of mines, or a single number for all.

    ``whole``: of all layouts, the first entry for ``least`` mines; ``mined``: for each box, of the
    layouts with a mine in a given cell of the box, in the order of ``whole``.
    """

    least: int
    whole: list[int]
    mined: list[list[int]]


def evaluate(circuit: Circuit, by_mines: bool) -> Evaluated:
    """Return the numbers of layouts of a checked circuit.

    Args:
        circuit: the circuit of a region.
        by_mines: whether layouts with different numbers of mines are counted apart.

    Raises:
        WrongCertificateError: the numbers would be too long.
    """
    alive = _alive(circuit)
    joins = alive[len(circuit.leaves) :]
    numbers = _up(circuit, _by_mines(circuit, 0), joins)
    if not by_mines:
        layouts = numbers[-1][0]
        return Evaluated(0, [layouts], [[number] for number in _down(circuit, alive, numbers, 0)])
    # In nodes that are part of a layout no coefficient exceeds the number of layouts: lanes of that
    # many bits, rounded up to bytes, do not overflow. Other nodes are left out.
    lane = (numbers[-1][0].bit_length() + 8) & -8
    pairs = sum([len(node) // 2 for join in circuit.joins for node in join.nodes])
    if pairs * lane * sum([leaf.high for leaf in circuit.leaves]) > MOST_BITS:
        raise wrong_at(CIRCUITS, circuit.line, "the numbers of this region are too long")
    numbers = _up(circuit, _by_mines(circuit, lane), joins)
    whole = _lanes(numbers[-1][0], lane)
    least = next(mines for mines, layouts in enumerate(whole) if layouts)
    mined = [_lanes(number, lane) for number in _down(circuit, alive, numbers, lane)]
    filled = [[*each, *[0] * (len(whole) - len(each))][least:] for each in mined]
    return Evaluated(least, whole[least:], filled)


def fingerprint(circuit: Circuit, weights: Sequence[int], prime: int) -> int:
    """Return the sum over all layouts of the product of the weights of their mines' boxes.

    Args:
        circuit: a checked circuit.
        weights: a number for each box.
        prime: the modulus of all sums and products.
    """
    leaves = [
        [comb(len(leaf.cells), k) * pow(weight, k, prime) for k in range(leaf.low, leaf.high + 1)]
        for leaf, weight in zip(circuit.leaves, weights, strict=True)
    ]
    all_alive = [b"\1" * len(join.nodes) for join in circuit.joins]
    return _up(circuit, leaves, all_alive, prime)[-1][0] % prime


def _pairs(node: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(node[::2], node[1::2], strict=True)


def _alive(circuit: Circuit) -> list[bytearray]:
    """Return for each group a flag for each node: whether the node is part of some layout."""
    leaves = [leaf.high - leaf.low + 1 for leaf in circuit.leaves]
    alive = [bytearray(size) for size in [*leaves, *(len(join.nodes) for join in circuit.joins)]]
    alive[-1][0] = 1
    # Joins come after the groups they join: backwards, the flags of a join are final when read.
    for join, lives in zip(circuit.joins[::-1], alive[::-1], strict=False):
        left, right = alive[join.left], alive[join.right]
        for node, live in zip(join.nodes, lives, strict=True):
            if live:
                for at_left, at_right in _pairs(node):
                    left[at_left] = right[at_right] = 1
    return alive


def _by_mines(circuit: Circuit, lane: int) -> Numbers:
    """Return the numbers of the leaves: the ways to put the mines, moved up a lane for each."""
    return [
        [comb(len(leaf.cells), mines) << mines * lane for mines in range(leaf.low, leaf.high + 1)]
        for leaf in circuit.leaves
    ]


def _up(
    circuit: Circuit, leaves: Numbers, alive: Sequence[Sequence[int]], prime: int | None = None
) -> Numbers:
    """Return the number of each node, from the leaves up; 0 for nodes of joins not ``alive``.

    A pair is a product, for its halves share no cell; a choice is a sum, for no two of its pairs
    share a layout. With ``prime``, all numbers are modulo ``prime``.
    """
    numbers = [*leaves]
    for join, lives in zip(circuit.joins, alive, strict=True):
        left, right = numbers[join.left], numbers[join.right]
        sums = [
            sum([left[a] * right[b] for a, b in _pairs(node)]) if live else 0
            for node, live in zip(join.nodes, lives, strict=True)
        ]
        numbers.append(sums if prime is None else [number % prime for number in sums])
    return numbers


def _down(circuit: Circuit, alive: list[bytearray], numbers: Numbers, lane: int) -> Iterator[int]:
    """Yield for each box the number of layouts in which a given cell of the box is a mine."""
    beside = [[0] * len(each) for each in numbers]
    # beside[g][i]: the ways to complete node i of group g to a layout of the region.
    beside[-1][0] = 1
    boxes = len(circuit.leaves)
    for group in range(len(numbers) - 1, boxes - 1, -1):
        join = circuit.joins[group - boxes]
        left, right = numbers[join.left], numbers[join.right]
        by_left, by_right = beside[join.left], beside[join.right]
        for node, live, rest in zip(join.nodes, alive[group], beside[group], strict=True):
            if live:
                for at_left, at_right in _pairs(node):
                    by_left[at_left] += rest * right[at_right]
                    by_right[at_right] += rest * left[at_left]
        # A group is in one join only: its numbers are not needed any more.
        numbers[group] = beside[group] = []
    # With a given cell a mine, the other cells of its box hold one mine less.
    for leaf, rests in zip(circuit.leaves, beside, strict=False):
        others = len(leaf.cells) - 1
        yield sum(
            [
                rest * comb(others, mines - 1) << mines * lane
                for mines, rest in enumerate(rests, start=leaf.low)
                if mines
            ]
        )


def _lanes(number: int, lane: int) -> list[int]:
    """Return the coefficients packed in ``number``, ``lane`` bits each, at least one."""
    size = lane // 8
    count = max(-(-number.bit_length() // lane), 1)
    raw = number.to_bytes(size * count, "little")
    return [int.from_bytes(raw[at : at + size], "little") for at in range(0, len(raw), size)]
