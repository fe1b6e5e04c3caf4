"""Forged certificates of boards of any geometry and under rules.

Besides random changes: another verdict, with the layouts that are in its way left out, and another
clue, total or reading of flags. Which cells are certain is told by all layouts, tried by the plain
readings of `scripts.fuzzing`; so a board is changed into another one that they know, not its text.
"""

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from satsweeper.certificate.puzzle.certify import certify_puzzle
from satsweeper.certificate.puzzle.text import board_file
from satsweeper.checker.puzzle.check import CheckedPuzzle, check_puzzle
from scripts.forgeries.forgery import Files, changed_value, judged, mutated
from scripts.fuzzing.rule_boards import RuleBoard, draw, subjects
from scripts.fuzzing.rule_checks import puzzle_of

MANIFEST: Final = "manifest.json"
BOARDS: Final = ("board.txt", "board.json")
LAYOUTS: Final = "layouts.json"
_KNOWN: Final[dict[bytes, RuleBoard]] = {}
"""Text of a board -> the board."""


def make(rng: random.Random, boards: int) -> list[Files]:
    """Return certificates of ``boards`` random boards."""
    every = subjects(("singles", "pairs", "geometries"))
    found: list[Files] = []
    while len(found) < boards:
        board = draw(rng.choice(every), rng, rng.choice([(3, 3), (3, 3), None]))
        try:
            made = certify_puzzle(puzzle_of(board), flags=board.reading)
        except ValueError:  # a board that has no certificate
            continue
        _KNOWN[_board_of(made.files)[1]] = board
        found.append(_with_hashes(made.files, made.about))
    return found


def _board_of(files: Mapping[str, bytes]) -> tuple[str, bytes]:
    return next((name, files[name]) for name in BOARDS if name in files)


def _with_hashes(files: Mapping[str, bytes], about: Any) -> Files:
    if isinstance(about, dict):
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        about = about | {"files": hashes}
    return {**files, MANIFEST: json.dumps(about).encode()}


def changed(target: Files, originals: Sequence[Files], rng: random.Random) -> tuple[str, Files]:
    """Return the name of a change, and the files after it."""
    files, about = dict(target), json.loads(target[MANIFEST])
    del files[MANIFEST]
    name, text = _board_of(files)
    kind = rng.choice([*(files.keys() - {name}), MANIFEST, "the board", "a verdict", "flags"])
    if kind == MANIFEST:
        about = changed_value(about, rng)
    elif kind == "the board":
        other = _other(_KNOWN[text], rng)
        try:
            name_again, whole = board_file(puzzle_of(other))
        except ValueError:  # no board of its rules
            return kind, target
        del files[name]
        files[name_again] = whole.encode("ascii")
        _KNOWN[files[name_again]] = other
    elif kind == "flags":
        about["flags"] = {"trust": "ignore", "ignore": "trust"}[about["flags"]]
    elif kind != "a verdict":
        files[kind] = mutated(files[kind], rng, [e[kind] for e in originals if kind in e])
    elif about["verdicts"]:
        _turn(_KNOWN[text], files, about, rng)
    return kind, _with_hashes(files, about)


def _other(board: RuleBoard, rng: random.Random) -> RuleBoard:
    """Return a board that differs in the total, in a clue, or in a rule of its layouts."""
    kind = rng.choice(["total", "a clue less", "a clue", "a rule less"])
    if kind == "a rule less" and board.layouts:
        return replace(board, layouts=board.layouts[1:])
    if kind == "total" or not board.clues:
        return replace(board, mines=rng.choice([None, *range(6)]))
    cell = rng.choice(sorted(board.clues))
    clues = dict(board.clues)
    letters, shown = clues.pop(cell)
    if kind == "a clue":
        clues[cell] = letters, rng.choice([shown, *(t for _, t in clues.values())])
        return replace(board, clues=clues)
    return replace(board, clues=clues, opened=board.opened | {cell})


def _turn(board: RuleBoard, files: Files, about: dict[str, Any], rng: random.Random) -> None:
    """Give a cell another verdict, and leave out layouts that contradict it, if others are left."""
    verdicts = about["verdicts"]
    at = rng.randrange(len(verdicts))
    new = rng.choice([letter for letter in "SM?" if letter != verdicts[at]])
    about["verdicts"] = verdicts[:at] + new + verdicts[at + 1 :]
    layouts = json.loads(files[LAYOUTS])["layouts"]
    cell = replace(board, reading=about["flags"]).covered[at]
    safe = [[m for row in each for m in row][cell] in (".", 0) for each in layouts]
    kept = [each for each, is_safe in zip(layouts, safe, strict=True) if is_safe == (new == "S")]
    if new != "?" and kept:
        files[LAYOUTS] = json.dumps({"layouts": kept}).encode()


def judge(folder: Path) -> tuple[str, str]:
    """Return the outcome of checking a folder, and the reason."""
    files = {name: (folder / name).read_bytes() for name in BOARDS if (folder / name).exists()}
    board = _KNOWN[_board_of(files)[1]]

    def false_claim(found: CheckedPuzzle) -> str | None:
        true = replace(board, reading=found.flags)
        if (found.status == "consistent") != bool(true.truth):
            return f"the status is {found.status}"
        letters = {"safe": "S", "mine": "M", "unknown": "?"}
        due = "".join(letters[each] for each in true.verdicts.values()) if true.truth else None
        said = json.loads((folder / MANIFEST).read_bytes())["verdicts"]
        return None if said == due else f"the verdicts are {said}, and in truth {due}"

    return judged({"check": lambda: check_puzzle(folder, external=False)}, false_claim)
