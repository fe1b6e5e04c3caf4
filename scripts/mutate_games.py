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
from pathlib import Path
from typing import Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from satsweeper import Position, Session
from satsweeper.checker.game.check import check_game
from satsweeper.checker.game.steps import CheckedGame
from scripts.forgery.game_lies import forged
from scripts.forgery.mutations import mutated
from scripts.forgery.running import Outcome, judged, run
from scripts.fuzzing.truth import Truth

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
    return kind, *judged(lambda: check_game(file, external=False).game, false_verdict)


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
    try:
        truth = Truth(found.rows, found.mines)
    except ValueError as error:
        return f"what cannot be tried: {error}"
    if found.status == "inconsistent":
        return f"there are {truth.layouts.bit_count()} layouts" if truth.layouts else None
    if not truth.layouts:
        # Any verdict is right in all of no layouts: that there is one is a claim of its own.
        claimed = found.status == "consistent" or found.complete
        return f"the status is {found.status}, and there is no layout" if claimed else None
    for (r, c), verdict in truth.verdicts.items():
        letter = found.grid[r][c]
        right = letter == {"safe": "S", "mine": "M", "unknown": "?"}[verdict]
        if not right and (letter in "SM" or found.complete):
            return f"cell {r},{c} is said to be {letter}, and is {verdict}"
    return None


if __name__ == "__main__":
    sys.exit(main())
