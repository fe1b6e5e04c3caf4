"""Random mutations of valid certificates: each is rejected, or what is accepted is true.

Certificates of random small boards (total known and unknown, flags trusted and ignored, consistent
or not, every encoding, cells with proofs of their own) and of examples/expert.txt are mutated: a
byte, a line, a word, a value of JSON, a file cut off or of another certificate, a clue or a verdict
in the board and the manifest at once, or another verdict with all files that must agree with it.
The hashes are made anew. What the checker accepts is judged by trying every layout of the board
(larger boards: by plain classification).

Exit codes: 0 no false claim was accepted; 1 one was, or the checker failed otherwise than by
refusing; 130 interrupted. The same seed makes the same mutations.
"""

import hashlib
import json
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from satsweeper import Position
from satsweeper.certificate import certify as certificates
from satsweeper.certificate.certify import certify
from satsweeper.certificate.folder import write_folder
from satsweeper.checker.check import check
from scripts.forgery.claims import MOST_CELLS, false_claim
from scripts.forgery.lies import lie
from scripts.forgery.mutations import changed_value, mutated
from scripts.forgery.running import Outcome, judged, run

ENCODINGS: Final = ("direct", "totalizer", "sequential_counter", "knuth_counter")
ROOT: Final = Path(__file__).parents[1]
MANIFEST: Final = "manifest.json"
LARGE: Final = certificates.MANY


def main(argv: Sequence[str] | None = None) -> int:
    """Run the mutations and return the exit code."""
    return run(__doc__, make, _mutate_one, argv)


class Original:
    """A valid certificate in a folder of its own."""

    def __init__(self, folder: Path, position: Position, **options: Any) -> None:
        certificate = certify(position, **options)
        self.folder = folder
        self.files = dict(certificate.files)
        self.manifest = write_folder(folder, certificate.files, certificate.about)
        self.written = (folder / MANIFEST).read_bytes()
        check(folder, external=False)

    def put(self, files: Mapping[str, bytes | None], manifest: bytes) -> None:
        """Write changed files, and remove files that are None; ``restore`` puts them back."""
        for name, content in {**files, MANIFEST: manifest}.items():
            if content is None:
                (self.folder / name).unlink()
            else:
                (self.folder / name).write_bytes(content)

    def restore(self, names: Sequence[str]) -> None:
        """Put the original content back."""
        self.put({name: self.files[name] for name in names if name in self.files}, self.written)
        for name in names:
            if name not in self.files:
                (self.folder / name).unlink()


def make(rng: random.Random, boards: int, folder: Path) -> list[Original]:
    """Yield certificates of random boards, and of the expert board among the examples."""
    originals = [Original(folder / "expert", Position.read(ROOT / "examples" / "expert.txt"))]
    while len(originals) <= boards:
        position = random_position(rng)
        if position is None:
            continue
        options: dict[str, Any] = {
            "flags": rng.choice(["trust", "ignore"]),
            "encoding": rng.choice(ENCODINGS),
            "total_encoding": rng.choice(ENCODINGS),
        }
        # Half of them are proved as large boards are.
        certificates.MANY = rng.choice([0, LARGE])
        certain = certify(position, **options).found
        if certain.conflict is None:
            held = sorted({*certain.safe, *certain.mines})
            options["cells"] = rng.sample(held, min(len(held), rng.randint(0, 2)))
        originals.append(Original(folder / str(len(originals)), position, **options))
        certificates.MANY = LARGE
    return originals


def random_position(rng: random.Random) -> Position | None:
    """A position of a game, now and then with a clue or the total spoilt; None if it is refused."""
    rows, columns = rng.choice([(1, 8), (2, 5), (3, 4), (4, 4), (4, 5), (5, 5)])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    mines = set(rng.sample(cells, rng.randint(0, len(cells) // 3)))
    shown = set(rng.sample(cells, rng.randint(max(1, len(cells) - MOST_CELLS + 2), len(cells))))
    grid = [["?"] * columns for _ in range(rows)]
    for r, c in shown:
        near = sum((r + i, c + j) in mines for i in (-1, 0, 1) for j in (-1, 0, 1))
        near = near if rng.random() < 0.98 else near + 1
        flagged = "F" if rng.random() < 0.3 else "?"
        grid[r][c] = flagged if (r, c) in mines else str(near)
    total = rng.choice(["?", str(len(mines)), str(len(mines))])
    text = f"{rows} {columns} {total}\n" + "\n".join("".join(row) for row in grid) + "\n"
    try:
        return Position.parse(text)
    except ValueError:
        return None


def _mutate_one(originals: list[Original], folder: Path, rng: random.Random) -> Outcome:
    # The expert board is the one whose proofs are more than propagation.
    target = originals[0] if rng.random() < 0.2 else rng.choice(originals)
    return mutate(target, originals, rng)


def mutate(target: Original, originals: list[Original], rng: random.Random) -> Outcome:
    """Change a certificate, check it, put it back: what was changed, the outcome, and why."""
    name, files, manifest = _change(target, originals, rng)
    while manifest == target.written and all(target.files.get(n) == files[n] for n in files):
        name, files, manifest = _change(target, originals, rng)
    target.put(files, manifest)
    try:
        outcome, why = judge(target.folder)
    finally:
        target.restore(list(files))
    return name.rpartition("/")[2], outcome, why


def _change(
    target: Original, originals: list[Original], rng: random.Random
) -> tuple[str, dict[str, bytes | None], bytes]:
    name = rng.choice([*target.files, MANIFEST, "the board", "a verdict", "a lie throughout"])
    files: dict[str, bytes | None] = {}
    about: Any = json.loads(target.written)
    if name in target.files:
        others = [o.files[name] for o in originals if o is not target and name in o.files]
        files[name] = mutated(target.files[name], rng, others)
    elif name == MANIFEST and rng.random() < 0.5:
        return name, {}, mutated(target.written, rng, [])
    elif name == "a lie throughout":
        files = lie(target.files, about, rng)
    elif name == MANIFEST:
        about = changed_value(about, rng)
    else:
        _change_board(target, files, about, rng, name == "a verdict")
    if isinstance(about, dict) and isinstance(about.get("files"), dict):
        hashes = {
            each: hashlib.sha256(data).hexdigest()
            for each, data in files.items()
            if data is not None
        }
        about["files"] = {**about["files"], **hashes}
    return name, files, json.dumps(about, indent=1).encode() + b"\n"


def judge(folder: Path) -> tuple[str, str]:
    """The outcome of checking a folder, and why."""
    return judged(lambda: check(folder, external=False), lambda _: false_claim(folder))


def _change_board(
    target: Original,
    files: dict[str, bytes | None],
    about: dict[str, Any],
    rng: random.Random,
    verdict_only: bool,
) -> None:
    """Change a clue, flag or total in the grid as well; or a verdict in the grid alone."""
    head, *rows = target.files["board.txt"].decode().splitlines()
    grid = about["grid"] and [list(row) for row in about["grid"]]
    r = rng.randrange(len(rows))
    c = rng.randrange(len(rows[r]))
    if verdict_only and grid:
        grid[r][c] = rng.choice("SM?")
    elif rng.random() < 0.2:
        words = head.split()
        words[2] = rng.choice(["?", str(rng.randint(0, 9))])
        about["mines"] = None if words[2] == "?" else int(words[2])
        head = " ".join(words)
    else:
        symbol = rng.choice("012345678?F")
        rows[r] = rows[r][:c] + symbol + rows[r][c + 1 :]
        if grid:
            grid[r][c] = symbol
    about["grid"] = grid and ["".join(row) for row in grid]
    files["board.txt"] = "\n".join([head, *rows, ""]).encode()


if __name__ == "__main__":
    sys.exit(main())
