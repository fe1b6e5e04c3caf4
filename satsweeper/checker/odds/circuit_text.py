"""The circuits of a certificate of odds, as the file has them: numbers, nothing of it believed."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from satsweeper.checker.wrong import WrongCertificateError, wrong_at

CIRCUITS: Final = "circuits.txt"


class Leaf(NamedTuple):
    """A box: its cells, and the numbers of mines it may hold, one node each."""

    line: int
    low: int
    high: int
    cells: tuple[int, ...]


class Join(NamedTuple):
    """Two groups made one; for each node the pairs of nodes that it is the choice of.

    ``nodes``: the pairs as ``left, right, left, right, ...``, numbers of nodes in the two groups.
    """

    line: int
    left: int
    right: int
    nodes: list[list[int]]


class Circuit(NamedTuple):
    """Of one region. Groups have numbers: first a leaf for each box, then the joins."""

    line: int
    leaves: list[Leaf]
    joins: list[Join]


def read_circuits(text: str) -> list[Circuit]:
    """The circuits in a file that is in the one form of certificates.

    Raises:
        WrongCertificateError: a line that should be another one.
    """
    lines = enumerate(text.split("\n")[1:-1], start=2)
    return [_circuit(at, line, lines) for at, line in lines]


def _circuit(at: int, line: str, lines: Iterator[tuple[int, str]]) -> Circuit:
    boxes, joins = _exactly(2, at, _numbers("region", at, line))
    return Circuit(
        at, [_leaf(*_next(lines)) for _ in range(boxes)], [_join(lines) for _ in range(joins)]
    )


def _leaf(at: int, line: str) -> Leaf:
    low, high, *cells = _numbers("box", at, line)
    return Leaf(at, low, high, tuple(cells))


def _join(lines: Iterator[tuple[int, str]]) -> Join:
    at, line = _next(lines)
    left, right, nodes = _exactly(3, at, _numbers("join", at, line))
    return Join(at, left, right, [_numbers("node", *_next(lines)) for _ in range(nodes)])


def _next(lines: Iterator[tuple[int, str]]) -> tuple[int, str]:
    for found in lines:
        return found
    raise WrongCertificateError(CIRCUITS, "it ends within a region")


def _numbers(kind: str, at: int, line: str) -> list[int]:
    word, *numbers = line.split(" ")
    if word != kind:
        raise wrong_at(CIRCUITS, at, f"{word!r} where {kind!r} should be")
    if len(numbers) < 2:
        raise wrong_at(CIRCUITS, at, "too few numbers")
    return list(map(int, numbers))


def _exactly(count: int, at: int, numbers: list[int]) -> list[int]:
    if len(numbers) != count:
        raise wrong_at(CIRCUITS, at, "another count of numbers")
    return numbers
