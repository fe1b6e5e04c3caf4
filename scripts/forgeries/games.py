"""Forged proofs of games on random small boards.

Total known or not, now and then a clue, a flag or the total that is wrong. Besides random changes:
a number of a statement; verdicts of a board without a layout, layouts left out or made up, one more
cell open, safe and mine exchanged, another total. What is accepted is judged by the last position
that was accepted: consistent is what has a layout.
"""

import io
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from satsweeper import Position, Session
from satsweeper.checker.game.check import check_game
from satsweeper.checker.game.steps import CheckedGame
from scripts.forgeries.forgery import Files, judged, mutated
from scripts.fuzzing.truth import Truth

STATEMENT: Final = "a statement"
LIE: Final = "a lie throughout"


FILE: Final = "game.lidrup"


def make(rng: random.Random, games: int) -> list[Files]:
    """Return the proofs of random games."""
    return [{FILE: played(rng)} for _ in range(games)]


def played(rng: random.Random) -> bytes:
    """Return the proof of a session in which some safe cells are opened.

    Now and then a clue, the total or a flag is wrong, so that the position may have no layout.
    """
    rows, columns = rng.choice([(2, 3), (3, 3), (2, 5), (3, 4)])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    mines = set(rng.sample(cells, rng.randint(1, 3)))
    others = sorted({*cells} - mines)
    safe = rng.sample(others, rng.randint(1, min(5, len(others))))
    out = io.BytesIO()
    total = len(mines) if rng.random() < 0.7 else None
    if total is not None and rng.random() < 0.1:
        total += 1
    board = [[-1] * columns for _ in range(rows)]
    if rng.random() < 0.1:
        r, c = rng.choice([cell for cell in cells if cell not in safe])
        board[r][c] = -2
    with Session(Position(board, total), proof=out) as session:
        for r, c in safe:
            clue = sum(max(abs(r - a), abs(c - b)) == 1 for a, b in mines)
            session.reveal((r, c), clue + (rng.random() < 0.05))
            session.classify()
    return out.getvalue()


def changed(target: Files, originals: Sequence[Files], rng: random.Random) -> tuple[str, Files]:
    """Return the name of a change, and the proof after it."""
    kind, proof = rng.choice((STATEMENT, LIE, "anything")), target[FILE]
    if kind == STATEMENT:
        return kind, {FILE: _other_statement(proof, rng)}
    if kind == LIE:
        return kind, {FILE: forged(proof, rng)}
    others = [each[FILE] for each in originals if each is not target]
    return kind, {FILE: mutated(proof, rng, others if rng.random() < 0.1 else [])}


def judge(folder: Path) -> tuple[str, str]:
    """Return the outcome of checking the proof in a folder, and the reason."""
    return judged({"check": lambda: check_game(folder / FILE, external=False).game}, false_verdict)


def _other_statement(data: bytes, rng: random.Random) -> bytes:
    """Change a number of a statement, exchange its words safe and mine, or drop the statement.

    A statement is a line that begins with ``c``.
    """
    lines = data.split(b"\n")
    at = rng.choice([place for place, line in enumerate(lines) if line.startswith(b"c ")])
    words = lines[at].split(b" ")
    numbers = [place for place, word in enumerate(words) if word.isdigit()]
    swap = {b"safe": b"mine", b"mine": b"safe"}
    if numbers and rng.random() < 0.7:
        place = rng.choice(numbers)
        words[place] = b"%d" % max(0, int(words[place]) + rng.choice((-2, -1, 1, 2)))
    elif any(word in swap for word in words):
        words = [swap.get(word, word) for word in words]
    else:
        del lines[at]
        return b"\n".join(lines)
    lines[at] = b" ".join(words)
    return b"\n".join(lines)


def false_verdict(found: CheckedGame) -> str | None:
    """Return in words a claim of ``found`` that is false; None if all of them are true."""
    try:
        truth = Truth(found.rows, found.mines)
    except ValueError as error:
        return f"what cannot be tried: {error}"
    if found.status == "inconsistent":
        return f"there are {truth.layouts.bit_count()} layouts" if truth.layouts else None
    if not truth.layouts:
        # Without a layout every verdict holds in all layouts. The status "consistent", or verdicts
        # of all cells, claim that there is a layout, and that claim is false.
        claimed = found.status == "consistent" or found.complete
        return f"the status is {found.status}, and there is no layout" if claimed else None
    for (r, c), verdict in truth.verdicts.items():
        letter = found.grid[r][c]
        right = letter == {"safe": "S", "mine": "M", "unknown": "?"}[verdict]
        if not right and (letter in "SM" or found.complete):
            return f"cell {r},{c} is said to be {letter}, and is {verdict}"
    return None


_EMPTY_CORE: Final = b"u 0 "


def forged(data: bytes, rng: random.Random) -> bytes:
    """Return the proof ``data`` of a game with a lie, or unchanged if it has no place for one."""
    lines = data.split(b"\n")[:-1]
    return b"\n".join([*rng.choice(_LIES)(lines, rng), b""])


def _every_verdict(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Claim a random verdict for every cell, after an empty core of the proof or a forged one."""
    ends = [at for at, line in enumerate(lines, start=1) if line.startswith(_EMPTY_CORE)]
    if ends:
        kept = lines[: ends[0]]
    else:
        hints = b" ".join(b"%d" % rng.randint(1, 9) for _ in range(3))
        kept = [*lines, b"q 0", b"s UNSATISFIABLE", _EMPTY_CORE + hints + b" 0"]
    columns, covered, _ = _state(kept)
    verdicts = [rng.choice((b"safe", b"mine")) for _ in covered]
    if rng.random() < 0.3:
        kept += _made_up_layout(kept, rng)
    kept += [
        b"c proved %d %d %b" % (*divmod(cell, columns), verdict)
        for cell, verdict in zip(covered, verdicts, strict=True)
    ]
    return [*kept, _classified(kept)]


def _without_layouts(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Leave out some layouts, or all; statements that need the layouts stay."""
    share = rng.choice((0.3, 0.8, 1))
    gone: set[int] = set()
    for at, line in enumerate(lines):
        if line.startswith(b"m ") and rng.random() < share:
            gone.update((at - 2, at - 1, at))
    return [line for at, line in enumerate(lines) if at not in gone]


def _another_cell(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Open a covered cell with any clue, even one proved to be a mine, or put a flag on it."""
    columns, covered, _ = _state(lines)
    if not covered:
        return lines
    place = divmod(rng.choice(covered), columns)
    if rng.random() < 0.3:
        statement = b"c mine %d %d" % place
    else:
        statement = b"c open %d %d %d" % (*place, rng.randint(0, 3))
    at = rng.choice((len(lines), len(lines), rng.randrange(2, len(lines) + 1)))
    changed = [*lines[:at], statement, *lines[at:]]
    if rng.random() < 0.5:
        changed += _made_up_layout(changed, rng)
    return [*changed, _classified(changed)]


def _turned(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Exchange safe and mine in all verdicts, or in some."""
    share = rng.choice((0.5, 1))
    swap = {b"safe": b"mine", b"mine": b"safe"}
    changed: list[bytes] = []
    for line in lines:
        if line.startswith(b"c proved ") and rng.random() < share:
            line = b" ".join(swap.get(word, word) for word in line.split(b" "))
        elif line.startswith(b"c classified "):
            line = _classified(changed)
        changed.append(line)
    return changed


def _another_total(lines: list[bytes], rng: random.Random) -> list[bytes]:
    words = lines[1].split(b" ")
    words[-1] = rng.choice([b"?", *(b"%d" % n for n in range(6))])
    return [lines[0], b" ".join(words), *lines[2:]]


_LIES: Final[tuple[Callable[[list[bytes], random.Random], list[bytes]], ...]] = (
    _every_verdict, _every_verdict, _without_layouts, _another_cell, _turned, _another_total,
)  # fmt: skip


def _made_up_layout(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Return a model with mines at random, mostly in covered cells alone."""
    columns, covered, _ = _state(lines)
    rows = int(lines[1].split(b" ")[4])
    wild = rng.random() < 0.2
    mines = {cell for cell in range(rows * columns) if rng.random() < 0.3}
    if not wild:
        mines &= {*covered}
    literals = [cell + 1 if cell in mines else -cell - 1 for cell in range(rows * columns)]
    return [b"q 0", b"s SATISFIABLE", b"m %b 0" % b" ".join(b"%d" % lit for lit in literals)]


def _classified(lines: list[bytes]) -> bytes:
    """Return the statement ``c classified`` with the numbers that fit ``lines`` before it."""
    _, covered, proved = _state(lines)
    safe = sum(proved.get(cell) == b"safe" for cell in covered)
    mines = sum(proved.get(cell) == b"mine" for cell in covered)
    return b"c classified %d %d %d" % (safe, mines, len(covered) - safe - mines)


def _state(lines: list[bytes]) -> tuple[int, list[int], dict[int, bytes]]:
    """Return the board at the end of a proof; cells are numbered row by row from 0.

    Its number of columns, the cells neither open nor mines, and the proved verdicts by cell.
    """
    rows, columns = (int(word) for word in lines[1].split(b" ")[4:6])
    known: set[int] = set()
    proved: dict[int, bytes] = {}
    for line in lines:
        words = line.split(b" ")
        if words[:2] in ([b"c", b"open"], [b"c", b"mine"], [b"c", b"proved"]):
            cell = int(words[2]) * columns + int(words[3])
            if words[1] == b"proved":
                proved[cell] = words[4]
            else:
                known.add(cell)
    return columns, [each for each in range(rows * columns) if each not in known], proved
