"""A lie told throughout: another verdict, and every file that has to agree with it changed too."""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

Cell = tuple[int, int]

ONE_PROOF: Final = ("proof.opb", "proof.pbp")
_KINDS: Final = (("mine", "M"), ("safe", "S"))


def lie(
    files: Mapping[str, bytes], manifest: dict[str, Any], rng: random.Random
) -> dict[str, bytes | None]:
    """Return files changed to another verdict in the manifest; none if there is no cell.

    None is the content of a file that goes.

    The clause "some certain verdict is wrong" is made anew, layouts that contradict the verdicts
    are left out, and the proofs may be the old ones, shorter, or claim the end at once. A board
    without a layout is said to be consistent: any verdict follows from its clues.
    """
    if manifest["grid"] is None:
        return _consistent(files, manifest, rng)
    variables = {
        tuple(each["cell"]): int(v)
        for v, each in json.loads(files["map.json"])["variables"].items()
    }
    if not variables:
        return {}
    grid = [list(row) for row in manifest["grid"]]
    cell: Cell = rng.choice(sorted(variables))
    grid[cell[0]][cell[1]] = rng.choice([m for m in "SM?" if m != grid[cell[0]][cell[1]]])
    manifest["grid"] = ["".join(row) for row in grid]
    verdicts = {(r, c): grid[r][c] for r, c in variables}
    changed: dict[str, bytes | None] = {"layouts.json": _layouts(files["layouts.json"], verdicts)}
    certain = [
        -v if verdicts[each] == "M" else v for each, v in variables.items() if verdicts[each] != "?"
    ]
    changed |= _refutation(files, certain, rng) | _sums(files, certain, rng)
    changed |= _one_proof(files, certain, rng)
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
        changed["refutation.cnf"] = "".join(f"{line}\n" for line in refuted).encode()
        lines = files["refutation.lrat"].decode().splitlines()
        shifted = [_shifted(line.split(), len(clauses)) for line in lines]
        changed["refutation.lrat"] = "".join(f"{line}\n" for line in shifted).encode()
    return changed


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
    """The clauses with this claim, and the old proofs, shorter ones, or such as end at once."""
    if "formula.cnf" not in files:
        return {}
    old = files.get("refutation.cnf", b"").decode().splitlines()[:-1]
    head, *clauses = old or files["formula.cnf"].decode().splitlines()
    against = " ".join(map(str, [*claim, 0]))
    refuted = [f"p cnf {head.split()[2]} {len(clauses) + 1}", *clauses, against]
    changed = {"refutation.cnf": "".join(f"{line}\n" for line in refuted).encode()}
    for name, end in (("refutation.drat", "0\n"), ("refutation.lrat", f"{len(refuted)} 0 1 2 0\n")):
        steps = files.get(name, b"").decode().splitlines(keepends=True)
        kept = rng.choice([steps, steps[:-1], steps[1:], [], [*steps[:-1], end]])
        changed[name] = "".join(kept or [end]).encode()
    return changed


def _sums(files: Mapping[str, bytes], claim: Sequence[int], rng: random.Random) -> dict[str, bytes]:
    """The old sums, fewer, or with one more: that a claim holds, by some constraint or other."""
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
    return {"sums.pbp": "".join(f"{x}\n" for x in [*lines[:2], *steps, *lines[-3:]]).encode()}


def _one_proof(
    files: Mapping[str, bytes], claim: Sequence[int], rng: random.Random
) -> dict[str, bytes]:
    """The problem with this claim, and the old proof, a shorter one, or one that ends at once."""
    problem, proof = (files.get(name, b"").decode().splitlines() for name in ONE_PROOF)
    if not problem:
        return {}
    terms = "".join([f"+1 x{lit} " if lit > 0 else f"-1 x{-lit} " for lit in claim])
    row = f"{terms}>= {1 - sum(lit < 0 for lit in claim)} ;"
    end = "rup >= 1 : ~ 1 2 ;"
    kept = rng.choice([proof, [*proof[:-4], *proof[-3:]], [*proof[:2], end, *proof[-3:]]])
    changed = ([*problem[:-1], row], kept)
    return {
        name: "".join(f"{line}\n" for line in lines).encode()
        for name, lines in zip(ONE_PROOF, changed, strict=True)
    }


def _layouts(content: bytes, verdicts: Mapping[Cell, str]) -> bytes:
    """Return layouts that agree with the certain verdicts, if any do, and the cells they show."""
    found = json.loads(content)["layouts"]
    agreeing = [
        grid
        for grid in found
        if all(mark in ("?", grid[r][c]) for (r, c), mark in verdicts.items())
    ]
    layouts = agreeing or found
    cells = []
    for (r, c), mark in verdicts.items():
        if mark == "?":
            marks = [grid[r][c] for grid in layouts]
            shown = {kind: marks.index(m) if m in marks else 0 for kind, m in _KINDS}
            cells.append({"cell": [r, c], **shown})
    return json.dumps({"layouts": layouts, "cells": cells}).encode()
