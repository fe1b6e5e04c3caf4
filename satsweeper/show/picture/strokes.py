"""Letters as strokes on a small grid, so that pictures need no font and are equal everywhere.

A glyph is a text of strokes with blanks between them. A stroke begins with its kind: ``/``
straight, ``~`` smooth, ``@`` smooth and closed. Points follow, each of two digits in base 16,
across and down: capitals stand between 0 and 8, small letters between 3 and 8, tails reach down to
b. A stroke ``~`` begins and ends in its first and last point, and the points in between attract the
curve (a quadratic B-spline); all points of a stroke ``@`` do. A stroke of one point is a dot.
"""

from functools import cache
from itertools import pairwise
from typing import Final

Point = tuple[float, float]
Line = tuple[Point, ...]

CAPITAL: Final = 8
"""The height of a capital, on the grid."""
DEEP: Final = 3
"""The depth of a tail below the baseline, on the grid."""
BETWEEN: Final = 2
"""The space between two letters, on the grid."""
BLANK: Final = 2
"""The width of a blank, on the grid."""

GLYPHS: Final[dict[str, str]] = {
    "0": "@00505808", "1": "/022028 /0848", "2": "~0200505308 /0858",
    "3": "~0100505424 ~2454580807", "4": "/48400656", "5": "/500003 ~0353580807",
    "6": "~400105 @03535808", "7": "/005018", "8": "@00505404 @04545808", "9": "@00505505 ~535718",
    "A": "/083068 /1555", "B": "/0008 ~00505404 ~04646808", "C": "~616000086867",
    "D": "/0008 ~00606808", "E": "/50000858 /0444", "F": "/500008 /0444",
    "G": "~616000086864 /6434", "H": "/0008 /6068 /0464", "I": "/0008", "J": "~40480806",
    "K": "/0008 /5005 /2358", "L": "/000858", "M": "/0800356068", "N": "/08006860",
    "O": "@00606808", "P": "/0008 ~00505404", "Q": "@00606808 /4668", "R": "/0008 ~00505404 /2458",
    "S": "~5150000454580807", "T": "/0060 /3038", "U": "/0005 ~05086865 /6560", "V": "/003860",
    "W": "/0028426880", "X": "/0068 /6008", "Y": "/003460 /3438", "Z": "/00600868",
    "a": "@03434808 /4348", "b": "/0008 @03434808", "c": "~444303084847", "d": "@03434808 /4048",
    "e": "/0545 ~454303084847", "f": "~301012 /1218 /0333", "g": "@03434808 /4349 ~494b0b0a",
    "h": "/0008 ~05034345 /4548", "i": "/0308 /01", "j": "/1319 ~191b0b /11",
    "k": "/0008 /4307 /2548", "l": "/0006 ~060828", "m": "/0308 ~05033335 /3538 ~35336365 /6568",
    "n": "/0308 ~05034345 /4548", "o": "@03434808", "p": "/030b @03434808", "q": "@03434808 /434b",
    "r": "/0308 ~050333", "s": "~4443030546480807", "t": "/1116 ~161838 /0333",
    "u": "/0306 ~06084846 /4348", "v": "/032843", "w": "/0318345863", "x": "/0348 /4308",
    "y": "/0328 /431b", "z": "/03430848", ".": "/08", ",": "/180a", ":": "/04 /08",
    ";": "/14 /180a", "!": "/0005 /08", "?": "~0200404425 /2526 /28", "(": "~20020628",
    ")": "~00222608", "[": "/20000828", "]": "/00202808", "/": "/4008", "-": "/0535",
    "+": "/0545 /2337", "=": "/0444 /0646", "*": "/2026 /0145 /4105",
    "%": "@00202303 @45656848 /5018", "'": "/0002", "#": "/2018 /5048 /0363 /0565", "<": "/420548",
    ">": "/024508", "_": "/0858", "{": "~302012030414052838", "}": "~001012232434052808",
    "\u221a": "/05152860",
}  # fmt: skip
"""Character -> strokes."""

MISSING: Final = "/0050580800"
"""The strokes of a character without an entry in ``GLYPHS``: a box."""

_PIECES: Final = 6
"""The number of straight pieces that replace one bend of a smooth stroke."""


@cache
def glyph(character: str) -> tuple[Line, ...]:
    """The lines of a character, in units of the grid; none for a blank."""
    if character == " ":
        return ()
    return tuple(map(_line, GLYPHS.get(character, MISSING).split()))


@cache
def width(character: str) -> float:
    """The width of a character, in units of the grid."""
    lines = glyph(character)
    return max((x for line in lines for x, _ in line), default=BLANK)


def text_width(text: str) -> float:
    """The width of a line of text, in units of the grid.

    >>> text_width("II"), text_width("")
    (2, 0)
    """
    return sum(map(width, text)) + BETWEEN * max(len(text) - 1, 0)


def placed(text: str) -> list[tuple[float, str]]:
    """The characters of ``text`` but blanks, each with its left end, in units of the grid."""
    at, found = 0.0, []
    for character in text:
        if character != " ":
            found.append((at, character))
        at += width(character) + BETWEEN
    return found


def wrapped(text: str, most: float) -> list[str]:
    """``text`` in lines of whole words, each at most ``most`` units wide unless one word is wider.

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
    """A quadratic B-spline with its ends in the first and last point, as straight pieces."""
    # The spline consists of one quadratic Bezier curve for each point in between, which is the
    # control point of the curve; neighbouring curves meet half-way between their control points.
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
