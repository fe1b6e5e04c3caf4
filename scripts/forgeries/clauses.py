"""Clauses changed in a formula and in its proof at once, so that comparing finds nothing."""

import random
import re
from collections.abc import Callable, Sequence
from typing import Final

Numbering = Callable[[int], int]
"""Literal of the formula -> literal of the proof."""


def changed_in_both(
    kind: str, formula: bytes, proof: bytes, rng: random.Random, in_proof: Numbering
) -> tuple[bytes, bytes]:
    """Return formula and proof after a change of `BOTH`, or as they are if it has no place."""
    found = BOTH[kind](formula.decode(), proof.decode(), rng, in_proof)
    return found[0].encode(), found[1].encode()


def _lie(formula: str, proof: str, rng: random.Random, in_proof: Numbering) -> tuple[str, str]:
    """Replace a clause by another clause, in the formula and wherever the proof derives it."""
    lines = formula.splitlines()
    clauses = [at for at, line in enumerate(lines) if line[:1] in "-123456789"]
    if not clauses:
        return formula, proof
    at = rng.choice(clauses)
    clause = [int(word) for word in lines[at].split()[:-1]]
    new = list(clause)
    if new and rng.random() < 0.6:
        place = rng.randrange(len(new))
        new[place : place + 1] = [] if rng.random() < 0.5 else [-new[place]]
    elif new:
        new[rng.randrange(len(new))] = rng.choice((1, -1)) * rng.randint(1, abs(max(new, key=abs)))
    lines[at] = " ".join(map(str, [*new, 0]))
    old, other = (_rup([*map(in_proof, each)]) for each in (clause, new))
    return "\n".join(lines) + "\n", proof.replace(old, other)


def _left_out(formula: str, proof: str, rng: random.Random, in_proof: Numbering) -> tuple[str, str]:
    """Leave a clause out of the formula, and delete it in the proof before its way back."""
    lines, steps, turn = _by_lines(formula, proof)
    numbers = _left(steps, turn)
    clauses = [at for at, line in enumerate(lines) if line[-1:] == "0" and line[:2] != "p "]
    if turn < len(steps) and clauses and len(numbers) >= len(clauses):
        # Behind the clauses there may be links of integers.
        at = rng.randrange(len(clauses))
        del lines[clauses[at]]
        steps.insert(turn, f"del id {numbers[at]} ;")
        # Sometimes the way back is asked to do without it.
        if rng.random() < 0.5:
            _without(steps, turn + 1, numbers[at])
    return _joined(lines, steps, -1)


def _put_in(formula: str, proof: str, rng: random.Random, in_proof: Numbering) -> tuple[str, str]:
    """Add a random clause to the formula, and to the proof before its way back, with hints."""
    lines, steps, turn = _by_lines(formula, proof)
    numbers = _left(steps, turn)
    if turn < len(steps) and numbers:
        rows = int(steps[1].split()[1])
        last = rows + sum(step[:4] in _ADDING for step in steps[:turn])
        variables = int(lines[[line[:2] for line in lines].index("p ")].split()[2])
        some = rng.sample(range(1, variables + 1), min(variables, rng.randint(1, 3)))
        clause = [rng.choice((1, -1)) * v for v in some]
        lines.append(" ".join(map(str, [*clause, 0])))
        hints = " ".join(map(str, [*range(1, rows + 1), *numbers]))
        steps[turn + 1 :] = [_shifted(step, last) for step in steps[turn + 1 :]]
        steps.insert(turn, f"{_rup([*map(in_proof, clause)])}: ~ {hints} ;")
    return _joined(lines, steps, 1)


_ADDING: Final = ("red ", "pol ", "rup ")


def _by_lines(formula: str, proof: str) -> tuple[list[str], list[str], int]:
    """Return the lines of both, and which line of the proof begins its way back."""
    steps = proof.splitlines()
    turn = next((at for at, step in enumerate(steps) if step.startswith("del id 1 ")), len(steps))
    return formula.splitlines(), steps, turn


def _left(steps: Sequence[str], turn: int) -> list[int]:
    """Return the numbers of the constraints that are left when the way back begins."""
    last = int(steps[1].split()[1])
    found: dict[int, None] = {}
    for step in steps[2:turn]:
        if step.startswith("del id "):
            for word in step.split()[2:-1]:
                found.pop(int(word))
        elif step[:4] in _ADDING:
            last += 1
            found[last] = None
    return [*found]


def _without(steps: list[str], start: int, number: int) -> None:
    """Take a number out of the hints of all steps from `start` on."""
    for at in range(start, len(steps)):
        if steps[at].startswith("rup "):
            head, _, hints = steps[at].partition(":")
            words = [word for word in hints.split() if word != str(number)]
            steps[at] = f"{head}: {' '.join(words)}"


def _shifted(step: str, last: int) -> str:
    """Return a step with the numbers above `last` one larger."""
    words = step.split()
    start = {"pol": 1, "del": 2}.get(words[0] if words else "", len(words))
    if step.startswith("rup "):
        start = words.index(":")
    for at in range(start, len(words)):
        is_number = words[at].isdigit() and words[at + 1 : at + 2] not in (["*"], ["d"])
        if is_number and int(words[at]) > last:
            words[at] = str(int(words[at]) + 1)
    return " ".join(words)


def _joined(lines: Sequence[str], steps: Sequence[str], more: int) -> tuple[str, str]:
    header = re.compile(r"^p cnf (\d+) (\d+)", re.MULTILINE)
    text = "\n".join(lines) + "\n"
    text = header.sub(lambda found: f"p cnf {found[1]} {int(found[2]) + more}", text)
    return text, "\n".join(steps) + "\n"


def _rup(clause: Sequence[int]) -> str:
    terms = "".join(f"1 {'~' * (lit < 0)}x{abs(lit)} " for lit in clause)
    return f"rup {terms}>= 1 "


def _nothing(formula: str, proof: str, rng: random.Random, in_proof: Numbering) -> tuple[str, str]:
    """Leave no clause, and no step or, sometimes, the turn alone."""
    variables = formula[formula.index("p cnf") :].split()[2]
    *head, _, _, _, _ = lines = proof.split("\n")
    turn = [line for line in head if line.startswith("del id 1 ") and rng.random() < 0.5]
    return f"p cnf {variables} 0\n", "\n".join([*lines[:2], *turn, *lines[-4:]])


BOTH: Final = {
    "a clause in both": _lie,
    "a clause out of both": _left_out,
    "a clause into both": _put_in,
    "nothing in both": _nothing,
}
"""Name of a change of formula and proof -> the change."""
