"""The operations of ``pol`` in reverse Polish notation, within a limit of digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbcnf.proof.cutting_planes.error import RefusedError
from pbcnf.proof.cutting_planes.inequality import (
    Inequality,
    added,
    divided,
    multiplied,
    saturated,
    weakened,
)
from pbcnf.proof.cutting_planes.statements import LITERALS, MOST_COMPUTED, integer


def evaluate(
    words: Sequence[str],
    constraint: Callable[[str], Inequality],
    most_digits: int = MOST_COMPUTED,
) -> Inequality:
    """Return the result of operations; `constraint` looks constraints up by number.

    ``a b +`` adds, ``a 3 *`` multiplies, ``a 3 d`` divides and rounds up, ``a s`` saturates,
    ``a x1 w`` weakens x1 away, a literal is the axiom that it is at least 0.

    Raises RefusedError for anything else, and before a weight or a degree gets more than about
    `most_digits` digits: else a short line could ask for any amount of time and memory.
    """
    # A number is a constraint unless the word behind it takes it as a factor or divisor.
    stack: list[Inequality] = []
    skip = False
    for place, word in enumerate(words, start=1):
        operation = words[place] if place < len(words) else ""
        if skip:
            skip = False
        elif operation in ("*", "d", "w"):
            stack.append(_changed(_top(stack), word, operation, most_digits))
            skip = True
        elif word == "+":
            right = _top(stack)
            stack.append(added(_top(stack), right))
        elif word == "s":
            stack.append(saturated(_top(stack)))
        elif word.lstrip("+-").isdigit():
            stack.append(constraint(word))
        else:
            stack.append(Inequality({LITERALS[word]: 1}, 0))
    if len(stack) != 1:
        raise RefusedError(f"the operations leave {len(stack)} constraints, not one")
    _limit(stack[0], 1, most_digits)
    return stack[0]


def _top(stack: list[Inequality]) -> Inequality:
    if not stack:
        raise RefusedError("an operation has too little to work on")
    return stack.pop()


def _limit(inequality: Inequality, factor: int, most_digits: int) -> None:
    """Refuse what would be too large once it is multiplied."""
    largest = max(inequality.terms.values(), default=0)
    bits = max(largest, abs(inequality.degree)).bit_length() + factor.bit_length()
    # Ten digits are more than 33 bits.
    if bits > most_digits * 10 // 3 + 2:
        raise RefusedError(f"weights or degrees of more than {most_digits} digits")


def _changed(top: Inequality, word: str, operation: str, most_digits: int) -> Inequality:
    if operation == "w":
        var = LITERALS[word]
        if var < 0:
            raise RefusedError(f"'w' weakens a variable, not {word}")
        return weakened(top, var)
    number = integer(word)
    if number < 0 or (number == 0 and operation == "d"):
        raise RefusedError(f"'{operation}' needs a positive number, not {word}")
    if operation == "d":
        return divided(top, number)
    _limit(top, number, most_digits)
    return multiplied(top, number)
