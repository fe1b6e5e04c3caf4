"""From strokes on the grid to lines of points: letters, words, and how wide they are."""

from functools import cache
from itertools import pairwise

from satsweeper.show.picture.glyphs import BETWEEN, BLANK, GLYPHS, MISSING

Point = tuple[float, float]
Line = tuple[Point, ...]

_PIECES = 6
"""Straight pieces of a bend."""


@cache
def glyph(character: str) -> tuple[Line, ...]:
    """The lines of a character, in units of the grid; none for a blank."""
    if character == " ":
        return ()
    return tuple(map(_line, GLYPHS.get(character, MISSING).split()))


@cache
def width(character: str) -> float:
    """How wide a character is, in units of the grid."""
    lines = glyph(character)
    return max((x for line in lines for x, _ in line), default=BLANK)


def text_width(text: str) -> float:
    """How wide words on one line are, in units of the grid.

    >>> text_width("II"), text_width("")
    (2, 0)
    """
    return sum(map(width, text)) + BETWEEN * max(len(text) - 1, 0)


def placed(text: str) -> list[tuple[float, str]]:
    """Each character that is drawn, with where it begins."""
    at, found = 0.0, []
    for character in text:
        if character != " ":
            found.append((at, character))
        at += width(character) + BETWEEN
    return found


def wrapped(text: str, most: float) -> list[str]:
    """Lines of whole words, none wider than ``most`` units unless a word is.

    >>> wrapped("a guess it was", text_width("a guess"))
    ['a guess', 'it was']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer) <= most:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _line(stroke: str) -> Line:
    numbers = [int(digit, 16) for digit in stroke[1:]]
    points: list[Point] = list(zip(numbers[::2], numbers[1::2], strict=True))
    if stroke[0] == "/":
        return tuple(points)
    if stroke[0] == "@":
        first = _middle(points[-1], points[0])
        points = [first, *points, first]
    return _smooth(points)


def _smooth(points: list[Point]) -> Line:
    start, *pulling, end = points
    ends = [*(_middle(a, b) for a, b in pairwise(pulling)), end]
    line = [start]
    for (cx, cy), (ex, ey) in zip(pulling, ends, strict=True):
        sx, sy = line[-1]
        for piece in range(1, _PIECES + 1):
            t = piece / _PIECES
            u = 1 - t
            x = u * u * sx + 2 * u * t * cx + t * t * ex
            y = u * u * sy + 2 * u * t * cy + t * t * ey
            line.append((x, y))
    return tuple(line)


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
