"""Reader of the circuits in a certificate of odds: numbers, of which nothing is believed yet."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from satsweeper.checker.errors import WrongCertificateError, wrong_at

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
        WrongCertificateError: a line that should be another one.
    """
    lines = enumerate(text.split("\n")[1:-1], start=2)
    return [_circuit(at, line, lines) for at, line in lines]


def _circuit(at: int, line: str, lines: Iterator[tuple[int, str]]) -> Circuit:
    boxes, joins = _exactly(2, at, _numbers("region", at, line))
    return Circuit(
        at, [_leaf(*_next(lines)) for _ in range(boxes)], [_join(lines) for _ in range(joins)]
    )


def _leaf(at: int, line: str) -> CircuitLeaf:
    low, high, *cells = _numbers("box", at, line)
    return CircuitLeaf(at, low, high, tuple(cells))


def _join(lines: Iterator[tuple[int, str]]) -> CircuitJoin:
    at, line = _next(lines)
    left, right, nodes = _exactly(3, at, _numbers("join", at, line))
    return CircuitJoin(at, left, right, [_numbers("node", *_next(lines)) for _ in range(nodes)])


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
