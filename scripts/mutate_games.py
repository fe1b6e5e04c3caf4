"""Random mutations of proofs of games: each is rejected, or what is accepted is true.

Random small boards (total known or not, now and then a clue, a flag or the total that is wrong) are
played with a proof; then a byte, a line or a word of it changes, or a number of a statement, or it
is cut off, or it is forged: verdicts of a board without a layout, layouts left out or made up, one
more cell open, safe and mine exchanged, another total. What the checker accepts is judged by trying
every layout of the last position that it accepted: consistent is what has one.

Exit codes: 0 no false claim was accepted; 1 one was, or the checker failed otherwise than by
refusing; 130 interrupted. The same seed makes the same mutations.
"""

import io
import random
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from satsweeper import Position, Session
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.game.check import check_game
from satsweeper.checker.game.steps import CheckedGame
from scripts.forgery.game_lies import forged
from scripts.forgery.mutations import mutated
from scripts.forgery.running import Outcome, run

MOST_CELLS: Final = 14
"""Covered cells of boards, at the most, so that all layouts can be tried."""
STATEMENT: Final = "a statement"
LIE: Final = "a lie throughout"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the mutations and return the exit code."""
    return run(__doc__, make, mutate, argv, of="games")


def make(rng: random.Random, games: int, folder: Path) -> list[bytes]:
    """Yield the proofs of random games."""
    return [played(rng) for _ in range(games)]


def played(rng: random.Random) -> bytes:
    """The proof of some cells opened, none of them a mine; of some games no layout is possible."""
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


def mutate(originals: Sequence[bytes], folder: Path, rng: random.Random) -> Outcome:
    """Change a proof, check, and judge what is accepted."""
    target = rng.choice(originals)
    others = [each for each in originals if each is not target]
    while True:
        kind = rng.choice((STATEMENT, LIE, "anything"))
        if kind == STATEMENT:
            changed = _other_statement(target, rng)
        elif kind == LIE:
            changed = forged(target, rng)
        else:
            changed = mutated(target, rng, others if rng.random() < 0.1 else [])
        if changed != target:
            break
    file = folder / "game.lidrup"
    file.write_bytes(changed)
    try:
        found = check_game(file, external=False).game
    except WrongCertificateError as error:
        return kind, "rejected", str(error)
    except Exception as error:
        return kind, "FAILED", f"{type(error).__name__}: {error}"
    claim = false_verdict(found)
    return (kind, "harmless", "") if claim is None else (kind, "FALSE", claim)


def _other_statement(data: bytes, rng: random.Random) -> bytes:
    """A number of a comment changed, safe and mine exchanged, or the comment gone."""
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
    width, text = len(found.rows[0]), "".join(found.rows)
    covered = [at for at, char in enumerate(text) if char == "?"]
    given = {at for at, char in enumerate(text) if char == "F"}
    if len(covered) > MOST_CELLS:
        return f"what cannot be tried: {len(covered)} covered cells"
    seen: dict[int, set[bool]] = {at: set() for at in covered}
    layouts = 0
    for bits in product((False, True), repeat=len(covered)):
        mines = given | {at for at, bit in zip(covered, bits, strict=True) if bit}
        if found.mines in (None, len(mines)) and all(
            sum(_near(at, mine, width) for mine in mines) == int(char)
            for at, char in enumerate(text)
            if char.isdigit()
        ):
            layouts += 1
            for at in covered:
                seen[at].add(at in mines)
    if found.status == "inconsistent":
        return f"there are {layouts} layouts" if layouts else None
    if not layouts and (found.status == "consistent" or found.complete):
        # Any verdict is right in all of no layouts: that there is one is a claim of its own.
        return f"the status is {found.status}, and there is no layout"
    said = {"S": {False}, "M": {True}}
    for at in covered:
        verdict = "".join(found.grid)[at]
        possible = said.get(verdict, {False, True})
        if not seen[at] <= possible or (verdict == "?" and found.complete and len(seen[at]) < 2):
            return f"cell {at // width},{at % width} is said to be {verdict}, and can be {seen[at]}"
    return None


def _near(one: int, other: int, width: int) -> bool:
    return abs(one // width - other // width) < 2 and abs(one % width - other % width) < 2


if __name__ == "__main__":
    sys.exit(main())
