"""A circuit evaluated: layouts by their number of mines, and those in which a cell is a mine.

A node's number is a polynomial in the number of mines, its coefficients in lanes of one integer, or
one number where mines and safe cells have weights. Up the circuit a choice is a sum and a pair is a
product. Down it, every node gets what all the rest of the region contributes beside it.
"""

from math import comb
from typing import Final, NamedTuple

from satsweeper.checker.circuit_text import CIRCUITS, Circuit
from satsweeper.checker.wrong import WrongCertificateError

MOST_BITS: Final = 1 << 38
"""Pairs of nodes times bits of a number: minutes of multiplying."""

Weights = tuple[int, int]
"""Of a mine, and of a safe cell."""

Numbers = list[list[int]]
"""A number for each node of each group."""


class Evaluated(NamedTuple):
    """``whole``: layouts by their number of mines, from ``least`` on; ``mined``: for each box, the
    same of the layouts with a given cell of it a mine. With weights: one number each."""

    least: int
    whole: list[int]
    mined: list[list[int]]


def evaluate(circuit: Circuit, weights: Weights | None) -> Evaluated:
    """The numbers of a circuit that was checked.

    Args:
        circuit: of a region.
        weights: None to keep the numbers of mines apart.

    Raises:
        WrongCertificateError: the numbers would be too long.
    """
    alive = _alive(circuit)
    cells = sum([len(leaf.cells) for leaf in circuit.leaves])
    pairs = sum([len(node) // 2 for join in circuit.joins for node in join.nodes])
    if weights is not None:
        _refuse_long(pairs * cells * sum(weights).bit_length())
        numbers = _up(circuit, alive, weights, 0)
        return Evaluated(0, numbers[-1], [[n] for n in _down(circuit, alive, numbers, weights, 0)])
    # No coefficient of what is part of a layout exceeds the number of layouts.
    lane = (_up(circuit, alive, (1, 1), 0)[-1][0].bit_length() + 8) & -8
    _refuse_long(pairs * lane * sum([leaf.high for leaf in circuit.leaves]))
    numbers = _up(circuit, alive, (1, 1), lane)
    whole = _lanes(numbers[-1][0], lane)
    least = next(mines for mines, layouts in enumerate(whole) if layouts)
    mined = [_lanes(n, lane) for n in _down(circuit, alive, numbers, (1, 1), lane)]
    size = len(whole)
    filled = [[*each, *[0] * (size - len(each))][least:] for each in mined]
    return Evaluated(least, whole[least:], filled)


def _refuse_long(bits: int) -> None:
    if bits > MOST_BITS:
        raise WrongCertificateError(CIRCUITS, "a region whose numbers are too long")


def _alive(circuit: Circuit) -> list[bytearray]:
    """For each group which of its nodes are a part of some layout."""
    leaves = [leaf.high - leaf.low + 1 for leaf in circuit.leaves]
    sizes = [*leaves, *(len(join.nodes) for join in circuit.joins)]
    alive = [bytearray(size) for size in sizes]
    alive[-1][0] = 1
    for group in range(len(sizes) - 1, len(leaves) - 1, -1):
        join = circuit.joins[group - len(leaves)]
        left, right = alive[join.left], alive[join.right]
        for node, lives in zip(join.nodes, alive[group], strict=True):
            if lives:
                for one in node[::2]:
                    left[one] = 1
                for other in node[1::2]:
                    right[other] = 1
    return alive


def _up(circuit: Circuit, alive: list[bytearray], weights: Weights, lane: int) -> Numbers:
    """The number of each node; 0 for those that are no part of a layout."""
    mine, safe = weights
    numbers = []
    for leaf in circuit.leaves:
        n = len(leaf.cells)
        numbers.append(
            [
                comb(n, k) * mine**k * safe ** (n - k) << k * lane
                for k in range(leaf.low, leaf.high + 1)
            ]
        )
    for join, lives in zip(circuit.joins, alive[len(circuit.leaves) :], strict=True):
        left, right = numbers[join.left], numbers[join.right]
        numbers.append(
            [
                sum([left[i] * right[j] for i, j in zip(node[::2], node[1::2], strict=True)])
                if live
                else 0
                for node, live in zip(join.nodes, lives, strict=True)
            ]
        )
    return numbers


def _down(
    circuit: Circuit, alive: list[bytearray], numbers: Numbers, weights: Weights, lane: int
) -> list[int]:
    """For each box the layouts in which a given cell of it is a mine."""
    beside = [[0] * len(each) for each in numbers]
    beside[-1][0] = 1
    boxes = len(circuit.leaves)
    for group in range(len(numbers) - 1, boxes - 1, -1):
        join = circuit.joins[group - boxes]
        left, right = numbers[join.left], numbers[join.right]
        by_left, by_right = beside[join.left], beside[join.right]
        for node, live, rest in zip(join.nodes, alive[group], beside[group], strict=True):
            if live:
                for i, j in zip(node[::2], node[1::2], strict=True):
                    by_left[i] += rest * right[j]
                    by_right[j] += rest * left[i]
        numbers[group] = beside[group] = []
    mine, safe = weights
    found = []
    for leaf, rests in zip(circuit.leaves, beside[:boxes], strict=True):
        n = len(leaf.cells)
        ways = [
            rest * comb(n - 1, k - 1) * mine**k * safe ** (n - k) << k * lane
            for k, rest in enumerate(rests, start=leaf.low)
            if k
        ]
        found.append(sum(ways))
    return found


def _lanes(number: int, lane: int) -> list[int]:
    """The coefficients, ``lane`` bits each, a multiple of 8; one at least."""
    size = lane // 8
    count = max(-(-number.bit_length() // lane), 1)
    raw = number.to_bytes(size * count, "little")
    return [int.from_bytes(raw[at : at + size], "little") for at in range(0, len(raw), size)]
