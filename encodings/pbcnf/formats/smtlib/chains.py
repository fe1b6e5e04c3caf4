"""Comparisons of more than two terms, ``(<= 0 x 1)``: each term with the next, as SMT-LIB says.

pysmt reads comparisons of two only.
"""

from itertools import pairwise
from typing import Final

_CHAINED: Final = ("<=", ">=", "<", ">", "=")
_LONGEST: Final = 10**5


def unchained(text: str) -> str:
    """Return a term or command whose comparisons are of two; its parts have spaces between them.

    Terms in the middle occur twice then. Where that makes the text too long, it stays as it is.

    >>> unchained("( <= 0 x 1 )")
    '( and ( <= 0 x ) ( <= x 1 ) )'
    """
    opened: list[list[str]] = [[]]
    for word in text.split():
        if word == "(":
            opened.append([])
            continue
        parts = _pairs(opened.pop()) if word == ")" else word
        opened[-1].append(parts)
        if len(parts) > _LONGEST:
            return text
    return " ".join(opened[0])


def _pairs(parts: list[str]) -> str:
    if len(parts) < 4 or parts[0] not in _CHAINED:
        return " ".join(["(", *parts, ")"])
    head, *terms = parts
    pairs = [f"( {head} {left} {right} )" for left, right in pairwise(terms)]
    return " ".join(["( and", *pairs, ")"])
