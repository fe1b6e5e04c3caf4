"""Random mutations of certificates of odds: each is rejected, or what is accepted is true.

Certificates of random small boards (total known and unknown, a density, flags trusted and ignored)
are mutated: a byte, a line, a word, a value of JSON, a file of another certificate, the board, or a
circuit in its own form (pairs, nodes, boxes and joins taken out, added, merged and moved). Half of
the time the odds that follow from the changed circuit are claimed then, so that nothing but the
check of the circuit can refuse it. Or the board becomes one without a layout, and odds of none are
claimed. The hashes are made anew. What the checker accepts is judged by trying every layout.

Exit codes: 0 no false claim was accepted; 1 one was, or the checker failed otherwise than by
refusing; 130 interrupted. The same seed makes the same mutations.
"""

import hashlib
import json
import random
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from satsweeper import Position
from satsweeper.certificate.odds import OddsCertificate, certify_odds
from satsweeper.checker.odds.check import check_odds
from satsweeper.count.odds import NoLayoutError
from scripts.forgery.claims import MOST_CELLS, false_odds
from scripts.forgery.mutations import changed_value, mutated
from scripts.forgery.odds_lies import changed_circuit, claim_what_follows
from scripts.forgery.running import Outcome, judged, run

MANIFEST: Final = "manifest.json"
KINDS: Final = (
    "circuits.txt", "circuits.txt", "odds.json", "board.txt", MANIFEST, "the board",
    "a circuit", "a circuit", "a circuit", "a circuit", "a circuit", "no layout",
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the mutations and return the exit code."""
    return run(__doc__, make, mutate, argv)


def make(rng: random.Random, boards: int, folder: Path) -> list[OddsCertificate]:
    """Yield certificates of random boards that have a layout."""
    found: list[OddsCertificate] = []
    while len(found) < boards:
        position = random_position(rng)
        unknown = position.mines is None
        density = Fraction(1, rng.randint(2, 6)) if unknown and rng.random() < 0.3 else None
        try:
            flags: Any = rng.choice(["trust", "ignore"])
            certificate = certify_odds(position, flags=flags, density=density)
        except NoLayoutError:
            continue
        # Most of them with more than one box somewhere.
        if b"join" in certificate.files["circuits.txt"] or rng.random() < 0.1:
            found.append(certificate)
    return found


def random_position(rng: random.Random) -> Position:
    """A position of a game with up to MOST_CELLS covered cells, some of its mines flagged."""
    rows, columns = rng.choice([(3, 5), (4, 4), (4, 5), (5, 5), (3, 8)])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    mines = set(rng.sample(cells, rng.randint(1, len(cells) // 3)))
    safe = [cell for cell in cells if cell not in mines]
    least = len(cells) - MOST_CELLS + 2
    shown = set(rng.sample(safe, rng.randint(min(max(3, least), len(safe)), len(safe))))
    grid = [["?"] * columns for _ in range(rows)]
    for r, c in shown:
        grid[r][c] = str(sum((r + i, c + j) in mines for i in (-1, 0, 1) for j in (-1, 0, 1)))
    for r, c in mines:
        grid[r][c] = "F" if rng.random() < 0.15 else "?"
    total = rng.choice(["?", len(mines), len(mines)])
    return Position.parse(f"{rows} {columns} {total}\n" + "\n".join(map("".join, grid)) + "\n")


def mutate(originals: Sequence[OddsCertificate], folder: Path, rng: random.Random) -> Outcome:
    """Change a certificate and check it: what was changed, the outcome, and why."""
    target = rng.choice(originals)
    while True:
        kind = rng.choice(KINDS)
        files, about = _changed(target, originals, kind, rng)
        if files != target.files or about != target.about:
            break
    if rng.random() < 0.5 and kind in ("a circuit", "the board"):
        claims = claim_what_follows(files, about)
        if claims is not None:
            files["odds.json"] = claims
            kind += ", odds made to fit"
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    if isinstance(about, dict):
        about = about | {"files": hashes}
    for name, content in {**files, MANIFEST: json.dumps(about).encode()}.items():
        (folder / name).write_bytes(content)
    return kind, *judge(folder)


def judge(folder: Path) -> tuple[str, str]:
    """The outcome of checking a folder, and why."""
    return judged(lambda: check_odds(folder), lambda _: _false_odds(folder))


def _false_odds(folder: Path) -> str | None:
    try:
        return false_odds(folder)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return f"what nobody can read: {error}"


def _changed(
    target: OddsCertificate, originals: Sequence[OddsCertificate], kind: str, rng: random.Random
) -> tuple[dict[str, bytes], Any]:
    files, about = dict(target.files), json.loads(json.dumps(target.about))
    if kind == MANIFEST:
        about = changed_value(about, rng)
    elif kind == "a circuit":
        files["circuits.txt"] = changed_circuit(files["circuits.txt"], rng)
    elif kind == "the board":
        files["board.txt"] = _other_board(files["board.txt"], about, rng)
    elif kind == "no layout":
        files |= _no_layout(files, rng)
    else:
        others = [each.files[kind] for each in originals if each is not target]
        files[kind] = mutated(files[kind], rng, others)
    return files, about


def _other_board(board: bytes, about: dict[str, Any], rng: random.Random) -> bytes:
    """Change a clue, flag or total, in the manifest as well."""
    head, *rows = board.decode("ascii").splitlines()
    if rng.random() < 0.3:
        about["mines"] = rng.choice([None, rng.randint(0, 9)])
        size = head.split()[:2]
        head = " ".join([*size, "?" if about["mines"] is None else str(about["mines"])])
    else:
        r = rng.randrange(len(rows))
        c = rng.randrange(len(rows[r]))
        rows[r] = rows[r][:c] + rng.choice("01234?F") + rows[r][c + 1 :]
    return "\n".join([head, *rows, ""]).encode()


def _no_layout(files: Mapping[str, bytes], rng: random.Random) -> dict[str, bytes]:
    """Return ``files`` about a board without a layout, with the odds of no layout."""
    head, *rows = files["board.txt"].decode("ascii").splitlines()
    open_all = rng.random() < 0.5
    if open_all:
        rows = [row.replace("?", rng.choice("01")) for row in rows]
    text = "\n".join([head, *rows])
    place = rng.choice([at for at in range(len(head) + 1, len(text)) if text[at] in "01234"])
    board = f"{text[:place]}{rng.choice('78')}{text[place + 1 :]}\n"
    cells = [0] * board.count("?")
    claims = {"solutions": rng.choice("01"), "chances": ["0"] if cells else [], "cells": cells}
    changed = {"board.txt": board.encode(), "odds.json": json.dumps(claims).encode() + b"\n"}
    if open_all or rng.random() < 0.3:
        changed["circuits.txt"] = b"satsweeper circuits 1\n"
    return changed


if __name__ == "__main__":
    sys.exit(main())
