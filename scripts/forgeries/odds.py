"""Forged certificates of odds.

Boards with their total and without, a density, flags trusted and ignored. Besides random changes: a
circuit in its own form (pairs, nodes, boxes and joins taken out, added, merged and moved), half of
the time with the odds that follow from it, so that nothing but the check of the circuit can refuse
it; another board; and a board without a layout, with the odds of none.
"""

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final

import satsweeper_check
from satsweeper import Position
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.board import read_board
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.odds.boxes import split_board
from satsweeper.checker.odds.chances import chances_of
from satsweeper.checker.odds.check import check_odds
from satsweeper.checker.odds.circuit import read_circuits
from satsweeper.checker.odds.evaluation import evaluate
from satsweeper.count.odds import NoLayoutError
from scripts.forgeries import forgery
from scripts.forgeries.forgery import Files
from scripts.fuzzing.truth import MOST_CELLS

MANIFEST: Final = "manifest.json"
KINDS: Final = (
    "circuits.txt", "circuits.txt", "odds.json", "board.txt", MANIFEST, "the board",
    "a circuit", "a circuit", "a circuit", "a circuit", "a circuit", "no layout",
)  # fmt: skip


def make(rng: random.Random, boards: int) -> list[Files]:
    """Return certificates of ``boards`` random boards that have a layout."""
    found: list[Files] = []
    while len(found) < boards:
        position = random_position(rng)
        unknown = position.mines is None
        density = Fraction(1, rng.randint(2, 6)) if unknown and rng.random() < 0.3 else None
        try:
            flags: Any = rng.choice(["trust", "ignore"])
            certificate = certify_odds(position, flags=flags, density=density)
        except NoLayoutError:
            continue
        # Most of the certificates have a region of several boxes, which are joined.
        if b"join" in certificate.files["circuits.txt"] or rng.random() < 0.1:
            found.append(_with_hashes(certificate.files, certificate.about))
    return found


def random_position(rng: random.Random) -> Position:
    """Return a random position of few covered cells, with some of its mines flagged.

    At most MOST_CELLS cells are covered or flagged, so that all layouts can be tried.
    """
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


def _with_hashes(files: Mapping[str, bytes], about: Any) -> Files:
    if isinstance(about, dict):
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        about = about | {"files": hashes}
    return {**files, MANIFEST: json.dumps(about).encode()}


def judge(folder: Path) -> tuple[str, str]:
    """Return the outcome of checking a folder, and the reason."""

    def false_claim(_: object) -> str | None:
        try:
            return forgery.false_odds(folder)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            return f"what nobody can read: {error}"

    small = partial(satsweeper_check.check, [str(folder)])
    return forgery.judged({"check": lambda: check_odds(folder), "small": small}, false_claim)


def changed(target: Files, originals: Sequence[Files], rng: random.Random) -> tuple[str, Files]:
    """Return the name of a change, and the files after it."""
    kind, files, about = rng.choice(KINDS), dict(target), json.loads(target[MANIFEST])
    del files[MANIFEST]
    if kind == MANIFEST:
        about = forgery.changed_value(about, rng)
    elif kind == "a circuit":
        # Changes of nodes, pairs, boxes and joins that keep the syntax of the file.
        lines = [line.split(" ") for line in files["circuits.txt"].decode().split("\n")[1:-1]]
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            _change_circuit(lines, rng)
        text = "\n".join(["satsweeper circuits 1", *map(" ".join, lines), ""])
        files["circuits.txt"] = text.encode()
    elif kind == "the board":
        files["board.txt"] = _other_board(files["board.txt"], about, rng)
    elif kind == "no layout":
        files |= _no_layout(files, rng)
    else:
        others = [each[kind] for each in originals if each is not target]
        files[kind] = forgery.mutated(files[kind], rng, others)
    if rng.random() < 0.5 and kind in ("a circuit", "the board"):
        claims = claim_what_follows(files, about)
        if claims is not None:
            files["odds.json"] = claims
            kind += ", odds made to fit"
    return kind, _with_hashes(files, about)


def _other_board(board: bytes, about: dict[str, Any], rng: random.Random) -> bytes:
    """Return ``board`` with another clue, flag or total; change the manifest ``about`` as well."""
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


Lines = list[list[str]]
"""The words of each line."""


def claim_what_follows(files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> bytes | None:
    """Return the odds that follow from the circuits, right or wrong; None if no odds follow."""
    try:
        board = read_board(files["board.txt"].decode("ascii"), manifest["flags"] == "trust")
        circuits = read_circuits(files["circuits.txt"].decode("ascii"))
        density = None if manifest["density"] is None else Fraction(manifest["density"])
        counts = [evaluate(circuit, True) for circuit in circuits]
        found = chances_of(board, split_board(board), counts, density)
    except (WrongCertificateError, LookupError, TypeError, ValueError, StopIteration):
        return None
    number = {chance: at for at, chance in enumerate(dict.fromkeys(found.mine))}
    cells = [number[chance] for chance in found.mine]
    claims = {"solutions": found.layouts, "chances": list(number), "cells": cells}
    return json.dumps(claims).encode() + b"\n"


def _change_circuit(lines: Lines, rng: random.Random) -> None:
    """Change a circuit in place, keeping the syntax; nothing if the drawn change has no place."""
    kind, word = rng.choice(_CHANGES)
    places = [at for at, words in enumerate(lines) if words[0] == word]
    if kind == "drop pair":
        places = [at for at in places if len(lines[at]) > 3]
    elif kind == "merge nodes":
        places = [at for at in places if lines[at - 1][0] == "node"]
    if not places or (kind == "move cell" and len(places) == 1):
        return
    if kind == "drop region":
        ends = [*places, len(lines)]
        at = rng.randrange(len(places))
        region = lines[ends[at] : ends[at + 1]]
        del lines[ends[at] : ends[at + 1]]
        if rng.random() < 0.5:
            lines += region
        return
    if kind == "move cell":
        first, second = (lines[at] for at in rng.sample(places, 2))
        if len(first) > 4 or rng.random() < 0.5:
            second.append(first.pop())
        else:
            first[3:], second[3:] = second[3:], first[3:]
        return
    at = rng.choice(places)
    words = lines[at]
    if kind == "drop pair":
        place = rng.randrange(1, len(words), 2)
        del words[place : place + 2]
    elif kind == "add pair":
        pairs = list(zip(words[1::2], words[2::2], strict=False))
        pairs.append((str(rng.randrange(4)), str(rng.randrange(4))))
        pairs.sort(key=lambda pair: tuple(map(int, pair)))
        words[1:] = [word for pair in pairs for word in pair]
    elif kind == "other range":
        place = rng.choice([1, 2])
        words[place] = str(max(int(words[place]) + rng.choice([-1, 1]), 0))
    elif kind == "other join":
        if rng.random() < 0.5:
            words[1], words[2] = words[2], words[1]
        else:
            words[rng.choice([1, 2])] = str(rng.randrange(len(places) + 2))
    else:
        # One node less: it is dropped, or merged into the node before it, which gets its pairs.
        join = max(place for place in range(at) if lines[place][0] == "join")
        lines[join][3] = str(int(lines[join][3]) - 1)
        del lines[at]
        if kind == "merge nodes":
            lines[at - 1] += words[1:]
        # Mostly the pairs that name a dropped node are changed too, so that all numbers still fit.
        elif rng.random() < 0.8:
            region_at = max(place for place in range(at) if lines[place][0] == "region")
            joins = sum(words[0] == "join" for words in lines[region_at:join])
            group = int(lines[region_at][1]) + joins
            _forget(lines, region_at, str(group), at - join - 1)


def _forget(lines: Lines, region: int, group: str, node: int) -> None:
    """Remove the node ``node`` of ``group`` from all pairs of a region; renumber later nodes."""
    side = None
    for words in lines[region + 1 :]:
        if words[0] == "region":
            return
        if words[0] == "join":
            side = words[1:3].index(group) if group in words[1:3] else None
        elif words[0] == "node" and side is not None:
            kept = []
            for pair in zip(words[1::2], words[2::2], strict=False):
                number = int(pair[side])
                if number != node:
                    renamed = list(pair)
                    renamed[side] = str(number - (number > node))
                    kept += renamed
            words[1:] = kept or ["0", "0"]


_CHANGES: Final = (
    *(("drop pair", "node"),) * 2, ("add pair", "node"), *(("drop node", "node"),) * 3,
    ("merge nodes", "node"), ("other range", "box"), ("move cell", "box"), ("other join", "join"),
    ("drop region", "region"),
)  # fmt: skip
"""Kinds of changes of a circuit, each with the first word of the lines that it changes."""
