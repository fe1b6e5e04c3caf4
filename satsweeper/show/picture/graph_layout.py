"""Places for the nodes of a graph: near where few edges lead, and never upon one another.

Distances in the picture approach distances in the graph by stress majorisation (Gansner, Koren and
North, Graph Drawing 2004): each node in turn moves to the average of where the others want it. The
arithmetic is that of IEEE 754 alone, so that the picture is the same on every machine.
"""

from collections.abc import Sequence
from math import cos, pi, sin, sqrt
from typing import Final

from satsweeper.show.picture.strokes import Point

_EDGE: Final = 2.2
"""The length of an edge that the places approach, in diameters of a node."""
_NEAR: Final = 1.6
"""The least distance of two nodes."""
MOST_NODES: Final = 400
"""The most nodes of a graph that is laid out; a larger one stands in rows."""
_PUSHES: Final = 60
"""The most rounds in which nodes push each other away."""
_WORK: Final = 1_500_000
"""The most steps over a pair of nodes."""


def places_of(neighbours: Sequence[Sequence[int]]) -> tuple[Point, ...]:
    """Return a place for each node; ``neighbours``: lists of numbers, each edge in both lists."""
    number = len(neighbours)
    if number > MOST_NODES:
        across = int(sqrt(number - 1)) + 1
        return tuple((_EDGE * (k % across), _EDGE * (k // across)) for k in range(number))
    found: list[Point] = [(0.0, 0.0)] * number
    left, top, deep, widest = 0.0, 0.0, 0.0, _EDGE * sqrt(2 * number)
    for nodes in _parts(neighbours):
        places = _spread(_laid(nodes, neighbours))
        west, north = min(x for x, _ in places), min(y for _, y in places)
        wide = max(x for x, _ in places) - west
        if left and left + wide > widest:
            left, top, deep = 0.0, top + deep + _EDGE, 0.0
        for node, (x, y) in zip(nodes, places, strict=True):
            found[node] = round(x - west + left, 3), round(y - north + top, 3)
        left += wide + _EDGE
        deep = max(deep, max(y for _, y in places) - north)
    return tuple(found)


def _parts(neighbours: Sequence[Sequence[int]]) -> list[list[int]]:
    """The connected parts, the largest first."""
    seen: set[int] = set()
    parts = []
    for start in range(len(neighbours)):
        if start not in seen:
            part = [*_distances(start, neighbours)]
            seen.update(part)
            parts.append(sorted(part))
    return sorted(parts, key=lambda part: (-len(part), part))


def _distances(start: int, neighbours: Sequence[Sequence[int]]) -> dict[int, int]:
    """The number of edges to each node that can be reached."""
    found = {start: 0}
    queue = [start]
    for node in queue:
        for near in neighbours[node]:
            if near not in found:
                found[near] = found[node] + 1
                queue.append(near)
    return found


def _laid(nodes: Sequence[int], neighbours: Sequence[Sequence[int]]) -> list[Point]:
    """The places of a connected part, from a circle on."""
    number = len(nodes)
    radius = _EDGE * number / (2 * pi)
    # Rounded, as libraries differ in the last digits of sines.
    turns = [2 * pi * k / number for k in range(number)]
    xs = [round(radius * sin(turn), 6) for turn in turns]
    ys = [round(-radius * cos(turn), 6) for turn in turns]
    wanted = []
    for node in nodes:
        steps = _distances(node, neighbours)
        wanted.append([_EDGE * steps[other] for other in nodes])
    for _ in range(min(_WORK // (number * number) + 1, 200) if number > 1 else 0):
        for a in range(number):
            x = y = weights = 0.0
            for b in range(number):
                if a != b:
                    far = wanted[a][b]
                    across, down = xs[a] - xs[b], ys[a] - ys[b]
                    apart = sqrt(across * across + down * down) or 1e-9
                    weight = 1 / (far * far)
                    x += weight * (xs[b] + far * across / apart)
                    y += weight * (ys[b] + far * down / apart)
                    weights += weight
            xs[a], ys[a] = x / weights, y / weights
    return list(zip(xs, ys, strict=True))


def _spread(places: list[Point]) -> list[Point]:
    """The places after nodes that are too near have pushed each other away, and then enlarged."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    number = len(places)
    least = _NEAR
    for _ in range(_PUSHES):
        least = _NEAR
        for a in range(number):
            for b in range(a):
                across, down = xs[a] - xs[b], ys[a] - ys[b]
                apart = sqrt(across * across + down * down)
                least = min(least, apart)
                if apart < _NEAR:
                    # Two nodes in one place part in a direction that their numbers give.
                    across, down = (across, down) if apart > 0.01 else (1.0, a / number)
                    push = (_NEAR - apart) / (2 * sqrt(across * across + down * down))
                    xs[a], ys[a] = xs[a] + push * across, ys[a] + push * down
                    xs[b], ys[b] = xs[b] - push * across, ys[b] - push * down
        if least > _NEAR - 0.05:
            break
    factor = _NEAR / max(least, 0.1)
    return [(factor * x, factor * y) for x, y in zip(xs, ys, strict=True)]
