"""Forged certificates of verdicts of plain boards, and of boards without a layout.

Total known and unknown, flags trusted and ignored, consistent or not, every encoding, cells with
proofs of their own, nothing covered; and examples/expert.txt. Besides random changes: a clue or a
verdict in the board and the manifest at once, or another verdict with all files that must agree
with it. A larger board than can be tried is classified in the plain way.
"""

import hashlib
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import satsweeper_check
from satsweeper import Position
from satsweeper.certificate import certify as certificates
from satsweeper.certificate.certify import certify
from satsweeper.certificate.folder import MANIFEST, manifest_bytes, with_manifest
from satsweeper.checker.check import check
from scripts.forgeries import forgery
from scripts.forgeries.forgery import Files
from scripts.fuzzing.truth import MOST_CELLS, Cell

ENCODINGS: Final = ("direct", "totalizer", "sequential_counter", "knuth_counter")
ROOT: Final = Path(__file__).parents[2]
LARGE: Final = certificates.MANY
READ_BY_BOTH: Final = (MANIFEST, "board.txt", "layouts.json", "proof.opb", "proof.pbp")


def make(rng: random.Random, boards: int) -> list[Files]:
    """Return certificates of ``boards`` random boards, and of the expert board in examples."""
    expert = certify(Position.read(ROOT / "examples" / "expert.txt"))
    # Only the expert board has proofs that unit propagation alone does not find: a fifth of all
    # mutations are of that board.
    originals = [with_manifest(expert.files, expert.about)[1]] * (boards // 4 + 1)
    end = len(originals) + boards
    while len(originals) < end:
        position = random_position(rng)
        if position is None:
            continue
        options: dict[str, Any] = {"flags": rng.choice(["trust", "ignore"])}
        options |= {name: rng.choice(ENCODINGS) for name in ("encoding", "total_encoding")}
        # With a limit of 0 clues a small board is proved in the way of large boards, by sums first.
        certificates.MANY = rng.choice([0, LARGE])
        certain = certify(position, **options).found
        if certain.conflict is None:
            held = sorted({*certain.safe, *certain.mines})
            options["cells"] = rng.sample(held, min(len(held), rng.randint(0, 2)))
        made = certify(position, **options)
        originals.append(with_manifest(made.files, made.about)[1])
        certificates.MANY = LARGE
    return originals


def random_position(rng: random.Random) -> Position | None:
    """Return a random position, in which a few clues are too large by 1.

    None if the position is refused.
    """
    rows, columns = rng.choice([(1, 8), (2, 5), (3, 4), (4, 4), (4, 5), (5, 5)])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    mines = set(rng.sample(cells, rng.randint(0, len(cells) // 3)))
    least = max(1, len(cells) - MOST_CELLS + 2)
    shown = set(rng.sample(cells, rng.randint(least, len(cells))))
    grid = [["?"] * columns for _ in range(rows)]
    for r, c in shown:
        near = sum((r + i, c + j) in mines for i in (-1, 0, 1) for j in (-1, 0, 1))
        near += rng.random() >= 0.98
        flagged = "F" if rng.random() < 0.3 else "?"
        grid[r][c] = flagged if (r, c) in mines else str(near)
    if rng.random() < 0.05:
        grid = [["0" if mark in "?F" else mark for mark in row] for row in grid]
    total = rng.choice(["?", str(len(mines)), str(len(mines))])
    text = f"{rows} {columns} {total}\n" + "\n".join("".join(row) for row in grid) + "\n"
    try:
        return Position.parse(text)
    except ValueError:
        return None


def changed(target: Files, originals: Sequence[Files], rng: random.Random) -> tuple[str, Files]:
    """Return the name of a change, and the files after it."""
    old = {name: data for name, data in target.items() if name != MANIFEST}
    name = rng.choice([*old, MANIFEST, "the board", "a verdict", "a lie throughout"])
    files: dict[str, bytes | None] = {}
    about: Any = json.loads(target[MANIFEST])
    if name in old:
        others = [each[name] for each in originals if each is not target and name in each]
        files[name] = forgery.mutated(old[name], rng, others)
    elif name == MANIFEST and rng.random() < 0.5:
        return name, {**target, MANIFEST: forgery.mutated(target[MANIFEST], rng, [])}
    elif name == "a lie throughout":
        files = lie(old, about, rng)
    elif name == MANIFEST:
        about = forgery.changed_value(about, rng)
    else:
        files["board.txt"] = _other_board(old["board.txt"], about, rng, name == "a verdict")
    if isinstance(about, dict) and isinstance(about.get("files"), dict):
        kept = {each: data for each, data in files.items() if data is not None}
        about["files"] |= {each: hashlib.sha256(data).hexdigest() for each, data in kept.items()}
    every = {**target, **files, MANIFEST: manifest_bytes(about)}
    left = {each: data for each, data in every.items() if data is not None}
    return name.rpartition("/")[2], left


def judge(folder: Path) -> tuple[str, str]:
    """Return the outcome of checking a folder, and the reason."""
    readers: dict[str, Callable[[], Any]] = {
        "check": partial(check, folder, external=False),
        "small": partial(satsweeper_check.check, [str(folder)]),
    }
    outcome, why = forgery.judged(
        # The small checker leaves alone what proves single cells, or the verdicts again.
        readers,
        lambda found: forgery.false_claim(folder, cells=not isinstance(found, dict)),
    )
    if outcome == "only small" and why.split(": ")[1] not in READ_BY_BOTH:
        outcome = "rejected"
    return outcome, why


def _other_board(board: bytes, about: Any, rng: random.Random, verdict_only: bool) -> bytes:
    """Return ``board`` with another clue, flag or total; change the manifest ``about`` as well.

    With ``verdict_only`` one cell of the manifest's grid gets any verdict, and the board stays.
    """
    head, *rows = board.decode().splitlines()
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
    return "\n".join([head, *rows, ""]).encode()


ONE_PROOF: Final = ("proof.opb", "proof.pbp")


def lie(
    files: Mapping[str, bytes], manifest: dict[str, Any], rng: random.Random
) -> dict[str, bytes | None]:
    """Give one cell another verdict in ``manifest``; return the files that must agree with it.

    The result maps names to contents, None for a file that is removed; it is empty if the board has
    no covered cell. The clause "some certain verdict is wrong" is written anew, layouts that
    contradict the verdicts are left out, and each proof stays, is shortened, or claims a
    contradiction at once. A board without a layout is claimed to be consistent instead, since any
    verdict follows from its clues.
    """
    if manifest["grid"] is None:
        return _consistent(files, manifest, rng)
    named = json.loads(files["map.json"])["variables"]
    variables = {tuple(each["cell"]): int(v) for v, each in named.items()}
    if not variables:
        return {}
    grid = [list(row) for row in manifest["grid"]]
    cell: Cell = rng.choice(sorted(variables))
    grid[cell[0]][cell[1]] = rng.choice([m for m in "SM?" if m != grid[cell[0]][cell[1]]])
    manifest["grid"] = ["".join(row) for row in grid]
    verdicts = {(r, c): grid[r][c] for r, c in variables}
    changed: dict[str, bytes | None] = {"layouts.json": _layouts(files["layouts.json"], verdicts)}
    known = {v: verdicts[each] for each, v in variables.items() if verdicts[each] != "?"}
    certain = [-v if verdict == "M" else v for v, verdict in known.items()]
    for change in (_refutation, _sums, _one_proof):
        changed |= change(files, certain, rng)
    gone = [] if certain else ["refutation.cnf", "refutation.drat", "refutation.lrat"]
    if not certain or rng.random() < 0.5:  # as a certificate of an older version
        gone += ONE_PROOF
    for name in gone:
        changed.pop(name, None)
        if manifest["files"].pop(name, None):
            changed[name] = None
    return changed


def _consistent(
    files: Mapping[str, bytes], manifest: dict[str, Any], rng: random.Random
) -> dict[str, bytes | None]:
    """Claim any verdicts and a layout of an inconsistent board, by the proofs of a refutation."""
    covered = "?" if manifest["flags"] == "trust" else "?F"
    rows = files["board.txt"].decode().splitlines()[1:]
    grid = ["".join([rng.choice("SM") if c in covered else c for c in row]) for row in rows]
    manifest |= {"status": "consistent", "grid": grid}
    layouts = {"layouts": rng.choice([[grid], []]), "cells": []}
    changed: dict[str, bytes | None] = {"layouts.json": json.dumps(layouts).encode()}
    for name in ONE_PROOF:
        if manifest["files"].pop(name, None):
            changed[name] = None
    if "refutation.lrat" in files:
        mark = {(r, c): mark for r, row in enumerate(grid) for c, mark in enumerate(row)}
        named = json.loads(files["map.json"])["variables"]
        cells = {int(v): mark[tuple(each["cell"])] for v, each in named.items()}
        claim = " ".join([f"{-v if verdict == 'M' else v}" for v, verdict in cells.items()])
        head, *clauses = files["refutation.cnf"].decode().splitlines()
        refuted = [f"p cnf {head.split()[2]} {len(clauses) + 1}", *clauses, f"{claim} 0".strip()]
        changed["refutation.cnf"] = _text(refuted)
        lines = files["refutation.lrat"].decode().splitlines()
        changed["refutation.lrat"] = _text(_shifted(line.split(), len(clauses)) for line in lines)
    return changed


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _shifted(words: list[str], above: int) -> str:
    """Return the LRAT step ``words`` with one added to each identifier larger than ``above``."""
    end = words.index("0") if "d" not in words else 1
    for at in (0, *range(end + 1, len(words))):
        if words[at].isdigit() and int(words[at]) > above:
            words[at] = str(int(words[at]) + 1)
    return " ".join(words)


def _refutation(
    files: Mapping[str, bytes], claim: Sequence[int], rng: random.Random
) -> dict[str, bytes]:
    """Return the clauses with ``claim``, and each proof unchanged, shortened, or cut to its end."""
    if "formula.cnf" not in files:
        return {}
    old = files.get("refutation.cnf", b"").decode().splitlines()[:-1]
    head, *clauses = old or files["formula.cnf"].decode().splitlines()
    against = " ".join(map(str, [*claim, 0]))
    refuted = [f"p cnf {head.split()[2]} {len(clauses) + 1}", *clauses, against]
    changed = {"refutation.cnf": _text(refuted)}
    for name, end in (("refutation.drat", "0\n"), ("refutation.lrat", f"{len(refuted)} 0 1 2 0\n")):
        steps = files.get(name, b"").decode().splitlines(keepends=True)
        kept = rng.choice([steps, steps[:-1], steps[1:], [], [*steps[:-1], end]])
        changed[name] = "".join(kept or [end]).encode()
    return changed


def _sums(files: Mapping[str, bytes], claim: Sequence[int], rng: random.Random) -> dict[str, bytes]:
    """Return sums.pbp unchanged, with a step left out, or with a forged step.

    A forged step derives a literal of ``claim``, negated, from a constraint drawn at random.
    """
    if "sums.pbp" not in files:
        return {}
    lines = files["sums.pbp"].decode().splitlines()
    steps, last = lines[2:-3], int(lines[1].split()[1]) + len(lines) - 5
    kind = rng.randrange(3)
    if kind == 1 and steps:
        del steps[rng.randrange(len(steps))]
    elif kind == 2 and claim:
        lit = -rng.choice(claim)
        by = rng.randint(1, max(last, 1))
        word = f"x{lit}" if lit > 0 else f"~x{-lit}"
        forged = [f"rup 1 {word} >= 1 : ~ {by} ;", f"pol {by} {word} + ;", f"pol {by} 2 d ;"]
        steps.append(rng.choice(forged))
    return {"sums.pbp": _text([*lines[:2], *steps, *lines[-3:]])}


def _one_proof(
    files: Mapping[str, bytes], claim: Sequence[int], rng: random.Random
) -> dict[str, bytes]:
    """Return proof.opb with ``claim``, and proof.pbp unchanged, shortened, or cut to its end."""
    problem, proof = (files.get(name, b"").decode().splitlines() for name in ONE_PROOF)
    if not problem:
        return {}
    terms = "".join([f"+1 x{lit} " if lit > 0 else f"-1 x{-lit} " for lit in claim])
    row = f"{terms}>= {1 - sum(lit < 0 for lit in claim)} ;"
    end = "rup >= 1 : ~ 1 2 ;"
    kept = rng.choice([proof, [*proof[:-4], *proof[-3:]], [*proof[:2], end, *proof[-3:]]])
    return dict(zip(ONE_PROOF, (_text([*problem[:-1], row]), _text(kept)), strict=True))


def _layouts(content: bytes, verdicts: Mapping[Cell, str]) -> bytes:
    """Return layouts that agree with the certain verdicts, and the unknown cells that they show.

    If no layout agrees with the verdicts, all layouts stay.
    """
    found = json.loads(content)["layouts"]
    marked = [(r, c, mark) for (r, c), mark in verdicts.items() if mark != "?"]
    layouts = [g for g in found if all(g[r][c] == mark for r, c, mark in marked)] or found
    cells = []
    for (r, c), mark in verdicts.items():
        if mark == "?":
            marks = [grid[r][c] for grid in layouts]
            kinds = {"mine": "M", "safe": "S"}.items()
            shown = {kind: marks.index(m) if m in marks else 0 for kind, m in kinds}
            cells.append({"cell": [r, c], **shown})
    return json.dumps({"layouts": layouts, "cells": cells}).encode()
